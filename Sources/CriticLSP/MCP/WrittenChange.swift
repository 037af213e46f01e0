import JSONRPC
import TrackEngine

/// A change that edits have written, or written in.
struct WrittenChange: JSONWritable {
  let id: String
  let change: ListedChange
  /// The change with its thread.
  let markup: [UInt8]
  /// Whether nothing but the text that it replaces stood there, so that all of it was written now.
  let isNew: Bool

  /// The members that are told of it.
  static let values = [
    MCPTool.Value(name: "id", kind: .text, description: "as changes tells it"),
    MCPTool.Value(name: "number", kind: .type("integer"), description: "as changes tells it"),
    MCPTool.Value(name: "line", kind: .type("integer"), description: "the line of the file"),
    MCPTool.Value(name: "markup", kind: .text, description: "how it stands there; cut where long"),
  ]

  /// The changes that edits of a text write.
  ///
  /// Linear.
  static func all(
    of edits: [Edit],
    in text: [UInt8],
    as language: Language
  ) -> [WrittenChange] {
    guard !edits.isEmpty else { return [] }
    let new = text.applying(edits)
    let map = OffsetMap(edits)
    let back = map.inverted
    var places = edits.map { map.map($0.range, start: .before, end: .after) }[...]
    return ListedChange.all(of: new, as: language).named.compactMap { id, change in
      let range = change.entry.range.lowerBound..<change.entry.end
      places = places.drop { $0.upperBound <= range.lowerBound }
      guard let place = places.first, place.lowerBound < range.upperBound else { return nil }
      let before = back.map(range, start: .before, end: .after)
      return WrittenChange(
        id: id,
        change: change,
        markup: Array(new[range]),
        isNew: text[before].elementsEqual(change.entry.old)
      )
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("id", id)
      $0.member("number", change.number)
      $0.member("line", change.around.region.line)
      $0.member("markup", clipped(markup))
    }
  }
}
