import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("The log and the trace", .timeLimited) struct LogTests {
  private func trace(_ wire: Wire) -> [String] {
    wire.messages.of("$/logTrace").compactMap { $0["params"]?["message"]?.string }
  }

  @Test(
    "The log says why an edit was not made",
    arguments: [
      (
        #""result":{"applied":false,"failureReason":"document has changed"}"#,
        "document has changed"
      ),
      (#""result":{"applied":false}"#, "the editor did not make our edit."),
      (#""error":{"code":-32603,"message":"require version 0"}"#, "require version 0 (-32603)"),
    ]
  )
  func refused(_ outcome: String, _ reason: String) throws {
    let wire = Wire()
    wire.open("one")
    try wire.type("x")
    let request = try #require(wire.wait(750).edits.first)
    let id = try #require(request["id"]?.integer)
    let sent = wire.post(#"{"jsonrpc":"2.0","id":\#(id),\#(outcome)}"#)
    #expect(sent.logged.count == 1)
    #expect(sent.logged.first?.hasPrefix("draft.md: ") == true)
    #expect(sent.logged.first?.hasSuffix(reason) == true)
    #expect(sent.of("window/logMessage").first?["params"]?["type"]?.integer == 4)
  }

  @Test("A problem is told once, and again only when a thousand others have come since")
  func problems() {
    let wire = Wire()
    func isTold(_ number: Int) -> Bool {
      let document = #"{"uri":"file:///\#(number).md","version":2}"#
      let change = #"{"textDocument":\#(document),"contentChanges":[{"text":""}]}"#
      return !wire.notify("textDocument/didChange", change).logged.isEmpty
    }
    for number in 0..<1000 { #expect(isTold(number)) }
    for number in 0..<1000 { #expect(!isTold(number)) }
    #expect(isTold(1000))
    #expect(!isTold(999))
    #expect(isTold(0))
  }

  @Test("The log says that an edit was lost; one that lands is not worth a line")
  func lost() throws {
    let wire = Wire()
    wire.open("one")
    try wire.type("x")
    wire.reply(to: try #require(wire.wait(750).edits.first))
    #expect(wire.wait(1000).logged == ["draft.md: our edit did not land in 1000 ms."])
    let landing = Wire()
    landing.open("one")
    try landing.type("x")
    try landing.pause()
    #expect(landing.messages.logged.count == 1, "the greeting alone")
  }

  @Test(
    "A client that takes no edits, or none that it has not asked for, is told so in the log",
    arguments: [
      ("{}", "never marked in the text, for this editor takes no edits,"),
      (#"{"textDocument":{"formatting":{}}}"#, "on save only, for this editor does not"),
      (#"{"textDocument":{"codeAction":{}}}"#, "on save only, for this editor does not"),
    ]
  )
  func noEdits(_ capabilities: String, _ expected: String) {
    let logged = Wire(capabilities: capabilities).messages.logged
    #expect(logged.first?.contains(expected) == true)
  }

  @Test("What took long is named in the log")
  func slow() throws {
    let wire = Wire()
    wire.open("one")
    #expect(wire.handle(.slow(340)).logged == ["textDocument/didOpen took 340 ms."])
    try wire.outcome(.found(nil))
    let logged = wire.handle(.slow(200)).logged
    #expect(logged == ["Recalling file:///draft.md took 200 ms."])
  }

  @Test(
    "Nothing is traced unless it is asked for",
    arguments: ["", #","trace":"off""#, #","trace":7"#]
  )
  func off(_ member: String) throws {
    let wire = Wire.fresh
    try wire.request("initialize", #"{"capabilities":{}\#(member)}"#)
    wire.open("one")
    #expect(trace(wire).isEmpty)
  }

  @Test("Messages are traced by name, in order, when the client asks for it at the beginning")
  func messages() throws {
    let wire = Wire.fresh
    try wire.request("initialize", #"{"capabilities":{},"trace":"messages"}"#)
    #expect(trace(wire) == ["Received request initialize (101)", "Sent response (101)"])
    let sent = wire.open("one")
    #expect(
      sent.compactMap { $0["method"]?.string } == [
        "textDocument/publishDiagnostics", "$/logTrace", "$/logTrace",
      ]
    )
    try wire.request("no/such")
    #expect(trace(wire).last == "Sent error (102): There is no method no/such.")
    #expect(wire.messages.of("$/logTrace").allSatisfy { $0["params"]?["verbose"] == nil })
  }

  @Test("The trace can be changed while the session goes on; a wrong value changes nothing")
  func setTrace() throws {
    let wire = Wire()
    wire.notify("$/setTrace", #"{"value":"verbose"}"#)
    wire.open("one")
    let line = try #require(wire.messages.of("$/logTrace").first { "\($0)".contains("didOpen") })
    #expect(line["params"]?["message"]?.string == "Received notification textDocument/didOpen")
    #expect(line["params"]?["verbose"]?.string?.contains(#""text":"one""#) == true)
    wire.notify("$/setTrace", #"{"value":"loud"}"#)
    #expect(trace(wire).last == "Received notification $/setTrace")
    wire.notify("$/setTrace", #"{"value":"off"}"#)
    let count = trace(wire).count
    try wire.type("x")
    #expect(trace(wire).count == count)
  }

  @Test("A long message is traced by its beginning")
  func long() throws {
    let wire = Wire()
    wire.notify("$/setTrace", #"{"value":"verbose"}"#)
    wire.open(String(repeating: "é", count: 100_000))
    let line = try #require(wire.messages.of("$/logTrace").first { "\($0)".contains("didOpen") })
    let text = try #require(line["params"]?["verbose"]?.string)
    #expect(text.utf8.count < 2 * TraceValue.maxBodyLength)
    #expect(text.hasSuffix("…"))
  }

  @Test(
    "A message is traced to its end if it is no longer than a line may be",
    arguments: [(TraceValue.maxBodyLength, false), (TraceValue.maxBodyLength + 1, true)]
  )
  func longest(_ length: Int, _ isCut: Bool) throws {
    let wire = Wire()
    wire.notify("$/setTrace", #"{"value":"verbose"}"#)
    let start = #"{"jsonrpc":"2.0","method":"$/nothing","params":{"text":""#
    let end = #""}}"#
    let room = length - start.utf8.count - end.utf8.count
    wire.post(start + String(repeating: "x", count: room) + end)
    let line = try #require(wire.messages.of("$/logTrace").last)
    #expect(line["params"]?["verbose"]?.string?.hasSuffix("…") == isCut)
  }
}
