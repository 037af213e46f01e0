/// What edits that do the same to words teach.
public struct Lesson: Sendable {
  /// What is done to words, as it was most often written; the word next to a word that is only added or deleted belongs
  /// to it if it is always the same one.
  public let wording: Wording
  /// What its edits have in common; no other lesson has the same.
  let key: Wording
  /// How often it was done or proposed, by what became of it.
  public let outcomes: OutcomeCounts
  /// How often the opposite was done, or proposed and accepted.
  public let undone: Int
  /// In how many files.
  public let files: Int
  /// What was said about it, the most frequent first, and how often.
  public let reasons: [(text: String, count: Int)]
  /// What the comments were about, the most frequent first, and how often.
  public let categories: [(tag: String, count: Int)]
  /// Who did or proposed it, the most frequent first, and how often.
  public let authors: [(name: String, count: Int)]
  /// Some of the edits, those with reasons first.
  public let examples: [LessonExample]
  /// How often the words that it replaces or deletes still stand in the texts; nil if nobody has looked.
  public var standing: Int?

  /// How often it was done or proposed.
  public var count: Int { outcomes.count }
  /// How often it was done, or proposed and not refused.
  private var inFavour: Int { outcomes[.made] + outcomes[.accepted] + outcomes[.pending] }
  /// How often it was refused or undone.
  private var against: Int { outcomes[.rejected] + undone }

  /// What can be said of it.
  public enum Verdict: String, CaseIterable, Sendable {
    /// It holds, with few exceptions.
    case rule
    /// It depends: the words that it replaces also stay, or come back.
    case habit
    /// It was proposed and refused.
    case refused
  }

  /// What can be said of it.
  public var verdict: Verdict {
    if outcomes[.rejected] > inFavour { return .refused }
    // What is only ever added needs a word that it belongs to.
    let isRule = !wording.old.isEmpty && inFavour > 2 * against && 2 * (standing ?? 0) <= count
    return isRule ? .rule : .habit
  }

  /// Whether it happened often enough, or for a reason, to be taught.
  public var isTaught: Bool { count >= Lesson.leastCount || !reasons.isEmpty }
  private static let leastCount = 3
}

/// How often something was done or proposed, by what became of it.
public struct OutcomeCounts: Sendable, Equatable {
  private var counts = Array(repeating: 0, count: TaughtEdit.Outcome.allCases.count)

  /// The number of edits of which this became.
  public internal(set) subscript(outcome: TaughtEdit.Outcome) -> Int {
    get { counts[OutcomeCounts.index(outcome)] }
    set { counts[OutcomeCounts.index(outcome)] = newValue }
  }

  private static func index(_ outcome: TaughtEdit.Outcome) -> Int {
    switch outcome {
    case .made: 0
    case .accepted: 1
    case .rejected: 2
    case .edited: 3
    case .pending: 4
    }
  }

  /// The number of all edits.
  public var count: Int { counts.reduce(0, +) }
  /// The number of proposals that were decided.
  public var decided: Int { self[.accepted] + self[.rejected] + self[.edited] }
}

/// An edit that a lesson was drawn from.
public struct LessonExample: Sendable {
  /// The number of the file that it was found in.
  public let file: Int
  /// The edit.
  public let edit: TaughtEdit
}
