import JSONRPC

/// The params of `textDocument/didOpen`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_didOpen
struct DidOpenTextDocumentParams {
  let textDocument: TextDocumentItem
}

extension DidOpenTextDocumentParams: JSONReadable, JSONWritable {
  init(_ json: JSON) throws(ResponseError) { textDocument = try json.read("textDocument") }

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("textDocument", textDocument) }
  }
}
