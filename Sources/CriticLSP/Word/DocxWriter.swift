/// Writes a text with tracked changes as the parts of a Word document.
struct DocxWriter {
  private let stretches: [DocxStretch]
  /// Who made the changes of which nobody is named.
  private let someone: DocxOrigin
  private(set) var references: DocxReferences
  private(set) var notes: [XML] = []
  /// Who made the changes and wrote the comments, each once.
  private(set) var people: [String] = []
  let comments: DocxComments
  /// Between the margins of a page, in twentieths of a point.
  private let textWidth: Int
  private var ends: StretchEnds
  private var ids = 0
  /// The last change that was passed.
  private var last: Int?
  /// The highlights that are open.
  private var highlights: Set<Int> = []

  init(
    _ stretches: [DocxStretch],
    by someone: String,
    _ references: DocxReferences,
    textWidth: Int
  ) {
    self.stretches = stretches
    self.textWidth = textWidth
    self.someone = DocxOrigin(author: someone)
    self.references = references
    comments = DocxComments(stretches)
    ends = StretchEnds()
    ids = comments.count
    for case .thread(let comments) in stretches.map(\.kind) {
      for comment in comments { meet(comment.origin) }
    }
  }

  /// The blocks of a document's body.
  ///
  /// Linear.
  ///
  /// - Throws: `Platform.Failure` if an image of the original text is damaged.
  mutating func body(_ text: [MergedToken]) throws(Platform.Failure) -> [XML] {
    prepare(text)
    let body = try blocks(text, .document)
    number(body + notes)
    return body
  }

  /// Notes what both texts have, and where comments end.
  private mutating func prepare(_ text: [MergedToken]) {
    for token in text {
      let state = token.state
      switch token.content {
      case .token(let token):
        if let sentinel = token.sentinel { ends.note(sentinel, state) }
      case .paragraphEnd(let new, let old):
        if state == .both { references.pair(new, old) }
      case .note(_, let tokens): prepare(tokens)
      case .table(let table):
        for row in table.rows { for cell in row.cells { prepare(cell.tokens) } }
      }
    }
  }

  /// Gives bookmarks and drawings numbers that nothing else has.
  private mutating func number(_ blocks: [XML]) {
    var bookmarks: [String: String] = [:]
    var drawings = 0
    var next = ids
    for block in blocks {
      for element in block.all {
        switch element.name {
        case "w:bookmarkStart", "w:bookmarkEnd":
          let old = element["w:id"] ?? ""
          if bookmarks[old] == nil {
            bookmarks[old] = String(next)
            next += 1
          }
          element["w:id"] = bookmarks[old]
        case "wp:docPr":
          drawings += 1
          element["id"] = String(drawings)
        default: break
        }
      }
    }
    ids = next
  }

  // MARK: Blocks

  private mutating func blocks(
    _ text: [MergedToken],
    _ part: DocxPackage.Part
  ) throws(Platform.Failure) -> [XML] {
    var blocks: [XML] = []
    var line: [MergedToken] = []
    for token in text {
      switch token.content {
      case .paragraphEnd(let new, let old):
        let content = try inlines(line, part)
        line = []
        let paragraph = XML("w:p", [], content)
        if let properties = properties(new, old, token.state) {
          paragraph.children.insert(.element(properties), at: 0)
        }
        blocks.append(paragraph)
      case .table(let table): blocks.append(try self.table(table, part))
      case .token(let inner):
        switch inner.content {
        case .block(let element): blocks.append(try adopted(element, token.state, part))
        // One around blocks stays so.
        case .bookmark(let element) where line.isEmpty: blocks.append(element.copy)
        default: line.append(token)
        }
      case .note: line.append(token)
      }
    }
    // Comments that end behind the last paragraph.
    let rest = try inlines(line, part)
    if !rest.isEmpty {
      if let last = blocks.last(where: { $0.name == "w:p" }) {
        last.children += rest.map(XML.Node.element)
      } else {
        blocks.append(XML("w:p", [], rest))
      }
    }
    return blocks
  }

