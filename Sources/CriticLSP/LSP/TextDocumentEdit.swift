import JSONRPC

/// Edits of one version of a document.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocumentEdit
struct TextDocumentEdit {
  let textDocument: VersionedTextDocumentIdentifier
  let edits: [TextEdit]
}

extension TextDocumentEdit: JSONReadable, JSONWritable {
  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    edits = try json.read("edits")
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("textDocument", textDocument)
      $0.member("edits", edits)
    }
  }
}
