/// A link in a text.
struct Link: Placed, Equatable {
  /// The range to click, in offsets of the text.
  var range: Range<Int>
  /// A URI.
  var target: String
}

extension Link {
  /// The links in a comment: web and mail addresses, and names of Markdown files, which are resolved relative
  /// to the document.
  ///
  /// - Parameters:
  ///   - bytes: The text that holds the comment.
  ///   - range: The comment's content.
  ///   - document: The document's URI.
  /// - Returns: The links in the order of the text; linear in the comment.
  static func links(in bytes: [UInt8], _ range: Range<Int>, of document: String) -> [Link] {
    var finder = LinkFinder(bytes: bytes, end: range.upperBound, document: document)
    finder.find(from: range.lowerBound)
    return finder.links
  }
}

private struct LinkFinder {
  let bytes: [UInt8]
  let end: Int
  let document: String
  private(set) var links: [Link] = []

  init(bytes: [UInt8], end: Int, document: String) {
    self.bytes = bytes
    self.end = end
    self.document = document
  }

  mutating func find(from start: Int) {
    var at = start
    while at < end {
      if isBeforeDestination(at) {
        let destination = destination(at + 2)
        add(link(exactly: destination))
        at = destination.upperBound
        continue
      }
      let separator = separatorLength(at)
      if separator > 0 {
        at += separator
        continue
      }
      let word = word(at)
      // In `[text](target)` the text is not a link itself.
      if !isBeforeDestination(word.upperBound) { add(link(somewhereIn: word)) }
      at = word.upperBound
    }
  }

  private mutating func add(_ link: Link?) {
    if let link { links.append(link) }
  }
}

// MARK: - Candidates

extension LinkFinder {
  /// Whether `](` is at an offset.
  private func isBeforeDestination(_ offset: Int) -> Bool {
    offset + 1 < end && bytes[offset] == UInt8(ascii: "]") && bytes[offset + 1] == UInt8(ascii: "(")
  }

  /// The destination of a Markdown link at an offset; it may be in `<>`.
  private func destination(_ start: Int) -> Range<Int> {
    if start < end, bytes[start] == UInt8(ascii: "<") {
      let close = bytes[start..<end].firstIndex { $0 == UInt8(ascii: ">") || $0 == 0x0A }
      return start + 1..<(close ?? end)
    }
    var at = start
    var depth = 0
    while at < end, bytes[at] > 0x20 {
      if bytes[at] == UInt8(ascii: "(") { depth += 1 }
      if bytes[at] == UInt8(ascii: ")") { depth -= 1 }
      if depth < 0 { break }
      at += 1
    }
    return start..<at
  }

  /// The range from an offset to the next separator or destination.
  private func word(_ start: Int) -> Range<Int> {
    var at = start
    while at < end, separatorLength(at) == 0, at == start || !isBeforeDestination(at) { at += 1 }
    return start..<at
  }

  /// The length of the character at an offset if it cannot be in a link: white space, control characters, some
  /// punctuation; 0 otherwise.
  private func separatorLength(_ offset: Int) -> Int {
    let byte = bytes[offset]
    guard byte >= 0x80 else {
      return byte <= 0x20 || byte == 0x7F || "<>\"`|{}\\^".utf8.contains(byte) ? 1 : 0
    }
    func next(_ distance: Int) -> UInt8 { offset + distance < end ? bytes[offset + distance] : 0 }
    switch (byte, next(1)) {
    // U+00A0, « and »
    case (0xC2, 0xA0), (0xC2, 0xAB), (0xC2, 0xBB): return 2
    // U+2000 to U+206F, general punctuation, and U+3000 to U+303F, CJK punctuation
    case (0xE2, 0x80), (0xE3, 0x80): return 3
    case (0xE2, 0x81) where next(2) <= 0xAF: return 3
    // U+FF01 to U+FF0F, ！ to ／, and U+FF1A to U+FF20, ： to ＠
    case (0xEF, 0xBC) where (0x81...0x8F).contains(next(2)) || (0x9A...0xA0).contains(next(2)):
      return 3
    default: return 0
    }
  }
}

// MARK: - Targets

extension LinkFinder {
  /// The link for a destination.
  private func link(exactly range: Range<Int>) -> Link? {
    guard !range.isEmpty else { return nil }
    if let scheme = schemeLength(range.lowerBound, before: range.upperBound) {
      return address(range, scheme)
    }
    return file(range)
  }

