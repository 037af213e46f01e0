import JSONRPC

extension Server {
  /// Answers `textDocument/formatting`; see ``markForSaving(_:)``.
  func formatting(_ params: TextDocumentParams) throws(ResponseError) -> [TextEdit]? {
    markForSaving(try document(params.textDocument))
  }
}
