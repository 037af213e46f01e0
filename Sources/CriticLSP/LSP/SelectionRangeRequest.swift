import JSONRPC

/// The params of `textDocument/selectionRange`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_selectionRange
struct SelectionRangeParams: DocumentParams {
  let textDocument: TextDocumentIdentifier
  let positions: [Position]

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    positions = try json.read("positions")
  }
}

/// A range with its parents.
struct SelectionRange: JSONWritable {
  /// From the innermost outwards; not empty.
  let ranges: [Range<Position>]

  func write(to writer: inout JSONWriter) { SelectionRange.write(ranges[...], to: &writer) }

  private static func write(_ ranges: ArraySlice<Range<Position>>, to writer: inout JSONWriter) {
    guard let first = ranges.first else { return }
    writer.object {
      $0.member("range", first)
      guard ranges.count > 1 else { return }
      $0.key("parent")
      write(ranges.dropFirst(), to: &$0)
    }
  }
}
