import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Going from change to change", .timeLimited) struct NavigationTests {
  private static let showing =
    #"{"workspace":{"applyEdit":true},"window":{"showDocument":{"support":true}}}"#
  private let draft = "a {++b++} c {--d--}{>>why?<<} e {~~f~>g~~} {==h {++i++}==} {>>j<<}\n"

  private func wire(_ text: String, _ capabilities: String = Wire.editing) -> Wire {
    let wire = Wire(capabilities: capabilities)
    wire.open(text)
    return wire
  }

  /// Runs a command at an offset; the text that the answer's range holds.
  private func go(_ wire: Wire, _ command: String, _ offset: Int) throws -> String? {
    let place = wire.range(offset..<offset)
    let answer = try #require(try wire.command(command, #""range":\#(place)"#)["result"])
    guard !answer.isNull else { return nil }
    #expect(answer["uri"]?.string == wire.uri)
    return try held(wire, answer["range"])
  }

  /// The text that an LSP range holds.
  private func held(_ wire: Wire, _ range: JSON?) throws -> String {
    let conversions = Conversions(text: wire.text, encoding: wire.server.client.encoding)
    let offsets = try #require(conversions.range(of: range))
    return String(decoding: wire.text[offsets], as: UTF8.self)
  }

  @Test(
    "Next goes to the first change that begins after the place, and around at the end",
    arguments: [
      (0, "{++b++}"), (1, "{++b++}"), (2, "{--d--}"), (5, "{--d--}"), (25, "{~~f~>g~~}"),
      (33, "{==h {++i++}==}"), (44, "{++i++}"), (50, "{>>j<<}"), (66, "{++b++}"),
      (1000, "{++b++}"),
    ]
  )
  func next(_ offset: Int, _ found: String) throws {
    #expect(try go(wire(draft), "next", offset) == found)
  }

  @Test(
    "Previous goes to the last change that begins before the place, and around at the beginning",
    arguments: [
      (0, "{>>j<<}"), (2, "{>>j<<}"), (3, "{++b++}"), (12, "{++b++}"), (13, "{--d--}"),
      (48, "{==h {++i++}==}"), (1000, "{>>j<<}"),
    ]
  )
  func previous(_ offset: Int, _ found: String) throws {
    #expect(try go(wire(draft), "previous", offset) == found)
  }

  @Test(
    "A kind leads to the changes of that kind, and comment to what has one",
    arguments: [
      ("next", "addition", 2, "{++i++}"), ("next", "deletion", 0, "{--d--}"),
      ("next", "substitution", 0, "{~~f~>g~~}"), ("next", "highlight", 0, "{==h {++i++}==}"),
      ("next", "comment", 0, "{--d--}"), ("next", "comment", 12, "{>>j<<}"),
      ("previous", "addition", 40, "{++b++}"), ("previous", "addition", 1, "{++i++}"),
      ("previous", "comment", 51, "{--d--}"), ("nextUncommented", "deletion", 0, nil),
    ]
  )
  func byKind(_ command: String, _ kind: String, _ offset: Int, _ found: String?) throws {
    let wire = wire(draft)
    let place = wire.range(offset..<offset)
    let answer = try wire.command(command, #""range":\#(place),"kind":"\#(kind)""#)["result"]
    guard let found else {
      #expect(answer?.isNull == true)
      return
    }
    #expect(try held(wire, answer?["range"]) == found)
  }

  @Test("A pending change is of the kind that its mark will be, and a kind that is none is named")
  func pendingKind() throws {
    let wire = wire("{--a--} b\n")
    try wire.type("x", before: "b")
    let members = #""position":{"line":0,"character":0},"kind":"#
    let answer = try wire.command("next", members + #""addition""#)["result"]
    #expect(try held(wire, answer?["range"]) == "x")
    #expect(try wire.command("next", members + #""rumour""#).problem.contains("kind must be"))
  }

  // MARK: - Accept or reject, and on

  /// Runs a command at an offset, lets its edit land, and returns what the answer then holds, and what was
  /// shown.
  private func settle(
    _ wire: Wire,
    _ command: String,
    _ range: Range<Int>
  ) throws -> (held: String?, answer: JSON) {
    let count = wire.messages.edits.count
    let answer = try #require(
      try wire.command(command, #""range":\#(wire.range(range))"#)["result"]
    )
    for request in wire.messages.edits.dropFirst(count) {
      wire.apply(request)
      wire.reply(to: request)
    }
    return (answer.isNull ? nil : try held(wire, answer["range"]), answer)
  }

  @Test("The change is settled, and the next one is where the answer and the caret lead")
  func andNext() throws {
    let wire = wire("a {++b++}{--c--}{>>d<<} e {~~f~>g~~} {++h++}\n", NavigationTests.showing)
    for (command, place, text, found) in [
      ("acceptAndNext", 4, "a b{--c--}{>>d<<} e {~~f~>g~~} {++h++}\n", "{--c--}"),
      ("rejectAndNext", 4, "a bc e {~~f~>g~~} {++h++}\n", "{~~f~>g~~}"),
      ("acceptAndNext", 21, "a bc e {~~f~>g~~} h\n", "{~~f~>g~~}"),
    ] {
      let (held, answer) = try settle(wire, command, place..<place)
      #expect(wire.buffer == text)
      #expect(held == found)
      #expect(answer["uri"]?.string == wire.uri)
      let shown = wire.messages.last { $0["method"]?.string == "window/showDocument" }
      #expect(
        shown?["params"]?["selection"]?["start"]?.description
          == answer["range"]?["start"]?.description
      )
    }
    #expect(try settle(wire, "rejectAndNext", 9..<9).held == nil)
    #expect(wire.buffer == "a bc e f h\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("After a part comes the rest of the change")
  func partAndNext() throws {
    let wire = wire("a {++bcd++} {--e--}\n")
    #expect(try settle(wire, "acceptAndNext", 6..<7).held == "{++d++}")
    #expect(wire.buffer == "a {++b++}c{++d++} {--e--}\n")
    #expect(try settle(wire, "rejectAndNext", 13..<14).held == "{--e--}")
  }

  @Test("What is pending is put into marks by the same edit, and accepting it needs none")
  func pendingAndNext() throws {
    let wire = wire("a {++b++} c {--d--}\n", NavigationTests.showing)
    try wire.type("x", before: "a")
    #expect(try settle(wire, "acceptAndNext", 6..<6).held == "{--d--}")
    #expect(wire.buffer == "{++x++}a b c {--d--}\n")
    try wire.type("y", before: "c")
    #expect(try settle(wire, "acceptAndNext", 12..<12).held == "{--d--}")
  }

  @Test("What comes while our edit is on its way is done after it, and the caret goes on then")
  func andNextWaits() throws {
    let wire = wire("a {++b++} c {--d--}\n", NavigationTests.showing)
    try wire.type("x", before: "c")
    let marks = try #require(wire.wait(1000).edits.first)
    let answer = try wire.command("acceptAndNext", #""range":\#(wire.range(5..<5))"#)["result"]
    #expect(try held(wire, answer?["range"]) == "x")
    wire.apply(marks)
    wire.reply(to: marks)
    let own = try #require(wire.messages.edits.last)
    wire.apply(own)
    #expect(wire.buffer == "a b {++x++}c {--d--}\n")
    let shown = wire.messages.last { $0["method"]?.string == "window/showDocument" }
    #expect(shown?["params"]?["selection"]?["start"]?["character"]?.integer == 4)
  }

  @Test("Where there is nothing to settle, an error says so and nothing is shown")
  func nothingAndNext() throws {
    let wire = wire("a {++b++}\n", NavigationTests.showing)
    #expect(try wire.command("acceptAndNext", #""change":2"#).problem.contains("change must be"))
    let place = #""position":{"line":0,"character":0}"#
    #expect(try wire.command("acceptAndNext", place).problem.contains("no change"))
    #expect(!wire.messages.contains { $0["method"]?.string == "window/showDocument" })
  }

  @Test(
    "Next uncommented passes over what has a thread, highlights and comments",
    arguments: [
      (0, "{++b++}"), (2, "{~~f~>g~~}"), (33, "{++i++}"), (50, "{++b++}"),
    ]
  )
  func nextUncommented(_ offset: Int, _ found: String) throws {
    #expect(try go(wire(draft), "nextUncommented", offset) == found)
  }

  @Test("Going on and on visits every change once in each direction")
  func around() throws {
    let wire = wire(draft)
    for command in ["next", "previous"] {
      var visited: [String] = []
      var place = #""position":{"line":0,"character":0}"#
      for _ in 1...7 {
        let answer = try #require(try wire.command(command, place)["result"])
        let range = try #require(answer["range"])
        visited.append(try held(wire, range))
        place = #""range":\#(range)"#
      }
      #expect(Set(visited.prefix(6)).count == 6)
      #expect(visited[6] == visited[0])
    }
  }

  @Test(
    "Where there is nothing to go to, the answer is null and the caret stays",
    arguments: [
      ("next", "one\n"), ("previous", ""), ("nextUncommented", "{==a==} {++b++}{>>c<<}\n"),
      ("next", "{++a\n"), ("annotate", "{==a==}\n"),
    ]
  )
  func nothing(_ command: String, _ text: String) throws {
    let wire = wire(text, NavigationTests.showing)
    let answer = try wire.command(command, #""position":{"line":0,"character":0}"#)
    #expect(answer["result"]?.isNull == true)
    #expect(wire.messages.of("window/showDocument").isEmpty)
  }

  @Test("The only change is next and previous even at itself")
  func only() throws {
    let wire = wire("{++a++}\n")
    for command in ["next", "previous", "nextUncommented"] {
      for offset in [0, 3, 7] { #expect(try go(wire, command, offset) == "{++a++}") }
    }
  }

  @Test("The caret is moved to the change's beginning where the client can do that")
  func caret() throws {
    let wire = wire("😀\na {++b++}\n", NavigationTests.showing)
    try wire.command("next", #""position":{"line":0,"character":0}"#)
    let shown = wire.messages.of("window/showDocument").compactMap { $0["params"] }
    #expect(shown.map { $0["uri"]?.string } == [wire.uri])
    #expect(shown.first?["selection"]?.description == Wire.range(1, 2, 1, 2))
    #expect(shown.first?["takeFocus"]?.bool == true)
  }

  @Test("A client that shows no documents gets the answer alone")
  func noShowing() throws {
    let wire = wire(draft)
    #expect(try go(wire, "next", 0) == "{++b++}")
    #expect(wire.messages.of("window/showDocument").isEmpty)
  }

  @Test("What is pending is a change to go to, and one without a comment")
  func pending() throws {
    let wire = wire("one two {++a++}\n")
    try wire.replace("two", with: "ten")
    #expect(try go(wire, "next", 0) == "ten")
    #expect(try go(wire, "previous", 8) == "ten")
    #expect(try go(wire, "nextUncommented", 0) == "ten")
  }

  @Test("Far away changes are found across a long text")
  func far() throws {
    let gap = String(repeating: "word ", count: 20_000)
    let wire = wire("{++a++} \(gap){--b--}\(gap)\n")
    #expect(try go(wire, "next", 10) == "{--b--}")
    #expect(try go(wire, "previous", 100_000) == "{++a++}")
    #expect(try go(wire, "previous", 200_000) == "{--b--}")
    #expect(try go(wire, "nextUncommented", 150_000) == "{++a++}")
  }

  @Test("Going needs a place to start from", arguments: ["next", "previous", "nextUncommented"])
  func wrongPlace(_ command: String) throws {
    let wire = wire(draft)
    #expect(try wire.command(command).code == -32_602)
    #expect(try wire.command(command, #""position":7"#).problem.contains("position"))
  }

  // MARK: - Annotating

  /// Runs `critic.annotate`, applies what it sends, and tells the answer as `old→new`, what its range
  /// holds, its number and how many are left.
  private func annotate(_ wire: Wire, _ members: String = "") throws -> [String]? {
    let count = wire.messages.edits.count
    let answer = try #require(try wire.command("annotate", members)["result"])
    for request in wire.messages.edits.dropFirst(count) {
      wire.apply(request)
      wire.reply(to: request)
    }
    guard !answer.isNull else { return nil }
    #expect(answer["uri"]?.string == wire.uri)
    let numbers = [answer["change"]?.integer, answer["left"]?.integer].compactMap(\.self)
    let (old, new) = (try #require(answer["old"]?.string), try #require(answer["new"]?.string))
    return ["\(old)→\(new)", try held(wire, answer["range"])] + numbers.map(String.init)
  }

  @Test("A pass through the uncommented changes comments on each and ends with null")
  func pass() throws {
    let wire = wire(draft)
    #expect(try annotate(wire) == ["→b", "{++b++}", "1", "3"])
    #expect(try annotate(wire, #""text":"first""#) == ["f→g", "{~~f~>g~~}", "3", "2"])
    let third = try #require(try annotate(wire, #""change":3,"text":"second""#))
    #expect(third == ["→i", "{++i++}", "5", "1"])
    #expect(try annotate(wire, #""position":{"line":0,"character":0},"text":"third""#) == nil)
    #expect(
      wire.buffer
        == "a {++b++}{>>first<<} c {--d--}{>>why?<<} e {~~f~>g~~}{>>second<<} "
        + "{==h {++i++}{>>third<<}==} {>>j<<}\n"
    )
    #expect(wire.wait(60_000).edits.isEmpty)
    #expect(try wire.command("status")["result"]?["uncommented"]?.integer == 0)
  }

  @Test("Annotating begins with the change at the place, or after it, and goes around")
  func place() throws {
    let wire = wire(draft)
    let places = [(5, "{++b++}"), (9, "{~~f~>g~~}"), (15, "{~~f~>g~~}"), (60, "{++b++}")]
    for (offset, found) in places {
      let range = wire.range(offset..<offset)
      #expect(try annotate(wire, #""range":\#(range)"#)?[1] == found)
    }
    #expect(try annotate(wire, #""position":{"line":0,"character":60},"text":"x""#)?[3] == "2")
    #expect(wire.buffer.hasPrefix("a {++b++}{>>x<<}"))
  }

  @Test(
    "What is pending is put into marks by the comment's edit, and the answer is where it is then"
  )
  func annotatePending() throws {
    let wire = wire("one two three\n")
    try wire.type("x", before: "two")
    try wire.replace("three", with: "four")
    #expect(try annotate(wire) == ["→x", "x", "1", "2"])
    let next = try annotate(wire, #""text":"why""#)
    #expect(next == ["three→four", "{~~three~>four~~}", "2", "1"])
    #expect(wire.buffer == "one {++x++}{>>why<<}two {~~three~>four~~}\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test(
    "A comment that waits for our edit is written after it, and the next change is told at once"
  )
  func annotateWhileMarking() throws {
    let wire = wire("one {++two++} {--three--} four\n")
    try wire.type("x", before: "four")
    #expect(wire.wait(750).edits.count == 1)
    let answer = try wire.command("annotate", #""text":"why""#)["result"]
    #expect(try held(wire, answer?["range"]) == "{--three--}")
    #expect(answer?["left"]?.integer == 2)
    wire.takeEdits()
    #expect(wire.buffer == "one {++two++}{>>why<<} {--three--} {++x++}four\n")
  }

  @Test("The author stands before the reason")
  func author() throws {
    let wire = Wire(settings: #"{"tracking":"on","author":"Ada"}"#)
    wire.open("{++a++}\n")
    #expect(try annotate(wire, #""text":"why""#) == nil)
    #expect(wire.buffer == "{++a++}{>>@Ada: why<<}\n")
  }

  @Test("A reason that nothing can take, and one that is no text, are refused in words")
  func refused() throws {
    let wire = wire("{++a++}{>>b<<}\n")
    #expect(try wire.command("annotate", #""text":"why""#).problem == "Every change has a comment.")
    #expect(try wire.command("annotate", #""text":7"#).code == -32_602)
    #expect(try wire.command("annotate", #""position":7"#).code == -32_602)
    let still = Wire(capabilities: "{}")
    still.open("{++a++}\n")
    #expect(try still.command("annotate", #""text":"why""#).code == -32_803)
  }

  @Test("Annotating takes no focus from where the reason is written")
  func focus() throws {
    let wire = wire(draft, NavigationTests.showing)
    _ = try annotate(wire)
    _ = try annotate(wire, #""text":"why""#)
    #expect(wire.messages.of("window/showDocument").isEmpty)
  }

  // MARK: - Status

  @Test(
    "The summary tells how many changes there are, and what is still to be done",
    arguments: [
      ("one\n", "no changes"), ("{==a==}{>>b<<}\n", "no changes, 1 thread"),
      ("{==a==}{>>[resolved] b<<}\n", "no changes"), ("{++a++}{>>b<<}\n", "1 change, 1 thread"),
      ("{++a++} {--b--}\n", "2 changes, 2 uncommented"),
      ("{++a++}{>>c<<} {--b--}\n", "2 changes, 1 uncommented, 1 thread"),
    ]
  )
  func summary(_ text: String, _ summary: String) throws {
    let wire = wire(text)
    #expect(try wire.command("status")["result"]?["summary"]?.string == summary)
    try wire.type("x", before: "\n")
    #expect(try wire.command("status")["result"]?["summary"]?.string == summary + ", 1 pending")
  }

  @Test("It tells how many changes begin at a place or before it, and who made how many")
  func whereAndWho() throws {
    let wire = wire(
      "# One\n\n{++a++}{>>@bo<<} one\n\n{==x==}{>>y<<} {--b--}{>>@Ada_B: no<<}\n\n"
        + "{++c++}{>>@bo<<} {++d++}\n"
    )
    func status(_ place: String? = nil) throws -> JSON? {
      let start = try place.map { try wire.offsets(of: $0).lowerBound }
      let position = start.map { #""range":\#(wire.range($0..<$0))"# }
      return try wire.command("status", position ?? "")["result"]
    }
    for (place, count) in [
      ("# One", 0), ("{++a", 1), ("one", 1), ("{==", 1), ("{--", 2), ("d++", 4),
    ] {
      #expect(try status(place)?["at"]?.integer == count, "\(place)")
    }
    #expect(try status()?["at"]?.isNull == true)
    let authors = #"[{"author":"bo","changes":2},{"author":"Ada B","changes":1}]"#
    #expect(try status()?["authors"]?.description == authors)
  }

  /// On both sides of the longest text that is read for it.
  @Test("Who made how many is told of texts up to 1 MiB", arguments: [0, 1])
  func authorsOfLongTexts(_ more: Int) throws {
    let mark = "{++a++}{>>@bo<<}\n"
    let rest = AuthorCount.longestText - mark.utf8.count + more
    let wire = Wire(client: "Zed")
    wire.open(mark + String(repeating: "x", count: rest))
    let status = try wire.command("status")["result"]
    #expect(status?["authors"]?.count == 1 - more)
    #expect(status?["changes"]?.integer == 1)
  }

  @Test("While a comment waits for our edit, the pass goes around at the end of the document too")
  func annotatesAround() throws {
    let wire = Wire()
    wire.open("{++a++} one {++b++} two\n")
    try wire.type("x", before: " one")
    try #require(wire.wait(750).edits.count == 1)
    let place = wire.range(try wire.offsets(of: "b++}"))
    let next = try wire.command("annotate", #""range":\#(place),"text":"why""#)["result"]
    #expect(next?["new"]?.string == "a")
  }

  @Test("At the beginning of a thread it is the first comment whose text is selected")
  func selectsFirst() throws {
    let wire = Wire(
      capabilities:
        #"{"workspace":{"applyEdit":true},"window":{"showDocument":{"support":true}}}"#
    )
    wire.open("one {>>first<<}{>>last<<}\n")
    try wire.command("editComment", #""range":\#(Wire.range(0, 4, 0, 4))"#)
    let shown = try #require(wire.messages.of("window/showDocument").last)
    #expect(try wire.text(in: shown["params"]?["selection"]) == "first")
  }
}
