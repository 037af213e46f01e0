import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

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
      ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-03-26"), ("2024-11-05", "2024-11-05"),
      ("2025-11-25", "2025-11-25"), ("2099-01-01", "2025-11-25"),
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
      ("read", #"{"path":"draft.md","variant":"new"}"#, #"variant must be "clean""#),
      (
        "propose", #"{"path":"draft.md","edits":[{"old":1,"new":""}]}"#,
        "edits[0].old: expected a string"
      ),
      ("propose", #"{"path":"draft.md","edits":[],"author":"<<}"}"#, "author: expected a name"),
      ("propose", #"{"path":"draft.md","edits":[]}"#, "edits: expected at least one edit"),
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

  @Test("Arguments that are left out, or null, are none", arguments: MCPTool.all.map(\.name))
  func noArguments(_ tool: String) throws {
    let members = ["", #","arguments":null"#, #","arguments":{}"#]
    let calls = members.enumerated().map { id, members in
      #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)"\#(members)}}"#
    }
    let process = try MCPProcess(in: folder)
    let results = try calls.enumerated().map { id, call in
      try process.send(call)
      let answer = try process.next()
      #expect(answer["id"]?.integer == id)
      return try #require(answer["result"]).rawBytes
    }
    #expect(Set(results.map(Array.init)).count == 1)
    let needsNone = MCPTool.all.first { $0.name == tool }?.parameters.allSatisfy(\.isOptional)
    let told = String(decoding: results[0], as: UTF8.self)
    #expect(told.contains(#""isError":true"#) == (needsNone != true), "\(told)")
  }

  @Test("A batch in which a call waits holds nothing up, and is answered in one message")
  func waitingBatch() throws {
    let process = try MCPProcess(in: folder)
    try process.send(
      "[\(MCPProcess.wait(1, seconds: 600)),\(MCPProcess.ping(2)),\(MCPProcess.wait(3, seconds: 1)),"
        + #"{"jsonrpc":"2.0","method":"notifications/initialized"},\#(MCPProcess.ping(4))]"#
    )
    try process.send(MCPProcess.ping(5))
    #expect(try process.next()["id"]?.integer == 5)
    try process.cancel(1)
    #expect(try process.next().elements.map { $0["id"]?.integer } == [2, 3, 4])
    // Nothing is said of a batch of which all was cancelled.
    try process.send("[\(MCPProcess.wait(6, seconds: 600))]")
    try process.cancel(6)
    try process.send("[\(MCPProcess.wait(7, seconds: 1))]")
    #expect(try process.next().elements.map { $0["id"]?.integer } == [7])
  }

  @Test("Of many calls that wait the last are refused, until one is done")
  func manyWaits() throws {
    let process = try MCPProcess(in: folder)
    let most = MCPSession.mostWaiting
    for id in 1...most { try process.send(MCPProcess.wait(id, seconds: 600)) }
    try process.send(MCPProcess.wait(1, seconds: 600))
    let second = try process.next()
    #expect(second["id"]?.integer == 1)
    #expect(MCPProcess.told(second) == "a call with this id waits already")
    try process.send(MCPProcess.wait(most + 1, seconds: 1))
    let refused = try process.next()
    #expect(refused["id"]?.integer == most + 1)
    #expect(refused["result"]?["isError"]?.bool == true)
    #expect(MCPProcess.told(refused).hasPrefix("\(most) calls wait already"))
    try process.send(MCPProcess.ping(0))
    #expect(try process.next()["id"]?.integer == 0)
    try process.cancel(7)
    var answer = refused
    while answer["result"]?["isError"]?.bool == true {
      try process.send(MCPProcess.wait(most + 2, seconds: 1))
      answer = try process.next()
    }
    #expect(answer["result"]?["structuredContent"]?["done"]?.bool == false)
  }

  #if os(Linux)
    @Test("What a call that waits takes is given back when it is answered")
    func memory() throws {
      let process = try MCPProcess(in: folder)
      var mappings: [Int] = []
      for _ in 0..<5 {
        let ids = 1...24
        for id in ids { try process.send(MCPProcess.wait(id, seconds: 1)) }
        var answered: Set<Int> = []
        while answered.count < ids.count {
          answered.insert(try #require(process.next()["id"]?.integer))
        }
        let maps = try String(contentsOfFile: "/proc/\(process.identifier)/maps", encoding: .utf8)
        mappings.append(maps.split(separator: "\n").count)
      }
      // Each of the 24 would leave at least one.
      #expect(mappings[4] < mappings[0] + 24, "\(mappings)")
    }
  #endif

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

  @Test("What was written is told, with names that stay when other changes come and go")
  func names() throws {
    func tell(_ tool: String, _ arguments: String) throws -> JSON {
      let params = #"{"name":"\#(tool)","arguments":\#(arguments)}"#
      let message = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(params)}"#
      return try #require(answers(message).first?["result"]?["structuredContent"])
    }
    let edits = #"[{"old":"unique","new":"rare","reason":"r"},{"old":"fox","new":"x"}]"#
    let made = try tell("propose", #"{"path":"draft.md","edits":\#(edits),"partial":true}"#)
    #expect(made["proposed"]?.integer == 1)
    #expect(made["left"]?.first?.string?.contains("edit 2") == true)
    let change = try #require(made["changes"]?.first)
    #expect(change["markup"]?.string == "{~~unique~>rare~~}{>>r<<}")
    let id = try #require(change["id"]?.string)
    _ = try tell("propose", #"{"path":"draft.md","edits":[{"old":"The very","new":"A"}]}"#)
    _ = try tell("comment", #"{"path":"draft.md","change":"\#(id)","comment":"Or odd?"}"#)
    #expect(try folder.text("book/draft.md").contains("{~~unique~>rare~~}{>>r<<}{>>Or odd?<<}"))
    let listed = try tell("changes", #"{"path":"draft.md","detail":"brief"}"#)
    let second = try #require(listed["changes"].map { Array($0.elements) })[1]
    #expect(second["id"]?.string == id)
    #expect(second["number"]?.integer == 2)
    #expect(second["comments"]?.integer == 2)
    #expect(
      try call("comment", #"{"path":"draft.md","change":"c0000000","comment":"x"}"#).text
        == "change: there is no change c0000000 any more; list the changes again"
    )
  }

  @Test("A section is moved with what is proposed in it, and nothing that is said in it is lost")
  func moving() throws {
    let section = "## Two\\n\\nA blue hen.\\n"
    try folder.write(
      "book/draft.md",
      "One.\n\n## Two\n\nA {~~red~>blue~~}{>>@ada: nicer<<} hen.\n\n## Three\n"
    )
    let edits =
      #"[{"old":"\#(section)\n","new":""},{"insert_after":"Three\n","new":"\n\#(section)"}]"#
    _ = try call("propose", #"{"path":"draft.md","edits":\#(edits)}"#)
    let text = try folder.text("book/draft.md")
    #expect(
      try folder.run("export", "book/draft.md").output
        == "One.\n\n## Three\n\n## Two\n\nA blue hen.\n"
    )
    #expect(text.contains("A red hen.--}"))
    #expect(text.contains("{>>@ada: nicer<<}"))
  }

  @Test("Changes that say the same have names of their own")
  func sameChanges() {
    let all = ListedChange.all(of: Array("a{++x++} b{++x++} c{++y++}".utf8), as: .markdown)
    let ids = all.named.map(\.id)
    #expect(Set(ids).count == 3)
    #expect(ids[1] == ids[0] + "-2")
  }

  @Test(
    "A section is read by its heading, with the number of its first line",
    arguments: [
      ("two", "## Two\n\nc\n\n### Three\n\nd\n\n", 5), ("### Three", "### Three\n\nd\n\n", 9),
      ("Four", "## Four\n", 13),
    ]
  )
  func sections(_ heading: String, _ text: String, _ line: Int) throws {
    try folder.write(
      "book/draft.md",
      "# One\n\na {--b--}\n\n## {++Two++}\n\nc\n\n### Three\n\nd\n\n## Four\n"
    )
    let params = #"{"name":"read","arguments":{"path":"draft.md","heading":"\#(heading)"}}"#
    let message = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(params)}"#
    let told = try #require(answers(message).first?["result"]?["structuredContent"])
    #expect(told["text"]?.string == text)
    #expect(told["from"]?.integer == line)
    #expect(
      try call("read", #"{"path":"draft.md","heading":"Five"}"#).text
        == "heading: there is no heading “Five”; there are “One”, “Two”, “Three”, “Four”"
    )
  }

  @Test("What became of a text that was kept is told")
  func decisions() throws {
    let kept = draft.replacing("very ", with: "{--very --}{>>why<<}").replacing("\n", with: "\\n")
    try folder.write("book/draft.md", "The unique hen.\n\nA red hen.\n")
    let answer = try call("decisions", #"{"path":"draft.md","proposed":"\#(kept)"}"#)
    let told = try JSON(parsing: Array(answer.text.utf8))
    #expect(
      told["decisions"]?.elements.map { $0["decision"]?.string } == ["accepted", "rejected"]
    )
  }

  @Test("While somebody waits, changes that lie beside the text are not decided")
  func waitingBeside() throws {
    try folder.write("book/draft.md", "The very unique hen.\n\nA blue hen.\n")
    try folder.write("book/draft.md.critic", draft)
    let waited = try folder.run(["wait", "--timeout", "1", "book/draft.md"])
    #expect(waited.output.contains("0 accepted, 0 rejected, 1 left"), "\(waited.output)")
  }

  @Test("Edits that change nothing are told with those that are made")
  func idle() throws {
    let edits = #"[{"old":"blue","new":"blue"},{"old":"very ","new":""}]"#
    let answer = try call("propose", #"{"path":"draft.md","edits":\#(edits)}"#)
    #expect(!answer.isError)
    #expect(
      answer.text
        == "1 edit was proposed in draft.md.\n"
        + #"edit 1 ("blue"): "old" and "new" are the same; nothing is proposed"#
    )
    #expect(try folder.text("book/draft.md") == draft.replacing("very ", with: "{--very --}"))
  }

  @Test("A link out of the folder is not followed, nor is a file written that nobody may write to")
  func refused() throws {
    try folder.write("other.md", draft)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("book/link.md"),
      withDestinationPath: "../other.md"
    )
    for path in ["link.md", "../other.md", folder.path("other.md")] {
      #expect(try call("read", #"{"path":"\#(path)"}"#).text.contains("no such file"))
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

  // MARK: - The files that are served

  @Test("A folder of another spelling, or whose name begins alike, is another folder")
  func siblings() throws {
    let (served, other) = ("caf\u{E9}", "cafe\u{301}")
    for name in [served, other, "book2"] { try folder.write("\(name)/a.md", draft) }
    // Some file systems take both names for one.
    guard folder.names.count(where: { $0.hasPrefix("caf") && $0.hasSuffix("/a.md") }) == 2 else {
      return
    }
    let files = try MCPFiles(below: [folder.file(served), folder.file("book")])
    #expect(try files.contents(of: folder.file("\(served)/a.md")) == Array(draft.utf8))
    for outside in ["\(other)/a.md", "book2/a.md"] {
      for path in [folder.file(outside), Path("../\(outside)")] {
        #expect(throws: Platform.Failure.self) { try files.contents(of: path) }
        #expect(throws: Platform.Failure.self) { try files.change(path) { _ in [] } }
      }
    }
  }

  @Test("Nothing is told of files outside, not even whether they are there")
  func outside() throws {
    try folder.write("other.md", draft)
    try folder.write("secret/a.md", draft)
    for (link, target) in [
      ("link.md", "../other.md"), ("broken.md", "../none.md"), ("far.md", folder.path("other.md")),
      ("folder", "../secret"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("book/\(link)"),
        withDestinationPath: target
      )
    }
    for path in [
      "none.md", "../none.md", "../other.md", "link.md", "broken.md", "far.md", "folder/a.md",
      "folder/none.md", "/none.md", "../secret/a.md", folder.path("other.md"), "..", "/",
    ] {
      let answer = try call("read", #"{"path":"\#(path)"}"#)
      let root = try #require(Platform.realPath(of: folder.file("book")))
      #expect(answer.isError)
      #expect(
        answer.text == "\(path): there is no such file in what this server was given: \(root)"
      )
    }
    let answer = try call("read", #"{"path":"draft.md\u0000.txt"}"#)
    #expect(answer.text == "path: expected a path, and a path holds no NUL")
  }

  @Test("Links inside are followed, and a file that is served alone is the only one")
  func inside() throws {
    for (link, target) in [
      ("link.md", "draft.md"), ("a/up.md", "../draft.md"),
      ("full.md", folder.path("book/draft.md")),
      ("b", "a"),
    ] {
      try folder.write("book/a/x.md", draft)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("book/\(link)"),
        withDestinationPath: target
      )
    }
    let files = try MCPFiles(below: [folder.file("book")])
    for path in ["link.md", "a/up.md", "b/up.md", "a/../draft.md", "./a/./x.md", "full.md"] {
      #expect(try files.contents(of: Path(path)) == Array(draft.utf8), "\(path)")
    }
    _ = try files.change("b/up.md") { bytes in [Edit(0..<bytes.count, Array("new".utf8))] }
    #expect(try folder.text("book/draft.md") == "new")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("book/link.md"))
        == "draft.md"
    )
    let one = try MCPFiles(below: [folder.file("book/a/x.md")])
    #expect(try one.contents(of: folder.file("book/a/x.md")) == Array(draft.utf8))
    for path in ["book/a/up.md", "book/draft.md", "book/link.md"] {
      #expect(throws: Platform.Failure.self) { try one.contents(of: folder.file(path)) }
    }
  }

  @Test("A file that is named itself is served wherever it is named, in any language")
  func named() throws {
    for name in ["book/d.txt", "book/e.txt"] { try folder.write(name, draft) }
    let (book, text) = (folder.file("book"), folder.file("book/d.txt"))
    for paths in [[book, text], [text, book]] {
      let files = try MCPFiles(below: paths)
      for path in ["d.txt", text] { #expect(try files.contents(of: path) == Array(draft.utf8)) }
      #expect(files.documents.contains { $0.name == "d.txt" })
      let refusal = #expect(throws: Platform.Failure.self) { try files.contents(of: "e.txt") }
      #expect(refusal?.description.contains("is not a Markdown file") == true)
    }
  }

  @Test("A folder that is swapped for a link out of the served one leads nowhere, however often")
  func swapped() throws {
    for name in ["book/part/a.md", "outside/a.md"] { try folder.write(name, "inside.\n") }
    try folder.write("outside/a.md", "outside.\n")
    let names = ["part", "kept", "link"].map { folder.path("book/\($0)") }
    try FileManager.default.createSymbolicLink(
      atPath: names[2],
      withDestinationPath: "../outside"
    )
    let isOver = Guarded(false)
    let ended = DispatchSemaphore(value: 0)
    Thread {
      while !isOver.with({ $0 }) {
        rename(names[0], names[1])
        rename(names[2], names[0])
        rename(names[0], names[2])
        rename(names[1], names[0])
      }
      ended.signal()
    }.start()
    let files = try MCPFiles(below: [folder.file("book")])
    var found = 0
    for number in 0..<4000 {
      if let bytes = try? files.contents(of: "part/a.md") {
        found += 1
        #expect(bytes.starts(with: "inside.".utf8))
      }
      guard number % 20 == 0 else { continue }
      _ = try? files.change("part/a.md") { bytes in [Edit(bytes.count..<bytes.count, [0x78])] }
    }
    isOver.with { $0 = true }
    ended.wait()
    #expect(found > 0)
    #expect(try folder.text("outside/a.md") == "outside.\n")
    #expect(try folder.text("book/part/a.md").hasPrefix("inside.\nx"))
  }
}

/// The server for the folder `book`, spoken to line by line.
private final class MCPProcess {
  private let input: FileHandle
  private let output: FileHandle
  private let program: RunningProgram
  private var framing = LineFraming()

  init(in folder: Folder) throws {
    signal(SIGPIPE, SIG_IGN)
    let (toServer, fromServer) = (try PrivatePipe(), try PrivatePipe())
    (input, output) = (toServer.writing, fromServer.reading)
    program = try RunningProgram(
      ["mcp", "book"],
      in: folder.url,
      environment: ["XDG_STATE_HOME": "/nowhere", "XDG_RUNTIME_DIR": ""],
      input: toServer.reading,
      output: fromServer.writing,
      errors: FileHandle.nullDevice
    )
    try toServer.reading.close()
    try fromServer.writing.close()
  }

  var identifier: Int32 { program.identifier }

  func send(_ line: String) throws { try input.write(contentsOf: Data("\(line)\n".utf8)) }

  func cancel(_ id: Int) throws {
    try send(
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#
    )
  }

  /// Waits for the next message.
  func next() throws -> JSON {
    while true {
      if case .body(let body)? = framing.next() { return try JSON(parsing: body) }
      var poller = pollfd(fd: output.fileDescriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&poller, 1, Int32(Program.patience * 1000)) > 0, "nothing is answered")
      let data = output.availableData
      try #require(!data.isEmpty, "the server is gone")
      framing.append(Array(data))
    }
  }

  static func ping(_ id: Int) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"# }

  static func wait(_ id: Int, seconds: Int) -> String {
    let arguments = #"{"path":"draft.md","timeout":\#(seconds)}"#
    let params = #"{"name":"wait_for_review","arguments":\#(arguments)}"#
    return #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":\#(params)}"#
  }

  /// What the agent reads of an answer.
  static func told(_ answer: JSON) -> String {
    answer["result"]?["content"]?.first?["text"]?.string ?? ""
  }
}
