import JSONRPC

/// The params of `textDocument/definition`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_definition
typealias DefinitionParams = TextDocumentPositionParams

/// The result of `textDocument/definition`: links for clients that support them.
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
