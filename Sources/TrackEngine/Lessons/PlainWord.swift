/// A token of a text as far as wording is concerned.
struct PlainWord {
  /// Its bytes; of white space, one space.
  let bytes: [UInt8]
  let kind: WordTokens.Kind
  /// Where it stands in the text that was read.
  let range: Range<Int>

  /// Whether it is white space within a paragraph.
  var isGap: Bool { kind.isGap }
  /// Whether it is a word, and not a sign.
  var isWord: Bool { kind == .word }
  /// Whether it is about how the text looks: emphasis and the like.
  private var isFormatting: Bool {
    kind == .sign && bytes.allSatisfy { $0 == Ascii.star || $0 == Ascii.tilde || $0 == Self.low }
  }
  private static let low = UInt8(ascii: "_")

  /// The tokens of a text, without those that are about how it looks.
  ///
  /// Linear.
  static func all(in text: [UInt8], _ language: Language) -> [PlainWord] {
    text.withUnsafeBufferPointer { text in
      var tokens = WordTokens(language)
      var numbering = Numbering(capacity: text.count / 4)
      _ = tokens.read(text.indices, of: text.indices, in: text, besideMarksAt: [], &numbering)
      return (0..<tokens.count).compactMap { index in
        let token = tokens[index]
        let word = PlainWord(
          bytes: token.kind.isGap ? [Ascii.space] : Array(tokens.bytes(of: index)),
          kind: token.kind,
          range: tokens.range(of: index..<index + 1)
        )
        return word.isFormatting ? nil : word
      }
    }
  }

  /// Whether it is language: a word without digits that is no name of a file or in a program, or a sign of a sentence.
  var isLanguage: Bool {
    switch kind {
    case .space, .softBreak, .stop, .pause: true
    case .sign: PlainWord.signs.contains(String(decoding: bytes, as: UTF8.self))
    case .word: isWordOfLanguage
    case .hardBreak, .bar, .marker, .address: false
    }
  }

  private static let signs =
    pairs.union(["-", "--", "---", "/", "&", "%", "–", "—"])
  private static let pairs: Set<String> = [
    "\"", "'", "(", ")", "“", "”", "‘", "’", "„", "‚", "«", "»", "‹", "›",
  ]

  /// Whether it is a quotation mark or a bracket.
  var isOfPair: Bool {
    kind == .sign && PlainWord.pairs.contains(String(decoding: bytes, as: UTF8.self))
  }

  private var isWordOfLanguage: Bool {
    guard !bytes.contains(where: { $0.isDigit || $0 == Ascii.backtick || $0 == Self.low }) else {
      return false
    }
    // As in `state-of-the-art`, and not as in the name of a section.
    guard bytes.count(where: { $0 == Ascii.minus }) <= PlainWord.mostHyphens else { return false }
    // As in `e.g`, and not as in `file.md`.
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 1 || parts.allSatisfy { $0.count == 1 }
  }

  private static let mostHyphens = 3

  /// Whether it is a sign, as in `/`.
  func isSign(_ sign: Unicode.Scalar) -> Bool { bytes == [UInt8(ascii: sign)] }

  /// Whether it begins with a capital letter.
  var isCapitalized: Bool {
    String(decoding: bytes, as: UTF8.self).first?.isUppercase == true
  }
}

extension PlainWord: Equatable {
  /// Whether both say the same, wherever they stand.
  static func == (first: PlainWord, second: PlainWord) -> Bool {
    first.isGap && second.isGap || first.bytes == second.bytes
  }
}

extension ArraySlice<PlainWord> {
  /// The tokens without white space at the ends.
  var withoutOuterGaps: ArraySlice<PlainWord> {
    var rest = self
    while rest.first?.isGap == true { rest.removeFirst() }
    while rest.last?.isGap == true { rest.removeLast() }
    return rest
  }

  /// What they say.
  var text: [UInt8] { flatMap(\.bytes) }
}
