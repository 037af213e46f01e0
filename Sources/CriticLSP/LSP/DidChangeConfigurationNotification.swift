import JSONRPC

/// The params of `workspace/didChangeConfiguration`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspace_didChangeConfiguration
struct DidChangeConfigurationParams {
  /// Some or all of the client's settings.
  let settings: JSON?

  init(_ json: JSON?) { settings = json?["settings"] }
}

/// Which settings to report.
struct DidChangeConfigurationRegistrationOptions: JSONWritable {
  let section: String

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("section", section) }
  }
}
