import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Where a document stands with its editor", .timeLimited) struct EditsInFlightTests {
  @Test("A text that is not known is neither marked nor edited, whatever happens")
  func outOfStep() {
    let steps = Set(Document.Event.allCases.map { Document.step($0, in: .outOfStep) })
    #expect(steps.isDisjoint(with: [.mark, .answer, .answerAgain, .perform, .markAndToggle]))
  }

  @Test("While an edit is in flight no other is sent", arguments: [Document.State.inFlight])
  func inFlight(_ state: Document.State) {
    let steps = Set(Document.Event.allCases.map { Document.step($0, in: state) })
    #expect(steps.isDisjoint(with: [.mark, .answer, .perform, .toggle, .markAndToggle]))
  }

  @Test("What the user undid is marked by nothing but saving and what the user asks for")
  func held() {
    let marking = Document.Event.allCases.filter {
      [.mark, .answer, .perform, .markAndToggle].contains(Document.step($0, in: .held))
    }
    #expect(marking == [.mark, .saveQuestion, .save, .wish, .toggle])
  }

  // MARK: - What waits

  @Test(
    "What was asked for while an edit was in flight is done at its place, which follows the text"
  )
  func queue() throws {
    let wire = Wire()
    wire.open("zero\none two three\n", version: 4)
    try wire.type("x", before: "one")
    let marks = try #require(wire.wait(750).edits.first)
    try wire.command("comment", #""range":\#(try wire.range(of: "two")),"text":"why""#)
    // Told late: it goes before what is there.
    wire.didChange(#"[{"range":\#(Wire.range(0, 0, 0, 0)),"text":"sub"}]"#, version: 4)
    wire.reply(to: marks, #"{"applied":false}"#)
    let request = try #require(wire.wait(1000).edits.first)
    let edits = request["params"]?["edit"]?["documentChanges"]?.first?["edits"]
    let comment = try #require(
      edits?.elements.first { $0["newText"]?.string?.contains("why") == true }
    )
    #expect(comment["range"]?["end"]?["line"]?.integer == 1)
    #expect(comment["range"]?["end"]?["character"]?.integer == 8)
  }

  @Test("Tracking that begins knows nothing of what came before, however late that comes")
  func beginning() throws {
    let wire = Wire(settings: #"{"tracking":"off"}"#)
    wire.open("one two\n")
    wire.didChange(#"[{"range":\#(Wire.range(0, 4, 0, 4)),"text":"b"}]"#, version: 3)
    try wire.command("toggleTracking", #""on":true"#)
    wire.didChange(#"[{"range":\#(Wire.range(0, 0, 0, 0)),"text":"a"}]"#, version: 2)
    #expect(try wire.command("status")["result"]?["pending"]?.integer == 1)
  }

  @Test("Tracking that is to end is marked again after a refusal, and then it ends")
  func ending() throws {
    let wire = Wire()
    wire.open("one two\n")
    try wire.type("x", before: "two")
    try wire.command("toggleTracking", #""on":false"#)
    wire.reply(to: try #require(wire.messages.edits.first), #"{"applied":false}"#)
    try wire.pause()
    #expect(wire.buffer == "one {++x++}two\n")
    try wire.type("y", before: "two")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try wire.command("status")["result"]?["pending"]?.integer == 0)
  }

  @Test("An answer for saving is in flight: nothing else is sent until it has had its time")
  func answer() throws {
    let wire = Wire(capabilities: Wire.saving)
    wire.open("one two\n")
    try wire.type("x", before: "two")
    wire.wait(740)
    let answer = try wire.ask("willSaveWaitUntil")
    #expect(wire.wait(999).edits.isEmpty)
    wire.change(wire.edits(answer))
    #expect(wire.buffer == "one {++x++}two\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("The caret is put into a comment that landed, and nowhere after one that was refused")
  func caret() throws {
    let capabilities =
      #"{"workspace":{"applyEdit":true},"window":{"showDocument":{"support":true}}}"#
    let wire = Wire(capabilities: capabilities)
    wire.open("one two\n")
    try wire.command("comment", #""range":\#(try wire.range(of: "two"))"#)
    wire.reply(to: try #require(wire.messages.edits.first), #"{"applied":false}"#)
    try wire.type("x", before: "one")
    try wire.pause()
    #expect(wire.messages.of("window/showDocument").isEmpty)
    try wire.command("comment", #""range":\#(try wire.range(of: "two"))"#)
    wire.apply(try #require(wire.messages.edits.last))
    #expect(wire.messages.of("window/showDocument").count == 1)
  }

  @Test(
    "The list of changes is another one when what was pending is settled without an edit",
    arguments: ["formatting", "acceptAll"]
  )
  func revision(_ how: String) throws {
    let pulling = #"{"workspace":{"applyEdit":true},"textDocument":{"diagnostic":{}}}"#
    let wire = Wire(capabilities: pulling, settings: #"{"tracking":"on","marking":"command"}"#)
    wire.open("one two\n")
    try wire.type(how == "formatting" ? "{>>why<<}" : "x", before: "two")
    wire.wait(1000)
    func pull(_ previous: String?) throws -> JSON {
      let known = previous.map { #","previousResultId":"\#($0)""# } ?? ""
      return try #require(
        try wire.request(
          "textDocument/diagnostic",
          #"{"textDocument":{"uri":"\#(wire.uri)"}\#(known)}"#
        )["result"]
      )
    }
    let before = try pull(nil)
    #expect(before["items"]?.elements.contains { $0["code"]?.string == "pending" } == true)
    if how == "formatting" { _ = try wire.ask("formatting") } else { try wire.command(how) }
    let after = try pull(before["resultId"]?.string)
    #expect(after["kind"]?.string == "full")
    #expect(after["items"]?.elements.contains { $0["code"]?.string == "pending" } == false)
  }

  @Test("Changes that are told twice are taken in once, and only they")
  func repeated() throws {
    let wire = Wire()
    wire.open("one\n")
    let change = #"[{"range":\#(Wire.range(0, 0, 0, 0)),"text":"a"}]"#
    for version in [2, 2, 3] { wire.didChange(change, version: version) }
    #expect(try wire.command("export", #""variant":"markup""#)["result"]?.string == "{++aa++}one\n")
  }

  @Test("What a client tells that does not count versions is taken in each time")
  func uncounted() throws {
    let wire = Wire()
    wire.open("one\n", version: 0)
    let change = #"[{"range":\#(Wire.range(0, 0, 0, 0)),"text":"a"}]"#
    for _ in 1...3 { wire.didChange(change, version: 0) }
    #expect(
      try wire.command("export", #""variant":"markup""#)["result"]?.string == "{++aaa++}one\n"
    )
  }

  @Test("A refusal that comes late, because the user typed on, is nobody's failure")
  func lateRefusal() throws {
    let wire = Wire()
    wire.open("one\n")
    var sent: [JSON] = []
    for _ in 1...5 {
      try wire.type("a", before: "one")
      sent += wire.wait(1000).edits
    }
    #expect(sent.count == 5)
    for late in sent.dropLast() { wire.reply(to: late, #"{"applied":false}"#) }
    wire.apply(try #require(sent.last))
    #expect(wire.messages.shown.isEmpty)
    try wire.type("c", before: "one")
    #expect(wire.wait(750).edits.count == 1)
  }

  @Test("Who eats a delimiter that has just come is not undoing")
  func eating() throws {
    let wire = Wire()
    wire.open("fox jumps\n")
    try wire.replace(" ", with: "")
    try wire.pause()
    try wire.type("x", before: "{--")
    try wire.pause()
    #expect(wire.buffer == "fox{~~ ~>x~~}jumps\n")
    wire.change([Edit(9..<10, [])])
    wire.change([Edit(8..<9, [])])
    try wire.pause()
    #expect(wire.buffer == "fox{-- --}jumps\n")
  }

  @Test("What is deleted, put back and deleted once more is marked, and not taken for redo")
  func again() throws {
    let wire = Wire()
    wire.open("a {++bc++} d\ntwo\nthree\n")
    try wire.replace("b", with: "")
    try wire.replace("\nthree", with: "three")
    try wire.type("\n", before: "three")
    #expect(wire.wait(750).edits.isEmpty)
    try wire.replace("\nthree", with: "three")
    try wire.pause()
    #expect(wire.buffer == "a {++c++} d\ntwo{--\n--}three\n")
  }

  @Test("What was undone to before its marks is marked by saving where the client does not ask")
  func saving() throws {
    let wire = Wire()
    wire.open("one\n")
    try wire.type("zero ", before: "one")
    try wire.pause()
    wire.travel(to: "zero one\n")
    #expect(wire.wait(60_000).edits.isEmpty)
    wire.apply(
      try #require(
        wire.notify("textDocument/didSave", #"{"textDocument":{"uri":"\#(wire.uri)"}}"#).edits.first
      )
    )
    #expect(wire.buffer == "{++zero ++}one\n")
  }

  @Test("Undo of two insertions, told part by part, leaves nothing that is taken for typing")
  func undoInParts() throws {
    let wire = Wire()
    wire.open("one\nmax\n")
    try wire.type("Begin", before: "one")
    try wire.type("x", before: "max")
    wire.apply(try #require(wire.wait(750).edits.first), separately: true)
    #expect(wire.buffer == "{++Begin++}one\n{++x++}max\n")
    for mark in ["++}max", "{++x", "++}one", "{++B"] {
      let plain = mark.replacing("{++", with: "").replacing("++}", with: "")
      try wire.replace(mark, with: plain)
    }
    #expect(wire.buffer == "Beginone\nxmax\n")
    try wire.replace("Begin", with: "")
    try wire.type("last ", before: "one")
    try wire.pause()
    #expect(wire.buffer == "{++last ++}one\n{++x++}max\n")
  }

  @Test(
    "Undo over what was typed and marked elsewhere meanwhile is undo, in the middle of a mark too"
  )
  func undoInTheMiddle() throws {
    let wire = Wire()
    wire.open("a word here {++so ++}far\n")
    try wire.replace("w", with: "")
    try wire.pause()
    let next = try wire.offsets(of: "ord").lowerBound
    wire.change([Edit(next..<next + 1, [])])
    try wire.pause()
    #expect(wire.buffer == "a {--wo--}rd here {++so ++}far\n")
    let settled = wire.buffer
    try wire.type("very", before: "far")
    try wire.pause()
    try wire.replace("very", with: "ver")
    #expect(wire.buffer == "a {--wo--}rd here {++so ver++}far\n")
    // One step of undo for all that was typed, and for its marks.
    wire.travel(to: settled)
    #expect(wire.wait(60_000).edits.isEmpty)
    for step in ["a {--w--}rd here {++so ++}far\n", "a {--w--}ord here {++so ++}far\n"] {
      wire.travel(to: step)
      #expect(wire.wait(60_000).edits.isEmpty)
      #expect(wire.buffer == step)
    }
  }

  // MARK: - Changes that can't be read

  static let broken = [
    #"{"range":{"start":{"line":0,"character":0}},"text":"x"}"#,
    #"{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1.5}},"text":"x"}"#,
    #"{"range":{"start":{"line":-1,"character":0},"end":{"line":0,"character":0}},"text":"x"}"#,
    #"{"range":{},"text":"x"}"#, #"{"range":7,"text":"x"}"#,
    #"{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}}"#,
    #"{"text":7}"#, "7",
  ]

  @Test(
    "A change that can't be read leaves the text alone, and nothing is edited after it",
    arguments: broken
  )
  func unreadable(_ change: String) throws {
    let wire = Wire(capabilities: Wire.saving)
    wire.open("one {++two++}\n")
    try wire.type("x", before: "one")
    wire.didChange("[\(change)]", version: 7)
    wire.didChange("[\(change)]", version: 8)
    #expect(wire.messages.shown.count == 1, "it is said once")
    #expect(
      try wire.command("export", #""variant":"markup""#)["result"]?.string?.contains("two") == true
    )
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try wire.command("acceptAll").problem.contains("reopen the file"))
    #expect(wire.edits(try wire.ask("willSaveWaitUntil")).isEmpty)
    #expect(wire.messages.edits.isEmpty)
    // All of the text: it is known again.
    wire.didChange(#"[{"text":"one {++two++} y\n"}]"#, version: 9)
    #expect(wire.wait(750).edits.count == 1)
  }

  @Test("A document that is opened anew is in step again")
  func reopened() throws {
    let wire = Wire()
    wire.open("one\n")
    wire.didChange("[\(EditsInFlightTests.broken[0])]", version: 2)
    wire.open("one\n", version: 3)
    try wire.type("x", before: "one")
    #expect(wire.wait(750).edits.count == 1)
  }

  /// An edit that was sent as a request.
  private func sent(_ request: Int) -> EditsInFlight.SentEdit {
    let edit = Tracker(Text(Array("one".utf8)), isTracking: true).ownEdit([Edit(0..<0, [0x78])])
    return EditsInFlight.SentEdit(edit: edit, request: request, sentAt: 0, sent: [])
  }

  @Test(
    "An edit that was confirmed and given up is known for ten seconds more",
    arguments: [(10_000, 1), (10_001, 0)]
  )
  func forgotten(_ time: Int, _ count: Int) {
    var edits = EditsInFlight()
    edits.send(sent(1))
    edits.confirm(at: 0)
    _ = edits.giveUp()
    edits.beginReport(at: time, on: Text([]), after: 0) { _, _ in [] }
    #expect(edits.givenUp.count == count)
  }

  @Test("Of very many edits that were given up the latest are known")
  func latest() throws {
    var edits = EditsInFlight()
    for request in 1...20 {
      edits.send(sent(request))
      _ = edits.giveUp()
    }
    #expect(edits.givenUp.count < 20)
    #expect(edits.givenUp.last?.request == 20)
    let numbers = edits.givenUp.compactMap(\.request)
    #expect(numbers == Array(try #require(numbers.first)...20))
  }

  @Test("Each part of a confirmed edit that comes gives the next one a second")
  func slowParts() throws {
    let wire = Wire()
    wire.open("one two\n")
    try wire.type("x", before: "two")
    let request = try #require(wire.wait(750).edits.first)
    wire.reply(to: request)
    let parts = wire.edits(in: request)
    #expect(parts.count == 2)
    wire.wait(900)
    wire.tell([try #require(parts.last)])
    wire.wait(900)
    wire.tell([try #require(parts.first)])
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(wire.buffer == "one {++x++}two\n")
    #expect(!wire.messages.logged.contains { $0.contains("did not land") })
  }

  @Test(
    "Once the user has typed on, an answer for saving is not made twice: what looks like it is typed"
  )
  func typedLikeAnAnswer() throws {
    let wire = Wire(
      capabilities: Wire.saving,
      settings: #"{"tracking":"on","marking":"save"}"#
    )
    wire.open("one two\n")
    try wire.type("x", before: "two")
    let answer = wire.edits(try wire.ask("willSaveWaitUntil"))
    wire.change(answer)
    try wire.type("y", before: "\n")
    wire.change([Edit(4..<4, Array("{++".utf8))])
    #expect(try #require(wire.server.documents.all.first).tracker.hasStrays == false)
  }

  @Test("What the user asked for is tried three times while they type on, and then they are told")
  func threeTries() throws {
    let wire = Wire()
    wire.open("one {++two++}\n")
    var request = try #require(
      try {
        try wire.command("accept", #""change":1"#)
        return wire.messages.edits.last
      }()
    )
    var tries = 1
    while wire.messages.shown.isEmpty, tries < 10 {
      try wire.type("x", before: "one")
      wire.reply(to: request, #"{"applied":false}"#)
      guard wire.messages.shown.isEmpty else { break }
      request = try #require(wire.wait(750).edits.first)
      tries += 1
    }
    #expect(tries == Postponed.maxTries)
    #expect(wire.messages.shown == ["The editor did not take the edit."])
  }
}
