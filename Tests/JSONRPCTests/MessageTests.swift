import JSONRPC
import TestSupport
import Testing

@Suite("Messages", .timeLimited)
struct MessageTests {
  @Test("A request has an id, a method and parameters")
  func request() throws {
    let message = try read(#"{"jsonrpc":"2.0","id":7,"method":"a/b","params":{"x":1}}"#)
    guard case .request(.number(7), "a/b", let params?) = message else {
      Issue.record("\(message)")
      return
    }
    #expect(params["x"]?.integer == 1)
  }

  @Test(
    "Parameters that are missing or null are absent",
    arguments: [
      #"{"jsonrpc":"2.0","id":1,"method":"m"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"m","params":null}"#,
      #"{"jsonrpc":"2.0","method":"m"}"#, #"{"jsonrpc":"2.0","method":"m","params":null}"#,
      #"{"method":"m"}"#,
    ]
  )
  func absentParameters(_ body: String) throws {
    switch try read(body) {
    case .request(.number(1), "m", nil): #expect(body.contains("\"id\""))
    case .notification("m", nil): #expect(!body.contains("\"id\""))
    case let other: Issue.record("\(other)")
    }
  }

  @Test(
    "An id goes back as the JSON type it came with",
    arguments: ["0", "1", "-1", "9223372036854775807", #""1""#, #""""#, #""a\"b""#, #""é""#]
  )
  func echoesID(_ id: String) throws {
    guard case .request(let read, _, _) = try read(#"{"id":\#(id),"method":"m"}"#) else {
      Issue.record("no request")
      return
    }
    #expect(read.description == id)
    let answer = OutgoingMessage.response(to: read) { $0.bool(true) }
    #expect(answer.description == #"{"jsonrpc":"2.0","id":\#(id),"result":true}"#)
    let refusal = OutgoingMessage.error(to: read, .requestFailed("No."))
    #expect(
      refusal.description
        == #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32803,"message":"No."}}"#
    )
  }

  @Test(
    "A response is a success when it has a result and no error",
    arguments: [
      (#"{"jsonrpc":"2.0","id":1,"result":{"applied":true}}"#, #"{"applied":true}"#),
      (#"{"id":1,"result":null}"#, "null"), (#"{"id":1,"result":[],"error":null}"#, "[]"),
      (#"{"id":1,"error":null}"#, "null"),
    ]
  )
  func success(_ body: String, _ result: String) throws {
    guard case .response(.number(1), .success(let json)) = try read(body) else {
      Issue.record("no success")
      return
    }
    #expect(json.description == result)
  }

  @Test(
    "A response is a failure when it has an error, however it is made",
    arguments: [
      (#"{"id":"a","error":{"code":-1,"message":"x"}}"#, RequestID.string("a"), -1, "x"),
      (#"{"id":null,"error":{"code":-1,"message":"x","data":[]}}"#, nil, -1, "x"),
      (#"{"error":{"code":-1,"message":"x"}}"#, nil, -1, "x"),
      (#"{"id":1,"result":null,"error":{"code":2}}"#, .number(1), 2, ""),
      (#"{"id":1,"error":"x"}"#, .number(1), -32_603, "x"),
      (#"{"id":1,"error":{}}"#, .number(1), -32_603, ""),
    ] as [(String, RequestID?, Int, String)]
  )
  func failure(_ body: String, _ id: RequestID?, _ code: Int, _ text: String) throws {
    guard case .response(let read, .failure(let error)) = try read(body) else {
      Issue.record("no failure")
      return
    }
    #expect(read == id)
    #expect(error == ResponseError(code: code, message: text))
  }

  @Test(
    "JSON that is no message is an invalid request, answered to its id where that can be read",
    arguments: [
      ("[]", nil), ("1", nil), ("null", nil), (#"[{"id":1,"method":"m"}]"#, nil), ("{}", nil),
      (#"{"jsonrpc":"1.0","id":1,"method":"m"}"#, .number(1)),
      (#"{"jsonrpc":2.0,"id":"a","method":"m"}"#, .string("a")),
      (#"{"id":1,"method":2}"#, .number(1)), (#"{"id":1,"method":null}"#, .number(1)),
      (#"{"id":1}"#, .number(1)), (#"{"jsonrpc":"2.0","id":1,"params":{}}"#, .number(1)),
      (#"{"id":null,"method":"m"}"#, nil), (#"{"id":1.5,"method":"m"}"#, nil),
      (#"{"id":true,"method":"m"}"#, nil), (#"{"id":{},"method":"m"}"#, nil),
      (#"{"id":[],"result":1}"#, nil), (#"{"id":true,"error":{}}"#, nil), (#"{"result":1}"#, nil),
      (#"{"id":9223372036854775808,"method":"m"}"#, nil),
    ] as [(String, RequestID?)]
  )
  func invalid(_ body: String, _ id: RequestID?) {
    let invalid = #expect(throws: InvalidMessage.self) { try read(body) }
    #expect(invalid?.error.code == -32_600)
    #expect(invalid?.id == id)
    #expect(invalid?.error.message.hasSuffix(".") == true)
  }

  @Test("A body that does not parse is a parse error that names the byte")
  func parseError() {
    let invalid = #expect(throws: InvalidMessage.self) { try read(#"{"id":1,"method":}"#) }
    #expect(invalid?.id == nil)
    #expect(invalid?.error.code == -32_700)
    #expect(invalid?.error.message == "The message is not JSON: a value was expected at byte 17.")
  }

  @Test("A success without anything written has a null result")
  func emptyResult() {
    let message = OutgoingMessage.response(to: .number(1)) { _ in }
    #expect(message.description == #"{"jsonrpc":"2.0","id":1,"result":null}"#)
  }

  @Test("An error to an unreadable id has a null id")
  func errorWithoutID() {
    let message = OutgoingMessage.error(to: nil, .parseError("a \"b\""))
    #expect(
      message.description
        == #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"a \"b\""}}"#
    )
  }

  @Test("Requests and notifications of ours read back as what they are")
  func outgoing() throws {
    let notification = OutgoingMessage.notification(method: "a/b") {
      $0.object { $0.member("x", 1) }
    }
    #expect(notification.description == #"{"jsonrpc":"2.0","method":"a/b","params":{"x":1}}"#)
    guard case .notification("a/b", let params?) = try IncomingMessage(body: notification.body)
    else {
      Issue.record("no notification")
      return
    }
    #expect(params["x"]?.integer == 1)
    let request = OutgoingMessage.request(id: 3, method: "c") { _ in }
    #expect(request.description == #"{"jsonrpc":"2.0","id":3,"method":"c"}"#)
    guard case .request(.number(3), "c", nil) = try IncomingMessage(body: request.body) else {
      Issue.record("no request")
      return
    }
  }

  @Test("A message goes out in a frame with its length", arguments: [0, 1, 50, 90, 950, 1_000_000])
  func framed(_ length: Int) {
    let message = OutgoingMessage.notification(method: "m") {
      $0.string(String(repeating: "é", count: length))
    }
    #expect(message.withFrame { Array($0) } == Framing.frame(message.body))
    #expect(message.description == String(decoding: message.body, as: UTF8.self))
    #expect(message.body.count == 2 * length + 42)
  }

  @Test("The standard errors have their codes")
  func codes() {
    let errors: [ResponseError] = [
      .parseError(""), .invalidRequest(""), .methodNotFound(""), .invalidParams(""),
      .internalError(""), .serverNotInitialized(""), .requestCancelled(""), .contentModified(""),
      .requestFailed(""),
    ]
    #expect(
      errors.map(\.code) == [
        -32_700, -32_600, -32_601, -32_602, -32_603, -32_002, -32_800, -32_801, -32_803,
      ]
    )
  }

  @Test("After a body that does not parse the next message arrives")
  func goesOn() throws {
    var framing = Framing()
    framing.append(Framing.frame(Array("{\"id\":".utf8)))
    framing.append(Framing.frame(Array(#"{"id":1,"method":"m"}"#.utf8)))
    guard case .body(let broken)? = framing.next(), case .body(let whole)? = framing.next() else {
      Issue.record("no bodies")
      return
    }
    let invalid = #expect(throws: InvalidMessage.self) { try IncomingMessage(body: broken) }
    #expect(invalid?.error.code == -32_700)
    guard case .request(.number(1), "m", nil) = try IncomingMessage(body: whole) else {
      Issue.record("no request")
      return
    }
  }

  private func read(_ body: String) throws -> IncomingMessage {
    try IncomingMessage(body: Array(body.utf8))
  }
}
