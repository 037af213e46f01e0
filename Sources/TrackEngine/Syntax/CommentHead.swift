/// The conventional head of a comment: who wrote it, when, whether it is resolved, and what it is about, as in
/// `@ada: [tone] too flat` and `@ada | 2026-11-22 | [resolved] too flat`.
public struct CommentHead: Equatable, Sendable {
  /// The author's name as displayed: `@Ada_Byron` is Ada Byron.
  public var author: String?
  /// The date as written: `2026-11-22`, perhaps with a time.
  public var date: String?
  /// `[resolved]` and the white space after it, in the offsets of the slice that was read; nil in an open comment.
  public var resolution: Range<Int>?
  /// The subject of the comment, in one word.
  public var category: String?
  /// The author, the date and the separators after them, from the comment's beginning.
  public var range: Range<Int>
  /// What the comment says, in the offsets of the slice that was read.
  public var body: Range<Int>
  /// Whether the comment has no text: it only says who made the change before it.
  public var isAttribution: Bool

  /// The greatest length of an author or a category, in bytes.
  private static let longest = 64

  /// Reads the text between a comment's delimiters.
  public init(of content: ArraySlice<UInt8>) {
    var rest = content.trimmed
    range = content.startIndex..<content.startIndex
    isAttribution = false
    if let name = CommentHead.name(rest) {
      author = name.shown
      rest = rest[name.end...]
      isAttribution = rest.isEmpty && content[..<name.end].last != Ascii.colon
      if rest.first == Ascii.bar {
        rest = rest.dropFirst().trimmed
        if let end = rest.endOfDate, let next = rest[end...].afterSeparator {
          date = String(decoding: rest[..<end], as: UTF8.self)
          isAttribution = rest[end...].allSatisfy(\.isWhiteSpace)
          rest = rest[next...]
        }
      }
      rest = rest.trimmed
      range = content.startIndex..<rest.startIndex
    }
    if let (word, end) = CommentHead.tag(rest), word.lowercased() == CommentHead.resolved {
      let next = rest[end...].trimmed
      resolution = rest.startIndex..<next.startIndex
      rest = next
    }
    if let (word, end) = CommentHead.tag(rest) {
      category = word
      rest = rest[end...].trimmed
    }
    body = rest.startIndex..<rest.endIndex
  }

  /// What a resolved comment begins with, in square brackets.
  public static let resolved = "resolved"

  /// Whether the comment is said to be resolved, and with it those that answer it.
  public var isResolved: Bool { resolution != nil }

  /// The category and what the comment says.
  public var text: Range<Int> { (resolution ?? range).upperBound..<body.upperBound }

  /// The words in square brackets before the text: `resolved`, and the category.
  public var tags: [String] {
    [isResolved ? CommentHead.resolved : nil, category].compactMap(\.self)
  }

  /// An author as written in a head: with `_` for each space.
  public static func written(_ author: String) -> String {
    String(author.map { $0 == " " ? "_" : $0 })
  }

  /// An author's name as displayed, also for `@Ada_Byron`.
  public static func shown(_ author: String) -> String {
    shown(Array(author.utf8).drop { $0 == UInt8(ascii: "@") })
  }

  /// The name at the beginning of a comment, and where the `|` or the text after it begins.
  ///
  /// A name is usually one word, which may contain a colon. Before a colon it may be several words if they are
  /// capitalized: `@ada could you see: …` names no author.
  private static func name(_ text: ArraySlice<UInt8>) -> (shown: String, end: Int)? {
    guard text.first == UInt8(ascii: "@") else { return nil }
    let word = text.dropFirst().prefix { !$0.isWhiteSpace }
    if word.last == Ascii.colon {
      guard isName(word.dropLast()) else { return nil }
      return (shown(word.dropLast()), word.endIndex)
    }
    guard isName(word) else { return nil }
    if let end = text[word.endIndex...].beforeBar { return (shown(word), end) }
    let words = text.dropFirst().prefix(longest)
    guard let colon = words.firstIndex(of: Ascii.colon), colon + 1 < text.endIndex,
      text[colon + 1].isWhiteSpace,
      words[..<colon].split(separator: Ascii.space, omittingEmptySubsequences: false)
        .allSatisfy({ isName($0) && isCapitalized($0) })
    else { return nil }
    return (shown(words[..<colon]), colon + 1)
  }

