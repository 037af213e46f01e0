import JSONRPC

/// The params of `textDocument/didSave`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_didSave
struct DidSaveTextDocumentParams: DocumentParams {
  let textDocument: TextDocumentIdentifier
  /// What was saved, if the client says so.
  let text: [UInt8]?

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    text = json["text"]?.utf8
  }
}
