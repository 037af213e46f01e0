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

  /// The position of an offset.
  func position(of offset: Int) -> Position {
    let (line, character) = last.cursor.find(offset)
    return Position(line: line, character: character)
  }

  /// The offsets of an LSP `Range`; nil if it is none.
  ///
  /// A range that ends before it begins is empty.
  func range(of json: JSON?) -> Range<Int>? {
    guard let start = Position(json?["start"]), let end = Position(json?["end"]) else { return nil }
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

  /// Writes offsets as an LSP `Range`.
  func write(_ range: Range<Int>, to writer: inout JSONWriter) {
    writer.object {
      $0.member("start", position(of: range.lowerBound))
      $0.member("end", position(of: range.upperBound))
    }
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