  /// The properties of a paragraph, and what became of its end.
  private mutating func properties(
    _ new: XML?,
    _ old: XML?,
    _ state: MergedToken.State
  ) -> XML? {
    let properties: XML
    switch state {
    case .both, .inserted: properties = new?.copy ?? XML("w:pPr")
    case .deleted: properties = references.adopted(old) ?? XML("w:pPr")
    }
    if let mark = track(state) {
      if properties.first("w:rPr") == nil { properties.children.append(.element(XML("w:rPr"))) }
      properties.first("w:rPr")?.children.insert(.element(mark), at: 0)
    } else if references.isAnotherBlock(new, old) {
      let before = references.adopted(old) ?? XML("w:pPr")
      properties.children.append(
        .element(XML("w:pPrChange", attributes(ofChange: last), [before]))
      )
    }
    properties.sortChildren(by: XML.paragraphProperties)
    return properties.children.isEmpty ? nil : properties
  }

  private mutating func table(
    _ table: MergedTable,
    _ part: DocxPackage.Part
  ) throws(Platform.Failure) -> XML {
    let element = XML("w:tbl", [], table.head.map(\.copy))
    element.setWidths(textWidth)
    for row in table.rows {
      let properties = row.properties?.copy ?? XML("w:trPr")
      if let mark = track(row.state) { properties.children.append(.element(mark)) }
      let line = XML("w:tr", [], properties.children.isEmpty ? [] : [properties])
      for cell in row.cells {
        let content = try blocks(cell.tokens, part)
        let properties = cell.properties.map { [$0.copy] } ?? []
        line.children.append(.element(XML("w:tc", [], properties + content)))
      }
      element.children.append(.element(line))
    }
    return element
  }

  // MARK: Inlines

  /// The runs of a paragraph, in links and tracked changes.
  private mutating func inlines(
    _ line: [MergedToken],
    _ part: DocxPackage.Part
  ) throws(Platform.Failure) -> [XML] {
    var result: [XML] = []
    /// The link and the change that the last run is in, and that run.
    var link: (element: XML, target: Int)?
    var change: (element: XML, state: MergedToken.State)?
    var text: (element: XML, look: String)?
    func append(_ element: XML) {
      if let link {
        link.element.children.append(.element(element))
      } else {
        result.append(element)
      }
    }
    for (index, token) in line.enumerated() {
      if token.isInvisible {
        let next = line[index...].first { !$0.isInvisible }
        let elements = invisible(token)
        if elements.isEmpty { continue }
        if link?.target != next?.format?.target { link = nil }
        (change, text) = (nil, nil)
        for element in elements { append(element) }
        continue
      }
      last = token.state.number ?? last
      let target = token.format?.target ?? 0
      if (link?.target ?? 0) != target {
        (link, change, text) = (nil, nil, nil)
        if let element = token.format?.link {
          let own = try adopted(element, token.state, part)
          append(own)
          link = (own, target)
        }
      }
      if change?.state != token.state, change != nil || token.state != .both {
        (change, text) = (nil, nil)
        if let element = track(token.state) {
          append(element)
          change = (element, token.state)
        }
      }
      let look = "\(token.format?.look ?? 0) \(highlights.isEmpty)"
      if let word = token.text, let text, text.look == look {
        text.element.children.append(.text(word))
        continue
      }
      let element = try inline(token, part)
      text = token.text == nil ? nil : element.elements.last.map { ($0, look) }
      if let change { change.element.children.append(.element(element)) } else { append(element) }
    }
    return result
  }

  /// A run, or what stands instead of one.
  private mutating func inline(
    _ token: MergedToken,
    _ part: DocxPackage.Part
  ) throws(Platform.Failure) -> XML {
    let run = XML("w:r")
    if let properties = look(of: token.format) { run.children.append(.element(properties)) }
    switch token.content {
    case .note(_, let tokens):
      let id = String(notes.count + 1)
      // Taken before what is in it, so that the numbers rise.
      notes.append(XML("w:footnote", [("w:id", id)]))
      let place = notes.count - 1
      let content = try blocks(tokens, .footnotes)
      notes[place].children = content.map(XML.Node.element)
      run.children.append(.element(XML("w:footnoteReference", [("w:id", id)])))
    case .token(let inner):
      switch inner.content {
      case .text(let text):
        let name = token.isIn(clean: true) ? "w:t" : "w:delText"
        run.children.append(.element(XML(name, [("xml:space", "preserve")], text: text)))
      case .piece(let piece): run.children.append(.element(try adopted(piece, token.state, part)))
      case .object(let object): return try adopted(object, token.state, part)
      default: break
      }
    default: break
    }
    return run
  }

