import JSONRPC

/// The params of `textDocument/documentLink`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_documentLink
struct DocumentLinkParams: DocumentParams {
  let textDocument: TextDocumentIdentifier

  init(_ json: JSON) throws(ResponseError) { textDocument = try json.read("textDocument") }
}

/// A range that links to a URI.
struct DocumentLink: JSONWritable {
  let range: Range<Position>
  let target: String

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("range", range)
      $0.member("target", target)
    }
  }
}
