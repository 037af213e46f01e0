import JSONRPC

/// The params of `textDocument/publishDiagnostics`.
///
/// `Diagnostics` writes an array.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_publishDiagnostics
struct PublishDiagnosticsParams<Diagnostics: JSONWritable>: JSONWritable {
  let uri: String
  let version: Int
  let diagnostics: Diagnostics

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("uri", uri)
      $0.member("version", version)
      $0.member("diagnostics", diagnostics)
    }
  }
}
