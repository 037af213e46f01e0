import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("JupyterLab", .timeLimited) struct JupyterLabTests {
  private let uri = "file:///home/writer/draft.md"
  private let path: Path = "/home/writer/draft.md"

  /// A connection as JupyterLab makes it, with no name and no way to make an edit.
  private func greeted(_ settings: String = #"{"tracking":"on","marks":"beside"}"#) -> Wire {
    let wire = Wire.fresh
    wire.post(
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":null,"#
        + #""rootUri":"file:///home/writer","capabilities":"#
        + #"{"textDocument":{"synchronization":{"didSave":true},"completion":{},"hover":{}}},"#
        + #""initializationOptions":\#(settings)}}"#
    )
    wire.notify("initialized")
    return wire
  }

  /// Opens a document as JupyterLab does: with one line break more than the file has, and told twice again.
  private func open(_ text: String, _ uri: String? = nil, in wire: Wire) {
    let uri = json(uri ?? self.uri)
    wire.notify(
      "textDocument/didOpen",
      #"{"textDocument":{"uri":\#(uri),"languageId":"ipythongfm","version":1,"#
        + #""text":\#(json(text + "\n"))}}"#
    )
    for version in 1...2 { change(text, version, in: wire) }
  }

  private func change(_ text: String, _ version: Int, in wire: Wire) {
    wire.notify(
      "textDocument/didChange",
      #"{"textDocument":{"uri":\#(json(uri)),"version":\#(version)},"#
        + #""contentChanges":[{"text":\#(json(text + "\n"))}]}"#
    )
  }

  private func save(_ text: String, _ disk: Disk, in wire: Wire) {
    disk.write("\(path)", text)
    wire.notify("textDocument/didSave", #"{"textDocument":{"uri":\#(json(uri))}}"#)
    wire.work(on: disk)
  }

  @Test(
    "The line break that it adds is no change of the writer's, however the file ends",
    arguments: ["", "\n", "\n\n", "\r\n"]
  )
  func lineBreak(_ end: String) throws {
    let disk = Disk(["\(path)": "One two." + end])
    let wire = greeted()
    open("One two." + end, in: wire)
    wire.work(on: disk)
    change("One not two." + end, 3, in: wire)
    save("One not two." + end, disk, in: wire)
    #expect(disk.files["\(path).critic"] == "One {++not ++}two." + end)
    change("One not two." + end + "Three.", 4, in: wire)
    save("One not two." + end + "Three.", disk, in: wire)
    #expect(disk.files["\(path).critic"] == "One {++not ++}two." + end + "{++Three.++}")
    change("One not two.", 5, in: wire)
    save("One not two.", disk, in: wire)
    let deleted = end.isEmpty ? "" : "{--\(end)--}"
    #expect(disk.files["\(path).critic"] == "One {++not ++}two." + deleted)
    #expect(wire.messages.allSatisfy { $0["method"]?.string != "window/showMessage" })
  }

  @Test("A record is as it was when the file is opened and saved again")
  func reopened() {
    let record = "One {++two++}."
    let disk = Disk(["\(path)": "One two.", "\(path).critic": record])
    let wire = greeted(#"{"tracking":"auto"}"#)
    open("One two.", in: wire)
    wire.work(on: disk)
    save("One two.", disk, in: wire)
    #expect(disk.files["\(path).critic"] == record)
  }

  @Test("A completion has what is to be put behind what was typed, for its edit is ignored")
  func completion() throws {
    for (text, end, expected) in [
      ("One {", "", "++++}"), ("One {+", "", "+++}"), ("One {", "}", "++++"),
    ] {
      let wire = greeted(#"{"tracking":"on"}"#)
      open(text + end, in: wire)
      let items = try wire.request(
        "textDocument/completion",
        #"{"textDocument":{"uri":\#(json(uri))},"position":{"line":0,"character":\#(text.count)}}"#
      )["result"]?.elements
      let item = try #require(items?.first { _ in true })
      #expect(item["label"]?.string == "{++++}")
      #expect(item["insertText"]?.string == expected)
    }
  }

  @Test(
    "With the marks in the text it is said once that nothing is recorded, and nothing is promised"
  )
  func inline() throws {
    let disk = Disk(["\(path)": "One {++and ++}two.\n"])
    let wire = greeted(#"{"tracking":"on"}"#)
    open("One {++and ++}two.\n", in: wire)
    wire.work(on: disk)
    for version in 3...4 {
      let text = "One {++and ++}two, \(version).\n"
      change(text, version, in: wire)
      save(text, disk, in: wire)
    }
    let told = wire.messages.filter { $0["method"]?.string == "window/showMessage" }
      .compactMap { $0["params"]?["message"]?.string }
    #expect(
      told == [
        "This editor takes no edits: changes are only recorded with the setting marks = \"beside\"."
      ]
    )
    func hover(_ character: Int) throws -> String {
      let answer = try wire.request(
        "textDocument/hover",
        #"{"textDocument":{"uri":\#(json(uri))},"position":{"line":0,"character":\#(character)}}"#
      )
      return answer["result"]?["contents"]?["value"]?.string ?? ""
    }
    #expect(
      try hover(8).hasSuffix("“critic-lsp accept” accepts it, “critic-lsp reject” rejects it.")
    )
    #expect(try hover(18).contains("It is not recorded."))
  }

  @Test("The cells of a notebook are nobody's text")
  func notebook() throws {
    let uri = "file:///home/writer/.virtual_documents/a.ipynb.python-markdown.md"
    let disk = Disk([:])
    let wire = greeted()
    open("One {++and ++}two.\n\n\nThree.\n", uri, in: wire)
    wire.work(on: disk)
    let answer = try wire.request(
      "workspace/executeCommand",
      #"{"command":"critic.status","arguments":[{"uri":\#(json(uri))}]}"#
    )
    #expect(answer["result"]?["tracking"]?.bool == false)
    #expect(wire.messages.allSatisfy { $0["method"]?.string != "window/showMessage" })
    #expect(disk.files.isEmpty)
  }
}
