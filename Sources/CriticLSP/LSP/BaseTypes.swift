import JSONRPC

/// LSP's `uinteger`: a non-negative integer.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#uinteger
struct UInteger: JSONReadable {
  let value: Int

  init(_ json: JSON) throws(ResponseError) {
    guard let value = json.integer, value >= 0 else { throw .expected("a non-negative integer") }
    self.value = value
  }
}

/// LSP's `LSPAny`: any value.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#lspAny
typealias LSPAny = any JSONWritable
