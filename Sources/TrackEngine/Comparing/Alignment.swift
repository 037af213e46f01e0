/// Finds what two sequences of tokens have in common, as an editor would see it: keeping a token has a worth, a
/// change has a cost.
///
/// Short stretches get an optimal alignment, by dynamic programming with O. Gotoh's two states ("An Improved
/// Algorithm for Matching Biological Sequences", 1982); long ones are first split at runs of tokens that occur
/// once in both. The work is bounded by the number of tokens and by ``cellsLeft``.
struct Alignment {
  /// The classes of the tokens: a token can be exchanged for another one of its class.
  private let old: [Int32]
  private let new: [Int32]
  /// The numbers and worths of the old tokens, and the numbers of the new ones.
  private let tokens: NumberedTokens
  private let newTokens: NumberedTokens
  /// The cost of a change.
  let changeCost: Int32
  /// The kept pairs of tokens, each of one class, in ascending order.
  private(set) var pairs: [(old: Int, new: Int)] = []
  /// How many more pairs of tokens may be examined.
  private(set) var cellsLeft: Int

  /// The most pairs of tokens that may be examined to align one stretch.
  private static let maxCells = 1 << 20

  /// Aligns all tokens.
  ///
  /// - Parameters:
  ///   - old: The old tokens.
  ///   - new: The new ones.
  ///   - changeCost: The cost of a change.
  ///   - cells: How many pairs of tokens may be examined.
  init(_ old: NumberedTokens, _ new: NumberedTokens, changeCost: Int32, cells: Int) {
    self.old = old.classes
    self.new = new.classes
    tokens = old
    newTokens = new
    self.changeCost = changeCost
    cellsLeft = cells
    align(0..<self.old.count, 0..<self.new.count, runs: 16)
  }

  /// Aligns two stretches; where no run of `runs` tokens is common, shorter runs are tried.
  private mutating func align(_ oldRange: Range<Int>, _ newRange: Range<Int>, runs: Int) {
    var (oldStart, oldEnd) = (oldRange.lowerBound, oldRange.upperBound)
    var (newStart, newEnd) = (newRange.lowerBound, newRange.upperBound)
    while oldStart < oldEnd, newStart < newEnd, old[oldStart] == new[newStart] {
      pairs.append((oldStart, newStart))
      oldStart += 1
      newStart += 1
    }
    var tail = 0
    while oldStart < oldEnd, newStart < newEnd, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
      tail += 1
    }
    alignMiddle(oldStart..<oldEnd, newStart..<newEnd, runs: runs)
    for index in 0..<tail { pairs.append((oldEnd + index, newEnd + index)) }
  }

  private mutating func alignMiddle(_ oldRange: Range<Int>, _ newRange: Range<Int>, runs: Int) {
    guard !oldRange.isEmpty, !newRange.isEmpty else { return }
    let (cells, isOver) = oldRange.count.multipliedReportingOverflow(by: newRange.count)
    if !isOver, cells <= min(Alignment.maxCells, cellsLeft) {
      cellsLeft -= cells
      return alignBest(oldRange, newRange)
    }
    var length = runs
    while length > 0 {
      let anchors = anchors(oldRange, newRange, of: length)
      if !anchors.isEmpty {
        var (oldAt, newAt) = (oldRange.lowerBound, newRange.lowerBound)
        for (oldNext, newNext) in anchors where oldNext >= oldAt && newNext >= newAt {
          align(oldAt..<oldNext, newAt..<newNext, runs: length / 4)
          (oldAt, newAt) = (oldNext, newNext)
          // The tokens after an anchor are equal.
          while oldAt < oldRange.upperBound, newAt < newRange.upperBound, old[oldAt] == new[newAt] {
            pairs.append((oldAt, newAt))
            oldAt += 1
            newAt += 1
          }
        }
        return align(oldAt..<oldRange.upperBound, newAt..<newRange.upperBound, runs: length / 4)
      }
      length /= 4
    }
    alignFew(oldRange, newRange)
  }

  /// Where runs of a length occur once in both stretches: as many as possible in the same order.
  private func anchors(_ oldRange: Range<Int>, _ newRange: Range<Int>, of length: Int)
    -> [(old: Int, new: Int)]
  {
    commonOnce(old.runs(of: length, in: oldRange), new.runs(of: length, in: newRange))
      .map { (oldRange.lowerBound + $0, newRange.lowerBound + $1) }
      .filter { oldStart, newStart in
        (0..<length).allSatisfy { old[oldStart + $0] == new[newStart + $0] }
      }
  }

  /// Aligns long stretches that differ little, by their longest common subsequence.
  private mutating func alignFew(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
    let work = 1 << 18
    guard cellsLeft >= work else { return }
    cellsLeft -= work
    guard let found = commonPairs(Array(old[oldRange]), Array(new[newRange])) else { return }
    pairs += found.map { (oldRange.lowerBound + $0, newRange.lowerBound + $1) }
  }

  private mutating func alignBest(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
    let table = AlignmentTable(tokens, oldRange, newTokens, newRange, changeCost)
    for (oldIndex, newIndex) in table.pairs.reversed() {
      pairs.append((oldRange.lowerBound + oldIndex, newRange.lowerBound + newIndex))
    }
  }
}

extension [Int32] {
  /// A number for each run of `length` tokens in a stretch; equal runs have equal numbers.
  fileprivate func runs(of length: Int, in range: Range<Int>) -> [UInt64] {
    guard range.count >= length else { return [] }
    if length == 1 { return self[range].map { UInt64(truncatingIfNeeded: $0) } }
    return (range.lowerBound...range.upperBound - length).map { start in
      var run: UInt64 = 0
      for index in start..<start + length {
        run = run.mixed(with: UInt64(truncatingIfNeeded: self[index]))
      }
      return run
    }
  }
}
