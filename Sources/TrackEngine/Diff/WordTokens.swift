/// A stretch of a text split into tokens: words, spaces, line breaks, signs, code spans, addresses of links.
///
/// A token never splits a user-perceived character: combining marks stay with their letter, and modifiers with
/// their emoji.
struct WordTokens {
  private let language: Language
  /// The offset of the stretch in its text.
  private(set) var start = 0
  /// The bytes of the stretch.
  private(set) var bytes = Bytes(start: nil, count: 0)
  /// The tokens, and one more for the end of the stretch.
  private var tokens: [Token] = []
  /// The tokens before which there is a mark.
  private(set) var marked: [Int] = []
  /// The last run of backticks of each length on the line where runs were looked for.
  private var lastRuns: (lineEnd: Int, starts: [Int: Int]) = (0, [:])

  /// None yet, of a text in a language.
  init(_ language: Language) {
    self.language = language
  }

  /// One of the tokens.
  struct Token {
    /// Where it begins, relative to the beginning of the stretch.
    var start: Int
    /// The total worth of the tokens before it.
    var sum: Int
    /// How many of those are breaks between blocks.
    var breaks: Int32
    /// Equal for equal tokens.
    var number: Int32 = -1
    /// Equal also for tokens that can be exchanged: a text with different line breaks is the same text, and so is
    /// a list with other markers.
    var sharedClass: Int32 = -1
    /// The worth of keeping it.
    var worth: Int32 = 0
    /// The additional worth of keeping it, if it is beside a mark.
    var extra: Int32 = 0
    /// For one that begins or ends emphasis, a link or parentheses, the one at the other end; -1 for all others.
    var partner: Int32 = -1
    /// What it is; the end of the stretch is a space.
    var kind = Kind.space
  }

  /// The kind of a token.
  enum Kind: UInt8 {
    case word
    case space
    /// A line break within a paragraph, with the indentation after it.
    case softBreak
    /// A line break between paragraphs, list items, table rows or headings, which must not be run together.
    case hardBreak
    /// Punctuation that ends a sentence.
    case stop
    /// Punctuation that ends part of a sentence.
    case pause
    /// A separator of table cells.
    case bar
    case sign
    /// What a list item or a heading begins with.
    case marker
    /// The address of a link, with its parentheses if there are any.
    case address

    /// Whether it only separates words.
    var isGap: Bool { self == .space || self == .softBreak }

    /// Whether it parts blocks or cells, so that no change goes across it.
    var isBorder: Bool { self == .hardBreak || self == .bar || self == .marker }
  }

  /// The number of tokens.
  var count: Int { tokens.count - 1 }

  subscript(token: Int) -> Token { tokens[token] }

  /// The bytes of a token.
  func bytes(of token: Int) -> Bytes {
    Bytes(rebasing: bytes[tokens[token].start..<tokens[token + 1].start])
  }

  /// The range in the text from one token to another.
  func range(of tokens: Range<Int>) -> Range<Int> {
    start + self.tokens[tokens.lowerBound].start..<start + self.tokens[tokens.upperBound].start
  }

  /// Whether two stretches of tokens are equal.
  func isEqual(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
    tokens[first].elementsEqual(tokens[second]) { $0.number == $1.number }
  }

  private static let besideMark: Int32 = 9

