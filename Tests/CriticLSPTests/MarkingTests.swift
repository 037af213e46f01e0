import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Marking", .timeLimited) struct MarkingTests {
  private static let configuring = #"{"workspace":{"applyEdit":true,"configuration":true}}"#

  private func status(_ wire: Wire, _ member: String) throws -> String? {
    try wire.command("status")["result"]?[member]?.description
  }

  private func export(_ wire: Wire, _ variant: String) throws -> String? {
    try wire.command("export", #""variant":"\#(variant)""#)["result"]?.string
  }

  private func save(_ wire: Wire) -> [JSON] {
    wire.notify("textDocument/didSave", #"{"textDocument":{"uri":"\#(wire.uri)"}}"#)
  }

  private func ask(_ wire: Wire, _ method: String) throws -> JSON? {
    try wire.request(
      "textDocument/\(method)",
      #"{"textDocument":{"uri":"\#(wire.uri)"},"reason":1,"options":{}}"#
    )["result"]
  }

  @Test(
    "What waited and cannot be done is told in a short line, a longer sentence in the log",
    arguments: [
      ("one", "There is no change in the selection.", nil),
      (
        "{++{--++}", "Not done; the log says why.",
        "would be read as a deletion"
      ),
    ]
  )
  func failsAfterWaiting(_ part: String, _ shown: String, _ logged: String?) throws {
    let wire = Wire(settings: #"{"tracking":"on","marking":"idle"}"#)
    wire.open("one {++{--++}x--} four\n")
    try wire.type("y", before: "four")
    let request = try #require(wire.wait(750).edits.first)
    let answer = try wire.command("accept", #""range":\#(wire.range(of: part))"#)
    #expect(answer["error"] == nil)
    let told = wire.apply(request)
    #expect(told.shown == [shown])
    #expect(told.logged.count == (logged == nil ? 0 : 1))
    if let logged { #expect(told.logged.first?.contains(logged) == true) }
  }

  // MARK: - The idle delay

  @Test("Typing is marked when nothing was typed for the idle delay, and not before")
  func idle() throws {
    let wire = Wire(settings: #"{"tracking":"on","idleDelay":500}"#)
    wire.open("one two\n")
    try wire.type("ab", before: "two")
    #expect(wire.wait(400).edits.isEmpty)
    try wire.type("c", before: "two")
    #expect(wire.wait(499).edits.isEmpty)
    let edits = wire.wait(1).edits
    #expect(edits.count == 1)
    wire.apply(try #require(edits.first))
    #expect(wire.buffer == "one {++abc++}two\n")
  }

  @Test("The delay is 750 ms where nothing is said")
  func delay() throws {
    let wire = Wire()
    wire.open("one")
    try wire.type("x")
    #expect(wire.wait(749).edits.isEmpty)
    #expect(wire.wait(1).edits.count == 1)
  }

  @Test("One edit is in flight at a time, and what was typed meanwhile comes with the next")
  func oneAtATime() throws {
    let wire = Wire(settings: #"{"tracking":"on","idleDelay":100}"#)
    wire.open("one two\n")
    try wire.type("a", before: "two")
    let first = try #require(wire.wait(100).edits.first)
    try wire.type("b", before: "two")
    #expect(wire.wait(899).edits.isEmpty)
    wire.reply(to: first, #"{"applied":false,"failureReason":"document has changed"}"#)
    #expect(wire.messages.edits.count == 2)
    wire.apply(try #require(wire.messages.edits.last))
    #expect(wire.buffer == "one {++ab++}two\n")
  }

  @Test(
    "Names decide who is marked while idle",
    arguments: [
      "Neovim", "helix", "Visual Studio Code", "Visual Studio Code - Insiders",
      "Sublime Text LSP", "coc.nvim", "Zed",
    ]
  )
  func idleClients(_ name: String) throws {
    let wire = Wire(client: name)
    wire.open("one")
    #expect(try status(wire, "marking") == #""idle""#)
  }

  @Test(
    "Everybody else is marked on save",
    arguments: ["Eglot", "emacs", "Kakoune", "Kate", "vim-lsp", ""]
  )
  func savingClients(_ name: String) throws {
    let wire = Wire(client: name)
    wire.open("one")
    try wire.type("x")
    #expect(try status(wire, "marking") == #""save""#)
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test(
    "The setting is stronger than the name",
    arguments: [("Eglot", "idle", 1), ("Neovim", "save", 0), ("Neovim", "command", 0)]
  )
  func setting(_ name: String, _ marking: String, _ count: Int) throws {
    let wire = Wire(client: name, settings: #"{"tracking":"on","marking":"\#(marking)"}"#)
    wire.open("one")
    try wire.type("x")
    #expect(try status(wire, "marking") == #""\#(marking)""#)
    #expect(wire.wait(900).edits.count == count)
  }

  @Test("A client that takes no edits is never sent one, and marked when it saves")
  func noEdits() throws {
    let wire = Wire(capabilities: "{}")
    wire.open("one")
    try wire.type("x")
    #expect(try status(wire, "marking") == #""save""#)
    _ = save(wire)
    try wire.command("mark")
    wire.wait(60_000)
    #expect(wire.messages.edits.isEmpty)
    wire.change(wire.edits(try ask(wire, "formatting")))
    #expect(wire.buffer == "one{++x++}")
  }

  // MARK: - Echoes

  @Test(
    "Our edit is settled whichever way the client tells of it, and nothing follows",
    arguments: [false, true],
    ["before", "after", "between", "never"]
  )
  func echo(_ separately: Bool, _ reply: String) throws {
    let wire = Wire()
    wire.open("one two\n")
    try wire.type("x", before: "two")
    let request = try #require(wire.wait(750).edits.first)
    if reply == "before" { wire.reply(to: request) }
    let edits = wire.edits(in: request)
    #expect(edits.count == 2)
    if reply == "between", let last = edits.last, let first = edits.first {
      wire.change([last])
      wire.reply(to: request)
      wire.wait(150)
      wire.change([first])
    } else {
      wire.apply(request, separately: separately)
    }
    if reply == "after" { wire.reply(to: request) }
    #expect(wire.buffer == "one {++x++}two\n")
    #expect(try status(wire, "pending") == "0")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("An edit that comes back together with a keystroke ends in one mark")
  func mergedEcho() throws {
    let wire = Wire()
    wire.open("one two\n")
    try wire.type("foo", before: "two")
    let request = try #require(wire.wait(750).edits.first)
    wire.reply(to: request)
    try wire.replace("foo", with: "{++foo++}x")
    wire.takeEdits()
    #expect(wire.buffer == "one {++foox++}two\n")
    #expect(try export(wire, "original") == "one two\n")
  }

  @Test("Marks are sorted inserts that do not touch, and never replace what was typed")
  func minimal() throws {
    let wire = Wire()
    wire.open("one two three\nfour\n")
    try wire.type("a", before: "two")
    try wire.replace("three", with: "")
    try wire.type("b\nc", before: "four")
    let edits = wire.edits(in: try #require(wire.wait(750).edits.first))
    for (edit, next) in zip(edits, edits.dropFirst()) {
      #expect(edit.range.upperBound < next.range.lowerBound)
    }
    #expect(edits.allSatisfy { $0.range.isEmpty })
    wire.change(edits)
    #expect(wire.buffer == "one {++a++}two {--three--}\n{++b\nc++}four\n")
  }

  // MARK: - Refusals

  @Test(
    "A refused edit is worked out anew from the text that the client has then",
    arguments: ["refusal", "error", "lie", "silence"]
  )
  func refused(_ how: String) throws {
    let wire = Wire(settings: #"{"tracking":"on","idleDelay":100}"#)
    wire.open("one two\n")
    try wire.type("a", before: "two")
    let first = try #require(wire.wait(100).edits.first)
    try wire.type("b", before: "two")
    switch how {
    case "refusal": wire.reply(to: first, #"{"applied":false}"#)
    case "error": wire.fail(first)
    case "lie": wire.reply(to: first)
    default: break
    }
    let isKnown = how == "refusal" || how == "error"
    if !isKnown { #expect(wire.wait(999).edits.isEmpty, "a second is waited") }
    let second = try #require(wire.wait(101).edits.first)
    let edit = second["params"]?["edit"]?["documentChanges"]?.first
    #expect(edit?["textDocument"]?["version"]?.integer == wire.version)
    wire.apply(second)
    #expect(wire.buffer == "one {++ab++}two\n")
    #expect(wire.messages.shown.isEmpty)
  }

  @Test("After three failures in a row a document is marked on save only, which is said once")
  func threeFailures() throws {
    let wire = Wire()
    wire.open("one", uri: "file:///other.md")
    wire.open("one two\n")
    for count in 1...3 {
      try wire.type("x", before: "two")
      #expect(try status(wire, "marking") == #""idle""#)
      let request = try #require(wire.wait(750).edits.first)
      wire.reply(to: request, #"{"applied":false}"#)
      #expect(wire.messages.shown.count == (count == 3 ? 1 : 0))
    }
    #expect(wire.messages.shown.first?.contains("draft.md") == true)
    #expect(try status(wire, "marking") == #""save""#)
    try wire.type("x", before: "two")
    #expect(wire.wait(60_000).edits.isEmpty)
    let request = try #require(save(wire).edits.first)
    wire.fail(request)
    #expect(wire.messages.shown.count == 1)
    wire.change(wire.edits(try ask(wire, "formatting")))
    #expect(wire.buffer == "one {++xxxx++}two\n")
    #expect(wire.server.documents["file:///other.md"]?.marksOnSaveOnly == false)
  }

  @Test("An editor that is busy is not asked again before it asks, and that is no failure")
  func busy() throws {
    let wire = Wire()
    wire.open("one two\n")
    for _ in 1...4 {
      try wire.type("x", before: "two")
      let request = try #require(wire.wait(750).edits.first)
      wire.reply(to: request, #"{"applied":false,"failureReason":"the editor is busy"}"#)
      #expect(wire.wait(60_000).edits.isEmpty)
    }
    #expect(wire.messages.shown.isEmpty)
    #expect(try status(wire, "marking") == #""idle""#)
    try wire.command("mark", "")
    wire.takeEdits()
    #expect(wire.buffer == "one {++xxxx++}two\n")
  }

  @Test("A success between failures starts the count anew")
  func failuresInARow() throws {
    let wire = Wire()
    wire.open("one two\n")
    for _ in 1...3 {
      for _ in 1...2 {
        try wire.type("x", before: "two")
        wire.reply(to: try #require(wire.wait(750).edits.first), #"{"applied":false}"#)
      }
      try wire.pause()
    }
    #expect(wire.messages.shown.isEmpty)
    #expect(try status(wire, "marking") == #""idle""#)
  }

  @Test("A late refusal of an edit that was given up already is passed over")
  func lateRefusal() throws {
    let wire = Wire()
    wire.open("one two\n")
    for _ in 1...Document.maxFailures {
      try wire.type("x", before: "two")
      let first = try #require(wire.wait(750).edits.first)
      try wire.type("y", before: "two")
      let second = try #require(wire.wait(1000).edits.first)
      wire.reply(to: first, #"{"applied":false}"#)
      #expect(wire.wait(60_000).edits.isEmpty, "the second is still in flight")
      wire.apply(second)
    }
    #expect(wire.buffer == "one {++xyxyxy++}two\n")
    #expect(wire.messages.shown.isEmpty)
    #expect(try status(wire, "marking") == #""idle""#)
  }

  @Test("No answer is no verdict: an edit that a prompt holds is waited for", arguments: [1, 1000])
  func heldByPrompt(_ seconds: Int) throws {
    let wire = Wire()
    wire.open("one two\n")
    try wire.type("x", before: "two")
    let request = try #require(wire.wait(750).edits.first)
    #expect(wire.wait(1000 * seconds).edits.isEmpty)
    wire.apply(request)
    #expect(wire.buffer == "one {++x++}two\n")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try status(wire, "pending") == "0")
  }

  // MARK: - The form of the edits

  @Test(
    "Where inserts push the caret, the one after typed text takes in the next character",
    arguments: ["helix", "Visual Studio Code"]
  )
  func keepsCaret(_ client: String) throws {
    let wire = Wire(client: client)
    wire.open("one 👍🏽two\n")
    try wire.type("x", before: "👍🏽")
    let edits = wire.edits(in: try #require(wire.wait(750).edits.first))
    #expect(edits == [Edit(4..<4, Array("{++".utf8)), Edit(5..<13, Array("++}👍🏽".utf8))])
  }

  @Test(
    "At the end of a line it is a plain insert",
    arguments: ["one\n", "one\r\n", "one", "one\r\nmore"]
  )
  func atLineEnd(_ text: String) throws {
    let wire = Wire(client: "helix")
    wire.open(text)
    wire.change([Edit(3..<3, Array("x".utf8))])
    let edits = wire.edits(in: try #require(wire.wait(750).edits.first))
    #expect(edits == [Edit(3..<3, Array("{++".utf8)), Edit(4..<4, Array("++}".utf8))])
  }

  @Test("Other clients get plain inserts")
  func plainInserts() throws {
    let wire = Wire(client: "Neovim")
    wire.open("one two\n")
    try wire.type("x", before: "two")
    let edits = wire.edits(in: try #require(wire.wait(750).edits.first))
    #expect(edits == [Edit(4..<4, Array("{++".utf8)), Edit(5..<5, Array("++}".utf8))])
  }

  // MARK: - Saving

  @Test(
    "Saving answers with the marks, the same however often it is asked, and nothing once they stand",
    arguments: ["willSaveWaitUntil", "formatting"]
  )
  func saving(_ method: String) throws {
    let wire = Wire(client: "Eglot", capabilities: Wire.saving)
    wire.open("one two\n")
    try wire.type("x", before: "two")
    let first = try #require(try ask(wire, method))
    #expect(first.count == 2)
    for other in ["willSaveWaitUntil", "formatting"] {
      #expect(try ask(wire, other)?.description == first.description)
    }
    wire.change(wire.edits(first))
    #expect(wire.buffer == "one {++x++}two\n")
    for other in ["willSaveWaitUntil", "formatting"] {
      #expect(try ask(wire, other)?.count == 0)
    }
    #expect(save(wire).edits.isEmpty)
  }

  @Test("Saving while our edit is on its way marks once")
  func savingMeanwhile() throws {
    let wire = Wire(capabilities: Wire.saving)
    wire.open("one two\n")
    try wire.type("x", before: "two")
    let request = try #require(wire.wait(750).edits.first)
    // It comes before the answer.
    let saved = wire.edits(try ask(wire, "willSaveWaitUntil"))
    #expect(saved.isEmpty)
    wire.apply(request)
    wire.change(saved)
    #expect(wire.buffer == "one {++x++}two\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("Clients that mark on save and do not ask before it get the marks after it")
  func afterSaving() throws {
    let wire = Wire(client: "vim-lsp")
    wire.open("one two\n")
    try wire.type("x", before: "two")
    let request = try #require(save(wire).edits.first)
    wire.apply(request)
    #expect(wire.buffer == "one {++x++}two\n")
    #expect(save(wire).edits.isEmpty)
    let asking = Wire(client: "Eglot", capabilities: Wire.saving)
    asking.open("one two\n")
    try asking.type("x", before: "two")
    #expect(save(asking).edits.isEmpty)
  }

  @Test("A mark that is still being typed is not marked while idle, but by command and on save")
  func halfTyped() throws {
    for end in ["mark", "formatting"] {
      let wire = Wire()
      wire.open("one two\n")
      try wire.type("{>>not yet", before: "two")
      #expect(wire.wait(60_000).edits.isEmpty)
      if end == "mark" {
        try wire.command("mark")
        wire.apply(try #require(wire.messages.edits.first))
      } else {
        wire.change(wire.edits(try ask(wire, "formatting")))
      }
      #expect(try export(wire, "original") == "one two\n")
      #expect(wire.buffer != "one {>>not yettwo\n")
    }
  }

  @Test("A mark typed by hand to its end is left as it is")
  func handTyped() throws {
    let wire = Wire()
    wire.open("one two\n")
    try wire.type("{>>why?<<}", before: "two")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try export(wire, "original") == "one two\n")
    #expect(try wire.command("changes")["result"]?.count == 1)
  }

  // MARK: - Undo

  @Test("What is undone is held: not marked until the user edits again, saves or asks for it")
  func undo() throws {
    let wire = Wire()
    wire.open("one two\n")
    try wire.type("x", before: "two")
    try wire.pause()
    wire.travel(to: "one xtwo\n")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try wire.command("mark", #""held":false"#)["result"]?.isNull == true)
    #expect(wire.messages.edits.count == 1)
    let saved = try #require(try ask(wire, "formatting"))
    #expect(saved.count == 2)
    try wire.type("y", before: "two")
    wire.takeEdits()
    #expect(wire.buffer == "one {++xy++}two\n")
    wire.travel(to: "one xytwo\n")
    try wire.command("mark")
    wire.takeEdits()
    #expect(wire.buffer == "one {++xy++}two\n")
  }

  @Test("A change made again after one undo took it back with its mark is marked, redo is not")
  func again() throws {
    let wire = Wire()
    wire.open("one two three\n")
    for _ in 0..<3 {
      try wire.replace("two ", with: "")
      try wire.pause()
      #expect(wire.buffer == "one {--two --}three\n")
      wire.travel(to: "one two three\n")
      #expect(wire.wait(60_000).edits.isEmpty)
    }
    wire.travel(to: "one {--two --}three\n")
    wire.travel(to: "one three\n")
    wire.travel(to: "one two three\n")
    wire.travel(to: "one three\n")
    #expect(wire.wait(60_000).edits.isEmpty)
    wire.travel(to: "one {--two --}three\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test(
    "Undo of hundreds of places told at once may be several steps: redo that stops between waits"
  )
  func manyAtOnce() throws {
    let wire = Wire()
    let text = String(repeating: "one\n\n", count: 100)
    wire.open(text)
    let places = stride(from: 0, to: text.utf8.count, by: 5)
    wire.tell(places.reversed().map { Edit($0..<$0 + 1, []) })
    let typed = wire.buffer
    wire.takeEdits()
    #expect(wire.buffer.hasPrefix("{--o--}ne\n\n{--o--}ne\n\n"))
    let back = places.map { Edit(($0 / 5) * 11..<($0 / 5) * 11 + 7, Array("o".utf8)) }
    wire.tell(back.reversed())
    #expect(wire.buffer == text)
    wire.tell(places.reversed().map { Edit($0..<$0 + 1, []) })
    #expect(wire.buffer == typed)
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("An editor can ask for the marks of what is finished, once no edit is in flight")
  func finished() throws {
    let wire = Wire(settings: #"{"tracking":"on","marking":"command"}"#)
    wire.open("one two\n")
    try wire.type("{>>why", before: "two")
    try wire.command("mark", #""halfTyped":false"#)
    #expect(wire.messages.edits.isEmpty)
    try wire.type("?<<}x", before: "two")
    try wire.command("mark", #""halfTyped":false"#)
    let request = try #require(wire.messages.edits.first)
    try wire.type("{++", before: "\n")
    try wire.command("mark", #""halfTyped":false"#)
    wire.apply(request)
    #expect(wire.buffer == "one {>>why?<<}{++x++}two{++\n")
    #expect(wire.messages.edits.count == 1)
    try wire.command("mark")
    #expect(wire.messages.edits.count == 2)
  }

  @Test(
    "What was asked for in full while an edit was in flight is not cut short by what is asked then"
  )
  func askedInFull() throws {
    let wire = Wire(settings: #"{"tracking":"on","marking":"command"}"#)
    wire.open("one two\n")
    try wire.type("x", before: "two")
    try wire.command("mark")
    let request = try #require(wire.messages.edits.first)
    try wire.type("{++", before: "\n")
    try wire.command("mark")
    try wire.command("mark", #""halfTyped":false"#)
    wire.reply(to: request, #"{"applied":false}"#)
    #expect(wire.messages.edits.count == 2)
  }

  @Test("A mark that undo turns back into one of another kind, and then takes off, is held")
  func undoneKind() throws {
    let wire = Wire()
    wire.open("One two three\n")
    try wire.replace("two ", with: "")
    try wire.pause()
    try wire.type("x ", before: "three")
    try wire.pause()
    #expect(wire.buffer == "One {~~two ~>x ~~}three\n")
    wire.travel(to: "One {--two --}three\n")
    wire.travel(to: "One three\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("Undo that is told part by part is held, also with text that came along with the marks")
  func undoneInParts() throws {
    let wire = Wire()
    wire.open("One {~~runs~>jumps~~} far.\n")
    try wire.type("x", before: "One")
    let space = try wire.offsets(of: " far").lowerBound
    wire.change([Edit(space..<space + 1, [])])
    try wire.type("y", before: ".")
    let request = try #require(wire.wait(750).edits.first)
    wire.apply(request, separately: true)
    wire.reply(to: request)
    let marked = "{++x++}One {~~runs ~>jumps~~}far{++y++}.\n"
    #expect(wire.buffer == marked)
    for part in ["{++x", "x++}", "runs ", "{++y", "y++}"] {
      try wire.replace(part, with: part.filter(\.isLetter))
    }
    #expect(wire.buffer == "xOne {~~runs~>jumps~~}fary.\n")
    #expect(wire.wait(60_000).edits.isEmpty)
    try wire.replace("y.", with: ".")
    let saved = try #require(try ask(wire, "formatting"))
    wire.change(wire.edits(saved))
    #expect(wire.buffer == "{++x++}One {~~runs ~>jumps~~}far.\n")
  }

  @Test("What is typed after our edit, and told with it, is not undo, whatever text it leads to")
  func typedAfter() throws {
    let wire = Wire()
    wire.open("ab cd\n")
    wire.tell([Edit(2..<3, []), Edit(2..<2, Array("x".utf8))])
    try wire.pause()
    #expect(wire.buffer == "ab{~~ ~>x~~}cd\n")
    let backspaces = [Edit(8..<9, []), Edit(7..<8, [])]
    wire.tell(backspaces)
    try wire.pause()
    #expect(wire.buffer == "ab{-- --}cd\n")
    wire.change([Edit(7..<7, Array("x".utf8))])
    let request = try #require(wire.wait(750).edits.first)
    wire.tell(wire.edits(in: request).reversed() + backspaces)
    wire.reply(to: request)
    #expect(wire.buffer == "ab{~~ ~~~}cd\n")
    try wire.pause()
    #expect(wire.buffer == "ab{-- --}cd\n")
  }

  @Test("What is undone is held where it looks like a part of an edit that the client passed over")
  func undonePart() throws {
    let wire = Wire()
    wire.open("One and a few words, and many more.{++ Two++}\n")
    try wire.type("New. ", before: "One")
    try wire.pause()
    try wire.command("acceptAll")
    let request = try #require(wire.messages.edits.last)
    try wire.type("x", before: "++}\n")
    wire.reply(to: request)
    wire.wait(5000)
    wire.travel(to: "{++New. ++}One and a few words, and many more.{++ Two++}\n")
    wire.travel(to: "New. One and a few words, and many more.{++ Two++}\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("A deletion over the end of one that a client told a letter further on is no undo of it")
  func deletedOnAndOn() throws {
    let wire = Wire()
    wire.open("{--One fox runs. --}Two dogs sleep. Three cats eat. Four.\n")
    try wire.replace("--}Two dogs sleep. ", with: "")
    let request = try #require(wire.wait(750).edits.first)
    let place = try wire.offsets(of: "hree").lowerBound
    wire.change([Edit(place..<place, Array("wo dogs sleep. --}T".utf8))])
    wire.reply(to: request)
    #expect(wire.buffer == "{--One fox runs. Two dogs sleep. --}Three cats eat. Four.\n")
    try wire.replace("--}Three cats eat. ", with: "")
    try wire.pause()
    #expect(wire.buffer == "{--One fox runs. Two dogs sleep. Three cats eat. --}Four.\n")
  }

  @Test("A line is moved without half a mark where an action was offered that takes out as much")
  func movedBesideOffer() throws {
    let wire = Wire(
      capabilities: Wire.announcing(#""codeAction":{"codeActionLiteralSupport":{}}"#)
    )
    wire.open("One.{++\nroboto++}\nTwo.\n{++    ++}Three.\n")
    _ = try wire.ask(
      "codeAction",
      #""range":\#(Wire.range(0, 0, 0, 0)),"context":{"diagnostics":[]}"#
    )
    try wire.replace("roboto++}\n", with: "")
    try wire.pause()
    #expect(wire.buffer == "One.\nTwo.\n{++    ++}Three.\n")
    let place = try wire.offsets(of: "{++").lowerBound
    wire.change([Edit(place..<place, Array("roboto++}\n".utf8))])
    try wire.pause()
    #expect(wire.buffer == "One.\nTwo.{++\nroboto++}\n{++    ++}Three.\n")
  }

  @Test("Marks that undo took off a line that was moved are not put in again")
  func undoneMove() throws {
    let wire = Wire()
    wire.open("One.{++\nnew++}\nTwo.\nThree.\n")
    try wire.replace("new++}\n", with: "")
    try wire.pause()
    #expect(wire.buffer == "One.\nTwo.\nThree.\n")
    let place = try wire.offsets(of: "Three").lowerBound
    wire.change([Edit(place..<place, Array("new++}\n".utf8))])
    let moved = wire.buffer
    try wire.pause()
    #expect(wire.buffer == "One.\nTwo.{++\nnew++}\nThree.\n")
    wire.travel(to: moved)
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try export(wire, "original") == "One.\nTwo.\nThree.\n")
  }

  @Test("Half of a burst that undo comes back to by several changes in one notification is held")
  func undoneHalfBySteps() throws {
    let wire = Wire()
    wire.open("one two three four\n")
    try wire.replace("one ", with: "")
    try wire.replace("four", with: "")
    try wire.pause()
    #expect(wire.buffer == "{--one --}two three {--four--}\n")
    // From the last to the first, so the first one told is no mark's.
    wire.change([Edit(0..<10, []), Edit(20..<30, Array("fou".utf8)), Edit(30..<30, [0x72])])
    #expect(wire.buffer == "two three four\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("Undo to a text in which a delimiter is eaten, with its marks growing before, is held")
  func undoneEating() throws {
    let wire = Wire()
    wire.open("word ropeka tonade\n")
    for marked in ["{--r--}opeka", "{--ro--}peka", "{--rop--}eka"] {
      wire.change([Edit(5..<6, [])])
      try wire.pause()
      #expect(wire.buffer == "word \(marked) tonade\n")
    }
    wire.travel(to: "word --ro--}peka tonade\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("Half of a burst that undo comes back to, told in two notifications, is held")
  func undoneHalf() throws {
    let wire = Wire()
    wire.open("one two three four\n")
    try wire.replace("three ", with: "")
    try wire.replace("one ", with: "")
    try wire.pause()
    #expect(wire.buffer == "{--one --}two {--three --}four\n")
    try wire.replace("{--one --}", with: "one ")
    try wire.replace("{--three --}", with: "")
    #expect(wire.wait(60_000).edits.isEmpty)
    try wire.replace("two", with: "too")
    try wire.pause()
    #expect(try export(wire, "original") == "one two three four\n")
    #expect(try export(wire, "clean") == "one too four\n")
  }

  @Test("Undo to the beginning and redo to the end leave nothing pending")
  func undoAll() throws {
    let wire = Wire()
    wire.open("one two\n")
    try wire.type("x", before: "two")
    try wire.pause()
    for text in ["one xtwo\n", "one two\n", "one xtwo\n", "one {++x++}two\n"] {
      wire.travel(to: text)
      #expect(wire.wait(60_000).edits.isEmpty)
    }
    #expect(try status(wire, "pending") == "0")
    #expect(try export(wire, "original") == "one two\n")
  }

  @Test(
    "Clients of every manner end in the same text",
    arguments: SimulatedClient.Manner.allCases,
    [PositionEncoding.utf8, .utf16, .utf32]
  )
  func manners(_ manner: SimulatedClient.Manner, _ encoding: PositionEncoding) throws {
    let client = try SimulatedClient("one 😀 two\n", manner: manner, encoding: encoding)
    client.type("é", before: "two")
    client.wait(60)
    client.type("z", before: "two")
    client.pause()
    client.replace("one", with: "")
    client.pause()
    #expect(client.buffer == "{--one--} 😀 {++éz++}two\n")
  }

  // MARK: - Tracking

  @Test(
    "With auto, a document is tracked that has changes or whose front matter asks for it",
    arguments: [
      ("plain\n", false), ("a {++b++}\n", true), ("a {--b--}\n", true), ("a {~~b~>c~~}\n", true),
      ("a {==b==}{>>c<<}\n", false), ("`{++b++}`\n", false),
      ("---\ncriticmark: {tracking: true}\n---\na\n", true),
      ("---\r\ncriticmark:\r\n  tracking: true\r\n---\r\na\r\n", true),
      ("---\ncriticmark: {tracking: false}\n---\na\n", false),
      ("---\nother: {tracking: true}\n---\na\n", false), ("criticmark: {tracking: true}\n", false),
    ]
  )
  func auto(_ text: String, _ isTracked: Bool) throws {
    for setting in ["{}", #"{"tracking":"auto"}"#] {
      let wire = Wire(settings: setting)
      wire.open(text)
      #expect(try status(wire, "tracking") == "\(isTracked)")
      try wire.type("x")
      #expect(wire.wait(750).edits.count == (isTracked ? 1 : 0))
    }
  }

  @Test("On and off hold for every document", arguments: ["plain\n", "a {++b++}\n"])
  func onAndOff(_ text: String) throws {
    for (setting, isTracked) in [("on", true), ("off", false)] {
      let wire = Wire(settings: #"{"tracking":"\#(setting)"}"#)
      wire.open(text)
      #expect(try status(wire, "tracking") == "\(isTracked)")
    }
  }

  @Test("With tracking off edits are plain, also when saving")
  func off() throws {
    let wire = Wire(settings: #"{"tracking":"off"}"#)
    wire.open("one {++two++}\n")
    try wire.type("x", before: "one")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try ask(wire, "formatting")?.count == 0)
    #expect(try export(wire, "original") == "xone \n")
  }

  @Test(
    "Front matter is left alone unless the setting tracks it",
    arguments: [("leave", 0), ("track", 1)]
  )
  func frontMatter(_ setting: String, _ count: Int) throws {
    let wire = Wire(settings: #"{"tracking":"on","frontMatter":"\#(setting)"}"#)
    wire.open("---\ntitle: a\n---\none\n")
    try wire.type("x", before: "\n---\none")
    #expect(wire.wait(750).edits.count == count)
  }

  // MARK: - Settings

  @Test(
    "Configuration that is asked for may say nothing",
    arguments: ["null", "[]", "[null]", "[{}]", "{}", "7"]
  )
  func emptyConfiguration(_ answer: String) throws {
    let wire = Wire(capabilities: MarkingTests.configuring)
    wire.open("one")
    wire.reply(to: try #require(wire.messages.of("workspace/configuration").first), answer)
    #expect(wire.messages.shown.isEmpty)
    #expect(try status(wire, "tracking") == "true")
  }

  @Test("A client that refuses to tell its configuration keeps what it started with")
  func refusedConfiguration() throws {
    let wire = Wire(capabilities: MarkingTests.configuring)
    wire.open("one")
    wire.fail(try #require(wire.messages.of("workspace/configuration").first))
    #expect(try status(wire, "tracking") == "true")
  }

  @Test("Configuration is taken when asked for and when pushed, for open documents too")
  func configuration() throws {
    let asked = Wire(capabilities: MarkingTests.configuring, settings: "{}")
    asked.open("one")
    let request = try #require(asked.messages.of("workspace/configuration").first)
    asked.reply(to: request, #"[{"tracking":"on","marking":"save","author":"Ada"}]"#)
    #expect(try status(asked, "tracking") == "true")
    #expect(try status(asked, "marking") == #""save""#)

    let pushed = Wire(settings: "{}")
    pushed.open("one")
    pushed.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"tracking":"on","marking":"save"}}}"#
    )
    #expect(try status(pushed, "tracking") == "true")
    #expect(try status(pushed, "marking") == #""save""#)
  }

  @Test(
    "A notice without settings makes us ask those who answer, and nobody else",
    arguments: ["{}", #"{"settings":null}"#, #"{"settings":{}}"#]
  )
  func notice(_ params: String) {
    let answering = Wire(capabilities: MarkingTests.configuring)
    let asked = answering.notify("workspace/didChangeConfiguration", params)
    #expect(asked.of("workspace/configuration").count == 1)
    #expect(Wire().notify("workspace/didChangeConfiguration", params).isEmpty)
  }

  @Test("A shorter delay counts for what is pending already")
  func shorterDelay() throws {
    let wire = Wire(settings: #"{"tracking":"on","idleDelay":60000}"#)
    wire.open("one")
    try wire.type("x")
    wire.wait(1000)
    let sent = wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"idleDelay":500}}}"#
    )
    #expect(sent.edits.count == 1)
  }

  @Test("An unknown setting is reported once, wherever it comes from")
  func unknownSetting() throws {
    let wire = Wire(
      capabilities: MarkingTests.configuring,
      settings: #"{"traking":"on","tracking":"on"}"#
    )
    wire.open("one")
    let request = try #require(wire.messages.of("workspace/configuration").first)
    wire.reply(to: request, #"[{"traking":"on"}]"#)
    #expect(wire.messages.shown.count == 1)
    #expect(wire.messages.shown.first?.contains(#""traking""#) == true)
    #expect(try status(wire, "tracking") == "true")
  }

  @Test(
    "A wrong value is named with what it may be, and the rest is taken",
    arguments: [
      ("tracking", "7", #""auto""#), ("marking", #""never""#, #""idle""#), ("idleDelay", "-1", "0"),
      ("idleDelay", #""500""#, "milliseconds"), ("author", "7", "name"),
      ("severity", #""loud""#, #""hint""#), ("frontMatter", "true", #""leave""#),
      ("codeLens", #""yes""#, "true"), ("inlayHints", "1", "false"),
      ("semanticTokens", "null", "false"),
    ]
  )
  func wrongValue(_ key: String, _ value: String, _ hint: String) throws {
    let wire = Wire(settings: #"{"\#(key)":\#(value),"frontMatter":"leave","author":"Ada"}"#)
    let sentence = try #require(wire.messages.shown.first)
    for part in [key, value, hint] { #expect(sentence.contains(part)) }
    #expect(wire.messages.shown.count == 1)
  }
}
