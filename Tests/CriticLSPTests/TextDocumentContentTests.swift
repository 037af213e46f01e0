import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("The clean and the original text as documents of their own", .timeLimited)
struct TextDocumentContentTests {
  private static let text = "The {~~red~>blue~~}{>>why?<<} hen{++ and her chicks++}.\n"
  private static let clean = "The blue hen and her chicks.\n"
  private static let original = "The red hen.\n"

  /// A client that shows what it is given, with a folder.
  private func wire(showing: Bool = true, contents: String = "{}") throws -> Wire {
    let wire = Wire.fresh
    try wire.request(
      "initialize",
      #"{"processId":null,"clientInfo":{"name":"Neovim"},"rootUri":"file:///book","#
        + #""initializationOptions":{"tracking":"on","rememberTracking":false},"capabilities":"#
        + #"{"workspace":{"applyEdit":true,"textDocumentContent":\#(contents)},"#
        + #""window":{"showDocument":{"support":\#(showing)}},"#
        + #""textDocument":{"codeAction":{"codeActionLiteralSupport":{}}}}}"#
    )
    wire.notify("initialized")
    return wire
  }

  /// Asks for a text and returns the response.
  private func ask(_ wire: Wire, _ uri: String, on disk: Disk = Disk([:])) throws -> JSON {
    let id = wire.begin("workspace/textDocumentContent", #"{"uri":\#(json(uri))}"#)
    wire.work(on: disk)
    return try #require(wire.answer(to: id), "\(uri) was not answered")
  }

  private func text(_ wire: Wire, _ uri: String, on disk: Disk = Disk([:])) throws -> String? {
    let answer = try ask(wire, uri, on: disk)
    #expect(answer["error"] == nil, "\(answer)")
    return answer["result"]?["text"]?.string
  }

  private func refreshed(_ messages: [JSON]) -> [String] {
    messages.of("workspace/textDocumentContent/refresh").compactMap {
      $0["params"]?["uri"]?.string
    }
  }

  // MARK: - What is promised

  @Test("It is promised to the clients that show such texts, and to no others")
  func promise() throws {
    let wire = try wire()
    let answer = try #require(wire.messages.first?["result"]?["capabilities"])
    let schemes = answer["workspace"]?["textDocumentContent"]?["schemes"]?.elements
    #expect(schemes?.compactMap(\.string) == ["critic"])
    let commands = answer["executeCommandProvider"]?["commands"]?.elements.compactMap(\.string)
    #expect(commands?.contains("critic.show") == true)
    let other = try #require(Wire().messages.first?["result"]?["capabilities"])
    #expect(other["workspace"]?["textDocumentContent"] == nil)
    #expect(!"\(other)".contains("critic.show"))
  }

  // MARK: - The texts

  @Test(
    "A document that is open is read as it is now, what is not in marks yet with it",
    arguments: [
      "file:///draft.md", "file:///a%20b/%C3%BC%25.md", "untitled:Untitled-1",
      "vscode-vfs://github/o/r/a%2Fb.md?x=1#y", "file:///c:/x.md", "file://server/x.md",
    ]
  )
  func open(_ uri: String) throws {
    let wire = try wire()
    wire.open(Self.text, uri: uri)
    let key = DocumentKey(uri: uri)
    #expect(try text(wire, ContentKey(.clean, of: key).uri) == Self.clean)
    #expect(try text(wire, ContentKey(.original, of: key).uri) == Self.original)
    wire.didChange(
      #"[{"range":\#(Wire.range(0, 0, 0, 3)),"text":"A"}]"#,
      version: 2,
      uri: uri
    )
    #expect(
      try text(wire, ContentKey(.clean, of: key).uri) == "A blue hen and her chicks.\n"
    )
    #expect(try text(wire, ContentKey(.original, of: key).uri) == Self.original)
  }

  @Test("They are what the command for export answers with")
  func export() throws {
    let wire = try wire()
    wire.open("{++[a]: x++}{>>@anna<<} {--b\r\n--}c `{++d++}`\n")
    for variant in Variant.settled {
      let exported = try wire.command("export", #""variant":"\#(variant.rawValue)""#)["result"]
      #expect(
        try text(wire, "critic://\(variant.rawValue)/draft.md") == exported?.string
      )
    }
  }

