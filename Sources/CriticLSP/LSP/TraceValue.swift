import JSONRPC

/// How much the server reports by `$/logTrace`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#traceValue
enum TraceValue: String, CaseIterable, JSONReadable {
  case off
  case messages
  case verbose
}

/// The params of `$/setTrace`.
struct SetTraceParams: JSONReadable {
  let value: TraceValue

  init(_ json: JSON) throws(ResponseError) { value = try json.read("value") }
}

/// The params of `$/logTrace`.
struct LogTraceParams: JSONWritable {
  let message: String
  let verbose: String?

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("message", message)
      $0.member("verbose", ifPresent: verbose)
    }
  }
}
