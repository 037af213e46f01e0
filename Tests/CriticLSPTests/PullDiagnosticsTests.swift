import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

extension Wire {
  /// Asks for the list of changes of the document and returns the report, after a pause at the most.
  func pull(knowing id: String? = nil) throws -> JSON {
    let known = id.map { #","previousResultId":\#(json($0))"# } ?? ""
    let id = begin(
      "textDocument/diagnostic",
      #"{"textDocument":{"uri":\#(json(uri))}\#(known)}"#
    )
    if answer(to: id) == nil { wait(200) }
    return try #require(answer(to: id)?["result"])
  }
}

@Suite("Diagnostics that are asked for", .timeLimited) struct PullDiagnosticsTests {
  static let pulling =
    #"{"workspace":{"applyEdit":true,"diagnostics":{"refreshSupport":true}},"#
    + #""textDocument":{"diagnostic":{}}}"#

  private func wire(_ text: String, capabilities: String = pulling) -> Wire {
    let wire = Wire(capabilities: capabilities)
    wire.open(text)
    return wire
  }

  @Test("A report lists what would be sent")
  func report() throws {
    let text = "{==a==} {--b--}{>>why<<} {++g\n"
    let pushed = Wire(capabilities: Wire.editing)
    pushed.open(text)
    let report = try wire(text).pull()
    #expect(report["kind"]?.string == "full")
    #expect(report["resultId"]?.string?.isEmpty == false)
    #expect(report["items"]?.count == 3)
    #expect(
      report["items"]?.description == pushed.messages.published.last?["diagnostics"]?.description
    )
  }

