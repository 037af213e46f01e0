import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("What other processes ask of the server that has a file open", .timeLimited)
struct OwnerCallTests {
  /// A session with a document, which another process asks about.
  private final class Line {
    let wire: Wire
    /// The answers, each to whom.
    private(set) var answers: [(caller: Int, body: JSON)] = []

    init(_ text: String, client: String = "Neovim", settings: String = #"{"tracking":"on"}"#) {
      wire = Wire(client: client, settings: settings)
      wire.open(text)
    }

    /// Sends a message; returns what the editor is sent.
    @discardableResult
    func call(
      _ method: String,
      _ params: String = "{}",
      from caller: Int = 1,
      isOpen: Bool = true
    ) throws -> [JSON] {
      let body = #"{"jsonrpc":"2.0","id":5,"method":"\#(method)","params":\#(params)}"#
      let key = isOpen ? DocumentKey(uri: wire.uri) : nil
      let sent = wire.handle(.call(from: caller, Array(body.utf8), about: key))
      try listen()
      return sent
    }

    func listen() throws {
      for answer in wire.server.calls.takeAnswers() {
        answers.append((answer.caller, try JSON(parsing: answer.message.body)))
      }
    }

    /// The text and the state that the server gives.
    func shown() throws -> (text: String, state: Int, isMarked: Bool) {
      try call("text")
      let result = try #require(answers.last?.body["result"])
      return (
        try #require(result["text"]?.string), try #require(result["state"]?.integer),
        result["isMarked"]?.bool == true
      )
    }

    /// Types letters, with pauses, until what was asked is answered with the text; returns the letters, that and its
    /// state.
    func typeUntilAnswered(
      before word: String
    ) throws -> (typed: String, text: String, state: Int) {
      var typed = ""
      while answers.isEmpty, wire.now < 10_000 {
        typed += "a"
        try wire.type("a", before: word)
        wire.wait(600)
        try listen()
      }
      let result = try #require(answers.last?.body["result"])
      return (typed, result["text"]?.string ?? "", result["state"]?.integer ?? 0)
    }

    /// Asks for an edit that replaces some words; returns what the editor is sent.
    func edit(_ old: String, _ new: String, of text: String, _ state: Int) throws -> [JSON] {
      let start = try #require(Array(text.utf8).firstRange(of: Array(old.utf8))).lowerBound
      let edit = #"{"start":\#(start),"end":\#(start + old.utf8.count),"new":"\#(new)"}"#
      return try call("edit", #"{"state":\#(state),"edits":[\#(edit)]}"#)
    }
  }

  @Test("An edit is answered when it has landed, and stays beside what is pending")
  func landing() throws {
    let line = Line("One two three.\n")
    line.wire.wait(1000)
    let shown = try line.shown()
    #expect(shown.text == "One two three.\n")
    let request = try #require(try line.edit("two", "2", of: shown.text, shown.state).edits.first)
    #expect(request["params"]?["label"]?.string == OwnerCall.label)
    #expect(line.answers.count == 1)
    line.wire.reply(to: request)
    try line.listen()
    #expect(line.answers.count == 1)
    line.wire.apply(request)
    try line.listen()
    #expect(line.answers.count == 2)
    #expect(line.answers.last?.body["error"] == nil)
    #expect(line.wire.buffer == "One 2 three.\n")
  }

  @Test("What was typed just before stays pending, and is marked when the writer pauses")
  func pending() throws {
    let line = Line("One two three.\n")
    line.wire.wait(1000)
    try line.wire.type("and ", before: "three")
    try line.call("text")
    #expect(line.answers.isEmpty)
    // The writer types on.
    let (typed, text, state) = try line.typeUntilAnswered(before: "three")
    #expect((2000...3600).contains(line.wire.now))
    #expect(text == "One two and \(typed)three.\n")
    let request = try #require(try line.edit("One", "1", of: text, state).edits.first)
    line.wire.apply(request)
    line.wire.reply(to: request)
    line.wire.wait(1000)
    line.wire.takeEdits()
    #expect(line.wire.buffer == "1 two {++and \(typed)++}three.\n")
  }

