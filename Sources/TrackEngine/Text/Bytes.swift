/// The bytes that are read; valid during a call.
typealias Bytes = UnsafeBufferPointer<UInt8>

/// Characters the reader looks for, by name.
enum Ascii {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let backslash = UInt8(ascii: "\\")
  static let backtick = UInt8(ascii: "`")
  static let tilde = UInt8(ascii: "~")
  static let greater = UInt8(ascii: ">")
  static let less = UInt8(ascii: "<")
  static let plus = UInt8(ascii: "+")
  static let minus = UInt8(ascii: "-")
  static let equals = UInt8(ascii: "=")
  static let star = UInt8(ascii: "*")
  static let quote = UInt8(ascii: "\"")
  static let colon = UInt8(ascii: ":")
  static let period = UInt8(ascii: ".")
  static let slash = UInt8(ascii: "/")
  static let bar = UInt8(ascii: "|")
  static let open = UInt8(ascii: "{")
  static let bracket = UInt8(ascii: "[")
  static let close = UInt8(ascii: "}")
  static let caret = UInt8(ascii: "^")
  static let closeBracket = UInt8(ascii: "]")
  static let hash = UInt8(ascii: "#")
  static let percent = UInt8(ascii: "%")
}

extension UInt8 {
  /// Whether it is a space or a tab.
  public var isSpace: Bool { self == Ascii.space || self == Ascii.tab }

  /// Whether it is part of a word: a letter, a digit, an apostrophe, or not ASCII.
  var isLetter: Bool {
    switch self {
    case 0x80..., UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "'"):
      true
    default: false
    }
  }

  /// Whether it is a letter of ASCII.
  var isAsciiLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  /// Whether it is a digit.
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether an opener begins with it or a closer ends with it.
  var isBrace: Bool { self == Ascii.open || self == Ascii.close }

  /// Whether delimiters are made of it.
  var isDelimiterSign: Bool {
    switch self {
    case Ascii.open, Ascii.close, Ascii.plus, Ascii.minus, Ascii.tilde, Ascii.equals, Ascii.less,
      Ascii.greater:
      true
    default: false
    }
  }

  /// Whether code can begin and end with it.
  var isCodeSign: Bool { self == Ascii.backtick || self == Ascii.tilde }

  /// Whether it is part of a line break: LF or CR.
  var isLineBreak: Bool { self == Ascii.newline || self == Ascii.carriageReturn }

  /// Whether it is a space, a tab or part of a line break.
  var isWhiteSpace: Bool { isSpace || isLineBreak }
}

extension Bytes {
  /// Whether a line ends at `offset`, or the text does.
  func isLineEnd(_ offset: Int) -> Bool {
    offset >= count || self[offset].isLineBreak
  }

  /// Whether only white space follows on the line of `offset`, and the line ends before the text.
  func isBlank(lineAt offset: Int) -> Bool {
    let end = blankEnd(from: offset)
    return end < count && isLineEnd(end)
  }

  /// The length of the line break before `offset`; 0 if there is none.
  func lineBreakLength(before offset: Int) -> Int {
    guard offset > 0, self[offset - 1].isLineBreak else { return 0 }
    return offset > 1 && lineBreak(at: offset - 2) == 2 ? 2 : 1
  }

  /// The end of the spaces and tabs at `offset`.
  func blankEnd(from offset: Int) -> Int {
    var end = offset
    while end < count, self[end].isSpace { end += 1 }
    return end
  }

  /// Where the list marker at `offset` ends; nil if there is none.
  func listMarkerEnd(from offset: Int) -> Int? {
    guard offset < count else { return nil }
    if "-*+".utf8.contains(self[offset]) { return offset + 1 }
    var end = offset
    while end < count, self[end].isDigit { end += 1 }
    guard (1...9).contains(end - offset), end < count, ".)".utf8.contains(self[end]) else {
      return nil
    }
    return end + 1
  }

