import JSONRPC

/// The params of `workspace/symbol`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspace_symbol
struct WorkspaceSymbolParams: JSONReadable {
  let query: String
  let workDoneToken: RequestID?

  init(_ json: JSON) throws(ResponseError) {
    query = try json.read("query")
    workDoneToken = try json.readIfPresent("workDoneToken")
  }
}
