/// A Word document with all its tracked changes accepted, or all rejected, as Word does it (ECMA-376 part 1, 17.13.5).
///
/// Where the changes begin and end can be marked with sentinels, so that the two can be put together again.
struct WordResolution {
  /// Whether the changes are accepted.
  let isAccepted: Bool
  /// Whether places are marked.
  let isMarked: Bool
  /// The sentinel numbers of comments, by their identifiers.
  let comments: [String: Int]
  /// Those of them that have no range, only a reference.
  let unranged: Set<String>

  /// A part of the document, resolved.
  func resolved(_ root: XML) -> XML {
    let result = XML(root.name, root.attributes)
    result.children = flow(root.children)
    return result
  }

  // MARK: Blocks

  /// The blocks of a body, a cell, a note, a text box: paragraphs without a mark are joined with the next.
  private func flow(_ children: [XML.Node]) -> [XML.Node] {
    var result: [XML.Node] = []
    /// The paragraph whose mark is gone, and what begins the next one.
    var open: XML?
    var next: [XML] = []
    /// The text boxes of the paragraph, which get paragraphs of their own behind it: some versions of pandoc read those,
    /// and leave out what stands beside them.
    var boxes: [XML.Node] = []
    func end(_ paragraph: XML) {
      result += [.element(paragraph)] + boxes
      boxes = []
    }
    func close() {
      if let paragraph = open, paragraph.elements.contains(where: { $0.name != "w:pPr" }) {
        paragraph.children += next.map(XML.Node.element)
        end(paragraph)
      } else if !next.isEmpty, case .element(let last)? = result.last, last.name == "w:p" {
        last.children += next.map(XML.Node.element)
      }
      result += boxes
      (open, next, boxes) = (nil, [], [])
    }
    for child in children {
      guard case .element(let element) = child else { continue }
      if element.name != "w:p" {
        if WordResolution.blocks.contains(element.name) { close() }
        let parts = inline(element)
        // Between paragraphs only comments begin and end; a run cannot stand there.
        next += parts.filter(\.isSentinel).compactMap(\.xml)
        result += parts.filter { !$0.isSentinel }
        continue
      }
      let paragraph = self.paragraph(element)
      var content = paragraph.content.flatMap { node -> [XML.Node] in
        guard let run = node.xml, run.name == "w:r", run.elements.contains(where: \.isTextBox)
        else {
          return [node]
        }
        let box = XML("w:r", run.attributes, run.elements.filter(\.isTextBox))
        boxes.append(.element(XML("w:p", [], [box])))
        let rest = XML("w:r", run.attributes, run.elements.filter { !$0.isTextBox })
        return rest.elements.allSatisfy { $0.name == "w:rPr" } ? [] : [.element(rest)]
      }
      content.insert(contentsOf: next.map(XML.Node.element), at: 0)
      next = []
      if let before = open {
        // The joined paragraph has the properties of the last, where they are kept.
        content.insert(contentsOf: before.children.filter { !$0.isProperties }, at: 0)
        open = nil
      }
      let joined = XML("w:p", element.attributes)
      joined.children = (paragraph.properties.map { [.element($0)] } ?? []) + formatted(content)
      guard let mark = paragraph.mark else {
        end(joined)
        continue
      }
      joined.children += mark.start.map(XML.Node.element)
      next = mark.end
      if mark.isThere { end(joined) } else { open = joined }
    }
    close()
    return movingSentinels(result)
  }

  /// Takes the sentinels out of paragraphs that show nothing else, since pandoc leaves those out, to the paragraph
  /// before, or to the first one that shows something.
  private func movingSentinels(_ blocks: [XML.Node]) -> [XML.Node] {
    guard isMarked else { return blocks }
    var last: XML?
    var first: [XML.Node] = []
    for case .element(let block) in blocks {
      guard block.name == "w:p" else {
        if !block.name.hasPrefix("w:bookmark") { last = nil }
        continue
      }
      guard block.showsNothing else {
        if !first.isEmpty {
          block.children.insert(
            contentsOf: first,
            at: block.children.first?.isProperties == true ? 1 : 0
          )
          first = []
        }
        last = block
        continue
      }
      let sentinels = block.children.filter(\.isSentinel)
      block.children.removeAll(where: \.isSentinel)
      if let last { last.children += sentinels } else { first += sentinels }
    }
    return blocks
  }

