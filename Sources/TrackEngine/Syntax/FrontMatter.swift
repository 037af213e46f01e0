/// The metadata that a text begins with.
///
/// Three forms are known, each after a byte order mark if there is one:
/// - a line of `---`, not followed by a blank line, up to the next line of `---` or `...`: YAML; the first line may name
///   the format, as in `---toml`,
/// - a line of `+++` up to the next one: TOML,
/// - a JSON object whose braces stand alone on their lines.
struct FrontMatter {
  /// A language that metadata is written in.
  enum Format {
    case yaml
    case toml
    case json
  }

  var format: Format
  /// From the beginning of the text to after the line end of the last line.
  var range: Range<Int>

  /// The front matter of a text; nil if there is none.
  ///
  /// Linear.
  init?(of bytes: Bytes) {
    guard let opening = FrontMatterOpening(of: bytes), opening.isFollowed(in: bytes),
      let end = opening.end(in: bytes)
    else { return nil }
    format = opening.format
    range = 0..<end
  }

  /// Whether a text begins with the first line of front matter, and what follows as far as it goes can be metadata.
  ///
  /// - Parameter bytes: The text up to a place where the rest may still be typed.
  /// - Returns: Whether it does.
  static func isBegun(in bytes: Bytes) -> Bool {
    guard let opening = FrontMatterOpening(of: bytes) else { return false }
    let rest = Bytes(rebasing: bytes[opening.content...])
    return opening.isFollowed(in: bytes) || rest.allSatisfy(\.isWhiteSpace)
  }
}

/// The length of the byte order mark that some programs write at the beginning of a UTF-8 text; 0 if there is none.
func byteOrderMarkLength(_ bytes: some Sequence<UInt8>) -> Int {
  bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
}

/// The first line of front matter.
private struct FrontMatterOpening {
  var format: FrontMatter.Format
  /// The byte that the line begins with.
  var sign: UInt8
  /// Where the second line begins.
  var content: Int

  init?(of bytes: Bytes) {
    let start = byteOrderMarkLength(bytes)
    guard start < bytes.count else { return nil }
    sign = bytes[start]
    content = bytes.lineEnd(after: start)
    var end = content
    while end > start, bytes[end - 1].isWhiteSpace { end -= 1 }
    switch String(decoding: bytes[start..<end], as: UTF8.self) {
    case "---", "---yaml": format = .yaml
    case "---toml", "+++": format = .toml
    case "---json", "{": format = .json
    default: return nil
    }
  }

  /// Whether the second line can be one of metadata: after a rule a blank line comes, and an object begins with a name.
  func isFollowed(in bytes: Bytes) -> Bool {
    switch sign {
    case Ascii.minus: format != .yaml || !bytes.isBlank(lineAt: content)
    case Ascii.open:
      bytes.blankEnd(from: content) < bytes.count
        && bytes[bytes.blankEnd(from: content)] == Ascii.quote
    default: true
    }
  }

  /// Where the front matter ends, after the line that closes it; nil if nothing does.
  func end(in bytes: Bytes) -> Int? {
    var search = FrontMatterEnd(of: self)
    search.add(bytes, from: content)
    return search.end ?? search.candidate
  }

  fileprivate func isClosing(_ line: Int, in bytes: Bytes) -> Bool {
    switch sign {
    case Ascii.open: bytes.isLine("}", at: line)
    case Ascii.plus: bytes.isLine("+++", at: line)
    default: bytes.isLine("---", at: line) || format == .yaml && bytes.isLine("...", at: line)
    }
  }
}

/// Looks for the end of front matter, line by line.
private struct FrontMatterEnd {
  private let opening: FrontMatterOpening
  /// The end, once it is found.
  private(set) var end: Int?
  /// What it is if the braces of an object are not balanced, as while it is edited.
  private(set) var candidate: Int?
  private var depth = 1
  /// The length of the text so far.
  private var count = 0

  init(of opening: FrontMatterOpening) {
    self.opening = opening
  }

  /// Looks at the next lines of the text, from an offset of them on.
  mutating func add(_ bytes: Bytes, from start: Int) {
    var line = start
    let isObject = opening.sign == Ascii.open
    while line < bytes.count, end == nil {
      let next = bytes.lineEnd(after: line)
      if isObject { bytes.count(bracesOfLine: line..<next, in: &depth) }
      if opening.isClosing(line, in: bytes) {
        if isObject, depth > 0 { candidate = candidate ?? count + next } else { end = count + next }
      }
      line = next
    }
    count += bytes.count
  }
}

/// Looks for the front matter of a text that comes in parts, each of whole lines.
public struct FrontMatterSearch {
  /// The text so far, until it has two lines.
  private var beginning: [UInt8] = []
  private var search: FrontMatterEnd?
  /// Whether the rest of the text does not matter.
  public private(set) var isDecided = false

  /// Begins a text.
  public init() {}

  /// Where the front matter ends, as far as the text has come; 0 if there is none.
  public var end: Int {
    if search == nil { return frontMatter(of: beginning).upperBound }
    return search?.end ?? search?.candidate ?? 0
  }

  /// Looks at the next part; linear in it.
  public mutating func add(_ part: [UInt8]) {
    guard !isDecided else { return }
    if search != nil {
      part.withUnsafeBufferPointer { search?.add($0, from: 0) }
    } else {
      beginning += part
      guard beginning.lineBreakCount > 1 else { return }
      beginning.withUnsafeBufferPointer { bytes in
        guard let opening = FrontMatterOpening(of: bytes), opening.isFollowed(in: bytes) else {
          isDecided = true
          return
        }
        var begun = FrontMatterEnd(of: opening)
        begun.add(bytes, from: opening.content)
        search = begun
      }
    }
    isDecided = isDecided || search?.end != nil
  }
}

extension Bytes {
  /// Whether a line holds a text and nothing but white space behind it.
  fileprivate func isLine(_ text: StaticString, at line: Int) -> Bool {
    text.withUTF8Buffer { text in
      self[line...].starts(with: text) && isLineEnd(blankEnd(from: line + text.count))
    }
  }

  /// Counts the braces of a line of JSON outside strings, opening ones up and closing ones down.
  fileprivate func count(bracesOfLine line: Range<Int>, in depth: inout Int) {
    var isInString = false
    var at = line.lowerBound
    while at < line.upperBound {
      switch self[at] {
      case Ascii.quote: isInString.toggle()
      case Ascii.backslash where isInString: at += 1
      case Ascii.open where !isInString: depth += 1
      case Ascii.close where !isInString: depth -= 1
      default: break
      }
      at += 1
    }
  }
}

/// The range of the front matter at the beginning of a text, with the lines that begin and end it and a byte order mark
/// before it; empty where there is none.
///
/// Linear.
public func frontMatter(of bytes: [UInt8]) -> Range<Int> {
  bytes.withUnsafeBufferPointer { FrontMatter(of: $0)?.range ?? 0..<0 }
}

extension Text {
  /// The range of the text's front matter; see ``frontMatter(of:)``.
  ///
  /// Linear in the front matter, or in the text if the front matter never closes.
  public var frontMatter: Range<Int> {
    var length = min(count, 4096)
    while true {
      let bytes = Array(self[0..<length])
      let range = TrackEngine.frontMatter(of: bytes)
      // A closing line at the end of a part may go on in the next part.
      if !range.isEmpty, range.upperBound < length || length == count { return range }
      guard length < count, bytes.withUnsafeBufferPointer(FrontMatter.isBegun) else { return range }
      length = min(count, length * 4)
    }
  }
}
