import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Who made a change", .timeLimited) struct AuthorTests {
  private static let capabilities =
    #"{"workspace":{"applyEdit":true},"textDocument":{"hover":{"contentFormat":["plaintext"]},"#
    + #""documentSymbol":{"hierarchicalDocumentSymbolSupport":true},"#
    + #""codeAction":{"codeActionLiteralSupport":{}}}}"#

  /// A change as tools and people write it, and what is shown of who made it: in lists, and in words.
  private static let changes =
    [
      ("{++new++}{>>@anna<<}", "@anna", "anna"),
      ("{++new++}{>>@anna | 2026-11-22<<}", "@anna, 2026-11-22", "anna, 22 Nov 2026"),
      (
        #"{++{"author":"Ada B","time":1708879304}@@new++}"#, "@Ada_B, 2024-02-25T16:41:44Z",
        "Ada B, 25 Feb 2024"
      ),
      (
        #"{++{"author":"x\u00e9","time":1708879304123}@@new++}"#, "@xé, 2024-02-25T16:41:44Z",
        "xé, 25 Feb 2024"
      ),
      (
        #"{++new++}{id="s1" by="anna" at="2026-11-22"}"#, "@anna, 2026-11-22",
        "anna, 22 Nov 2026"
      ),
      ("{++new++}[^cn-1]", "@bo, 2026-11-22, proposed", "bo, 22 Nov 2026, proposed"),
      ("{++new++}{#s1}", nil, nil), ("{++new++}", nil, nil),
    ] as [(String, String?, String?)]

  private func wire(_ text: String) -> (Wire, [JSON]) {
    let wire = Wire(capabilities: AuthorTests.capabilities)
    return (wire, wire.open("The \(text) fox\n\n[^cn-1]: @bo | 2026-11-22 | ins | proposed\n"))
  }

  @Test("It is in the list of changes, in hovers, hints and the outline", arguments: changes)
  func shown(_ text: String, _ byline: String?, _ words: String?) throws {
    let (wire, messages) = wire(text)
    let diagnostics = messages.of("textDocument/publishDiagnostics").first?["params"]?[
      "diagnostics"
    ]
    let message = try #require(diagnostics?.elements.first { _ in true }?["message"]?.string)
    #expect(message == "Added “new” in “The […] fox”" + (words.map { " · \($0)" } ?? ""))
    let hover = try wire.ask("hover", at: 8)["contents"]?["value"]?.string
    #expect(hover?.contains("By “\(words ?? "")”") == (words != nil))
    let symbols = try wire.ask("documentSymbol")
    #expect(symbols.elements.first { _ in true }?["detail"]?.string == byline)
    let hints = try wire.request(
      "textDocument/inlayHint",
      #"{"textDocument":{"uri":"\#(wire.uri)"},"range":\#(wire.range(0..<wire.text.count))}"#
    )["result"]
    let name = words?.split(separator: ",").first.map(String.init)
    #expect(hints?.elements.compactMap { $0["label"]?.string } == (name.map { [$0] } ?? []))
  }

  @Test("Scripts get author, date and everybody who has a say")
  func list() throws {
    let (wire, _) = wire("{++a++}{>>@Ada_B | 2026-11-22<<}{>>@bo: no<<} {--b--}[^cn-1] {--c--}")
    let list = Array(try #require(try wire.command("changes")["result"]).elements)
    #expect(list[0]["author"]?.string == "Ada B")
    #expect(list[0]["date"]?.string == "2026-11-22")
    #expect(list[0]["authors"]?.description == #"["Ada B","bo"]"#)
    #expect(list[0]["comments"]?.description == #"["@bo: no"]"#)
    #expect(list[1]["status"]?.string == "proposed")
    #expect(list[2]["author"]?.isNull == true && list[2]["status"]?.isNull == true)
    #expect(list[2]["authors"]?.description == "[]")
    let status = try wire.command("status")["result"]
    #expect(status?["commented"]?.integer == 1)
  }

  @Test("The changes of one author are accepted or rejected together")
  func settling() throws {
    let text = "{++a++}{>>@ai:claude<<} {--b--}{>>@ai:claude: c<<} {++d++}{>>@bo<<} {++e++}"
    for (command, result) in [
      ("acceptAll", "The a  {++d++}{>>@bo<<} {++e++} fox"),
      ("rejectAll", "The  b {++d++}{>>@bo<<} {++e++} fox"),
    ] {
      let (wire, _) = wire(text)
      try wire.command(command, #""author":"@ai:claude""#)
      wire.takeEdits()
      #expect(wire.buffer.hasPrefix(result))
      #expect(try wire.command(command, #""author":"cy""#).code == -32_803)
      #expect(try wire.command(command, #""author":1"#).code == -32_602)
      #expect(try wire.command(command, #""author":"bo","kind":"addition""#).code == -32_602)
    }
  }

  @Test("A code action settles what somebody made, where others made changes too")
  func actions() throws {
    func titles(_ text: String) throws -> [String] {
      let (wire, _) = wire(text)
      let actions = try wire.request(
        "textDocument/codeAction",
        #"{"textDocument":{"uri":"\#(wire.uri)"},"range":\#(wire.range(8..<8)),"context":{"diagnostics":[]}}"#
      )["result"]
      return actions?.elements.compactMap { $0["title"]?.string }.filter { $0.contains(" by ") }
        ?? []
    }
    #expect(
      try titles("{++a++}{>>@claude<<} {--b--}{>>@claude<<} {++d++}{>>@bo<<}") == [
        "Accept all 2 changes by @claude", "Reject all 2 changes by @claude",
      ]
    )
    #expect(try titles("{++a++}{>>@claude<<} {--b--}{>>@claude<<}").isEmpty)
    #expect(try titles("{++a++} {--b--}{>>@claude<<}").isEmpty)
  }

  @Test("The workspace is searched by author")
  func search() throws {
    let wire = Wire.fresh
    try wire.request(
      "initialize",
      #"{"processId":null,"workspaceFolders":[{"uri":"file:///book","name":"book"}],"#
        + #""capabilities":{"workspace":{"symbol":{},"workspaceFolders":true}}}"#
    )
    wire.notify("initialized")
    let disk = Disk(["/book/one.md": "The {++quick++}{>>@anna<<} {--brown--}{>>@bo: no<<} fox\n"])
    let found = try wire.search("@anna", on: disk)
    #expect(found.compactMap { $0["name"]?.string } == ["Added “quick” · @anna"])
  }

  @Test("What is exported has neither references nor footnotes")
  func export() throws {
    let (wire, _) = wire("{++new++}[^cn-1]")
    #expect(
      try wire.command("export", #""variant":"original""#)["result"]?.string == "The  fox\n"
    )
  }
}
