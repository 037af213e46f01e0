/// Whether the front matter asks for tracking with `criticmark: {tracking: true}`; see ``frontMatterValue(of:in:)``.
public func frontMatterAsksForTracking(_ bytes: [UInt8]) -> Bool {
  frontMatterValue(of: "tracking", in: bytes)?.lowercased() == "true"
}

/// The value of a member of `criticmark` in the front matter, without quotation marks: in YAML's flow or block form, in a
/// table of TOML, or in an object of JSON.
///
/// Linear in the front matter.
///
/// - Parameters:
///   - member: The name of the member.
///   - bytes: The text.
/// - Returns: The value; nil if there is none, or if it is a mapping or a list.
public func frontMatterValue(of member: String, in bytes: [UInt8]) -> String? {
  guard let front = bytes.withUnsafeBufferPointer({ FrontMatter(of: $0) }) else { return nil }
  var values = FrontMatterValues(front, of: bytes)
  return values.read()[["criticmark", member]]
}

/// The lines of `criticmark` in front matter in YAML, with what belongs to it; empty if there are none.
///
/// Linear in the front matter.
public func frontMatterOwnLines(of bytes: [UInt8]) -> Range<Int> {
  guard let front = bytes.withUnsafeBufferPointer({ FrontMatter(of: $0) }) else { return 0..<0 }
  var values = FrontMatterValues(front, of: bytes)
  _ = values.read()
  return values.own ?? 0..<0
}

/// Finds the values in front matter: all in TOML and JSON, and in YAML those of `criticmark`.
///
/// What it does not understand it skips, so that no error in the metadata keeps it from the rest.
private struct FrontMatterValues {
  private let format: FrontMatter.Format
  private let bytes: ArraySlice<UInt8>
  private var at: Int
  /// The values by their paths; of two with one path the first counts.
  private var found: [[String]: String] = [:]
  /// The lines of the first key `criticmark` of YAML, with the comments and blank lines after them.
  private(set) var own: Range<Int>?

  /// Mappings in more mappings are not read.
  private static let deepest = 16

  init(_ front: FrontMatter, of text: [UInt8]) {
    format = front.format
    bytes = text[front.range]
    at = byteOrderMarkLength(bytes)
    // An object of JSON may begin on the first line.
    if next != Ascii.open { passLine() }
  }

  mutating func read() -> [[String]: String] {
    switch format {
    case .yaml: readYAML()
    case .toml: readTOML()
    case .json:
      passBlank()
      readValue(of: [])
    }
    return found
  }

  // MARK: Lines

  private mutating func readYAML() {
    // How far the members of `criticmark` are indented: 0 until the first one has come, nil outside.
    var members: Int?
    var isOwn = false
    while at < bytes.endIndex {
      let start = at
      passSpace()
      let indent = at - start
      let isMember = members.map { indent > 0 && ($0 == 0 || $0 == indent) } ?? false
      if let next, next != Ascii.hash, !next.isLineBreak {
        if isMember { members = indent }
        if indent == 0 { (members, isOwn) = (nil, false) }
        if next == Ascii.open, indent == 0 || isMember {
          readValue(of: isMember ? ["criticmark"] : [])
        } else if indent == 0 || isMember, let name = key().first {
          if isMember {
            readValue(of: ["criticmark", name], isInFlow: false)
          } else if name == "criticmark" {
            isOwn = own == nil
            var line = self
            line.passLine()
            own = own ?? start..<line.at
            passProperties()
            if isLineOver { members = 0 } else { readValue(of: [name], isInFlow: false) }
          }
        }
      }
      passLine()
      // A mapping that is not closed takes all.
      if isOwn, at < bytes.endIndex, let first = own?.lowerBound { own = first..<at }
    }
  }

  private mutating func readTOML() {
    var table: [String] = []
    while at < bytes.endIndex {
      passBlank()
      if pass(Ascii.bracket) {
        // A table in a list is none of ours.
        table = next == Ascii.bracket ? ["[]"] : names(before: Ascii.closeBracket)
      } else {
        let names = key()
        if !names.isEmpty { readValue(of: table + names, isInFlow: false) }
      }
      passLine()
    }
  }

  // MARK: Values

  /// Reads what stands here as the value of a path: a mapping or a list with all that is in it, or a scalar.
  private mutating func readValue(of path: [String], isInFlow: Bool = true) {
    passProperties()
    let isDeep = path.count >= FrontMatterValues.deepest
    if !isDeep, pass(Ascii.open) {
      readItems(until: Ascii.close) { scanner in
        let names = scanner.key()
        if names.isEmpty { return }
        scanner.readValue(of: path + names)
      }
    } else if !isDeep, pass(Ascii.bracket) {
      readItems(until: Ascii.closeBracket) { $0.readValue(of: path + ["[]"]) }
    } else {
      let value = string() ?? plain(isInFlow)
      found[path] = found[path] ?? value
    }
  }

