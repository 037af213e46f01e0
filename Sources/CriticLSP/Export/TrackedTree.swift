import JSONRPC
import TrackEngine

/// A document as pandoc's tree, in which changes, highlights and comments are tracked.
struct TrackedTree {
  /// The list of changes, by which they are numbered.
  let changes: [ListedChange]
  /// What each comment says, by the index of its change.
  let threads: [[Remark]]
  /// The version of the tree's format, the metadata and the blocks.
  private(set) var version: PandocNode
  var metadata: [PandocNode.Member]
  var blocks: [PandocNode]

  /// A comment.
  struct Remark {
    var author: String?
    var date: String?
    /// The text behind the author and the date.
    var text: String
    /// Whether it says that what the thread is about is settled.
    var isResolved: Bool
  }

  /// How often the tree is made anew because what is tracked in one paragraph has changed how another one reads.
  private static let mostAttempts = 4
  /// How deeply the tree's JSON may be nested.
  private static let deepest = 1 << 12

  /// Reads a document through pandoc.
  ///
  /// - Throws: `Platform.Failure` if pandoc is not there or cannot read the document.
  init(_ document: [UInt8]) throws(Platform.Failure) {
    let markup = Array(String(decoding: Sentinel.removed(from: document), as: UTF8.self).utf8)
    let reading = Reading(of: markup)
    changes = ListedChange.all(of: markup)
    let footnotes = Footnotes(of: markup)
    threads = reading.changes.map { change in
      change.remarks(in: markup).map { Remark($0, in: markup, footnotes) }
    }
    let cleanText = reading.export(.clean, of: markup)
    metadata = try Self.metadata(of: cleanText)
    let clean = try Self.tree(cleanText)
    version = clean["pandoc-api-version"] ?? .list([])
    blocks = clean["blocks"]?.elements ?? []
    guard !changes.isEmpty else { return }
    let text = TrackedText(markup, reading)
    let lines = TrackedLines(text)
    let original = try Self.blocks(of: text.original)
    var plain = lines.fencedChunks
    for attempt in 1...Self.mostAttempts {
      let (source, signals) = lines.source(plain: plain)
      var lifting = Lifting(signals)
      let union = lifting.lift(blocks: try Self.blocks(of: source))
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

  /// The blocks that pandoc makes of Markdown without marks.
  static func blocks(of markdown: [UInt8]) throws(Platform.Failure) -> [PandocNode] {
    try tree(markdown)["blocks"]?.elements ?? []
  }

  /// The tree that pandoc makes of Markdown, without its front matter: a line of dashes anywhere else in the text begins none.
  private static func tree(_ markdown: [UInt8]) throws(Platform.Failure) -> PandocNode {
    let text = Array(markdown[frontMatter(of: markdown).upperBound...])
    return try tree(
      text,
      in: "markdown-smart-yaml_metadata_block+lists_without_preceding_blankline"
    )
  }

  /// The metadata that pandoc reads in the front matter of Markdown, which is YAML; it knows no other.
  private static func metadata(
    of markdown: [UInt8]
  ) throws(Platform.Failure) -> [PandocNode.Member] {
    let front = Array(markdown[frontMatter(of: markdown)])
    let first = front.prefix { $0 != 0x0A && $0 != 0x0D }
    guard first.reversed().prefix(3).elementsEqual("---".utf8) else { return [] }
    let tree = try tree(front, in: "markdown-smart")
    guard case .members(let members) = tree["meta"] else { return [] }
    return members
  }

  private static func tree(
    _ text: [UInt8],
    in format: Path
  ) throws(Platform.Failure) -> PandocNode {
    let output = try Pandoc.run(["-f", format, "-t", "json"], on: text)
    do throws(JSONError) {
      return PandocNode(try JSON(parsing: output, depthLimit: deepest))
    } catch {
      throw Platform.Failure(description: "pandoc wrote no JSON: \(error.reason)")
    }
  }
}

extension TrackedTree.Remark {
  fileprivate init(_ mark: Mark, in markup: [UInt8], _ footnotes: Footnotes) {
    let head = CommentHead(of: markup[mark.content])
    let made = mark.attribution(in: markup, footnotes)
    author = made.author
    date = made.date
    text = String(decoding: markup[head.range.upperBound..<mark.content.upperBound], as: UTF8.self)
    isResolved = head.category?.lowercased() == "resolved"
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
