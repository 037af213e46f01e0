import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

/// Sessions in which another program writes a document without its marks.
@Suite("Marks that another program left out", .timeLimited) struct PuttingBackTests {
  private static let asking =
    #"{"workspace":{"applyEdit":true},"window":{"showMessage":{"messageActionItem":{}}}}"#
  private let marked =
    "The {~~red~>blue~~} hen walks over the hill{>>@anna: which?<<}, and it was {++very ++}late. The fox came home.\n"
  private let clean = "The blue hen walks over the hill, and it was very late. The fox came home.\n"
  private let original = "The red hen walks over the hill, and it was late. The fox came home.\n"
  /// What another program makes of the clean text.
  private let new = "The blue hen walks over the hill, and it was very late. The fox went home.\n"
  private let carried =
    "The {~~red~>blue~~} hen walks over the hill{>>@anna: which?<<}, and it was {++very ++}late. The fox {~~came~>went~~} home.\n"
  private let disk = Disk([:])

  private func session(
    _ capabilities: String = PuttingBackTests.asking,
    settings: String = #"{"tracking":"auto"}"#,
    client: String = "Neovim",
    text: String? = nil
  ) -> Wire {
    disk.write("/draft.md", text ?? marked)
    disk.kept = [:]
    let wire = Wire(client: client, capabilities: capabilities, settings: settings)
    wire.open(text ?? marked)
    wire.work(on: disk)
    return wire
  }

  /// How an editor reads a file again.
  enum Way: CaseIterable { case whole, parts, reopening, both }

  /// Has another program write the document, and the editor read it again; returns what is sent then.
  @discardableResult
  private func read(_ text: String, _ wire: Wire, _ way: Way = .reopening) -> [JSON] {
    disk.write("/draft.md", text)
    return readAgain(wire, way)
  }

  @discardableResult
  private func readAgain(_ wire: Wire, _ way: Way = .reopening) -> [JSON] {
    let count = wire.messages.count
    readAtOnce(wire, way)
    pause(wire)
    return Array(wire.messages[count...])
  }

  /// Has the editor read the file again, and the user not pause yet.
  private func readAtOnce(_ wire: Wire, _ way: Way = .reopening) {
    let text = disk.files["/draft.md"] ?? ""
    switch way {
    case .whole: wire.change([Edit(0..<wire.buffer.utf8.count, Array(text.utf8))])
    case .parts:
      let old = Text(Array(wire.buffer.utf8))
      wire.change(wordDiff(0..<old.count, Array(text.utf8), in: old))
    case .reopening, .both:
      if way == .both { wire.change([Edit(0..<wire.buffer.utf8.count, Array(text.utf8))]) }
      wire.notify("textDocument/didClose", #"{"textDocument":{"uri":\#(json(wire.uri))}}"#)
      wire.open(text)
      wire.work(on: disk)
    }
  }

  /// Lets the user pause, with the disk at work, and takes the edits.
  private func pause(_ wire: Wire, refusing: Bool = false) {
    for _ in 0..<4 {
      wire.wait(1000)
      wire.work(on: disk)
    }
    wire.takeEdits(refusing: refusing)
  }

  private func save(_ wire: Wire) {
    disk.write("/draft.md", wire.buffer)
    wire.notify(
      "textDocument/didSave",
      #"{"textDocument":{"uri":\#(json(wire.uri))},"text":\#(json(wire.buffer))}"#
    )
    pause(wire)
  }

  private func questions(_ sent: [JSON]) -> [JSON] { sent.of("window/showMessageRequest") }

  private func question(_ sent: [JSON]) throws -> JSON {
    let asked = try #require(questions(sent).first, "nothing was asked")
    #expect(asked["params"]?["message"]?.string == "draft.md came back without its marks.")
    let titles = asked["params"]?["actions"]?.elements.map { $0["title"]?.string }
    #expect(titles == ["Put the marks back", "Leave it"])
    return asked
  }

  /// The original and the clean text of the buffer.
  private func variants(_ wire: Wire) -> [String] {
    let bytes = Array(wire.buffer.utf8)
    return [Variant.original, .clean].map {
      String(decoding: Reading(of: bytes).export($0, of: bytes), as: UTF8.self)
    }
  }

  // MARK: - What is put back

  @Test(
    "The marks are put back at the next pause, what was changed besides is recorded, and one message says so",
    arguments: Way.allCases,
    [
      #"{"tracking":"auto"}"#, #"{"tracking":"on"}"#,
      #"{"tracking":"auto","rememberTracking":false}"#,
    ]
  )
  func putBack(way: Way, settings: String) throws {
    let wire = session(settings: settings)
    let sent = read(new, wire, way)
    #expect(wire.buffer == carried)
    #expect(variants(wire) == [original, new])
    #expect(sent.shown == ["draft.md: 3 marks put back."])
    #expect(questions(sent).isEmpty)
    #expect(sent.edits.count == 1)
  }

  @Test("What has no place any more is in the log, with the reason")
  func left() throws {
    let wire = session()
    let text = "The blue hen walks over the hill, and it was early. The fox came home.\n"
    let sent = read(text, wire)
    #expect(variants(wire) == [original, text])
    #expect(sent.shown == ["draft.md: 2 of 3 marks put back."])
    #expect(
      sent.logged == [
        "draft.md: not put back:\n{++very ++} – its text or what was around it has changed"
      ]
    )
  }

