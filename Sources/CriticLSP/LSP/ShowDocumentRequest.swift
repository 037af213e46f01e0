import JSONRPC

/// The params of `window/showDocument`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#window_showDocument
struct ShowDocumentParams: JSONWritable {
  let uri: String
  let takeFocus: Bool
  let selection: Range<Position>

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("uri", uri)
      $0.member("takeFocus", takeFocus)
      $0.member("selection", selection)
    }
  }
}
