import JSONRPC

@testable import CriticLSP
@testable import TrackEngine

extension Conversions {
  /// The offsets of an LSP range; nil if it is none.
  func range(of json: JSON?) -> Range<Int>? {
    json.flatMap { try? Range<Position>($0) }.map(offsets)
  }

  /// The edits in a list of LSP's text edits; what is none is left out.
  func edits(of json: JSON?) -> [Edit] {
    (json?.readable(as: TextEdit.self) ?? []).map(edit)
  }

  /// Writes offsets as an LSP range.
  func write(_ range: Range<Int>, to writer: inout JSONWriter) {
    positions(of: range).write(to: &writer)
  }

  /// Writes an edit as a change that a client tells of.
  func writeChange(_ edit: Edit, to writer: inout JSONWriter) {
    writer.object {
      $0.member("range", positions(of: edit.range))
      $0.member("text", utf8: edit.new)
    }
  }
}

extension Position {
  /// Reads an LSP position; nil if it is none.
  init?(_ json: JSON?) {
    guard let json, let position = try? Position(json) else { return nil }
    self = position
  }
}
