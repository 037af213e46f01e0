import TestSupport

@testable import TrackEngine

/// An edit of one word of a text, by some of those that have a copy of it.
struct WordEdit: CustomStringConvertible {
  enum Kind: CaseIterable { case replace, delete, insert, move, mark, comment, highlight }
  let kind: Kind
  /// Who does it.
  let editors: Set<Int>
  /// Where, as a fraction of the text.
  let place: Double
  let word: String

  /// Makes random edits of some kinds, by so many people.
  ///
  /// - Parameters:
  ///   - kinds: The kinds.
  ///   - editors: How many there are.
  ///   - language: The language of whose code every other word is a part; nil if all words are plain.
  /// - Returns: What makes one.
  static func any(
    of kinds: [Kind],
    by editors: Int,
    hostileIn language: Language? = nil
  ) -> (inout Seeded) -> WordEdit {
    let signs = language.map(Self.hostileWords)
    return { WordEdit(kinds, of: editors, signs, &$0) }
  }

  /// Parts of code, of delimiters and of lines.
  static func hostileWords(of language: Language) -> [String] {
    LanguageTests.signs(of: language) + LanguageTests.pieces
  }

  private init(_ kinds: [Kind], of editors: Int, _ signs: [String]?, _ random: inout Seeded) {
    kind = kinds.randomElement(using: &random) ?? .replace
    let first = Int.random(in: 0..<editors, using: &random)
    let isShared = Int.random(in: 0..<4, using: &random) == 0
    self.editors = isShared ? [first, Int.random(in: 0..<editors, using: &random)] : [first]
    place = Double.random(in: 0..<1, using: &random)
    let plain = "x\(Int.random(in: 0..<1000, using: &random))"
    let isSign = signs != nil && Bool.random(using: &random)
    word = isSign ? signs?.randomElement(using: &random) ?? plain : plain
  }

  var description: String { "\(kind) \(word) at \(place) by \(editors.sorted())" }

  private func perform(on words: inout [String]) {
    let at = min(words.count - 1, Int(place * Double(words.count)))
    guard at >= 0 else { return }
    switch kind {
    case .replace: words[at] = word
    case .delete: words.remove(at: at)
    case .insert: words.insert(word, at: at)
    case .move: words.append(words.remove(at: at))
    case .mark: words.insert("{++\(word)++}", at: at)
    case .comment: words[at] += "{>>\(word)<<}"
    case .highlight: words[at] = "{==\(words[at])==}"
    }
  }

  /// A text of words in lines and paragraphs, and its edited copies.
  struct Copies {
    let base: [UInt8]
    let all: [[UInt8]]
    /// Whether the same words come again and again.
    let isRepeating: Bool

    /// Makes the copies.
    ///
    /// - Parameters:
    ///   - editors: How many copies.
    ///   - edits: What is done in them.
    ///   - seed: What tells the text.
    ///   - language: Its language.
    ///   - isHostile: Whether it has parts of code and of delimiters that belong to nothing.
    init(
      of editors: Int,
      _ edits: [WordEdit],
      seed: UInt64,
      as language: Language = .markdown,
      isHostile: Bool = false
    ) {
      var random = Seeded(seed: seed)
      let isRepeating = Bool.random(using: &random)
      let words = (0..<Int.random(in: 1...60, using: &random)).map { index in
        let end = ["", "", "", "", ".\n", "\n\n"].randomElement(using: &random) ?? ""
        let word = isRepeating ? ["the", "red", "hen"][index % 3] : "w\(index)"
        let isCode = Int.random(in: 0..<12, using: &random) == 0
        if isHostile, index % 3 == 0 {
          return (WordEdit.hostileWords(of: language).randomElement(using: &random) ?? "") + end
        }
        return (isCode ? language.code("\(word) \(word)") : word) + end
      }
      func text(_ words: [String]) -> [UInt8] { Array(words.joined(separator: " ").utf8) }
      self.isRepeating = isRepeating
      base = text(words)
      all = (0..<editors).map { editor in
        var own = words
        for edit in edits where edit.editors.contains(editor) { edit.perform(on: &own) }
        return text(own)
      }
    }

    /// The texts, for a failure.
    func told(_ more: [UInt8]...) -> String {
      ([base] + all + more).map { String(decoding: $0, as: UTF8.self).debugDescription }
        .joined(separator: "\n")
    }
  }
}

extension Language {
  /// A span of code.
  fileprivate func code(_ text: String) -> String {
    switch self {
    case .markdown, .asciiDoc, .typst: "`\(text)`"
    case .org: "=\(text)="
    case .latex: "\\verb|\(text)|"
    case .restructuredText: "``\(text)``"
    }
  }
}

extension [UInt8] {
  /// The text with the changes by somebody accepted, and the others rejected.
  func taking(_ name: String, as language: Language = .markdown) -> [UInt8] {
    let reading = Reading(of: self, as: language)
    let edits = reading.changes.flatMap { change -> [Edit] in
      guard change.kind.isChange else { return [] }
      let isTaken = change.makers(in: self).contains(name)
      return [
        Edit(change.range, isTaken ? change.new(in: reading, self) : change.old(in: reading, self))
      ]
    }
    return VariantText(.clean, of: applying(edits), as: language).bytes
  }
}
