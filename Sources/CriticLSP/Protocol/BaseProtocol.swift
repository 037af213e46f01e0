import JSONRPC

// The base protocol: cancellation, and values of any kind.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#baseProtocol

/// LSP's `uinteger`: a non-negative integer.
struct UInteger: JSONReadable {
  let value: Int

  init(_ json: JSON) throws(ResponseError) {
    guard let value = json.integer, value >= 0 else { throw .expected("a non-negative integer") }
    self.value = value
  }
}

/// LSP's `LSPAny`: any value.
typealias LSPAny = any JSONWritable

/// The params of `$/cancelRequest`.
struct CancelParams: JSONReadable {
  let id: RequestID

  init(_ json: JSON) throws(ResponseError) { id = try json.read("id") }
}