  /// What cannot be in a paragraph.
  private static let blocks: Set = ["w:tbl", "w:sectPr", "w:sdt", "w:altChunk", "w:customXml"]

  /// The mark of a paragraph that was added or deleted.
  private struct ParagraphMark {
    var isThere: Bool
    /// What stands before it, and behind it.
    var start: [XML]
    var end: [XML]
  }

  private func paragraph(
    _ element: XML
  ) -> (properties: XML?, content: [XML.Node], mark: ParagraphMark?) {
    var properties = element.first("w:pPr")
    var mark: ParagraphMark?
    if let known = properties {
      let runProperties = known.first("w:rPr")
      for change in runProperties?.elements ?? [] {
        guard let isAddition = WordResolution.isAddition(change) else { continue }
        var isThere = mark?.isThere ?? true
        if isAddition != isAccepted { isThere = false }
        mark = ParagraphMark(
          isThere: isThere,
          start: (mark?.start ?? []) + [sentinel(change, Sentinel.start)].compactMap(\.self),
          end: [sentinel(change, Sentinel.end)].compactMap(\.self) + (mark?.end ?? [])
        )
      }
      properties = plain(known)
    }
    let content = element.children.filter { !$0.isProperties }
    return (properties, inline(content), mark)
  }

  /// Properties without the record of changes; before the change of a paragraph, if that is rejected.
  private func plain(_ properties: XML) -> XML {
    let result = XML(properties.name, properties.attributes)
    if !isAccepted, properties.name == "w:pPr",
      let old = properties.first("w:pPrChange")?.first("w:pPr")
    {
      result.children = old.children
      // Neither the mark's own properties nor those of a section belong to the change.
      for name in ["w:rPr", "w:sectPr"] {
        if let kept = properties.first(name) { result.children.append(.element(plain(kept))) }
      }
      return result
    }
    result.children = properties.elements.filter { child in
      WordResolution.isAddition(child) == nil && !child.name.hasSuffix("Change")
    }.map { .element($0.name == "w:rPr" ? plain($0) : $0) }
    return result
  }

  // MARK: Inlines

  private func inline(_ children: [XML.Node]) -> [XML.Node] {
    formatted(
      children.flatMap { child -> [XML.Node] in
        if case .element(let element) = child { inline(element) } else { [child] }
      }
    )
  }

