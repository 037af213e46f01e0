import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("The list of changes of the workspace", .timeLimited) struct WorkspaceDiagnosticTests {
  private static let book = [
    "/book/one.md": "# One\n\nThe {++quick ++}fox {--jumps--}{>>dull<<}\n",
    "/book/parts/two.md": "{++open\n", "/book/zero.md": "nothing here\n",
  ]

  private func wire(settings: String = "") throws -> Wire {
    let wire = Wire.fresh
    try wire.request(
      "initialize",
      #"{"processId":null,"clientInfo":{"name":"Neovim"},"rootUri":"file:///book","#
        + #""initializationOptions":{"tracking":"on","rememberTracking":false\#(settings)},"capabilities":"#
        + #"{"workspace":{"applyEdit":true,"diagnostics":{"refreshSupport":true},"#
        + #""didChangeWatchedFiles":{"dynamicRegistration":true}},"#
        + #""textDocument":{"diagnostic":{},"publishDiagnostics":{"relatedInformation":true}}}}"#
    )
    wire.notify("initialized")
    return wire
  }

  /// Asks for the lists and returns them by URI.
  private func pull(
    _ wire: Wire,
    _ disk: Disk,
    knowing known: [String: JSON] = [:]
  ) throws -> [String: JSON] {
    let ids = known.compactMap { uri, item in
      item["resultId"]?.string.map { #"{"uri":\#(json(uri)),"value":\#(json($0))}"# }
    }
    let id = wire.begin(
      "workspace/diagnostic",
      #"{"identifier":"critic","previousResultIds":[\#(ids.joined(separator: ","))]}"#
    )
    wire.work(on: disk)
    let items = try #require(wire.answer(to: id)?["result"]?["items"])
    let pairs = items.elements.compactMap { item in item["uri"]?.string.map { ($0, item) } }
    #expect(pairs.count == items.count)
    return Dictionary(pairs) { first, _ in
      Issue.record("a file is listed twice")
      return first
    }
  }

  private func codes(_ item: JSON?) -> [String]? {
    item?["items"]?.elements.compactMap { $0["code"]?.string }
  }

  @Test("Every file with something to list is listed as it would be if it were open")
  func all() throws {
    let wire = try wire()
    let items = try pull(wire, Disk(WorkspaceDiagnosticTests.book))
    #expect(items.keys.sorted() == ["file:///book/one.md", "file:///book/parts/two.md"])
    #expect(codes(items["file:///book/one.md"]) == ["addition", "deletion"])
    #expect(codes(items["file:///book/parts/two.md"]) == ["unclosed-mark"])
    for (uri, item) in items {
      #expect(item["kind"]?.string == "full")
      #expect(item["version"]?.isNull == true)
      let path = String(uri.dropFirst("file://".count))
      wire.open(try #require(WorkspaceDiagnosticTests.book[path]), uri: uri)
      let answer = try wire.request(
        "textDocument/diagnostic",
        #"{"textDocument":{"uri":"\#(uri)"}}"#
      )
      #expect(answer["result"]?["items"]?.description == item["items"]?.description)
    }
  }

  @Test("A file with a record is listed as it would be if it were open")
  func record() throws {
    let wire = try wire()
    let text = "The quick fox.\n\nIt sleeps.\n"
    let disk = Disk([
      "/book/a.md": text,
      "/book/a.md.critic": "The {~~slow~>quick~~} fox{-- jumps--}.{>>dull<<}\n\nIt {++sleeps++}.\n",
    ])
    let item = try #require(try pull(wire, disk)["file:///book/a.md"])
    #expect(codes(item) == ["substitution", "deletion", "comment", "addition"])
    wire.open(text, uri: "file:///book/a.md")
    wire.work(on: disk)
    let answer = try wire.request(
      "textDocument/diagnostic",
      #"{"textDocument":{"uri":"file:///book/a.md"}}"#
    )
    #expect(answer["result"]?["items"]?.description == item["items"]?.description)
  }

  @Test("A file that the client shows without its marks is listed by what it shows")
  func hidden() throws {
    let wire = try wire(settings: #","marks":"file""#)
    let disk = Disk(["/book/a.md": "The {--slow --}quick {++fox++}.\n"])
    let item = try #require(try pull(wire, disk)["file:///book/a.md"])
    #expect(
      item["items"]?.elements.map { $0["range"]?.description } == [
        Wire.range(0, 4, 0, 5), Wire.range(0, 10, 0, 13),
      ]
    )
  }

  @Test("What is hidden between the two bytes of a line break is listed, too")
  func hiddenInLineBreak() throws {
    let disk = Disk(["/book/a.md": "one\r{--x--}\ntwo\n"])
    let item = try #require(
      try pull(try wire(settings: #","marks":"file""#), disk)["file:///book/a.md"]
    )
    #expect(codes(item) == ["deletion"])
  }

  @Test("What the client has is not sent again; what has changed is; what is gone is taken away")
  func unchanged() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceDiagnosticTests.book))
    disk.write("/book/three.md", "{++three++}")
    let first = try pull(wire, disk)
    let second = try pull(wire, disk, knowing: first)
    #expect(second.count == 3)
    #expect(second.values.allSatisfy { $0["kind"]?.string == "unchanged" && $0["items"] == nil })
    wire.wait(60_000)
    disk.write("/book/one.md", "{==other==}")
    disk.write("/book/parts/two.md", "{++open\n")
    disk.remove("/book/three.md")
    let third = try pull(wire, disk, knowing: second)
    #expect(codes(third["file:///book/one.md"]) == ["highlight"])
    #expect(
      third["file:///book/parts/two.md"]?["kind"]?.string == "unchanged",
      "written, but with the same list"
    )
    #expect(codes(third["file:///book/three.md"]) == [])
    #expect(third["file:///book/three.md"]?["resultId"] == nil)
    disk.write("/book/one.md", "nothing")
    wire.wait(60_000)
    let fourth = try pull(wire, disk, knowing: third)
    #expect(codes(fourth["file:///book/one.md"]) == [])
    #expect(fourth["file:///book/three.md"] == nil)
    let fifth = try pull(wire, disk, knowing: fourth)
    #expect(fifth["file:///book/one.md"]?["kind"]?.string == "unchanged")
  }

  @Test("Open documents are listed as the editor has them, with their version")
  func open() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceDiagnosticTests.book))
    let closed = try pull(wire, disk)
    wire.open("{==mine==}\n", uri: "file:///book/one.md", version: 7)
    wire.open("{++new++}\n", uri: "file:///book/unsaved.md")
    wire.open("{++else++}\n", uri: "file:///elsewhere/x.md")
    wire.open("{++hidden++}\n", uri: "file:///book/.git/x.md")
    let items = try pull(wire, disk, knowing: closed)
    #expect(
      items.keys.sorted() == [
        "file:///book/one.md", "file:///book/parts/two.md", "file:///book/unsaved.md",
      ]
    )
    #expect(codes(items["file:///book/one.md"]) == ["highlight"])
    #expect(items["file:///book/one.md"]?["version"]?.integer == 7)
    let again = try pull(wire, disk, knowing: items)
    #expect(again.values.allSatisfy { $0["kind"]?.string == "unchanged" })
    let one = try wire.request(
      "textDocument/diagnostic",
      #"{"textDocument":{"uri":"file:///book/one.md"},"previousResultId":"#
        + "\(items["file:///book/one.md"]?["resultId"]?.description ?? "")}"
    )
    #expect(one["result"]?["kind"]?.string == "unchanged", "it is the same list in both questions")
  }

  @Test("A question for a file that is not open is answered from what was read")
  func closed() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceDiagnosticTests.book))
    _ = try pull(wire, disk)
    let answer = try wire.request(
      "textDocument/diagnostic",
      #"{"textDocument":{"uri":"file:///book/one.md"}}"#
    )
    #expect(codes(answer["result"]) == ["addition", "deletion"])
  }

  @Test("A new severity holds for files that are not open too, also while they are read")
  func severity() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceDiagnosticTests.book))
    let first = try pull(wire, disk)
    wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"tracking":"on","severity":"hint"}}}"#
    )
    func severities(_ item: JSON?) -> [Int]? {
      item?["items"]?.elements.compactMap { $0["severity"]?.integer }
    }
    #expect(wire.messages.of("workspace/diagnostic/refresh").count == 1)
    let second = try pull(wire, disk, knowing: first)
    #expect(severities(second["file:///book/one.md"]) == [4, 4])
    wire.wait(60_000)
    disk.write("/book/one.md", "{++a++}")
    disk.write("/book/zero.md", "{++a++}")
    let id = wire.begin("workspace/diagnostic", #"{"previousResultIds":[]}"#)
    while wire.server.effect != .read("/book/zero.md") { wire.step(on: disk) }
    wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"tracking":"on","severity":"error"}}}"#
    )
    wire.work(on: disk)
    let items = try #require(wire.answer(to: id)?["result"]?["items"])
    let all = items.elements.filter { $0["uri"]?.string?.contains("two") == false }
      .flatMap { severities($0) ?? [] }
    #expect(all == [1, 1])
  }

  @Test("The client is asked to ask again when a file has changed, if it has asked before")
  func refresh() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceDiagnosticTests.book))
    let change = #"{"changes":[{"uri":"file:///book/zero.md","type":2}]}"#
    wire.notify("workspace/didChangeWatchedFiles", change)
    #expect(wire.messages.of("workspace/diagnostic/refresh").isEmpty)
    let first = try pull(wire, disk)
    disk.write("/book/zero.md", "{++zero++}")
    let sent = wire.notify("workspace/didChangeWatchedFiles", change)
    #expect(sent.of("workspace/diagnostic/refresh").count == 1)
    let second = try pull(wire, disk, knowing: first)
    #expect(codes(second["file:///book/zero.md"]) == ["addition"])
  }

  @Test("It is offered with what is asked for document by document, and can be taken back")
  func offered() throws {
    let wire = try wire()
    let provider = wire.messages.first?["result"]?["capabilities"]?["diagnosticProvider"]
    #expect(provider?["workspaceDiagnostics"]?.bool == true)
    let id = wire.begin("workspace/diagnostic", #"{"previousResultIds":[]}"#)
    wire.notify("$/cancelRequest", #"{"id":\#(id)}"#)
    #expect(wire.answer(to: id)?.code == -32_800)
  }

  @Test("A client that takes parts is told in parts, the rest of which is empty")
  func parts() throws {
    let text = String(repeating: "{++new++} ", count: 300)
    let files = Dictionary(uniqueKeysWithValues: (0..<9).map { ("/book/\($0).md", text) })
    let (wire, disk) = (try wire(), Disk(files))
    let id = wire.begin(
      "workspace/diagnostic",
      #"{"previousResultIds":[{"uri":"file:///book/gone.md","value":"1-1"}],"#
        + #""partialResultToken":"p"}"#
    )
    while wire.answer(to: id) == nil { wire.step(on: disk) }
    let parts = wire.messages.of("$/progress").filter { $0["params"]?["token"]?.string == "p" }
    #expect(parts.count == 5)
    let items = parts.compactMap { $0["params"]?["value"]?["items"] }.flatMap { Array($0.elements) }
    #expect(
      items.compactMap { $0["uri"]?.string }
        == ((0..<9).map(String.init) + ["gone"]).map { "file:///book/\($0).md" }
    )
    #expect(items.compactMap { $0["items"]?.count } == Array(repeating: 300, count: 9) + [0])
    #expect(wire.answer(to: id)?["result"]?["items"]?.count == 0)
  }

  @Test("A long document is listed between other requests, as it was when that began")
  func long() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceDiagnosticTests.book))
    let text = String(repeating: "Some {++more ++}words.\n\n", count: 4000)
    let uri = "file:///book/long.md"
    wire.open(text, uri: uri, version: 7)
    let id = wire.begin("workspace/diagnostic", #"{"previousResultIds":[]}"#)
    while wire.server.workspace.scan != nil { wire.step(on: disk) }
    wire.step(on: disk)
    #expect(wire.answer(to: id) == nil)
    wire.didChange(#"[{"text":"nothing"}]"#, version: 8, uri: uri)
    wire.work(on: disk)
    let items = try #require(wire.answer(to: id)?["result"]?["items"])
    let item = try #require(items.elements.first { $0["uri"]?.string == uri })
    #expect(item["version"]?.integer == 7)
    #expect(item["items"]?.count == 2001)
    let again = try pull(wire, disk, knowing: [uri: item])
    #expect(again[uri]?["version"]?.integer == 8)
    #expect(again[uri]?["items"]?.count == 1)
  }

  @Test("Without folders there is nothing to list")
  func noFolders() throws {
    let wire = Wire(capabilities: PullDiagnosticsTests.pulling)
    wire.open("{++a++}")
    let answer = try wire.request("workspace/diagnostic", #"{"previousResultIds":[]}"#)
    #expect(answer["result"]?["items"]?.count == 0)
  }

  @Test("Files without changes are told in parts too, so that very many hold nothing up")
  func manyEmpty() throws {
    let (wire, disk) = (try wire(), Disk([:]))
    let known = (0..<1200).map { #"{"uri":"file:///book/\#($0).md","value":"1-1"}"# }
    let id = wire.begin(
      "workspace/diagnostic",
      #"{"previousResultIds":[\#(known.joined(separator: ","))],"partialResultToken":"p"}"#
    )
    while wire.answer(to: id) == nil { wire.step(on: disk) }
    let parts = wire.messages.of("$/progress").filter { $0["params"]?["token"]?.string == "p" }
    #expect(parts.compactMap { $0["params"]?["value"]?["items"]?.count } == [500, 500, 200])
  }
}
