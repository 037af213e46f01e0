import JSONRPC

/// Edits of documents.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspaceEdit
struct WorkspaceEdit {
  let documentChanges: [TextDocumentEdit]
}

extension WorkspaceEdit: JSONReadable, JSONWritable {
  init(_ json: JSON) throws(ResponseError) { documentChanges = try json.read("documentChanges") }

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("documentChanges", documentChanges) }
  }
}