  @Test("An edit that touches what is pending is not made beside it")
  func touching() throws {
    let line = Line("One two three.\n", settings: #"{"tracking":"on","marking":"command"}"#)
    line.wire.wait(1000)
    try line.wire.type("and ", before: "three")
    let shown = try line.shown()
    #expect(!shown.isMarked)
    #expect(try line.edit("and t", "T", of: shown.text, shown.state).edits.isEmpty)
    #expect(line.answers.last?.body["result"]?["touchesPending"]?.bool == true)
    try line.call("text", #"{"isMarked":true}"#)
    #expect(line.answers.last?.body["result"]?["text"]?.string == "One two {++and ++}three.\n")
  }

  @Test("What is shown while a mark is half typed is given with everything in marks")
  func halfTyped() throws {
    let line = Line("One {++two++} three.\n", settings: #"{"tracking":"on","marking":"command"}"#)
    line.wire.wait(1000)
    try line.wire.type("{--", before: "One")
    try line.wire.type("--}", before: " three")
    let shown = try line.shown()
    #expect(shown.isMarked == (shown.text != line.wire.buffer))
  }

  /// How an editor refuses an edit; nil if with an error.
  private static let refusals: [(reason: String?, told: String)] = [
    ("the editor is busy", "the editor refused it: the editor is busy"),
    ("A menu is open.", "the editor refused it: A menu is open."),
    ("", "the editor refused it"),
    (nil, "the editor refused it: require version 0, you have 1 (-32603)"),
  ]

  private func refuse(_ request: JSON, _ reason: String?, _ line: Line) throws {
    if let reason {
      line.wire.reply(to: request, #"{"applied":false,"failureReason":"\#(reason)"}"#)
    } else {
      line.wire.fail(request)
    }
    try line.listen()
  }

  @Test(
    "That the editor refuses an edit is told with the reason, and is no change of the text",
    arguments: refusals
  )
  func refusing(_ reason: String?, _ told: String) throws {
    let line = Line("One two three.\n")
    line.wire.wait(1000)
    let shown = try line.shown()
    for _ in 0..<2 {
      let request = try #require(try line.edit("two", "2", of: shown.text, shown.state).edits.first)
      try refuse(request, reason, line)
      let error = try #require(line.answers.last?.body["error"])
      #expect(error["code"]?.integer == ResponseError.refusedByEditor("").code)
      #expect(error["message"]?.string == told)
    }
    try line.wire.type("zero ", before: "One")
    #expect(try line.edit("two", "2", of: shown.text, shown.state).edits.isEmpty)
    #expect(line.answers.last?.body["error"]?["code"]?.integer == -32_801)
  }

  @Test("An edit that is refused because the writer has typed on is of an old text")
  func overtaken() throws {
    let line = Line("One two three.\n")
    line.wire.wait(1000)
    let shown = try line.shown()
    let request = try #require(try line.edit("two", "2", of: shown.text, shown.state).edits.first)
    try line.wire.type("zero ", before: "One")
    try refuse(request, "It is of another version.", line)
    #expect(line.answers.last?.body["error"]?["code"]?.integer == -32_801)
  }

  @Test(
    "However often the editor refuses what others ask for, it marks what the writer types as before",
    arguments: refusals,
    ["One two three.\n", "One {++two++} three.\n"]
  )
  func marking(_ refusal: (reason: String?, told: String), _ text: String) throws {
    let line = Line(text)
    line.wire.wait(1000)
    var sent: [JSON] = []
    for _ in 0..<10 {
      let shown = try line.shown()
      let request = try #require(try line.edit("One", "1", of: shown.text, shown.state).edits.first)
      let count = line.wire.messages.count
      try refuse(request, refusal.reason, line)
      line.wire.wait(5000)
      sent += line.wire.messages[count...]
    }
    #expect(sent.shown.isEmpty)
    #expect(sent.edits.isEmpty)
    #expect(try line.wire.command("status")["result"]?["marking"]?.string == "idle")
    try line.wire.type("and ", before: "three")
    try line.wire.pause()
    #expect(line.wire.buffer == text.replacing("three", with: "{++and ++}three"))
  }

  @Test(
    "What the writer has typed before an edit is refused is marked all the same",
    arguments: refusals
  )
  func markingBeside(_ reason: String?, _ told: String) throws {
    let line = Line("One two three.\n")
    line.wire.wait(1000)
    try line.wire.type("and ", before: "three")
    // Who types on is waited for no longer than for a while.
    try line.call("text")
    let (typed, text, state) = try line.typeUntilAnswered(before: "three")
    let request = try #require(try line.edit("One", "1", of: text, state).edits.first)
    try refuse(request, reason, line)
    try line.wire.pause()
    #expect(line.wire.buffer == "One two {++and \(typed)++}three.\n")
  }

  @Test(
    "What the writer asks for while an edit is on its way is done when it is refused",
    arguments: refusals
  )
  func waitingActions(_ reason: String?, _ told: String) throws {
    let line = Line("One {++two++} three.\n")
    line.wire.wait(1000)
    let shown = try line.shown()
    let request = try #require(try line.edit("One", "1", of: shown.text, shown.state).edits.first)
    try line.wire.command("accept", #""change":1"#)
    try refuse(request, reason, line)
    line.wire.takeEdits()
    #expect(line.wire.buffer == "One two three.\n")
  }

  @Test("Who asks about a document that is closed then is answered")
  func closing() throws {
    let line = Line("One two three.\n")
    line.wire.wait(1000)
    let shown = try line.shown()
    _ = try line.edit("two", "2", of: shown.text, shown.state)
    try line.call("text", from: 2)
    line.wire.notify(
      "textDocument/didClose",
      #"{"textDocument":{"uri":\#(json(line.wire.uri))}}"#
    )
    try line.listen()
    #expect(line.answers.map(\.caller).sorted() == [1, 1, 2])
    let errors = line.answers.compactMap { $0.body["error"]?["message"]?.string }
    #expect(errors == ["the editor has not shown the edit"])
    try line.call("find", from: 3, isOpen: false)
    #expect(line.answers.last?.body["result"]?.isNull == true)
  }

  @Test(
    "Where the editor does not tell of every key, the file is nobody's",
    arguments: ["vim", "x"]
  )
  func others(_ client: String) throws {
    let line = Line("One two three.\n", client: client)
    try line.call("find")
    #expect(line.answers.last?.body["result"]?.isNull == true)
    let trusted = Line("One.\n", client: client, settings: #"{"tracking":"on","marking":"idle"}"#)
    try trusted.call("find")
    #expect(trusted.answers.last?.body["result"]?["uri"]?.string == trusted.wire.uri)
  }

  /// What the last answer says of the review: the texts, and whether it is done.
  private func review(_ line: Line) throws -> (texts: [String], isDone: Bool) {
    let result = try #require(line.answers.last?.body["result"])
    let json = try #require(result["steps"])
    let steps = try [EditJSON](json).map(\.edit)
    let first = try #require(result["first"]?.utf8)
    let texts = try #require(TextSequence(first, steps)).all
    return (texts.map { String(decoding: $0, as: UTF8.self) }, result["isDone"]?.bool == true)
  }

  /// Proposes to replace some words; the editor makes the edit.
  private func propose(_ old: String, _ new: String, _ line: Line) throws {
    let shown = try line.shown()
    let start = try #require(Array(shown.text.utf8).firstRange(of: Array(old.utf8))).lowerBound
    let edit = #"{"start":\#(start),"end":\#(start + old.utf8.count),"new":"\#(new)"}"#
    let asked = #"{"state":\#(shown.state),"isProposal":true,"edits":[\#(edit)]}"#
    let request = try #require(try line.call("edit", asked).edits.first)
    line.wire.apply(request)
    line.wire.reply(to: request)
    try line.listen()
  }

  @Test("Where a message would stop who types with a prompt, the log says that somebody waits")
  func prompts() throws {
    let line = Line("One two three.\n")
    let sent = try line.call("review", #"{"waits":true}"#)
    #expect(sent.of("window/showMessage").isEmpty)
    #expect(sent.of("window/logMessage").count == 1)
  }

  @Test("Who waits is told when the writer says done, with the text of each proposal")
  func waiting() throws {
    let line = Line("One two three.\n", settings: #"{"tracking":"on","acceptKey":"ga"}"#)
    line.wire.wait(1000)
    try propose("two", "{~~two~>2~~}", line)
    let sent = try line.call("review", #"{"waits":true,"author":"ai:x"}"#, from: 2)
    let message =
      "\(DocumentKey(uri: line.wire.uri).name): ai:x waits; critic.done ends it."
    #expect(sent.of("window/showMessage").map { $0["params"]?["message"]?.string } == [message])
    let long = Line("One.\n", settings: #"{"tracking":"on","acceptKey":"ga"}"#)
    let name = "somebody:with-a-name-that-takes-the-line"
    let said = try long.call("review", #"{"waits":true,"author":"\#(name)"}"#)
    #expect(
      said.of("window/showMessage").first?["params"]?["message"]?.string
        == "\(name) waits; critic.done ends it."
    )
    // Another one, who is not told of again.
    #expect(try line.call("review", #"{"waits":true}"#, from: 3).of("window/showMessage").isEmpty)
    try line.wire.run("accept", #""change":1"#)
    try line.wire.type("and ", before: "three")
    line.wire.wait(3000)
    line.wire.takeEdits()
    try propose("One", "{~~One~>1~~}", line)
    let count = line.answers.count
    #expect(try line.wire.command("status")["result"]?["waiting"]?.integer == 2)
    try line.wire.command("done")
    line.wire.wait(3000)
    line.wire.takeEdits()
    line.wire.wait(3000)
    try line.listen()
    #expect(Set(line.answers[count...].map(\.caller)) == [2, 3])
    let told = try review(line)
    #expect(told.isDone)
    #expect(told.texts.count == 4)
    #expect(told.texts.first == "One {~~two~>2~~} three.\n")
    #expect(told.texts[1].hasPrefix("One 2 "))
    #expect(told.texts[2].hasPrefix("{~~One~>1~~} 2 "))
    #expect(told.texts.last == line.wire.buffer)
    #expect(try line.wire.command("status")["result"]?["waiting"]?.integer == 0)
    // The next round begins with nothing.
    try line.call("review", from: 4)
    #expect(try review(line).texts == [line.wire.buffer])
    #expect(try !review(line).isDone)
  }

  @Test("Who asks after the writer has said done is told at once, and only then")
  func askingLate() throws {
    let line = Line("One two three.\n")
    line.wire.wait(1000)
    try propose("two", "{~~two~>2~~}", line)
    try line.wire.command("done")
    try line.call("review", #"{"waits":true}"#)
    #expect(try review(line).isDone)
    #expect(try review(line).texts.count == 2)
    let count = line.answers.count
    try line.call("review", #"{"waits":true}"#)
    #expect(line.answers.count == count)
    // A proposal after it is to be reviewed first.
    try line.wire.command("done")
    try line.listen()
    try line.wire.command("done")
    try propose("One", "{~~One~>1~~}", line)
    let before = line.answers.count
    try line.call("review", #"{"waits":true}"#)
    #expect(line.answers.count == before)
  }

  @Test("What a command of the writer's changes is no proposal")
  func otherEdits() throws {
    let line = Line("One {++two++} three.\n")
    line.wire.wait(1000)
    let shown = try line.shown()
    let request = try #require(
      try line.edit("{++two++}", "two", of: shown.text, shown.state).edits.first
    )
    line.wire.apply(request)
    line.wire.reply(to: request)
    try line.call("review")
    #expect(try review(line).texts == ["One two three.\n"])
  }

  @Test("Who is gone is not counted, and who waits for a document that is closed is told so")
  func leaving() throws {
    let line = Line("One two three.\n")
    line.wire.wait(1000)
    try line.call("review", #"{"waits":true}"#, from: 2)
    try line.call("review", #"{"waits":true}"#, from: 3)
    line.wire.handle(.callerLeft(2))
    #expect(try line.wire.command("status")["result"]?["waiting"]?.integer == 1)
    line.wire.notify(
      "textDocument/didClose",
      #"{"textDocument":{"uri":\#(json(line.wire.uri))}}"#
    )
    try line.listen()
    #expect(line.answers.map(\.caller) == [3])
    #expect(line.answers.last?.body["result"]?.isNull == true)
  }

  @Test("The action is offered while there are proposals or somebody waits, and says how far it is")
  func offering() throws {
    let line = Line("One two three.\n")
    line.wire.wait(1000)
    func titles() throws -> [String] {
      let range = line.wire.range(0..<0)
      let answer = try line.wire.request(
        "textDocument/codeAction",
        #"{"textDocument":{"uri":"\#(line.wire.uri)"},"range":\#(range),"#
          + #""context":{"diagnostics":[],"only":["source.critic.done"]}}"#
      )
      return answer["result"]?.elements
        .compactMap { $0["title"]?.string } ?? []
    }
    #expect(try titles().isEmpty)
    try propose("two", "{~~two~>2~~}", line)
    #expect(try titles() == ["Done reviewing: 0 accepted, 0 rejected, 1 left"])
    try line.wire.run("accept", #""change":1"#)
    #expect(try titles() == ["Done reviewing: 1 accepted, 0 rejected, 0 left"])
    try line.wire.command("done")
    #expect(try titles().isEmpty)
    try line.call("review", #"{"waits":true}"#)
    try line.call("review", #"{"waits":true}"#)
    #expect(try titles() == ["Done reviewing: 0 left"])
  }

  @Test("A review can be waited for where the editor is no owner")
  func waitingInVim() throws {
    let line = Line("One two three.\n", client: "vim")
    try line.call("find", #"{"isForReview":true}"#)
    #expect(line.answers.last?.body["result"]?.isNull == false)
    try line.call("review", #"{"waits":true}"#)
    try line.wire.command("done")
    line.wire.wait(3000)
    try line.listen()
    #expect(try review(line).isDone)
  }

  @Test("A call is recorded and replayed", arguments: [true, false])
  func recording(_ isOpen: Bool) throws {
    let body = #"{"jsonrpc":"2.0","id":5,"method":"find","params":{"device":1,"inode":2}}"#
    let document = isOpen ? #""document":"file:///a.md","# : ""
    let text = #"-/> {"caller":3,\#(document)"message":\#(body)}"# + "\n"
    let transcript = try Transcript(Array(text.utf8))
    let key = isOpen ? DocumentKey(uri: "file:///a.md") : nil
    #expect(transcript.lines == [.outside(.call(from: 3, Array(body.utf8), about: key))])
    #expect(String(decoding: transcript.bytes, as: UTF8.self) == text)
    #expect(String(decoding: transcript.replayed().bytes, as: UTF8.self) == text)
    let params = try JSON(parsing: Array(body.utf8))["params"]
    #expect(FileNumber(params) == FileNumber(device: 1, inode: 2))
  }

  @Test("That a caller left is recorded")
  func recordingEnds() throws {
    let text = #"-/> {"callerLeft":3}"# + "\n"
    let transcript = try Transcript(Array(text.utf8))
    #expect(transcript.lines == [.outside(.callerLeft(3))])
    #expect(String(decoding: transcript.replayed().bytes, as: UTF8.self) == text)
  }
}
