import JSONRPC
import TestSupport
import Testing
import TrackEngine

@testable import CriticLSP

/// Sessions in which servers die, documents are closed and files change; the disk outlives all of them.
@Suite("What was changed while nobody recorded it", .timeLimited) struct MeanwhileTests {
  private static let asking =
    #"{"workspace":{"applyEdit":true},"window":{"showMessage":{"messageActionItem":{}}}}"#
  private let disk = Disk(["/draft.md": "One two three.\n"])

  private func session(
    _ capabilities: String = MeanwhileTests.asking,
    settings: String = #"{"tracking":"on"}"#
  ) -> Wire {
    Wire(capabilities: capabilities, settings: settings)
  }

  /// Opens the document and lets the server find out and keep what it wants.
  @discardableResult
  private func open(_ text: String, _ wire: Wire) -> [JSON] {
    wire.open(text)
    return wire.work(on: disk)
  }

  private func questions(_ sent: [JSON]) -> [JSON] { sent.of("window/showMessageRequest") }

  /// Lets the user pause, with the disk at work, and takes the marks.
  private func pause(_ wire: Wire) {
    for _ in 0..<4 {
      wire.wait(1000)
      wire.work(on: disk)
    }
    wire.takeEdits()
  }

  /// The original and the clean text of the buffer.
  private func variants(_ wire: Wire) -> [String] {
    let bytes = Array(wire.buffer.utf8)
    return [Variant.original, .clean].map {
      String(decoding: Reading(of: bytes).export($0, of: bytes), as: UTF8.self)
    }
  }

  private func close(_ wire: Wire) {
    wire.notify("textDocument/didClose", #"{"textDocument":{"uri":\#(json(wire.uri))}}"#)
    wire.work(on: disk)
  }

  // MARK: - A server that dies

  @Test("What was typed before a server died and after it is marked by the next, which says so")
  func death() throws {
    let first = session()
    open("One two three.\n", first)
    try first.replace(" two", with: "")
    let second = session()
    let sent = open("One three.\nAnd more.\n", second)
    #expect(
      questions(sent).first?["params"]?["message"]?.string == "draft.md: recorded 1 lost change."
    )
    pause(second)
    #expect(variants(second) == ["One two three.\n", "One three.\nAnd more.\n"])
  }

  @Test("A word of which a server saw a part when it started is recorded as it is in the end")
  func deathInWord() throws {
    open("The quick brown fox.\n", session())
    let second = session()
    open("The quick very andbrown fox.\n", second)
    try second.replace("and", with: "and ")
    pause(second)
    #expect(second.buffer == "The quick {++very and ++}brown fox.\n")
  }

