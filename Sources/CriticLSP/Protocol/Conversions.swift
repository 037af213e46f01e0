import TrackEngine

/// Converts between LSP positions and offsets of a text: the one place that knows both.
///
/// Where the marks are beside the text, positions are those of the clean text, which the editor shows, and offsets those
/// of the record. Converting offsets in rising order, as in a list, costs about a pass over what lies between them.
struct Conversions {
  /// The text that the editor shows.
  let text: Text
  let encoding: PositionEncoding
  private let last: Last
  private var projection: Projection? { last.projection }

  /// Where the last position was; and what is large, so that a copy of conversions is small.
  private final class Last {
    /// The text and its record; nil where the marks are in the text.
    let projection: Projection?
    @exclusivity(unchecked) var cursor: TextCursor
    @exclusivity(unchecked) var part: ProjectedPart?

    init(_ cursor: TextCursor, _ projection: Projection?) {
      self.cursor = cursor
      self.projection = projection
    }
  }

  init(text: Text, encoding: PositionEncoding) {
    self.init(text: text, encoding: encoding, projection: nil)
  }

  /// The conversions of a record.
  init(_ projection: Projection, encoding: PositionEncoding) {
    self.init(text: projection.text, encoding: encoding, projection: projection)
  }

  private init(text: Text, encoding: PositionEncoding, projection: Projection?) {
    self.text = text
    self.encoding = encoding
    last = Last(TextCursor(text, in: encoding.unit), projection)
  }

  /// The offset of a position; beyond a line's end it is the line's end, beyond the text its end, and
  /// inside a character the character's start.
  func offset(of position: Position) -> Int {
    guard position.line < text.lineCount else { return offset(ofShown: text.count) }
    return offset(ofShown: last.cursor.offset(line: position.line, column: position.character))
  }

  /// The offset of a line and column as editors show them to users: both from 1, columns in characters.
  ///
  /// Beyond a line's end it is the line's end, and beyond the text its end.
  func offset(line: Int, column: Int) -> Int {
    guard line <= text.lineCount else { return offset(ofShown: text.count) }
    let start = text.start(ofLine: line - 1)
    let bytes = text[start..<text.end(ofLine: line - 1)]
    let before = String(decoding: bytes, as: UTF8.self).prefix(column - 1)
    return offset(ofShown: start + min(before.utf8.count, bytes.count))
  }

  /// The position of an offset.
  func position(of offset: Int) -> Position {
    let (line, character) = last.cursor.find(shown(offset))
    return Position(line: line, character: character)
  }

  /// The number of the line, from 0, that an offset is on.
  func line(of offset: Int) -> Int { last.cursor.find(shown(offset)).line }

  /// The end of the line that an offset is on, before its line break.
  func lineEnd(after offset: Int) -> Int {
    self.offset(ofShown: text.end(ofLine: line(of: offset)))
  }

  /// The positions of both ends of a range.
  func positions(of range: Range<Int>) -> Range<Position> {
    let start = position(of: range.lowerBound)
    return start..<(range.isEmpty ? start : position(of: range.upperBound))
  }

  /// The positions of what is shown of a range: of what is hidden, those of the next letter of the line.
  func shownPositions(of range: Range<Int>) -> Range<Position> {
    let found = positions(of: range)
    guard projection != nil, found.isEmpty, !range.isEmpty else { return found }
    let start = shown(range.lowerBound)
    // What is hidden may lie between the two bytes of a line break.
    let end = max(start, text.end(ofLine: found.lowerBound.line))
    let line = text[start..<end].prefix(64)
    guard let next = String(decoding: line, as: UTF8.self).first else { return found }
    let after = last.cursor.find(start + next.utf8.count)
    return found.lowerBound..<Position(line: after.line, character: after.column)
  }

  /// The offsets of both ends of a range of positions.
  func offsets(of range: Range<Position>) -> Range<Int> {
    let lower = offset(of: range.lowerBound)
    return lower..<(range.isEmpty ? lower : max(lower, offset(of: range.upperBound)))
  }

  /// An edit as an LSP `TextEdit`.
  func textEdit(_ edit: Edit) -> TextEdit {
    TextEdit(range: positions(of: edit.range), newText: edit.new)
  }

  /// Edits as LSP `TextEdit`s.
  func textEdits(_ edits: [Edit]) -> [TextEdit] { edits.map(textEdit) }

  /// An LSP `TextEdit` as an edit of this text.
  func edit(_ edit: TextEdit) -> Edit { Edit(offsets(of: edit.range), edit.newText) }

  /// LSP `TextEdit`s, possibly made for another text, as edits of this one; those that touch here are joined.
  func edits(_ sent: [TextEdit]) -> [Edit] {
    var edits: [Edit] = []
    for edit in sent.lazy.map(edit) {
      let range = edit.range
      // Positions beyond the end of a line are at its end, so that edits can meet there.
      if let last = edits.last, last.range.upperBound >= range.lowerBound {
        let both = last.range.lowerBound..<range.upperBound
        edits[edits.count - 1] = Edit(both, last.new + edit.new)
      } else {
        edits.append(Edit(range, edit.new))
      }
    }
    return edits
  }