  @Test("While an edit of ours lands, the text may hold half of a mark, and the answer waits")
  func landing() throws {
    let wire = try wire()
    wire.open("one two\n")
    try wire.type("x", before: "two")
    let edit = try #require(wire.wait(750).edits.first)
    let id = wire.begin(
      "workspace/textDocumentContent",
      #"{"uri":"critic://original/draft.md"}"#
    )
    #expect(wire.answer(to: id) == nil)
    wire.apply(edit)
    #expect(wire.buffer == "one {++x++}two\n")
    #expect(wire.answer(to: id)?["result"]?["text"]?.string == "one two\n")
  }

  @Test("A request that waits can be cancelled, and is answered before the server goes")
  func cancel() throws {
    let wire = try wire()
    let uris = ["critic://clean/book/a.md", "critic://clean/book/b.md"]
    let ids = uris.map { wire.begin("workspace/textDocumentContent", #"{"uri":"\#($0)"}"#) }
    wire.notify("$/cancelRequest", #"{"id":\#(ids[0])}"#)
    #expect(wire.answer(to: ids[0])?.code == -32800)
    #expect(wire.answer(to: ids[1]) == nil)
    try wire.request("shutdown")
    #expect(wire.answer(to: ids[1])?.code == -32800)
  }

  // MARK: - Documents that are not open

  private static let book = [
    "/book/one.md": text, "/book/a b/ü.md": text, "/book/.secret/x.md": text,
    "/book/notes.txt": text, "/else/where.md": text, "/book/.hidden.md": text,
  ]

  @Test("A Markdown file of the workspace that is not open is read from the disk")
  func file() throws {
    let (wire, disk) = (try wire(), Disk(Self.book))
    #expect(try text(wire, "critic://clean/book/one.md", on: disk) == Self.clean)
    #expect(disk.wanted == ["read /book/one.md within /book"])
    #expect(try text(wire, "critic://original/book/a%20b/%C3%BC.md", on: disk) == Self.original)
  }

  @Test(
    "No other file is read",
    arguments: [
      "/else/where.md", "/book/../else/where.md", "/book/./one.md", "/book/.secret/x.md",
      "/book/.hidden.md", "/book/notes.txt", "/book", "/", "/book/%2e%2e/else/where.md",
    ]
  )
  func outside(_ path: String) throws {
    let (wire, disk) = (try wire(), Disk(Self.book))
    let answer = try ask(wire, "critic://clean\(path)", on: disk)
    #expect(answer.code == -32803)
    #expect(answer.problem.hasSuffix("Open it, and ask again."))
    #expect(disk.wanted.isEmpty)
  }

  @Test("A file with a record is shown as that says, with what became of the file since")
  func record() throws {
    let disk = Disk([
      "/book/a.md": "The blue hen and her chicks sleep.\n",
      "/book/a.md.critic": TextDocumentContentTests.text,
    ])
    let wire = try wire()
    #expect(try text(wire, "critic://original/book/a.md", on: disk) == "The red hen.\n")
    let clean = try text(wire, "critic://clean/book/a.md", on: disk)
    #expect(clean == "The blue hen and her chicks sleep.\n")
  }

  @Test("A file that was open may lie anywhere")
  func closed() throws {
    let (wire, disk) = (try wire(), Disk(Self.book))
    wire.open("other", uri: "file:///else/where.md")
    wire.work(on: disk)
    wire.notify("textDocument/didClose", #"{"textDocument":{"uri":"file:///else/where.md"}}"#)
    #expect(try text(wire, "critic://clean/else/where.md", on: disk) == Self.clean)
    #expect(disk.wanted.last == "read /else/where.md")
  }

  @Test("A document that is opened while its file is read is answered as the editor has it")
  func opened() throws {
    let (wire, disk) = (try wire(), Disk(Self.book))
    let id = wire.begin(
      "workspace/textDocumentContent",
      #"{"uri":"critic://clean/book/one.md"}"#
    )
    #expect(wire.answer(to: id) == nil)
    wire.open("newer {++text++}\n", uri: "file:///book/one.md")
    #expect(wire.answer(to: id)?["result"]?["text"]?.string == "newer text\n")
    wire.work(on: disk)
    #expect(!disk.wanted.contains { $0.hasPrefix("read") })
  }

  @Test("What cannot be read is said, and why")
  func unreadable() throws {
    let (wire, disk) = (try wire(), Disk(Self.book))
    disk.locked = ["/book/one.md"]
    #expect(
      try ask(wire, "critic://clean/book/one.md", on: disk).problem
        == "one.md cannot be read: Permission denied. Open it, and ask again."
    )
    #expect(try ask(wire, "critic://clean/book/two.md", on: disk).problem == "two.md is gone.")
    #expect(
      try ask(wire, "critic://clean/Untitled-1?untitled:Untitled-1", on: disk).problem
        .hasPrefix("untitled:Untitled-1 is neither open nor")
    )
  }

  @Test(
    "A URI that names no text is refused",
    arguments: [
      "critic://markup/draft.md", "critic://clean", "critic:", "critic://clean/a%2Fb.md",
      "file:///draft.md", "", "critic://CLEAN/draft.md", "critic://clean?", "critics://clean/a.md",
    ]
  )
  func malformed(_ uri: String) throws {
    let wire = try wire()
    let answer = try ask(wire, uri)
    #expect(answer.code == -32602)
    #expect(answer.problem.contains("critic://clean/draft.md or critic://original/draft.md"))
  }

  // MARK: - What changes

  @Test("The client is told at rest which of the texts that it asked for have changed")
  func refresh() throws {
    let wire = try wire()
    wire.open(Self.text)
    let (clean, original) = ("critic:clean/draft.md", "critic://original/dr%61ft.md")
    for uri in [clean, original] { _ = try text(wire, uri) }
    for letter in ["A", "n", "d", " "] {
      try wire.type(letter, before: "The")
      #expect(refreshed(wire.wait(100)).isEmpty)
    }
    #expect(refreshed(wire.wait(300)) == [clean])
    wire.takeEdits()
    try wire.run("reject", #""range":\#(try wire.range(of: "red"))"#)
    #expect(refreshed(wire.wait(5000)).isEmpty)
    #expect(try text(wire, clean) == "And The red hen and her chicks.\n")
    try wire.run("accept", #""change":2"#)
    #expect(refreshed(wire.messages) == [clean, original])
    #expect(try text(wire, original) == "The red hen and her chicks.\n")
  }

  @Test("A comment changes neither text, and neither does marking")
  func unchanged() throws {
    let wire = try wire()
    wire.open(Self.text)
    try wire.type("x", before: "hen")
    for variant in Variant.settled { _ = try text(wire, "critic://\(variant)/draft.md") }
    try wire.pause()
    #expect(wire.buffer.contains("{++x++}hen"))
    try wire.run("comment", #""text":"hm","range":\#(try wire.range(of: "red"))"#)
    wire.wait(5000)
    #expect(wire.buffer.contains("hm"))
    #expect(refreshed(wire.messages).isEmpty)
  }

  @Test("A text that the client no longer shows is not told of, nor one that nobody asked for")
  func forgotten() throws {
    let wire = try wire()
    wire.open(Self.text)
    let uri = "critic://clean/draft.md"
    _ = try text(wire, uri)
    wire.notify("textDocument/didClose", #"{"textDocument":{"uri":"\#(uri)"}}"#)
    try wire.type("x", before: "hen")
    wire.wait(5000)
    #expect(refreshed(wire.messages).isEmpty)
  }

  @Test("A text that was read from a file is compared with the document once that is open")
  func compared() throws {
    let (wire, disk) = (try wire(), Disk(Self.book))
    _ = try text(wire, "critic://clean/book/one.md", on: disk)
    wire.open(Self.text, uri: "file:///book/one.md")
    #expect(refreshed(wire.wait(5000)).isEmpty)
    wire.open("another\n", uri: "file:///book/one.md")
    wire.wait(5000)
    #expect(refreshed(wire.messages) == ["critic://clean/book/one.md"])
  }

  // MARK: - Shown documents

  @Test("A text that the client opens as a document is neither tracked nor listed")
  func document() throws {
    let wire = try wire()
    wire.open(Self.text)
    let count = wire.messages.count
    let uri = "critic://clean/draft.md"
    let open = #"{"uri":"\#(uri)","languageId":"markdown","version":1,"text":"{++a++}\n"}"#
    #expect(wire.notify("textDocument/didOpen", #"{"textDocument":\#(open)}"#).isEmpty)
    #expect(wire.didChange(#"[{"text":"{++b++}"}]"#, version: 2, uri: uri).isEmpty)
    #expect(
      wire.notify("textDocument/didSave", #"{"textDocument":{"uri":"\#(uri)"}}"#).isEmpty
    )
    wire.wait(60_000)
    #expect(wire.messages.dropFirst(count).allSatisfy { "\($0)".contains(#""file:///draft.md""#) })
    let place = #""textDocument":{"uri":"\#(uri)"}"#
    let here = #"\#(place),"position":{"line":0,"character":0}"#
    let range = #"\#(place),"range":\#(Wire.range(0, 0, 0, 1)),"context":{"diagnostics":[]}"#
    for (method, params) in [
      ("codeAction", range), ("codeLens", place), ("inlayHint", range), ("hover", here),
      ("documentSymbol", place), ("semanticTokens/full", place), ("foldingRange", place),
    ] {
      let answer = try wire.request("textDocument/\(method)", "{\(params)}")
      #expect(answer["result"].map { $0.isNull || $0.count == 0 } == true, "\(answer)")
    }
    let refused = try wire.request(
      "workspace/executeCommand",
      #"{"command":"critic.acceptAll","arguments":[{"uri":"\#(uri)"}]}"#
    )
    #expect(refused.problem.contains("only to be read"))
    wire.notify("textDocument/didClose", "{\(place)}")
    #expect(try text(wire, uri) == Self.clean)
  }

  @Test("A command has the client show a text, and answers with its URI", arguments: [true, false])
  func show(_ isShowing: Bool) throws {
    let wire = try wire(showing: isShowing)
    wire.open(Self.text, uri: "file:///book/a%20b.md")
    let argument = #"{"uri":"file:///book/a%20b.md","variant":"original"}"#
    let answer = try wire.request(
      "workspace/executeCommand",
      #"{"command":"critic.show","arguments":[\#(argument)]}"#
    )
    #expect(answer["result"]?.string == "critic://original/book/a%20b.md")
    let shown = wire.messages.of("window/showDocument").compactMap { $0["params"] }
    #expect(shown.count == (isShowing ? 1 : 0))
    for params in shown {
      #expect(params["uri"]?.string == "critic://original/book/a%20b.md")
      #expect(params["selection"] == nil && params["takeFocus"]?.bool == true)
    }
  }

  @Test("The command says what to do instead where it cannot be done")
  func refused() throws {
    let wire = Wire()
    wire.open(Self.text)
    #expect(try wire.command("show").problem.contains("critic.export"))
    let able = try self.wire()
    able.open(Self.text)
    #expect(try able.command("show", #""variant":"markup""#).code == -32602)
  }

  @Test("The menu shows both texts where there are changes and the client can show them")
  func menu() throws {
    func titles(_ wire: Wire, _ text: String) throws -> [String] {
      wire.open(text)
      let answer = try wire.ask(
        "codeAction",
        #""range":\#(Wire.range(0, 0, 0, 0)),"context":{"diagnostics":[]}"#
      )
      return answer.elements.compactMap { $0["title"]?.string }.filter { $0.hasPrefix("Show") }
    }
    let both = ["Show the clean text", "Show the original text"]
    let wire = try wire()
    #expect(try titles(wire, Self.text) == both)
    #expect(try titles(wire, "plain\n") == [])
    #expect(try titles(try self.wire(showing: false), Self.text) == [])
    #expect(try titles(Wire(), Self.text) == [])
    let asked = try wire.ask(
      "codeAction",
      #""range":\#(Wire.range(0, 0, 0, 0)),"#
        + #""context":{"diagnostics":[],"only":["source.critic.showOriginal"]}"#
    )
    let action = try #require(asked.first)
    #expect(action["title"]?.string == both[1] && asked.count == 1)
    let command = try #require(action["command"])
    try wire.request(
      "workspace/executeCommand",
      #"{"command":\#(try #require(command["command"])),"arguments":"#
        + #"\#(try #require(command["arguments"]))}"#
    )
    let shown = wire.messages.of("window/showDocument").last?["params"]
    #expect(shown?["uri"]?.string == "critic://original/draft.md")
  }
}