  private func look(of format: DocxFormat?) -> XML? {
    guard !highlights.isEmpty else { return format?.properties?.copy }
    let properties = format?.properties?.copy ?? XML("w:rPr")
    properties.children.append(.element(XML("w:highlight", [("w:val", "yellow")])))
    properties.sortChildren(by: XML.runProperties)
    return properties
  }

  /// What a bookmark or a sentinel becomes.
  private mutating func invisible(_ token: MergedToken) -> [XML] {
    let state = token.state
    guard case .token(let token) = token.content else { return [] }
    if case .bookmark(let element) = token.content { return [element.copy] }
    guard let sentinel = token.sentinel else { return [] }
    switch ends.meet(sentinel, state) {
    case .nothing: return []
    case .start: return pass(sentinel.number, isStart: true)
    case .end: return pass(sentinel.number, isStart: false)
    case .startAndEnd:
      return pass(sentinel.number, isStart: true) + pass(sentinel.number, isStart: false)
    }
  }

  private mutating func pass(_ number: Int, isStart: Bool) -> [XML] {
    switch stretches[number].kind {
    case .change: last = number
    case .highlight where isStart: highlights.insert(number)
    case .highlight: highlights.remove(number)
    case .thread: return isStart ? comments.start(of: number) : comments.end(of: number)
    }
    return []
  }

  // MARK: Changes

  /// The element of a tracked change, without what is in it; nil for what both texts have.
  private mutating func track(_ state: MergedToken.State) -> XML? {
    switch state {
    case .both: nil
    case .inserted(let number): XML("w:ins", attributes(ofChange: number))
    case .deleted(let number): XML("w:del", attributes(ofChange: number))
    }
  }

  /// A number, and who made a change.
  private mutating func attributes(ofChange number: Int?) -> [(name: String, value: String)] {
    var origin = someone
    if let number, case .change(let known) = stretches[number].kind { origin = known }
    meet(origin)
    ids += 1
    return [("w:id", String(ids - 1))] + origin.attributes
  }

  private mutating func meet(_ origin: DocxOrigin) {
    if !people.contains(origin.author) { people.append(origin.author) }
  }

  /// A copy of an element of one of the two texts.
  private mutating func adopted(
    _ element: XML,
    _ state: MergedToken.State,
    _ part: DocxPackage.Part
  ) throws(Platform.Failure) -> XML {
    state.isIn(clean: true) ? element.copy : try references.adopted(element, in: part)
  }
}

extension MergedToken {
  fileprivate var format: DocxFormat? {
    switch content {
    case .token(let token), .note(let token, _): token.format
    case .paragraphEnd, .table: nil
    }
  }

  fileprivate var text: String? {
    guard case .token(let token) = content, case .text(let text) = token.content else { return nil }
    return text
  }
}

extension XML {
  /// Gives the columns of a table that is as wide as the text widths of which pandoc makes those that they have in Markdown:
  /// it reads them as parts of the text's width, cuts them to whole letters, and adds two.
  fileprivate func setWidths(_ textWidth: Int) {
    guard first("w:tblPr")?.first("w:tblW")?["w:type"] == "pct",
      let columns = first("w:tblGrid")?.elements, columns.count > 1
    else { return }
    let widths = columns.compactMap { $0["w:w"].flatMap(Double.init) }
    guard widths.count == columns.count else { return }
    let parts = XML.letterWidths(widths) ?? widths.map { $0 / XML.pandocTextWidth }
    for (column, part) in zip(columns, parts) {
      column["w:w"] = String(Int((part * Double(textWidth)).rounded()))
    }
  }

  /// How wide the text is that pandoc writes tables for, whatever the page.
  private static let pandocTextWidth = 7920.0

  /// The parts of the whole that columns have whose widths were given in letters; nil if they were not.
  private static func letterWidths(_ widths: [Double]) -> [Double]? {
    let (whole, count) = (widths.reduce(0, +), Double(widths.count))
    // Of a line of 72 letters, what the bars leave.
    let room = 71 - count
    for signs in 72..<Int(room + 2 * count) + 1 {
      let lengths = widths.map { $0 / whole * Double(signs) }
      let cut = lengths.map { $0.rounded() - 2 }
      let left = (room - cut.reduce(0, +)) / count
      guard zip(lengths, cut).allSatisfy({ abs($0 - 2 - $1) < 0.05 && $1 > 0 }), left >= 0, left < 1
      else { continue }
      return cut.map { ($0 + left) / room }
    }
    return nil
  }
}