  private mutating func readItems(until end: UInt8, _ body: (inout FrontMatterValues) -> Void) {
    while true {
      passBlank()
      if next == nil || pass(end) { return }
      let start = at
      body(&self)
      if at == start { at += 1 }
      passBlank()
      _ = pass(UInt8(ascii: ","))
    }
  }

  /// The name before a colon or an equals sign, or the names of TOML, between which there are full stops; none if there is
  /// none.
  private mutating func key() -> [String] {
    if format == .toml { return names(before: Ascii.equals) }
    let quoted = string()
    var name = quoted ?? ""
    let start = at
    while quoted == nil, let next, !next.isLineBreak, !isColon, !"{},[]".utf8.contains(next) {
      at += 1
    }
    if quoted == nil { name = String(decoding: bytes[start..<at].trimmedBlank, as: UTF8.self) }
    passSpace()
    return pass(Ascii.colon) ? [name] : []
  }

  /// Whether the colon that ends a name is here: a blank follows it, or what cannot be part of a name.
  private var isColon: Bool {
    guard next == Ascii.colon else { return false }
    return at + 1 == bytes.endIndex || bytes[at + 1].isWhiteSpace
      || "{},[]".utf8.contains(bytes[at + 1])
  }

  /// The names of TOML up to a sign; none if it does not follow them.
  private mutating func names(before end: UInt8) -> [String] {
    var names: [String] = []
    repeat {
      passSpace()
      let start = at
      let quoted = string()
      while quoted == nil, let next,
        next.isLetter || next == UInt8(ascii: "_") || next == Ascii.minus
      { at += 1 }
      if at == start { return [] }
      names.append(quoted ?? String(decoding: bytes[start..<at], as: UTF8.self))
      passSpace()
    } while pass(Ascii.period)
    return pass(end) ? names : []
  }

  /// The text between quotation marks; nil if there are none here.
  private mutating func string() -> String? {
    guard let quote = next, quote == Ascii.quote || quote == UInt8(ascii: "'") else { return nil }
    let triple = [quote, quote, quote]
    let isLong = format == .toml && bytes[at...].starts(with: triple)
    let escapes = quote == Ascii.quote
    at += isLong ? 3 : 1
    let start = at
    // In YAML two apostrophes stand for one.
    let doubles = format == .yaml && !escapes
    while let next {
      let isPair = doubles && bytes[at...].starts(with: triple.dropLast())
      if !isPair, isLong ? bytes[at...].starts(with: triple) : next == quote { break }
      at += isPair || escapes && next == Ascii.backslash ? 2 : 1
    }
    let text = String(decoding: bytes[start..<min(at, bytes.endIndex)], as: UTF8.self)
    at = min(at + (isLong ? 3 : 1), bytes.endIndex)
    return escapes ? text.unescaped : doubles ? text.replacing("''", with: "'") : text
  }

  /// A scalar without quotation marks, up to a comment, the end of the line, and in a mapping or a list what ends it.
  private mutating func plain(_ isInFlow: Bool) -> String {
    let start = at
    while let next, !next.isLineBreak, !isComment, !isInFlow || !",]}".utf8.contains(next) {
      at += 1
    }
    return String(decoding: bytes[start..<at].trimmedBlank, as: UTF8.self)
  }

  // MARK: Signs

  private var next: UInt8? { at < bytes.endIndex ? bytes[at] : nil }

  /// Whether a comment begins here: in YAML behind a blank.
  private var isComment: Bool {
    guard next == Ascii.hash, format != .json else { return false }
    guard format == .yaml, at > bytes.startIndex else { return true }
    return bytes[at - 1].isWhiteSpace
  }

  /// Whether nothing but blanks and a comment follows on the line.
  private var isLineOver: Bool {
    var rest = self
    rest.passSpace()
    return rest.next?.isLineBreak != false || rest.isComment
  }

  private mutating func pass(_ sign: UInt8) -> Bool {
    guard next == sign else { return false }
    at += 1
    return true
  }

  private mutating func passSpace() {
    while let next, next.isSpace { at += 1 }
  }

  /// Skips blanks, and in YAML a tag and an anchor: `!!map &a`.
  private mutating func passProperties() {
    passSpace()
    while format == .yaml, next == UInt8(ascii: "!") || next == UInt8(ascii: "&") {
      while let next, !next.isWhiteSpace, !"{},[]".utf8.contains(next) { at += 1 }
      passSpace()
    }
  }

  /// Skips to the next line.
  private mutating func passLine() {
    while let next, !next.isLineBreak { at += 1 }
    while let next, next.isLineBreak { at += 1 }
  }

  /// Skips blanks, line ends and comments.
  private mutating func passBlank() {
    while let next {
      if next.isWhiteSpace {
        at += 1
      } else if isComment {
        passLine()
      } else {
        return
      }
    }
  }
}