  /// Splits a part of a stretch into tokens, instead of what was split before; linear.
  ///
  /// - Parameters:
  ///   - part: The part; it begins and ends where a token does, as far as its bytes tell.
  ///   - stretch: The stretch, of which all tells what the tokens are.
  ///   - text: The text.
  ///   - marks: The offsets of marks in the text, in order.
  ///   - numbering: The numbering shared by both texts.
  /// - Returns: Whether a token ends where the part does.
  mutating func read(
    _ part: Range<Int>,
    of stretch: Range<Int>,
    in text: Bytes,
    besideMarksAt marks: [Int],
    _ numbering: inout Numbering
  ) -> Bool {
    start = stretch.lowerBound
    bytes = Bytes(rebasing: text[stretch])
    tokens.removeAll(keepingCapacity: true)
    lastRuns = (0, [:])
    var next = Token(start: part.lowerBound - start, sum: 0, breaks: 0)
    let partEnd = part.upperBound - start
    var isAtLineStart = next.start == 0 || bytes[next.start - 1].isLineBreak
    var hasBorders = false
    while next.start < partEnd {
      let at = next.start
      let first = bytes[at]
      let (kind, tokenEnd, worth) =
        plainToken(at: at, isAtLineStart) ?? anyToken(at: at, isAtLineStart)
      if kind != .space, first != Ascii.greater { isAtLineStart = first.isLineBreak }
      hasBorders = hasBorders || kind == .sign && (first.isBracket || first.isEmphasis)
      let isJoined = tokenEnd < bytes.count && bytes[tokenEnd] >= 0x80
      let end = isJoined ? bytes.characterEnd(from: tokenEnd) : tokenEnd
      next.kind = kind
      next.worth = Int32(worth)
      // Nearly half of the tokens are one space.
      next.number =
        end == at + 1
        ? Int32(first) : 256 + numbering.number(of: Bytes(rebasing: bytes[at..<end]))
      next.sharedClass =
        switch kind {
        case .space, .softBreak: -1
        case .marker: first == UInt8(ascii: "#") ? -2 : -3
        case .address: -4
        default: next.number
        }
      tokens.append(next)
      next.start = end
      next.sum += worth
      if kind == .hardBreak { next.breaks += 1 }
    }
    tokens.append(Token(start: next.start, sum: next.sum, breaks: next.breaks))
    if hasBorders { pairBorders() }
    marked.removeAll(keepingCapacity: true)
    let firstMark = marks.partitioningIndex { $0 >= part.lowerBound }
    for mark in marks[firstMark...].prefix(while: { $0 <= part.upperBound }) {
      let token = tokens.partitioningIndex { start + $0.start >= mark }
      marked.append(token)
      tokens[token].extra += WordTokens.besideMark
      if token > 0 { tokens[token - 1].extra += WordTokens.besideMark }
    }
    return next.start == partEnd
  }
}

extension WordTokens {
  private typealias Found = (kind: Kind, end: Int, worth: Int)

  /// A word of ASCII letters or a space, as nearly all tokens are; nil if it takes more to tell what is there.
  @inline(__always)
  private func plainToken(at offset: Int, _ isAtLineStart: Bool) -> Found? {
    let byte = bytes[offset]
    if byte == Ascii.space {
      let end = offset + 1
      return end < bytes.count && !bytes[end].isSpace ? (.space, end, 1) : nil
    }
    // A line may begin with the number of a list item.
    guard byte.isLetter, !isAtLineStart || !byte.isDigit,
      let end = bytes.plainWordEnd(from: offset), end > offset
    else { return nil }
    return (.word, end, WordTokens.worth(ofWord: end - offset))
  }

  private mutating func anyToken(at offset: Int, _ isAtLineStart: Bool) -> Found {
    (isAtLineStart ? marker(at: offset) : nil) ?? token(at: offset)
  }

  private mutating func token(at offset: Int) -> Found {
    let byte = bytes[offset]
    if byte.isLineBreak { return lineBreak(at: offset) }
    if byte.isSpace { return (.space, bytes.blankEnd(from: offset), 1) }
    if byte == Ascii.backtick, language == .markdown, let end = codeEnd(from: offset) {
      return (.word, end, min(2 * (end - offset), 24))
    }
    // An address says little about which link it is of.
    if let end = bytes.addressEnd(from: offset) { return (.address, end, 9) }
    let first = bytes.writtenScalar(at: offset)
    switch first.script {
    case .letter: return word(from: offset)
    case .ideograph: return (.word, offset + first.length, 4)
    case .kana: return (.word, offset + first.length, 4)
    case .katakana:
      var end = offset + first.length
      var count = 1
      while end < bytes.count {
        let next = bytes.writtenScalar(at: end)
        guard next.script == .katakana || next.script == .mark else { break }
        end += next.length
        count += 1
      }
      return (.word, end, 3 * count)
    case .space: return (.space, offset + first.length, 1)
    case .stop:
      let end = offset + first.length
      // The end of a paragraph separates a change in it from one after it.
      return (.stop, end, bytes.isLineEnd(end) ? 12 : 1)
    case .pause: return (.pause, offset + first.length, 1)
    case .mark, .sign:
      if bytes.isFlagPart(at: offset), bytes.isFlagPart(at: offset + first.length) {
        return (.sign, offset + 2 * first.length, 1)
      }
      // Repeated signs belong together, as in `**`; brackets do not.
      let isAlone = byte >= 0x80 || byte.isBracket
      let end = isAlone ? offset + first.length : offset + bytes.run(at: offset)
      return byte == UInt8(ascii: "|") ? (.bar, offset + 1, 12) : (.sign, end, 1)
    }
  }

