/// The numbers of changes of a text.
public struct Counts: Equatable, Sendable {
  /// Changes, highlights and lone comments.
  public internal(set) var entries = 0
  /// Additions, deletions and substitutions.
  public internal(set) var tracked = 0
  /// Entries that have a comment or are one; attributions do not count.
  public internal(set) var commented = 0
  /// Entries whose thread is resolved.
  public internal(set) var resolved = 0
  /// Additions, deletions and substitutions without a comment.
  public internal(set) var uncommented = 0

  mutating func append(_ next: Counts) {
    entries += next.entries
    tracked += next.tracked
    commented += next.commented
    resolved += next.resolved
    uncommented += next.uncommented
  }
}

extension Counts {
  /// Entries with a thread that is not resolved.
  public var open: Int { commented - resolved }

  /// Counts one more change.
  ///
  /// - Parameters:
  ///   - kind: Its kind.
  ///   - isResolved: Whether its thread is resolved; nil if it has none.
  mutating func add(_ kind: MarkKind, isResolved: Bool?) {
    entries += 1
    if kind.isChange { tracked += 1 }
    if let isResolved {
      commented += 1
      if isResolved { resolved += 1 }
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
    eachChange { change in
      while part < ends.count, ends[part] <= change.range.lowerBound { part += 1 }
      guard part < ends.count else { return }
      counts[part].add(change.kind, isResolved: change.isResolved(in: bytes))
    }
    return counts
  }
}
