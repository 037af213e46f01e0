/// A stretch of a text split into tokens: words, spaces, line breaks, signs, code spans, addresses of links.
///
/// A token never splits a user-perceived character: combining marks stay with their letter, and modifiers with
/// their emoji.
struct WordTokens {
  /// The offset of the stretch in its text.
  let start: Int
  /// The bytes of the stretch.
  let bytes: Bytes
  /// The starts of the tokens, and the end of the stretch; relative to its beginning.
  private(set) var starts: [Int] = [0]
  /// The kind of each token.
  private(set) var kinds: [Kind] = []
  /// The worth of keeping each token.
  private(set) var worths: [Int32] = []

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

  /// The tokens before which there is a mark.
  private(set) var marked: [Int] = []
  /// For each token that begins or ends emphasis, a link or parentheses, the one at the other end; -1 for all
  /// others.
  private(set) var partners: [Int32] = []
  /// The last run of backticks of each length on the line where runs were looked for.
  private var lastRuns: (lineEnd: Int, starts: [Int: Int]) = (0, [:])

  /// The number of tokens.
  var count: Int { kinds.count }

  /// The bytes of a token.
  func bytes(of token: Int) -> Bytes { Bytes(rebasing: bytes[starts[token]..<starts[token + 1]]) }

  /// The range in the text from one token to another.
  func range(of tokens: Range<Int>) -> Range<Int> {
    start + starts[tokens.lowerBound]..<start + starts[tokens.upperBound]
  }

  /// Splits `range` of a text into tokens; linear.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - range: The range.
  ///   - marks: The offsets of marks in the text, in order.
  init(_ text: Bytes, _ range: Range<Int>, besideMarksAt marks: [Int] = []) {
    start = range.lowerBound
    bytes = Bytes(rebasing: text[range])
    starts.reserveCapacity(range.count / 3)
    kinds.reserveCapacity(range.count / 3)
    worths.reserveCapacity(range.count / 3)
    var at = 0
    var isAtLineStart = true
    while at < bytes.count {
      let token = (isAtLineStart ? marker(at: at) : nil) ?? token(at: at)
      if token.kind != .space, bytes[at] != Ascii.greater {
        isAtLineStart = bytes[at].isLineBreak
      }
      at = bytes.characterEnd(from: token.end)
      starts.append(at)
      kinds.append(token.kind)
      worths.append(Int32(token.worth))
    }
    partners = pairedBorders()
    let first = marks.partitioningIndex { $0 >= range.lowerBound }
    for mark in marks[first...].prefix(while: { $0 <= range.upperBound }) {
      marked.append(starts.partitioningIndex { start + $0 >= mark })
    }
  }
}

extension WordTokens {
  private typealias Token = (kind: Kind, end: Int, worth: Int)

  private mutating func token(at offset: Int) -> Token {
    let byte = bytes[offset]
    if byte.isLineBreak { return lineBreak(at: offset) }
    if byte.isSpace { return (.space, bytes.blankEnd(from: offset), 1) }
    if byte == Ascii.backtick, let end = codeEnd(from: offset) {
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
  private func word(from offset: Int) -> Token {
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

  private func lineBreak(at offset: Int) -> Token {
    let end = offset + bytes.lineBreak(at: offset)
    var line = offset
    while line > 0, !bytes.isLineEnd(line - 1) { line -= 1 }
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
  private func marker(at offset: Int) -> Token? {
    let isHeading = bytes[offset] == UInt8(ascii: "#")
    let run = isHeading ? bytes.run(at: offset) : 0
    guard run <= 6, let end = isHeading ? offset + run : bytes.listMarkerEnd(from: offset),
      bytes.isLineEnd(end) || bytes[end].isSpace
    else { return nil }
    return (.marker, end, 1)
  }
}

extension WordTokens {
  /// The partner of each token that begins or ends emphasis, a link or parentheses, within a paragraph.
  private func pairedBorders() -> [Int32] {
    var partners = [Int32](repeating: -1, count: count)
    var open: [Int] = []
    for token in 0..<count {
      if kinds[token] == .hardBreak || kinds[token] == .bar { open = [] }
      guard kinds[token] == .sign else { continue }
      let byte = bytes[starts[token]]
      guard byte.isBracket || byte.isEmphasis else { continue }
      if !byte.isOpeningBracket, byte.isBracket || token > 0 && !kinds[token - 1].isBreakOrGap,
        let index = open.suffix(Self.mostOpen).lastIndex(where: { isPair($0, token) })
      {
        partners[open[index]] = Int32(token)
        partners[token] = Int32(open[index])
        open.removeSubrange(index...)
      } else if byte.isOpeningBracket
        || byte.isEmphasis && token + 1 < count && !kinds[token + 1].isBreakOrGap
      {
        open.append(token)
      }
    }
    return partners
  }

  /// Among how many borders the partner of one is looked for.
  private static let mostOpen = 8

  /// Whether a token begins a heading, and not a list item.
  func isHeading(_ token: Int) -> Bool { bytes[starts[token]] == UInt8(ascii: "#") }

  private func isPair(_ first: Int, _ second: Int) -> Bool {
    switch bytes[starts[first]] {
    case Ascii.bracket: bytes[starts[second]] == UInt8(ascii: "]")
    case UInt8(ascii: "("): bytes[starts[second]] == UInt8(ascii: ")")
    default: bytes(of: first).isEqual(to: bytes(of: second))
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

extension Bytes {
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
