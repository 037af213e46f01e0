import JSONRPC

/// The params of `textDocument/hover`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_hover
typealias HoverParams = TextDocumentPositionParams

/// The result of `textDocument/hover`.
struct Hover: JSONWritable {
  let contents: MarkupContent
  /// The range that it describes.
  let range: Range<Position>?

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("contents", contents)
      $0.member("range", ifPresent: range)
    }
  }
}