  @Test("Nothing is sent that was not asked for, whatever happens")
  func never() throws {
    let wire = wire("one two {++three++}\n")
    try wire.type("x", before: "two")
    try wire.pause()
    try wire.command("rejectAll")
    wire.takeEdits()
    wire.notify("textDocument/didClose", #"{"textDocument":{"uri":"\#(wire.uri)"}}"#)
    wire.wait(60_000)
    #expect(wire.messages.published.isEmpty)
  }

  @Test("A list that the client has is not sent again")
  func unchanged() throws {
    let wire = wire("{++a++} b\n")
    let first = try #require(try wire.pull()["resultId"]?.string)
    let second = try wire.pull(knowing: first)
    #expect(second["kind"]?.string == "unchanged")
    #expect(second["resultId"]?.string == first)
    #expect(second["items"] == nil)
    #expect(try wire.pull(knowing: "another")["kind"]?.string == "full")
  }

  @Test(
    "A list is another after everything that can change it",
    arguments: [
      "type", "undo", "settings", "accept what is pending", "stop tracking", "open anew",
      "land",
    ]
  )
  func changed(_ what: String) throws {
    let wire = wire("{++a++} b\n")
    if what == "accept what is pending" || what == "land" { try wire.type("x", before: "b") }
    let first = try #require(try wire.pull()["resultId"]?.string)
    switch what {
    case "type": try wire.type("x", before: "b")
    case "undo":
      try wire.type("x", before: "b")
      wire.travel(to: "{++a++} b\n")
    case "settings":
      wire.notify(
        "workspace/didChangeConfiguration",
        #"{"settings":{"critic":{"severity":"hint"}}}"#
      )
    case "accept what is pending":
      try wire.command("accept", #""range":\#(wire.range(of: "x"))"#)
    case "stop tracking": try wire.command("toggleTracking")
    case "land": try wire.pause()
    default: wire.open("{++a++} b\n")
    }
    #expect(try wire.pull(knowing: first)["kind"]?.string == "full")
  }

  @Test("Another session's list is never taken for this one's")
  func sessions() throws {
    let wires = [Wire.fresh, Wire.fresh]
    wires[1].handle(.session(10))
    let ids = try wires.map { wire in
      try wire.request("initialize", #"{"capabilities":\#(PullDiagnosticsTests.pulling)}"#)
      wire.open("{++a++}")
      return try wire.pull()["resultId"]?.string
    }
    #expect(ids[0] != ids[1])
  }

  @Test("The client is asked to ask again when a mark has landed, and when the settings change")
  func refresh() throws {
    let wire = wire("one two\n")
    func refreshes() -> Int { wire.messages.of("workspace/diagnostic/refresh").count }
    try wire.type("x", before: "two")
    wire.wait(300)
    #expect(refreshes() == 0, "for what it changed by itself it asks by itself")
    let request = try #require(wire.wait(750).edits.first)
    #expect(refreshes() == 0)
    wire.apply(request)
    #expect(refreshes() == 1)
    wire.open("{++a++}", uri: "file:///other.md")
    wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"severity":"hint"}}}"#
    )
    #expect(refreshes() == 2, "once for all documents")
  }

  @Test("A question waits for a pause in typing; one that was asked before it is settled by it")
  func pauses() throws {
    let wire = wire("one two\n")
    let known = try #require(try wire.pull()["resultId"]?.string)
    let params = #"{"textDocument":{"uri":"\#(wire.uri)"},"previousResultId":"\#(known)"}"#
    var ids: [Int] = []
    for letter in "abc" {
      try wire.type(String(letter), before: "two")
      ids.append(wire.begin("textDocument/diagnostic", params))
      wire.wait(150)
    }
    let kinds = ids.map { wire.answer(to: $0)?["result"]?["kind"]?.string }
    #expect(kinds == ["unchanged", "unchanged", nil])
    wire.wait(50)
    let report = wire.answer(to: ids[2])?["result"]
    #expect(report?["items"]?.first?["message"]?.string?.contains("“abc”") == true)
    #expect(wire.server.deadline != nil, "the idle timer")
  }

  @Test("Those who cannot be asked to ask again are not")
  func noRefresh() throws {
    let wire = wire(
      "one two\n",
      capabilities: #"{"workspace":{"applyEdit":true},"textDocument":{"diagnostic":{}}}"#
    )
    try wire.type("x", before: "two")
    try wire.pause()
    #expect(wire.messages.of("workspace/diagnostic/refresh").isEmpty)
    #expect(try wire.pull()["items"]?.count == 1)
  }

  @Test("A question in the middle of our edit waits until all of it is there")
  func landing() throws {
    let wire = wire("one two\n")
    try wire.type("x", before: "two")
    let request = try #require(wire.wait(750).edits.first)
    let edits = wire.edits(in: request)
    #expect(edits.count == 2)
    wire.change([edits[1]])
    let params = #"{"textDocument":{"uri":"\#(wire.uri)"}}"#
    let id = wire.begin("textDocument/diagnostic", params)
    #expect(wire.answer(to: id) == nil)
    wire.change([edits[0]])
    let items = try #require(wire.answer(to: id)?["result"]?["items"])
    #expect(items.elements.map { $0["code"]?.string } == ["addition"])
  }

  @Test("A question about an edit that never lands is answered when it is given up")
  func lost() throws {
    let wire = wire("one two\n")
    try wire.type("x", before: "two")
    wire.wait(750)
    let id = wire.begin("textDocument/diagnostic", #"{"textDocument":{"uri":"\#(wire.uri)"}}"#)
    #expect(wire.answer(to: id) == nil)
    wire.wait(1000)
    let items = try #require(wire.answer(to: id)?["result"]?["items"])
    #expect(items.elements.map { $0["code"]?.string } == ["pending"])
  }

  @Test(
    "A question that waits is answered once when it is cancelled, and when its document or the server goes",
    arguments: [
      ("$/cancelRequest", "notification", -32_800), ("shutdown", "request", -32_800),
      ("textDocument/didClose", "notification", nil),
    ]
  )
  func cancel(_ method: String, _ kind: String, _ code: Int?) throws {
    let wire = wire("one two\n")
    try wire.type("x", before: "two")
    wire.wait(750)
    let document = #"{"textDocument":{"uri":"\#(wire.uri)"}}"#
    let id = wire.begin("textDocument/diagnostic", document)
    if kind == "request" {
      try wire.request(method)
    } else {
      wire.notify(method, method == "$/cancelRequest" ? #"{"id":\#(id)}"# : document)
    }
    let answer = try #require(wire.answer(to: id))
    #expect(answer.code == code)
    #expect(answer["result"]?["items"]?.count == (code == nil ? 0 : nil))
    wire.wait(5000)
    #expect(wire.messages.filter { $0["id"]?.integer == id && $0["method"] == nil }.count == 1)
  }

  /// A text that is read in blocks, with more changes than are listed.
  private static let long = (0..<4000).map { "Line \($0) has {++one ++}change.\n\n" }.joined()

  @Test(
    "The list of a long document is made between other requests, of the text as it is by then",
    arguments: ["at rest", "typed", "typed meanwhile", "closed"]
  )
  func long(_ what: String) throws {
    let pushed = Wire(capabilities: Wire.editing)
    let (wire, disk) = (wire(Self.long), Disk([:]))
    pushed.open(Self.long)
    for wire in [wire, pushed] where what == "typed" {
      try wire.type("x", before: "one ++}change.\n\nLine 2001 ")
      wire.wait(60_000)
      wire.work(on: disk)
    }
    let params = #"{"textDocument":{"uri":"\#(wire.uri)"}}"#
    let id = wire.begin("textDocument/diagnostic", params)
    #expect(wire.answer(to: id) == nil)
    for _ in 0..<5 { wire.step(on: disk) }
    #expect(wire.answer(to: id) == nil)
    #expect(wire.server.effect == .idle)
    if what == "closed" {
      wire.notify("textDocument/didClose", params)
      #expect(wire.answer(to: id)?["result"]?["items"]?.count == 0)
      return
    }
    for wire in [wire, pushed] where what == "typed meanwhile" {
      try wire.type("x", before: "one ++}change.\n\nLine 2001 ")
      #expect(wire.server.effect != .idle)
      wire.wait(60_000)
    }
    wire.work(on: disk)
    pushed.work(on: disk)
    pushed.wait(60_000)
    let report = try #require(wire.answer(to: id)?["result"])
    #expect(report["items"]?.count == 2001)
    #expect(
      report["items"]?.description == pushed.messages.published.last?["diagnostics"]?.description
    )
    let known = try #require(report["resultId"]?.string)
    #expect(try wire.pull(knowing: known)["kind"]?.string == "unchanged")
  }

  @Test("A document that is not open has nothing to list")
  func closed() throws {
    let wire = Wire(capabilities: PullDiagnosticsTests.pulling)
    let report = try wire.pull()
    #expect(report["kind"]?.string == "full")
    #expect(report["items"]?.count == 0)
    #expect(report["resultId"] == nil)
  }
}
