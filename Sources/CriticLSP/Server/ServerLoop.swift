import JSONRPC

/// The event loop: waits, receives, frames, handles, sends.
struct ServerLoop: ~Copyable {
  private var connection: Connection
  private var recorder: Recorder?
  private var effects: EffectRunner
  /// Other processes that ask about the open documents; nil if none can.
  private let callers: Callers?

  /// How often to check whether the client's process is still running, in milliseconds.
  private static let heartbeat = 5000
  /// Events that take longer are logged, in milliseconds.
  private static let slowness = 200
  /// After a longer message, memory is given back to the system, in bytes.
  private static let longMessage = 1 << 20
  /// How long to keep that memory for the next message, in milliseconds.
  private static let keepsMemory = 3000
  /// How often to look what day it is, in milliseconds.
  private static let dayCheck = 10_000
  /// When to look next, in milliseconds.
  private var looksAtDateAt = 0
  /// The day that the server was told.
  private var day = ""
  /// When to give memory back, in milliseconds.
  private var givesBackAt: Int?
  /// How long to wait at the end for a client that takes no output, in milliseconds.
  private static let sendTimeout = 3000

  /// Makes a loop.
  ///
  /// - Parameters:
  ///   - input: Where the client's messages come in.
  ///   - output: Where ours go out.
  ///   - recorder: Records the session.
  ///   - effects: Carries out the server's effects.
  ///   - callers: Other processes that ask about the open documents; nil if none can.
  init(
    input: Int32,
    output: Int32,
    recorder: Recorder?,
    effects: EffectRunner,
    callers: Callers? = nil
  ) {
    connection = Connection(input: input, output: output)
    self.recorder = recorder
    self.effects = effects
    self.callers = callers
  }

  /// Runs the server until it ends.
  ///
  /// - Returns: The exit code.
  mutating func run() -> Int32 {
    let server = Server()
    var framing = Framing()
    _ = handle(.session(Platform.now), server)
    while true {
      let heartbeat = server.clientProcess == nil ? nil : ServerLoop.heartbeat
      let due = [server.deadline, givesBackAt, callers?.deadline].compactMap { $0 }.min()
        .map { max($0, Platform.now) - Platform.now }
      let wait = [due, heartbeat].compactMap { $0 }.min()
      var isOpen = true
      let pause = effects.isWaiting ? EffectRunner.pause : 0
      let others = callers?.awaited ?? []
      switch connection.receive(within: server.effect == nil ? wait : pause, beside: others) {
      case .bytes(let bytes):
        framing.append(bytes)
        while let frame = framing.next() {
          isOpen = isOpen && handle(event(for: consume frame), server)
          if server.exitCode != nil { return end(server) }
        }
      case .none:
        if let at = givesBackAt, at <= Platform.now {
          givesBackAt = nil
          Platform.giveMemoryBack()
        }
        if let process = server.clientProcess, !Platform.isRunning(process) {
          isOpen = hangUp(server)
        } else {
          isOpen = work(for: server)
        }
      case .end:
        isOpen = hangUp(server)
      }
      if let callers, connection.isOtherReady || callers.deadline ?? .max <= Platform.now {
        for news in callers.receive(at: Platform.now, about: { Array(server.documents.keys) }) {
          isOpen = isOpen && handle(event(for: news), server)
        }
      }
      isOpen = isOpen && handle(.tick, server)
      if !isOpen, server.exitCode == nil { _ = server.handle(.hangUp, at: Platform.now) }
      if server.exitCode != nil { return end(server) }
    }
  }

  /// Tells the server that the client is gone, once it has handled all that came before that; returns false if the client
  /// no longer listens.
  private mutating func hangUp(_ server: Server) -> Bool {
    guard server.held.isWorking else { return handle(.hangUp, server) }
    if effects.isWaiting { Platform.sleep(EffectRunner.pause) }
    return work(for: server)
  }

  /// Carries out one slice of the server's effect; returns false if the client no longer listens.
  private mutating func work(for server: Server) -> Bool {
    guard let effect = server.effect, let outcome = effects.step(effect) else { return true }
    return handle(.outcome(outcome), server)
  }

  /// Completes the last effects and sends what is queued; returns the exit code.
  private mutating func end(_ server: Server) -> Int32 {
    while server.effect != nil {
      _ = work(for: server)
      if effects.isWaiting { Platform.sleep(EffectRunner.pause) }
    }
    connection.finish(timeout: ServerLoop.sendTimeout)
    return server.exitCode ?? 1
  }

  private func event(for frame: consuming Framing.Frame) -> Event {
    switch frame {
    case .body(let body): .message(body)
    case .tooLong(let length): .noise("A message of \(length) bytes is too long.")
    case .malformedHeader(let line): .noise("This is not a header: \(line)")
    }
  }

  private func event(for news: Callers.News) -> Event {
    switch news {
    case .left(let caller): .callerLeft(caller)
    case .call(let caller, let body, let document): .call(from: caller, body, about: document)
    }
  }

  private func isLong(_ event: Event) -> Bool {
    if case .message(let body) = event { body.count > ServerLoop.longMessage } else { false }
  }

  /// Handles an event; returns false if the client no longer listens.
  private mutating func handle(_ event: consuming Event, _ server: Server) -> Bool {
    let now = Platform.now
    if now >= looksAtDateAt {
      looksAtDateAt = now + ServerLoop.dayCheck
      if let today = try? Platform.date, today != day {
        day = today
        guard handle(.day(today), server) else { return false }
      }
    }
    let event = recorder == nil ? event : Recorder.onOneLine(event)
    // Only a transcript tells; with very many documents it costs something to ask.
    let isDue = recorder != nil && server.deadline.map { $0 <= now } ?? false
    var isLong = isLong(event)
    recorder?.record(event, at: now, isDue: isDue)
    var answers = server.handle(consume event, at: now)
    recorder?.record(answers)
    while server.effect?.isUrgent == true, let effect = server.effect,
      let outcome = effects.step(effect)
    {
      recorder?.record(.outcome(outcome), at: now, isDue: false)
      let more = server.handle(.outcome(outcome), at: now)
      recorder?.record(more)
      answers += more
    }
    for answer in server.calls.takeAnswers() {
      callers?.send(answer.message, to: answer.caller, at: now)
    }
    let took = Platform.now - now
    for answer in answers {
      isLong = isLong || answer.withFrame { $0.count } > ServerLoop.longMessage
      connection.send(answer)
    }
    if isLong { givesBackAt = now + ServerLoop.keepsMemory }
    guard connection.isListening else { return false }
    return took < ServerLoop.slowness || handle(.slow(took), server)
  }
}
