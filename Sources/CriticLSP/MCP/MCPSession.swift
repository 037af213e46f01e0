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
  /// How many calls may wait at once; each has a thread.
  static let mostWaiting = 32

  /// What is done with the answer to a message; nil if none is expected.
  private typealias Reply = @Sendable (OutgoingMessage?) -> Void

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
      receive(batch: batch.elements.map { Array($0.rawBytes) })
    } else {
      receive(message: body) { [self] in if let answer = $0 { send(answer.line) } }
    }
    return output.with { $0.isListening }
  }

  /// Takes the messages of a batch, whose answers are one message.
  private func receive(batch bodies: [[UInt8]]) {
    let batch = Guarded(Batch(count: bodies.count))
    for (index, body) in bodies.enumerated() {
      receive(message: body) { [self] answer in
        guard let all = batch.with({ $0.take(answer, at: index) }), !all.isEmpty else { return }
        let list = Array(all.map(\.body).joined(separator: Array(",".utf8)))
        send(Array("[".utf8) + list + Array("]\n".utf8))
      }
    }
  }

  /// The answers to a batch.
  private struct Batch {
    private var answers: [OutgoingMessage?]
    private var missing: Int

    init(count: Int) { (answers, missing) = (Array(repeating: nil, count: count), count) }

    /// Takes the answer to one message; returns all of them if it was the last, in order.
    mutating func take(_ answer: OutgoingMessage?, at index: Int) -> [OutgoingMessage]? {
      answers[index] = answer
      missing -= 1
      return missing == 0 ? answers.compactMap(\.self) : nil
    }
  }

  /// Takes a message; `reply` is called once, at once or, for a call that waits, by a thread of its own.
  private func receive(message body: [UInt8], _ reply: @escaping Reply) {
    do throws(InvalidMessage) {
      switch try IncomingMessage(body: body) {
      case .request(let id, let method, let params):
        let request = MCPServer.Request(id: id, method: method, params: params)
        if request.waits { answerLater(request, reply) } else { reply(answer(to: request)) }
      case .notification("notifications/cancelled", let params):
        if let id = params?["requestId"].flatMap({ try? RequestID($0) }) {
          state.with { if $0.waiting[id] != nil { $0.waiting[id] = true } }
        }
        reply(nil)
      case .notification, .response: reply(nil)
      }
    } catch {
      reply(.error(to: error.id, error.error))
    }
  }

  /// Answers a call on a thread of its own, unless too many wait.
  private func answerLater(_ request: MCPServer.Request, _ reply: @escaping Reply) {
    let refusal = state.with { state -> String? in
      guard state.waiting[request.id] == nil else { return "a call with this id waits already" }
      guard state.waiting.count < MCPSession.mostWaiting else {
        return "\(MCPSession.mostWaiting) calls wait already; cancel one, or call again when one"
          + " is answered"
      }
      state.waiting[request.id] = false
      return nil
    }
    if let refusal { return reply(server.refusal(of: request, refusal)) }
    let isStarted = Platform.startThread { [self] in
      let answer = answer(to: request)
      // Who has cancelled a call expects no answer.
      let isCancelled = state.with { $0.waiting.removeValue(forKey: request.id) } == true
      reply(isCancelled ? nil : answer)
    }
    guard !isStarted else { return }
    state.with { $0.waiting[request.id] = nil }
    reply(server.refusal(of: request, "the system has no thread to wait on"))
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
    send(notification.line)
  }

  /// Sends a line; returns false if the client is gone.
  @discardableResult
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
