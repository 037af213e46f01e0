import JSONRPC

/// The params of `$/progress`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workDoneProgress
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
