import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("A long text with its marks beside it, while these are read", .timeLimited)
struct HeldEventsTests {
  private static let original = (0..<800).map { "Line \($0) of a draft.\n" }.joined()
  private static let record = original.replacing("Line 3 of", with: "Line 3 {++out ++}of")
  /// What became of its clean text elsewhere.
  private static let edited = original.replacing("Line 3 of", with: "Line 3 out of")
    .replacing("Line 7 ", with: "Line seven ")
    .replacing("Line 600 of a draft.\n", with: "")
  private static let other = "file:///other.md"

  private let disk = Disk([
    "/draft.md": Self.edited, "/draft.md.critic": Self.record, "/other.md": "One {++two++}.\n",
  ])

  /// A session that reads what lies beside the text, and has done all else.
  private func reading(_ settings: String = #"{"tracking":"auto"}"#) throws -> Wire {
    let wire = Wire(client: "Neovim", settings: settings)
    wire.open("One {++two++}.\n", uri: Self.other)
    wire.open(Self.edited)
    try beginReading(wire)
    return wire
  }

  private func beginReading(_ wire: Wire) throws {
    while let effect = wire.server.effect {
      if case .readBeside = effect { return }
      wire.step(on: disk)
    }
    throw ResponseError.internalError("nothing is read")
  }

  private func save(_ wire: Wire) {
    let document = #"{"uri":\#(json(wire.uri))}"#
    wire.notify(
      "textDocument/didSave",
      #"{"textDocument":\#(document),"text":\#(json(wire.buffer))}"#
    )
  }

  /// Asks for a comment on the first word.
  private func beginComment(_ wire: Wire) -> Int {
    let place = #""range":\#(Wire.range(0, 0, 0, 4)),"text":"why""#
    return wire.begin(
      "workspace/executeCommand",
      #"{"command":"critic.comment","arguments":[{"uri":\#(json(wire.uri)),\#(place)}]}"#
    )
  }

  /// The original and the clean text of the sidecar.
  private var variants: [String] {
    let bytes = Array((disk.files["/draft.md.critic"] ?? "").utf8)
    return [.original, .clean].map {
      String(decoding: Reading(of: bytes).text($0, of: bytes), as: UTF8.self)
    }
  }

  private func hover(_ uri: String) -> String {
    #"{"textDocument":{"uri":\#(json(uri))},"position":{"line":0,"character":7}}"#
  }

