import JSONRPC

/// A command of the server with a title.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#command
struct Command: JSONWritable {
  let title: String
  let command: String
  let arguments: [LSPAny]

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("title", title)
      $0.member("command", command)
      $0.member(
        "arguments",
        array: { for argument in arguments { argument.write(to: &$0) } }
      )
    }
  }
}
