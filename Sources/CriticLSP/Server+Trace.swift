import JSONRPC

/// LSP's `TraceValue`: how much of what the server does is told by `$/logTrace`.
enum Trace: String {
  case off
  case messages
  case verbose

  /// As long as what `verbose` adds to a line may be, in bytes.
  static let longestBody = 10_000
}

extension Server {
  func setTrace(_ params: JSON?) {
    trace = params?["value"]?.string.flatMap(Trace.init) ?? trace
  }

  /// What is sent, with a line about every message that came in or goes out.
  ///
  /// The lines come last: nothing of the kind may be sent before the answer to `initialize`.
  ///
  /// - Parameters:
  ///   - event: What was taken in.
  ///   - messages: What is to be sent because of it.
  /// - Returns: What is to be sent.
  func traced(_ event: Event, _ messages: [OutgoingMessage]) -> [OutgoingMessage] {
    guard trace != .off else { return messages }
    var lines = messages.map { line("Sent", $0.body) }
    if case .message(let body) = event { lines.insert(line("Received", body), at: 0) }
    return messages + lines
  }

  private func line(_ verb: String, _ body: [UInt8]) -> OutgoingMessage {
    .notification(method: "$/logTrace") {
      $0.object {
        $0.member("message", "\(verb) \(Server.name(of: body))")
        if trace == .verbose { $0.member("verbose", Server.shortened(body)) }
      }
    }
  }

  /// As in `request textDocument/formatting (7)`.
  private static func name(of body: [UInt8]) -> String {
    switch try? IncomingMessage(body: body) {
    case .request(let id, let method, _)?: "request \(method) (\(id))"
    case .notification(let method, _)?: "notification \(method)"
    case .response(let id, .success)?: "response (\(id?.description ?? "null"))"
    case .response(let id, .failure(let error))?:
      "error (\(id?.description ?? "null")): \(error.message)"
    case nil: "what is no message"
    }
  }

  private static func shortened(_ body: [UInt8]) -> String {
    guard body.count > Trace.longestBody else { return String(decoding: body, as: UTF8.self) }
    return String(decoding: body.prefix(Trace.longestBody), as: UTF8.self) + "…"
  }
}
