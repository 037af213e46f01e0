import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("What an agent takes back of its own", .timeLimited) struct WithdrawingTests {
  private let draft = "The very unique hen.\n\nA {~~red~>blue~~}{>>@ada: nicer<<} {++big ++}hen.\n"
  private let proposed =
    "The {~~very unique~>rare~~}{>>@ai:m: short<<} hen.\n\n"
    + "A {~~red~>blue~~}{>>@ada: nicer<<} {++big ++}hen.\n"
  private let folder: Folder
  private let server: MCPServer

  init() throws {
    folder = try Folder()
    try folder.write("draft.md", draft)
    server = MCPServer(files: try MCPFiles(below: [#require(Path(folder.path("").utf8))]))
  }

  /// The result of a tool that is called for `ai:m`.
  private func call(_ tool: String, _ members: String, by author: String = "ai:m") throws -> JSON {
    let arguments = #"{"path":"draft.md","author":"\#(author)",\#(members)}"#
    return try result(of: tool, arguments)
  }

  private func result(of tool: String, _ arguments: String) throws -> JSON {
    let params = #"{"name":"\#(tool)","arguments":\#(arguments)}"#
    let request = MCPServer.Request(
      id: .number(1),
      method: "tools/call",
      params: try JSON(parsing: Array(params.utf8))
    )
    let answer = server.answer(to: request, from: nil) { _ in true }
    return try #require(JSON(parsing: answer.body)["result"])
  }

  /// Proposes an edit, and returns the id of the change.
  private func propose(_ old: String, _ new: String, by author: String = "ai:m") throws -> String {
    let edits = #"[{"old":"\#(old)","new":"\#(new)","reason":"short"}]"#
    return try id(in: call("propose", #""edits":\#(edits)"#, by: author))
  }

  private func id(in result: JSON) throws -> String {
    let structured = result["structuredContent"]
    return try #require(structured?["changes"]?.first?["id"]?.string, "\(result)")
  }

  private func withdraw(_ id: String, by author: String = "ai:m") throws -> JSON {
    try call("withdraw", #""change":"\#(id)""#, by: author)
  }

  /// Expects that neither tool does anything, and what they say.
  private func refuses(
    _ id: String,
    by author: String = "ai:m",
    _ reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try folder.text("draft.md")
    let results = [
      try withdraw(id, by: author),
      try call("revise", #""change":"\#(id)","new":"odd""#, by: author),
    ]
    for result in results {
      #expect(result["isError"]?.bool == true, sourceLocation: sourceLocation)
      let text = result["content"]?.first?["text"]?.string ?? ""
      #expect(text.contains(reason), "\(text)", sourceLocation: sourceLocation)
    }
    #expect(try folder.text("draft.md") == before, sourceLocation: sourceLocation)
  }

  @Test("What nobody has touched is taken back with its comment, and the rest stays")
  func untouched() throws {
    let id = try propose("very unique", "rare")
    #expect(try folder.text("draft.md") == proposed)
    #expect(try withdraw(id)["isError"]?.bool == false)
    #expect(try folder.text("draft.md") == draft)
    try refuses(id, "taken back already")
  }

  @Test(
    "A change is revised in one edit, whatever it does",
    arguments: [
      ("very unique", "rare", "odd", "The {~~very unique~>odd~~}{>>@ai:m: b<<} hen."),
      ("very unique", "rare", "", "The {--very unique--}{>>@ai:m: b<<} hen."),
      ("very ", "", "most ", "The {~~very~>most~~}{>>@ai:m: b<<} unique hen."),
      ("The very", "The one very", "first ", "The {++first ++}{>>@ai:m: b<<}very unique hen."),
    ]
  )
  func revised(_ old: String, _ new: String, _ later: String, _ markup: String) throws {
    let id = try propose(old, new)
    let result = try call("revise", #""change":"\#(id)","new":"\#(later)","reason":"b""#)
    #expect(try folder.text("draft.md") == draft.replacingFirstLine(by: markup))
    let next = try self.id(in: result)
    #expect(next != id)
    try refuses(id, "taken back already")
    #expect(try withdraw(next)["isError"]?.bool == false)
    #expect(try folder.text("draft.md") == draft)
  }

  @Test("A revision that proposes nothing, or has marks in it, changes nothing")
  func idle() throws {
    let id = try propose("very unique", "rare")
    for (new, reason) in [("very unique", "call withdraw"), ("{++a++}", "CriticMarkup")] {
      let result = try call("revise", #""change":"\#(id)","new":"\#(new)""#)
      #expect(result["isError"]?.bool == true)
      #expect(result["content"]?.first?["text"]?.string?.contains(reason) == true)
    }
    #expect(try folder.text("draft.md") == proposed)
  }

  @Test(
    "What the writer has settled, changed or answered stays theirs",
    arguments: [
      ("The rare hen.", "accepted, rejected or changed"),
      ("The very unique hen.", "accepted, rejected or changed"),
      ("The {~~very unique~>rare old~~}{>>@ai:m: short<<} hen.", "accepted, rejected"),
      ("The {~~very unique~>rare~~}{>>@ai:m: short<<}{>>@bea: No.<<} hen.", "bea commented on it"),
      ("The {~~very unique~>rare~~}{>>@ai:m: shorter<<} hen.", "it was changed since"),
      ("The {~~very unique~>rare~~} hen.", "accepted, rejected or changed"),
    ]
  )
  func touched(_ line: String, _ reason: String) throws {
    let id = try propose("very unique", "rare")
    try folder.write("draft.md", draft.replacingFirstLine(by: line))
    try refuses(id, reason)
  }

  @Test("With the writer's words in it, a change has another name, which takes nothing back either")
  func renamed() throws {
    _ = try propose("very unique", "rare")
    let line = "The {~~very unique~>rare old~~}{>>@ai:m: short<<} hen."
    try folder.write("draft.md", draft.replacingFirstLine(by: line))
    try refuses(
      id(in: result(of: "changes", #"{"path":"draft.md","detail":"brief"}"#)),
      "since this server began"
    )
  }

  @Test("What another has proposed, what nobody has signed and what is unknown is not taken back")
  func others() throws {
    let id = try propose("very unique", "rare", by: "ai:other")
    try refuses(id, "it is ai:other's")
    try refuses("c0000000", "there is no change c0000000")
    let edits = #"[{"old":"hen.\n\nA","new":"fox.\n\nA"}]"#
    let unsigned = try result(of: "propose", #"{"path":"draft.md","edits":\#(edits)}"#)
    try refuses(self.id(in: unsigned), "nobody has signed it")
  }

  @Test("A proposal that went into the writer's own unsigned words is theirs")
  func inside() throws {
    let id = try propose("big", "bigger")
    let result = try withdraw(id)
    #expect(result["isError"]?.bool == true, "\(result)")
    #expect(try folder.text("draft.md").contains("bigger"))
  }

  @Test("What was taken back is told as that, and not as the writer's decision")
  func decisions() throws {
    let id = try propose("very unique", "rare")
    let markup = proposed.replacing("\n", with: "\\n")
    _ = try withdraw(id)
    let told = try result(of: "decisions", #"{"path":"draft.md","proposed":"\#(markup)"}"#)
    let decisions = told["structuredContent"]?["decisions"]
    #expect(decisions?.first?["decision"]?.string == "withdrawn")
  }
}

extension String {
  fileprivate func replacingFirstLine(by line: String) -> String {
    "\(line)\(drop { $0 != "\n" })"
  }
}
