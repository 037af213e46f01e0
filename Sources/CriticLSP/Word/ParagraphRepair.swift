/// Makes sure that each text with tracked changes can be resolved as Word does it: a paragraph whose end goes is joined with
/// the next paragraph, which must not be in or behind a table.
extension [MergedToken] {
  /// The text, in which text before a table that joins text behind it is deleted there and inserted here.
  ///
  /// Linear.
  var repaired: [MergedToken] { repaired(clean: true).repaired(clean: false) }

  private func repaired(clean: Bool) -> [MergedToken] {
    var result: [MergedToken?] = []
    /// What the variant has in a paragraph that has not ended.
    var paragraph: [Int] = []
    var moved: [MergedToken] = []
    for token in self {
      if token.isBlock, !token.isIn(clean: clean), !paragraph.isEmpty {
        for index in paragraph {
          guard let text = result[index] else { continue }
          var copy = text.only(clean: clean)
          copy.state = clean ? .inserted(token.state.number) : .deleted(token.state.number)
          moved.append(copy)
          guard text.state == .both else {
            result[index] = nil
            continue
          }
          var rest = text.only(clean: !clean)
          rest.state = token.state
          result[index] = rest
        }
        paragraph = []
      }
      if token.isIn(clean: clean), !token.isInvisible {
        for text in moved {
          paragraph.append(result.count)
          result.append(text)
        }
        moved = []
        if token.isBlock || token.isParagraphEnd {
          paragraph = []
        } else {
          paragraph.append(result.count)
        }
      }
      result.append(token)
    }
    return (result + moved).compactMap(\.self)
  }

  /// Whether resolving the text as Word does it gives a text; linear.
  func resolves(to tokens: [DocxToken], clean: Bool) -> Bool {
    guard let keys = keys(clean: clean) else { return false }
    return keys == tokens.keys
  }

  /// What is left if the text is resolved, as numbers; nil if text is left without an end of a paragraph.
  private func keys(clean: Bool) -> [Int]? {
    var keys: [Int] = []
    var isOpen = false
    for token in self where !token.isInvisible {
      guard token.isIn(clean: clean) else {
        if token.isBlock, isOpen { return nil }
        continue
      }
      if token.isBlock, isOpen { return nil }
      isOpen = !token.isBlock && !token.isParagraphEnd
      switch token.content {
      case .token(let token): keys += token.signKeys
      case .paragraphEnd: keys.append(0)
      case .note(let note, let tokens):
        guard let text = tokens.keys(clean: clean) else { return nil }
        keys += [note.key] + text
      case .table(let table):
        keys.append(-1)
        for row in table.rows where row.state.isIn(clean: clean) {
          for cell in row.cells {
            guard let text = cell.tokens.keys(clean: clean) else { return nil }
            keys += text
          }
        }
      }
    }
    return isOpen ? nil : keys
  }
}

extension [DocxToken] {
  /// The same numbers for a text that is not tracked.
  fileprivate var keys: [Int] {
    filter { !$0.isInvisible }.flatMap { token -> [Int] in
      switch token.content {
      case .paragraphEnd: [0]
      case .note(_, let tokens): [token.key] + tokens.keys
      case .table(let table): [-1] + table.rows.flatMap { $0.cells.flatMap(\.tokens.keys) }
      default: token.signKeys
      }
    }
  }
}

extension DocxToken {
  /// Its key; of text, a key for each sign, since a word may be cut in one text only.
  fileprivate var signKeys: [Int] {
    guard case .text(let text) = content else { return [key] }
    return text.unicodeScalars.map { Int($0.value) << 32 | (format?.look ?? 0) }
  }
}

extension MergedToken {
  var isParagraphEnd: Bool { if case .paragraphEnd = content { true } else { false } }

  /// Whether it is a table, or another block by itself.
  var isBlock: Bool {
    switch content {
    case .table: true
    case .token(let token): token.isBlock
    default: false
    }
  }

  var isInvisible: Bool { if case .token(let token) = content { token.isInvisible } else { false } }

  /// What one variant has of it.
  fileprivate func only(clean: Bool) -> MergedToken {
    guard case .note(let note, let tokens) = content else { return self }
    var copy = self
    copy.content = .note(
      note,
      tokens.filter { $0.isIn(clean: clean) }.map { token in
        var copy = token.only(clean: clean)
        if !token.isParagraphEnd { copy.state = clean ? .inserted(nil) : .deleted(nil) }
        return copy
      }
    )
    return copy
  }
}
