import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("A text with its marks beside it that is saved under another name", .timeLimited)
struct SavingAsTests {
  private static let marked = "The {++quick ++}brown fox {--suddenly --}jumps.{>>@jo: fine?<<}\n"
  private static let clean = "The quick brown fox jumps.\n"
  private static let new = "file:///new.md"
  private let disk = Disk(["/draft.md": clean, "/draft.md.critic": marked])
  private let wire = Wire(settings: #"{"tracking":"auto"}"#)

  init() {
    wire.open(Self.clean)
    wire.work(on: disk)
  }

  private func tell(_ method: String, _ uri: String) {
    wire.notify("textDocument/\(method)", #"{"textDocument":{"uri":\#(json(uri))}}"#)
  }

  private func open(_ text: String = clean, as uri: String = new, language: String = "markdown") {
    wire.open(text, uri: uri, language: language)
    wire.work(on: disk)
  }

  private func save(_ uri: String = new) {
    tell("didSave", uri)
    wire.work(on: disk)
  }

  /// Types into the document under its new name.
  private func type(_ new: String, before place: String) throws {
    let start = try wire.offsets(of: place).lowerBound
    let change = #"[{"range":\#(wire.range(start..<start)),"text":\#(json(new))}]"#
    wire.didChange(change, version: 2, uri: Self.new)
  }

  /// Closes the document, opens its text under another name, and saves it there, as Neovim and Emacs do.
  private func saveAs(
    _ text: String = clean,
    language: String = "markdown",
    after time: Int = 10
  ) {
    disk.write("/new.md", text)
    tell("didClose", wire.uri)
    open(text, language: language)
    wire.wait(time)
    save()
  }

  private var record: String? { disk.files["/new.md.critic"] }
  private var shown: [String] {
    wire.messages.of("window/showMessage").compactMap { $0["params"]?["message"]?.string }
  }

  private func document(_ uri: String = new) -> Document? {
    wire.server.documents[DocumentKey(uri: uri)]
  }

  @Test("It goes on with its changes, saved or not, and those under the old name stay as they were")
  func goesOn() throws {
    try wire.type("red ", before: "fox")
    let typed = Self.marked.replacing("fox", with: "{++red ++}fox")
    saveAs("The quick brown red fox jumps.\n")
    #expect(record == typed)
    #expect(disk.files["/draft.md.critic"] == Self.marked)
    #expect(shown == ["new.md: changes taken along."])
    #expect(document()?.place == .beside)
    try type("dark ", before: "brown")
    save()
    #expect(record == typed.replacing("quick ", with: "quick dark "))
    #expect(shown.count == 1)
  }

  @Test(
    "It is one that stays open, too, in whatever order that is closed",
    arguments: [false, true]
  )
  func staysOpen(_ isClosed: Bool) {
    disk.write("/new.md", Self.clean)
    open()
    if isClosed { tell("didClose", wire.uri) }
    save()
    #expect(record == Self.marked)
    #expect((document(wire.uri) == nil) == isClosed)
  }

  @Test(
    "What was typed before it is known whether anything is kept under the new name stays right",
    arguments: [false, true]
  )
  func waits(_ isTyped: Bool) throws {
    disk.write("/new.md", Self.clean)
    tell("didClose", wire.uri)
    wire.open(Self.clean, uri: Self.new)
    tell("didSave", Self.new)
    if isTyped { try type("red ", before: "fox") }
    #expect(shown.isEmpty)
    // It may take longer than the second.
    wire.wait(1500)
    wire.work(on: disk)
    #expect(record == (isTyped ? nil : Self.marked))
    #expect(shown == ["new.md: changes \(isTyped ? "not " : "")taken along."])
    let text = isTyped ? "The quick brown red fox jumps.\n" : Self.clean
    #expect(document()?.text.bytes == Array(text.utf8))
  }

  @Test("Nothing is taken along where it is saved later, or has another text or language")
  func another() {
    saveAs(after: 1001)
    #expect(record == nil)
    for (text, language) in [("\n" + Self.clean, "markdown"), (Self.clean, "latex"), ("", "swift")]
    {
      let uri = "file:///\(language).md"
      open(text, as: uri, language: language)
      save(uri)
      #expect(disk.files["/\(language).md.critic"] == nil)
    }
    #expect(shown.isEmpty)
  }

  @Test("Nothing is taken along to a text that was open before, or has a record")
  func known() {
    disk.write("/new.md", Self.clean)
    open()
    tell("didClose", Self.new)
    wire.work(on: disk)
    saveAs()
    #expect(record == nil)
    disk.write("/other.md.critic", Self.clean)
    wire.open(Self.clean, uri: wire.uri)
    open(as: "file:///other.md")
    save("file:///other.md")
    #expect(disk.files["/other.md.critic"] == Self.clean)
    #expect(shown.isEmpty)
  }

  @Test("A record that another program has put there meanwhile is not written over")
  func raced() {
    disk.write("/new.md", Self.clean)
    open()
    disk.write("/new.md.critic", "other\n")
    for _ in 0..<2 {
      save()
      #expect(record == "other\n")
    }
    #expect(shown.contains("new.md: record not written; see the log."))
  }

  @Test("Of two open texts that are the same, neither is known to be the one")
  func ambiguous() {
    disk.write("/twin.md", Self.clean)
    disk.write("/twin.md.critic", "{++The ++}quick brown fox jumps.\n")
    open(as: "file:///twin.md")
    disk.write("/new.md", Self.clean)
    open()
    save()
    #expect(record == nil)
  }

  @Test("With tracking off it keeps what was recorded, and records nothing more")
  func off() throws {
    try wire.run("toggleTracking", #""on":false"#)
    saveAs()
    #expect(record == Self.marked)
    try type("red ", before: "fox")
    save()
    #expect(record == Self.marked.replacing("fox", with: "red fox"))
  }
}
