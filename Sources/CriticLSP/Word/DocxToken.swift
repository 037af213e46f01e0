/// A part of the text of a Word document, as small as what can change by itself.
struct DocxToken {
  enum Content {
    /// A word, a sign or a space.
    case text(String)
    /// What stands in a run instead of text: a line break, an image.
    case piece(XML)
    /// What stands in a paragraph instead of a run: a formula.
    case object(XML)
    /// The reference to a note, and the note's text.
    case note(XML, [DocxToken])
    /// The end of a paragraph, which has the properties of the whole.
    case paragraphEnd(XML?)
    case table(DocxTable)
    /// A block that is neither a paragraph nor a table.
    case block(XML)
    /// An end of a bookmark.
    case bookmark(XML)
    case sentinel(Sentinel)
  }

  var content: Content
  /// How it looks; nil for what has no look of its own.
  var format: DocxFormat?
  /// The same for tokens that can be taken for one another; 0 for what cannot be seen.
  var key = 0
}

/// How a run looks, and the link that it is in.
final class DocxFormat {
  /// The run's properties.
  let properties: XML?
  /// The link, without what is in it.
  let link: XML?
  /// The same for links that lead to the same place; 0 if there is none.
  let target: Int
  /// The same for runs that look the same.
  let look: Int

  init(properties: XML?, link: XML?, target: Int, look: Int) {
    self.properties = properties
    self.link = link
    self.target = target
    self.look = look
  }
}

/// A table, whose cells hold paragraphs and tables again.
struct DocxTable {
  struct Row {
    var properties: XML?
    var cells: [Cell]
  }

  struct Cell {
    var properties: XML?
    var tokens: [DocxToken]
  }

  /// The properties of the table and its grid.
  var head: [XML]
  var rows: [Row]

  /// The table with other text in its cells.
  func mappingCells(_ transform: ([DocxToken]) -> [DocxToken]) -> DocxTable {
    var table = self
    for row in table.rows.indices {
      for cell in table.rows[row].cells.indices {
        table.rows[row].cells[cell].tokens = transform(rows[row].cells[cell].tokens)
      }
    }
    return table
  }
}

extension DocxToken {
  var isParagraphEnd: Bool { if case .paragraphEnd = content { true } else { false } }

  /// Whether it is a block by itself.
  var isBlock: Bool {
    switch content {
    case .table, .block: true
    default: false
    }
  }

  /// Whether it is white space, also in code.
  var isSpace: Bool {
    switch content {
    case .text(let text): text.isWhiteSpace
    case .piece(let piece): piece.name == "w:br" || piece.name == "w:tab"
    default: false
    }
  }

  /// Whether nothing of it is seen.
  var isInvisible: Bool {
    switch content {
    case .bookmark, .sentinel: true
    default: false
    }
  }

  var sentinel: Sentinel? { if case .sentinel(let sentinel) = content { sentinel } else { nil } }
}

extension [DocxToken] {
  /// Calls a function with each token, also in tables and notes, in order.
  func forEachToken(_ body: (DocxToken) -> Void) {
    for token in self {
      body(token)
      switch token.content {
      case .note(_, let tokens): tokens.forEachToken(body)
      case .table(let table):
        for row in table.rows { for cell in row.cells { cell.tokens.forEachToken(body) } }
      default: break
      }
    }
  }

  /// How much of it can be read, in scalars: without spaces, tables and notes.
  var letterCount: Int {
    reduce(0) { count, token in
      guard case .text(let text) = token.content, !token.isSpace else { return count }
      return count + text.unicodeScalars.count
    }
  }

  /// The paragraphs and other blocks, each with its end.
  var blocks: [[DocxToken]] {
    var blocks: [[DocxToken]] = []
    var block: [DocxToken] = []
    for token in self {
      block.append(token)
      guard token.isParagraphEnd || token.isBlock else { continue }
      blocks.append(block)
      block = []
    }
    return block.isEmpty ? blocks : blocks + [block]
  }
}

extension String {
  /// Whether it has white space only; that of ASCII is known without the tables of Unicode.
  fileprivate var isWhiteSpace: Bool {
    utf8.allSatisfy { $0 < 0x80 }
      ? utf8.allSatisfy { $0 == UInt8(ascii: " ") || 0x09...0x0D ~= $0 }
      : allSatisfy(\.isWhitespace)
  }
}

/// Numbers for texts: equal ones for equal texts.
final class DocxKeys {
  private var numbers: [String: Int] = [:]

  /// A token of text.
  func token(_ text: String, _ format: DocxFormat?) -> DocxToken {
    let key = number(of: "\(format?.look ?? 0) \(text)")
    return DocxToken(content: .text(text), format: format, key: key)
  }

  func number(of text: String) -> Int {
    if let known = numbers[text] { return known }
    numbers[text] = numbers.count + 1
    return numbers.count
  }
}

extension XML {
  /// It and the elements in it, in the order in which they are written.
  var all: [XML] {
    var all: [XML] = []
    visit { all.append($0) }
    return all
  }

  /// It and what is in it, as one text, by which it can be compared.
  var written: String {
    let attributes = attributes.map { " \($0.name)=\"\($0.value)\"" }.joined()
    let content = children.map { child in
      switch child {
      case .element(let element): element.written
      case .text(let text): text.allSatisfy(\.isWhitespace) ? "" : text
      }
    }
    return "<\(name)\(attributes)>\(content.joined())</>"
  }
}
