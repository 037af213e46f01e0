import Foundation
import JSONRPC
import TestSupport
import Testing

@Suite("Command line: mcp", .timeLimited) struct MCPCommandTests {
  private let draft = "The very unique hen.\n\nA {~~red~>blue~~}{>>@ada: nicer<<} hen.\n"
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write("book/draft.md", draft)
  }

  /// Sends messages to a server for the folder `book`, and returns the answers.
  private func answers(_ messages: String...) throws -> [JSON] {
    let outcome = try folder.run(["mcp", "book"], input: messages.joined(separator: "\n") + "\n")
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    return try outcome.output.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
  }

  /// Calls a tool, and returns what it says and whether that is an error.
  private func call(_ tool: String, _ arguments: String) throws -> (text: String, isError: Bool) {
    let params = #"{"name":"\#(tool)","arguments":\#(arguments)}"#
    let answer = try answers(#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(params)}"#)
    let result = try #require(answer.first?["result"])
    return (result["content"]?.first?["text"]?.string ?? "", result["isError"]?.bool ?? true)
  }

  @Test(
    "A revision that is spoken is taken, another is answered with the newest",
    arguments: [
      ("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("2099-01-01", "2025-06-18"),
    ]
  )
  func revisions(_ asked: String, _ spoken: String) throws {
    let answers = try answers(
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(asked)"}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","id":"p","method":"ping"}"#
    )
    #expect(answers.count == 2)
    #expect(answers[0]["result"]?["protocolVersion"]?.string == spoken)
    #expect(answers[1]["id"]?.string == "p")
    #expect(answers[1]["result"]?.kind == .object)
  }

  @Test("What is no message, no method and no tool is an error of the protocol")
  func errors() throws {
    let answers = try answers(
      "nonsense",
      "[]",
      #"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"reed"}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"tools/call"}"#
    )
    #expect(
      answers.map { $0["error"]?["code"]?.integer } == [-32700, -32600, -32601, -32602, -32602]
    )
    #expect(answers[3]["error"]?["message"]?.string?.contains("Did you mean \"read\"?") == true)
  }

  @Test(
    "What is wrong with the arguments is told to the agent",
    arguments: [
      ("read", "{}", "path: missing"), ("read", "[]", "arguments: expected an object"),
      ("read", #"{"path":"draft.md","varaint":"clean"}"#, "Did you mean \"variant\"?"),
      ("read", #"{"path":"draft.md","variant":"new"}"#, "variant: expected one of clean"),
      (
        "propose", #"{"path":"draft.md","edits":[{"old":1,"new":""}]}"#,
        "edits[0].old: expected a string"
      ),
      ("propose", #"{"path":"draft.md","edits":[],"author":"<<}"}"#, "author: expected a name"),
      ("comment", #"{"path":"draft.md","text":"","comment":"x"}"#, "\"text\" is empty"),
      (
        "comment", #"{"path":"draft.md","text":"hen","comment":"x"}"#,
        "\"text\" is at 2 places, on lines 1 and 3"
      ),
      ("read", #"{"path":"../other.md"}"#, "no such file"),
    ]
  )
  func wrongArguments(_ tool: String, _ arguments: String, _ message: String) throws {
    let answer = try call(tool, arguments)
    #expect(answer.isError)
    #expect(answer.text.contains(message), "\(answer.text)")
    #expect(try folder.text("book/draft.md") == draft)
  }

  @Test("Edits and comments are written into the file; a text in a change is commented there")
  func writing() throws {
    let edits = #"[{"old":"very unique","new":"unique","reason":"no degrees"}]"#
    #expect(
      try !call("propose", #"{"path":"draft.md","author":"ai:m","edits":\#(edits)}"#).isError
    )
    #expect(
      try !call("comment", #"{"path":"draft.md","author":"ai:m","text":"blue","comment":"Why?"}"#)
        .isError
    )
    #expect(
      try folder.text("book/draft.md")
        == "The {--very --}{>>@ai:m: no degrees<<}unique hen.\n\n"
        + "A {~~red~>blue~~}{>>@ada: nicer<<}{>>@ai:m: Why?<<} hen.\n"
    )
  }

  @Test("A link out of the folder is not followed, nor is a file written that nobody may write to")
  func refused() throws {
    try folder.write("other.md", draft)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("book/link.md"),
      withDestinationPath: "../other.md"
    )
    for path in ["link.md", "../other.md", folder.path("other.md")] {
      #expect(try call("read", #"{"path":"\#(path)"}"#).text.contains("outside"))
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444],
      ofItemAtPath: folder.path("book/draft.md")
    )
    let answer = try call("comment", #"{"path":"draft.md","text":"very","comment":"x"}"#)
    #expect(answer.isError)
    #expect(answer.text.contains("read-only"))
    #expect(try folder.text("book/draft.md") == draft)
  }

  @Test("A wrong command line is told")
  func wrongUse() throws {
    #expect(try folder.run("mcp").code == 2)
    let outcome = try folder.run("mcp", "none")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("none"))
  }
}
