import JSONRPC

/// The params of `textDocument/inlayHint`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_inlayHint
struct InlayHintParams: DocumentParams {
  let textDocument: TextDocumentIdentifier
  let range: Range<Position>

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    range = try json.read("range")
  }
}

/// A label shown inside the text.
struct InlayHint: JSONWritable {
  let position: Position
  let label: String
  let tooltip: String
  let paddingRight: Bool

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("position", position)
      $0.member("label", label)
      $0.member("tooltip", tooltip)
      $0.member("paddingRight", ifTrue: paddingRight)
    }
  }
}
