import JSONRPC
import TrackEngine

/// How a position's character is counted; LSP's `PositionEncodingKind`.
enum PositionEncoding: String {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  var unit: TextUnit {
    switch self {
    case .utf8: .utf8
    case .utf16: .utf16
    case .utf32: .scalar
    }
  }
}

/// LSP's `Position`.
struct Position: Equatable {
  var line: Int
  var character: Int
}

/// Turns LSP positions into offsets of a text and back: the one place that knows both.
///
/// Positions of offsets in rising order, as in a list, cost little more than a look at what lies
/// between them.
struct Conversions {
  let text: Text
  let encoding: PositionEncoding
  private let last: Last

  /// Where the last position was.
  private final class Last {
    @exclusivity(unchecked) var cursor: TextCursor

    init(_ cursor: TextCursor) {
      self.cursor = cursor
    }
  }

  init(text: Text, encoding: PositionEncoding) {
    self.text = text
    self.encoding = encoding
    last = Last(TextCursor(text, in: encoding.unit))
  }

  /// The offset of a position; one beyond a line's end is the line's end, one beyond the text its
  /// end, and one inside a character the character's beginning.
  func offset(of position: Position) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < text.lineCount else { return text.count }
    return last.cursor.offset(line: position.line, column: max(0, position.character))
  }

  /// The offset of a place as editors tell it to people: line and column from 1, and columns in
  /// characters as they are read, whatever their length in bytes.
  ///
  /// Beyond a line's end is the line's end, and beyond the text its end.
  func offset(line: Int, column: Int) -> Int {
    guard line <= text.lineCount else { return text.count }
    let start = text.start(ofLine: line - 1)
    let bytes = text[start..<text.end(ofLine: line - 1)]
    let before = String(decoding: bytes, as: UTF8.self).prefix(column - 1)
    return start + min(before.utf8.count, bytes.count)
  }

  /// The position of an offset.
  func position(of offset: Int) -> Position {
    let (line, character) = last.cursor.find(offset)
    return Position(line: line, character: character)
  }

  /// The positions of both ends of a range.
  func positions(of range: Range<Int>) -> (start: Position, end: Position) {
    (position(of: range.lowerBound), position(of: range.upperBound))
  }

  /// The offsets of an LSP `Range`; nil if it is none.
  ///
  /// A range that ends before it begins is empty.
  func range(of json: JSON?) -> Range<Int>? {
    guard let start = Position(json?["start"]), let end = Position(json?["end"]) else { return nil }
    return range(start, end)
  }

  /// The offsets between two positions; none where the second is before the first.
  func range(_ start: Position, _ end: Position) -> Range<Int> {
    let lower = offset(of: start)
    return lower..<max(lower, offset(of: end))
  }

  /// The edits in a list of LSP's `TextEdit`; what is none is left out.
  func edits(of json: JSON?) -> [Edit] {
    json?.elements.compactMap { edit in
      guard let range = range(of: edit["range"]), let new = edit["newText"]?.utf8 else {
        return nil
      }
      return Edit(range, new)
    } ?? []
  }

  /// Edits as they are sent.
  func sent(_ edits: [Edit]) -> [SentEdit] {
    edits.map { edit in
      let (start, end) = positions(of: edit.range)
      return SentEdit(start: start, end: end, new: edit.new)
    }
  }

  /// Where edits that were sent for another text are in this one; nil if they are no edits of it.
  func edits(_ sent: [SentEdit]) -> [Edit]? {
    var edits: [Edit] = []
    for edit in sent {
      let range = range(edit.start, edit.end)
      // Positions after the end of a line are at its end.
      if let last = edits.last, last.range.upperBound >= range.lowerBound {
        guard last.range.upperBound == range.lowerBound else { return nil }
        let both = last.range.lowerBound..<range.upperBound
        edits[edits.count - 1] = Edit(both, last.new + edit.new)
      } else {
        edits.append(Edit(range, edit.new))
      }
    }
    return edits
  }

  /// Writes offsets as an LSP `Range`.
  func write(_ range: Range<Int>, to writer: inout JSONWriter) {
    let (start, end) = positions(of: range)
    writer.object {
      $0.member("start", start)
      $0.member("end", end)
    }
  }

  /// Writes an edit as an LSP `TextDocumentContentChangeEvent`.
  func writeChange(_ edit: Edit, to writer: inout JSONWriter) {
    writer.object {
      $0.key("range")
      write(edit.range, to: &$0)
      $0.key("text")
      $0.string(utf8: edit.new)
    }
  }

  /// Writes offsets as the members of an LSP `FoldingRange`.
  func writeFold(_ range: Range<Int>, to writer: inout JSONWriter) {
    let (start, end) = positions(of: range)
    writer.member("startLine", start.line)
    writer.member("startCharacter", start.character)
    writer.member("endLine", end.line)
    writer.member("endCharacter", end.character)
  }

  /// The numbers of LSP's semantic tokens, five for each: how many lines and characters after the
  /// one before, its length, what it is.
  ///
  /// - Parameters:
  ///   - tokens: Tokens by where they start, in offsets of the excerpt.
  ///   - excerpt: The stretch that they are of.
  ///   - multiline: Whether a token may go over a line's end; else it is cut there.
  /// - Returns: The numbers; linear in the stretch.
  func data(
    of tokens: [SemanticToken],
    in excerpt: Excerpt,
    multiline: Bool
  ) -> [UInt32] {
    let tokens = multiline ? tokens : excerpt.bytes.onLines(tokens)
    var data: [UInt32] = []
    data.reserveCapacity(5 * tokens.count)
    var last = Position(line: 0, character: 0)
    for token in tokens {
      let here = position(of: excerpt.start + token.range.lowerBound)
      let length = excerpt.bytes.units(in: token.range, encoding)
      let isSameLine = here.line == last.line
      data.append(UInt32(here.line - last.line))
      data.append(UInt32(isSameLine ? here.character - last.character : here.character))
      data.append(UInt32(length))
      data.append(UInt32(token.kind.rawValue))
      data.append(UInt32(token.modifiers))
      last = here
    }
    return data
  }

  /// Writes an edit as an LSP `TextEdit`.
  func write(_ edit: Edit, to writer: inout JSONWriter) {
    writer.object {
      $0.key("range")
      write(edit.range, to: &$0)
      $0.key("newText")
      $0.string(utf8: edit.new)
    }
  }
}

