import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Features as functions of a snapshot", .timeLimited) struct SnapshotTests {
  private func snapshot(of text: String, _ capabilities: String = "{}") throws -> Snapshot {
    let params = try JSON(parsing: Array(#"{"capabilities":\#(capabilities)}"#.utf8))
    let document = Document(
      uri: "file:///draft.md",
      version: 1,
      tracker: Tracker(Text(Array(text.utf8)), isTracking: true),
      settings: Settings(),
      revisions: Counter()
    )
    return Snapshot(of: document, Client(InitializeParams(params)))
  }

  private func params<Params: JSONReadable>(_ members: String) throws -> Params {
    let text = #"{"textDocument":{"uri":"file:///draft.md"},\#(members)}"#
    return try Params(JSON(parsing: Array(text.utf8)))
  }

  private let inside = #""position":{"line":0,"character":6}"#

  @Test("A hover says what happened and where")
  func hovering() throws {
    let answer = try hover(snapshot(of: "one {++two++}"), params(inside))
    let contents = try #require(answer?.contents)
    #expect(contents.kind == .plaintext)
    #expect(String(decoding: contents.value, as: UTF8.self).hasPrefix("Added “two”"))
    #expect(answer?.range?.lowerBound.character == 4)
    #expect(answer?.range?.upperBound.character == 13)
  }

  @Test("A highlight tells the old text of a substitution from the new one")
  func highlighting() throws {
    let highlights = try documentHighlights(snapshot(of: "a {~~two~>three~~}"), params(inside))
    #expect(highlights.map(\.kind) == [.read, .write])
  }

  @Test("The answer is the same however often one asks, and the document stays as it was")
  func asking() throws {
    let snapshot = try snapshot(of: "one {++two++} {>>why<<}")
    let first = try codeLens(snapshot, params(inside)).ranges
    #expect(first.count == 1)
    #expect(try codeLens(snapshot, params(inside)).ranges == first)
    #expect(String(decoding: snapshot.text.bytes, as: UTF8.self) == "one {++two++} {>>why<<}")
  }

  @Test(
    "Wrong params are told with the member that is wrong",
    arguments: [
      ("", "params: expected an object"),
      (#","params":{}"#, "textDocument: missing"),
      (#","params":{"textDocument":{"uri":1}}"#, "textDocument.uri: expected a string"),
      (#","params":{"textDocument":{"uri":"a"}}"#, "position: missing"),
      (
        #","params":{"textDocument":{"uri":"a"},"position":{"line":0,"character":-1}}"#,
        "position.character: expected a non-negative integer"
      ),
    ]
  )
  func wrong(_ params: String, _ message: String) {
    let wire = Wire()
    let answer = wire.post(#"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover"\#(params)}"#)
    #expect(answer.first?["error"]?["code"]?.integer == -32602)
    #expect(answer.first?["error"]?["message"]?.string == message)
  }

  @Test("A notification that can't be read is told once, with the member that is wrong")
  func wrongNotification() {
    let wire = Wire()
    let params = #"{"textDocument":{"uri":"file:///a.md"}}"#
    let told = wire.notify("textDocument/didOpen", params)
    #expect(
      told.first?["params"]?["message"]?.string
        == "textDocument/didOpen was ignored; textDocument.text: expected a string."
    )
    #expect(wire.notify("textDocument/didOpen", params).isEmpty)
  }
}
