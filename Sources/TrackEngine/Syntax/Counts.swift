/// The numbers of changes of a text.
public struct Counts: Equatable, Sendable {
  /// Changes, highlights and lone comments.
  public internal(set) var entries = 0
  /// Additions, deletions and substitutions.
  public internal(set) var tracked = 0
  /// Entries that have a comment or are one; attributions do not count.
  public internal(set) var commented = 0
  /// Additions, deletions and substitutions without a comment.
  public internal(set) var uncommented = 0

  mutating func append(_ next: Counts) {
    entries += next.entries
    tracked += next.tracked
    commented += next.commented
    uncommented += next.uncommented
  }
}

extension Counts {
  /// Counts one more change.
  mutating func add(_ kind: MarkKind, isCommented: Bool) {
    entries += 1
    if kind.isChange { tracked += 1 }
    if isCommented {
      commented += 1
    } else if kind.isChange {
      uncommented += 1
    }
  }
}

extension Reading {
  /// The counts of the changes that start before each of `ends` but not before the previous one.
  ///
  /// - Parameters:
  ///   - ends: Rising offsets.
  ///   - bytes: The text that was read.
  /// - Returns: One element for each of `ends`.
  func counts(before ends: [Int], in bytes: Bytes) -> [Counts] {
    var counts = Array(repeating: Counts(), count: ends.count)
    var part = 0
    forEachChange { change in
      let first = marks[change.marks.lowerBound]
      while part < ends.count, ends[part] <= first.start { part += 1 }
      guard part < ends.count else { return }
      counts[part].add(first.kind, isCommented: isCommented(change.thread, in: bytes))
    }
    return counts
  }

  /// Whether a thread, given as indices of its marks, holds a comment other than an attribution.
  private func isCommented(_ thread: Range<Int>, in bytes: Bytes) -> Bool {
    var index = thread.lowerBound
    while index < thread.upperBound {
      if !marks[index].isAttribution(in: bytes) { return true }
      index += 1 + marks[index].inner
    }
    return false
  }
}
