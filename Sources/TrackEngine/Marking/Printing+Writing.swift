extension Printing {
  /// How often the text is read back to print ranges together.
  private static let maxReadings = 24
  /// How many bytes are read back to print ranges one by one that could not be printed together.
  private static let maxBytesRead = 1 << 18

  /// Prints ranges, each with the first strategy with which it and what is beside it read as meant, in the place of
  /// what was printed there; leaves out those that have none.
  ///
  /// One reading back tells of all of them which are misread. Those of which it does not tell for certain are then
  /// printed one by one beside the others, if that does not take too long.
  ///
  /// - Parameters:
  ///   - ranges: The ranges, in order.
  ///   - strategies: The strategies, in the order in which they are tried.
  mutating func write(_ ranges: [DirtyRange], _ strategies: [Strategy] = Strategy.allCases) {
    let attempt = Attempt(ranges: ranges, strategies: strategies, known: printed)
    if inVain.contains(attempt) { return }
    var candidates = ranges.map { Candidate(range: $0, strategies: strategies[...]) }
    let isDone = printTogether(&candidates)
    let doubtful = candidates.filter { $0.isDoubtful || !isDone && !$0.strategies.isEmpty }
    let bytes = doubtful.count * strategies.count * (texts.settled.count + texts.buffer.count)
    if ranges.count > 1, !doubtful.isEmpty, bytes <= Printing.maxBytesRead {
      let together = printed
      printed = attempt.known
      if isDone { put(candidates.filter { !$0.isDoubtful }) }
      for candidate in doubtful { write([candidate.range], strategies) }
      if printed.changes < together.changes { printed = together }
    }
    if printed == attempt.known { inVain.append(attempt) }
  }

  /// Prints ranges together.
  ///
  /// Where the text is misread, other strategies are tried for the ranges there: for more and more of them, since
  /// which one is the cause is a guess.
  ///
  /// - Parameter candidates: The ranges; what is left of the strategies of each begins with that it is printed with.
  /// - Returns: Whether that was possible for one of them; otherwise nothing has changed.
  private mutating func printTogether(_ candidates: inout [Candidate]) -> Bool {
    let known = printed
    var most = 1
    for _ in 0..<Printing.maxReadings {
      let live = candidates.indices.filter { !candidates[$0].strategies.isEmpty }
      if live.isEmpty { break }
      printed = known
      put(candidates)
      guard let misread = misreadPieces() else { return true }
      let index = Dictionary(
        uniqueKeysWithValues: live.map { (candidates[$0].range.changes.lowerBound, $0) }
      )
      var causes: Set<Int> = []
      for near in misread.near {
        let found = printed[near].compactMap { index[$0.range.changes.lowerBound] }.prefix(most)
        causes.formUnion(found)
        if near.count > 1 { for cause in found { candidates[cause].isDoubtful = true } }
      }
      if causes.isEmpty {
        causes = Set(live)
        for cause in live { candidates[cause].isDoubtful = true }
      }
      for cause in causes { candidates[cause].advance(in: texts) }
      most *= 2
    }
    printed = known
    return false
  }

  /// Puts candidates that have a strategy left in the place of what is printed there.
  private mutating func put(_ candidates: [Candidate]) {
    var made: [Printed] = []
    for candidate in candidates {
      guard let strategy = candidate.strategies.first else { continue }
      made.append(Printed(candidate.range, in: texts, strategy, after: made.last))
    }
    printed.removeAll { made.meet($0.range) }
    printed = (printed + made).sorted { $0.range.old.lowerBound < $1.range.old.lowerBound }
  }
}

extension [Printing.Printed] {
  /// How many changes are printed.
  fileprivate var changes: Int { reduce(0) { $0 + $1.range.changes.count } }

  /// Whether one of them has a change of a range in it, or overlaps it; logarithmic.
  func meet(_ range: DirtyRange) -> Bool {
    first(overlapping: range.changes, \.range.changes) != nil
      || first(overlapping: range.old, \.range.old) != nil
  }
}

/// A range to print, and the strategies left for that.
private struct Candidate {
  let range: DirtyRange
  var strategies: ArraySlice<Strategy>
  /// Whether a strategy was given up although another range could have been the cause.
  var isDoubtful = false

  /// Goes on to the next strategy that makes a difference.
  mutating func advance(in texts: Texts) {
    guard let strategy = strategies.first else { return }
    let tried = Printing.Printed(range, in: texts, strategy).bytes
    strategies = strategies.dropFirst().drop { next in
      Printing.Printed(range, in: texts, next).bytes == tried
    }
  }
}

extension [Bool] {
  /// The ranges that can be the cause of each stretch that is misread: those in it, and beside text that stays.
  ///
  /// The values say of the text before each range and of the range, in turns, whether it is misread, and of the text
  /// after the last.
  fileprivate var near: [Range<Int>] {
    var near: [Range<Int>] = []
    var start = 0
    while let first = self[start...].firstIndex(of: true) {
      let end = self[first...].firstIndex(of: false) ?? count
      near.append(Swift.max(0, first - 1) / 2..<Swift.min(count / 2, (end + 1) / 2))
      start = end
    }
    return near
  }
}
