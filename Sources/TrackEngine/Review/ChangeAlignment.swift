/// The place of a change in a later text.
struct ChangePlace: Equatable {
  /// Whether the text there is closer to its new text than to its old one.
  var isNew: Bool
  /// The range of the text in its place.
  var range: Range<Int>
  /// The part of the range that is the unbroken text of that side; nil if there is none.
  var matched: Range<Int>?
}

/// Finds changes in a later text, in which each of them may have been accepted, rejected or edited.
///
/// The best alignment by dynamic programming, as in Needleman and Wunsch ("A general method applicable to the
/// search for similarities in the amino acid sequence of two proteins", 1970), with a fork at each change for
/// its old and its new text. Each byte of the earlier text is a row; its columns are the offsets of the later
/// text that the alignment may have reached.
struct ChangeAlignment {
  /// The last step of an alignment.
  private enum Step: UInt8 {
    /// The byte is in the later text.
    case match
    /// The byte is missing.
    case gone
    /// Another byte was inserted.
    case put
    /// From the previous row, without a byte.
    case enter
    /// The change has its old text.
    case old
    /// The change has its new text.
    case new
  }

  private struct Row {
    /// The index of the previous row; for a join, of the last row of the new text.
    var before: Int
    /// For a join, the index of the last row of the old text.
    var other = -1
    /// The first column.
    let start: Int
    var costs: [Int]
    var steps: [Step]
    var columns: Range<Int> { start..<start + costs.count }

    func cost(_ column: Int) -> Int? { columns.contains(column) ? costs[column - start] : nil }
  }

  private static let cost = 1 << 20
  /// Slightly less, so that of equally good alignments one that edits the changes is chosen.
  private static let costInChange = cost - 1
  /// Text in marks has not been accepted.
  private static let costOfMarked = 1
  /// The approximate number of columns in all rows; no row has fewer than ``fewest`` if that many exist.
  private static let size = 20_000_000
  private static let fewest = 800

  private let later: FinalText
  private let target: Range<Int>
  private let sides: [ProposedText.Sides]
  /// Columns whose cost exceeds the best of their row by more than this are dropped.
  private let reach: Int
  private var rows: [Row] = []
  /// The rows at which changes end.
  private var joins: [Int] = []

  /// Aligns a stretch of a text with a stretch of a later one.
  ///
  /// - Parameters:
  ///   - sides: The changes in the stretch.
  ///   - settled: The text outside changes.
  ///   - stretch: The stretch of the settled text.
  ///   - later: The later text.
  ///   - target: The stretch of the later text.
  init(
    of sides: [ProposedText.Sides],
    in settled: [UInt8],
    _ stretch: Range<Int>,
    with later: FinalText,
    _ target: Range<Int>
  ) {
    self.sides = sides
    self.later = later
    self.target = target
    let count = sides.reduce(stretch.count + 1) { $0 + $1.old.count + $1.new.count }
    reach = ChangeAlignment.cost * max(ChangeAlignment.fewest, ChangeAlignment.size / count)
    rows = [Row(before: -1, start: target.lowerBound, costs: [0], steps: [.enter])]
    put(ChangeAlignment.cost)
    var at = stretch.lowerBound
    for side in sides {
      add(settled[at..<side.place], costing: ChangeAlignment.cost)
      at = side.place
      let entry = rows.count - 1
      add(text: side.old, after: entry)
      let old = rows.count - 1
      add(text: side.new, after: entry, isNew: true)
      join(old, rows.count - 1)
    }
    add(settled[at..<stretch.upperBound], costing: ChangeAlignment.cost)
  }

  /// Adds one side of a change, after the row at which the change begins.
  private mutating func add(text: [UInt8], after entry: Int, isNew: Bool = false) {
    let row = rows[entry]
    let steps = Array(repeating: Step.enter, count: row.costs.count)
    rows.append(Row(before: entry, start: row.start, costs: row.costs, steps: steps))
    put(ChangeAlignment.costInChange)
    add(text[...], costing: ChangeAlignment.costInChange, isNew: isNew)
  }

