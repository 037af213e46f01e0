import CLibrary
import JSONRPC

/// A language server that was started for one contender.
final class Session {
  let wire: Wire
  var messages = Messages()

  /// Starts a server and waits until it can be talked to.
  init(_ arguments: [String], announcing capabilities: String = "{}") throws {
    wire = try Wire(arguments)
    try wire.send(messages.initialize(announcing: capabilities))
    try wire.wait(for: .answer(messages.request))
    try wire.send(messages.initialized())
  }

  /// Opens a document; returns how long it takes until a question about it is answered.
  func open(_ bytes: [UInt8], awaitsList: Bool = false) throws -> Int {
    let place = Place(offset: 0, line: 0, character: 0)
    var frames = messages.open(bytes)
    if !awaitsList { frames += messages.hover(place) }
    return try Clock.time {
      try wire.send(frames)
      try wire.wait(for: awaitsList ? .list : .answer(messages.request))
    }
  }

  /// Asks something, so that what was sent before has been dealt with when this returns.
  func settle() throws {
    try wire.send(messages.hover(Place(offset: 0, line: 0, character: 0)))
    try wire.wait(for: .answer(messages.request))
  }
}

/// Starts a server: to the reply to initialize.
final class StartContender: Contender {
  private let arguments: [String]

  init(_ arguments: [String]) {
    self.arguments = arguments
  }

  func turn(_ results: inout Results) throws {
    var messages = Messages()
    let request = try messages.initialize()
    var wire: Wire?
    results.add(
      try Clock.time {
        wire = try Wire(arguments)
        try wire?.send(request)
        try wire?.wait(for: .answer(messages.request))
      }
    )
    let memory = wire?.memory
    results.facts["idle"] = max(results.facts["idle"] ?? 0, memory?.now ?? 0)
    results.facts["peak"] = max(results.facts["peak"] ?? 0, memory?.peak ?? 0)
    wire?.hangUp()
  }
}

/// Opens a document over and over in one server.
final class ReopenContender: Contender {
  private let path: String
  private let arguments: [String]
  private let awaitsList: Bool
  private var bytes: [UInt8] = []
  private var session: Session?

  /// - Parameters:
  ///   - path: The document.
  ///   - awaitsList: Whether the list of changes is waited for, and not the answer to a question.
  ///   - arguments: The server.
  init(_ path: String, awaitsList: Bool, _ arguments: [String]) {
    self.path = path
    self.awaitsList = awaitsList
    self.arguments = arguments
  }

  func prepare() throws {
    bytes = try File.read(path)
    session = try Session(arguments)
  }

  func turn(_ results: inout Results) throws {
    guard let session else { return }
    results.add(try session.open(bytes, awaitsList: awaitsList))
    if results.facts["steady"] == nil {
      // What is only kept for the next long message is no longer there then.
      sleep(5)
      let memory = session.wire.memory
      results.facts["steady"] = memory.now
      results.facts["peak"] = memory.peak
    }
  }

  func finish(_ results: inout Results) { session?.wire.hangUp() }
}

/// Types in a document that is open in a server: didChange and hover at once, to the answer.
final class TypingContender: Contender {
  private let path: String
  private let arguments: [String]
  private let awaitsList: Bool
  private let sendsAll: Bool
  private var session: Session?
  private var bytes: [UInt8] = []
  private var places: [Place] = []
  private var next = 0
  private var random = Random(seed: 6)

  /// - Parameter words: The document and the server's command; before them `list` for servers that
  ///   answer a change by publishing a list, and `full` for those that want the whole text.
  init(_ words: [String]) {
    var words = words[...]
    func option(_ name: String) -> Bool {
      guard words.first == name else { return false }
      words.removeFirst()
      return true
    }
    awaitsList = option("list")
    sendsAll = option("full")
    path = words.removeFirst()
    arguments = Array(words)
  }

  func prepare() throws {
    bytes = try File.read(path)
    places = Place.random(in: bytes, seed: 5)
    let session = try Session(arguments)
    _ = try session.open(bytes, awaitsList: awaitsList)
    if !sendsAll { bytes = [] }
    self.session = session
  }

  func turn(_ results: inout Results) throws {
    var place = nextPlace
    let burst = KeystrokeContender.burst
    let line = (0..<burst).map { _ in
      defer {
        place.character += 1
        place.offset += 1
      }
      return place
    }
    try type(&results, "typing", line)
    try type(&results, "jumping", (0..<min(burst, places.count)).map { _ in nextPlace })
  }

  private var nextPlace: Place {
    next += 1
    return places[next % places.count]
  }

  private func type(_ results: inout Results, _ name: String, _ places: [Place]) throws {
    guard let session else { return }
    let start = Clock.now
    var typed: [Place] = []
    for place in places where typed.isEmpty || Clock.now - start < KeystrokeContender.patience {
      let letter = UInt8(ascii: "a") + UInt8(random.below(26))
      typed.append(place)
      var frames = session.messages.change([change(place, typing: [letter])])
      if !awaitsList { frames += session.messages.hover(place) }
      results.add(
        try Clock.time {
          try session.wire.send(frames)
          try session.wire.wait(for: awaitsList ? .list : .answer(session.messages.request))
        },
        to: name
      )
    }
    // Taken back, so that the document stays what it is.
    let changes = typed.reversed().map { change($0, deleting: 1) }
    try session.wire.send(session.messages.change(sendsAll ? changes.suffix(1) : changes))
    if awaitsList { try session.wire.wait(for: .list) } else { try session.settle() }
  }

  private func change(
    _ place: Place,
    deleting length: Int = 0,
    typing text: [UInt8] = []
  ) -> Messages.Change {
    guard sendsAll else { return Messages.Change(place: place, length: length, text: text) }
    bytes.replaceSubrange(place.offset..<place.offset + length, with: text)
    return Messages.Change(place: nil, text: bytes)
  }

  func finish(_ results: inout Results) throws {
    guard let session else { return }
    results.facts["errors"] = session.wire.errors
    results.facts["steady"] = session.wire.memory.now
    session.wire.hangUp()
  }
}
