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

/// The params of `window/showMessageRequest`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#window_showMessageRequest
struct ShowMessageRequestParams: JSONWritable {
  let type: MessageType
  let message: String
  /// The titles of the answers.
  let actions: [String]

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("type", type)
      $0.member("message", message)
      $0.member(
        "actions",
        array: { for action in actions { $0.object { $0.member("title", action) } } }
      )
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
