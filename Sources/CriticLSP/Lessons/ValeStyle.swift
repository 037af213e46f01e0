import TrackEngine

/// Lessons as a style of Vale, and a vocabulary of what is right as it is.
///
/// https://vale.sh/docs/checks/substitution
struct ValeStyle {
  /// The files, below the folder that Vale's `StylesPath` names.
  let files: [(path: Path, text: String)]

  /// The name of the style, and of the vocabulary.
  private static let name: Path = "Lessons"

  init(_ report: LessonsReport) {
    let taught = report.lessons.filter(\.isTaught)
    let rules = taught.filter { $0.verdict == .rule && !$0.wording.isOfCase && $0.isFoundByVale }
    var files: [(Path, String)] = []
    func add(_ name: Path, _ text: String?) {
      if let text { files.append((ValeStyle.name / name, text)) }
    }
    let swaps = rules.filter { $0.wording.kind == .substitution }
    for tag in Set(swaps.compactMap { $0.categories.first?.tag }).sorted() {
      let name = "\(tag.prefix(1).uppercased())\(tag.dropFirst())"
      let tagged = swaps.filter { $0.categories.first?.tag == tag }
      add(Path(name.utf8).map { $0 + ".yml" } ?? "Tagged.yml", ValeStyle.substitution(tagged))
    }
    add("Wording.yml", ValeStyle.substitution(swaps.filter { $0.categories.isEmpty }))
    add("Needless.yml", ValeStyle.existence(rules.filter { $0.wording.kind == .deletion }))
    let accepted = taught.compactMap(\.acceptedWords)
    if !accepted.isEmpty {
      let vocabulary: Path = "config" / "vocabularies" / ValeStyle.name / "accept.txt"
      files.append((vocabulary, Set(accepted).sorted().map { $0 + "\n" }.joined()))
    }
    self.files = files
  }

  /// A rule that replaces words; nil if there are none.
  private static func substitution(_ lessons: [Lesson]) -> String? {
    var swaps: [String: [String]] = [:]
    for lesson in lessons {
      let key = lesson.wording.old.pattern.lowercased()
      swaps[key, default: []].append(lesson.swap)
    }
    guard !swaps.isEmpty else { return nil }
    // Of several words for one, Vale tells all.
    let lines = swaps.sorted { $0.key < $1.key }.map { key, words in
      "  \(key.inYAML): \(words.joined(separator: "|").inYAML)\n"
    }
    return "extends: substitution\nmessage: \"Use '%s' instead of '%s'.\"\nlevel: suggestion\n"
      + "ignorecase: true\nswap:\n\(lines.joined())"
  }

  /// A rule that finds words; nil if there are none.
  private static func existence(_ lessons: [Lesson]) -> String? {
    guard !lessons.isEmpty else { return nil }
    let words = Set(lessons.map { $0.wording.old.pattern.lowercased() })
    return "extends: existence\nmessage: \"Leave out '%s'.\"\nlevel: suggestion\n"
      + "ignorecase: true\ntokens:\n" + words.sorted().map { "  - \($0.inYAML)\n" }.joined()
  }
}

extension Lesson {
  /// Whether Vale finds the words that it replaces, and only these: it looks for whole words, and would also find them
  /// in what they are replaced by.
  fileprivate var isFoundByVale: Bool {
    let (old, new) = (wording.old.words, wording.new.words)
    guard let first = old.first, let last = old.last, first.isLetter, last.isLetter else {
      return false
    }
    return !" \(new) ".lowercased().contains(" \(old) ".lowercased()) && !new.contains("|")
  }

  /// The new words; as they are inside of a sentence if they replace such as a sentence begins with.
  fileprivate var swap: String {
    let (old, new) = (wording.old.words, wording.new.words)
    let isStart = old.first?.isUppercase == true && new.first?.isUppercase == true
    return isStart ? "\(new.prefix(1).lowercased())\(new.dropFirst())" : new
  }

  /// The words that are right as they are: those that have got capital letters, and those that were to be replaced and
  /// are not.
  fileprivate var acceptedWords: String? {
    switch verdict {
    case .rule where wording.isOfCase && wording.new.words.contains(where: \.isUppercase):
      wording.new.pattern
    case .refused where !wording.old.isEmpty: wording.old.pattern
    default: nil
    }
  }
}

extension [UInt8] {
  fileprivate var words: String { String(decoding: self, as: UTF8.self) }

  /// The text as a regular expression that matches it alone.
  fileprivate var pattern: String {
    words.reduce(into: "") { pattern, character in
      if "\\.+*?()|[]{}^$".contains(character) { pattern += "\\" }
      pattern.append(character)
    }
  }
}

extension String {
  /// The text as a string of YAML.
  fileprivate var inYAML: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
}