  @Test("Others are read at once; what is done waits, to them as well, and is done in its order")
  func order() throws {
    let wire = try reading()
    #expect(try wire.request("textDocument/hover", hover(Self.other))["result"]?.isNull == false)
    let asked = wire.begin("textDocument/hover", hover(wire.uri))
    try wire.type("very ", before: "draft.\nLine 9 ")
    save(wire)
    let commented = beginComment(wire)
    wire.didChange(#"[{"text":"Three {++four++}.\n"}]"#, version: 2, uri: Self.other)
    let last = wire.begin("textDocument/hover", hover(Self.other))
    #expect(wire.wait(5000).isEmpty)
    for id in [asked, commented, last] { #expect(wire.answer(to: id) == nil) }
    #expect(disk.files["/draft.md.critic"] == Self.record)

    wire.work(on: disk)
    for id in [asked, commented, last] { #expect(wire.answer(to: id)?["result"] != nil) }
    #expect(wire.answer(to: last)?.description.contains("four") == true)
    let status = try wire.command("status")["result"]
    #expect(status?["marks"]?.string == "beside")
    #expect(status?["changes"]?.integer == 4)
    save(wire)
    wire.work(on: disk)
    #expect(variants == [Self.original, wire.buffer])
    #expect(disk.files["/draft.md.critic"]?.hasPrefix("{==Line==}{>>why<<}") == true)
  }

  @Test("One that is closed, and opened again, is read again before anything is done to it")
  func closed() throws {
    let wire = try reading()
    wire.notify("textDocument/didClose", #"{"textDocument":{"uri":\#(json(wire.uri))}}"#)
    wire.open(Self.edited)
    let commented = beginComment(wire)
    wire.work(on: disk)
    #expect(wire.answer(to: commented)?["result"] != nil)
    #expect(wire.messages.edits.isEmpty)
    #expect(try wire.command("status")["result"]?["changes"]?.integer == 3)
    save(wire)
    wire.work(on: disk)
    #expect(variants == [Self.original, Self.edited])
    #expect(disk.files["/draft.md.critic"]?.hasPrefix("{==Line==}{>>why<<}") == true)
  }

  @Test("What was switched off meanwhile is off, and the marks go back into the text if asked to")
  func commands() throws {
    let wire = try reading()
    let target = #"[{"uri":\#(json(wire.uri))}]"#
    wire.begin(
      "workspace/executeCommand",
      #"{"command":"critic.toggleTracking","arguments":\#(target)}"#
    )
    wire.work(on: disk)
    let status = try wire.command("status")["result"]
    #expect(status?["changes"]?.integer == 3)
    #expect(status?["tracking"]?.bool == false)
    try wire.run("marks", #""marks":"inline""#)
    #expect(wire.buffer.contains("Line 3 {++out ++}of"))
    #expect(wire.buffer.contains("Line {~~7~>seven~~} of"))
  }

  @Test("A request that is cancelled is answered at once, and is not done")
  func cancelled() throws {
    let wire = try reading()
    let asked = wire.begin("textDocument/hover", hover(wire.uri))
    wire.notify("$/cancelRequest", #"{"id":\#(asked)}"#)
    #expect(wire.answer(to: asked)?["error"]?["code"]?.integer == -32_800)
    wire.work(on: disk)
    #expect(wire.messages.count { $0["id"]?.integer == asked && $0["method"] == nil } == 1)
  }

  @Test("What was saved before the end of the session is recorded before that")
  func ending() throws {
    let wire = try reading()
    try wire.type("very ", before: "draft.\nLine 9 ")
    save(wire)
    let ended = wire.begin("shutdown", "null")
    wire.notify("exit")
    #expect(wire.server.exitCode == nil)
    wire.work(on: disk)
    #expect(wire.answer(to: ended) != nil)
    #expect(wire.server.exitCode == 0)
    #expect(variants == [Self.original, wire.buffer])
  }

  @Test("A client that is gone is not waited for")
  func gone() throws {
    let wire = try reading()
    wire.handle(.hangUp)
    #expect(wire.server.exitCode == 1)
    wire.work(on: disk)
    #expect(disk.files["/draft.md.critic"] == Self.record)
  }

  @Test("What another process asks of it waits, too, unless that is gone")
  func calls() throws {
    let wire = try reading(#"{"tracking":"auto","marking":"idle"}"#)
    let key = DocumentKey(uri: wire.uri)
    func call(from caller: Int) {
      let body = #"{"jsonrpc":"2.0","id":1,"method":"text","params":{"isMarked":true}}"#
      wire.handle(.call(from: caller, Array(body.utf8), about: key))
    }
    call(from: 1)
    call(from: 2)
    wire.handle(.callerLeft(2))
    wire.wait(3000)
    #expect(wire.server.calls.takeAnswers().isEmpty)
    wire.work(on: disk)
    wire.wait(3000)
    #expect(wire.server.calls.takeAnswers().map(\.caller) == [1])
  }

  @Test("Settings that come meanwhile hold when they have been read")
  func settings() throws {
    let wire = Wire(
      client: "Neovim",
      capabilities: #"{"workspace":{"applyEdit":true,"configuration":true}}"#,
      settings: #"{"tracking":"auto"}"#
    )
    wire.open(Self.edited)
    try beginReading(wire)
    let asked = try #require(wire.messages.of("workspace/configuration").last)
    wire.reply(to: asked, #"[{"tracking":"off"}]"#)
    wire.work(on: disk)
    let status = try wire.command("status")["result"]
    #expect(status?["tracking"]?.bool == false)
    #expect(status?["changes"]?.integer == 3)
  }

  @Test("Several are read one after the other")
  func several() throws {
    let second = "file:///second.md"
    disk.write("/second.md", Self.edited)
    disk.write("/second.md.critic", Self.record)
    let wire = Wire(client: "Neovim", settings: #"{"tracking":"auto"}"#)
    wire.open(Self.edited, uri: second)
    wire.open(Self.edited)
    wire.work(on: disk)
    for uri in [second, wire.uri] {
      let command = #"{"command":"critic.status","arguments":[{"uri":\#(json(uri))}]}"#
      let status = try wire.request("workspace/executeCommand", command)["result"]
      #expect(status?["marks"]?.string == "beside")
      #expect(status?["changes"]?.integer == 3)
    }
  }

  @Test("A transcript, which does not have what was found, is played again")
  func replayed() throws {
    let wire = try reading()
    try wire.outcome(.marks(nil))
    wire.work(on: disk)
    #expect(try wire.command("status")["result"]?["changes"]?.integer == 3)
  }

  @Test("What a stopped server had recorded and not saved is found so, too")
  func unsaved() throws {
    disk.remove("/draft.md.critic")
    let key = DocumentKey(uri: "file:///draft.md")
    var baseline = Baseline(document: key)
    baseline.isRecorded = true
    disk.kept[key] = BaselineFolder.Found(baseline: baseline, original: Array(Self.original.utf8))
    let wire = try reading(#"{"tracking":"on","marks":"beside"}"#)
    wire.work(on: disk)
    #expect(try wire.command("status")["result"]?["changes"]?.integer == 3)
    save(wire)
    wire.work(on: disk)
    #expect(variants == [Self.original, Self.edited])
  }

  /// What another program makes of the text.
  private static let reloaded = edited.replacing(" of a ", with: " in the ")

  @Test("A change of much of it is recorded so, too, and what is done behind that in its order")
  func change() throws {
    let wire = Wire(client: "Neovim", settings: #"{"tracking":"auto"}"#)
    wire.open("One {++two++}.\n", uri: Self.other)
    wire.open(Self.edited)
    wire.work(on: disk)
    wire.change([Edit(0..<wire.text.count, Array(Self.reloaded.utf8))])
    guard case .recordBeside? = wire.server.effect else {
      throw ResponseError.internalError("nothing is recorded")
    }
    #expect(try wire.request("textDocument/hover", hover(Self.other))["result"]?.isNull == false)
    try wire.type("very ", before: "draft.\nLine 9 ")
    wire.wait(5000)
    save(wire)
    wire.work(on: disk)
    #expect(variants == [Self.original, wire.buffer])
    wire.travel(to: Self.edited)
    save(wire)
    wire.work(on: disk)
    #expect(variants == [Self.original, Self.edited])
  }

  @Test("What comes of it is the same if it was recorded in advance", arguments: [false, true])
  func recorded(_ isReplayed: Bool) throws {
    let wire = Wire(client: "Neovim", settings: #"{"tracking":"auto"}"#)
    wire.open(Self.edited)
    wire.work(on: disk)
    wire.change([Edit(0..<wire.text.count, Array(Self.reloaded.utf8))])
    if isReplayed { try wire.outcome(.recorded(nil)) }
    wire.work(on: disk)
    save(wire)
    wire.work(on: disk)
    let options = Tracker.Options(.markdown)
    let record = Text(Array(Self.record.utf8))
    guard
      case .beside(var projection) = SidecarReading(
        of: Text(Array(Self.edited.utf8)),
        record.bytes,
        options
      )
    else { throw ResponseError.internalError("it is not of the text") }
    projection.change([Edit(0..<projection.text.count, Array(Self.reloaded.utf8))])
    #expect(disk.files["/draft.md.critic"].map { Array($0.utf8) } == projection.record.bytes)
  }

  @Test("The marks of a file that is shown without them are read so, too")
  func file() throws {
    let marked = Self.record
    let clean = Self.original.replacing("Line 3 of", with: "Line 3 out of")
    let disk = Disk(["/draft.md": marked])
    let wire = Wire(client: "Neovim", settings: #"{"tracking":"auto","marks":"file"}"#)
    wire.open(clean)
    wire.work(on: disk)
    let asked = wire.begin(
      "workspace/executeCommand",
      #"{"command":"critic.marks","arguments":[{"uri":\#(json(wire.uri)),"marks":"file"}]}"#
    )
    var isRead = false
    while let effect = wire.server.effect {
      if case .readBeside = effect {
        isRead = true
        #expect(wire.answer(to: asked) == nil)
        try wire.type("very ", before: "draft.\nLine 9 ")
      }
      wire.step(on: disk)
    }
    #expect(isRead)
    #expect(wire.answer(to: asked)?["result"] != nil)
    let status = try wire.command("status")["result"]
    #expect(status?["marks"]?.string == "file")
    #expect(status?["changes"]?.integer == 2)
  }

  @Test("It is read in one turn up to a length of both together", arguments: [0, 1])
  func bound(_ more: Int) throws {
    let record = String(Self.original.prefix(7999)) + "\n"
    let added = String(repeating: "x", count: Server.longComparison - 2 * record.utf8.count + more)
    let disk = Disk(["/draft.md": added + record, "/draft.md.critic": record])
    let wire = Wire(client: "Neovim", settings: #"{"tracking":"auto"}"#)
    wire.open(added + record)
    var isRead = false
    while let effect = wire.server.effect {
      if case .readBeside = effect { isRead = true }
      wire.step(on: disk)
    }
    #expect(isRead == (more > 0))
    #expect(try wire.command("status")["result"]?["changes"]?.integer == 1)
  }
}
