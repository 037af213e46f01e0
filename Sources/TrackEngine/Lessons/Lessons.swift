/// Edits of any number of texts, grouped by what they do to words.
///
/// What is kept is bounded, whatever the number of edits.
public struct Lessons {
  private var groups: [Wording: LessonGroup] = [:]
  /// How many edits there are, those included that are too long to recur.
  public private(set) var outcomes = OutcomeCounts()
  /// The same by what their comments are about.
  public private(set) var categories = Tallies()
  /// The same by the heading that they stand under.
  public private(set) var headings = Tallies()
  /// The same by who made them.
  public private(set) var authors = Tallies()

  /// How many wordings are kept; more are counted, but not grouped.
  private static let mostGroups = 100_000

  /// No edits.
  public init() {}

  /// Adds an edit.
  ///
  /// One that stands in the same words as an earlier one of the same outcome, as in a copy of a text, counts once.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - file: The number of the file that it was found in.
  /// - Returns: Whether it counts.
  @discardableResult
  public mutating func add(_ edit: TaughtEdit, in file: Int) -> Bool {
    if let wording = edit.wording {
      let key = wording.folded
      if groups[key] != nil || groups.count < Lessons.mostGroups {
        guard groups[key, default: LessonGroup()].add(edit, wording, in: file) else { return false }
      }
    }
    outcomes[edit.outcome] += 1
    for tag in Set(edit.categories) { categories.add(edit.outcome, to: tag) }
    if let heading = edit.heading { headings.add(edit.outcome, to: heading) }
    if let author = edit.author { authors.add(edit.outcome, to: author) }
    return true
  }

  /// The lessons that recur or have a reason, the most frequent first.
  ///
  /// - Parameter most: How many there are at most.
  /// - Returns: The lessons, and how many there are without the limit.
  public func lessons(upTo most: Int) -> (lessons: [Lesson], count: Int) {
    var lessons = groups.compactMap { key, group in
      group.recurs ? group.lesson(key, undone: groups[key.reversed]?.done ?? 0) : nil
    }
    lessons.sort { $0.precedes($1) }
    return (Array(lessons.prefix(most)), lessons.count)
  }
}

extension Lesson {
  /// The more frequent one precedes, then the one with a reason, then the one whose words come first.
  fileprivate func precedes(_ other: Lesson) -> Bool {
    if count != other.count { return count > other.count }
    if reasons.isEmpty != other.reasons.isEmpty { return !reasons.isEmpty }
    for (words, others) in [(wording, other.wording), (key, other.key)] {
      if words.old != others.old { return words.old.lexicographicallyPrecedes(others.old) }
      if words.new != others.new { return words.new.lexicographicallyPrecedes(others.new) }
    }
    return false
  }
}

/// Counts by names.
public struct Tallies: Sendable {
  private var counts: [String: OutcomeCounts] = [:]

  /// How many names are kept; what has another one is not counted by name.
  private static let mostNames = 10_000

  mutating func add(_ outcome: TaughtEdit.Outcome, to name: String) {
    guard counts[name] != nil || counts.count < Tallies.mostNames else { return }
    counts[name, default: OutcomeCounts()][outcome] += 1
  }

  /// The names with their counts, the most frequent first.
  public var sorted: [(name: String, outcomes: OutcomeCounts)] {
    counts.map { ($0, $1) }.sorted {
      $0.1.count != $1.1.count ? $0.1.count > $1.1.count : $0.0 < $1.0
    }
  }
}
