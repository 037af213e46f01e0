import JSONRPC

/// A link from a range to a location.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#locationLink
struct LocationLink: JSONWritable {
  let originSelectionRange: Range<Position>
  let targetUri: String
  let targetRange: Range<Position>
  let targetSelectionRange: Range<Position>

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("originSelectionRange", originSelectionRange)
      $0.member("targetUri", targetUri)
      $0.member("targetRange", targetRange)
      $0.member("targetSelectionRange", targetSelectionRange)
    }
  }
}
