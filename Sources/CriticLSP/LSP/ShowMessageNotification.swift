import JSONRPC

/// The params of `window/showMessage`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#window_showMessage
struct ShowMessageParams: JSONWritable {
  let type: MessageType
  let message: String

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("type", type)
      $0.member("message", message)
    }
  }
}

/// The type of a message.
enum MessageType: Int, JSONWritable {
  case error = 1
  case warning
  case info
  case log
}
