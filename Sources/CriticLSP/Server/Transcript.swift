import JSONRPC

/// A recorded session as text.
///
/// Each line begins with what it is: `-->` a message from the client, `<--` one from the server, `-!>` why
/// bytes were not a message, `-/>` an event that did not come from the client, `@` the milliseconds since
/// the beginning, `#` a remark.
struct Transcript: Equatable {
  enum Line: Equatable {
    case remark(String)
    case time(Int)
    case client([UInt8])
    case server([UInt8])
    /// Bytes from the client were not a message; says why.
    case noise(String)
    /// An event that did not come from the client.
    case outside(Outside)
  }

  /// An event that does not come from the client.
  enum Outside: Equatable {
    case session(Int)
    case day(String)
    case outcome(EffectOutcome)
    case call(from: Int, [UInt8], about: DocumentKey?)
    case callerLeft(Int)
    case slow(Int)
  }

  var lines: [Line]

  /// Why a text is not a transcript.
  struct Failure: Error, CustomStringConvertible {
    /// The line's number and what is wrong with it.
    var description: String
  }

  /// Reads a transcript.
  init(_ bytes: [UInt8]) throws(Failure) {
    lines = []
    for (index, line) in bytes.split(
      separator: UInt8(ascii: "\n"),
      omittingEmptySubsequences: false
    )
    .enumerated() {
      let text = String(decoding: line.prefix(4), as: UTF8.self)
      if text.hasPrefix("--> ") {
        lines.append(.client(Array(line.dropFirst(4))))
      } else if text.hasPrefix("<-- ") {
        lines.append(.server(Array(line.dropFirst(4))))
      } else if text.hasPrefix("-!> ") {
        lines.append(.noise(String(decoding: line.dropFirst(4), as: UTF8.self)))
      } else if text.hasPrefix("-/> ") {
        guard let json = try? JSON(parsing: Array(line.dropFirst(4))), let outside = Outside(json)
        else {
          throw Failure(
            description:
              "line \(index + 1): “-/>” wants what came of an effect"
          )
        }
        lines.append(.outside(outside))
      } else if text.hasPrefix("@") {
        guard let time = Int(String(decoding: line.dropFirst(), as: UTF8.self)) else {
          throw Failure(description: "line \(index + 1): “@” wants a number of milliseconds")
        }
        lines.append(.time(time))
      } else if text.isEmpty || text.hasPrefix("#") {
        lines.append(.remark(String(decoding: line, as: UTF8.self)))
      } else {
        throw Failure(
          description:
            "line \(index + 1) begins with none of “-->”, “<--”, “-!>”, “-/>”, “@” and “#”"
        )
      }
    }
    while case .remark("")? = lines.last { lines.removeLast() }
  }

  /// The same session with the answers of a new server.
  func replayed() -> Transcript {
    let server = Server()
    var replayed = self
    replayed.lines = []
    var now = 0
    for (index, line) in lines.enumerated() {
      var answers: [OutgoingMessage] = []
      switch line {
      case .remark: replayed.lines.append(line)
      case .server: break
      case .time(let time):
        replayed.lines.append(line)
        now = max(now, time)
        // If the client sent something at that time, it came before the tick.
        if !isFollowedByClient(index) { answers = server.handle(.tick, at: now) }
      case .client(let body):
        replayed.lines.append(line)
        answers = server.handle(.message(body), at: now)
      case .noise(let why):
        replayed.lines.append(line)
        answers = server.handle(.noise(why), at: now)
      case .outside(let outside):
        replayed.lines.append(line)
        answers = server.handle(outside.event, at: now)
      }
      replayed.lines += answers.map { .server($0.body) }
    }
    return replayed
  }

  private func isFollowedByClient(_ index: Int) -> Bool {
    for line in lines[(index + 1)...] {
      switch line {
      case .remark: continue
      case .client, .noise, .outside: return true
      case .time, .server: return false
      }
    }
    return false
  }

  /// The transcript as text.
  var bytes: [UInt8] { lines.flatMap(\.bytes) }
}

extension Transcript.Line {
  /// The line as written, with its line break; a body as it came, since it may not be UTF-8.
  fileprivate var bytes: [UInt8] {
    switch self {
    case .client(let body): "--> ".utf8 + body + "\n".utf8
    case .server(let body): "<-- ".utf8 + body + "\n".utf8
    default: Array("\(self)\n".utf8)
    }
  }
}

