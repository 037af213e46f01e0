/// Drops what is tracked in one way from a tree, so that one text of the two is left, in a form in which equal texts are equal.
///
/// What is tracked in the other way is kept as text, comments and highlights are not.
struct Dropping {
  let kind: TrackedStretch.Kind

  /// In the place of blocks that cannot be joined; no tree of pandoc's has it.
  private static let seam = PandocNode.other("seam")
  /// In the place of a row of which nothing is left.
  private static let gone = PandocNode.other("gone")
  /// At the end of a paragraph that the next one is joined to.
  private static let join = PandocNode.paragraphEnd(TrackedStretch(kind: .insertion, changes: []))

  /// What is left of blocks, or of the items of a list, which are lists of blocks; normalized.
  func nodes(of nodes: [PandocNode]) -> [PandocNode] {
    if case .list = nodes.first { items(nodes) } else { blocks(of: nodes) }
  }

  /// The blocks that are left, normalized.
  private func blocks(of blocks: [PandocNode]) -> [PandocNode] { joined(blocks.map(kept(block:))) }

  /// What is left of a block, an item or a row: nothing, one, or several.
  private func kept(block: PandocNode) -> [PandocNode] {
    switch block {
    case .tracked(let stretch, let content):
      return stretch.kind == kind ? [] : content.flatMap(kept(block:))
    case .element("Para", let content), .element("Plain", let content):
      let inlines = content?.elements ?? []
      let text = inlines.flatMap(kept(inline:))
      // Its end can be what ends the paragraph before it.
      guard !normal(text).isEmpty else {
        return ends(inlines) ? [] : [.element("Para", .list([]))]
      }
      return [.element("Para", .list(ends(inlines) ? text + [Dropping.join] : text))]
    case .element("Header", let content):
      let parts = content?.elements ?? []
      let text = line(parts[2].elements)
      guard !text.isEmpty || !ends(parts[2].elements) else { return [] }
      // The identifiers are worked out from the text, and another one is that of another text.
      return [.element("Header", .list([parts[0], parts[1].withoutID, .list(text)]))]
    case .element("BulletList", let content):
      let items = items(content?.elements ?? [])
      return items.isEmpty ? [] : [.element("BulletList", .list(items))]
    case .element("OrderedList", let content):
      let parts = content?.elements ?? []
      let items = items(parts[1].elements)
      return items.isEmpty ? [] : [.element("OrderedList", .list([parts[0], .list(items)]))]
    case .element("BlockQuote", let content):
      let blocks = blocks(of: content?.elements ?? [])
      return blocks.isEmpty && content?.elements.isEmpty == false
        ? [] : [.element("BlockQuote", .list(blocks))]
    case .element("Div", let content):
      let parts = content?.elements ?? []
      let blocks = blocks(of: parts[1].elements)
      return blocks.isEmpty && !parts[1].elements.isEmpty
        ? [] : [.element("Div", .list([parts[0], .list(blocks)]))]
    case .element("Table", let content):
      let parts = content?.elements ?? []
      let dropped = (parts.indices).map { $0 < 3 ? part(parts[$0]) : rows(parts[$0]) }
      return [.element("Table", .list(dropped))]
    default: return [part(block)]
    }
  }

  /// Blocks in a row, of which those that end in a join are joined to the next ones.
  private func joined(_ groups: [[PandocNode]]) -> [PandocNode] {
    var all: [PandocNode] = []
    for block in groups.joined() {
      guard case .element("Para", let content) = all.last, let text = content?.elements,
        text.last == Dropping.join
      else {
        all.append(block)
        continue
      }
      if case .element("Para", let next) = block {
        all[all.count - 1] = .element("Para", .list(text.dropLast() + (next?.elements ?? [])))
      } else {
        all[all.count - 1] = Dropping.seam
        all.append(block)
      }
    }
    // The last one has nothing that it could be joined to.
    return all.compactMap { block in
      guard case .element("Para", let content) = block, var text = content?.elements else {
        return block
      }
      if text.last == Dropping.join { text.removeLast() }
      return text.isEmpty ? nil : .element("Para", .list(normal(text)))
    }
  }

  /// The items of a list; those that end in a join are joined to the next ones.
  private func items(_ items: [PandocNode]) -> [PandocNode] {
    var kept: [PandocNode] = []
    for item in items {
      if case .tracked(let stretch, _) = item, stretch.kind == kind { continue }
      let blocks: [PandocNode]
      if case .tracked(_, let content) = item { blocks = content } else { blocks = item.elements }
      let left = self.blocks(of: blocks)
      let isGone = left.isEmpty && !blocks.isEmpty && blocks.allSatisfy(isEnded)
      if !isGone { kept.append(.list(left)) }
    }
    return kept
  }

