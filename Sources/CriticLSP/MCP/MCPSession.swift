import JSONRPC

/// The messages of one client: answers each as it comes, and those that wait for a person on a thread of their own.
final class MCPSession: Sendable {
  private let server: MCPServer
  private let output: Guarded<Output>
  private let state = Guarded(State())

  /// Where the answers go, and whether anybody reads them.
  private struct Output {
    let descriptor: Int32
    var isListening = true
  }

  private struct State {
    /// The name by which the client calls itself.
    var client: String?
    /// The calls that wait, and whether they were cancelled.
    var waiting: [RequestID: Bool] = [:]
  }

  /// How often a call that waits says so, in milliseconds.
  private static let interval = 5000

  init(_ server: MCPServer, output: Int32) {
    self.server = server
    self.output = Guarded(Output(descriptor: output))
  }

  /// Takes a message; returns false if the client is gone.
  func receive(_ body: [UInt8]) -> Bool {
    // Batches are of revision 2025-03-26.
    if body.first(where: { $0 > 0x20 }) == UInt8(ascii: "["), let batch = try? JSON(parsing: body),
      batch.first != nil
    {
      let answers = batch.elements.compactMap { element in
        answer(
          to: Result { () throws(InvalidMessage) in
            try IncomingMessage(body: Array(element.rawBytes))
          }
        )
      }
      guard !answers.isEmpty else { return true }
      let list = Array(answers.map(\.body).joined(separator: Array(",".utf8)))
      return send(Array("[".utf8) + list + Array("]\n".utf8))
    }
    let message = Result { () throws(InvalidMessage) in try IncomingMessage(body: body) }
    if case .success(.request(let id, let method, let params)) = message {
      let request = MCPServer.Request(id: id, method: method, params: params)
      if request.waits { return answerLater(request) }
    }
    return answer(to: message).map { send($0.line) } ?? true
  }

  /// Answers a call on a thread of its own; returns false if the client is gone.
  private func answerLater(_ request: MCPServer.Request) -> Bool {
    state.with { $0.waiting[request.id] = false }
    let isStarted = Platform.startThread { [self] in
      let answer = answer(to: request)
      // Who has cancelled a call expects no answer.
      let isCancelled = state.with { $0.waiting.removeValue(forKey: request.id) } == true
      if !isCancelled { _ = send(answer.line) }
    }
    return isStarted != nil || send(answer(to: request).line)
  }

  /// The answer to a message; nil if none is expected.
  private func answer(to message: Result<IncomingMessage, InvalidMessage>) -> OutgoingMessage? {
    switch message {
    case .success(.request(let id, let method, let params)):
      return answer(to: MCPServer.Request(id: id, method: method, params: params))
    case .success(.notification("notifications/cancelled", let params)):
      guard let id = params?["requestId"].flatMap({ try? RequestID($0) }) else { return nil }
      state.with { if $0.waiting[id] != nil { $0.waiting[id] = true } }
      return nil
    case .success: return nil
    case .failure(let invalid): return .error(to: invalid.id, invalid.error)
    }
  }

  private func answer(to request: MCPServer.Request) -> OutgoingMessage {
    let client = state.with { state -> String? in
      if request.method == "initialize" { state.client = request.client }
      return request.client ?? state.client
    }
    let steps = Guarded((count: 0, next: Platform.now + MCPSession.interval))
    return server.answer(to: request, from: client) { [self] message in
      let now = Platform.now
      let step = steps.with { steps -> Int? in
        guard now >= steps.next else { return nil }
        steps = (steps.count + 1, now + MCPSession.interval)
        return steps.count
      }
      if let step, let token = request.progress { tell(step, message, to: token) }
      let isCancelled = state.with { $0.waiting[request.id] } == true
      return !isCancelled && output.with { $0.isListening }
    }
  }

  private func tell(_ step: Int, _ message: String, to token: RequestID) {
    let notification = OutgoingMessage.notification(method: "notifications/progress") {
      $0.object {
        $0.member("progressToken", token)
        $0.member("progress", step)
        $0.member("message", message)
      }
    }
    _ = send(notification.line)
  }

  /// Sends a line; returns false if the client is gone.
  private func send(_ line: [UInt8]) -> Bool {
    output.with {
      $0.isListening = $0.isListening && Platform.send(line, to: $0.descriptor)
      return $0.isListening
    }
  }

  /// Says that a message is too long to be read.
  func refuse(_ length: Int) -> Bool {
    let error = ResponseError.invalidRequest("A message of \(length) bytes is too long.")
    return send(OutgoingMessage.error(to: nil, error).line)
  }
}
