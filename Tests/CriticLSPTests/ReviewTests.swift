import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Review", .timeLimited) struct ReviewTests {
  private static let showing =
    #"{"workspace":{"applyEdit":true},"window":{"showDocument":{"support":true}},"#
    + #""textDocument":{"codeAction":{"codeActionLiteralSupport":{}}}}"#
  private let draft = "a {++b++} c {--d--} e {~~f~>g~~}{>>why?<<} h {==i==} j\n"

  private func wire(_ text: String, _ settings: String = #"{"tracking":"on"}"#) -> Wire {
    let wire = Wire(capabilities: ReviewTests.showing, settings: settings)
    wire.open(text)
    return wire
  }

  /// The code actions for a selection, or for a caret before it.
  private func actions(
    _ wire: Wire,
    _ selection: String,
    caret: Bool = false,
    only: String? = nil
  ) throws -> [JSON] {
    var range = try wire.offsets(of: selection)
    if caret { range = range.lowerBound..<range.lowerBound }
    let context = only.map { #","only":\#($0)"# } ?? ""
    let answer = try wire.request(
      "textDocument/codeAction",
      #"{"textDocument":{"uri":"\#(wire.uri)"},"range":\#(wire.range(range)),"#
        + #""context":{"diagnostics":[]\#(context)}}"#
    )
    return Array(try #require(answer["result"]).elements)
  }

  private func titles(_ actions: [JSON]) -> [String] {
    actions.compactMap { $0["title"]?.string }
  }

  private func named(_ title: String, _ actions: [JSON]) throws -> JSON {
    try #require(
      actions.first { $0["title"]?.string == title },
      "no “\(title)” in \(titles(actions))"
    )
  }

  private func status(_ wire: Wire, _ member: String) throws -> String? {
    try wire.command("status")["result"]?[member]?.description
  }

  // MARK: - Which code actions there are

  private let categories = ["tone", "clarity", "structure", "grammar", "concision", "accuracy"]
    .map { "Comment: \($0)" }

  @Test("At a caret the change there can be settled and commented on, and all of them settled")
  func atCaret() throws {
    let wire = wire(draft)
    #expect(
      titles(try actions(wire, "b++}", caret: true)) == [
        "Accept addition “b”", "Reject addition “b”", "Comment on addition “b”",
      ] + categories + [
        "Accept all 3 changes", "Reject all 3 changes", "Remove all highlights and comments",
        "Stop tracking changes",
      ]
    )
    #expect(
      titles(try actions(wire, "g~~}", caret: true)) == [
        "Accept “f” → “g”", "Reject “f” → “g”", "Comment on “f” → “g”", "Edit the comment",
        "Remove the comment",
        "Resolve the comment",
      ] + categories + [
        "Split into a deletion and an addition", "Accept all 3 changes", "Reject all 3 changes",
        "Remove all highlights and comments", "Stop tracking changes",
      ]
    )
  }

  @Test("Away from every change there is only to comment and to settle all")
  func elsewhere() throws {
    #expect(
      titles(try actions(wire("ab {--c--}\n"), "b", caret: true)) == [
        "Comment here", "Accept the only change", "Reject the only change",
        "Stop tracking changes",
      ]
    )
  }

  @Test("In a selection everything that it meets is settled")
  func inSelection() throws {
    let titles = titles(try actions(wire(draft), "b++} c {--"))
    #expect(titles.starts(with: ["Accept 2 changes in the selection"]))
    #expect(titles.contains("Comment on the selection"))
    #expect(titles.contains("Highlight the selection"))
  }

  @Test("All are as many as the status says, which highlights and lone comments are not among")
  func countsAgree() throws {
    for (text, title) in [
      ("a {++b++}{>>c<<} {--d--} {==e==}{>>f<<} {>>g<<}\n", "Accept all 2 changes"),
      ("a {++b++} {==e==}\n", "Accept the only change"), ("a {==e==}\n", nil),
    ] {
      let wire = wire(text)
      let menu = titles(try actions(wire, "a", caret: true))
      #expect(menu.first { $0.hasPrefix("Accept ") && !$0.contains("highlight") } == title)
      #expect(menu.contains("Remove all highlights and comments"))
      let count = title == nil ? "0" : title == "Accept the only change" ? "1" : "2"
      #expect(try status(wire, "changes") == count)
      if title != nil { try wire.run("acceptAll") }
      #expect(try status(wire, "changes") == "0")
      try wire.run("removeAnnotations")
      #expect(!wire.buffer.contains("{"))
      #expect(wire.wait(60_000).edits.isEmpty)
      #expect(try wire.command("removeAnnotations").problem.contains("no highlights"))
    }
  }

  @Test("A part of an addition or a deletion is settled by itself, or the whole as well")
  func inPart() throws {
    let wire = wire("a {++very old ++}b {--so so--}\n")
    let menu = try actions(wire, "old")
    #expect(
      titles(menu).starts(
        with: [
          "Accept only “old”", "Reject only “old”", "Accept addition “very old ”",
          "Reject addition “very old ”",
        ]
      )
    )
    #expect(menu[0]["isPreferred"]?.bool == true && menu[2]["isPreferred"] == nil)
    wire.apply(try named("Accept only “old”", menu))
    #expect(wire.buffer == "a {++very ++}old{++ ++}b {--so so--}\n")
    wire.apply(try named("Accept addition “very ”", try actions(wire, "ver")))
    #expect(wire.buffer == "a very old{++ ++}b {--so so--}\n")
    try wire.run("reject", #""range":\#(wire.range(of: " so"))"#)
    #expect(wire.buffer == "a very old{++ ++}b {--so--} so\n")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try status(wire, "pending") == "0")
  }

  @Test(
    "A selection that the user made comes first; where the caret is one, a character is none",
    arguments: [
      ("Neovim", "old", "Accept only “old”"), ("Neovim", "o", "Accept only “o”"),
      ("helix", "old", "Accept addition “very old ”"),
      ("helix", "o", "Accept addition “very old ”"),
    ]
  )
  func selectsUnasked(_ name: String, _ selection: String, _ first: String) throws {
    let wire = Wire(
      client: name,
      capabilities: ReviewTests.showing,
      settings: #"{"tracking":"on"}"#
    )
    wire.open("a {++very old ++}b\n")
    let titles = titles(try actions(wire, selection))
    #expect(titles.first == first)
    #expect(titles.contains("Accept only “o”") == (name == "Neovim" && selection == "o"))
  }

  @Test("A document without changes offers to comment and to track")
  func nothing() throws {
    let wire = wire("one\n", "{}")
    #expect(titles(try actions(wire, "ne", caret: true)) == ["Comment here", "Track changes"])
  }

  @Test("Front matter holds no comments and no highlights, unless it is tracked")
  func frontMatter() throws {
    let text = "---\ntitle: a kite\n---\n\nA kite.\n"
    for command in ["comment", "highlight"] {
      let wire = wire(text)
      let answer = try wire.command(command, #""range":\#(wire.range(of: "a kite"))"#)
      #expect(answer.problem.contains("front matter"))
      let tracking = self.wire(text, #"{"tracking":"on","frontMatter":"track"}"#)
      try tracking.run(command, #""range":\#(tracking.range(of: "a kite"))"#)
      #expect(tracking.buffer.contains("{==a kite==}"))
    }
  }

  @Test("Accept is the preferred action and the only one")
  func preferred() throws {
    let actions = try actions(wire(draft), "b++}", caret: true)
    #expect(titles(actions.filter { $0["isPreferred"]?.bool == true }) == ["Accept addition “b”"])
  }

  @Test(
    "A client gets the kinds it asks for and those below them",
    arguments: [
      (#"["quickfix"]"#, ["quickfix"]), (#"["refactor"]"#, ["refactor.rewrite.critic"]),
      (#"["refactor.rewrite"]"#, ["refactor.rewrite.critic"]), (#"["refactor.re"]"#, []),
      (#"["source"]"#, ["source.critic"]), (#"["source.organizeImports"]"#, []),
      (#"["quickfix","source"]"#, ["quickfix", "source.critic"]),
      (#"["refactor.rewrite.critic.comment"]"#, ["refactor.rewrite.critic"]),
      (#"["source.critic.acceptAll"]"#, ["source.critic"]),
      (#"[""]"#, ["quickfix", "refactor.rewrite.critic", "source.critic"]),
      ("null", ["quickfix", "refactor.rewrite.critic", "source.critic"]),
      ("[]", ["quickfix", "refactor.rewrite.critic", "source.critic"]),
    ]
  )
  func only(_ only: String, _ kinds: [String]) throws {
    let actions = try actions(wire(draft), "b++}", caret: true, only: only)
    let found = actions.compactMap { action in
      action["kind"]?.string.map { kind in kinds.first { kind.hasPrefix($0) } ?? kind }
    }
    #expect(Set(found) == Set(kinds))
  }

  @Test(
    "Each action carries its edit with the version; only what changes no text is a command alone"
  )
  func edits() throws {
    let wire = wire(draft)
    let actions = try actions(wire, "g~~}", caret: true)
    let bare = actions.filter { $0["edit"] == nil }
    #expect(titles(bare) == ["Edit the comment", "Stop tracking changes"])
    for action in actions where action["edit"] != nil {
      let document = action["edit"]?["documentChanges"]?.first?["textDocument"]
      #expect(document?["version"]?.integer == 1)
      // A new comment has the caret put into it, once the edit is there.
      let isComment = action["kind"]?.string?.contains(".comment") == true
      #expect((action["command"] != nil) == isComment)
    }
    for action in bare { #expect(action["command"] != nil) }
  }

  // MARK: - What they do

  @Test(
    "An action does what its title says, and that is settled",
    arguments: [
      ("Accept addition “b”", "b++}", "a b c"), ("Reject addition “b”", "b++}", "a  c"),
      ("Comment on addition “b”", "b++}", "{++b++}{>><<} c"),
      ("Accept deletion “d”", "d--}", "c  e"), ("Reject deletion “d”", "d--}", "c d e"),
      ("Accept “f” → “g”", "g~~}", "e g h"), ("Reject “f” → “g”", "g~~}", "e f h"),
      ("Remove the comment", "g~~}", "e {~~f~>g~~} h"),
      ("Accept highlight “i”", "i==}", "h i j"), ("Highlight the selection", "j", "{==j==}"),
      ("Accept all 3 changes", "j", "a b c  e g h {==i==} j\n"),
      ("Reject all 3 changes", "j", "a  c d e f h {==i==} j\n"),
      ("Remove all highlights and comments", "j", "a {++b++} c {--d--} e {~~f~>g~~} h i j\n"),
    ],
    [false, true]
  )
  func does(_ what: (title: String, place: String, result: String), _ separately: Bool) throws {
    let wire = wire(draft)
    let caret = what.title != "Highlight the selection"
    let action = try named(what.title, try actions(wire, what.place, caret: caret))
    wire.apply(action, separately: separately)
    #expect(wire.buffer.contains(what.result), "in “\(wire.buffer)”")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try status(wire, "pending") == "0")
    // The next edit is on the settled text.
    try wire.type("x", before: "a ")
    wire.takeEdits()
    #expect(wire.buffer.hasPrefix("{++x++}a "))
  }

  @Test("A pending change is rejected like one in marks")
  func rejectPending() throws {
    let wire = wire("one two\n")
    try wire.replace("two", with: "ten")
    wire.apply(try named("Reject “two” → “ten”", try actions(wire, "ten", caret: true)))
    #expect(wire.buffer == "one two\n")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try status(wire, "pending") == "0")
  }

  @Test(
    "A pending change that is accepted is settled without an edit",
    arguments: [("accept", #""position":{"line":0,"character":4}"#), ("acceptAll", "")]
  )
  func acceptPending(_ command: String, _ members: String) throws {
    let wire = wire("one two\n")
    try wire.type("x", before: "two")
    #expect(try wire.command(command, members)["result"] != nil)
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(wire.messages.edits.isEmpty)
    #expect(try status(wire, "pending") == "0")
    #expect(try wire.command("export", #""variant":"original""#)["result"]?.string == "one xtwo\n")
  }

  @Test("Undoing an accept brings the change back, and doing it again settles it")
  func undoAccept() throws {
    let wire = wire("a {++b++} c\n")
    wire.apply(try named("Accept addition “b”", try actions(wire, "b", caret: true)))
    wire.travel(to: "a {++b++} c\n")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try status(wire, "changes") == "1")
    wire.travel(to: "a b c\n")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try status(wire, "pending") == "0")
  }

  @Test(
    "What is deleted right after undoing an accept, told with it, leaves what was undone as it was"
  )
  func undoAndDelete() throws {
    let wire = wire("a thr{--ee--} {++b++} and {--old--} c\n")
    try wire.command("acceptAll")
    wire.apply(try #require(wire.messages.edits.first))
    #expect(wire.buffer == "a thr b and  c\n")
    wire.travel(to: "a th {++b++} and {--old--} c\n")
    wire.takeEdits()
    #expect(wire.buffer == "a th{--ree--} {++b++} and {--old--} c\n")
  }

  @Test("A line copied below itself again and again brings no half of a mark along")
  func copiedLines() throws {
    let wire = wire("First line.Second line.\n")
    try wire.type("\n", before: "Second")
    try wire.pause()
    for (line, new) in [
      (2, "++}Second line.\n"), (3, "Second line.++}\n"), (4, "Second line.++}\n"),
    ] {
      let lines = wire.buffer.split(separator: "\n", omittingEmptySubsequences: false)
      let at = lines.prefix(line).reduce(0) { $0 + $1.utf8.count + 1 }
      wire.change([Edit(at..<at, Array(new.utf8))])
      let marks = try #require(wire.wait(750).edits.first)
      let marked = Text(Array(wire.buffer.utf8)).applying(wire.edits(in: marks))
      // A client can tell all of the text.
      wire.change([Edit(0..<wire.buffer.utf8.count, marked.bytes)])
      wire.reply(to: marks)
    }
    let clean = try wire.command("export", #""variant":"clean""#)["result"]?.string
    #expect(clean == "First line.\nSecond line.\nSecond line.\nSecond line.\nSecond line.\n")
  }

  @Test("What is undone together with marks, told with what is typed then, stays undone")
  func undoAndType() throws {
    let wire = wire("{++ü++}i éx y\n")
    try wire.type("3909 ", before: " y")
    try wire.pause()
    #expect(wire.buffer == "{++ü++}i éx{++3909 ++} y\n")
    try wire.command("accept", #""change":1"#)
    wire.apply(try #require(wire.messages.edits.last))
    wire.travel(to: "{++ü++}i é4x y\n")
    try wire.type("5", before: "x y")
    wire.travel(to: "{++ü++}i éx y\n")
    wire.takeEdits()
    #expect(wire.buffer == "{++ü++}i éx y\n")
  }

  @Test(
    "An action that passes through the text of another on its way is still done whole",
    arguments: [true, false],
    [true, false]
  )
  func passesThrough(_ separately: Bool, _ isCommand: Bool) throws {
    let wire = wire("a {++b++} c {++d++} e\n")
    let menu = try actions(wire, "d", caret: true)
    if isCommand {
      try wire.command("acceptAll")
      wire.apply(try #require(wire.messages.edits.first), separately: separately)
    } else {
      wire.apply(try named("Accept all 2 changes", menu), separately: separately)
    }
    #expect(wire.buffer == "a b c d e\n")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try wire.command("export", #""variant":"original""#)["result"]?.string == "a b c d e\n")
  }

  @Test("What is deleted after an accept is a deletion, though rejecting led to that text too")
  func deletedAfterAccept() throws {
    let wire = wire("a {++b ++}c {++d++} e\n")
    wire.apply(try named("Accept addition “b ”", try actions(wire, "b", caret: true)))
    try wire.replace("b ", with: "")
    wire.takeEdits()
    #expect(wire.buffer == "a {--b --}c {++d++} e\n")
  }

  @Test("What was offered and not taken changes nothing about typing")
  func offered() throws {
    let wire = wire("a {++b++} c\n")
    _ = try actions(wire, "b", caret: true)
    try wire.type("x", before: "a")
    wire.takeEdits()
    #expect(wire.buffer == "{++x++}a {++b++} c\n")
  }

  @Test("The toggle is a command that a client can run as it stands")
  func toggleAction() throws {
    let wire = wire("one\n")
    let action = try named("Stop tracking changes", try actions(wire, "one"))
    let command = try #require(action["command"])
    try wire.request("workspace/executeCommand", command.description)
    #expect(try status(wire, "tracking") == "false")
    #expect(titles(try actions(wire, "one")).contains("Track changes"))
  }

  @Test("Turning tracking on or off says so where the client shows nothing of it")
  func toggleIsTold() throws {
    for (client, told) in [
      ("helix", ["Tracking is off now.", "Tracking is on now."]), ("Neovim", []),
    ] {
      let wire = Wire(client: client)
      wire.open("one\n")
      try wire.command("toggleTracking")
      try wire.command("toggleTracking")
      let shown = wire.messages.filter { $0["method"]?.string == "window/showMessage" }
      #expect(shown.compactMap { $0["params"]?["message"]?.string } == told)
    }
  }

  @Test("A client without action literals gets the toggle as a bare command")
  func bareCommand() throws {
    let wire = Wire()
    wire.open("one\n")
    let toggle = try named("Stop tracking changes", try actions(wire, "one"))
    #expect(toggle["command"]?.string == "critic.toggleTracking")
    #expect(toggle["arguments"]?.first?["uri"]?.string == wire.uri)
  }

  // MARK: - Commands

  @Test(
    "Accept and reject act on a range, at a position, or on the change with a number",
    arguments: [
      ("accept", #""range":\#(Wire.range(0, 4, 0, 14))"#, "a b c  e"),
      ("reject", #""position":{"line":0,"character":5}"#, "a  c {--d--}"),
      ("accept", #""change":2"#, "{++b++} c  e"), ("reject", #""change":3"#, "e f h"),
      ("acceptAll", "", "a b c  e g h {==i==} j\n"),
      ("rejectAll", "", "a  c d e f h {==i==} j\n"),
      ("removeAnnotations", "", "a {++b++} c {--d--} e {~~f~>g~~} h i j\n"),
      ("highlight", #""range":\#(Wire.range(0, 0, 0, 1))"#, "{==a==} {++b"),
      ("removeComment", #""change":3"#, "{~~f~>g~~} h"),
      ("resolveComment", #""change":3"#, "{~~f~>g~~}{>>[resolved] why?<<} h"),
    ]
  )
  func commands(_ command: String, _ members: String, _ result: String) throws {
    let wire = wire(draft)
    #expect(try wire.run(command, members)["result"]?.isNull == true)
    #expect(wire.buffer.contains(result), "in “\(wire.buffer)”")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try status(wire, "pending") == "0")
  }

  @Test("The number of a change in a highlight means that change, and the highlight's number both")
  func numbersInHighlight() throws {
    for (number, result) in [(1, "a b c d\n"), (2, "a {==b c==} d\n")] {
      let wire = wire("a {==b{++ c++}==} d\n")
      try wire.run("accept", #""change":\#(number)"#)
      #expect(wire.buffer == result)
    }
  }

  @Test("Pending changes are put into marks by the same edit")
  func commandWithPending() throws {
    let wire = wire("one {++two++} three\n")
    try wire.type("x", before: "one")
    let count = wire.messages.edits.count
    try wire.run("accept", #""change":2"#)
    #expect(wire.messages.edits.count == count + 1)
    #expect(wire.buffer == "{++x++}one two three\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test(
    "A command that comes while our edit is on its way is done, or refused in words",
    arguments: [
      ("accept", #""change":1"#), ("accept", #""position":{"line":0,"character":8}"#),
      ("accept", #""range":\#(Wire.range(0, 5, 0, 9))"#),
    ],
    [false, true]
  )
  func commandWhileMarking(_ command: (name: String, place: String), _ typesOn: Bool) throws {
    let wire = wire("one {++two++} three\n")
    try wire.type("x", before: "three")
    #expect(wire.wait(750).edits.count == 1)
    let answer = try wire.command(command.name, command.place)
    if typesOn { try wire.type("x", before: "three") }
    wire.takeEdits()
    let isRefused = !answer.problem.isEmpty
    let typed = typesOn ? "{++xx++}" : "{++x++}"
    #expect(wire.buffer == "one \(isRefused ? "{++two++}" : "two") \(typed)three\n")
  }

  @Test("Several commands in a row are all done, each on what was meant by it")
  func severalCommands() throws {
    let wire = wire("one {++two++} {--three--} {++four++} five\n")
    let first = try wire.command("accept", #""change":1"#)
    let second = try wire.command("reject", #""position":{"line":0,"character":17}"#)
    let third = try wire.command("comment", #""change":3,"text":"why?""#)
    wire.takeEdits()
    let isDone = [first, second, third].map(\.problem.isEmpty)
    let parts = [
      isDone[0] ? "two" : "{++two++}", isDone[1] ? "three" : "{--three--}",
      isDone[2] ? "{++four++}{>>why?<<}" : "{++four++}",
    ]
    #expect(wire.buffer == "one \(parts.joined(separator: " ")) five\n")
    #expect(try status(wire, "pending") == "0")
  }

  @Test("A comment is put where it belongs, with its author", arguments: ["", "Ada"])
  func comment(_ author: String) throws {
    let settings = #"{"tracking":"on","author":"\#(author)"}"#
    let name = author.isEmpty ? "" : "@\(author): "
    let wire = wire(draft, settings)
    try wire.run("comment", #""change":1,"text":"better""#)
    try wire.run("comment", #""range":\#(try wire.range(of: "h ")),"text":"hm""#)
    #expect(wire.buffer.contains("{++b++}{>>\(name)better<<}"))
    #expect(wire.buffer.contains("{==h ==}{>>\(name)hm<<}"))
    #expect(wire.messages.of("window/showDocument").isEmpty)
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test(
    "A comment without a text gets the caret between its arrows",
    arguments: [("", 15), ("Ada", 21)],
    [false, true]
  )
  func emptyComment(_ author: (name: String, caret: Int), _ separately: Bool) throws {
    let wire = wire("😀 one\n", #"{"tracking":"on","author":"\#(author.name)"}"#)
    try wire.command("comment", #""position":{"line":0,"character":5}"#)
    let request = try #require(wire.messages.edits.first)
    #expect(wire.messages.of("window/showDocument").isEmpty, "the comment is not there yet")
    wire.apply(request, separately: separately)
    let shown = try #require(wire.messages.of("window/showDocument").first?["params"])
    #expect(shown["uri"]?.string == wire.uri)
    #expect(wire.buffer == "😀 {==one==}{>>\(author.name.isEmpty ? "" : "@Ada: ")<<}\n")
    #expect(shown["selection"]?.description == Wire.range(0, author.caret, 0, author.caret))
    try wire.type("why?", before: "<<}")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(wire.messages.of("window/showDocument").count == 1)
  }

  @Test(
    "Whatever a comment says, the text stays what it is and the comment is one",
    arguments: ["a <<} b", "{>>a<<}", "{>>", "<<", "a\nb", "``` {++", "{++a++}", "~>", "\\"]
  )
  func anyComment(_ text: String) throws {
    let wire = wire("one {--two--} three\n")
    try wire.run("comment", #""change":1,"text":\#(json(text))"#)
    #expect(try wire.command("export")["result"]?.string == "one  three\n")
    let original = try wire.command("export", #""variant":"original""#)
    #expect(original["result"]?.string == "one two three\n")
    #expect(try status(wire, "commented") == "1")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test(
    "A place can be told as people count: a line and a column from 1, in characters",
    arguments: [
      (2, 13, "{++b++} 👩‍🚀 ä {==c==}{>>!<<}\n"), (2, 16, "{++b++} 👩‍🚀 ä {==c==}{>>!<<}\n"),
      (2, 3, "{++b++}{>>!<<} 👩‍🚀 ä {==c==}\n"), (2, 99, "{++b++} 👩‍🚀 ä {==c==}{>>!<<}\n"),
      (2, 10, "{++b++} 👩‍🚀{>>!<<} ä {==c==}\n"), (99, 1, "{++b++} 👩‍🚀 ä {==c==}\n{>>!<<}"),
    ]
  )
  func lineAndColumn(_ line: Int, _ column: Int, _ text: String) throws {
    let wire = wire("👍\n{++b++} 👩‍🚀 ä {==c==}\n")
    try wire.run("comment", #""line":\#(line),"column":\#(column),"text":"!""#)
    #expect(wire.buffer == "👍\n\(text)")
  }

  @Test("LSP's own way to name a place in a document is taken too")
  func textDocumentPosition() throws {
    let wire = wire(draft)
    let place = #"{"textDocument":{"uri":"\#(wire.uri)"},"position":{"line":0,"character":5}}"#
    try wire.request(
      "workspace/executeCommand",
      #"{"command":"critic.reject","arguments":[\#(place)]}"#
    )
    wire.apply(try #require(wire.messages.edits.last))
    #expect(wire.buffer == draft.replacing("{++b++}", with: ""))
  }

  @Test("A client that shows no documents is not asked to")
  func noShowing() throws {
    let wire = Wire()
    wire.open("one\n")
    try wire.run("comment", #""position":{"line":0,"character":1}"#)
    #expect(wire.buffer == "{==one==}{>><<}\n")
    #expect(wire.messages.of("window/showDocument").isEmpty)
  }

  @Test("Where there is nothing to act on, a sentence says so")
  func nothingToDo() throws {
    let wire = wire("one\n")
    let caret = #""position":{"line":0,"character":3}"#
    for (command, members) in [
      ("accept", caret), ("reject", caret), ("removeComment", caret), ("highlight", caret),
      ("acceptAll", ""), ("rejectAll", ""),
    ] {
      let answer = try wire.command(command, members)
      #expect(answer.code == -32_803)
      #expect(answer.problem.hasSuffix("."))
    }
    #expect(wire.messages.edits.isEmpty)
  }

  @Test("A client that takes no edits is told so")
  func noEdits() throws {
    let wire = Wire(capabilities: "{}")
    wire.open("{++a++}\n")
    #expect(try wire.command("acceptAll").code == -32_803)
  }

  @Test(
    "A wrong argument is -32602 with a sentence that names it",
    arguments: [
      ("accept", "", "range"), ("accept", #""range":7"#, "range"),
      ("reject", #""range":{"start":{"line":0,"character":0}}"#, "range"),
      ("accept", #""position":{"line":"0","character":0}"#, "position"),
      ("accept", #""line":0,"column":1"#, "column"), ("accept", #""line":1"#, "column"),
      ("accept", #""line":1,"column":0"#, "column"),
      ("accept", #""change":0"#, "from 1 to 4"), ("accept", #""change":5"#, "from 1 to 4"),
      ("accept", #""change":"1""#, "change"), ("comment", #""change":1,"text":7"#, "text"),
      ("comment", #""text":"a""#, "position"), ("highlight", "", "range"),
      ("toggleTracking", #""on":"yes""#, "on"), ("mark", #""held":1"#, "held"),
      ("mark", #""halfTyped":"no""#, "halfTyped"), ("export", #""variant":"tidy""#, "variant"),
      ("export", #""variant":7"#, "variant"),
    ]
  )
  func wrongArgument(_ command: String, _ members: String, _ name: String) throws {
    let wire = wire(draft)
    let answer = try wire.command(command, members)
    #expect(answer.code == -32_602)
    #expect(answer.problem.contains(name))
    #expect(wire.messages.edits.isEmpty)
    #expect(try status(wire, "tracking") == "true")
  }

  @Test(
    "A command that is not there, and arguments that are no object, are named too",
    arguments: [
      (#"{"command":"critic.tidy","arguments":[]}"#, "critic.tidy"),
      (#"{"command":"accept"}"#, "accept"), ("{}", "command"),
      (#"{"command":"critic.mark"}"#, "critic.mark"),
      (#"{"command":"critic.mark","arguments":["file:///draft.md"]}"#, "critic.mark"),
      (#"{"command":"critic.mark","arguments":[{}]}"#, "uri"),
      (#"{"command":"critic.mark","arguments":[{"uri":"file:///y.md"}]}"#, "file:///y.md"),
    ]
  )
  func wrongCommand(_ params: String, _ name: String) throws {
    let answer = try wire(draft).request("workspace/executeCommand", params)
    #expect(answer.code == -32_602)
    #expect(answer.problem.contains(name))
  }

  // MARK: - Tracking

  @Test("Toggling answers what is now, sets what is asked, and is remembered")
  func toggle() throws {
    let wire = wire("one\n", "{}")
    #expect(try status(wire, "tracking") == "false")
    #expect(try wire.command("toggleTracking")["result"]?.bool == true)
    #expect(try wire.command("toggleTracking")["result"]?.bool == false)
    for _ in 1...2 {
      #expect(try wire.command("toggleTracking", #""on":true"#)["result"]?.bool == true)
    }
    wire.notify("textDocument/didClose", #"{"textDocument":{"uri":"\#(wire.uri)"}}"#)
    wire.open("one\n")
    #expect(try status(wire, "tracking") == "true")
  }

  @Test("What was pending when tracking is turned off is still put into marks")
  func toggleWithPending() throws {
    let wire = wire("one two\n")
    try wire.type("x", before: "two")
    try wire.run("toggleTracking", #""on":false"#)
    #expect(wire.buffer == "one {++x++}two\n")
    try wire.type("y", before: "one")
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(wire.buffer == "yone {++x++}two\n")
  }

  @Test(
    "What was pending when tracking is turned off is not lost when the edit is refused",
    arguments: [#"{"applied":false}"#, #"{"applied":true}"#]
  )
  func toggleRefused(_ reply: String) throws {
    let wire = wire("one two\n")
    try wire.type("x", before: "two")
    try wire.command("toggleTracking", #""on":false"#)
    wire.reply(to: try #require(wire.messages.edits.first), reply)
    wire.takeEdits()
    let original = try wire.command("export", #""variant":"original""#)
    #expect(original["result"]?.string == "one two\n")
  }

  @Test("A client that never takes the last edit is not pestered for ever")
  func toggleAlwaysRefused() throws {
    let wire = wire("one two\n")
    try wire.type("x", before: "two")
    try wire.command("toggleTracking", #""on":false"#)
    wire.takeEdits(refusing: true)
    #expect(wire.messages.shown.count == 1)
    #expect(try wire.command("export", #""variant":"original""#)["result"]?.string == "one two\n")
  }

  @Test("What is pending when the settings turn tracking off is not lost")
  func settingWithPending() throws {
    let wire = wire("one two\n")
    try wire.type("x", before: "two")
    wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"tracking":"off"}}}"#
    )
    wire.takeEdits()
    #expect(try wire.command("export", #""variant":"original""#)["result"]?.string == "one two\n")
  }

  @Test("What was pending when tracking is turned off is not lost where edits are not taken")
  func toggleWithoutEdits() throws {
    let wire = Wire(capabilities: "{}")
    wire.open("one two\n")
    try wire.type("x", before: "two")
    try wire.command("toggleTracking", #""on":false"#)
    let original = try wire.command("export", #""variant":"original""#)
    #expect(original["result"]?.string == "one two\n")
    let saved = try wire.request(
      "textDocument/formatting",
      #"{"textDocument":{"uri":"\#(wire.uri)"},"options":{}}"#
    )
    wire.change(wire.edits(saved["result"]))
    try wire.type("y", before: "one")
    #expect(try wire.command("export", #""variant":"markup""#)["result"]?.string == wire.buffer)
    #expect(wire.buffer == "yone {++x++}two\n")
  }

  // MARK: - Questions

  @Test("The list of changes has numbers, texts, comments and ranges")
  func changes() throws {
    let wire = wire("a\n{~~f~>g~~}{>>why?<<}{>>so<<} {==h==}\n")
    try wire.type("x", before: "a")
    let list = Array(try #require(try wire.command("changes")["result"]).elements)
    #expect(list.compactMap { $0["number"]?.integer } == [1, 2, 3])
    #expect(list.compactMap { $0["kind"]?.string } == ["pending", "substitution", "highlight"])
    #expect(list[1]["old"]?.string == "f")
    #expect(list[1]["new"]?.string == "g")
    #expect(list[1]["comments"]?.description == #"["why?","so"]"#)
    #expect(list[1]["range"]?.description == Wire.range(1, 0, 1, 10))
  }

  @Test("The list has the members of the command line and the schema, told alike, and the range")
  func sameAsCommandLine() throws {
    let text =
      "# A {++b++}\n\n{--c--}{>>@ada | 2026-11-22 | [tone] no<<} é {~~d~>e~~} {==f==}{>>g<<}\n{>>h<<}\n"
      + "{++i++}[^cn-1]\n\n[^cn-1]: @eve | 2026-11-22 | ins | proposed\n"
    let list = Array(try #require(try wire(text).command("changes")["result"]).elements)
    let folder = try Folder()
    let output = try folder.run("changes", "--format", "jsonl", "-", input: text).output
    let lines = try output.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    #expect(list.count == 6 && lines.count == 6)
    #expect(list.last?["status"]?.string == "proposed")
    let url = Repository.root.appending(path: "docs/changes.schema.json")
    let schema = try JSON(parsing: Array(try Data(contentsOf: url)))["$defs"]?["change"]
    let names = schema?["required"]?.elements.compactMap(\.string)
    #expect(schema?["properties"]?.members.map(\.0) == names)
    for (entry, line) in zip(list, lines) {
      #expect(entry.members.map(\.0).dropLast() == names?[...] && entry["range"] != nil)
      #expect(line.members.map(\.0).dropFirst(2) == names?[...], "after version and file")
      for (name, told) in line.members.dropFirst(2) {
        #expect(entry[name]?.description == told.description, "\(name)")
      }
    }
  }

  @Test("What is not in marks yet is listed with its place and what is around it")
  func pendingPlace() throws {
    let wire = wire("# One\n\ntwo three\n")
    try wire.type("new ", before: "three")
    let entry = try #require(try wire.command("changes")["result"]?.first)
    #expect(entry["kind"]?.string == "pending" && entry["heading"]?.string == "One")
    #expect(entry["line"]?.integer == 3 && entry["column"]?.integer == 5)
    #expect(entry["before"]?.string?.hasSuffix("two ") == true)
    #expect(entry["after"]?.string == "three\n")
  }

  @Test("The status counts what is in marks, what has comments, and what is pending")
  func statusCounts() throws {
    let wire = wire(draft)
    try wire.type("x", before: "a ")
    let status = try #require(try wire.command("status")["result"])
    #expect(
      status.description
        == #"{"tracking":true,"marking":"idle","marks":"inline","changes":3,"commented":1,"uncommented":2,"open":1,"resolved":0,"#
        + #""pending":1,"at":null,"authors":[],"waiting":0,"summary":"3 changes, 2 uncommented, 1 thread, 1 pending"}"#
    )
  }

  @Test(
    "Export gives each variant with what is pending, and clean where nothing is said",
    arguments: [
      ("", "xa b\n"), (#""variant":"clean""#, "xa b\n"), (#""variant":"original""#, "a \n"),
      (#""variant":"markup""#, "{++x++}a {++b++}\n"),
    ]
  )
  func export(_ members: String, _ text: String) throws {
    let wire = wire("a {++b++}\n")
    try wire.type("x", before: "a ")
    #expect(try wire.command("export", members)["result"]?.string == text)
  }

  @Test("Mark marks at once, and once")
  func mark() throws {
    let wire = wire("one two\n")
    try wire.type("x", before: "two")
    try wire.command("mark")
    try wire.command("mark")
    #expect(wire.messages.edits.count == 1)
    wire.apply(try #require(wire.messages.edits.first))
    #expect(wire.buffer == "one {++x++}two\n")
    try wire.command("mark")
    #expect(wire.messages.edits.count == 1)
  }

  @Test("Undo with the menu of actions open is no accept, though both lead to the same text")
  func undoIsNoAccept() throws {
    let wire = wire("one two\n")
    try wire.type("x", before: "two")
    let typed = wire.buffer
    try wire.pause()
    #expect(wire.buffer == "one {++x++}two\n")
    let accept = try named("Accept addition “x”", try actions(wire, "x", caret: true))
    #expect(accept["command"]?["command"]?.string == "critic.accept")
    wire.travel(to: typed)
    #expect(try wire.command("export", #""variant":"original""#)["result"]?.string == "one two\n")
  }

  @Test("A last line without a line break has its places too")
  func lastLine() throws {
    let wire = wire("a\nbc")
    try wire.run("comment", #""line":2,"column":2,"text":"!""#)
    #expect(wire.buffer == "a\n{==bc==}{>>!<<}")
  }
}
