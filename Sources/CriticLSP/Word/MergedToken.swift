/// A token of the clean text, of the original one, or of both.
struct MergedToken {
  enum State: Hashable {
    case both
    /// Only in the clean text, or only in the original one, because of the stretch of a number, as far as it is known.
    case inserted(Int?)
    case deleted(Int?)
  }

  enum Content {
    /// One that is not told apart further.
    case token(DocxToken)
    /// A note's reference and text.
    case note(DocxToken, [MergedToken])
    /// The end of a paragraph, with the properties that it has in each text that has it.
    case paragraphEnd(new: XML?, old: XML?)
    case table(MergedTable)
  }

  var content: Content
  var state: State
}

/// A table of the clean text, of the original one, or of both.
struct MergedTable {
  struct Row {
    var properties: XML?
    var cells: [(properties: XML?, tokens: [MergedToken])]
    var state: MergedToken.State
  }

  var head: [XML]
  var rows: [Row]
}

extension MergedToken {
  /// A token that only one text has, or that both have as it is.
  init(_ token: DocxToken, _ state: State) {
    self.state = state
    switch token.content {
    case .note(_, let tokens): content = .note(token, MergedToken.note(tokens, state))
    case .paragraphEnd(let properties): content = .paragraphEnd(new: properties, old: properties)
    case .table(let table):
      let rows = table.rows.map { row in
        MergedTable.Row(
          properties: row.properties,
          cells: row.cells.map { ($0.properties, MergedToken.cell($0.tokens, state)) },
          state: state
        )
      }
      content = .table(MergedTable(head: table.head, rows: rows))
    default: content = .token(token)
    }
  }

  /// The text of a cell or a note, whose last paragraph end cannot go while it is there.
  private static func cell(_ tokens: [DocxToken], _ state: State) -> [MergedToken] {
    let last = tokens.lastIndex { !$0.isInvisible }
    return tokens.enumerated().map { index, token in
      MergedToken(token, index == last && token.isParagraphEnd ? .both : state)
    }
  }

  /// The text of a note; the sign that it begins with stays while it is there.
  private static func note(_ tokens: [DocxToken], _ state: State) -> [MergedToken] {
    let sign = tokens.firstIndex(where: \.isNoteSign)
    var merged = cell(tokens, state)
    if let sign { merged[sign].state = .both }
    return merged
  }

  /// Whether a variant has it.
  func isIn(clean: Bool) -> Bool { state.isIn(clean: clean) }
}

extension MergedToken.State {
  func isIn(clean: Bool) -> Bool {
    switch self {
    case .both: true
    case .inserted: clean
    case .deleted: !clean
    }
  }

  /// The stretch that it comes from.
  var number: Int? {
    switch self {
    case .both: nil
    case .inserted(let number), .deleted(let number): number
    }
  }
}

extension DocxToken {
  /// Whether it is the number that a note begins with.
  fileprivate var isNoteSign: Bool {
    if case .piece(let piece) = content { piece.name == "w:footnoteRef" } else { false }
  }
}