extension Position: JSONWritable {
  /// Reads an LSP `Position`; nil if it is none.
  init?(_ json: JSON?) {
    guard let line = json?["line"]?.integer, let character = json?["character"]?.integer else {
      return nil
    }
    self.init(line: line, character: character)
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("line", line)
      $0.member("character", character)
    }
  }
}

extension JSONWriter {
  /// Writes the member that says which document in which version, a `VersionedTextDocumentIdentifier`.
  mutating func document(_ uri: String, _ version: Int) {
    member(
      "textDocument",
      object: {
        $0.member("uri", uri)
        $0.member("version", version)
      }
    )
  }
}

extension [UInt8] {
  /// Whether the byte at an offset is of a line break.
  func isLineBreak(at offset: Int) -> Bool {
    self[offset] == UInt8(ascii: "\n") || self[offset] == UInt8(ascii: "\r")
  }

  /// Tokens that lie on one line each: those that do not are cut, without the line breaks.
  fileprivate func onLines(_ tokens: [SemanticToken]) -> [SemanticToken] {
    withUnsafeBufferPointer { bytes in
      var parts: [SemanticToken] = []
      parts.reserveCapacity(tokens.count)
      var isSorted = true
      func add(_ range: Range<Int>, of token: SemanticToken) {
        guard !range.isEmpty else { return }
        var part = token
        part.range = range
        // Only what lies in a token that was cut comes in another order.
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

  /// The length of a range; a character's units count at its first byte.
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
