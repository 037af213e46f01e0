import JSONRPC

/// The only loop: waits, receives, frames, handles, sends.
struct ServerLoop {
  let input: Int32
  let output: Int32
  var recorder: Recorder?

  /// How often the client's process is looked after, in milliseconds.
  private static let heartbeat = 5000

  /// Runs the server until it ends.
  ///
  /// - Returns: The exit code.
  mutating func run() -> Int32 {
    let server = Server()
    var framing = Framing()
    while true {
      let deadline = server.deadline.map { $0 - Platform.now }
      let wait =
        server.clientProcess == nil
        ? deadline : min(deadline ?? ServerLoop.heartbeat, ServerLoop.heartbeat)
      var isOpen = true
      switch Platform.receive(from: input, within: wait) {
      case .bytes(let bytes):
        framing.append(bytes)
        while let frame = framing.next() {
          isOpen = isOpen && handle(event(for: frame), server)
          if let code = server.exitCode { return code }
        }
      case .none:
        if let process = server.clientProcess, !Platform.isRunning(process) {
          isOpen = handle(.hangUp, server)
        }
      case .end:
        isOpen = handle(.hangUp, server)
      }
      isOpen = isOpen && handle(.tick, server)
      if !isOpen, server.exitCode == nil { _ = server.handle(.hangUp, at: Platform.now) }
      if let code = server.exitCode { return code }
    }
  }

  private func event(for frame: Framing.Frame) -> Event {
    switch frame {
    case .body(let body): .message(body)
    case .tooLong(let length): .noise("A message of \(length) bytes is longer than is taken.")
    case .malformedHeader(let line): .noise("This is no header: \(line)")
    }
  }

  /// Returns false if the client no longer listens.
  private mutating func handle(_ event: Event, _ server: Server) -> Bool {
    let now = Platform.now
    let isDue = server.deadline.map { $0 <= now } ?? false
    recorder?.record(event, at: now, isDue: isDue)
    let answers = server.handle(event, at: now)
    recorder?.record(answers)
    guard !answers.isEmpty else { return true }
    return Platform.send(answers.flatMap { Framing.frame($0.body) }, to: output)
  }
}
