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

/// Counts the changes of a reading, stretch by stretch.
struct Counting {
  private let changes: [Change]
  private var next = 0

  init(_ reading: Reading) {
    changes = reading.changes
  }

  /// The changes that start before `end` and were not counted yet.
  mutating func counts(before end: Int) -> Counts {
    var counts = Counts()
    while next < changes.count, changes[next].range.lowerBound < end {
      counts.entries += 1
      let isTracked = changes[next].kind.isChange
      if isTracked { counts.tracked += 1 }
      if !changes[next].thread.isEmpty {
        counts.commented += 1
      } else if isTracked {
        counts.uncommented += 1
      }
      next += 1
    }
    return counts
  }
}
