import JSONRPC

/// A range of a document.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#location
struct Location: JSONWritable {
  let uri: String
  let range: Range<Position>

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("uri", uri)
      $0.member("range", range)
    }
  }
}
