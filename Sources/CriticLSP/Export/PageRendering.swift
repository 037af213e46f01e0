/// The text of a page: `ins`, `del` and `mark`, each with the number of its entry, and nothing of the document that could do
/// anything.
struct PageRendering: TreeRendering {
  private let tree: TrackedTree
  /// Whether the document's own HTML is kept.
  private let trustsHTML: Bool
  /// The folder that the names of pictures start from; nil where there is none.
  private let folder: Path?
  /// The entries that have a number in the text already.
  private var numbered: Set<Int> = []

  init(_ tree: TrackedTree, trustsHTML: Bool, in folder: Path?) {
    (self.tree, self.trustsHTML, self.folder) = (tree, trustsHTML, folder)
  }

  /// Renders the document.
  ///
  /// - Parameter warnings: What pandoc warns of is appended.
  /// - Returns: The text in HTML, and the entries that have a place in it.
  /// - Throws: `Platform.Failure` if pandoc fails.
  mutating func html(
    _ warnings: inout [String]
  ) throws(Platform.Failure) -> (text: String, placed: Set<Int>) {
    let blocks = rendered(tree.blocks)
    let html = try Pandoc.run(
      // The identifiers of the document's own headings could be those of the page.
      ["-f", "json", "-t", "html5", "--wrap=none", "--mathml", "--id-prefix=text-"],
      on: tree.json(blocks, []),
      &warnings
    )
    return (String(decoding: html, as: UTF8.self), numbered)
  }

  mutating func inlines(_ content: [PandocNode], in stretch: TrackedStretch) -> [PandocNode] {
    numbers(of: stretch.changes)
      + [.html("<\(stretch.tag)\(data(stretch.changes))>")] + content + [.html("</\(stretch.tag)>")]
  }

  mutating func blocks(_ content: [PandocNode], in stretch: TrackedStretch) -> [PandocNode] {
    let numbers = numbers(of: stretch.changes)
    return (numbers.isEmpty ? [] : [.element("Plain", .list(numbers))])
      + [.rawBlock("html", "<\(stretch.tag) class=\"block\"\(data(stretch.changes))>")]
      + content + [.rawBlock("html", "</\(stretch.tag)>")]
  }

  mutating func highlighted(_ content: [PandocNode], by change: Int) -> [PandocNode] {
    numbers(of: [change])
      + [.html("<mark\(data([change]))>")] + content + [.html("</mark>")]
  }

  mutating func paragraphEnd(_ stretch: TrackedStretch) -> [PandocNode] {
    let said = stretch.kind == .insertion ? "paragraph ends here" : "paragraph ended here"
    return numbers(of: stretch.changes) + [
      .html(
        "<\(stretch.tag) class=\"end\"\(data(stretch.changes)) title=\"\(said)\">¶</\(stretch.tag)>"
      )
    ]
  }

  mutating func comments(on change: Int, isStart: Bool) -> [PandocNode] {
    isStart ? numbers(of: [change]) : []
  }

  /// The numbers of entries that have none in the text yet, as links to the entries.
  private mutating func numbers(of changes: [Int]) -> [PandocNode] {
    changes.filter { numbered.insert($0).inserted }.map { change in
      let entry = tree.changes[change]
      let number = entry.number
      let kind = entry.entry.code.description
      return .html(
        "<a class=\"number\" id=\"place-\(number)\" href=\"#entry-\(number)\" data-change=\"\(number)\""
          + " aria-label=\"\(kind) \(number)\">\(number)</a>"
      )
    }
  }

  private func data(_ changes: [Int]) -> String {
    // What replaces much of a document can belong to a great many.
    let numbers = changes.prefix(8).map { "\(tree.changes[$0].number)" }.joined(separator: " ")
    return " data-change=\"\(numbers)\""
  }

  // MARK: - What the document itself holds