  private mutating func add(_ text: ArraySlice<UInt8>, costing cost: Int, isNew: Bool = false) {
    for byte in text {
      let last = rows[rows.count - 1]
      let end = min(target.upperBound, last.columns.upperBound) + 1
      var row = Row(before: rows.count - 1, start: last.start, costs: [], steps: [])
      row.costs.reserveCapacity(end - last.start)
      for column in last.start..<min(end, target.upperBound + 1) {
        var best = (last.cost(column) ?? Int.max / 2) + cost
        var step = Step.gone
        if column > last.start, later.bytes[column - 1] == byte {
          let isMarked = isNew && later.isMarked[column - 1]
          let match =
            last.costs[column - 1 - last.start] + (isMarked ? ChangeAlignment.costOfMarked : 0)
          if match <= best { (best, step) = (match, .match) }
        }
        row.costs.append(best)
        row.steps.append(step)
      }
      rows.append(row)
      put(cost)
    }
  }

  /// Continues to the right in the last row as long as the cost allows, and drops columns that cost too much.
  private mutating func put(_ cost: Int) {
    var row = rows[rows.count - 1]
    rows[rows.count - 1].costs = []
    let most = (row.costs.min() ?? 0) + reach
    var index = 1
    while row.start + index <= target.upperBound {
      let put = row.costs[index - 1] + cost
      if index == row.costs.count {
        if put > most { break }
        row.costs.append(put)
        row.steps.append(.put)
      } else if put < row.costs[index] {
        row.costs[index] = put
        row.steps[index] = .put
      }
      index += 1
    }
    while let last = row.costs.last, last > most {
      row.costs.removeLast()
      row.steps.removeLast()
    }
    let worthless = row.costs.prefix { $0 > most }.count
    rows[rows.count - 1] = Row(
      before: row.before,
      other: row.other,
      start: row.start + worthless,
      costs: Array(row.costs[worthless...]),
      steps: Array(row.steps[worthless...])
    )
  }

  /// Ends a change: in each column, chooses the side that costs less.
  private mutating func join(_ old: Int, _ new: Int) {
    let columns = rows[old].columns.joined(with: rows[new].columns)
    var row = Row(before: new, other: old, start: columns.lowerBound, costs: [], steps: [])
    for column in columns {
      let costs = (rows[old].cost(column), rows[new].cost(column))
      let isNew = (costs.1 ?? Int.max) < (costs.0 ?? Int.max)
      row.costs.append((isNew ? costs.1 : costs.0) ?? Int.max / 2)
      row.steps.append(isNew ? .new : .old)
    }
    joins.append(rows.count)
    rows.append(row)
  }

  /// The places of the changes.
  func places() -> [ChangePlace] {
    var places: [ChangePlace] = []
    var index = rows.count - 1
    // Without better evidence, the remaining text was inserted at the end.
    var column = min(target.upperBound, rows[index].columns.upperBound - 1)
    var matched: [Int] = []
    var end = 0
    var isNew = false
    while index > 0 || rows[index].steps[column - rows[index].start] == .put {
      switch rows[index].steps[column - rows[index].start] {
      case .match:
        column -= 1
        matched.append(column)
        index = rows[index].before
      case .gone: index = rows[index].before
      case .put: column -= 1
      case .old, .new:
        isNew = rows[index].steps[column - rows[index].start] == .new
        end = column
        matched = []
        index = isNew ? rows[index].before : rows[index].other
      case .enter:
        let side = sides[sides.count - 1 - places.count]
        places.append(
          place(column..<end, matched.reversed(), of: isNew ? side.new : side.old, isNew)
        )
        index = rows[index].before
      }
    }
    return places.reversed()
  }

  private func place(
    _ range: Range<Int>,
    _ matched: [Int],
    of text: [UInt8],
    _ isNew: Bool
  ) -> ChangePlace {
    var place = ChangePlace(isNew: isNew, range: range)
    if text.isEmpty {
      if range.isEmpty { place.matched = range }
    } else if matched.count == text.count, let first = matched.first, let last = matched.last,
      last - first == text.count - 1, !isInWord(first, from: range),
      !isInWord(last + 1, from: range)
    {
      place.matched = first..<last + 1
    }
    return place
  }

  /// Whether text inserted directly beside an offset formed another word: `she` is not `he` with an insertion
  /// beside it.
  private func isInWord(_ offset: Int, from range: Range<Int>) -> Bool {
    guard range.lowerBound < offset, offset < range.upperBound else { return false }
    return later.bytes[offset - 1].isLetter && later.bytes[offset].isLetter
  }
}
