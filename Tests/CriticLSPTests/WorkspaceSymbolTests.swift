import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Searching the workspace", .timeLimited) struct WorkspaceSymbolTests {
  private static let book = [
    "/book/one.md": "# One\n\nThe {++quick ++}fox {--jumps--}{>>dull<<}\n",
    "/book/parts/two.markdown": "plain\n\n## Two {++new++}\n\n{~~lazy~>sleepy~~}\n\n{==dog==}\n",
    "/book/zero.md": "nothing here\n",
  ]

  /// A client that has the book as its workspace.
  private func wire(
    _ params: String = #""workspaceFolders":[{"uri":"file:///book","name":"book"}]"#,
    _ members: String = "",
    window: String = "{}"
  ) throws -> Wire {
    let wire = Wire.fresh
    try wire.request(
      "initialize",
      #"{"processId":null,"clientInfo":{"name":"Neovim"},\#(params),"initializationOptions":"#
        + #"{"tracking":"on","rememberTracking":false},"capabilities":{"workspace":"#
        + #"{"applyEdit":true,"symbol":{},"workspaceFolders":true\#(members)},"window":\#(window)}}"#
    )
    wire.notify("initialized")
    return wire
  }

  private func names(_ symbols: [JSON]) -> [String] { symbols.compactMap { $0["name"]?.string } }

  // MARK: - What is found

  @Test("Every change of every Markdown file is found, with its place, file and heading")
  func all() throws {
    let symbols = try wire().search("", on: Disk(WorkspaceSymbolTests.book))
    #expect(
      names(symbols) == [
        "Added “quick ”", "Deleted “jumps” · “dull”", "Added “new”", "“lazy” → “sleepy”",
        "Highlighted “dog”",
      ]
    )
    #expect(
      symbols.compactMap { $0["containerName"]?.string } == [
        "one.md › One", "one.md › One", "parts/two.markdown › Two new",
        "parts/two.markdown › Two new", "parts/two.markdown › Two new",
      ]
    )
    let location = symbols.first?["location"]
    #expect(location?["uri"]?.string == "file:///book/one.md")
    #expect(location?["range"]?.description == Wire.range(2, 4, 2, 16))
    #expect(symbols.allSatisfy { $0["kind"]?.integer != nil })
  }

  @Test(
    "A query matches kind, text and comment, with gaps and in any case; each of its words must",
    arguments: [
      ("quick", ["Added “quick ”"]), ("QUICK", ["Added “quick ”"]), ("qck", ["Added “quick ”"]),
      ("kciuq", []), ("addition", ["Added “quick ”", "Added “new”"]),
      ("dull", ["Deleted “jumps” · “dull”"]), ("del jump", ["Deleted “jumps” · “dull”"]),
      ("del quick", []), ("lazy", ["“lazy” → “sleepy”"]), ("slpy", ["“lazy” → “sleepy”"]),
      (
        "  ",
        [
          "Added “quick ”", "Deleted “jumps” · “dull”", "Added “new”", "“lazy” → “sleepy”",
          "Highlighted “dog”",
        ]
      ), ("zebra", []), ("high", ["Highlighted “dog”"]),
    ]
  )
  func query(_ query: String, _ expected: [String]) throws {
    #expect(names(try wire().search(query, on: Disk(WorkspaceSymbolTests.book))) == expected)
  }

  @Test(
    "Letters beyond ASCII are matched whole, in any case",
    arguments: [("ÜBER", 1), ("übr", 1), ("uber", 0), ("ß", 1), ("\u{C3}", 0), ("👩", 1)]
  )
  func unicode(_ query: String, _ count: Int) throws {
    let disk = Disk(["/book/a.md": "{++Über Straße 👩++}\n"])
    #expect(try wire().search(query, on: disk).count == count)
  }

  @Test("In a long text gaps count only at its beginning, but whole words anywhere")
  func long() throws {
    let text = String(repeating: "abcdefgh ", count: 20) + "zebra"
    let disk = Disk(["/book/a.md": "{++\(text)++}\n"])
    #expect(try wire().search("zebra", on: disk).count == 1)
    #expect(try wire().search("zbr", on: disk).isEmpty)
    #expect(try wire().search("hhh", on: disk).count == 1)
  }

  @Test("Open documents are searched as the editor has them, with what is pending")
  func open() throws {
    let wire = try wire()
    wire.open("{++only here++} one\n", uri: "file:///book/one.md")
    wire.didChange(
      #"[{"range":\#(Wire.range(0, 16, 0, 16)),"text":"typed "}]"#,
      version: 2,
      uri: "file:///book/one.md"
    )
    let found = names(try wire.search("", on: Disk(WorkspaceSymbolTests.book)))
    #expect(
      found.prefix(2) == ["Added “only here”", "Not in marks yet: added “typed ”"]
        && found.count == 5
    )
  }

  @Test("A document that is closed is searched as it is on the disk")
  func closed() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceSymbolTests.book))
    _ = try wire.search("", on: disk)
    wire.open("no change\n", uri: "file:///book/one.md")
    #expect(try wire.search("quick", on: disk).isEmpty)
    disk.write("/book/one.md", "{++quicker++}\n")
    wire.notify("textDocument/didClose", #"{"textDocument":{"uri":"file:///book/one.md"}}"#)
    #expect(names(try wire.search("quick", on: disk)) == ["Added “quicker”"])
  }

  @Test("Changes that a record beside a file has are found where they are in the file")
  func records() throws {
    let disk = Disk([
      "/book/a.md": "# A\n\nThe quick fox.\n",
      "/book/a.md.critic": "# A\n\n{--An old line.\n\n--}The {++quick ++}fox.\n",
    ])
    let symbols = try wire().search("", on: disk)
    #expect(names(symbols) == ["Deleted “An old line.⏎⏎”", "Added “quick ”"])
    #expect(symbols.last?["location"]?["uri"]?.string == "file:///book/a.md")
    #expect(symbols.last?["location"]?["range"]?.description == Wire.range(2, 4, 2, 10))
  }

  @Test("What became of a file since its record was written is found, too")
  func behindRecord() throws {
    let disk = Disk([
      "/book/a.md": "The quick fox sleeps now.\n",
      "/book/a.md.critic": "The {++quick ++}fox sleeps.\n",
    ])
    #expect(names(try wire().search("", on: disk)) == ["Added “quick ”", "Added “ now”"])
  }

  @Test("A record of another text is left alone, and the marks in the file are found")
  func foreignRecord() throws {
    let disk = Disk([
      "/book/a.md": "{++Dogs++} bark.\n",
      "/book/a.md.critic": "A text about {--quick --}cats and much else, and long.\n",
    ])
    #expect(names(try wire().search("", on: disk)) == ["Added “Dogs”"])
  }

  @Test(
    "A record that is written or removed is noticed, by a new listing and by a client that watches"
  )
  func changedRecord() throws {
    let wire = try wire(members: #","didChangeWatchedFiles":{"dynamicRegistration":true}"#)
    let disk = Disk(["/book/a.md": "The quick fox.\n", "/book/b.md": "plain\n"])
    #expect(try wire.search("", on: disk).isEmpty)
    disk.write("/book/a.md.critic", "The {++quick ++}fox.\n")
    wire.wait(60_000)
    #expect(names(try wire.search("", on: disk)) == ["Added “quick ”"])
    wire.reply(to: try #require(wire.messages.of("client/registerCapability").first), "null")
    for (text, found) in [("The quick {++fox++}.\n", ["Added “fox”"]), (nil, [])] {
      disk.forgetWanted()
      if let text {
        disk.write("/book/a.md.critic", text)
      } else {
        disk.remove("/book/a.md.critic")
      }
      wire.notify(
        "workspace/didChangeWatchedFiles",
        #"{"changes":[{"uri":"file:///book/a.md.critic","type":\#(text == nil ? 3 : 2)}]}"#
      )
      #expect(names(try wire.search("", on: disk)) == found)
      #expect(disk.wanted == ["read /book/a.md"])
    }
  }

  @Test("What is malformed is no change; pending typing in an addition is part of it")
  func malformed() throws {
    let disk = Disk(["/book/a.md": "{++open\n\n{--a--} closed--}\n"])
    #expect(names(try wire().search("", on: disk)) == ["Deleted “a”"])
  }

  @Test("Without folders the open documents are searched, at once")
  func noFolders() throws {
    let wire = try wire(#""rootUri":null"#)
    wire.open("{++a++}\n", uri: "file:///elsewhere/draft.md")
    wire.open("{++b++}\n", uri: "untitled:Untitled-1")
    wire.work(on: Disk([:]))
    let answer = try wire.request("workspace/symbol", #"{"query":""}"#)
    let symbols = Array(try #require(answer["result"]).elements)
    #expect(
      symbols.compactMap { $0["containerName"]?.string } == ["draft.md", "untitled:Untitled-1"]
    )
    #expect(wire.server.effect == nil)
  }

  @Test("A query that is none is told")
  func noQuery() throws {
    #expect(try wire().request("workspace/symbol").code == -32_602)
  }

  @Test("More changes than an editor can show are cut off, and the log says so")
  func most() throws {
    let line = String(repeating: "{++a++} ", count: 1000) + "\n"
    let disk = Disk(["/book/a.md": String(repeating: line, count: 6)])
    let wire = try wire()
    #expect(try wire.search("", on: disk).count == SymbolSearch.maxSymbols)
    #expect(wire.messages.logged.last?.hasPrefix("More than 5000 changes match") == true)
  }

  @Test("Kinds that a client does not know are given one that it knows; deletions are tagged")
  func kinds() throws {
    let disk = Disk(["/book/a.md": "{++a++} {--b--} {~~c~>d~~} {==e==} {>>f<<}\n"])
    let old = try wire().search("", on: disk)
    #expect(old.compactMap { $0["kind"]?.integer }.allSatisfy { (1...18).contains($0) })
    #expect(old.allSatisfy { $0["tags"] == nil })
    let kinds =
      #","symbol":{"symbolKind":{"valueSet":[\#((1...26).map(String.init).joined(separator: ","))]},"#
    let new = try wire(members: kinds + #""tagSupport":{"valueSet":[1]}}"#).search("", on: disk)
    #expect(Set(new.compactMap { $0["kind"]?.integer }).count == 3)
    #expect(new.map { $0["tags"]?.description } == [nil, "[1]", nil, nil, nil])
  }

  private func wire(members: String) throws -> Wire {
    try wire(#""workspaceFolders":[{"uri":"file:///book","name":"book"}]"#, members)
  }

  @Test("The search is offered to those who announce it", arguments: [true, false])
  func offered(_ isAnnounced: Bool) throws {
    let answer = try Wire.fresh.request(
      "initialize",
      #"{"capabilities":{"workspace":{\#(isAnnounced ? #""symbol":{}"# : "")}}}"#
    )
    let provider = answer["result"]?["capabilities"]?["workspaceSymbolProvider"]
    #expect((provider != nil) == isAnnounced)
  }

  // MARK: - Folders

  @Test(
    "The folders are known in the way of every age of clients",
    arguments: [
      #""workspaceFolders":[{"uri":"file:///book/","name":"b"}],"rootUri":"file:///elsewhere""#,
      #""workspaceFolders":null,"rootUri":"file:///book""#, #""rootUri":"file:///book/""#,
      #""workspaceFolders":[],"rootUri":null,"rootPath":"/book""#, #""rootPath":"/book""#,
      #""rootUri":"file://localhost/book""#,
      #""workspaceFolders":[{"uri":"file:///book"},{"uri":"file:///book/parts"}]"#,
      #""workspaceFolders":[{"uri":"file:///book"},{"uri":"file:///book"}]"#,
      #""workspaceFolders":[{"uri":"file:///"}]"#,
    ]
  )
  func roots(_ params: String) throws {
    let found = names(try wire(params).search("", on: Disk(WorkspaceSymbolTests.book)))
    #expect(found.count == 5)
    #expect(Set(found).count == 5)
  }

  @Test("A folder that is not on this machine is logged and ignored")
  func remote() throws {
    let wire = try wire(#""rootUri":"vscode-remote://ssh/book""#)
    #expect(try wire.search("", on: Disk([:])).isEmpty)
    #expect(wire.messages.logged.first?.contains("vscode-remote://ssh/book") == true)
    #expect(wire.messages.shown.isEmpty)
  }

  @Test("Folders come and go while the session goes on")
  func changing() throws {
    let wire = try wire()
    let disk = Disk(["/book/a.md": "{++a++}", "/notes/b.md": "{++b++}", "/notes/c/d.md": "{++d++}"])
    #expect(names(try wire.search("", on: disk)) == ["Added “a”"])
    wire.notify(
      "workspace/didChangeWorkspaceFolders",
      #"{"event":{"added":[{"uri":"file:///notes","name":"n"}],"removed":[]}}"#
    )
    let both = try wire.search("", on: disk)
    #expect(names(both) == ["Added “a”", "Added “b”", "Added “d”"])
    #expect(both.last?["containerName"]?.string == "notes/c/d.md")
    wire.notify(
      "workspace/didChangeWorkspaceFolders",
      #"{"event":{"added":[],"removed":[{"uri":"file:///book","name":"b"}]}}"#
    )
    #expect(names(try wire.search("", on: disk)) == ["Added “b”", "Added “d”"])
  }

  @Test("Folders that change during a scan are scanned again")
  func changingMeanwhile() throws {
    let wire = try wire()
    let disk = Disk(["/book/a.md": "{++a++}", "/notes/b.md": "{++b++}"])
    let id = wire.begin("workspace/symbol", #"{"query":""}"#)
    wire.step(on: disk)
    wire.notify(
      "workspace/didChangeWorkspaceFolders",
      #"{"event":{"added":[{"uri":"file:///notes"}],"removed":[{"uri":"file:///book"}]}}"#
    )
    wire.work(on: disk)
    let found = try #require(wire.answer(to: id)?["result"])
    #expect(found.elements.map { $0["name"]?.string } == ["Added “b”"])
  }

  @Test("Names are spelled in URIs so that every client understands them")
  func spelling() throws {
    let wire = try wire(#""rootUri":"file:///a%20book""#)
    let disk = Disk(["/a book/ü [1]#%.md": "{++a++}"])
    let symbol = try #require(try wire.search("", on: disk).first)
    let uri = try #require(symbol["location"]?["uri"]?.string)
    #expect(uri == "file:///a%20book/%C3%BC%20%5B1%5D%23%25.md")
    #expect(DocumentKey(uri: uri).path == Path("/a book/ü [1]#%.md"))
    #expect(symbol["containerName"]?.string == "ü [1]#%.md")
  }

  // MARK: - In slices

  @Test("Files are asked for one by one, and a keystroke in between is served at once")
  func slices() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceSymbolTests.book))
    wire.open("one\n")
    wire.work(on: disk)
    disk.forgetWanted()
    let id = wire.begin("workspace/symbol", #"{"query":""}"#)
    #expect(wire.server.effect == .findIgnored("/book"))
    wire.step(on: disk)
    #expect(wire.server.effect == .list("/book"))
    wire.step(on: disk)
    #expect(wire.server.effect == .list("/book/parts"))
    try wire.type("x")
    #expect(wire.server.effect == .list("/book/parts"))
    wire.step(on: disk)
    #expect(wire.server.effect == .read("/book/one.md"))
    #expect(wire.wait(750).edits.count == 1)
    #expect(wire.answer(to: id) == nil)
    wire.work(on: disk)
    #expect(wire.answer(to: id)?["result"]?.count == 6)
    #expect(
      disk.wanted == [
        "list /book", "list /book/parts", "read /book/one.md", "read /book/zero.md",
        "read /book/parts/two.markdown",
      ]
    )
  }

  @Test("A long file is gone through in steps, with keystrokes in between")
  func longFile() throws {
    let count = 5000
    let text = (0..<count).map { "word {++new \($0)++} and some more of it\n" }.joined()
    let (wire, disk) = (try wire(), Disk(["/book/a.md": text]))
    wire.open("one\n")
    let id = wire.begin("workspace/symbol", #"{"query":"new 4999"}"#)
    while wire.server.effect != .idle { wire.step(on: disk) }
    try wire.type("x")
    #expect(wire.wait(750).edits.count == 1)
    var steps = 0
    while wire.server.effect == .idle {
      #expect(wire.answer(to: id) == nil)
      wire.step(on: disk)
      steps += 1
    }
    #expect(steps > 10)
    let found = try #require(wire.answer(to: id)?["result"])
    #expect(found.elements.map { $0["name"]?.string } == ["Added “new 4999”"])
    #expect(found.first?["location"]?["range"]?.description == Wire.range(4999, 5, 4999, 19))
  }

  @Test("A long file that was begun with is read again when the search is taken back")
  func longFileCancelled() throws {
    let text = String(repeating: "word {++new++} and some more of it\n", count: 3000)
    let (wire, disk) = (try wire(), Disk(["/book/a.md": "", "/book/b.md": "{++b++}"]))
    #expect(try wire.search("", on: disk).count == 1)
    disk.write("/book/a.md", text)
    wire.notify(
      "workspace/didChangeWatchedFiles",
      #"{"changes":[{"uri":"file:///book/a.md","type":2}]}"#
    )
    let id = wire.begin("workspace/symbol", #"{"query":""}"#)
    wire.step(on: disk)
    #expect(wire.server.effect == .idle)
    wire.notify("$/cancelRequest", #"{"id":\#(id)}"#)
    #expect(wire.server.effect == nil)
    #expect(try wire.search("", on: disk).count == 3001)
  }

  @Test("A search of very many changes is made in steps, and can be taken back in between")
  func manyFiles() throws {
    let text = String(repeating: "{++new++} ", count: 1000)
    var files = Dictionary(uniqueKeysWithValues: (0..<9).map { ("/book/\($0).md", text) })
    files["/book/z.md"] = "{--old--}"
    let (wire, disk) = (try wire(), Disk(files))
    let first = wire.begin("workspace/symbol", #"{"query":"old"}"#)
    while wire.server.effect != .idle { wire.step(on: disk) }
    #expect(wire.answer(to: first) == nil)
    wire.notify("$/cancelRequest", #"{"id":\#(first)}"#)
    #expect(wire.server.effect == nil)
    let second = wire.begin("workspace/symbol", #"{"query":"old"}"#)
    #expect(wire.server.effect == .idle)
    wire.work(on: disk)
    #expect(wire.answer(to: second)?["result"]?.count == 1)
  }

  @Test("Several questions wait for one look at the folders")
  func several() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceSymbolTests.book))
    let first = wire.begin("workspace/symbol", #"{"query":"quick"}"#)
    wire.step(on: disk)
    let second = wire.begin("workspace/symbol", #"{"query":"dog"}"#)
    wire.work(on: disk)
    #expect(wire.answer(to: first)?["result"]?.count == 1)
    #expect(wire.answer(to: second)?["result"]?.count == 1)
    #expect(disk.wanted.count == 5)
  }

  /// A document of 200 KB with 5000 changes, and a wire in which it is open.
  private func wireWithLongDocument() throws -> (wire: Wire, uri: String) {
    let text = (0..<5000).map { "word {++new \($0)++} and some more of it\n" }.joined()
    let (wire, uri) = (try wire(#""rootUri":null"#), "file:///long.md")
    wire.open(text, uri: uri)
    wire.work(on: Disk([:]))
    return (wire, uri)
  }

  @Test("A long document is gone through in steps as it was at first, with keystrokes in between")
  func longDocument() throws {
    let (wire, uri) = try wireWithLongDocument()
    let id = wire.begin("workspace/symbol", #"{"query":"new 4999"}"#)
    #expect(wire.answer(to: id) == nil)
    #expect(wire.server.effect == .idle)
    wire.didChange(
      #"[{"range":\#(Wire.range(4999, 0, 5000, 0)),"text":"gone\n"}]"#,
      version: 2,
      uri: uri
    )
    var steps = 0
    while wire.server.effect == .idle {
      #expect(wire.answer(to: id) == nil)
      wire.step(on: Disk([:]))
      steps += 1
    }
    #expect(steps > 20)
    let found = try #require(wire.answer(to: id)?["result"])
    #expect(found.elements.map { $0["name"]?.string } == ["Added “new 4999”"])
    #expect(found.first?["location"]?["range"]?.description == Wire.range(4999, 5, 4999, 19))
  }

  @Test("A search of a long document can be taken back, and ends well if that is closed meanwhile")
  func longDocumentClosed() throws {
    let (wire, uri) = try wireWithLongDocument()
    let first = wire.begin("workspace/symbol", #"{"query":"new 4999"}"#)
    wire.step(on: Disk([:]))
    wire.notify("$/cancelRequest", #"{"id":\#(first)}"#)
    #expect(wire.answer(to: first)?.code == -32_800)
    #expect(wire.server.effect == nil)
    let second = wire.begin("workspace/symbol", #"{"query":"new 4999"}"#)
    wire.step(on: Disk([:]))
    wire.notify("textDocument/didClose", #"{"textDocument":{"uri":"\#(uri)"}}"#)
    #expect(wire.answer(to: second) == nil)
    wire.work(on: Disk([:]))
    #expect(wire.answer(to: second)?["result"]?.count == 1)
    #expect(try wire.search("new 4999", on: Disk([:])).isEmpty)
  }

  @Test("A file with very many changes is searched in steps, too")
  func manyChanges() throws {
    let disk = Disk(["/book/a.md": String(repeating: "{++new++} ", count: 6000) + "{--old--}"])
    let wire = try wire()
    #expect(names(try wire.search("old", on: disk)) == ["Deleted “old”"])
    let id = wire.begin("workspace/symbol", #"{"query":"old"}"#)
    #expect(wire.answer(to: id) == nil)
    for _ in 0..<2 { wire.step(on: disk) }
    #expect(wire.answer(to: id) == nil)
    wire.work(on: disk)
    #expect(wire.answer(to: id)?["result"]?.count == 1)
  }

  @Test("Of several searches one goes on in a turn")
  func inTurns() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceSymbolTests.book))
    let first = wire.begin("workspace/symbol", #"{"query":"quick"}"#)
    let second = wire.begin("workspace/symbol", #"{"query":"dog"}"#)
    while wire.answer(to: first) == nil { wire.step(on: disk) }
    #expect(wire.answer(to: second) == nil)
    wire.step(on: disk)
    #expect(wire.answer(to: second)?["result"]?.count == 1)
  }

  @Test("What the user said about tracking is kept before the next file is read")
  func remember() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceSymbolTests.book))
    wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"tracking":"on","rememberTracking":true}}}"#
    )
    wire.work(on: disk)
    wire.open("one\n")
    let id = wire.begin("workspace/symbol", #"{"query":""}"#)
    while wire.server.effect?.isUrgent == true { wire.step(on: disk) }
    wire.step(on: disk)
    try wire.command("toggleTracking")
    #expect(wire.server.effect?.isUrgent == true)
    wire.work(on: disk)
    #expect(wire.answer(to: id)?["result"]?.count == 5)
  }

  // MARK: - Fresh

  @Test("For a moment nothing is looked at again; then only what has changed is read again")
  func freshness() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceSymbolTests.book))
    _ = try wire.search("", on: disk)
    disk.forgetWanted()
    wire.wait(1000)
    _ = try wire.search("", on: disk)
    #expect(disk.wanted.isEmpty)
    disk.write("/book/zero.md", "{++something++}")
    disk.remove("/book/one.md")
    wire.wait(1000)
    #expect(try wire.search("", on: disk).count == 4)
    #expect(disk.wanted == ["list /book", "list /book/parts", "read /book/zero.md"])
  }

  @Test("A client that watches files is asked to, once, when somebody searches")
  func registration() throws {
    let wire = try wire(members: #","didChangeWatchedFiles":{"dynamicRegistration":true}"#)
    let disk = Disk(WorkspaceSymbolTests.book)
    #expect(wire.messages.of("client/registerCapability").isEmpty)
    for _ in 1...3 {
      _ = try wire.search("", on: disk)
      wire.wait(60_000)
    }
    let asked = wire.messages.of("client/registerCapability")
    #expect(asked.count == 1)
    let registration = asked.first?["params"]?["registrations"]?.first
    #expect(registration?["method"]?.string == "workspace/didChangeWatchedFiles")
    let watchers = registration?["registerOptions"]?["watchers"]
    let globs = watchers?.elements.map { $0["globPattern"]?.string } ?? []
    for name in ["md", "markdown", "qmd", "Rmd", "mdown", "mkd", "critic"] {
      #expect(globs.contains("**/*.\(name)"))
    }
  }

  @Test("What a watching client tells of is read again at once, and only that", arguments: [1, 2])
  func watched(_ type: Int) throws {
    let wire = try wire(members: #","didChangeWatchedFiles":{"dynamicRegistration":true}"#)
    let disk = Disk(WorkspaceSymbolTests.book)
    _ = try wire.search("", on: disk)
    wire.reply(to: try #require(wire.messages.of("client/registerCapability").first), "null")
    disk.forgetWanted()
    wire.wait(20_000)
    disk.write("/book/new.md", "{++newest++}")
    wire.notify(
      "workspace/didChangeWatchedFiles",
      #"{"changes":[{"uri":"file:///book/new.md","type":\#(type)},"#
        + #"{"uri":"file:///book/.git/x.md","type":1},{"uri":"file:///book/node_modules/x.md","#
        + #""type":1},{"uri":"file:///book/x.txt","type":1},{"uri":"file:///other/x.md","type":1}]}"#
    )
    #expect(try wire.search("", on: disk).count == 6)
    #expect(disk.wanted.filter { $0.hasPrefix("read") } == ["read /book/new.md"])
    // git is asked with the folders whether it ignores a new file.
    #expect((disk.wanted.count == 1) == (type == 2))
    disk.forgetWanted()
    wire.notify(
      "workspace/didChangeWatchedFiles",
      #"{"changes":[{"uri":"file:///book/new.md","type":3}]}"#
    )
    #expect(try wire.search("", on: disk).count == 5)
    #expect(disk.wanted.isEmpty)
  }

  @Test("A file that changed and then was deleted is not read again")
  func changedAndDeleted() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceSymbolTests.book))
    let count = try wire.search("", on: disk).count
    disk.forgetWanted()
    for type in [2, 3] {
      wire.notify(
        "workspace/didChangeWatchedFiles",
        #"{"changes":[{"uri":"file:///book/zero.md","type":\#(type)}]}"#
      )
    }
    #expect(try wire.search("", on: disk).count <= count)
    #expect(disk.wanted.isEmpty)
  }

  @Test(
    "A file that changed before it was searched for stays to be read when a search is taken back"
  )
  func staleAndCancelled() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceSymbolTests.book))
    _ = try wire.search("", on: disk)
    disk.write("/book/zero.md", "{++zero++}")
    wire.notify(
      "workspace/didChangeWatchedFiles",
      #"{"changes":[{"uri":"file:///book/zero.md","type":2}]}"#
    )
    let id = wire.begin("workspace/symbol", #"{"query":""}"#)
    wire.notify("$/cancelRequest", #"{"id":\#(id)}"#)
    #expect(wire.server.effect == nil)
    #expect(names(try wire.search("zero", on: disk)) == ["Added “zero”"])
  }

  @Test("What cannot be read is passed over, with one line in the log, and read when it can be")
  func unreadable() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceSymbolTests.book))
    disk.locked = ["/book/one.md", "/book/parts"]
    for _ in 1...2 {
      #expect(try wire.search("", on: disk).isEmpty)
      wire.wait(5000)
    }
    let logged = wire.messages.logged.filter { $0.contains("Permission denied") }
    #expect(logged == ["Skipped: /book/parts: Permission denied (and 1 more)"])
    #expect(wire.messages.shown.isEmpty)
    disk.locked = []
    disk.write("/book/one.md", "{++one++}")
    #expect(try wire.search("", on: disk).count == 4)
  }

  @Test("A folder that is gone has no changes and is no failure")
  func gone() throws {
    let wire = try wire()
    #expect(try wire.search("", on: Disk([:])).isEmpty)
    #expect(wire.messages.logged.count == 1, "the greeting alone")
  }

  // MARK: - Cancelling

  @Test("A search that is taken back is answered with -32800, and nothing more is read")
  func cancel() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceSymbolTests.book))
    let id = wire.begin("workspace/symbol", #"{"query":""}"#)
    wire.step(on: disk)
    let sent = wire.notify("$/cancelRequest", #"{"id":\#(id)}"#)
    #expect(sent.map(\.code) == [-32_800])
    #expect(sent.first?["id"]?.integer == id)
    #expect(wire.server.effect == nil)
    #expect(try wire.search("", on: disk).count == 5)
  }

  @Test("One of two searches can be taken back")
  func cancelOne() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceSymbolTests.book))
    let first = wire.begin("workspace/symbol", #"{"query":""}"#)
    let second = wire.begin("workspace/symbol", #"{"query":""}"#)
    wire.notify("$/cancelRequest", #"{"id":\#(first)}"#)
    wire.work(on: disk)
    #expect(wire.answer(to: first)?.code == -32_800)
    #expect(wire.answer(to: second)?["result"]?.count == 5)
  }

  @Test("A search is answered before the server is shut down, and nothing is wanted any more")
  func shutdown() throws {
    let wire = try wire()
    let id = wire.begin("workspace/symbol", #"{"query":""}"#)
    let sent = wire.post(#"{"jsonrpc":"2.0","id":999,"method":"shutdown"}"#)
    #expect(sent.map { $0["id"]?.integer } == [id, 999])
    #expect(sent.first?.code == -32_800)
    #expect(wire.server.effect == nil)
  }

  // MARK: - Progress

  private func progress(_ wire: Wire) -> [String] {
    wire.messages.of("$/progress").map { message in
      let value = message["params"]?["value"]
      let token = message["params"]?["token"]?.description ?? ""
      return [token, value?["kind"]?.string, value?["message"]?.string].compactMap { $0 }
        .joined(separator: " ")
    }
  }

  @Test("Progress is shown where the client has room for it, until the answer")
  func progressOfRequest() throws {
    let (wire, disk) = (
      try wire(window: #"{"workDoneProgress":true}"#), Disk(WorkspaceSymbolTests.book)
    )
    let id = wire.begin("workspace/symbol", #"{"query":"","workDoneToken":"t"}"#)
    while wire.answer(to: id) == nil {
      wire.wait(200)
      wire.step(on: disk)
    }
    #expect(
      progress(wire) == [
        #""t" begin"#, #""t" report 0 files found"#, #""t" report 2 files found"#,
        #""t" report 0 of 3 files"#,
        #""t" report 1 of 3 files"#, #""t" report 2 of 3 files"#, #""t" report 3 of 3 files"#,
        #""t" end"#,
      ]
    )
    let percentages = wire.messages.of("$/progress")
      .compactMap { $0["params"]?["value"]?["percentage"]?.integer }
    #expect(percentages == [0, 0, 33, 66, 100])
    #expect(wire.messages.of("window/workDoneProgress/create").isEmpty)
    #expect(wire.messages.last?["id"]?.integer == id, "the end comes before the answer")
  }

  private func wire(window: String) throws -> Wire {
    try wire(#""workspaceFolders":[{"uri":"file:///book","name":"book"}]"#, "", window: window)
  }

  @Test("What is answered at once has no progress")
  func noProgress() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceSymbolTests.book))
    _ = try wire.search("", on: disk)
    try wire.request("workspace/symbol", #"{"query":"","workDoneToken":7}"#)
    #expect(progress(wire).isEmpty)
  }

  @Test("Without a token the client is asked for room when it takes long; a token may be a number")
  func ownProgress() throws {
    let (wire, disk) = (
      try wire(window: #"{"workDoneProgress":true}"#), Disk(WorkspaceSymbolTests.book)
    )
    let id = wire.begin("workspace/symbol", #"{"query":""}"#)
    wire.wait(400)
    wire.step(on: disk)
    #expect(wire.messages.of("window/workDoneProgress/create").isEmpty)
    wire.wait(100)
    wire.step(on: disk)
    let request = try #require(wire.messages.of("window/workDoneProgress/create").first)
    #expect(progress(wire).isEmpty, "not before the client has said yes")
    wire.reply(to: request, "null")
    wire.wait(200)
    wire.step(on: disk)
    wire.work(on: disk)
    let token = try #require(request["params"]?["token"]?.description)
    #expect(
      progress(wire) == ["\(token) begin", "\(token) report 0 of 3 files", "\(token) end"]
    )
    #expect(wire.answer(to: id)?["result"]?.count == 5)
  }

  @Test("A client that has no room for progress after all is sent none")
  func refusedProgress() throws {
    let (wire, disk) = (
      try wire(window: #"{"workDoneProgress":true}"#), Disk(WorkspaceSymbolTests.book)
    )
    wire.begin("workspace/symbol", #"{"query":""}"#)
    wire.wait(500)
    wire.step(on: disk)
    wire.fail(try #require(wire.messages.of("window/workDoneProgress/create").first))
    wire.work(on: disk)
    #expect(progress(wire).isEmpty)
    let old = try self.wire()
    old.begin("workspace/symbol", #"{"query":""}"#)
    old.wait(5000)
    old.work(on: disk)
    #expect(old.messages.of("window/workDoneProgress/create").isEmpty)
  }

  @Test("The user can take a search back where its progress is shown", arguments: [true, false])
  func cancelProgress(_ hasToken: Bool) throws {
    let (wire, disk) = (
      try wire(window: #"{"workDoneProgress":true}"#), Disk(WorkspaceSymbolTests.book)
    )
    let id = wire.begin(
      "workspace/symbol",
      #"{"query":""\#(hasToken ? #","workDoneToken":7"# : "")}"#
    )
    var token = "7"
    if !hasToken {
      wire.wait(500)
      wire.step(on: disk)
      let request = try #require(wire.messages.of("window/workDoneProgress/create").first)
      wire.reply(to: request, "null")
      token = try #require(request["params"]?["token"]?.description)
    }
    wire.notify("window/workDoneProgress/cancel", #"{"token":"another"}"#)
    #expect(wire.answer(to: id) == nil)
    wire.notify("window/workDoneProgress/cancel", #"{"token":\#(token)}"#)
    #expect(wire.answer(to: id)?.code == -32_800)
    #expect(progress(wire) == ["\(token) begin", "\(token) end"])
    #expect(wire.server.effect == nil)
  }

  @Test("A look at the folders that took long is worth a line in the log")
  func slow() throws {
    let (wire, disk) = (try wire(), Disk(WorkspaceSymbolTests.book))
    wire.begin("workspace/symbol", #"{"query":""}"#)
    wire.step(on: disk)
    wire.wait(1500)
    wire.work(on: disk)
    #expect(wire.messages.logged.last == "Scanning 3 Markdown files took 1500 ms.")
  }

  @Test("Of very many files only so many are scanned, which is logged")
  func tooManyFiles() throws {
    let wire = try wire()
    wire.begin("workspace/symbol", #"{"query":""}"#)
    try wire.outcome(.ignored(IgnoredPaths()))
    let stamp = FileStamp(size: 1, modified: 1)
    let names = (0...Workspace.maxFiles).map { Path("\($0).md") }
    try wire.outcome(.listing(Listing(files: names.map { Listing.File(name: $0, stamp: stamp) })))
    #expect(wire.server.workspace.scan?.files.count == Workspace.maxFiles)
    #expect(wire.messages.logged.contains { $0.hasPrefix("Only \(Workspace.maxFiles) Markdown") })
  }
}
