import JSONRPC

extension TraceValue {
  /// How much of a message `verbose` shows, in bytes.
  static let maxBodyLength = 10_000
  /// The longest message to keep in case it turns tracing on, in bytes.
  static let maxKeptLength = 1 << 16
}

extension Server {
  /// The body of a message to trace; nil for a long one that is not traced, so that it can be freed while
  /// it is handled.
  func bodyToTrace(_ event: Event) -> [UInt8]? {
    guard case .message(let body) = event, trace != .off || body.count <= TraceValue.maxKeptLength
    else {
      return nil
    }
    return body
  }

  /// Adds a trace of every message received and sent.
  ///
  /// The traces come last, because nothing may be sent before the answer to `initialize`.
  ///
  /// - Parameters:
  ///   - received: The body of the message received, if any.
  ///   - messages: The messages to send.
  /// - Returns: The messages to send, with the traces.
  func traced(_ received: [UInt8]?, _ messages: [OutgoingMessage]) -> [OutgoingMessage] {
    guard trace != .off else { return messages }
    var lines = messages.map { line("Sent", $0.body) }
    if let received { lines.insert(line("Received", received), at: 0) }
    return messages + lines
  }

  private func line(_ verb: String, _ body: [UInt8]) -> OutgoingMessage {
    let params = LogTraceParams(
      message: "\(verb) \(Server.name(of: body))",
      verbose: trace == .verbose ? Server.shortened(body) : nil
    )
    return .notification(method: "$/logTrace") { params.write(to: &$0) }
  }

  /// As in `request textDocument/formatting (7)`.
  private static func name(of body: [UInt8]) -> String {
    switch try? IncomingMessage(body: body) {
    case .request(let id, let method, _)?: "request \(method) (\(id))"
    case .notification(let method, _)?: "notification \(method)"
    case .response(let id, .success)?: "response (\(id?.description ?? "null"))"
    case .response(let id, .failure(let error))?:
      "error (\(id?.description ?? "null")): \(error.message)"
    case nil: "an invalid message"
    }
  }

  private static func shortened(_ body: [UInt8]) -> String {
    guard body.count > TraceValue.maxBodyLength else {
      return String(decoding: body, as: UTF8.self)
    }
    return String(decoding: body.prefix(TraceValue.maxBodyLength), as: UTF8.self) + "…"
  }
}