  /// The word in square brackets at the beginning of a text, and where the text after it begins; nil for a link.
  private static func tag(_ text: ArraySlice<UInt8>) -> (word: String, end: Int)? {
    let word = text.dropFirst().prefix(longest)
    guard text.first == UInt8(ascii: "["), let end = word.firstIndex(of: UInt8(ascii: "]")),
      end > word.startIndex + 1, word[..<end].allSatisfy(isLetter),
      end + 1 == text.endIndex || text[end + 1] != UInt8(ascii: "(")
    else { return nil }
    return (String(decoding: word[..<end], as: UTF8.self), end + 1)
  }

  private static func shown(_ name: ArraySlice<UInt8>) -> String {
    String(decoding: name.map { $0 == UInt8(ascii: "_") ? Ascii.space : $0 }, as: UTF8.self)
  }

  /// Whether a word can be a name; a full stop or question mark that ends a sentence is not part of it.
  private static func isName(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.count <= longest, let first = word.first, let last = word.last,
      first.isOfWord, last.isOfWord
    else { return false }
    return word.allSatisfy { $0.isOfWord || "-.:/+'@&".utf8.contains($0) }
      && !String(decoding: word, as: UTF8.self).contains(where: \.isWhitespace)
  }

  private static func isCapitalized(_ word: ArraySlice<UInt8>) -> Bool {
    String(decoding: word, as: UTF8.self).first?.isUppercase == true
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == Ascii.minus
  }
}

extension UInt8 {
  /// Whether it is a letter, a digit, an underscore or not ASCII.
  fileprivate var isOfWord: Bool {
    isLetter && self != UInt8(ascii: "'") || self == UInt8(ascii: "_")
  }
}

extension ArraySlice<UInt8> {
  /// The text without leading white space.
  fileprivate var trimmed: ArraySlice<UInt8> { drop(while: \.isWhiteSpace) }

  /// Where a `|` with white space around it, or the end, follows a name; nil if something else follows.
  fileprivate var beforeBar: Int? {
    let rest = trimmed
    guard let bar = rest.first else { return endIndex }
    let isBar = bar == Ascii.bar && rest.dropFirst().first?.isWhiteSpace != false
    return isBar ? rest.startIndex : nil
  }

  /// Where the text after a date begins: after `: `, or after a `|` with white space around it.
  fileprivate var afterSeparator: Int? {
    if first == Ascii.colon {
      return dropFirst().first?.isWhiteSpace == false ? nil : startIndex + 1
    }
    return beforeBar.map { $0 == endIndex ? $0 : $0 + 1 }
  }

  /// Where a date at the beginning of the text, `2026-11-22`, ends, with any time after it.
  var endOfDate: Int? {
    guard let date = end(of: "0000-00-00") else { return nil }
    let rest = self[date...]
    guard rest.first == Ascii.space || rest.first == UInt8(ascii: "T"),
      var end = rest.dropFirst().end(of: "00:00")
    else { return date }
    end = self[end...].end(of: ":00") ?? end
    if self[end...].first == UInt8(ascii: ".") {
      let digits = self[end...].dropFirst().prefix(while: \.isDigit)
      if !digits.isEmpty { end = digits.endIndex }
    }
    if self[end...].first == UInt8(ascii: "Z") { return end + 1 }
    return self[end...].end(of: "+00:00") ?? self[end...].end(of: "-00:00") ?? end
  }

  /// Where a prefix that matches a pattern ends, in which 0 stands for any digit; nil if there is no match.
  private func end(of shape: StaticString) -> Int? {
    shape.withUTF8Buffer { shape in
      guard count >= shape.count else { return nil }
      let isShaped = zip(self, shape).allSatisfy { byte, sign in
        sign == UInt8(ascii: "0") ? byte.isDigit : byte == sign
      }
      return isShaped ? startIndex + shape.count : nil
    }
  }
}
