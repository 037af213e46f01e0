import JSONRPC

/// A recorded session as text: `-->` what the client sent, `<--` what the server answered, `@` how
/// many milliseconds had passed since the beginning, `#` remarks.
struct Transcript: Equatable {
  enum Line: Equatable {
    case remark(String)
    case time(Int)
    case client([UInt8])
    case server([UInt8])
  }

  var lines: [Line]

  /// Why a text is no transcript.
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
      } else if text.hasPrefix("@") {
        guard let time = Int(String(decoding: line.dropFirst(), as: UTF8.self)) else {
          throw Failure(description: "line \(index + 1): “@” wants a number of milliseconds")
        }
        lines.append(.time(time))
      } else if text.isEmpty || text.hasPrefix("#") {
        lines.append(.remark(String(decoding: line, as: UTF8.self)))
      } else {
        throw Failure(
          description: "line \(index + 1) begins with none of “-->”, “<--”, “@” and “#”"
        )
      }
    }
    while case .remark("")? = lines.last { lines.removeLast() }
  }

  /// The same session with what a fresh server answers today.
  func replayed() -> Transcript {
    let server = Server()
    var replayed = self
    replayed.lines = []
    var now = 0
    for line in lines {
      var answers: [OutgoingMessage] = []
      switch line {
      case .remark: replayed.lines.append(line)
      case .server: break
      case .time(let time):
        replayed.lines.append(line)
        now = max(now, time)
        answers = server.handle(.tick, at: now)
      case .client(let body):
        replayed.lines.append(line)
        answers = server.handle(.message(body), at: now)
      }
      replayed.lines += answers.map { .server($0.body) }
    }
    return replayed
  }

  /// The transcript as text.
  var bytes: [UInt8] { lines.flatMap { Array("\($0)\n".utf8) } }
}

extension Transcript.Line: CustomStringConvertible {
  /// The line as it is written.
  var description: String {
    switch self {
    case .remark(let text): text
    case .time(let time): "@\(time)"
    case .client(let body): "--> \(String(decoding: body, as: UTF8.self))"
    case .server(let body): "<-- \(String(decoding: body, as: UTF8.self))"
    }
  }
}

/// Writes a session down while it runs.
struct Recorder {
  let descriptor: Int32
  private let start: Int
  private var lastTime = -1

  init(descriptor: Int32, start: Int) {
    self.descriptor = descriptor
    self.start = start
  }

  mutating func record(_ event: Event, _ answers: [OutgoingMessage], at now: Int) {
    var lines: [Transcript.Line] = []
    switch event {
    case .message(let body):
      // A message on several lines is put on one; line breaks in strings are escaped anyway.
      lines.append(.client(body.map { $0 == UInt8(ascii: "\n") || $0 == 13 ? 32 : $0 }))
    case .noise(let why): lines.append(.remark("# not a message: \(why)"))
    case .hangUp: lines.append(.remark("# the client hung up"))
    case .tick: break
    }
    lines += answers.map { .server($0.body) }
    guard !lines.isEmpty else { return }
    if now - start != lastTime {
      lastTime = now - start
      lines.insert(.time(lastTime), at: 0)
    }
    Platform.send(lines.flatMap { Array("\($0)\n".utf8) }, to: descriptor)
  }
}