  /// Semantic tokens in LSP's encoding, five numbers each: lines and characters since the token before,
  /// length, type, modifiers.
  ///
  /// - Parameters:
  ///   - tokens: Tokens sorted by start, in offsets of the excerpt.
  ///   - excerpt: The excerpt they belong to.
  ///   - multiline: Whether tokens may span lines; otherwise they are split at line ends.
  /// - Returns: The numbers; linear in the excerpt.
  func data(
    of tokens: [SemanticToken],
    in excerpt: Excerpt,
    multiline: Bool
  ) -> [UInt32] {
    if let projection {
      let part = projection.part(aroundRecord: excerpt.range)
      let bytes = Array(text[part.cleanRange])
      let shown = tokens.compactMap { $0.shown(in: part, excerpt.start) }
      return data(of: shown, bytes, part.cleanRange.lowerBound, multiline: multiline)
    }
    return data(of: tokens, excerpt.bytes, excerpt.start, multiline: multiline)
  }

  /// The same for tokens of a stretch of the text that the editor shows.
  private func data(
    of tokens: [SemanticToken],
    _ bytes: [UInt8],
    _ start: Int,
    multiline: Bool
  ) -> [UInt32] {
    let tokens = multiline ? tokens : bytes.onLines(tokens)
    var data: [UInt32] = []
    data.reserveCapacity(5 * tokens.count)
    var previous = Position(line: 0, character: 0)
    for token in tokens {
      let (line, character) = last.cursor.find(start + token.range.lowerBound)
      let here = Position(line: line, character: character)
      let length = bytes.units(in: token.range, encoding)
      let isSameLine = here.line == previous.line
      data.append(UInt32(here.line - previous.line))
      data.append(UInt32(isSameLine ? here.character - previous.character : here.character))
      data.append(UInt32(length))
      data.append(UInt32(token.kind.rawValue))
      data.append(UInt32(token.modifiers))
      previous = here
    }
    return data
  }

  // MARK: - The record

  /// The offset in the text that the editor shows.
  private func shown(_ offset: Int) -> Int {
    guard let projection else { return offset }
    if let part = last.part, part.recordRange.contains(offset) {
      return part.cleanOffset(ofRecord: offset)
    }
    let part = projection.part(aroundRecord: offset..<offset)
    last.part = part
    return part.cleanOffset(ofRecord: offset)
  }

  /// The offset of an offset in the text that the editor shows.
  private func offset(ofShown offset: Int) -> Int {
    guard let projection else { return offset }
    return projection.part(aroundClean: offset..<offset).recordOffset(ofClean: offset)
  }
}

extension SemanticToken {
  /// What the editor shows of a token of a record, as a token of a stretch of the clean text; nil if nothing.
  ///
  /// - Parameters:
  ///   - part: The record's part that holds the token, and begins where the stretch does.
  ///   - start: Where the text begins that the token is in, as an offset of the record.
  /// - Returns: The token.
  fileprivate func shown(in part: ProjectedPart, _ start: Int) -> SemanticToken? {
    var token = self
    let lower = part.cleanOffset(ofRecord: start + range.lowerBound)
    let upper = part.cleanOffset(ofRecord: start + range.upperBound)
    token.range = lower - part.cleanRange.lowerBound..<upper - part.cleanRange.lowerBound
    return token.range.isEmpty ? nil : token
  }
}

extension [UInt8] {
  /// Whether the byte at an offset is part of a line break.
  func isLineBreak(at offset: Int) -> Bool {
    self[offset] == UInt8(ascii: "\n") || self[offset] == UInt8(ascii: "\r")
  }

  /// Splits tokens at line breaks, so that each lies on one line.
  fileprivate func onLines(_ tokens: [SemanticToken]) -> [SemanticToken] {
    withUnsafeBufferPointer { bytes in
      var parts: [SemanticToken] = []
      parts.reserveCapacity(tokens.count)
      var isSorted = true
      func add(_ range: Range<Int>, of token: SemanticToken) {
        guard !range.isEmpty else { return }
        var part = token
        part.range = range
        // Only tokens inside a split one are out of order.
        if let last = parts.last, SemanticToken.precedes(part, last) { isSorted = false }
        parts.append(part)
      }
      for token in tokens {
        var start = token.range.lowerBound
        for offset in token.range
        where bytes[offset] == UInt8(ascii: "\n") || bytes[offset] == UInt8(ascii: "\r") {
          add(start..<offset, of: token)
          start = offset + 1
        }
        add(start..<token.range.upperBound, of: token)
      }
      return isSorted ? parts : parts.sorted(by: SemanticToken.precedes)
    }
  }

  /// The length of a range in the encoding's units, counted at the first byte of each character.
  fileprivate func units(in range: Range<Int>, _ encoding: PositionEncoding) -> Int {
    guard encoding != .utf8 else { return range.count }
    return withUnsafeBufferPointer { bytes in
      var units = 0
      for byte in bytes[range] where byte & 0xC0 != 0x80 {
        units += encoding == .utf16 && byte >= 0xF0 ? 2 : 1
      }
      return units
    }
  }
}