  /// A word, including characters that join its parts: `don't`, `well-known`, `1.5`, `6,000`, `file.md`.
  private func word(from offset: Int) -> Found {
    var end = offset
    var count = 0
    while end < bytes.count {
      let next = bytes.writtenScalar(at: end)
      if next.script == .letter || next.script == .mark {
        if next.script == .letter { count += 1 }
        end += next.length
      } else if next.joinsWords || isInNumber(end), end + next.length < bytes.count,
        bytes.writtenScalar(at: end + next.length).script == .letter
      {
        count += 1
        end += next.length
      } else {
        break
      }
    }
    return (.word, end, WordTokens.worth(ofWord: count))
  }

  /// Whether there is a comma between digits at `offset`.
  private func isInNumber(_ offset: Int) -> Bool {
    bytes[offset] == UInt8(ascii: ",") && bytes[offset - 1].isDigit && offset + 1 < bytes.count
      && bytes[offset + 1].isDigit
  }

  /// Short words are in every sentence, so keeping them is worth little.
  private static func worth(ofWord length: Int) -> Int {
    switch length {
    case 1: 1
    case 2: 3
    case 3: 4
    case 4: 6
    case 5: 9
    default: 2 * length
    }
  }

  private func lineBreak(at offset: Int) -> Found {
    let end = offset + bytes.lineBreak(at: offset)
    let line = bytes.lineStart(in: 0..<offset)
    if bytes.isLineEnd(bytes.blankEnd(from: line)) || bytes.isLineEnd(bytes.blankEnd(from: end)) {
      return (.hardBreak, end, 24)
    }
    if bytes.isBlock(lineAt: line) || bytes.isBlock(lineAt: end, ofLists: true) {
      return (.hardBreak, end, 16)
    }
    // Includes the indentation, since line breaks can also move in a list.
    return (.softBreak, bytes.blankEnd(from: end), 1)
  }

  /// Where a code span that begins at `offset` and ends on the same line ends; nil if there is none.
  private mutating func codeEnd(from offset: Int) -> Int? {
    let length = bytes.run(at: offset)
    if offset >= lastRuns.lineEnd { lastRuns = bytes.lastRuns(onLineFrom: offset) }
    guard let last = lastRuns.starts[length], last > offset else { return nil }
    var at = offset + length
    while at < last {
      let run = bytes[at] == Ascii.backtick ? bytes.run(at: at) : 1
      if bytes[at] == Ascii.backtick, run == length { return at + run }
      at += run
    }
    return last + length
  }

  /// What a list item or a heading begins with, at the beginning of its line; nil if there is nothing.
  private func marker(at offset: Int) -> Found? {
    let isHeading = bytes[offset] == UInt8(ascii: "#")
    let run = isHeading ? bytes.run(at: offset) : 0
    guard run <= 6, let end = isHeading ? offset + run : bytes.listMarkerEnd(from: offset),
      bytes.isLineEnd(end) || bytes[end].isSpace
    else { return nil }
    return (.marker, end, 1)
  }
}

extension WordTokens {
  /// Finds the partner of each token that begins or ends emphasis, a link or parentheses, within a paragraph.
  private mutating func pairBorders() {
    var open: [Int] = []
    for token in 0..<count {
      let kind = tokens[token].kind
      if kind == .hardBreak || kind == .bar { open.removeAll(keepingCapacity: true) }
      guard kind == .sign else { continue }
      let byte = bytes[tokens[token].start]
      guard byte.isBracket || byte.isEmphasis else { continue }
      if !byte.isOpeningBracket,
        byte.isBracket || token > 0 && !tokens[token - 1].kind.isBreakOrGap,
        let index = open.suffix(Self.mostOpen).lastIndex(where: { isPair($0, token) })
      {
        tokens[open[index]].partner = Int32(token)
        tokens[token].partner = Int32(open[index])
        open.removeSubrange(index...)
      } else if byte.isOpeningBracket
        || byte.isEmphasis && token + 1 < count && !tokens[token + 1].kind.isBreakOrGap
      {
        open.append(token)
      }
    }
  }

  /// Among how many borders the partner of one is looked for.
  private static let mostOpen = 8

  /// Whether a token begins a heading, and not a list item.
  func isHeading(_ token: Int) -> Bool { bytes[tokens[token].start] == UInt8(ascii: "#") }

