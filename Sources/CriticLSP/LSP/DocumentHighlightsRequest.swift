import JSONRPC

/// The params of `textDocument/documentHighlight`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_documentHighlight
typealias DocumentHighlightParams = TextDocumentPositionParams

/// A highlighted range.
struct DocumentHighlight: JSONWritable {
  let range: Range<Position>
  let kind: DocumentHighlightKind

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("range", range)
      $0.member("kind", kind)
    }
  }
}

/// The kind of a highlight.
enum DocumentHighlightKind: Int, JSONWritable {
  case text = 1
  case read
  case write
}
