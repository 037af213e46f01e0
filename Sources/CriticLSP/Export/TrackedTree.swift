import TrackEngine

/// A document as pandoc's tree, in which changes, highlights and comments are tracked.
struct TrackedTree {
  /// The list of changes, by which they are numbered.
  let changes: [ListedChange]
  /// What each comment says, by the index of its change.
  let threads: [[Remark]]
  /// The version of the tree's format, the metadata and the blocks.
  private(set) var version: PandocNode
  /// What pandoc warned of while it read the document, once each.
  private(set) var warnings: [String] = []
  var metadata: [PandocNode.Member]
  var blocks: [PandocNode]

  /// A comment.
  struct Remark {
    var author: String?
    var date: String?
    /// The text behind the author and the date.
    var text: String
  }

  /// How often the tree is made anew because what is tracked in one paragraph has changed how another one reads.
  private static let mostAttempts = 4

  /// Reads a document through pandoc.
  ///
  /// - Throws: `Platform.Failure` if pandoc is not there or cannot read the document.
  init(_ document: [UInt8]) throws(Platform.Failure) {
    let markup = Array(String(decoding: Sentinel.removed(from: document), as: UTF8.self).utf8)
    let reading = Reading(of: markup, as: Pandoc.language)
    changes = ListedChange.all(of: markup, as: Pandoc.language)
    let footnotes = Footnotes(of: markup)
    threads = reading.changes.map { change in
      change.remarks(in: markup).map { Remark($0, in: markup, footnotes) }
    }
    let cleanText = reading.export(.clean, of: markup)
    var warnings: [String] = []
    metadata = try Self.metadata(of: cleanText, &warnings)
    let clean = try Self.tree(cleanText, &warnings)
    version = clean["pandoc-api-version"] ?? .list([])
    blocks = clean["blocks"]?.elements ?? []
    self.warnings = warnings
    guard !changes.isEmpty else { return }
    let text = TrackedText(markup, reading)
    let lines = TrackedLines(text)
    var others: [String] = []
    let original = try Self.blocks(of: text.original, &others)
    self.warnings = warnings.withWarnings(ofOriginal: others)
    var plain = lines.fencedChunks
    for attempt in 1...Self.mostAttempts {
      let (source, signals) = lines.source(plain: plain)
      var lifting = Lifting(signals)
      // What is warned of in a text with sentinels may be because of these.
      var ignored: [String] = []
      let union = lifting.lift(blocks: try Self.blocks(of: source, &ignored))
      var merging = TreeMerging()
      var gaps = FilledGaps(
        merging.merge(union, blocks, original),
        merging.gaps,
        threads,
        reading.changes,
        front: frontMatter(of: markup).upperBound
      )
      let more = gaps.suspects(among: lines.chunks, known: plain)
      guard !more.isEmpty, attempt < Self.mostAttempts else {
        gaps.fill()
        blocks = gaps.blocks.identified(as: blocks)
        return
      }
      plain.formUnion(more)
    }
  }

  /// The blocks that pandoc makes of Markdown without marks; what it warns of is appended.
  static func blocks(
    of markdown: [UInt8],
    _ warnings: inout [String]
  ) throws(Platform.Failure) -> [PandocNode] {
    try tree(markdown, &warnings)["blocks"]?.elements ?? []
  }

  /// The tree that pandoc makes of Markdown, without its front matter: a line of dashes anywhere else in the text begins none.
  private static func tree(
    _ markdown: [UInt8],
    _ warnings: inout [String]
  ) throws(Platform.Failure) -> PandocNode {
    let text = Array(markdown[frontMatter(of: markdown).upperBound...])
    return try PandocNode.tree(
      of: text,
      in: "markdown-smart-yaml_metadata_block+lists_without_preceding_blankline",
      &warnings
    )
  }

  /// The metadata that pandoc reads in the front matter of Markdown, which is YAML; it knows no other.
  private static func metadata(
    of markdown: [UInt8],
    _ warnings: inout [String]
  ) throws(Platform.Failure) -> [PandocNode.Member] {
    let front = Array(markdown[frontMatter(of: markdown)])
    let first = front.prefix { $0 != 0x0A && $0 != 0x0D }
    guard first.reversed().prefix(3).elementsEqual("---".utf8) else { return [] }
    let tree = try PandocNode.tree(of: front, in: "markdown-smart", &warnings)
    guard case .members(let members) = tree["meta"] else { return [] }
    return members
  }
}

extension TrackedTree.Remark {
  fileprivate init(_ mark: Mark, in markup: [UInt8], _ footnotes: Footnotes) {
    let head = CommentHead(of: markup[mark.content])
    let made = mark.attribution(in: markup, footnotes)
    author = made.author
    date = made.date
    text = String(decoding: markup[head.text.lowerBound..<mark.content.upperBound], as: UTF8.self)
  }
}

extension TrackedText {
  /// The original text.
  fileprivate var original: [UInt8] {
    bytes.indices.filter { has($0, .original) }.map { bytes[$0] }
  }
}

extension [PandocNode] {
  /// The blocks, with the identifiers that the headings of the clean text have.
  ///
  /// - Parameter clean: The blocks of the clean text.
  /// - Returns: The blocks; headings that the clean text does not have are without one.
  fileprivate func identified(as clean: [PandocNode]) -> [PandocNode] {
    var attributes: [PandocNode] = []
    for block in clean {
      block.visit { node in
        if case .element("Header", let content?) = node { attributes.append(content.elements[1]) }
      }
    }
    var next = attributes[...]
    let dropping = Dropping(kind: .deletion)
    func identified(_ node: PandocNode, isKept: Bool) -> PandocNode {
      if case .tracked(let stretch, let content) = node {
        let isKept = isKept && stretch.kind == .insertion
        return .tracked(stretch, content.map { identified($0, isKept: isKept) })
      }
      guard case .element("Header", let content) = node, var parts = content?.elements else {
        return node.mappingParts { identified($0, isKept: isKept) }
      }
      let isThere = isKept && !dropping.nodes(of: [node]).isEmpty
      parts[1] = isThere ? next.popFirst() ?? parts[1].withoutID : parts[1].withoutID
      return .element("Header", .list(parts))
    }
    return map { identified($0, isKept: true) }
  }
}
