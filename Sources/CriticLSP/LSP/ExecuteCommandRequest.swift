import JSONRPC

/// The params of `workspace/executeCommand`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspace_executeCommand
struct ExecuteCommandParams: JSONReadable {
  let command: String
  let arguments: JSON?

  init(_ json: JSON) throws(ResponseError) {
    command = try json.read("command")
    arguments = json["arguments"]
  }
}
