import JSONRPC

/// The params of `textDocument/references`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_references
struct ReferenceParams: DocumentParams {
  let textDocument: TextDocumentIdentifier
  let position: Position
  /// From `context`.
  let includeDeclaration: Bool

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    position = try json.read("position")
    includeDeclaration = json["context"]?["includeDeclaration"]?.bool ?? false
  }
}
