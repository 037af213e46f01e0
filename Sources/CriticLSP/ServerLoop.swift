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
    var receiver = Platform.Receiver(input)
    var framing = Framing()
    while true {
      let deadline = server.deadline.map { $0 - Platform.now }
      let wait =
        server.clientProcess == nil
        ? deadline : min(deadline ?? ServerLoop.heartbeat, ServerLoop.heartbeat)
      var isOpen = true
      switch receiver.receive(within: wait) {
      case .bytes(let bytes):
        framing.append(bytes)
        while let frame = framing.next() {
          isOpen = isOpen && handle(event(for: consume frame), server)
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

  private func event(for frame: consuming Framing.Frame) -> Event {
    switch frame {
    case .body(let body): .message(body)
    case .tooLong(let length): .noise("A message of \(length) bytes is longer than is taken.")
    case .malformedHeader(let line): .noise("This is no header: \(line)")
    }
  }

  /// Returns false if the client no longer listens.
  private mutating func handle(_ event: consuming Event, _ server: Server) -> Bool {
    let now = Platform.now
    let isDue = server.deadline.map { $0 <= now } ?? false
    recorder?.record(event, at: now, isDue: isDue)
    let answers = server.handle(consume event, at: now)
    recorder?.record(answers)
    return answers.allSatisfy { answer in
      answer.withFrame { Platform.send($0, to: output) }
    }
  }
}
