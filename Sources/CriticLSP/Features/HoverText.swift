import TrackEngine

/// The text of a hover, as Markdown or plain text, in UTF-8.
///
/// Text of the document is quoted so that it shows literally: nothing in it is read as Markdown.
struct HoverText {
  let isMarkdown: Bool
  private(set) var bytes: [UInt8] = []

  init(isMarkdown: Bool) {
    self.isMarkdown = isMarkdown
  }

  /// Adds a paragraph in our own words.
  mutating func add(_ sentence: String) {
    begin()
    bytes += sentence.utf8
  }

  /// Adds a paragraph in our own words, with delimiters in quotation marks.
  mutating func add(naming sentence: String) {
    guard isMarkdown else { return add(sentence) }
    add(String(sentence.map { $0 == "“" || $0 == "”" ? "`" : $0 }))
  }

  /// Adds a paragraph of words, each followed by a text of the document, as in `Replaced “lazy” by
  /// “sleepy”`.
  mutating func add(_ parts: (word: String, text: [UInt8])...) { add(parts) }

  /// Adds a paragraph on a change: what was done to a text, or to one by another; of lines, as in code, only those that
  /// differ.
  mutating func add(_ verb: String, _ texts: [[UInt8]]) {
    guard texts.count == 2, let lines = ChangedLines(texts[0], texts[1]) else {
      return add(zip([verb, "by"], texts).map { ($0, $1) })
    }
    begin()
    bytes += "\(verb):\(isMarkdown ? "\n\n" : "\n")".utf8
    let quote = Quote(lines.bytes)
    if isMarkdown { quote.writeFenced(as: "diff", to: &bytes) } else { quote.write(to: &bytes) }
  }

  /// Adds a paragraph on what somebody says, as in `jonas, 20 Nov 2026: she counts`.
  mutating func add(_ remark: RemarkWords) {
    guard let head = remark.head else { return add(("Comment", Array(remark.text))) }
    let said = Array("\(head): ".utf8) + remark.text
    guard isMarkdown, !Quote(said).isPlain else {
      begin()
      return Quote(said).write(to: &bytes)
    }
    add(("Comment", said))
  }

  private mutating func add(_ parts: [(word: String, text: [UInt8])]) {
    let quotes = parts.map { Quote($0.text) }
    let isSentence = !isMarkdown || quotes.allSatisfy(\.isPlain)
    if isSentence { begin() }
    for (index, (part, quote)) in zip(parts, quotes).enumerated() {
      if !isSentence { begin() }
      if isSentence, index > 0 { bytes.append(UInt8(ascii: " ")) }
      bytes += part.word.utf8
      if isSentence {
        bytes.append(UInt8(ascii: " "))
        quote.writeInLine(to: &bytes)
      } else {
        bytes += ":\n\n".utf8
        quote.writeFenced(to: &bytes)
      }
    }
  }

  private mutating func begin() {
    if !bytes.isEmpty { bytes += isMarkdown ? "\n\n".utf8 : "\n".utf8 }
  }
}

/// A quoted text of the document, with uniform line breaks, cut if it is long.
private struct Quote {
  private var text: [UInt8] = []
  /// The number of line breaks in a text that holds nothing else.
  private var lineBreaks: Int?

  static let maxBytes = 1000
  static let maxLines = 20

  init(_ bytes: [UInt8]) {
    text.reserveCapacity(min(bytes.count, Quote.maxBytes) + 4)
    var lines = 1
    var at = 0
    while at < bytes.count, at < Quote.maxBytes, lines <= Quote.maxLines {
      let isCRLF = bytes[at] == 0x0D && at + 1 < bytes.count && bytes[at + 1] == 0x0A
      let byte = bytes[at] == 0x0D ? 0x0A : bytes[at]
      if byte == 0x0A { lines += 1 }
      text.append(byte)
      at += isCRLF ? 2 : 1
    }
    if at == bytes.count, text.allSatisfy({ $0 == 0x0A }) { lineBreaks = text.count }
    guard at < bytes.count else { return }
    text = Array(text[...].wholeCharacters + "…".utf8)
  }

  /// Writes the text as it is.
  func write(to bytes: inout [UInt8]) { bytes += text }

  /// Writes the text in quotation marks.
  func writeInLine(to bytes: inout [UInt8]) {
    switch lineBreaks {
    case nil:
      bytes += "“".utf8
      bytes += text
      bytes += "”".utf8
    case 0: bytes += "nothing".utf8
    case 1: bytes += "a line break".utf8
    case let count?: bytes += "\(count) line breaks".utf8
    }
  }

  /// Writes the text as a fenced code block, with a fence longer than any run of backticks in it.
  func writeFenced(as language: String = "text", to bytes: inout [UInt8]) {
    guard lineBreaks == nil else { return writeInLine(to: &bytes) }
    var longest = 0
    var run = 0
    for byte in text {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = repeatElement(UInt8(ascii: "`"), count: max(3, longest + 1))
    bytes += fence
    bytes += "\(language)\n".utf8
    bytes += text
    bytes.append(UInt8(ascii: "\n"))
    bytes += fence
  }

  /// Whether the text has no meaning in Markdown and its extensions, inside a sentence.
  var isPlain: Bool {
    if lineBreaks != nil { return true }
    return text.indices.allSatisfy { index in
      let next = index + 1 < text.count ? text[index + 1] : UInt8(ascii: " ")
      switch text[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
        return true
      // Two spaces would show as one.
      case UInt8(ascii: " "): return index == 0 || text[index - 1] != UInt8(ascii: " ")
      // Autolinked addresses have one of these inside, and in `:smile:` a letter follows.
      case UInt8(ascii: "."), UInt8(ascii: ":"): return next == UInt8(ascii: " ")
      case UInt8(ascii: "@"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "?"),
        UInt8(ascii: "!"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
        UInt8(ascii: "/"):
        return true
      default: return false
      }
    }
  }
}
