import JSONRPC
import TrackEngine

/// How a position's character is counted; LSP's `PositionEncodingKind`.
enum PositionEncoding: String {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"
}

/// LSP's `Position`.
struct Position: Equatable {
  var line: Int
  var character: Int
}

/// Turns LSP positions into offsets of a text and back: the one place that knows both.
struct Conversions {
  let text: Text
  let encoding: PositionEncoding

  /// The offset of a position; one beyond a line's end is the line's end, one beyond the text its
  /// end, and one inside a character the character's beginning.
  func offset(of position: Position) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < text.lineCount else { return text.count }
    let start = text.start(ofLine: position.line)
    let end = text.end(ofLine: position.line)
    var at = start
    var units = 0
    while at < end, units < position.character {
      let length = characterLength(at: at, before: end)
      units += self.units(ofCharacterAt: at, length)
      // Inside a surrogate pair, or inside a UTF-8 sequence.
      if units > position.character { return at }
      at += length
    }
    return at
  }

  /// The position of an offset.
  func position(of offset: Int) -> Position {
    let line = text.line(at: offset)
    // Between a CR and its LF there is no position.
    let stop = min(offset, text.end(ofLine: line))
    var at = text.start(ofLine: line)
    var units = 0
    while at < stop {
      let length = characterLength(at: at, before: stop)
      units += self.units(ofCharacterAt: at, length)
      at += length
    }
    return Position(line: line, character: units)
  }

  /// The offsets of an LSP `Range`; nil if it is none.
  ///
  /// A range that ends before it begins is empty.
  func range(of json: JSON?) -> Range<Int>? {
    guard let start = Position(json?["start"]), let end = Position(json?["end"]) else { return nil }
    let lower = offset(of: start)
    return lower..<max(lower, offset(of: end))
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

  /// The length of the character at an offset: of a UTF-8 sequence, or 1 for a byte that is in none.
  private func characterLength(at offset: Int, before end: Int) -> Int {
    if encoding == .utf8 { return 1 }
    let first = text[offset]
    let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    return min(length, end - offset)
  }

  private func units(ofCharacterAt offset: Int, _ length: Int) -> Int {
    encoding == .utf16 && length == 4 ? 2 : 1
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
