import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("What the user said about tracking is remembered", .timeLimited) struct TrackingMemoryTests {
  private static let key = "file:///draft.md"

  private func isTracked(_ wire: Wire) throws -> Bool? {
    try wire.command("status")["result"]?["tracking"]?.bool
  }

  // MARK: - The server

  @Test("What is remembered is asked for at the beginning, and counts more than the setting")
  func recall() throws {
    let wire = Wire()
    #expect(wire.server.effect == .recall)
    try wire.outcome(.choices([TrackingMemoryTests.key: false]))
    #expect(wire.server.effect == nil)
    wire.open("one")
    #expect(try isTracked(wire) == false)
    wire.open("one", uri: "file:///other.md")
    let other = try wire.request(
      "workspace/executeCommand",
      #"{"command":"critic.status","arguments":[{"uri":"file:///other.md"}]}"#
    )
    #expect(other["result"]?["tracking"]?.bool == true)
  }

  @Test("A document that was opened before the answer came follows it", arguments: [true, false])
  func late(_ isOn: Bool) throws {
    let wire = Wire(settings: #"{"tracking":"\#(isOn ? "off" : "on")"}"#)
    wire.open("one")
    try wire.outcome(.choices([TrackingMemoryTests.key: isOn]))
    #expect(try isTracked(wire) == isOn)
  }

  @Test("What was typed while the answer was in flight is put into marks first")
  func lateAndTyped() throws {
    let wire = Wire()
    wire.open("one")
    try wire.type("x")
    try wire.outcome(.choices([TrackingMemoryTests.key: false]))
    wire.takeEdits()
    #expect(wire.buffer == "one{++x++}")
    #expect(try isTracked(wire) == false)
  }

  @Test("What the user says now counts more than what is remembered")
  func now() throws {
    let wire = Wire()
    wire.open("one")
    try wire.command("toggleTracking", #""on":true"#)
    try wire.outcome(.choices([TrackingMemoryTests.key: false]))
    #expect(try isTracked(wire) == true)
    #expect(wire.server.effect == .remember([TrackingMemoryTests.key: true]))
  }

  @Test("Every toggle is handed out once, the last one last")
  func toggles() throws {
    let wire = Wire()
    try wire.outcome(.choices([:]))
    wire.open("one")
    try wire.command("toggleTracking")
    #expect(wire.server.effect == .remember([TrackingMemoryTests.key: false]))
    try wire.command("toggleTracking")
    try wire.command("toggleTracking")
    try wire.command("toggleTracking")
    #expect(wire.server.effect == .remember([TrackingMemoryTests.key: false]), "still in flight")
    try wire.outcome(.choices([TrackingMemoryTests.key: false]))
    #expect(wire.server.effect == .remember([TrackingMemoryTests.key: true]))
    try wire.outcome(.choices([TrackingMemoryTests.key: true]))
    #expect(wire.server.effect == nil)
  }

  @Test("A document is known by any spelling of its URI")
  func spelling() throws {
    let wire = Wire()
    try wire.outcome(.choices(["file:///a b.md": false]))
    wire.open("one", uri: "file:///a%20b.md")
    let status = try wire.request(
      "workspace/executeCommand",
      #"{"command":"critic.status","arguments":[{"uri":"file:///a%20b.md"}]}"#
    )
    #expect(status["result"]?["tracking"]?.bool == false)
  }

  @Test("What is no file is not remembered", arguments: ["untitled:Untitled-1", "https://a/b.md"])
  func noFile(_ uri: String) throws {
    let wire = Wire()
    try wire.outcome(.choices([:]))
    wire.open("one", uri: uri)
    try wire.request(
      "workspace/executeCommand",
      #"{"command":"critic.toggleTracking","arguments":[{"uri":"\#(uri)"}]}"#
    )
    #expect(wire.server.effect == nil)
  }

  @Test("With the setting off nothing is asked for and nothing remembered, until it is on again")
  func setting() throws {
    let wire = Wire(settings: #"{"tracking":"on","rememberTracking":false}"#)
    #expect(wire.server.effect == nil)
    wire.open("one")
    try wire.command("toggleTracking")
    #expect(wire.server.effect == nil)
    wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"rememberTracking":true}}}"#
    )
    #expect(wire.server.effect == .recall)
  }

  @Test("A failure is written to the log once, and the user is not disturbed")
  func failure() throws {
    let wire = Wire()
    try wire.outcome(.choices([:]))
    wire.open("one")
    for _ in 1...3 {
      try wire.command("toggleTracking")
      try wire.outcome(.failure("cannot write: Read-only file system"))
    }
    #expect(wire.messages.shown.isEmpty)
    let logged = wire.messages.logged.filter { $0.contains("Read-only file system") }
    #expect(logged.count == 1)
    #expect(try isTracked(wire) == false, "for this session it counts all the same")
  }

  @Test("What is still to be remembered is, when the session ends; nothing else is wanted then")
  func end() throws {
    let wire = Wire()
    wire.open("one")
    try wire.command("toggleTracking")
    #expect(wire.server.effect == .recall)
    try wire.request("shutdown")
    wire.notify("exit")
    #expect(wire.server.effect == .remember([TrackingMemoryTests.key: false]))
    try wire.outcome(.choices([:]))
    #expect(wire.server.effect == nil)
    let idle = Wire()
    idle.handle(.hangUp)
    #expect(idle.server.effect == nil)
  }

  @Test("An outcome that nobody asked for is passed over")
  func unasked() throws {
    let wire = Wire()
    wire.open("one")
    let outcome = EffectOutcome(
      effect: .remember([:]),
      result: .choices([TrackingMemoryTests.key: false])
    )
    #expect(wire.handle(.outcome(outcome)).isEmpty)
    #expect(wire.server.effect == .recall)
    #expect(try isTracked(wire) == true)
  }

  // MARK: - The file

  private func written(_ choices: [(String, Bool)]) -> String {
    var memory = TrackingMemory([])
    for (key, isOn) in choices { memory.add([key: isOn]) }
    return String(decoding: memory.bytes, as: UTF8.self)
  }

  @Test("The file is plain text, a line for each document, the latest last")
  func file() {
    let text = written([("file:///b.md", true), ("file:///a.md", true), ("file:///b.md", false)])
    #expect(
      text == """
        # critic-lsp: where tracking was turned on or off by hand
        on file:///a.md
        off file:///b.md

        """
    )
    #expect(
      TrackingMemory(Array(text.utf8)).dictionary == ["file:///a.md": true, "file:///b.md": false]
    )
  }

  @Test(
    "Every name is read as it was written",
    arguments: ["/a b.md", "/a%20b.md", "/a\nb\r.md", "/ü 👩‍👩‍👧.md", "/%0A", "/ a ", "/%25"]
  )
  func names(_ path: String) {
    let text = written([("file://\(path)", true), ("file:///z", false)])
    #expect(text.split(separator: "\n").count == 3)
    #expect(
      TrackingMemory(Array(text.utf8)).dictionary == ["file://\(path)": true, "file:///z": false]
    )
  }

  @Test("Lines that are not understood are passed over, and the last line about a document counts")
  func garbage() {
    let text =
      "# a\n\nonly\nmaybe file:///x\non\non file:///a\n\u{0}\noff file:///a\non file:///%zz"
    #expect(
      TrackingMemory(Array(text.utf8) + [0x0A, 0xFF, 0x20, 0x0A]).dictionary == [
        "file:///a": false, "file:///%zz": true,
      ]
    )
  }

  @Test("The oldest are forgotten when there are too many")
  func most() {
    var memory = TrackingMemory([])
    for number in 0..<TrackingMemory.maxChoices + 10 { memory.add(["file:///\(number)": true]) }
    #expect(memory.choices.count == TrackingMemory.maxChoices)
    #expect(memory.choices.first?.key == "file:///10")
  }

  // MARK: - The disk

  /// Carries an effect out to its end.
  private func run(_ effect: Effect, _ memory: String?) throws -> EffectOutcome.Result {
    var runner = EffectRunner(memory: memory)
    for _ in 0..<1000 {
      if let outcome = runner.step(effect) {
        #expect(outcome.effect == effect)
        return outcome.result
      }
    }
    throw ResponseError.internalError("\(effect) has no end")
  }

  @Test("What is written is recalled; folders are made where there are none")
  func disk() throws {
    let folder = try Folder()
    let memory = folder.path("state/critic-lsp/tracking")
    #expect(try run(.recall, memory) == .choices([:]))
    try folder.write("a.md", "")
    try folder.write("b.md", "")
    let (first, second) = ("file://\(folder.path("a.md"))", "file://\(folder.path("b.md"))")
    #expect(try run(.remember([first: true]), memory) == .choices([first: true]))
    #expect(try run(.remember([second: false]), memory) == .choices([first: true, second: false]))
    #expect(try run(.recall, memory) == .choices([first: true, second: false]))
    let mode = try folder.attributes("state/critic-lsp")[.posixPermissions] as? Int
    #expect(mode == 0o700)
    #expect(folder.names.filter { $0.contains("tracking") }.count == 2, "the file and its lock")
  }

  @Test("Files that are gone are forgotten, but not the one that was just spoken of")
  func gone() throws {
    let folder = try Folder()
    let memory = folder.path("tracking")
    try folder.write("a.md", "")
    let (there, gone) = ("file://\(folder.path("a.md"))", "file://\(folder.path("gone.md"))")
    let new = "file://\(folder.path("new.md"))"
    try folder.write("tracking", "on \(gone)\noff \(there)\non untitled:x\n")
    #expect(try run(.remember([new: true]), memory) == .choices([there: false, new: true]))
    #expect(!(try folder.text("tracking")).contains("gone"))
  }

  @Test("Two servers that remember at the same time lose nothing of each other")
  func two() throws {
    let folder = try Folder()
    let memory = folder.path("tracking")
    for name in ["a", "b"] { try folder.write("\(name).md", "") }
    let (first, second) = ("file://\(folder.path("a.md"))", "file://\(folder.path("b.md"))")
    let lock = open("\(memory).lock", O_RDWR | O_CREAT, 0o600)
    #expect(flock(lock, LOCK_EX) == 0)
    var waiting = EffectRunner(memory: memory)
    #expect(waiting.step(.remember([first: true])) == nil)
    #expect(waiting.isWaiting)
    try folder.write("tracking", "on \(second)\n")
    // To close it is not enough: a program that another test is about to start has a copy.
    #expect(flock(lock, LOCK_UN) == 0)
    close(lock)
    let outcome = waiting.step(.remember([first: true]))
    #expect(outcome?.result == .choices([first: true, second: true]))
    #expect(!waiting.isWaiting)
  }

  @Test("A lock that is never given up does not hold anybody up for ever")
  func locked() throws {
    let folder = try Folder()
    let memory = folder.path("tracking")
    let lock = open("\(memory).lock", O_RDWR | O_CREAT, 0o600)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let result = try run(.remember(["file:///a.md": true]), memory)
    #expect(result == .failure("another program holds \(memory).lock"))
  }

  @Test("What cannot be written is a failure that says why, and leaves what was there")
  func unwritable() throws {
    let folder = try Folder()
    try folder.write("file", "")
    guard case .failure(let reason) = try run(.remember([:]), folder.path("file/tracking")) else {
      Issue.record("it was written")
      return
    }
    #expect(reason.contains(folder.path("file")))
    try folder.write("tracking/x", "")
    guard case .failure = try run(.recall, folder.path("tracking")) else {
      Issue.record("a folder was read")
      return
    }
  }

  @Test("Without a place to remember in, nothing is remembered and nothing fails")
  func stateless() throws {
    #expect(try run(.recall, nil) == .choices([:]))
    #expect(try run(.remember(["file:///a.md": true]), nil) == .choices(["file:///a.md": true]))
  }

  // MARK: - The program

  private func greet(_ server: ServerProcess, _ uri: String) throws {
    try server.post(
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#
    )
    _ = try server.answer(to: 1)
    try server.post(
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"\#(uri)","#
        + #""languageId":"markdown","version":1,"text":"{++a++}"}}}"#,
    )
  }

  private func command(_ server: ServerProcess, _ id: Int, _ name: String, _ uri: String) throws {
    try server.post(
      #"{"jsonrpc":"2.0","id":\#(id),"method":"workspace/executeCommand","params":{"command":"#
        + #""critic.\#(name)","arguments":[{"uri":"\#(uri)"}]}}"#
    )
  }

  private func toggleAndEnd(_ server: ServerProcess, _ uri: String) throws {
    try greet(server, uri)
    try command(server, 2, "toggleTracking", uri)
    try server.post(
      #"{"jsonrpc":"2.0","id":3,"method":"shutdown"}"#,
      #"{"jsonrpc":"2.0","method":"exit"}"#
    )
    #expect(try server.exitCode() == 0)
  }

  @Test("A relative $XDG_STATE_HOME does not count, as its specification says")
  func relativeStateHome() throws {
    let folder = try Folder()
    try folder.write("a.md", "{++a++}")
    let uri = "file://\(folder.path("a.md"))"
    let server = try ServerProcess(
      environment: ["XDG_STATE_HOME": "relative", "HOME": folder.url.path]
    )
    try toggleAndEnd(server, uri)
    #expect(try folder.text(".local/state/critic-lsp/tracking").hasSuffix("off \(uri)\n"))
  }

  @Test("A toggle outlives the server, even one that is closed at once; --stateless forgets it")
  func restart() throws {
    let folder = try Folder()
    try folder.write("a.md", "{++a++}")
    let uri = "file://\(folder.path("a.md"))"
    let first = try ServerProcess("serve", state: folder)
    try toggleAndEnd(first, uri)
    #expect(try folder.text("critic-lsp/tracking").hasSuffix("off \(uri)\n"))
    #expect(try folder.text("a.md") == "{++a++}")

    for isStateless in [false, true] {
      let second =
        isStateless
        ? try ServerProcess("serve", "--stateless", state: folder)
        : try ServerProcess(state: folder)
      try greet(second, uri)
      _ = try second.next { $0["method"]?.string == "textDocument/publishDiagnostics" }
      try command(second, 4, "status", uri)
      #expect(try second.answer(to: 4)["result"]?["tracking"]?.bool == isStateless)
      try second.hangUp()
      #expect(try second.exitCode() == 1)
    }
  }
}