  @Test("A client that cannot ask is told, and marks on save are no worse off")
  func deathUnasked() throws {
    open("One two three.\n", session(Wire.saving))
    let second = session(Wire.saving)
    let sent = open("One three.\n", second)
    #expect(sent.shown == ["draft.md: recorded 1 lost change."])
    let edits = try second.ask("willSaveWaitUntil", #""reason":1"#)
    second.change(second.edits(edits))
    #expect(second.buffer == "One {--two --}three.\n")
  }

  @Test("A text that is as it was, or has the same original, is not spoken of")
  func deathOfNothing() throws {
    open("One two three.\n", session())
    #expect(questions(open("One two three.\n", session())).isEmpty)
    let third = session()
    #expect(questions(open("One {++and ++}two three.\n", third)).isEmpty)
    #expect(third.wait(2000).edits.isEmpty)
  }

  @Test(
    "A last line break that one editor counts, and another does not, is no change",
    arguments: [("Neovim", "Zed"), ("Zed", "Neovim"), ("Neovim", "Neovim")]
  )
  func countedLineBreak(_ first: String, _ second: String) throws {
    for name in [first, second] {
      let wire = Wire(client: name, capabilities: Self.asking, settings: #"{"tracking":"on"}"#)
      #expect(questions(open("One two three.", wire)).isEmpty)
      #expect(wire.wait(2000).edits.isEmpty)
    }
  }

  @Test("What was accepted before a server died is not a change", arguments: [true, false])
  func deathAfterDecision(byAction: Bool) throws {
    let first = session()
    open("One {--two --}three.\n", first)
    if byAction {
      let actions = try first.ask(
        "codeAction",
        #""range":\#(Wire.range(0, 8, 0, 8)),"context":{"diagnostics":[]}"#
      )
      let accept = try #require(
        actions.elements.first { $0["title"]?.string?.hasPrefix("Accept") == true }
      )
      first.apply(accept)
    } else {
      try first.run("acceptAll")
    }
    #expect(first.buffer == "One three.\n")
    first.wait(1000)
    first.work(on: disk)
    #expect(questions(open("One three.\n", session())).isEmpty)
  }

  @Test("What was accepted and undone before a server died is a change again")
  func deathAfterUndo() throws {
    let first = session()
    open("One {--two --}three.\n", first)
    try first.run("acceptAll")
    first.wait(1000)
    first.work(on: disk)
    first.travel(to: "One {--two --}three.\n")
    first.wait(1000)
    first.work(on: disk)
    #expect(questions(open("One {--two --}three.\n", session())).isEmpty)
  }

  @Test(
    "On request what was recorded is taken as original, in marks or not, and what is typed then is not"
  )
  func take() throws {
    for isMarked in [false, true] {
      disk.kept = [:]
      open("One two three.\n", session())
      let second = session()
      let question = try #require(questions(open("One three.\n", second)).first)
      if isMarked {
        pause(second)
        #expect(second.buffer == "One {--two --}three.\n")
      }
      try second.type(" four", before: ".")
      second.reply(to: question, #"{"title":"Take as original"}"#)
      pause(second)
      #expect(second.buffer == "One three{++ four++}.\n")
    }
  }

  @Test("A question that is answered twice, or by command, is answered once")
  func takeByCommand() throws {
    open("One two three.\n", session())
    let second = session()
    open("One three.\n", second)
    #expect(try second.command("takeAsOriginal")["error"] == nil)
    #expect(try second.command("takeAsOriginal").problem.contains("decided already"))
    #expect(second.wait(2000).edits.isEmpty)
  }

  @Test("What the last server was told without saying so is recorded also after the next one died")
  func deathTwice() throws {
    open("One two three.\n", session())
    open("One three.\n", session())
    let third = session()
    open("One three.\n", third)
    pause(third)
    #expect(third.buffer == "One {--two --}three.\n")
  }

  @Test("Without the original text there is one message")
  func nothingToCompareWith() throws {
    open("One two three.\n", session())
    disk.kept["file:///draft.md"]?.original = nil
    let second = session()
    #expect(open("One three.\n", second).shown == ["draft.md: changed meanwhile, not recorded."])
    #expect(second.wait(2000).edits.isEmpty)
  }

  @Test("With tracking off nothing is said and nothing recorded")
  func off() throws {
    let first = session()
    open("One two three.\n", first)
    try first.command("toggleTracking")
    first.work(on: disk)
    let second = session()
    let sent = open("One three.\n", second)
    #expect(sent.shown.isEmpty && questions(sent).isEmpty)
    #expect(try second.command("status")["result"]?["tracking"]?.bool == false)
  }

  // MARK: - Long texts

  private static let draft = (0..<800).map { "Line \($0) of a draft.\n" }.joined()
  /// What became of it.
  private static let edited = draft.replacing("Line 7 ", with: "Line seven ")
    .replacing("Line 600 of a draft.\n", with: "")

  /// A session that has a text to compare with what it was, and has done all else.
  private func comparing(_ text: String = MeanwhileTests.edited) throws -> Wire {
    open(Self.draft, session())
    let wire = session()
    wire.open(text)
    while let effect = wire.server.effect {
      if case .compare = effect { return wire }
      wire.step(on: disk)
    }
    throw ResponseError.internalError("nothing is compared")
  }

  @Test(
    "While a long text is compared all else goes on, and what is done meanwhile is recorded, too",
    arguments: ["rest", "type", "mark", "undo"]
  )
  func longText(_ meanwhile: String) throws {
    let wire = try comparing()
    let hover =
      #"{"textDocument":{"uri":\#(json(wire.uri))},"position":{"line":0,"character":0}}"#
    #expect(try wire.request("textDocument/hover", hover)["error"] == nil)
    var text = Self.edited
    if meanwhile != "rest" {
      try wire.type("very ", before: "draft.\nLine 9 ")
      text = wire.buffer
      #expect(wire.wait(5000).edits.isEmpty)
    }
    if meanwhile == "mark" {
      try wire.run("mark")
      #expect(wire.buffer.contains("{++very ++}"))
    } else if meanwhile == "undo" {
      try wire.replace("very ", with: "")
      text = wire.buffer
    }
    pause(wire)
    #expect(variants(wire) == [Self.draft, text])
    #expect(questions(wire.messages).count == 1)
  }

  @Test(
    "A long text that was closed while it was compared, or whose server ended, is compared again",
    arguments: ["closed", "closed for long", "opened again", "shut down", "dead"]
  )
  func longTextAgain(_ end: String) throws {
    var wire = try comparing()
    switch end {
    case "closed": close(wire)
    case "closed for long":
      close(wire)
      wire.wait(BaselineStore.closingTime + 1)
      wire.work(on: disk)
    case "opened again":
      wire.notify("textDocument/didClose", #"{"textDocument":{"uri":\#(json(wire.uri))}}"#)
      open(Self.edited, wire)
      wire.wait(BaselineStore.closingTime + 1)
    case "shut down":
      try wire.request("shutdown")
      wire.work(on: disk)
    default: break
    }
    if end != "opened again" {
      wire = session()
      open(Self.edited, wire)
    }
    pause(wire)
    #expect(variants(wire) == [Self.draft, Self.edited])
  }

  @Test("Texts are compared in one turn up to a length of both together", arguments: [0, 1])
  func bound(_ more: Int) throws {
    let old = String(Self.draft.prefix(7999)) + "\n"
    open(old, session())
    let wire = session()
    let added = String(repeating: "x", count: Server.longComparison - 2 * old.utf8.count + more)
    wire.open(added + old)
    var isCompared = false
    while let effect = wire.server.effect {
      if case .compare = effect { isCompared = true }
      wire.step(on: disk)
    }
    #expect(isCompared == (more > 0))
    pause(wire)
    #expect(variants(wire)[0] == old)
  }

  @Test("What another program made of a long text is recorded when the writer says so")
  func longTextAsked() throws {
    let wire = session()
    open(Self.draft, wire)
    close(wire)
    let question = try #require(questions(open(Self.edited, wire)).first)
    wire.reply(to: question, #"{"title":"Record what was changed meanwhile"}"#)
    pause(wire)
    #expect(variants(wire) == [Self.draft, Self.edited])
  }

  // MARK: - Closed and opened again

  @Test(
    "A document that is closed and opened again goes on as it was, under another name too",
    arguments: ["/draft.md", "/b.md"]
  )
  func again(path: String) throws {
    let wire = session()
    open("One two three.\n", wire)
    try wire.replace(" two", with: "")
    close(wire)
    wire.open("One three.\n", uri: "file://\(path)")
    wire.work(on: disk)
    let edits = wire.wait(2000).edits
    let edit = try #require(edits.first?["params"]?["edit"]?["documentChanges"]?.first)
    #expect(edit["textDocument"]?["uri"]?.string == "file://\(path)")
    #expect(wire.edits(edit["edits"]) == [Edit(3..<3, Array("{-- two--}".utf8))])
  }

  @Test("A document that is saved under another name goes on, asked for by the old one")
  func savedAs() throws {
    let wire = session(Wire.saving)
    open("One two three.\n", wire)
    try wire.replace(" two", with: "")
    let edits = try wire.ask("willSaveWaitUntil", #""reason":1"#)
    #expect(edits.count == 1)
    close(wire)
    wire.open("One{-- two--} three.\n", uri: "file:///b.md")
    wire.work(on: disk)
    wire.didChange(
      #"[{"range":\#(Wire.range(0, 3, 0, 3)),"text":" more"}]"#,
      version: 2,
      uri: "file:///b.md"
    )
    let marks = try wire.ask("willSaveWaitUntil", #""reason":1"#)
    #expect(marks.kind == .array && marks.count > 0)
  }

  @Test("A toggle goes with the text to another name, in this session and in the next")
  func toggle() throws {
    let wire = session()
    open("One two three.\n", wire)
    try wire.command("toggleTracking")
    close(wire)
    wire.open("One two three.\n", uri: "file:///b.md")
    wire.work(on: disk)
    #expect(disk.kept["file:///b.md"]?.baseline.choice == false)
  }

  @Test("After ten minutes, or with another text, it is opened like any other")
  func late() throws {
    let wire = session()
    open("One two three.\n", wire)
    try wire.replace(" two", with: "")
    close(wire)
    wire.wait(600_001)
    wire.open("One three.\n")
    wire.work(on: disk)
    #expect(wire.wait(2000).edits.isEmpty)
  }

  @Test(
    "One that was changed while it was closed is asked about; only if the user says so it is recorded"
  )
  func closed() throws {
    for answer in [
      #"{"title":"Record what was changed meanwhile"}"#, #"{"title":"Take as original"}"#, "null",
    ] {
      let wire = session()
      open("One two three.\n", wire)
      close(wire)
      let question = try #require(questions(open("One three.\n", wire)).first)
      #expect(question["params"]?["actions"]?.count == 2)
      wire.reply(to: question, answer)
      pause(wire)
      #expect(
        wire.buffer == (answer.contains("Record") ? "One {--two --}three.\n" : "One three.\n")
      )
      disk.kept = [:]
    }
  }

  @Test("A second didOpen does not forget what was typed, with the same text and with another")
  func twice() throws {
    for text in ["One three.\n", "One three.\nNow.\n"] {
      let wire = session()
      open("One two three.\n", wire)
      try wire.replace(" two", with: "")
      open(text, wire)
      pause(wire)
      #expect(variants(wire) == ["One two three.\n", text])
      disk.kept = [:]
    }
  }

  // MARK: - Saving

  @Test("A saved text that was never reported is what the editor shows")
  func lostStep() throws {
    let wire = session()
    open("One two three.\n", wire)
    wire.notify(
      "textDocument/didSave",
      #"{"textDocument":{"uri":\#(json(wire.uri))},"text":"One three.\n"}"#
    )
    let edit = try #require(wire.wait(4000).edits.first)
    #expect(wire.messages.logged.contains { $0.contains("was not reported") })
    #expect(!wire.edits(in: edit).isEmpty)
  }

  @Test("What is shown of a text that was taken from a save is where it stands in that text")
  func shownAfterSave() throws {
    let wire = session(
      #"{"workspace":{"applyEdit":true},"textDocument":{"documentLink":{}}}"#,
      settings: #"{"tracking":"off"}"#
    )
    open("One two three {>>https://a.example<<}.\n", wire)
    _ = try wire.ask("documentLink")
    wire.notify(
      "textDocument/didSave",
      #"{"textDocument":{"uri":\#(json(wire.uri))},"text":"One {>>https://a.example<<}.\n"}"#
    )
    wire.wait(4000)
    #expect(
      try wire.ask("documentLink").first?["range"]?.description == Wire.range(0, 7, 0, 24)
    )
  }

  @Test("That a text was saved may be told late: what was typed or undone since stays as it is")
  func lateSave() throws {
    let wire = session()
    func tellSaved(_ text: String) {
      wire.notify(
        "textDocument/didSave",
        #"{"textDocument":{"uri":\#(json(wire.uri))},"text":\#(json(text))}"#
      )
      pause(wire)
    }
    open("One two three.\n", wire)
    try wire.replace(" two", with: "")
    tellSaved("One two three.\n")
    #expect(wire.buffer == "One{-- two--} three.\n")
    try wire.replace("{-- two--}", with: "")
    tellSaved("One{-- two--} three.\n")
    #expect(wire.buffer == "One three.\n")
    try wire.replace(" three", with: " four")
    pause(wire)
    #expect(variants(wire) == ["One two three.\n", "One four.\n"])
    #expect(!wire.messages.logged.contains { $0.contains("was not reported") })
  }

  @Test("A saved text that is reported a moment later changes nothing, nor does a last line break")
  func lateReport() throws {
    let wire = session()
    open("One two three.\n", wire)
    for text in ["One three.\n", "One two three.\n\n"] {
      wire.notify(
        "textDocument/didSave",
        #"{"textDocument":{"uri":\#(json(wire.uri))},"text":\#(json(text))}"#
      )
    }
    wire.notify(
      "textDocument/didSave",
      #"{"textDocument":{"uri":\#(json(wire.uri))},"text":"One three.\n"}"#
    )
    try wire.replace(" two", with: "")
    pause(wire)
    #expect(wire.buffer == "One{-- two--} three.\n")
    #expect(!wire.messages.logged.contains { $0.contains("was not reported") })
  }

  @Test(
    "A saved text that is reported a moment later is not taken for what is shown after more was typed",
    arguments: [false, true]
  )
  func typedAfterLateReport(_ isTogether: Bool) throws {
    let wire = session()
    open("One two three.\n", wire)
    wire.notify(
      "textDocument/didSave",
      #"{"textDocument":{"uri":\#(json(wire.uri))},"text":"One three.\n"}"#
    )
    let edits = [Edit(3..<7, []), Edit(9..<9, Array(" four".utf8))]
    if isTogether { wire.tell(edits) } else { for edit in edits { wire.tell([edit]) } }
    wire.wait(4000)
    wire.takeEdits()
    #expect(variants(wire) == ["One two three.\n", "One three four.\n"])
    #expect(!wire.messages.logged.contains { $0.contains("was not reported") })
  }

  /// A client that has saved a text of which it has not reported what changed.
  private func savedUnreported(_ text: String = "One three.\n") -> Wire {
    let wire = session()
    open("One two three.\n", wire)
    tellSaved(text, wire)
    return wire
  }

  @discardableResult
  private func tellSaved(_ text: String, _ wire: Wire) -> [JSON] {
    wire.notify(
      "textDocument/didSave",
      #"{"textDocument":{"uri":\#(json(wire.uri))},"text":\#(json(text))}"#
    )
  }

  @Test("Nothing is marked while it is not known whether a saved text is reported")
  func unmarkedWhileDoubted() throws {
    let wire = session()
    open("One two three.\n", wire)
    try wire.replace("One", with: "Three")
    tellSaved("Three three.\n", wire)
    #expect(wire.wait(1900).edits.isEmpty)
    try wire.replace(" two", with: "")
    pause(wire)
    #expect(variants(wire) == ["One two three.\n", "Three three.\n"])
  }

  @Test(
    "A report that says nothing of a saved text leaves open what is shown until the next text that is saved",
    arguments: ["repeated", "empty", "elsewhere"]
  )
  func typedThoughUnreported(_ report: String) throws {
    let wire = savedUnreported()
    // The client counts in its own text, which is four bytes shorter.
    let (edit, shown) = (Edit(0..<0, Array("All ".utf8)), "All One three.\n")
    switch report {
    case "repeated": break
    case "empty": wire.tell([])
    default: wire.tell([edit])
    }
    let messages = wire.wait(4000)
    guard report == "elsewhere" else {
      #expect(messages.edits.count == 1)
      #expect(wire.messages.logged.contains { $0.contains("it is taken from there") })
      return
    }
    #expect(messages.edits.isEmpty)
    #expect(wire.messages.logged.contains { $0.contains("was saved was not reported") })
    #expect(tellSaved(shown, wire).edits.count == 1)
  }

  // MARK: - Files that change under an open document

  @Test(
    "What an editor read again after another program wrote it is not the writer's, unless they say so"
  )
  func reload() throws {
    for answer in [#"{"title":"Record what was changed meanwhile"}"#, "null"] {
      disk.write("/draft.md", "One two three.\n")
      disk.kept = [:]
      let wire = session()
      open("One two three.\n", wire)
      disk.write("/draft.md", "One three.\n")
      try wire.replace(" two", with: "")
      wire.wait(1000)
      wire.work(on: disk)
      let question = try #require(questions(wire.wait(500)).first)
      #expect(question["params"]?["message"]?.string == "draft.md was changed by another program.")
      #expect(wire.wait(2000).edits.isEmpty)
      wire.reply(to: question, answer)
      pause(wire)
      #expect(wire.buffer == (answer == "null" ? "One three.\n" : "One {--two --}three.\n"))
    }
  }

  @Test("What an editor read again is not the writer's either if it opens the document once more")
  func reloadAndReopen() throws {
    let wire = session()
    open("One two three.\n", wire)
    disk.write("/draft.md", "One three.\n")
    try wire.replace(" two", with: "")
    close(wire)
    open("One three.\n", wire)
    pause(wire)
    #expect(wire.buffer == "One three.\n")
  }

  @Test(
    "Undo over what was read again leads back to the text before, with its changes as they were",
    arguments: [true, false],
    ["One{-- two--} three.\n", "One three.\n"]
  )
  func undoneReload(reopens: Bool, before: String) throws {
    let wire = session()
    open("One two three.\n", wire)
    try wire.replace(" two", with: "")
    if before.contains("{") { pause(wire) }
    #expect(wire.buffer == before)
    disk.write("/draft.md", "Four.\n")
    if reopens {
      close(wire)
      open("Four.\n", wire)
    } else {
      wire.travel(to: "Four.\n")
      wire.wait(1000)
      wire.work(on: disk)
      wire.wait(1000)
    }
    #expect(wire.buffer == "Four.\n")
    wire.travel(to: before)
    pause(wire)
    #expect(wire.buffer == before)
    _ = try wire.run("mark")
    pause(wire)
    #expect(variants(wire) == ["One two three.\n", "One three.\n"])
    wire.travel(to: "Four.\n")
    pause(wire)
    #expect(variants(wire) == ["Four.\n", "Four.\n"])
  }

  @Test("What the writer saves right after the server has looked at the file is the writer's")
  func savedMeanwhile() throws {
    for reopens in [true, false] {
      disk.write("/draft.md", "One two three.\n")
      disk.kept = [:]
      let wire = session()
      open("One two three.\n", wire)
      try wire.replace(" two", with: "")
      // The editor has written the file, but the server looks at it before it hears of that.
      disk.write("/draft.md", "One three.\n")
      if reopens {
        close(wire)
        open("One three.\n", wire)
      } else {
        wire.wait(1000)
        wire.work(on: disk)
      }
      wire.notify(
        "textDocument/didSave",
        #"{"textDocument":{"uri":\#(json(wire.uri))},"text":"One three.\n"}"#
      )
      pause(wire)
      #expect(wire.buffer == "One{-- two--} three.\n")
    }
  }

  @Test("What a killed server kept survives a document closed before the next has found it")
  func closedBeforeRecall() throws {
    for opensAgain in [true, false] {
      disk.write("/draft.md", "One two three.\n")
      disk.kept = [:]
      open("One two three.\n", session())
      var wire = session()
      wire.open("One three.\n")
      wire.notify("textDocument/didClose", #"{"textDocument":{"uri":\#(json(wire.uri))}}"#)
      if !opensAgain {
        wire.work(on: disk)
        wire = session()
      }
      open("One three.\n", wire)
      pause(wire)
      #expect(wire.buffer == "One {--two --}three.\n")
    }
  }

  @Test("What the writer typed is the writer's if the document is opened once more")
  func reopen() throws {
    let wire = session()
    open("One two three.\n", wire)
    try wire.replace(" two", with: "")
    close(wire)
    open("One three.\n", wire)
    pause(wire)
    #expect(wire.buffer == "One{-- two--} three.\n")
  }

  @Test("A text that the writer typed and saved is the writer's")
  func ownSave() throws {
    let wire = session()
    open("One two three.\n", wire)
    try wire.replace(" two", with: "")
    disk.write("/draft.md", "One three.\n")
    wire.notify(
      "textDocument/didSave",
      #"{"textDocument":{"uri":\#(json(wire.uri))},"text":"One three.\n"}"#
    )
    pause(wire)
    #expect(wire.buffer == "One{-- two--} three.\n")
  }

  // MARK: - Tracking

  @Test("`auto` goes on with what it had on, though all changes are accepted by now")
  func auto() throws {
    let first = session(settings: "{}")
    open("One {--two --}three.\n", first)
    try first.run("acceptAll")
    first.wait(1000)
    first.work(on: disk)
    close(first)
    let second = session(settings: "{}")
    open("One three.\n", second)
    #expect(try second.command("status")["result"]?["tracking"]?.bool == true)
  }
}