  /// The link in a word, without the punctuation around it.
  private func link(somewhereIn word: Range<Int>) -> Link? {
    for start in word
    where start == word.lowerBound || !PercentEncoding.isLetterOrDigit(bytes[start - 1]) {
      guard let scheme = schemeLength(start, before: word.upperBound) else { continue }
      return address(trimmed(start..<word.upperBound), scheme)
    }
    let start = word.first { !"([*_'~".utf8.contains(bytes[$0]) } ?? word.upperBound
    return file(trimmed(start..<word.upperBound))
  }

  private func schemeLength(_ start: Int, before limit: Int) -> Int? {
    for scheme in ["http://", "https://", "mailto:"] where start + scheme.utf8.count <= limit {
      let spelled = bytes[start..<start + scheme.utf8.count]
      if zip(spelled, scheme.utf8).allSatisfy({ ($0 | 0x20) == ($1 | 0x20) }) {
        return scheme.utf8.count
      }
    }
    return nil
  }

  /// A range without trailing punctuation; closing brackets that are opened in the range stay.
  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var parentheses = surplus(of: ")", over: "(", in: range)
    var brackets = surplus(of: "]", over: "[", in: range)
    var end = range.upperBound
    loop: while end > range.lowerBound {
      switch bytes[end - 1] {
      case UInt8(ascii: ")") where parentheses > 0: parentheses -= 1
      case UInt8(ascii: "]") where brackets > 0: brackets -= 1
      case let last where ".,;:!?'*_~".utf8.contains(last): break
      default: break loop
      }
      end -= 1
    }
    return range.lowerBound..<end
  }

  private func surplus(
    of close: Unicode.Scalar,
    over open: Unicode.Scalar,
    in range: Range<Int>
  ) -> Int {
    bytes[range].reduce(0) { surplus, byte in
      surplus + (byte == UInt8(ascii: close) ? 1 : byte == UInt8(ascii: open) ? -1 : 0)
    }
  }

  /// The link for a web or mail address.
  private func address(_ range: Range<Int>, _ scheme: Int) -> Link? {
    let rest = bytes[range].dropFirst(scheme)
    guard let first = rest.first else { return nil }
    if bytes[range.lowerBound + scheme - 1] == UInt8(ascii: ":") {
      guard let at = rest.firstIndex(of: UInt8(ascii: "@")), at > rest.startIndex,
        at + 1 < rest.endIndex
      else { return nil }
    } else if !PercentEncoding.isLetterOrDigit(first), first < 0x80, first != UInt8(ascii: "[") {
      return nil
    }
    return Link(range: range, target: encoded(bytes[range]))
  }

  /// The link for a Markdown file, relative to the document.
  private func file(_ range: Range<Int>) -> Link? {
    let path = bytes[range].prefix { $0 != UInt8(ascii: "#") }
    let fragment = bytes[path.endIndex..<range.upperBound]
    let name = path.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed().map { $0 }
    guard Markdown.isMarkdown(file: name),
      path.first != UInt8(ascii: "/"),
      !path.contains(where: { ":@?".utf8.contains($0) }),
      let target = resolved(encoded(path))
    else { return nil }
    return Link(range: range, target: target + encoded(fragment))
  }

  /// A path relative to the document as a URI; nil if the document's URI has no path.
  private func resolved(_ path: String) -> String? {
    let base = document.prefix { $0 != "?" && $0 != "#" }
    guard let colon = base.firstIndex(of: ":") else { return nil }
    var root = base.index(after: colon)
    if base[root...].hasPrefix("//") {
      root = base[base.index(root, offsetBy: 2)...].firstIndex(of: "/") ?? base.endIndex
    }
    guard base[root...].hasPrefix("/") else { return nil }
    var segments = base[root...].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .dropLast()
    for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
      switch segment {
      case ".": break
      case "..": _ = segments.popLast()
      default: segments.append(segment)
      }
    }
    return base[..<root] + "/" + segments.joined(separator: "/")
  }

  /// Bytes with the escapes that a URI needs; existing ones stay.
  private func encoded(_ bytes: ArraySlice<UInt8>) -> String {
    PercentEncoding.encoded(bytes, leaving: ":/?#[]@!$&'()*+,;=", keepsEscapes: true)
  }
}
