import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

/// What a client makes of one of our edits, beside putting it in where it was meant.
@Suite("Edits of ours in flight", .timeLimited) struct InFlightTests {
  enum Refusal: CaseIterable {
    case pretends
    case refuses
    case fails
  }

  private func refuse(_ request: JSON, _ refusal: Refusal, on wire: Wire) {
    switch refusal {
    case .pretends: wire.reply(to: request)
    case .refuses: wire.reply(to: request, #"{"applied":false}"#)
    case .fails: wire.fail(request)
    }
  }

  private func wire(_ text: String, marking: String = "idle") -> Wire {
    let wire = Wire(
      capabilities: Wire.saving,
      settings: #"{"tracking":"on","marking":"\#(marking)"}"#
    )
    wire.open(text)
    return wire
  }

  /// Saves: what the server gives for it is put in.
  private func save(_ wire: Wire) throws {
    let answer = try wire.ask("willSaveWaitUntil", #""reason":1"#)
    let edits = wire.edits(answer)
    if !edits.isEmpty { wire.change(edits) }
    wire.notify("textDocument/didSave", #"{"textDocument":{"uri":"\#(wire.uri)"}}"#)
  }

  @Test("What was typed is marked after a refusal", arguments: Refusal.allCases)
  func refused(_ refusal: Refusal) throws {
    let wire = wire("one two\n")
    try wire.type("x ", before: "two")
    let request = try #require(wire.wait(750).edits.first)
    refuse(request, refusal, on: wire)
    wire.wait(2000)
    try wire.type("y ", before: "one")
    wire.takeEdits()
    try save(wire)
    #expect(wire.buffer == "{++y ++}one {++x ++}two\n")
  }

  @Test(
    "What was typed after the edit was sent, which was refused for it, is marked with the rest",
    arguments: Refusal.allCases,
    [0, 300, 1200]
  )
  func refusedForTyping(_ refusal: Refusal, _ delay: Int) throws {
    let wire = wire("one two\n")
    try wire.type("x", before: "two")
    let request = try #require(wire.wait(750).edits.first)
    try wire.type("y ", before: "two")
    wire.wait(delay)
    refuse(request, refusal, on: wire)
    wire.takeEdits()
    try save(wire)
    #expect(wire.buffer == "one {++xy ++}two\n")
  }

  @Test("A decision that was not carried out leaves the text alone", arguments: Refusal.allCases)
  func refusedDecision(_ refusal: Refusal) throws {
    let wire = wire("one {++two ++}three\n")
    try wire.command("accept", #""range":\#(wire.range(of: "two "))"#)
    let request = try #require(wire.messages.edits.first)
    refuse(request, refusal, on: wire)
    wire.wait(10_000)
    #expect(wire.messages.edits.count == 1)
    try wire.type("x ", before: "one")
    wire.takeEdits()
    try save(wire)
    #expect(wire.buffer == "{++x ++}one {++two ++}three\n")
  }

  @Test("A decision that was given up and lands all the same is no edit of the user")
  func givenUp() throws {
    let wire = wire("one {++two ++}three {--four--}\n")
    try wire.command("reject", #""range":\#(wire.range(of: "two "))"#)
    let request = try #require(wire.messages.edits.first)
    wire.reply(to: request)
    wire.wait(60_000)
    wire.apply(request)
    wire.wait(10_000)
    try save(wire)
    #expect(wire.buffer == "one three {--four--}\n")
  }

  @Test("What was typed after an edit that lands late is marked, and nothing else")
  func typedAfter() throws {
    let wire = wire("one {++two ++}three\n")
    try wire.command("accept", #""range":\#(wire.range(of: "two "))"#)
    let request = try #require(wire.messages.edits.first)
    wire.wait(3000)
    // One notification holds both, as of clients that tell of changes after a while.
    let edits = wire.edits(in: request)
    let typed = Edit(wire.text.count - 1..<wire.text.count - 1, Array(" x".utf8))
    wire.change(edits + [typed])
    wire.reply(to: request)
    wire.takeEdits()
    try save(wire)
    #expect(wire.buffer == "one two three{++ x++}\n")
  }

  @Test("Tracking that was turned off meanwhile is off, and what was typed before is marked")
  func turnedOff() throws {
    let wire = wire("one two\n")
    try wire.type("x ", before: "two")
    let request = try #require(wire.wait(750).edits.first)
    try wire.command("toggleTracking", #""on":false"#)
    wire.wait(3000)
    wire.apply(request)
    wire.reply(to: request)
    wire.takeEdits()
    try wire.type("y ", before: "one")
    wire.takeEdits()
    #expect(wire.buffer == "y one {++x ++}two\n")
    #expect(try wire.command("status")["result"]?["tracking"]?.bool == false)
  }
}

// MARK: - Saving

extension InFlightTests {
  @Test("What was not put in on saving is put in on the next", arguments: ["idle", "save"])
  func savingDropped(_ marking: String) throws {
    let wire = wire("one two\n", marking: marking)
    try wire.type("x ", before: "two")
    _ = try wire.ask("willSaveWaitUntil", #""reason":1"#)
    wire.notify("textDocument/didSave", #"{"textDocument":{"uri":"\#(wire.uri)"}}"#)
    wire.takeEdits()
    try wire.type("y ", before: "one")
    try save(wire)
    wire.takeEdits()
    #expect(wire.buffer == "{++y ++}one {++x ++}two\n")
  }

  @Test(
    "What is given for saving while an edit is in flight marks once, in whatever order they land",
    arguments: [false, true],
    [false, true]
  )
  func savingInFlight(_ editLands: Bool, _ answerIsPutIn: Bool) throws {
    let wire = wire("one two\n")
    try wire.type("x ", before: "two")
    let request = try #require(wire.wait(750).edits.first)
    let answer = try wire.ask("willSaveWaitUntil", #""reason":1"#)
    // The edit was sent before the answer, and so the client has it first.
    if editLands {
      wire.apply(request)
      wire.reply(to: request)
    } else {
      wire.reply(to: request, #"{"applied":false}"#)
    }
    let edits = wire.edits(answer)
    if answerIsPutIn, !edits.isEmpty { wire.change(edits) }
    wire.takeEdits()
    try save(wire)
    #expect(wire.buffer == "one {++x ++}two\n")
    wire.wait(10_000)
    #expect(wire.buffer == "one {++x ++}two\n")
  }

  @Test("What was typed is taken back before the steps after a save, all of it told at once")
  func undoingAtOnce() throws {
    let wire = wire("One two {++fox++} runs.\n", marking: "save")
    wire.tell([Edit(4..<8, []), Edit(0..<4, []), Edit(10..<10, Array("far ".utf8))])
    try save(wire)
    let saved = "{~~One two ~>fox~~} {++far ++}runs.\n"
    #expect(wire.buffer == saved)
    try wire.type("y", before: "runs")
    let typed = try wire.offsets(of: "y")
    wire.tell([
      Edit(typed.upperBound..<typed.upperBound, Array("z".utf8)),
      Edit(typed.lowerBound..<typed.upperBound + 1, []),
      Edit(1..<30, Array("++fox++} ".utf8)),
      Edit(0..<0, Array("One ".utf8)),
    ])
    #expect(wire.buffer == "One {++fox++} runs.\n")
    wire.takeEdits()
    try save(wire)
    #expect(wire.buffer == "One {~~two ~>fox~~} runs.\n")
  }

  @Test("One undo over marks and what was typed before they came is held")
  func undoingOver() throws {
    let wire = wire("One two three\n")
    try wire.replace("two ", with: "")
    let answer = try wire.ask("willSaveWaitUntil", #""reason":1"#)
    let marks = try #require(wire.edits(answer).first)
    wire.tell([Edit(4..<4, Array("q".utf8)), marks])
    wire.notify("textDocument/didSave", #"{"textDocument":{"uri":"\#(wire.uri)"}}"#)
    #expect(wire.buffer == "One {--two --}qthree\n")
    wire.travel(to: "One three\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("One undo over a deletion and the growing of its mark is undo, and one redo is redo")
  func undoingOverGrowth() throws {
    let wire = wire("One two.\n")
    try wire.replace("t", with: "")
    wire.takeEdits()
    try wire.replace("w", with: "")
    wire.takeEdits()
    #expect(wire.buffer == "One {--tw--}o.\n")
    let letter = Array("w".utf8)
    wire.tell([Edit(12..<12, letter), Edit(8..<9, [])])
    #expect(wire.buffer == "One {--t--}wo.\n")
    #expect(wire.wait(60_000).edits.isEmpty)
    wire.tell([Edit(8..<8, letter), Edit(12..<13, [])])
    #expect(wire.buffer == "One {--tw--}o.\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("Backspace over what was typed and a sign that was put back is no undo")
  func backspaceOverSign() throws {
    let wire = wire("One{~~ ~>x~~} two.\n")
    let backspaces = [Edit(9..<10, []), Edit(8..<9, [])]
    wire.tell(backspaces)
    wire.tell([Edit(8..<8, Array("x".utf8))])
    #expect(wire.buffer == "One{~~ ~x~~} two.\n")
    wire.takeEdits()
    #expect(wire.buffer == "One{~~ ~>x~~} two.\n")
    wire.tell(backspaces)
    #expect(!wire.wait(60_000).edits.isEmpty)
  }

  @Test("Undo that is told part by part, a letter of a mark first, is held")
  func undoingInParts() throws {
    let wire = wire("One two.\nThree.\n")
    try wire.replace("t", with: "")
    wire.takeEdits()
    try wire.replace("w", with: "")
    try wire.replace("Three", with: "Four")
    wire.takeEdits()
    #expect(wire.buffer == "One {--tw--}o.\n{~~Three~>Four~~}.\n")
    wire.tell([Edit(8..<9, [])])
    wire.tell([Edit(try wire.offsets(of: "{~~Three~>Four~~}"), Array("Three".utf8))])
    #expect(wire.buffer == "One {--t--}o.\nThree.\n")
    #expect(wire.wait(60_000).edits.isEmpty)
  }

  @Test("What an edit of ours has put in stays where it is when text far away is deleted")
  func savingInRepeatedText() throws {
    let wire = wire("One.\n\n- Two.\n\na {--bed --}cat dog.\n", marking: "save")
    try tell("a {--bed --}dog.\n", insteadOf: "a {--bed --}cat dog.\n", on: wire)
    let answer = try wire.ask("willSaveWaitUntil", #""reason":1"#)
    #expect(wire.edits(answer).count == 1)
    // What was put in can be told one place further left.
    try tell("a {--bed cat --}dog.\n", insteadOf: "a {--bed --}dog.\n", on: wire)
    try wire.replace("- Two.\n\n", with: "")
    try save(wire)
    #expect(wire.buffer == "One.{--\n\n- Two.--}\n\na {--bed cat --}dog.\n")
  }

  /// Tells of a line as a whole.
  private func tell(_ line: String, insteadOf old: String, on wire: Wire) throws {
    wire.tell([Edit(try wire.offsets(of: old), Array(line.utf8))])
  }

  @Test("What is given for saving is put in once more, and marks once")
  func savingTwice() throws {
    let wire = wire("one two three\n", marking: "save")
    try wire.type("x ", before: "two")
    try wire.replace(" three", with: "")
    let first = try wire.ask("formatting", #""options":{"tabSize":2,"insertSpaces":true}"#)
    let second = try wire.ask("willSaveWaitUntil", #""reason":1"#)
    wire.change(wire.edits(first))
    wire.change(wire.edits(second))
    try save(wire)
    #expect(wire.buffer == "one {++x ++}two{-- three--}\n")
  }

  @Test(
    "What is put in on saving after the user typed on is put right on the next",
    arguments: ["ab ", "c\n"],
    ["x ", ""]
  )
  func savingLate(_ typed: String, _ word: String) throws {
    let wire = wire("one two three\n", marking: "save")
    if word.isEmpty {
      try wire.replace("two ", with: "")
    } else {
      try wire.type(word, before: "two")
    }
    let answer = try wire.ask("willSaveWaitUntil", #""reason":1"#)
    try wire.type(typed, before: "one")
    wire.change(wire.edits(answer))
    try save(wire)
    let marked = word.isEmpty ? "{--two --}three" : "{++\(word)++}two three"
    #expect(wire.buffer == "{++\(typed)++}one \(marked)\n")
  }
}

// MARK: - Clients that put in edits of a text that is gone

extension InFlightTests {
  /// Where the user types on while an edit is in flight.
  enum Place: CaseIterable {
    case lineBefore
    case endOfLineBefore
    case before
    case inside
    case after
    case lineAfter
  }

  private func type(_ word: String, _ place: Place, on client: ClientModel) {
    let text = client.buffer
    let at: String.Index? =
      switch place {
      case .lineBefore: text.startIndex
      case .endOfLineBefore: text.firstRange(of: "\n")?.lowerBound
      case .before: text.firstRange(of: "one")?.lowerBound
      case .inside:
        text.firstRange(of: "w three")?.lowerBound ?? text.firstRange(of: "three")?.lowerBound
      case .after: text.firstRange(of: "three")?.lowerBound
      case .lineAfter: text.firstRange(of: "last")?.lowerBound
      }
    let offset = text.utf8.distance(from: text.startIndex, to: at ?? text.endIndex)
    let total = content(of: client.text.bytes)
    let index = total.firstIndex { $0.lowerBound == offset } ?? 0
    client.begin(
      at: CleanPlace(
        at: Double(index) / Double(total.count),
        isBefore: true,
        in: client.text.bytes
      )
    )
    for letter in word { client.type(letter) }
  }

  @Test(
    "Marks that land where they were not meant, because the user typed on, are put right",
    arguments: [ClientHabits.eglot117, .vimLSP, .yegappan],
    Place.allCases
  )
  func stale(_ habits: ClientHabits, _ place: Place) throws {
    for (isDeletion, word) in [(false, "ab "), (true, "ab "), (false, "ab\n"), (true, "ab\n")] {
      try checkStale(habits, isDeletion: isDeletion, typing: [word], place)
    }
  }

  @Test(
    "They are put right too where they are told together with what was typed after them",
    arguments: [ClientHabits.eglot117, .vimLSP, .yegappan],
    Place.allCases
  )
  func staleAndTypedOn(_ habits: ClientHabits, _ place: Place) throws {
    for (isDeletion, words) in [
      (false, ["ab", "c "]), (true, ["ab", "c "]), (false, ["a", "b\n"]), (true, ["a\n", "b"]),
      (false, ["\n", "é"]), (true, ["é", "👍🏽"]),
    ] {
      try checkStale(habits, isDeletion: isDeletion, typing: words, place)
    }
  }

  @Test("A comment that lands where it was not meant is put right beside marks that look like it")
  func staleComment() throws {
    let client = try ClientModel(
      .yegappan,
      "a one{==two==}{>>n<<} b\n",
      options: #"{"tracking":"on"}"#
    )
    let members = #""range":\#(Wire.range(0, 4, 0, 10)),"text":"note""#
    try client.command("comment", members)
    try #require(!client.inbox.isEmpty)
    client.begin(at: CleanPlace(at: 5.0 / 10, isBefore: false, in: client.text.bytes))
    for letter in "new" { client.type(letter) }
    client.leaveInsertMode()
    client.wait(20_000)
    try client.format()
    client.wait(20_000)
    #expect(client.buffer == "a {==one==}{++new++}{==two==}{>>n<<}{>>note<<} b\n")
  }

  /// Types on while the marks of an insertion or a deletion come: the first word before them.
  private func checkStale(
    _ habits: ClientHabits,
    isDeletion: Bool,
    typing words: [String],
    _ place: Place
  ) throws {
    let client = try ClientModel(
      habits,
      "first\none two three four\nlast\n",
      options: #"{"tracking":"on","marking":"idle"}"#
    )
    client.lag = words.count > 1 ? 40 : 400
    if isDeletion {
      let places = content(of: client.text.bytes)
      let start = Double(10) / Double(places.count)
      let two = try #require(CleanPlace(4, at: start, in: client.text.bytes))
      client.replace(two, with: "")
    } else {
      type("new ", .after, on: client)
      client.leaveInsertMode()
    }
    // Until the edit is sent, and not until it arrives.
    while client.inbox.isEmpty, client.now < 20_000 { client.wait(10) }
    try #require(!client.inbox.isEmpty)
    type(words[0], place, on: client)
    for word in words.dropFirst() {
      client.wait(50)
      for letter in word { client.type(letter) }
    }
    client.wait(500)
    client.leaveInsertMode()
    client.lag = 0
    client.wait(10_000)
    try client.save(.putIn)
    client.wait(10_000)
    try client.format()
    client.wait(10_000)
    guard !client.isSpoilt else { return }
    let found = ClientModel.Twin(of: client.text)
    let film = Comment(rawValue: "\(habits), typed \(words)\n\(client.film)")
    #expect(found.clean == client.twin.clean, film)
    #expect(found.original == client.twin.original, film)
  }
}
