/// A stretch of a text that reads by itself as it reads in the whole: no mark and no code span lies in
/// two passages, and a fenced block only where its fence says so.
///
/// Only a summary is kept of it; its marks are read on demand.
struct Passage: Summed {
  /// The number of bytes; not 0.
  var length: Int
  /// The fence of the block that is open where the passage begins.
  var fence: Fence?
  /// Whether it holds backticks or runs of tildes.
  var hasRuns: Bool
  /// Whether who made a change may be said in it, so that any letter can make text of that, or a comment.
  var isDelicate = false
  var summary = Summary()

  /// A passage that has changed and has to be cut again: anything may be in it.
  init(stale length: Int, in fence: Fence?) {
    self.length = length
    self.fence = fence
    hasRuns = true
    summary.isStale = true
    summary.effect.strays = MarkKinds(rawValue: UInt8.max)
  }

  init(
    length: Int,
    fence: Fence?,
    hasRuns: Bool = false,
    isDelicate: Bool = false,
    summary: Summary = Summary()
  ) {
    self.length = length
    self.fence = fence
    self.hasRuns = hasRuns
    self.isDelicate = isDelicate
    self.summary = summary
  }

  var sum: Passages.Sum { Passages.Sum(length: length, summary: summary) }
}

extension Passage {
  /// What is known of a stretch.
  struct Summary: Equatable {
    var effect = Effect()
    var counts = Counts()
    /// Whether some of it has changed and has to be cut again.
    var isStale = false

    mutating func append(_ next: Summary) {
      isStale = isStale || next.isStale
      effect.append(next.effect)
      counts.append(next.counts)
    }
  }

  /// What the delimiters of a stretch can do to text around it.
  struct Effect: Equatable {
    /// The kinds with an opener that a closer after the stretch would close.
    var loose: MarkKinds = []
    /// The kinds with a closer that would close an opener before the stretch.
    var strays: MarkKinds = []

    mutating func append(_ next: Effect) {
      loose.formUnion(next.loose)
      strays.formUnion(next.strays)
    }

    /// Whether another one includes this one.
    func isCovered(by other: Effect) -> Bool {
      loose.isSubset(of: other.loose) && strays.isSubset(of: other.strays)
    }

    /// The kinds of the openers here that delimiters in `later` could close.
    ///
    /// - Parameter later: What follows, not necessarily at once.
    /// - Returns: The kinds; empty if both read the same apart and together.
    func reaches(into later: Effect) -> MarkKinds { loose.intersection(later.strays) }
  }
}

/// Kinds of marks; and, because they affect each other across a text in the same way, references to footnotes that
/// follow marks, and the writer's own footnotes, each either before or after what it affects.
struct MarkKinds: OptionSet {
  let rawValue: UInt8

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  init(_ kind: MarkKind) {
    rawValue = 1 << kind.rawValue
  }

  /// A reference, or a footnote that is defined after it.
  static let footnoteBelow = MarkKinds(rawValue: 1 << 5)
  /// A footnote, or a reference that comes after its definition.
  static let footnoteAbove = MarkKinds(rawValue: 1 << 6)
}
