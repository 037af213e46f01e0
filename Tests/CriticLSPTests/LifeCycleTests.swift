import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Life cycle", .timeLimited) struct LifeCycleTests {
  private static let open =
    #"{"textDocument":{"uri":"file:///draft.md","languageId":"markdown","version":1,"text":"a"}}"#

  // MARK: - Stages

  @Test(
    "Before initialize every request fails with -32002",
    arguments: ["shutdown", "textDocument/codeAction", "no/such", "$/no/such"]
  )
  func beforeInitialize(_ method: String) throws {
    #expect(try Wire.fresh.request(method).code == -32_002)
  }

  @Test("Before initialize notifications are dropped, and initialize still works")
  func dropped() throws {
    let wire = Wire.fresh
    #expect(wire.notify("textDocument/didOpen", LifeCycleTests.open).isEmpty)
    #expect(try wire.request("initialize")["result"]?["capabilities"] != nil)
    let status = try wire.command("status")
    #expect(status.code == -32_602, "the document is not open")
  }

  @Test("A second initialize is refused and changes nothing")
  func initializeTwice() throws {
    let wire = Wire(settings: #"{"tracking":"on"}"#)
    let again = try wire.request("initialize", #"{"initializationOptions":{"tracking":"off"}}"#)
    #expect(again.code == -32_600)
    wire.open("a")
    #expect(try wire.command("status")["result"]?["tracking"]?.bool == true)
  }

  @Test("Shutdown answers null; requests after it fail with -32600 and nothing is done any more")
  func afterShutdown() throws {
    let wire = Wire()
    wire.open("a")
    try wire.type("b")
    let answer = try wire.request("shutdown")
    #expect(answer["result"]?.isNull == true)
    for method in ["shutdown", "initialize", "no/such", "textDocument/formatting"] {
      #expect(try wire.request(method).code == -32_600)
    }
    #expect(wire.notify("textDocument/didOpen", LifeCycleTests.open).isEmpty)
    #expect(wire.server.deadline == nil)
    wire.handle(.tick)
    #expect(wire.messages.edits.isEmpty)
    #expect(wire.server.exitCode == nil)
  }

  @Test(
    "Exit and hanging up end the server: with 0 after shutdown, else with 1",
    arguments: [false, true]
  )
  func exitCodes(_ isShutDown: Bool) throws {
    let ends: [(Wire) -> Void] = [
      { $0.notify("exit") }, { $0.post(#"{"jsonrpc":"2.0","method":"exit"}"#) },
      { $0.handle(.hangUp) },
    ]
    for end in ends {
      let wire = Wire()
      if isShutDown { try wire.request("shutdown") }
      #expect(wire.server.exitCode == nil)
      end(wire)
      #expect(wire.server.exitCode == (isShutDown ? 0 : 1))
    }
  }

  @Test("Exit before initialize ends the server with 1")
  func exitAtOnce() {
    let wire = Wire.fresh
    #expect(wire.notify("exit").isEmpty)
    #expect(wire.server.exitCode == 1)
  }

  @Test("Hanging up after exit does not change the exit code")
  func hangUpAfterExit() throws {
    let wire = Wire()
    wire.notify("exit")
    wire.handle(.hangUp)
    #expect(wire.server.exitCode == 1)
  }

  // MARK: - What is not known

  @Test(
    "An unknown request fails with -32601 and is named",
    arguments: ["no/such", "$/no/such", "textDocument/implementation", ""]
  )
  func unknownRequest(_ method: String) throws {
    let answer = try Wire().request(method)
    #expect(answer.code == -32_601)
    #expect(answer.problem.contains(method))
  }

  @Test(
    "Nothing is said to an unknown notification, a cancelled unknown request, an unknown response",
    arguments: [
      #"{"jsonrpc":"2.0","method":"no/such"}"#,
      #"{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"off"}}"#,
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":77}}"#,
      #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":0}}"#,
      #"{"jsonrpc":"2.0","method":"$/cancelRequest"}"#,
      #"{"jsonrpc":"2.0","id":77,"result":{"applied":true}}"#,
      #"{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"no"}}"#,
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#,
    ]
  )
  func silence(_ body: String) throws {
    let wire = Wire()
    #expect(wire.post(body).isEmpty)
    #expect(try wire.request("shutdown")["result"] != nil)
  }

  // MARK: - Messages

  @Test(
    "A body that is no message is answered with null as its id, and the session goes on",
    arguments: [
      (#"{"jsonrpc":"2.0","id":1,"method":"shutdown"#, -32_700), ("", -32_700),
      ("shutdown", -32_700),
      ("[]", -32_600), ("7", -32_600), (#"{"jsonrpc":"2.0"}"#, -32_600),
      (#"{"jsonrpc":"2.0","id":{},"method":"shutdown"}"#, -32_600),
    ]
  )
  func noMessage(_ body: String, _ code: Int) throws {
    let wire = Wire()
    let answers = wire.post(body)
    #expect(answers.map(\.code) == [code])
    #expect(answers.first?["id"]?.isNull == true)
    #expect(try wire.request("shutdown")["result"]?.isNull == true)
  }

  @Test("Bytes that are no message at all are answered with -32700")
  func noise() throws {
    let answers = Wire().handle(.noise("This is not a header: hello"))
    #expect(answers.map(\.code) == [-32_700])
    #expect(answers.first?.problem.contains("hello") == true)
  }

  @Test("An id comes back as it was sent", arguments: ["0", "-3", "7", #""7""#, #""x-1""#, #""""#])
  func ids(_ id: String) {
    let wire = Wire()
    for method in ["no/such", "shutdown"] {
      let answers = wire.post(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"#)
      #expect(answers.map { $0["id"]?.description } == [id])
    }
  }

  @Test(
    "Parameters that are missing are told as -32602, and the session goes on",
    arguments: [
      "textDocument/codeAction", "textDocument/formatting", "textDocument/willSaveWaitUntil",
      "workspace/executeCommand",
    ]
  )
  func missingParams(_ method: String) throws {
    let wire = Wire()
    for params in ["", #","params":null"#, #","params":[]"#, #","params":{"textDocument":7}"#] {
      let answers = wire.post(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)"\#(params)}"#)
      #expect(answers.map(\.code) == [-32_602])
    }
    #expect(try wire.request("shutdown")["result"]?.isNull == true)
  }

  @Test("Notifications without parameters do no harm")
  func missingNotificationParams() throws {
    let wire = Wire()
    for method in [
      "initialized", "textDocument/didOpen", "textDocument/didChange", "textDocument/didSave",
      "textDocument/didClose", "workspace/didChangeConfiguration",
    ] {
      wire.post(#"{"jsonrpc":"2.0","method":"\#(method)"}"#)
    }
    #expect(wire.messages.allSatisfy { $0["error"] == nil })
    #expect(try wire.request("shutdown")["result"]?.isNull == true)
  }

  @Test("Our own requests never use an id twice")
  func ownIDs() throws {
    let wire = Wire(capabilities: #"{"workspace":{"applyEdit":true,"configuration":true}}"#)
    wire.open("one two")
    for letter in "abc" {
      try wire.type(String(letter), before: "two")
      wire.reply(to: try #require(wire.wait(750).edits.first), #"{"applied":false}"#)
    }
    let ids = wire.messages.filter { $0["method"] != nil }.compactMap { $0["id"]?.integer }
    #expect(ids.count == 4)
    #expect(Set(ids).count == ids.count)
  }

  @Test("What is no process's number is never taken for a process that has ended")
  func noProcess() {
    for number in [0, -1, -99_999, Int.max] { #expect(Platform.isRunning(number)) }
  }
}
