/// How many changes a text has.
public struct Counts: Equatable, Sendable {
  /// Changes, highlights and lone comments.
  public internal(set) var entries = 0
  /// Additions, deletions and substitutions.
  public internal(set) var tracked = 0
  /// Entries that have a thread or are one.
  public internal(set) var commented = 0
  /// Additions, deletions and substitutions without a thread.
  public internal(set) var uncommented = 0

  mutating func append(_ next: Counts) {
    entries += next.entries
    tracked += next.tracked
    commented += next.commented
    uncommented += next.uncommented
  }
}

extension Counts {
  /// A change more.
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
  /// The counts of the changes that start before each of `ends` and not before the last one.
  ///
  /// - Parameter ends: Rising offsets.
  /// - Returns: As many counts.
  func counts(before ends: [Int]) -> [Counts] {
    var counts = Array(repeating: Counts(), count: ends.count)
    var part = 0
    forEachChange { change in
      let first = marks[change.marks.lowerBound]
      while part < ends.count, ends[part] <= first.start { part += 1 }
      guard part < ends.count else { return }
      counts[part].add(first.kind, isCommented: !change.thread.isEmpty)
    }
    return counts
  }
}
