import JSONRPC
import TrackEngine

/// A text as pandoc's tree, in which HTML that it would leave out of a Word document is what it means: tables that
/// Markdown cannot have, and images of a size.
struct ExportTree {
  private var tree: PandocNode
  /// What pandoc makes of each piece of HTML.
  private var meanings: [Piece: [PandocNode]] = [:]

  /// A piece of HTML in the tree.
  private enum Piece: Hashable {
    case block(String)
    case inline(String)
  }

  /// The Markdown that is exported.
  static let format: Path = "markdown-smart+lists_without_preceding_blankline"

  /// Whether there may be HTML in a text that a Word document would be without.
  static func isNeeded(for text: [UInt8]) -> Bool {
    hasTable(text) || text[...].firstRange(of: Array("<img".utf8)[...]) != nil
  }

  private static func hasTable(_ text: [UInt8]) -> Bool {
    text[...].firstRange(of: Array("<table".utf8)[...]) != nil
  }

  /// Reads a text.
  ///
  /// - Throws: `Platform.Failure` if pandoc fails.
  init(of text: [UInt8], _ warnings: inout [String]) throws(Platform.Failure) {
    // A table's HTML is one piece only if no Markdown is looked for in it.
    let format = Self.hasTable(text) ? Self.format + "-markdown_in_html_blocks" : Self.format
    tree = try PandocNode.tree(of: text, in: format, &warnings)
    var pieces: [Piece] = []
    tree.visit { node in
      if let piece = Self.piece(node), !pieces.contains(piece) { pieces.append(piece) }
    }
    let images = pieces.filter { if case .inline = $0 { true } else { false } }
    let tables = pieces.filter { if case .block(let html) = $0 { html.isTable } else { false } }
    // All of them at once, with lines between them.
    let html = (images + tables).map { piece in
      switch piece {
      case .block(let html): html
      case .inline(let html): "<p>\(html)</p>"
      }
    }.joined(separator: "\n<hr />\n")
    if !html.isEmpty {
      let tree = try PandocNode.tree(of: Array(html.utf8), in: "html", &warnings)
      let blocks = tree["blocks"]?.elements ?? []
      let parts = blocks.split(omittingEmptySubsequences: false) { $0.type == "HorizontalRule" }
      for (piece, part) in zip(images + tables, parts) {
        let part = part.map(\.withSizes)
        if case .inline = piece, case .element(_, let inlines?)? = part.first {
          meanings[piece] = inlines.elements
        } else {
          meanings[piece] = part
        }
      }
    }
    for case .block(let html) in pieces where !html.isTable && Self.hasTable(text) {
      let markdown = try PandocNode.tree(of: Array(html.utf8), in: Self.format, &warnings)
      meanings[.block(html)] = markdown["blocks"]?.elements ?? []
    }
    tree = meaning(of: tree)
  }

  /// The tree as JSON.
  var json: [UInt8] {
    var writer = JSONWriter()
    tree.write(to: &writer)
    return writer.bytes
  }

  private static func piece(_ node: PandocNode) -> Piece? {
    guard case .element(let type, let content?) = node,
      case .text("html")? = content.elements.first, case .text(let html)? = content.elements.last
    else { return nil }
    if type == "RawBlock" { return .block(html) }
    return type == "RawInline" && html.hasPrefix("<img") ? .inline(html) : nil
  }

  private func meaning(of node: PandocNode) -> PandocNode {
    guard case .list(let elements) = node else {
      return node.mappingParts { meaning(of: $0) }
    }
    return .list(
      elements.flatMap { element in
        Self.piece(element).flatMap { meanings[$0] } ?? [meaning(of: element)]
      }
    )
  }
}

extension PandocNode {
  /// The same with images of the size that their style gives, and columns as wide as tables that pandoc wrote had them.
  fileprivate var withSizes: PandocNode {
    let node = mappingParts(\.withSizes)
    guard case .element(let type, let content) = node, var parts = content?.elements else {
      return node
    }
    switch type {
    case "Image": parts[0] = parts[0].withSizeOfStyle
    case "Table": parts[2] = .list(parts[2].elements.withWholeWidths)
    default: return node
    }
    return .element(type, .list(parts))
  }

  /// Attributes with a width and a height instead of a style that gives them.
  private var withSizeOfStyle: PandocNode {
    var parts = elements
    guard parts.count == 3 else { return self }
    parts[2] = .list(
      parts[2].elements.flatMap { pair -> [PandocNode] in
        let parts = pair.elements
        guard case .text("style")? = parts.first, case .text(let style)? = parts.last else {
          return [pair]
        }
        return style.split(separator: ";").map { rule in
          .list(
            rule.split(separator: ":", maxSplits: 1).map { part in
              .text(part.split(whereSeparator: \.isWhitespace).joined(separator: " "))
            }
          )
        }.filter { $0.elements.count == 2 }
      }
    )
    return .list(parts)
  }
}

extension [PandocNode] {
  /// Columns whose widths are those that pandoc cut to percents: what is left of the whole is shared among them.
  fileprivate var withWholeWidths: [PandocNode] {
    let widths = map { column -> Double? in
      if case .element("ColWidth", .other(let width)?)? = column.elements.last {
        Double(width)
      } else {
        nil
      }
    }
    let left = 1 - widths.reduce(0) { $0 + ($1 ?? 1) }
    guard left > 0, left < Double(count) / 100 else { return self }
    return zip(self, widths).map { column, width in
      guard let width else { return column }
      let whole = PandocNode.other(String(width + left / Double(count)))
      return .list([column.elements[0], .element("ColWidth", whole)])
    }
  }
}

extension String {
  fileprivate var isTable: Bool { hasPrefix("<table") }
}