extension Transcript.Line: CustomStringConvertible {
  /// The line as written.
  var description: String {
    switch self {
    case .remark(let text): text
    case .time(let time): "@\(time)"
    case .client(let body): "--> \(String(decoding: body, as: UTF8.self))"
    case .server(let body): "<-- \(String(decoding: body, as: UTF8.self))"
    case .noise(let why): "-!> \(why)"
    case .outside(let outside): "-/> \(outside)"
    }
  }
}

extension Transcript.Outside: CustomStringConvertible {
  fileprivate init?(_ json: JSON) {
    if let number = json["session"]?.integer {
      self = .session(number)
    } else if let day = json["day"]?.string {
      self = .day(day)
    } else if let milliseconds = json["slow"]?.integer {
      self = .slow(milliseconds)
    } else if let caller = json["caller"]?.integer, let message = json["message"] {
      let key = json["document"]?.string.map { DocumentKey(uri: $0) }
      self = .call(from: caller, Array(message.rawBytes), about: key)
    } else if let caller = json["callerLeft"]?.integer {
      self = .callerLeft(caller)
    } else if let outcome = EffectOutcome(json) {
      self = .outcome(outcome)
    } else {
      return nil
    }
  }

  fileprivate var event: Event {
    switch self {
    case .session(let number): .session(number)
    case .day(let day): .day(day)
    case .outcome(let outcome): .outcome(outcome)
    case .call(let caller, let body, let key): .call(from: caller, body, about: key)
    case .callerLeft(let caller): .callerLeft(caller)
    case .slow(let milliseconds): .slow(milliseconds)
    }
  }

  /// The event as JSON.
  var description: String {
    var writer = JSONWriter()
    switch self {
    case .session(let number): writer.object { $0.member("session", number) }
    case .day(let day): writer.object { $0.member("day", day) }
    case .outcome(let outcome): outcome.write(to: &writer)
    case .call(let caller, let body, let key):
      writer.object {
        $0.member("caller", caller)
        $0.member("document", ifPresent: key?.uri)
        // What is no JSON was ignored, too.
        $0.member("message", ifPresent: try? JSON(parsing: body))
      }
    case .callerLeft(let caller): writer.object { $0.member("callerLeft", caller) }
    case .slow(let milliseconds): writer.object { $0.member("slow", milliseconds) }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// Records a session while it runs.
struct Recorder {
  let descriptor: Int32
  private let start: Int
  private var lastTime = -1

  init(descriptor: Int32, start: Int) {
    self.descriptor = descriptor
    self.start = start
  }

  /// The event in the form that is recorded and handled: a message on one line.
  ///
  /// Line breaks become tabs: JSON allows both in the same places, so invalid JSON stays invalid.
  static func onOneLine(_ event: consuming Event) -> Event {
    switch event {
    case .message(let body):
      let (lineFeed, carriageReturn, tab) = (
        UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t")
      )
      return .message(body.map { $0 == lineFeed || $0 == carriageReturn ? tab : $0 })
    case .noise(let why):
      return .noise(why.split(whereSeparator: \.isNewline).joined(separator: " "))
    default: return event
    }
  }

  /// Records an event before the server handles it, so that it is there even if the server crashes.
  ///
  /// - Parameters:
  ///   - event: The event, on one line.
  ///   - now: When, in milliseconds.
  ///   - isDue: Whether something is due: then a tick is recorded too, since it changes the state.
  mutating func record(_ event: Event, at now: Int, isDue: Bool) {
    var lines: [Transcript.Line] = []
    switch event {
    case .message(let body): lines.append(.client(body))
    case .noise(let why): lines.append(.noise(why))
    case .session(let number): lines.append(.outside(.session(number)))
    case .day(let day): lines.append(.outside(.day(day)))
    case .outcome(let outcome): lines.append(.outside(.outcome(outcome)))
    case .call(let caller, let body, let key):
      lines.append(.outside(.call(from: caller, body, about: key)))
    case .callerLeft(let caller): lines.append(.outside(.callerLeft(caller)))
    case .slow(let milliseconds): lines.append(.outside(.slow(milliseconds)))
    case .hangUp: lines.append(.remark("# the client hung up"))
    case .tick: break
    }
    guard !lines.isEmpty || isDue else { return }
    if now - start != lastTime {
      lastTime = now - start
      lines.insert(.time(lastTime), at: 0)
    }
    write(lines)
  }

  /// Records what the server sent.
  func record(_ answers: [OutgoingMessage]) { write(answers.map { .server($0.body) }) }

  private func write(_ lines: [Transcript.Line]) {
    guard !lines.isEmpty else { return }
    Platform.send(lines.flatMap(\.bytes), to: descriptor)
  }
}