  private func inline(_ element: XML) -> [XML.Node] {
    if let isAddition = WordResolution.isAddition(element) {
      let content = isAddition == isAccepted ? inline(element.children) : comments(in: element)
      let start = [sentinel(element, Sentinel.start)].compactMap(\.self).map(XML.Node.element)
      let end = [sentinel(element, Sentinel.end)].compactMap(\.self).map(XML.Node.element)
      return start + content + end
    }
    switch element.name {
    case "w:p":
      return flow([.element(element)])
    case "w:r":
      return run(element)
    case "w:commentRangeStart":
      return comment(element, Sentinel.start)
    case "w:commentRangeEnd":
      return comment(element, Sentinel.end)
    case "w:tbl":
      let table = XML(element.name, element.attributes)
      table.children = inline(element.children)
      return table.elements.contains { $0.name == "w:tr" } ? [.element(table)] : []
    case "w:tr":
      for change in element.first("w:trPr")?.elements ?? [] {
        if let isAddition = WordResolution.isAddition(change), isAddition != isAccepted {
          return []
        }
      }
      let row = XML(element.name, element.attributes)
      row.children = inline(element.children)
      return row.elements.contains { $0.name == "w:tc" } ? [.element(row)] : []
    case "w:tc":
      let gone = isAccepted ? "w:cellDel" : "w:cellIns"
      if element.first("w:tcPr")?.first(gone) != nil { return [] }
      return [.element(resolved(element))]
    case "w:footnote", "w:endnote", "w:txbxContent", "w:sdtContent", "w:body":
      return [.element(resolved(element))]
    case "w:hyperlink":
      // A link that holds only sentinels would be one; and those at its ends belong to what is around it.
      let content = inline(element.children)
      let head = content.prefix(while: \.isSentinel)
      let tail = content.dropFirst(head.count).reversed().prefix(while: \.isSentinel).reversed()
      let link = XML(element.name, element.attributes)
      link.children = Array(content.dropFirst(head.count).dropLast(tail.count))
      return head + (link.children.isEmpty ? [] : [.element(link)]) + tail
    case "w:rPr", "w:pPr", "w:trPr", "w:tcPr", "w:tblPr", "w:sectPr":
      return [.element(plain(element))]
    case "w:proofErr", "w:lastRenderedPageBreak": return []
    case let name where name.hasSuffix("RangeStart") || name.hasSuffix("RangeEnd"): return []
    default:
      let result = XML(element.name, element.attributes)
      result.children = inline(element.children)
      return [.element(result)]
    }
  }

  /// Whether an element stands for an addition, false for a deletion; nil for anything else.
  private static func isAddition(_ element: XML) -> Bool? {
    switch element.name {
    case "w:ins", "w:moveTo": true
    case "w:del", "w:moveFrom": false
    default: nil
    }
  }

  private func run(_ element: XML) -> [XML.Node] {
    if let reference = element.first("w:commentReference") {
      guard let id = reference["w:id"], unranged.contains(id) else { return [] }
      return comment(reference, Sentinel.start) + comment(reference, Sentinel.end)
    }
    let result = XML(element.name, element.attributes)
    result.children = element.children.flatMap { child -> [XML.Node] in
      guard case .element(let part) = child else { return [child] }
      switch part.name {
      case "w:t", "w:delText":
        return [
          .element(XML("w:t", [("xml:space", "preserve")], text: part.text.escapingDelimiters))
        ]
      case "w:instrText", "w:delInstrText":
        // In a field's code a backslash is written as two; in an address in Markdown it would escape what is behind it.
        let code = part.text.replacing("\\\\", with: "%5C")
        let text = part.isIndexEntry ? "" : code
        return [.element(XML("w:instrText", part.attributes, text: text))]
      default: return inline(part)
      }
    }
    return [.element(result)]
  }

  // MARK: Sentinels

  private func sentinel(_ change: XML, _ make: (Int) -> Sentinel) -> XML? {
    guard isMarked, let number = change[WordChanges.number].flatMap({ Int($0) }) else { return nil }
    return WordResolution.run(make(number))
  }

  private func comment(_ element: XML, _ make: (Int) -> Sentinel) -> [XML.Node] {
    guard isMarked, let number = element["w:id"].flatMap({ comments[$0] }) else { return [] }
    return [.element(WordResolution.run(make(number)))]
  }

  /// The sentinels of the comments on text that is gone.
  private func comments(in gone: XML) -> [XML.Node] {
    var sentinels: [XML.Node] = []
    gone.visit { element in
      switch element.name {
      case "w:commentRangeStart", "w:commentRangeEnd": sentinels += inline(element)
      case "w:r" where element.first("w:commentReference") != nil: sentinels += run(element)
      default: break
      }
    }
    return sentinels
  }

  private static func run(_ sentinel: Sentinel) -> XML {
    XML("w:r", [(sentinelMark, "")], [XML("w:t", text: sentinel.text)])
  }

  /// The attribute of a run that holds a sentinel.
  fileprivate static let sentinelMark = "critic-sentinel"

