import JSONRPC

/// The params of `textDocument/didOpen`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_didOpen
struct DidOpenTextDocumentParams: JSONReadable {
  let textDocument: TextDocumentItem

  init(_ json: JSON) throws(ResponseError) { textDocument = try json.read("textDocument") }
}