  func adapted(_ element: PandocNode) -> PandocNode {
    guard case .element(let type, let content) = element, var parts = content?.elements else {
      return element
    }
    switch type {
    case "RawInline" where !trustsHTML, "RawBlock" where !trustsHTML:
      guard case .text(let text) = parts.last, parts.first == .text("html") else { return element }
      let isComment = text.hasPrefix("<!--")
      if type == "RawInline" { return .element("Str", .text(isComment ? "" : text)) }
      return isComment
        ? .element("Plain", .list([]))
        : .element("CodeBlock", .list([PandocNode.noAttributes, .text(text)]))
    case "Code", "CodeBlock", "Div", "Span", "Table":
      parts[0] = PageRendering.harmless(parts[0])
      return .element(type, .list(parts))
    case "Header":
      parts[1] = PageRendering.harmless(parts[1])
      return .element(type, .list(parts))
    case "Link":
      parts[0] = PageRendering.harmless(parts[0])
      guard case .text(let target) = parts[2].elements.first, PageRendering.isHarmless(link: target)
      else { return .span(parts[0], parts[1].elements) }
      return .element(type, .list(parts))
    case "Image":
      parts[0] = PageRendering.harmless(parts[0])
      guard case .text(let source) = parts[2].elements.first, let picture = picture(source) else {
        // The page loads nothing.
        return .span(
          PandocNode.attributes(),
          [.element("Str", .text("["))] + parts[1].elements + [.element("Str", .text("]"))]
        )
      }
      parts[2] = .list([.text(picture)] + parts[2].elements.dropFirst())
      return .element(type, .list(parts))
    default: return element
    }
  }

  /// Attributes of which none does anything, and no class means anything to the page.
  private static func harmless(_ attributes: PandocNode) -> PandocNode {
    guard attributes.elements.count == 3 else { return attributes }
    let kept = attributes.elements[2].elements.filter { pair in
      guard case .text(let name) = pair.elements.first else { return false }
      return ["width", "height", "lang", "dir", "startFrom"].contains(name)
    }
    return .list([attributes.elements[0], .list([]), .list(kept)])
  }

  /// Whether a link leads somewhere, and runs nothing.
  private static func isHarmless(link: String) -> Bool {
    let start = link.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard let colon = start.firstIndex(of: ":") else { return true }
    return ["http", "https", "mailto", "ftp", "tel", "doi", "urn"].contains(
      start[..<colon].lowercased()
    )
  }

  /// A picture beside the document, as a URL that holds it; nil for one from elsewhere.
  private func picture(_ source: String) -> String? {
    guard let folder, !source.contains(":"), !source.hasPrefix("/") else { return nil }
    guard let name = Path(PercentEncoding.decoded(source.utf8)) else { return nil }
    let path = folder / name
    guard let length = Platform.length(of: path), length <= PageRendering.longestPicture,
      let bytes = try? Platform.contents(of: path), let type = bytes.pictureType
    else { return nil }
    return "data:\(type);base64,\(bytes.base64)"
  }

  /// In bytes.
  private static let longestPicture = 1 << 25
}

extension TrackedStretch {
  /// The name of its element in HTML.
  fileprivate var tag: String { kind == .insertion ? "ins" : "del" }
}

extension PandocNode {
  /// Inline HTML of ours.
  fileprivate static func html(_ text: String) -> PandocNode { rawInline("html", text) }
}

extension [UInt8] {
  /// The type of a picture, by how it begins; nil for any other file.
  fileprivate var pictureType: String? {
    if starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
    if starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if starts(with: "GIF8".utf8) { return "image/gif" }
    if starts(with: "RIFF".utf8), dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
    let start = String(decoding: prefix(1024), as: UTF8.self)
    return start.contains("<svg") ? "image/svg+xml" : nil
  }

  /// In the letters of base 64 (RFC 4648).
  var base64: String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var written: [UInt8] = []
    written.reserveCapacity((count + 2) / 3 * 4)
    for start in stride(from: 0, to: count, by: 3) {
      let three = self[start..<Swift.min(start + 3, count)]
      let bits = (0..<3).reduce(0) {
        $0 << 8 | Int(start + $1 < three.endIndex ? self[start + $1] : 0)
      }
      for index in 0..<4 {
        written.append(
          index <= three.count ? letters[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "=")
        )
      }
    }
    return String(decoding: written, as: UTF8.self)
  }
}
