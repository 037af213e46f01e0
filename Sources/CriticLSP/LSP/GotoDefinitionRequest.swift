import JSONRPC

/// The params of `textDocument/definition`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_definition
typealias DefinitionParams = TextDocumentPositionParams

/// Where something is defined: links for clients that know them.
enum Definition: JSONWritable {
  case locations([Location])
  case links([LocationLink])

  func write(to writer: inout JSONWriter) {
    switch self {
    case .locations(let locations): locations.write(to: &writer)
    case .links(let links): links.write(to: &writer)
    }
  }
}
