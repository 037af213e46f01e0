import JSONRPC

/// The params of `workspace/configuration`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspace_configuration
struct ConfigurationParams: JSONWritable {
  let items: [ConfigurationItem]

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("items", items) }
  }
}

/// A section of the configuration.
struct ConfigurationItem: JSONWritable {
  let section: String

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("section", section) }
  }
}
