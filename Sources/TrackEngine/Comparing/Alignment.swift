/// Finds what two sequences of tokens have in common, as an editor would say it: what is kept is worth something, a
/// change costs something.
///
/// Small stretches get the best alignment there is, by dynamic programming with O. Gotoh's two states ("An Improved
/// Algorithm for Matching Biological Sequences", 1982); long ones are parted first, where both have a run of
/// tokens once. Work is bounded by the tokens and ``cellsLeft``.
struct Alignment {
  /// The tokens' classes: a token may go for another one of its class.
  private let old: [Int32]
  private let new: [Int32]
  /// What the old tokens are and what they are worth, and what the new ones are.
  private let tokens: NumberedTokens
  private let newTokens: NumberedTokens
  /// What a change costs.
  let changeCost: Int32
  /// The pairs of tokens of one class that are kept, in rising order.
  private(set) var pairs: [(old: Int, new: Int)] = []
  /// How many pairs of tokens are looked at still.
  private(set) var cellsLeft: Int

  /// The most pairs of tokens that one stretch is aligned by.
  private static let maxCells = 1 << 20

  /// Aligns all tokens.
  ///
  /// - Parameters:
  ///   - old: The old tokens.
  ///   - new: The new ones.
  ///   - changeCost: What a change costs.
  ///   - cells: How many pairs of tokens may be looked at.
  init(_ old: NumberedTokens, _ new: NumberedTokens, changeCost: Int32, cells: Int) {
    self.old = old.classes
    self.new = new.classes
    tokens = old
    newTokens = new
    self.changeCost = changeCost
    cellsLeft = cells
    align(0..<self.old.count, 0..<self.new.count, runs: 16)
  }

  /// Aligns two stretches; what has no run of `runs` tokens in common is looked through for shorter ones.
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
          // What follows an anchor is equal.
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

  /// Where both stretches have a run of so many tokens once, in one order: the most of them.
  private func anchors(_ oldRange: Range<Int>, _ newRange: Range<Int>, of length: Int)
    -> [(old: Int, new: Int)]
  {
    commonOnce(old.runs(of: length, in: oldRange), new.runs(of: length, in: newRange))
      .map { (oldRange.lowerBound + $0, newRange.lowerBound + $1) }
      .filter { oldStart, newStart in
        (0..<length).allSatisfy { old[oldStart + $0] == new[newStart + $0] }
      }
  }

  /// Aligns long stretches that differ in little, by their longest common subsequence.
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
  /// A number for each run of `length` tokens in a stretch, equal for equal runs.
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
