import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Code lenses", .timeLimited) struct CodeLensTests {
  private static let lensing =
    #"{"workspace":{"applyEdit":true,"codeLens":{"refreshSupport":true}},"#
    + #""textDocument":{"codeLens":{"dynamicRegistration":false}}}"#
  private let draft = "a {++b++} {--c--}{>>d<<}\n{==e {~~f\ng~>h~~}==} {>>i<<} {++j\n"

  private func wire(_ text: String) -> Wire {
    let wire = Wire(capabilities: CodeLensTests.lensing)
    wire.open(text)
    return wire
  }

  private func lenses(_ wire: Wire) throws -> [JSON] {
    let answer = try wire.request(
      "textDocument/codeLens",
      #"{"textDocument":{"uri":"\#(wire.uri)"}}"#
    )
    return Array(try #require(answer["result"]).elements)
  }

  private func resolved(_ wire: Wire, _ lens: JSON) throws -> JSON {
    let answer = try wire.request("codeLens/resolve", lens.description)
    return try #require(answer["result"], "\(answer.problem)")
  }

  @Test("Each change has three lenses above its first line, without a command yet")
  func list() throws {
    let lenses = try lenses(wire(draft))
    let ranges = lenses.compactMap { $0["range"]?.description }
    let expected = [Wire.range(0, 2, 0, 9), Wire.range(0, 10, 0, 17), Wire.range(1, 5, 1, 9)]
    #expect(ranges == expected.flatMap { [$0, $0, $0] })
    #expect(lenses.allSatisfy { $0["command"] == nil && $0["data"] != nil })
  }

  @Test("What a lens says is worked out when it is shown")
  func titles() throws {
    let wire = wire(draft)
    let titles = try lenses(wire).map { try resolved(wire, $0)["command"]?["title"]?.string }
    #expect(
      titles == [
        "Accept addition “b”", "Reject", "Comment", "Accept deletion “c”", "Reject",
        "Answer (1 comment)", "Accept “f⏎g” → “h”", "Reject", "Comment",
      ]
    )
  }

  @Test(
    "A lens does what it says, to its change alone",
    arguments: [
      (0, "a b {--c--}{>>d<<}\n{==e {~~f\ng~>h~~}==} {>>i<<} {++j\n"),
      (4, "a {++b++} c\n{==e {~~f\ng~>h~~}==} {>>i<<} {++j\n"),
      (6, "a {++b++} {--c--}{>>d<<}\n{==e h==} {>>i<<} {++j\n"),
      (7, "a {++b++} {--c--}{>>d<<}\n{==e f\ng==} {>>i<<} {++j\n"),
      (8, "a {++b++} {--c--}{>>d<<}\n{==e {~~f\ng~>h~~}{>><<}==} {>>i<<} {++j\n"),
    ]
  )
  func does(_ index: Int, _ result: String) throws {
    let wire = wire(draft)
    let lens = try resolved(wire, try lenses(wire)[index])
    let command = try #require(lens["command"])
    #expect(lens["range"] != nil)
    try wire.request("workspace/executeCommand", command.description)
    wire.takeEdits()
    #expect(wire.buffer == result)
  }

  @Test("A lens of a text that is gone is refused in words, and so is one of others")
  func refused() throws {
    let wire = wire(draft)
    let lens = try lenses(wire)[0]
    try wire.type("x", before: "a ")
    #expect(try wire.request("codeLens/resolve", lens.description).code == -32_801)
    let version = wire.version
    for data in [
      "7", #"{"uri":"file:///y.md"}"#, #"{"uri":"\#(wire.uri)","version":\#(version)}"#,
      #"{"uri":"\#(wire.uri)","version":\#(version),"command":"critic.acceptAll","range":{}}"#,
      #"{"uri":"\#(wire.uri)","version":\#(version),"command":"critic.accept","position":7}"#,
    ] {
      let params = #"{"range":\#(Wire.range(0, 0, 0, 0)),"data":\#(data)}"#
      #expect(try wire.request("codeLens/resolve", params).code == -32_602)
    }
    #expect(try wire.request("codeLens/resolve", "{}").code == -32_602)
  }

  @Test("The setting turns them off, and the client is told to ask again")
  func off() throws {
    let wire = wire(draft)
    let sent = wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"codeLens":false,"tracking":"on"}}}"#
    )
    #expect(sent.of("workspace/codeLens/refresh").count == 1)
    #expect(try lenses(wire).isEmpty)
    let again = wire.notify(
      "workspace/didChangeConfiguration",
      #"{"settings":{"critic":{"codeLens":false,"tracking":"on","author":"Ada"}}}"#
    )
    #expect(again.of("workspace/codeLens/refresh").isEmpty)
  }

  @Test("They are offered to clients that announce them and take edits")
  func offered() {
    let announced = #"{"textDocument":{"codeLens":{}}}"#
    for (capabilities, isOffered) in [
      (CodeLensTests.lensing, true), (Wire.editing, false), (announced, false),
    ] {
      let wire = Wire(client: "Zed", capabilities: capabilities)
      let answer = wire.messages.first?["result"]
      #expect((answer?["capabilities"]?["codeLensProvider"] != nil) == isOffered)
    }
  }
}
