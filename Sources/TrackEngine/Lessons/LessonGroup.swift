/// Edits that do the same to words.
struct LessonGroup {
  private var outcomes = OutcomeCounts()
  private var files: Set<Int> = []
  /// The edits with the words around them, to know those that stand in copies of a text.
  private var places: Set<TextHash> = []
  private var spellings = Ranking<Wording>()
  private var reasons = Ranking<String>()
  private var categories = Ranking<String>()
  private var authors = Ranking<String>()
  private var examples: [LessonExample] = []
  private var previous = Shared()
  private var next = Shared()

  /// How many places are kept; after those, each edit counts.
  private static let mostPlaces = 4096
  /// How many examples are kept.
  private static let mostExamples = 3

  /// Adds an edit; false if it was there.
  mutating func add(_ edit: TaughtEdit, _ wording: Wording, in file: Int) -> Bool {
    if places.count < LessonGroup.mostPlaces {
      var place = Array(edit.before.suffix(40))
      place += [0] + edit.draft + [0] + edit.revised + [0]
      place += edit.after.prefix(40)
      place += edit.outcome.rawValue.utf8
      guard places.insert(TextHash(of: place)).inserted else { return false }
    }
    outcomes[edit.outcome] += 1
    files.insert(file)
    spellings.add(wording)
    for reason in edit.reasons { reasons.add(reason) }
    for category in edit.categories { categories.add(category) }
    if let author = edit.author { authors.add(author) }
    previous.add(edit.neighbours.previous)
    next.add(edit.neighbours.next)
    addExample(LessonExample(file: file, edit: edit))
    return true
  }

  /// One with a reason takes the place of one without.
  private mutating func addExample(_ example: LessonExample) {
    if examples.count < LessonGroup.mostExamples { return examples.append(example) }
    guard !example.edit.reasons.isEmpty,
      let other = examples.lastIndex(where: { $0.edit.reasons.isEmpty })
    else { return }
    examples[other] = example
  }

  /// Whether there are several edits, or reasons for one.
  var recurs: Bool { outcomes.count > 1 || !reasons.isEmpty }
  /// How often it was done.
  var done: Int { outcomes[.made] + outcomes[.accepted] }

  /// The lesson.
  ///
  /// - Parameters:
  ///   - key: What the edits have in common.
  ///   - undone: How often the opposite was done.
  /// - Returns: The lesson.
  func lesson(_ key: Wording, undone: Int) -> Lesson {
    let spelling = spellings.sorted { first, second in
      // Small letters come after capital ones, and are what is written inside of sentences.
      (second.old + [0] + second.new).lexicographicallyPrecedes(first.old + [0] + first.new)
    }.first?.value
    return Lesson(
      wording: withNeighbour(spelling ?? key),
      key: key,
      outcomes: outcomes,
      undone: undone,
      files: files.count,
      reasons: reasons.sorted(by: <).map { ($0.value, $0.count) },
      categories: categories.sorted(by: <).map { ($0.value, $0.count) },
      authors: authors.sorted(by: <).map { ($0.value, $0.count) },
      examples: examples.filter { !$0.edit.reasons.isEmpty }
        + examples.filter { $0.edit.reasons.isEmpty },
      standing: nil
    )
  }

  /// A wording in which words are only added or deleted, with the word that is always next to them.
  private func withNeighbour(_ wording: Wording) -> Wording {
    guard wording.kind != .substitution, outcomes.count > 2 else { return wording }
    let words = wording.old + wording.new
    let (told, word): ([UInt8], [UInt8])
    if let next = next.word {
      (told, word) = (words + next, next)
    } else if let previous = previous.word {
      (told, word) = (previous + words, previous)
    } else {
      return wording
    }
    let alone = Array(word.split(separator: Ascii.space).joined())
    return wording.kind == .addition
      ? Wording(old: alone, new: told) : Wording(old: told, new: alone)
  }

  /// A word, if it is always the same one; in lower case if it is not always spelled the same.
  private struct Shared {
    private var isDecided = false
    private(set) var word: [UInt8]?

    mutating func add(_ next: [UInt8]?) {
      if !isDecided {
        word = next
      } else if word != next {
        word = word?.lowercased == next?.lowercased ? word?.lowercased : nil
      }
      isDecided = true
    }
  }
}

/// How often values occur; of many different ones the first ones are kept.
private struct Ranking<Value: Hashable> {
  private var counts: [Value: Int] = [:]
  var isEmpty: Bool { counts.isEmpty }

  private static var mostValues: Int { 64 }

  mutating func add(_ value: Value) {
    if counts[value] != nil || counts.count < Self.mostValues { counts[value, default: 0] += 1 }
  }

  /// The most frequent first; the order decides between those that are as frequent.
  func sorted(by order: (Value, Value) -> Bool) -> [(value: Value, count: Int)] {
    counts.map { ($0, $1) }.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : order($0.0, $1.0) }
  }
}