  private func isPair(_ first: Int, _ second: Int) -> Bool {
    switch bytes[tokens[first].start] {
    case Ascii.bracket: bytes[tokens[second].start] == UInt8(ascii: "]")
    case UInt8(ascii: "("): bytes[tokens[second].start] == UInt8(ascii: ")")
    default: tokens[first].number == tokens[second].number
    }
  }
}

extension WordTokens.Kind {
  fileprivate var isBreakOrGap: Bool { isGap || self == .hardBreak }
}

extension UInt8 {
  fileprivate var isOpeningBracket: Bool { self == Ascii.bracket || self == UInt8(ascii: "(") }

  fileprivate var isBracket: Bool {
    isOpeningBracket || self == UInt8(ascii: "]") || self == UInt8(ascii: ")")
  }

  fileprivate var isEmphasis: Bool {
    self == Ascii.star || self == UInt8(ascii: "_") || self == Ascii.tilde
  }
}

extension UInt64 {
  /// The highest bit of each of eight bytes that is neither an ASCII letter nor a digit.
  @inline(__always)
  fileprivate var notLetters: UInt64 {
    // A sum reaches the highest bit of its byte if that is no less than the first letter, or more than the last.
    func each(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
    let ascii = self & each(0x7F)
    let lower = ascii | each(0x20)
    let isLetter = (lower &+ each(0x80 - 0x61)) & ~(lower &+ each(0x80 - 0x7B))
    let isDigit = (ascii &+ each(0x80 - 0x30)) & ~(ascii &+ each(0x80 - 0x3A))
    return (~(isLetter | isDigit) | self) & each(0x80)
  }
}

extension Bytes {
  /// Where a word of ASCII letters and digits ends; nil if what follows may belong to it, or if it is near the end of
  /// the text.
  @inline(__always)
  fileprivate func plainWordEnd(from offset: Int) -> Int? {
    let raw = UnsafeRawBufferPointer(self)
    var end = offset
    while end &+ 8 <= count {
      let others = raw.loadUnaligned(fromByteOffset: end, as: UInt64.self).notLetters
      if others == 0 {
        end &+= 8
        continue
      }
      end &+= UInt64(littleEndian: others).trailingZeroBitCount / 8
      let next = self[end]
      // A colon may follow the scheme of an address.
      if next >= 0x80 || next == Ascii.colon || next == UInt8(ascii: "'") { return nil }
      let isJoint =
        next == Ascii.minus || next == UInt8(ascii: "_") || next == UInt8(ascii: ".")
        || next == UInt8(ascii: ",")
      return isJoint && end + 1 < count && self[end + 1].isLetter ? nil : end
    }
    return nil
  }

  /// The end of the line at `offset`, and where the last run of backticks of each length on it begins.
  fileprivate func lastRuns(onLineFrom offset: Int) -> (lineEnd: Int, starts: [Int: Int]) {
    var starts: [Int: Int] = [:]
    var at = offset
    while !isLineEnd(at) {
      let run = self[at] == Ascii.backtick ? run(at: at) : 1
      if self[at] == Ascii.backtick { starts[run] = at }
      at += run
    }
    return (at, starts)
  }
}

extension Bytes {
  /// Whether one of the two regional indicators of a flag is at `offset`.
  fileprivate func isFlagPart(at offset: Int) -> Bool {
    guard offset + 4 <= count else { return false }
    return self[offset] == 0xF0 && self[offset + 1] == 0x9F && self[offset + 2] == 0x87
      && self[offset + 3] >= 0xA6
  }

  /// Whether a line is a block of its own: a heading, a table row, a quote, or, if `ofLists` is set, a list
  /// item.
  fileprivate func isBlock(lineAt offset: Int, ofLists: Bool = false) -> Bool {
    var at = blankEnd(from: offset)
    guard at < count else { return false }
    switch self[at] {
    case UInt8(ascii: "#"), UInt8(ascii: "|"), Ascii.greater, UInt8(ascii: ":"): return true
    case Ascii.backtick, Ascii.tilde: return run(at: at) >= 3
    case Ascii.minus, Ascii.star, Ascii.plus:
      return ofLists && at + 1 < count && self[at + 1].isSpace
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      while at < count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= self[at] { at += 1 }
      return ofLists && at + 1 < count && self[at + 1].isSpace
        && (self[at] == UInt8(ascii: ".") || self[at] == UInt8(ascii: ")"))
    default: return false
    }
  }
}