  /// Whether nothing is left of a block, not even its end.
  private func isEnded(_ block: PandocNode) -> Bool {
    switch block {
    case .tracked(let stretch, _): stretch.kind == kind
    case .element("Para", let content), .element("Plain", let content):
      ends(content?.elements ?? [])
    case .element: kept(block: block).isEmpty
    default: false
    }
  }

  /// Whether a paragraph's end is dropped too.
  private func ends(_ text: [PandocNode]) -> Bool {
    if case .paragraphEnd(let stretch) = text.last { stretch.kind == kind } else { false }
  }

  /// The rows of a part of a table: `[…, rows]`, or a list of such parts.
  private func rows(_ node: PandocNode) -> PandocNode {
    guard case .list(let parts) = node else { return node }
    if parts.count == 2, parts[1].elements.allSatisfy({ $0.elements.count == 5 }) {
      let cells = parts[1].elements
      let blocks = cells.flatMap { $0.elements[4].elements }
      let isGone =
        !blocks.isEmpty && self.blocks(of: blocks).isEmpty && blocks.last.map(isEnded) == true
      // A row, `[attributes, cells]`, each of which is `[attributes, alignment, rows, columns, blocks]`.
      if isGone { return Dropping.gone }
    }
    return .list(
      parts.map { part in
        part.isBlocks ? .list(blocks(of: part.elements)) : part.type == nil ? rows(part) : part
      }.filter { $0 != Dropping.gone }
    )
  }

  private func part(_ node: PandocNode) -> PandocNode {
    if node.isInlines { return .list(line(node.elements)) }
    if node.isBlocks { return .list(blocks(of: node.elements)) }
    return node.mappingParts(part)
  }

  /// The text of a heading or of another line that is joined to no other.
  private func line(_ inlines: [PandocNode]) -> [PandocNode] {
    let text = normal(inlines.flatMap(kept(inline:)))
    return ends(inlines) && !text.isEmpty ? text + [Dropping.seam] : text
  }

  private func kept(inline: PandocNode) -> [PandocNode] {
    switch inline {
    case .tracked(let stretch, let content):
      return stretch.kind == kind ? [] : content.flatMap(kept(inline:))
    case .highlighted(_, let content): return content.flatMap(kept(inline:))
    case .paragraphEnd, .comments: return []
    case .element("Note", let content):
      return [.element("Note", .list(blocks(of: content?.elements ?? [])))]
    case .element("Link", let content):
      var parts = content?.elements ?? []
      parts[1] = .list(normal(parts[1].elements.flatMap(kept(inline:))))
      return [.element("Link", .list(parts))]
    case .element(let type, let content):
      return [.element(type, content.map(inlineParts))]
    default: return [inline]
    }
  }

  private func inlineParts(_ node: PandocNode) -> PandocNode {
    if node.isInlines { return .list(normal(node.elements.flatMap(kept(inline:)), isWhole: false)) }
    return node.mappingParts(inlineParts)
  }

  /// Inlines in which no words and no spaces touch, without spaces at the ends if they are a paragraph.
  private func normal(_ inlines: [PandocNode], isWhole: Bool = true) -> [PandocNode] {
    var all: [PandocNode] = []
    for inline in inlines {
      switch (all.last, inline) {
      case (.element("Str", .text(let start)), .element("Str", .text(let end))):
        all[all.count - 1] = .element("Str", .text(start + end))
      case (.element("Space", _), .element("Space", _)),
        (.element("SoftBreak", _), .element("Space", _)),
        (.element("SoftBreak", _), .element("SoftBreak", _)),
        (.element("LineBreak", _), .element("Space", _)),
        (.element("LineBreak", _), .element("SoftBreak", _)):
        break
      case (.element("Space", _), .element("SoftBreak", _)),
        (.element("Space", _), .element("LineBreak", _)):
        all[all.count - 1] = inline
      case (nil, .element("Space", _)) where isWhole, (nil, .element("SoftBreak", _)) where isWhole:
        break
      default: all.append(inline)
      }
    }
    while isWhole, all.last == .space || all.last == .softBreak { all.removeLast() }
    return all
  }
}

extension PandocNode {
  /// Whether it is a list of blocks, and not an empty one.
  fileprivate var isBlocks: Bool {
    guard let first = elements.first else { return false }
    if case .tracked(_, let content) = first { return !content.allSatisfy(\.isInline) }
    return first.type.map { PandocNode.blocks.contains($0) } == true
  }

  private static let blocks: Set = [
    "Plain", "Para", "LineBlock", "CodeBlock", "RawBlock", "BlockQuote", "OrderedList",
    "BulletList",
    "DefinitionList", "Header", "HorizontalRule", "Table", "Figure", "Div", "Null",
  ]

  /// Attributes without the identifier.
  var withoutID: PandocNode {
    guard elements.count == 3 else { return self }
    return .list([.text(""), elements[1], elements[2]])
  }
}