  /// Gives each sentinel the formatting that the runs on both sides have in common, so that it parts no box that holds
  /// both, and is in none that holds one of them.
  private func formatted(_ children: [XML.Node]) -> [XML.Node] {
    guard isMarked, children.contains(where: { $0.isSentinel }) else { return children }
    var before: XML?
    for (index, child) in children.enumerated() {
      guard case .element(let element) = child, element.name == "w:r" else {
        if !child.isProperties, !child.isInvisible { before = nil }
        continue
      }
      guard child.isSentinel else {
        before = element
        continue
      }
      element.children.removeAll(where: \.isProperties)
      var after: XML?
      for case .element(let next) in children[(index + 1)...] {
        if XML.Node.element(next).isSentinel || XML.Node.element(next).isInvisible { continue }
        after = next.name == "w:r" ? next : nil
        break
      }
      let common = (before?.formatting ?? []).filter { property in
        after?.formatting.contains { $0.isSame(as: property) } ?? false
      }
      if !common.isEmpty {
        element.children.insert(.element(XML("w:rPr", [], common)), at: 0)
      }
    }
    return children
  }
}

extension XML {
  /// Whether it is the code of a field that stands for an entry in an index, of which nothing is seen.
  var isIndexEntry: Bool {
    name.hasSuffix("nstrText") && text.split(whereSeparator: \.isWhitespace).first == "XE"
  }

  /// Whether it is a run that holds a sentinel.
  var isSentinel: Bool { attributes.first?.name == WordResolution.sentinelMark }

  /// Whether a paragraph has nothing that is seen, but for sentinels.
  fileprivate var showsNothing: Bool {
    children.allSatisfy { child in
      guard let element = child.xml else { return true }
      if child.isSentinel || child.isProperties || child.isInvisible { return true }
      guard element.name == "w:r" || element.name == "w:hyperlink" else { return false }
      return element.elements.allSatisfy { part in
        part.name == "w:rPr" || part.isTextBox || part.name == "w:r" && part.showsNothing
          || part.name == "w:t" && part.text.allSatisfy(\.isWhitespace)
      }
    }
  }

  /// The formatting of a run, which the reference to a note has not in Markdown.
  fileprivate var formatting: [XML] {
    let isNote = first("w:footnoteReference") != nil || first("w:endnoteReference") != nil
    return isNote ? [] : first("w:rPr")?.elements ?? []
  }

  fileprivate func isSame(as other: XML) -> Bool {
    name == other.name && attributes.elementsEqual(other.attributes, by: ==)
  }
}

extension XML.Node {
  /// Whether it is the properties of a paragraph or run, not part of the text.
  fileprivate var isProperties: Bool {
    if case .element(let element) = self {
      element.name == "w:pPr" || element.name == "w:rPr"
    } else {
      false
    }
  }

  fileprivate var isSentinel: Bool { xml?.isSentinel ?? false }

  fileprivate var isInvisible: Bool { xml?.name.hasPrefix("w:bookmark") ?? false }

  fileprivate var xml: XML? {
    if case .element(let element) = self { element } else { nil }
  }
}

extension String {
  /// The text with a sentinel where Markdown would read a delimiter of a mark, or an entity.
  fileprivate var escapingDelimiters: String {
    guard contains(where: { $0 == "{" || $0 == "}" || $0 == "&" }) else { return self }
    var result = ""
    var rest = self[...]
    while let first = rest.first {
      let next = rest.dropFirst()
      if first == "{"
        && ["++", "--", "~~", "==", ">>"].contains(String(next.prefix(2)))
        || first == "&" && next.isEntity
        || ["++}", "--}", "~~}", "==}", "<<}"].contains(where: { rest.hasPrefix($0) })
      {
        result += Sentinel.escape.text
      }
      result.append(first)
      rest = next
    }
    return result
  }
}

extension Substring {
  /// Whether a text behind `&` makes it an entity, as in `amp;`.
  fileprivate var isEntity: Bool {
    guard let end = firstIndex(of: ";"), end > startIndex else { return false }
    return self[..<end].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") }
  }
}
