/// A delimiter as spelled in the text, before it is known whether it counts.
struct Delimiter {
  /// What a spelling can stand for; the kind of mark is ``Delimiter/mark``.
  enum Role: UInt8 {
    case opener
    case closer
    case arrow
  }

  var offset: Int
  var role: Role
  var mark: MarkKind
  /// An opener directly before a `}`: inside a mark of its kind, it is a brace and a closer.
  var beforeBrace = false
  /// The length of the attributes of another tool between an opener's brace and its signs.
  var attributesLength = 0

  var end: Int { offset + (role == .arrow ? 2 : 3 + attributesLength) }
  var range: Range<Int> { offset..<end }
}

/// Splits a text into the tokens that its reading depends on: delimiters, and runs of backticks and tildes.
///
/// Delimiters can overlap (`{++}`); the ``Parser`` decides which of them count. An opener spelled after a backslash
/// or a `^` is no delimiter, nor is one that begins a group of LaTeX; see ``Swift/UnsafeBufferPointer/group(_:)``.
struct Lexer {
  enum Token {
    case delimiter(Delimiter)
    /// A run of backticks, or of at least three tildes, which can begin and end code; in another language than Markdown
    /// what can do so there.
    case run(Range<Int>)
  }

  /// The stretches of text by which it was told whether a group begins, by where they begin.
  private(set) var groups: [Range<Int>] = []
  private let bytes: Bytes
  private let language: Language
  /// The offset up to which the text has been scanned.
  private var at: Int
  /// The end of the last escaped opener, which is text and cannot be part of a closer either.
  private var blocked = 0
  /// The offset of the `~>` that ends the run returned last.
  private var arrow = -1

  init(_ bytes: Bytes, _ language: Language, from start: Int = 0) {
    self.bytes = bytes
    self.language = language
    at = start
  }

  /// Continues at another offset.
  mutating func seek(_ offset: Int) {
    at = offset
    arrow = -1
  }

  /// The next delimiter; nil at the end of the text.
  mutating func nextDelimiter() -> Delimiter? {
    guard case .delimiter(let delimiter)? = next(runs: false) else { return nil }
    return delimiter
  }

  /// The next run; nil at the end of the text.
  mutating func nextRun() -> Range<Int>? {
    guard case .run(let run)? = next(delimiters: false) else { return nil }
    return run
  }

  /// The next token; nil at the end of the text.
  ///
  /// Skips plain text sixteen bytes at a time.
  @inline(__always)
  mutating func next() -> Token? { next(delimiters: true) }

  @inline(__always)
  private mutating func next(delimiters: Bool = true, runs: Bool = true) -> Token? {
    if delimiters, arrow >= 0 { return arrowToken() }
    while true {
      at =
        language == .markdown ? bytes.special(from: at) : bytes.special(from: at, in: language)
      guard at < bytes.count else { return nil }
      let start = at
      at += 1
      switch bytes[start] {
      case Ascii.open:
        guard delimiters, let opener = bytes.openerDelimiter(at: start) else { continue }
        if bytes.isText(openerAt: start) {
          blocked = opener.end
          continue
        }
        if bytes.mayBeginGroup(opener) {
          let group = bytes.group(opener)
          groups.append(start..<group.reach)
          if group.isText {
            // In a mark of its kind, `{++}` is a brace and a closer.
            if !opener.beforeBrace { blocked = opener.end }
            continue
          }
        }
        return .delimiter(opener)
      case Ascii.close:
        guard delimiters, start - 2 >= blocked, let mark = bytes.closer(at: start - 2) else {
          continue
        }
        return .delimiter(Delimiter(offset: start - 2, role: .closer, mark: mark))
      case Ascii.backtick:
        guard runs else { continue }
        at = start + bytes.run(at: start)
        return .run(start..<at)
      case Ascii.tilde:
        at = start + bytes.run(at: start)
        if delimiters, at - 1 >= blocked, bytes.arrow(at: at - 1) { arrow = at - 1 }
        if runs, at - start > 2, language == .markdown { return .run(start..<at) }
        if arrow >= 0 { return arrowToken() }
        fallthrough
      default:
        guard language != .markdown, language.isCodeSign(bytes[start]) else { continue }
        at = start + bytes.run(at: start)
        guard runs, let run = bytes.codeRun(at: start, repeatedUpTo: at, in: language) else {
          continue
        }
        at = run.upperBound
        return .run(run)
      }
    }
  }

  private mutating func arrowToken() -> Token {
    defer { arrow = -1 }
    return .delimiter(Delimiter(offset: arrow, role: .arrow, mark: .substitution))
  }
}

extension Bytes {
  /// The opener spelled at an offset, whole: with another tool's attributes.
  func openerDelimiter(at offset: Int) -> Delimiter? {
    var length = 0
    var kind = opener(at: offset)
    if kind == nil, let attributes = attributesLength(at: offset + 1) {
      length = attributes
      kind = openerSigns(at: offset + 1 + attributes)
    }
    guard let kind else { return nil }
    var opener = Delimiter(offset: offset, role: .opener, mark: kind, attributesLength: length)
    opener.beforeBrace = opener.end < count && self[opener.end] == Ascii.close
    return opener
  }

  /// Every delimiter spelled in the text, by offset.
  ///
  /// Linear.
  var delimiters: [Delimiter] {
    var lexer = Lexer(self, .markdown)
    var found: [Delimiter] = []
    while let delimiter = lexer.nextDelimiter() { found.append(delimiter) }
    return found
  }

  /// Every run that can begin or end code, by offset.
  ///
  /// Linear.
  func codeRuns(_ language: Language) -> [Range<Int>] {
    var lexer = Lexer(self, language)
    var found: [Range<Int>] = []
    while let run = lexer.nextRun() { found.append(run) }
    return found
  }
}

extension [UInt8] {
  /// Every delimiter spelled in the text, by offset; linear.
  var delimiters: [Delimiter] { withUnsafeBufferPointer(\.delimiters) }
}
