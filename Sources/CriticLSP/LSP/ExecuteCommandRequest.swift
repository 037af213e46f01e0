import JSONRPC

/// The params of `workspace/executeCommand`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspace_executeCommand
struct ExecuteCommandParams<Arguments> {
  let command: String
  let arguments: Arguments?
}

extension ExecuteCommandParams: JSONReadable where Arguments == JSON {
  init(_ json: JSON) throws(ResponseError) {
    command = try json.read("command")
    arguments = json["arguments"]
  }
}

extension ExecuteCommandParams: JSONWritable where Arguments: JSONWritable {
  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("command", command)
      $0.member("arguments", ifPresent: arguments)
    }
  }
}