  /// Whether a backslash that is not itself escaped stands before `offset`; linear in the backslashes there.
  func isEscaped(_ offset: Int) -> Bool {
    var start = offset
    while start > 0, self[start - 1] == Ascii.backslash { start -= 1 }
    return !(offset - start).isMultiple(of: 2)
  }

  /// Whether an opener spelled at `offset` is text: behind a backslash, or right behind a `^`, as in `Ca^{++}`.
  func isText(openerAt offset: Int) -> Bool {
    guard offset > 0 else { return false }
    return self[offset - 1] == Ascii.caret || isEscaped(offset)
  }

  /// How often the byte at `offset` is repeated there, itself included.
  func run(at offset: Int) -> Int {
    var end = offset + 1
    while end < count, self[end] == self[offset] { end += 1 }
    return end - offset
  }

  /// The start of the first blank line after the one that holds `offset`; nil if there is none.
  func blankLine(after offset: Int) -> Int? {
    var line = lineEnd(after: offset)
    while line < count {
      if isBlank(lineAt: line) { return line }
      line = lineEnd(after: line)
    }
    return nil
  }

  /// Whether the line before the one that begins at `offset` is blank.
  func isAfterBlankLine(_ offset: Int) -> Bool {
    var at = offset - 1
    if at > 0, lineBreak(at: at - 1) == 2 { at -= 1 }
    while at > 0, self[at - 1].isSpace { at -= 1 }
    return at == 0 || isLineEnd(at - 1)
  }

  /// The start of the line after the one that holds `offset`; LF, CRLF and CR end lines.
  func lineEnd(after offset: Int) -> Int {
    var at = offset
    while at + 16 <= count, !hasLineBreak(inBlockAt: at) { at += 16 }
    while at < count {
      let byte = self[at]
      at += 1
      if byte == Ascii.newline { return at }
      if byte == Ascii.carriageReturn {
        return at < count && self[at] == Ascii.newline ? at + 1 : at
      }
    }
    return count
  }

  /// The length of the line break at `offset`: 2 for CRLF, 1 for LF and CR, 0 if there is none.
  func lineBreak(at offset: Int) -> Int {
    guard offset < count, isLineEnd(offset) else { return 0 }
    return self[offset] == Ascii.carriageReturn && offset + 1 < count
      && self[offset + 1] == Ascii.newline ? 2 : 1
  }

  /// The starts of the lines of a stretch, and its end.
  func lineStarts(in range: Range<Int>) -> [Int] {
    var starts = [range.lowerBound]
    var at = range.lowerBound
    while at < range.upperBound {
      at = Swift.min(lineEnd(after: at), range.upperBound)
      starts.append(at)
    }
    return starts
  }

  /// The next offset that matters for reading, at or after `offset`; sixteen bytes at a time.
  @inline(__always)
  func special(from offset: Int) -> Int {
    var at = offset
    if let start = UnsafeRawPointer(baseAddress) {
      // `{`, `|`, `}` and `~` are adjacent, above all other ASCII characters but one, and bytes beyond ASCII
      // are negative.
      let below = SIMD16<Int8>(repeating: Int8(Ascii.open) - 1)
      let backtick = SIMD16<Int8>(repeating: Int8(Ascii.backtick))
      while at &+ 16 <= count {
        let chunk = start.loadUnaligned(fromByteOffset: at, as: SIMD16<Int8>.self)
        let found = unsafeBitCast(chunk .> below .| chunk .== backtick, to: SIMD2<UInt64>.self)
        if found[0] != 0 { return at &+ found[0].trailingZeroBitCount / 8 }
        if found[1] != 0 { return at &+ 8 &+ found[1].trailingZeroBitCount / 8 }
        at &+= 16
      }
    }
    while at < count, self[at] < Ascii.open, self[at] != Ascii.backtick { at &+= 1 }
    return at
  }

