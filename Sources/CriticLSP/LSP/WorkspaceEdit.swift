import JSONRPC

/// Edits of documents.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspaceEdit
struct WorkspaceEdit: JSONWritable {
  let documentChanges: [TextDocumentEdit]

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("documentChanges", documentChanges) }
  }
}
