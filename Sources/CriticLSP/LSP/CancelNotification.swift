import JSONRPC

/// The params of `$/cancelRequest`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#cancelRequest
struct CancelParams: JSONReadable {
  let id: RequestID

  init(_ json: JSON) throws(ResponseError) { id = try json.read("id") }
}