  @Test("Undo takes the marks away again, and they stay away, until redo", arguments: Way.allCases)
  func undo(way: Way) throws {
    let wire = session()
    read(new, wire, way)
    let count = wire.messages.count
    wire.travel(to: new)
    pause(wire)
    #expect(wire.buffer == new)
    wire.travel(to: carried)
    pause(wire)
    wire.travel(to: new)
    pause(wire)
    #expect(wire.buffer == new)
    // To read the file again puts no marks into it either.
    readAgain(wire, way)
    #expect(wire.buffer == new)
    #expect(Array(wire.messages[count...]).edits.isEmpty)
    #expect(questions(Array(wire.messages[count...])).isEmpty)
    // It is the original now.
    try wire.type("again ", before: "late")
    pause(wire)
    #expect(variants(wire)[0] == new)
  }

  @Test(
    "Undo goes on to the text with its marks, which is as it was",
    arguments: Way.allCases,
    [#"{"tracking":"auto"}"#, #"{"tracking":"on"}"#]
  )
  func undoBoth(way: Way, settings: String) throws {
    let wire = session(settings: settings)
    read(new, wire, way)
    wire.travel(to: new)
    wire.travel(to: marked)
    pause(wire)
    #expect(wire.buffer == marked)
    try wire.type("again ", before: "late")
    pause(wire)
    #expect(variants(wire)[0] == original)
  }

  @Test("Undo of the reading, before the pause, is not fought", arguments: [Way.whole, .parts])
  func undoneAtOnce(way: Way) throws {
    let wire = session()
    disk.write("/draft.md", new)
    readAtOnce(wire, way)
    wire.wait(1000)
    wire.work(on: disk)
    wire.travel(to: marked)
    pause(wire)
    #expect(wire.buffer == marked)
    #expect(wire.messages.edits.isEmpty)
  }

  @Test("What the writer types before the pause is marked along, and stays theirs to type")
  func typing() throws {
    let wire = session()
    disk.write("/draft.md", new)
    readAtOnce(wire)
    try wire.type("high ", before: "hill")
    pause(wire)
    #expect(variants(wire) == [original, new.replacing("hill", with: "high hill")])
    #expect(wire.buffer.contains("{++high ++}hill{>>@anna: which?<<}"))
    #expect(wire.messages.shown == ["draft.md: 3 marks put back."])
  }

  @Test("While a mark is half typed the marks that are gone wait")
  func halfTyped() throws {
    let wire = session()
    disk.write("/draft.md", new)
    readAtOnce(wire)
    try wire.type("{>>why", before: ", and")
    pause(wire)
    #expect(wire.messages.edits.isEmpty)
    try wire.type("<<}", before: ", and")
    pause(wire)
    #expect(variants(wire) == [original, new])
    #expect(wire.buffer.contains("{>>why<<}"))
  }

  @Test("An edit that the editor refuses is made at a later pause")
  func refused() throws {
    let wire = session()
    disk.write("/draft.md", new)
    readAtOnce(wire, .whole)
    wire.wait(1000)
    wire.work(on: disk)
    wire.wait(2000)
    let edit = try #require(wire.messages.edits.first)
    wire.reply(to: edit, #"{"applied":false}"#)
    pause(wire)
    #expect(wire.buffer == carried)
  }

  @Test("An editor that is busy is asked again when it says that it is not")
  func busy() throws {
    let wire = session()
    disk.write("/draft.md", new)
    readAtOnce(wire, .whole)
    wire.wait(1000)
    wire.work(on: disk)
    wire.wait(2000)
    let edit = try #require(wire.messages.edits.first)
    wire.reply(to: edit, #"{"applied":false,"failureReason":"the editor is busy"}"#)
    wire.wait(5000)
    #expect(wire.messages.edits.count == 1)
    try wire.run("mark", #""halfTyped":false,"held":false"#)
    #expect(wire.buffer == carried)
  }

  @Test("A file that is written in parts gets its marks when it is whole", arguments: Way.allCases)
  func parts(way: Way) throws {
    let wire = session()
    read("", wire, way)
    #expect(wire.buffer.isEmpty)
    read(new, wire, way)
    #expect(wire.buffer == carried)
  }

  @Test("A document that is opened twice before the pause gets its marks")
  func openedTwice() throws {
    let wire = session()
    disk.write("/draft.md", new)
    for _ in 0..<2 { readAtOnce(wire) }
    pause(wire)
    #expect(wire.buffer == carried)
  }

  /// What another program does to the clean text.
  private struct Step {
    let place: Double
    let count: Int
    let new: String
  }

  @Test(
    "Whatever another program makes of a text, accepting everything gives that, and undo leads back to it"
  )
  func anything() {
    var back = 0
    let words = ["", "one two", "hen", "`x`", ".\n\n", "{++new++}", "{==", "<<}", "```\n", "# "]
    forAll(
      runs(60),
      length: 6,
      step: { random in
        Step(
          place: Double.random(in: 0...1, using: &random),
          count: Int.random(in: 0...12, using: &random),
          new: words.randomElement(using: &random) ?? ""
        )
      },
      law: { seed, steps in
        let old = Manuscript(of: 1500, seed: seed).text
        var bytes = VariantText(.clean, of: Array(old.utf8), as: .markdown).bytes
        for step in steps {
          let start = Int(step.place * Double(bytes.count))
          bytes.replaceSubrange(
            start..<min(bytes.count, start + step.count),
            with: step.new.utf8
          )
        }
        let new = String(decoding: bytes, as: UTF8.self)
        let wire = session(text: old)
        let sent = read(new, wire, Way.allCases[Int(seed) % Way.allCases.count])
        let found = Array(wire.buffer.utf8)
        let clean = VariantText(.clean, of: Array(new.utf8), as: .markdown).bytes
        guard VariantText(.clean, of: found, as: .markdown).bytes == clean else {
          return "the clean text is another one: \(wire.buffer)"
        }
        guard !sent.edits.isEmpty else {
          return wire.buffer == new ? nil : "nothing was sent, and the text is \(wire.buffer)"
        }
        guard sent.shown.contains(where: { $0.hasSuffix("put back.") }) else {
          return "it was not said"
        }
        back += 1
        guard
          VariantText(.original, of: found, as: .markdown).bytes
            == VariantText(.original, of: Array(old.utf8), as: .markdown).bytes
        else { return "the original is another one: \(wire.buffer)" }
        wire.travel(to: new)
        pause(wire)
        return wire.buffer == new ? nil : "undo was fought: \(wire.buffer)"
      }
    )
    #expect(2 * back > runs(60), "most texts get their marks back")
  }

  // MARK: - What is asked first

  @Test(
    "A text that was accepted or rejected elsewhere is asked about, and nothing is done without an answer",
    arguments: Way.allCases,
    ["clean", "original", "mixed"]
  )
  func decided(way: Way, which: String) throws {
    let text = [
      "clean": clean, "original": original,
      "mixed": "The red hen walks over the hill, and it was very late. The fox came home.\n",
    ][which]!
    for answer in [#"{"title":"Put the marks back"}"#, #"{"title":"Leave it"}"#, "null"] {
      let wire = session()
      let asked = try question(read(text, wire, way))
      #expect(wire.buffer == text)
      #expect(wire.messages.edits.isEmpty)
      wire.reply(to: asked, answer)
      pause(wire)
      guard answer.contains("Put") else {
        #expect(wire.buffer == text)
        continue
      }
      #expect(variants(wire) == [original, text])
      #expect(which != "clean" || wire.buffer == marked)
    }
  }

  @Test("The answer can be a command, and comes once")
  func command() throws {
    let wire = session()
    _ = try question(read(clean, wire))
    try wire.run("recordMeanwhile")
    pause(wire)
    #expect(wire.buffer == marked)
    #expect(try wire.command("recordMeanwhile").problem.contains("decided already"))
    let second = session()
    _ = try question(read(clean, second))
    try second.run("takeAsOriginal")
    #expect(try second.command("recordMeanwhile").problem.contains("decided already"))
    #expect(second.buffer == clean)
  }

  @Test("A client that cannot ask is told, and one that marks on save is asked in any case")
  func otherClients() throws {
    let silent = session(Wire.editing)
    #expect(read(clean, silent).shown == ["draft.md came back without its marks."])
    #expect(silent.messages.edits.isEmpty)
    let saving = session(client: "Some Editor")
    let asked = try question(read(new, saving))
    #expect(saving.messages.edits.isEmpty)
    saving.reply(to: asked, #"{"title":"Put the marks back"}"#)
    saving.takeEdits()
    #expect(saving.buffer == carried)
  }

  @Test("A save that is told late shows that the writer may have taken the marks out")
  func lateSave() throws {
    let wire = session()
    wire.change([Edit(0..<wire.buffer.utf8.count, Array(new.utf8))])
    disk.write("/draft.md", new)
    wire.wait(1000)
    wire.work(on: disk)
    wire.wait(700)
    let count = wire.messages.count
    save(wire)
    _ = try question(Array(wire.messages[count...]))
    #expect(wire.messages.edits.isEmpty)
    #expect(wire.buffer == new)
  }

  @Test("A client that takes no edits is told so when it asks for the marks")
  func noEdits() throws {
    let wire = session("{}")
    #expect(read(new, wire).shown == ["draft.md came back without its marks."])
    try wire.command("recordMeanwhile")
    #expect(wire.messages.shown.last == "draft.md: this editor takes no edits.")
    #expect(wire.buffer == new)
  }

  @Test("A text that the document had before may be meant, and is asked about")
  func known() throws {
    let wire = session()
    read(new, wire)
    save(wire)
    let asked = try question(read(new, wire))
    #expect(wire.buffer == new)
    wire.reply(to: asked, #"{"title":"Leave it"}"#)
    pause(wire)
    #expect(wire.buffer == new)
  }

  // MARK: - What is left as it is

  @Test("With tracking off by hand nothing is done or said", arguments: Way.allCases)
  func off(way: Way) throws {
    let wire = session()
    try wire.command("toggleTracking")
    let sent = read(new, wire, way)
    #expect(sent.edits.isEmpty && sent.shown.isEmpty && questions(sent).isEmpty)
    #expect(wire.buffer == new)
  }

  @Test("Tracking that is turned off while the marks wait leaves them out")
  func turnedOff() throws {
    let wire = session()
    disk.write("/draft.md", new)
    readAtOnce(wire)
    try wire.run("toggleTracking")
    pause(wire)
    #expect(wire.buffer == new)
  }

  @Test("Source code is left as it is")
  func sourceCode() throws {
    let wire = Wire(capabilities: PuttingBackTests.asking, settings: #"{"tracking":"on"}"#)
    disk.write("/draft.md", marked)
    wire.open(marked, language: "swift")
    wire.work(on: disk)
    disk.write("/draft.md", new)
    wire.notify("textDocument/didClose", #"{"textDocument":{"uri":\#(json(wire.uri))}}"#)
    wire.open(new, language: "swift")
    wire.work(on: disk)
    pause(wire)
    #expect(wire.buffer == new && wire.messages.edits.isEmpty && wire.messages.shown.isEmpty)
  }

  @Test(
    "Who reads the file again to drop what is not saved gets the file, marks or none",
    arguments: [true, false]
  )
  func dropped(isMarked: Bool) throws {
    let wire = session()
    read(original, wire)
    wire.reply(to: try #require(questions(wire.messages).last), #"{"title":"Leave it"}"#)
    try wire.type("tired ", before: "hen")
    if isMarked { pause(wire) }
    let sent = readAgain(wire)
    #expect(wire.buffer == original)
    #expect(questions(sent).isEmpty && sent.shown.isEmpty)
  }

  @Test(
    "What the writer accepts and saves, here or by hand, is not put back",
    arguments: [true, false]
  )
  func accepted(byCommand: Bool) throws {
    let wire = session()
    if byCommand {
      try wire.run("acceptAll")
      try wire.run("removeAnnotations")
    } else {
      wire.change([Edit(0..<wire.buffer.utf8.count, Array(new.utf8))])
    }
    let text = wire.buffer
    save(wire)
    #expect(questions(wire.messages).isEmpty && wire.messages.shown.isEmpty)
    if byCommand { #expect(wire.buffer == text) }
    #expect(!wire.messages.shown.contains { $0.contains("put back") })
  }

  @Test("A text in which most marks have no place is another text, and is asked about as such")
  func another() throws {
    let wire = session()
    let text = "Chapter two.\n\nA fox comes to town.\n"
    let asked = try #require(questions(read(text, wire)).first)
    #expect(asked["params"]?["message"]?.string == "draft.md was changed by another program.")
    #expect(wire.buffer == text)
    wire.reply(to: asked, #"{"title":"Record what was changed meanwhile"}"#)
    pause(wire)
    #expect(variants(wire) == [original, text])
  }

  @Test("A longer text than is compared is asked about as any other", arguments: [0, 1])
  func bound(more: Int) throws {
    disk.kept = [:]
    let fill = String(repeating: "A line of the text, which is long.\n", count: 7000)
    let rest = String(
      repeating: "x",
      count: MarkLoss.longest - fill.utf8.count - marked.utf8.count + more
    )
    let wire = Wire(
      client: "Zed",
      capabilities: PuttingBackTests.asking,
      settings: #"{"tracking":"auto"}"#
    )
    disk.write("/draft.md", marked + fill + rest)
    wire.open(marked + fill + rest)
    wire.work(on: disk)
    let sent = read(new + fill + rest, wire)
    #expect(sent.shown == (more == 0 ? ["draft.md: 3 marks put back."] : []))
    #expect(questions(sent).count == more)
  }

  @Test("What is put back is kept: the next server knows the original")
  func kept() throws {
    let wire = session()
    read(new, wire)
    save(wire)
    #expect(disk.kept["file:///draft.md"]?.baseline.original == TextHash(of: Array(original.utf8)))
  }
}
