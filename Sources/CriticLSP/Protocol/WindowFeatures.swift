import JSONRPC

// Messages, documents to show, and progress.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#windowFeatures

/// The params of `window/showMessage`.
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

/// The params of `window/showDocument`.
struct ShowDocumentParams: JSONWritable {
  let uri: String
  let takeFocus: Bool
  var selection: Range<Position>?

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("uri", uri)
      $0.member("takeFocus", takeFocus)
      $0.member("selection", ifPresent: selection)
    }
  }
}

/// The params of `$/progress`.
struct ProgressParams<Value: JSONWritable>: JSONWritable {
  let token: RequestID
  let value: Value

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("token", token)
      $0.member("value", value)
    }
  }
}

/// The progress of some work.
enum WorkDoneProgress: JSONWritable {
  case begin(title: String, percentage: Int)
  case report(message: String, percentage: Int?)
  case end

  func write(to writer: inout JSONWriter) {
    writer.object {
      switch self {
      case .begin(let title, let percentage):
        $0.member("kind", "begin")
        $0.member("title", title)
        $0.member("cancellable", true)
        $0.member("percentage", percentage)
      case .report(let message, let percentage):
        $0.member("kind", "report")
        $0.member("cancellable", true)
        $0.member("message", message)
        $0.member("percentage", ifPresent: percentage)
      case .end:
        $0.member("kind", "end")
      }
    }
  }
}

/// The params of `window/workDoneProgress/create`.
struct WorkDoneProgressCreateParams: JSONWritable {
  let token: RequestID

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("token", token) }
  }
}

/// The params of `window/workDoneProgress/cancel`.
struct WorkDoneProgressCancelParams: JSONReadable {
  let token: RequestID

  init(_ json: JSON) throws(ResponseError) { token = try json.read("token") }
}
