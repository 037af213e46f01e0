/// The best alignment of two stretches of tokens: the greatest worth of kept tokens less the cost of the
/// changes between.
///
/// Time and memory are proportional to the number of pairs of tokens; each takes one byte.
struct AlignmentTable {
  /// The kept pairs, relative to the beginnings of the stretches, from last to first.
  private(set) var pairs: [(old: Int, new: Int)] = []

  /// How a cell was reached: its kept pair after a change; its change from a kept pair, and from the left.
  private static let keptAfterChange: UInt8 = 1
  private static let fromKept: UInt8 = 2
  private static let fromLeft: UInt8 = 4
  /// The worth of keeping a token as another one of its class, which is a small change.
  private static let swapWorth: Int32 = -2
  private static let never = Int32.min / 2

  /// Aligns two stretches, neither of them empty.
  init(
    _ old: WordTokens,
    _ oldRange: Range<Int>,
    _ new: WordTokens,
    _ newRange: Range<Int>,
    _ changeCost: Int32
  ) {
    let width = newRange.count + 1
    // The best alignments that end in a kept pair, and the best that end in a change.
    var kept = [Int32](repeating: Self.never, count: width)
    var changed = [Int32](repeating: -changeCost, count: width)
    kept[0] = 0
    changed[0] = Self.never
    let newColumns = newRange.map { new[$0] }
    let size = width * (oldRange.count + 1)
    let traces = [UInt8](unsafeUninitializedCapacity: size) { traces, count in
      count = size
      for column in 0..<width { traces[column] = Self.fromLeft }
      traces[1] |= Self.fromKept
      newColumns.withUnsafeBufferPointer { newColumns in
        kept.withUnsafeMutableBufferPointer { kept in
          changed.withUnsafeMutableBufferPointer { changed in
            for row in oldRange {
              let line = UnsafeMutableBufferPointer(
                rebasing: traces[(row - oldRange.lowerBound + 1) * width..<size]
              )
              let (tokenClass, number) = (old[row].sharedClass, old[row].number)
              let worth = old[row].worth
              // The values one column to the left: in the previous row, and in this one.
              var (keptBefore, changedBefore) = (kept[0], changed[0])
              var (keptLeft, changedLeft) = (Self.never, -changeCost)
              (kept[0], changed[0]) = (keptLeft, changedLeft)
              line[0] = row == oldRange.lowerBound ? Self.fromKept : 0
              for column in 1..<width {
                let (keptAbove, changedAbove) = (kept[column], changed[column])
                let token = newColumns[column &- 1]
                var trace: UInt8 = 0
                var here = Self.never
                if tokenClass == token.sharedClass {
                  here = keptBefore
                  if changedBefore > keptBefore {
                    here = changedBefore
                    trace = Self.keptAfterChange
                  }
                  here &+= (number == token.number ? worth : Self.swapWorth) &+ token.extra
                }
                var change = changedAbove
                var from: UInt8 = 0
                if changedLeft > change { (change, from) = (changedLeft, Self.fromLeft) }
                if keptAbove &- changeCost > change {
                  (change, from) = (keptAbove &- changeCost, Self.fromKept)
                }
                if keptLeft &- changeCost > change {
                  (change, from) = (keptLeft &- changeCost, Self.fromKept | Self.fromLeft)
                }
                (kept[column], changed[column]) = (here, change)
                line[column] = trace | from
                (keptBefore, changedBefore) = (keptAbove, changedAbove)
                (keptLeft, changedLeft) = (here, change)
              }
            }
          }
        }
      }
    }
    trace(
      traces,
      width,
      (oldRange.count, newRange.count),
      isKept: kept[width - 1] >= changed[width - 1]
    )
  }

  private mutating func trace(
    _ traces: [UInt8],
    _ width: Int,
    _ end: (row: Int, column: Int),
    isKept: Bool
  ) {
    var (row, column) = end
    var isKept = isKept
    while row > 0 || column > 0 {
      let trace = traces[row * width + column]
      if isKept {
        isKept = trace & Self.keptAfterChange == 0
        row -= 1
        column -= 1
        pairs.append((row, column))
      } else {
        isKept = trace & Self.fromKept != 0
        if trace & Self.fromLeft != 0 { column -= 1 } else { row -= 1 }
      }
    }
  }
}
