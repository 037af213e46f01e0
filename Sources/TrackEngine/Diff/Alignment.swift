/// Finds what two sequences of tokens have in common, as an editor would see it: keeping a token has a worth, a
/// change has a cost.
///
/// Short stretches get an optimal alignment, by dynamic programming with O. Gotoh's two states ("An Improved
/// Algorithm for Matching Biological Sequences", 1982); long ones are first split at runs of tokens that occur
/// once in both. The work is bounded by the number of tokens and by the cells that are left, for all sequences that
/// are aligned one after the other.
struct Alignment {
  /// The kept pairs of tokens, each of one class, in ascending order.
  private(set) var pairs: [(old: Int, new: Int)] = []
  /// The cost of a change.
  private let changeCost: Int32
  /// How many more pairs of tokens may be examined.
  private var cellsLeft = 1 << 24
  /// What is needed for each split, kept so that it need not be allocated again.
  private var places = OncePlaces()
  private var oldRuns: [UInt64] = []
  private var newRuns: [UInt64] = []

  /// The most pairs of tokens that may be examined to align one stretch, and how many are examined before the
  /// stretch is split at any run.
  private static let maxCells = 1 << 20
  private static let fewCells = 1 << 12
  /// How long the runs are that are looked for first; an optimal alignment keeps them.
  private static let firstRun = 16

  init(changeCost: Int32) {
    self.changeCost = changeCost
  }

  /// Aligns all tokens of two stretches, instead of those aligned before.
  mutating func align(_ old: WordTokens, _ new: WordTokens) {
    pairs.removeAll(keepingCapacity: true)
    align(old, new, in: Difference(0..<old.count, 0..<new.count), runs: Alignment.firstRun)
  }

  /// Aligns two stretches; where no run of `runs` tokens is common, shorter runs are tried.
  private mutating func align(
    _ old: WordTokens,
    _ new: WordTokens,
    in stretch: Difference,
    runs: Int
  ) {
    var (oldStart, oldEnd) = (stretch.old.lowerBound, stretch.old.upperBound)
    var (newStart, newEnd) = (stretch.new.lowerBound, stretch.new.upperBound)
    while oldStart < oldEnd, newStart < newEnd,
      old[oldStart].sharedClass == new[newStart].sharedClass
    {
      pairs.append((oldStart, newStart))
      oldStart += 1
      newStart += 1
    }
    var tail = 0
    while oldStart < oldEnd, newStart < newEnd,
      old[oldEnd - 1].sharedClass == new[newEnd - 1].sharedClass
    {
      oldEnd -= 1
      newEnd -= 1
      tail += 1
    }
    alignMiddle(old, new, in: Difference(oldStart..<oldEnd, newStart..<newEnd), runs: runs)
    for index in 0..<tail { pairs.append((oldEnd + index, newEnd + index)) }
  }

  private mutating func alignMiddle(
    _ old: WordTokens,
    _ new: WordTokens,
    in stretch: Difference,
    runs: Int
  ) {
    let (oldRange, newRange) = (stretch.old, stretch.new)
    guard !oldRange.isEmpty, !newRange.isEmpty else { return }
    let (cells, isOver) = oldRange.count.multipliedReportingOverflow(by: newRange.count)
    let isShort = !isOver && cells <= min(Alignment.maxCells, cellsLeft)
    var length = runs
    while length > 0 {
      if isShort, length < Alignment.firstRun || cells <= Alignment.fewCells { break }
      let anchors = anchors(old, new, in: stretch, of: length)
      if !anchors.isEmpty {
        var (oldAt, newAt) = (oldRange.lowerBound, newRange.lowerBound)
        for anchor in anchors {
          let (oldNext, newNext) = (
            oldRange.lowerBound + anchor.old, newRange.lowerBound + anchor.new
          )
          // It may have been reached from the one before.
          guard oldNext >= oldAt, newNext >= newAt,
            isRun(of: length, old, at: oldNext, new, at: newNext)
          else { continue }
          align(old, new, in: Difference(oldAt..<oldNext, newAt..<newNext), runs: length / 4)
          (oldAt, newAt) = (oldNext, newNext)
          // The tokens after an anchor are equal.
          while oldAt < oldRange.upperBound, newAt < newRange.upperBound,
            old[oldAt].sharedClass == new[newAt].sharedClass
          {
            pairs.append((oldAt, newAt))
            oldAt += 1
            newAt += 1
          }
        }
        let rest = Difference(oldAt..<oldRange.upperBound, newAt..<newRange.upperBound)
        return align(old, new, in: rest, runs: length / 4)
      }
      length /= 4
    }
    if isShort {
      alignBest(old, new, in: stretch)
    } else {
      alignFew(old, new, in: stretch)
    }
  }

  private mutating func alignBest(_ old: WordTokens, _ new: WordTokens, in stretch: Difference) {
    cellsLeft -= stretch.old.count * stretch.new.count
    let table = AlignmentTable(old, stretch.old, new, stretch.new, changeCost)
    for (oldIndex, newIndex) in table.pairs.reversed() {
      pairs.append((stretch.old.lowerBound + oldIndex, stretch.new.lowerBound + newIndex))
    }
  }

  /// Where runs of a length occur once in both stretches, relative to these: as many as possible in the same order.
  private mutating func anchors(
    _ old: WordTokens,
    _ new: WordTokens,
    in stretch: Difference,
    of length: Int
  ) -> [(old: Int, new: Int)] {
    guard stretch.old.count >= length, stretch.new.count >= length else { return [] }
    old.findRuns(of: length, in: stretch.old, &oldRuns)
    new.findRuns(of: length, in: stretch.new, &newRuns)
    return places.common(oldRuns, newRuns)
  }

  /// Whether so many tokens are the same, and not only their hash.
  private func isRun(
    of length: Int,
    _ old: WordTokens,
    at oldStart: Int,
    _ new: WordTokens,
    at newStart: Int
  ) -> Bool {
    (0..<length).allSatisfy {
      old[oldStart + $0].sharedClass == new[newStart + $0].sharedClass
    }
  }

  /// Aligns long stretches that differ little, by their longest common subsequence.
  private mutating func alignFew(_ old: WordTokens, _ new: WordTokens, in stretch: Difference) {
    let work = 1 << 18
    guard cellsLeft >= work else { return }
    cellsLeft -= work
    let (oldClasses, newClasses) = (
      old.classes(in: stretch.old), new.classes(in: stretch.new)
    )
    guard let found = commonPairs(oldClasses, newClasses) else { return }
    pairs += found.map { (stretch.old.lowerBound + $0, stretch.new.lowerBound + $1) }
  }
}

extension WordTokens {
  fileprivate func classes(in range: Range<Int>) -> [Int32] { range.map { self[$0].sharedClass } }

  /// Finds a number for each run of `length` tokens in a stretch that is no shorter; equal runs have equal numbers.
  fileprivate func findRuns(of length: Int, in range: Range<Int>, _ runs: inout [UInt64]) {
    func value(_ token: Int) -> UInt64 { UInt64(bitPattern: Int64(self[token].sharedClass)) }
    // A polynomial, so that the next one follows from the last.
    let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    var power: UInt64 = 1
    var run: UInt64 = 0
    runs.removeAll(keepingCapacity: true)
    for token in range.lowerBound..<range.lowerBound + length {
      run = run &* factor &+ value(token)
      power = power &* factor
    }
    runs.append(run)
    for token in range.lowerBound + length..<range.upperBound {
      run = run &* factor &+ value(token) &- value(token - length) &* power
      runs.append(run)
    }
  }
}
