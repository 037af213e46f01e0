import JSONRPC

/// LSP's `uinteger`: an integer from 0 on.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#uinteger
struct UInteger: JSONReadable {
  let value: Int

  init(_ json: JSON) throws(ResponseError) {
    guard let value = json.integer, value >= 0 else { throw .expected("a non-negative integer") }
    self.value = value
  }
}

/// LSP's `LSPAny`: what we send and get back as it was.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#lspAny
typealias LSPAny = any JSONWritable