  /// The next `^` at or after `offset`; sixteen bytes at a time.
  func caret(from offset: Int) -> Int {
    var at = offset
    if let start = UnsafeRawPointer(baseAddress) {
      let caret = SIMD16<UInt8>(repeating: Ascii.caret)
      while at &+ 16 <= count {
        let chunk = start.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self)
        if !(chunk .== caret).isEmpty { break }
        at &+= 16
      }
    }
    while at < count, self[at] != Ascii.caret { at &+= 1 }
    return at
  }

  /// The kind of the opener of three bytes at `offset`, if one is spelled there.
  func opener(at offset: Int) -> MarkKind? {
    guard offset < count, self[offset] == Ascii.open else { return nil }
    return openerSigns(at: offset + 1)
  }

  /// The kind of mark that the two signs at `offset` open, if there are such signs.
  func openerSigns(at offset: Int) -> MarkKind? {
    guard offset + 2 <= count, self[offset] == self[offset + 1] else { return nil }
    return switch self[offset] {
    case Ascii.plus: .addition
    case Ascii.minus: .deletion
    case Ascii.tilde: .substitution
    case Ascii.equals: .highlight
    case Ascii.greater: .comment
    default: nil
    }
  }

  /// The kind of the closer at `offset`, if one is spelled there.
  func closer(at offset: Int) -> MarkKind? {
    guard offset >= 0, offset + 3 <= count, self[offset + 2] == Ascii.close,
      self[offset] == self[offset + 1]
    else { return nil }
    return switch self[offset] {
    case Ascii.plus: .addition
    case Ascii.minus: .deletion
    case Ascii.tilde: .substitution
    case Ascii.equals: .highlight
    case Ascii.less: .comment
    default: nil
    }
  }

  /// Whether `~>` stands at `offset`.
  func arrow(at offset: Int) -> Bool {
    offset + 2 <= count && self[offset] == Ascii.tilde && self[offset + 1] == Ascii.greater
  }
}

extension ArraySlice<UInt8> {
  /// The first place of another text; in the worst case the product of both lengths.
  public func firstRange(of text: ArraySlice<UInt8>) -> Range<Int>? {
    guard let first = text.first else { return startIndex..<startIndex }
    let found = withUnsafeBufferPointer { bytes -> Int? in
      guard text.count <= bytes.count else { return nil }
      for start in 0...bytes.count - text.count
      where bytes[start] == first && bytes[start..<start + text.count].elementsEqual(text) {
        return start
      }
      return nil
    }
    return found.map { startIndex + $0..<startIndex + $0 + text.count }
  }

  /// The lines, each with its line break.
  public var lines: [ArraySlice<UInt8>] {
    withUnsafeBufferPointer { bytes in
      guard !bytes.isEmpty else { return [] }
      let starts = bytes.lineStarts(in: bytes.indices)
      return zip(starts, starts.dropFirst()).map { self[startIndex + $0..<startIndex + $1] }
    }
  }

  /// The text without spaces and tabs at both ends.
  var trimmedBlank: ArraySlice<UInt8> {
    let rest = drop(while: \.isSpace)
    return rest.dropLast(rest.reversed().prefix(while: \.isSpace).count)
  }

  /// The line break that the text ends with; empty where there is none.
  public var lineBreakAtEnd: ArraySlice<UInt8> {
    withUnsafeBufferPointer { bytes in
      guard !bytes.isEmpty else { return suffix(0) }
      let isPair = bytes.count > 1 && bytes.lineBreak(at: bytes.count - 2) == 2
      return suffix(isPair ? 2 : bytes.lineBreak(at: bytes.count - 1))
    }
  }

  /// The text without the line break that it ends with.
  public var withoutLineBreak: ArraySlice<UInt8> { dropLast(lineBreakAtEnd.count) }
}

extension [UInt8] {
  /// Whether a backslash that is not itself escaped stands before `offset`; linear in the backslashes there.
  public func isEscaped(_ offset: Int) -> Bool {
    withUnsafeBufferPointer { $0.isEscaped(offset) }
  }
}
