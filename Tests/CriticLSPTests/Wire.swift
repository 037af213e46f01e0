import JSONRPC
import Testing

@testable import CriticLSP
@testable import TrackEngine

/// A connection with a server in the same process, where each message is sent and looked at by hand.
///
/// Time is the test's own, and the server is woken when it asked to be and not otherwise.
final class Wire {
  let server = Server()
  let uri = "file:///draft.md"
  private(set) var now = 0
  /// Everything that the server sent, oldest first.
  private(set) var messages: [JSON] = []
  /// The document as this client has it.
  private(set) var text = Text([])
  private(set) var version = 0
  private var lastID = 100
  /// The ids of the server's requests that were replied to.
  private var answered: Set<Int> = []
  private var encoding: PositionEncoding { server.client.encoding }

  /// A connection on which nothing was said yet.
  static var fresh: Wire { Wire(isFresh: true) }

  private init(isFresh: Bool) {}

  /// A connection on which client and server have greeted each other.
  ///
  /// - Parameters:
  ///   - client: Its name in `clientInfo`.
  ///   - capabilities: What it announces.
  ///   - settings: Its `initializationOptions`.
  init(
    client: String = "Neovim",
    capabilities: String = Wire.editing,
    settings: String = #"{"tracking":"on"}"#
  ) {
    post(
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":null,"#
        + #""clientInfo":{"name":"\#(client)"},"capabilities":\#(capabilities),"#
        + #""initializationOptions":\#(settings)}}"#
    )
    notify("initialized")
  }

  /// The capabilities of a client that takes edits, and those of one that asks before saving too.
  static let editing = #"{"workspace":{"applyEdit":true}}"#
  static let saving =
    #"{"workspace":{"applyEdit":true},"#
    + #""textDocument":{"synchronization":{"willSaveWaitUntil":true}}}"#

  /// The capabilities of a client that takes edits and announces this for documents.
  static func announcing(_ textDocument: String, _ encoding: PositionEncoding = .utf16) -> String {
    #"{"workspace":{"applyEdit":true},"general":{"positionEncodings":["\#(encoding.rawValue)"]},"#
      + #""textDocument":{\#(textDocument)}}"#
  }

  var buffer: String { String(decoding: text.bytes, as: UTF8.self) }

  // MARK: - Messages

  /// Sends a body and returns what comes back at once.
  @discardableResult
  func post(_ body: String) -> [JSON] { handle(.message(Array(body.utf8))) }

  @discardableResult
  func notify(_ method: String, _ params: String = "{}") -> [JSON] {
    post(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
  }

  /// Sends a request and returns the response, result or error.
  @discardableResult
  func request(_ method: String, _ params: String = "{}") throws -> JSON {
    lastID += 1
    let id = lastID
    let answers = post(
      #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    )
    return try #require(
      answers.first { $0["method"] == nil && $0["id"]?.integer == id },
      "\(method) was not answered"
    )
  }

  /// Sends a request that may be answered later, and returns its id.
  @discardableResult
  func begin(_ method: String, _ params: String = "{}") -> Int {
    lastID += 1
    post(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"#)
    return lastID
  }

  /// The response to a request, once it has come.
  func answer(to id: Int) -> JSON? {
    messages.first { $0["method"] == nil && $0["id"]?.integer == id }
  }

  /// Runs a command on the document and returns the response.
  @discardableResult
  func command(_ name: String, _ members: String = "") throws -> JSON {
    let argument = #"{"uri":\#(json(uri))\#(members.isEmpty ? "" : ",\(members)")}"#
    return try request(
      "workspace/executeCommand",
      #"{"command":"critic.\#(name)","arguments":[\#(argument)]}"#
    )
  }

  /// Runs a command, applies and answers what it sends, and returns the response.
  @discardableResult
  func run(_ name: String, _ members: String = "") throws -> JSON {
    let count = messages.edits.count
    let answer = try command(name, members)
    for request in messages.edits.dropFirst(count) {
      apply(request)
      reply(to: request)
    }
    return answer
  }

  /// Lets time pass; the server is woken whenever it wants to be.
  @discardableResult
  func wait(_ milliseconds: Int) -> [JSON] {
    let end = now + milliseconds
    var sent: [JSON] = []
    while let due = server.deadline, due <= end {
      now = max(now, due)
      sent += handle(.tick)
      if server.deadline == due {
        Issue.record("the server wants to be woken at \(due) again and again")
        break
      }
    }
    now = end
    return sent
  }

  @discardableResult
  func handle(_ event: Event) -> [JSON] {
    let sent = server.handle(event, at: now).compactMap { try? JSON(parsing: $0.body) }
    messages += sent
    return sent
  }

  /// Lets what the server wants have come to this.
  @discardableResult
  func outcome(_ result: EffectOutcome.Result) throws -> [JSON] {
    let effect = try #require(server.effect, "the server wants nothing")
    return handle(.outcome(EffectOutcome(effect: effect, result: result)))
  }

  // MARK: - The document

  @discardableResult
  func open(
    _ text: String,
    uri: String? = nil,
    language: String = "markdown",
    version: Int = 1
  ) -> [JSON] {
    self.text = Text(Array(text.utf8))
    self.version = version
    return notify(
      "textDocument/didOpen",
      #"{"textDocument":{"uri":\#(json(uri ?? self.uri)),"languageId":"\#(language)","#
        + #""version":\#(version),"text":\#(json(text))}}"#
    )
  }

  /// Opens a text in which `‸` is the caret; returns where that is.
  func open(caretIn text: String) throws -> Int {
    let parts = text.split(separator: "‸", omittingEmptySubsequences: false)
    try #require(parts.count == 2, "one caret in “\(text)”")
    open(parts.joined())
    return parts[0].utf8.count
  }

  /// Asks about a place of the document and returns the result.
  func ask(_ method: String, at offset: Int, _ members: String = "") throws -> JSON {
    let position = Conversions(text: text, encoding: encoding).position(of: offset)
    return try ask(
      method,
      #""position":{"line":\#(position.line),"character":\#(position.character)}\#(members)"#
    )
  }

  /// Asks about the document and returns the result.
  func ask(_ method: String, _ members: String = "") throws -> JSON {
    let answer = try request(
      "textDocument/\(method)",
      #"{"textDocument":{"uri":\#(json(uri))}\#(members.isEmpty ? "" : ",\(members)")}"#
    )
    return try #require(answer["result"], "\(answer)")
  }

  /// The offsets of an LSP range.
  func offsets(_ range: JSON?) throws -> Range<Int> {
    try #require(Conversions(text: text, encoding: encoding).range(of: range))
  }

  /// What stands in an LSP range of the document.
  func text(in range: JSON?) throws -> String {
    String(decoding: text[try offsets(range)], as: UTF8.self)
  }

  /// Sends a didChange as spelled.
  @discardableResult
  func didChange(_ contentChanges: String, version: Int, uri: String? = nil) -> [JSON] {
    notify(
      "textDocument/didChange",
      #"{"textDocument":{"uri":\#(json(uri ?? self.uri)),"version":\#(version)},"#
        + #""contentChanges":\#(contentChanges)}"#
    )
  }

  /// Changes the document by edits on one text, and tells of them in one notification or in several.
  @discardableResult
  func change(_ edits: [Edit], separately: Bool = false) -> [JSON] {
    let notifications = separately ? edits.reversed().map { [$0] } : [edits.reversed()]
    return notifications.flatMap { tell($0) }
  }

  /// Makes edits one after the other, and tells of all of them in one notification.
  @discardableResult
  func tell(_ edits: [Edit]) -> [JSON] {
    let events = edits.map { edit in
      defer { text.replace(edit.range, with: edit.new) }
      return #"{"range":\#(range(edit.range)),"text":\#(json(edit.new))}"#
    }
    version += 1
    return didChange("[\(events.joined(separator: ","))]", version: version)
  }

  /// Replaces the first occurrence of a text.
  @discardableResult
  func replace(_ old: String, with new: String) throws -> [JSON] {
    change([Edit(try offsets(of: old), Array(new.utf8))])
  }

  /// Types letter by letter before the first occurrence of a text; at the end if it is empty.
  func type(_ new: String, before place: String = "") throws {
    var at = try offsets(of: place).lowerBound
    for letter in new {
      change([Edit(at..<at, Array(String(letter).utf8))])
      at += String(letter).utf8.count
    }
  }

  /// Makes the document what it was, in one change as undo does.
  func travel(to old: String) {
    let old = Array(old.utf8)
    let head = zip(text.bytes, old).prefix { $0 == $1 }.count
    let tail = zip(text.bytes.dropFirst(head).reversed(), old.dropFirst(head).reversed())
      .prefix { $0 == $1 }.count
    change([Edit(head..<text.count - tail, Array(old[head..<old.count - tail]))])
  }

  /// Where a text first occurs; the document's end for an empty one.
  func offsets(of part: String) throws -> Range<Int> {
    if part.isEmpty { return text.count..<text.count }
    let found = try #require(buffer.firstRange(of: part), "no “\(part)” in “\(buffer)”")
    let start = buffer.utf8.distance(from: buffer.startIndex, to: found.lowerBound)
    return start..<start + part.utf8.count
  }

  /// An LSP range of the document.
  func range(_ offsets: Range<Int>) -> String {
    var writer = JSONWriter()
    Conversions(text: text, encoding: encoding).write(offsets, to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The LSP range of a text's first occurrence.
  func range(of part: String) throws -> String { range(try offsets(of: part)) }

  /// Two positions as LSP writes them.
  static func range(_ startLine: Int, _ start: Int, _ endLine: Int, _ end: Int) -> String {
    #"{"start":{"line":\#(startLine),"character":\#(start)},"#
      + #""end":{"line":\#(endLine),"character":\#(end)}}"#
  }

  // MARK: - The server's edits

  /// The edits in a list of LSP's `TextEdit`, as offsets of the document.
  func edits(_ list: JSON?) -> [Edit] {
    Conversions(text: text, encoding: encoding).edits(of: list)
  }

  /// The edits in a request to apply some, or in a code action.
  func edits(in message: JSON) -> [Edit] {
    let edit = message["params"]?["edit"] ?? message["edit"]
    return edits(edit?["documentChanges"]?.first?["edits"])
  }

  /// Does what the server asks for and tells of it, without replying.
  @discardableResult
  func apply(_ request: JSON, separately: Bool = false) -> [JSON] {
    change(edits(in: request), separately: separately)
  }

  /// Replies to a request of the server.
  @discardableResult
  func reply(to request: JSON, _ result: String = #"{"applied":true}"#) -> [JSON] {
    respond(to: request, #""result":\#(result)"#)
  }

  /// Replies to a request of the server with an error.
  @discardableResult
  func fail(_ request: JSON) -> [JSON] {
    respond(to: request, #""error":{"code":-32603,"message":"require version 0, you have 1"}"#)
  }

  private func respond(to request: JSON, _ outcome: String) -> [JSON] {
    let id = request["id"]?.integer ?? 0
    answered.insert(id)
    return post(#"{"jsonrpc":"2.0","id":\#(id),\#(outcome)}"#)
  }

  /// Lets time pass and answers every edit in order, as clients do: those of a text that is gone are
  /// refused.
  ///
  /// - Parameter refusing: Whether all of them are.
  func takeEdits(refusing: Bool = false) {
    for _ in 0..<20 {
      if unanswered == nil { wait(5000) }
      guard let request = unanswered else { return }
      let document = request["params"]?["edit"]?["documentChanges"]?.first?["textDocument"]
      let isTaken = document?["version"]?.integer == version && !refusing
      if isTaken { apply(request) }
      reply(to: request, #"{"applied":\#(isTaken)}"#)
    }
    Issue.record("edits follow each other without end")
  }

  private var unanswered: JSON? {
    messages.edits.first { $0["id"]?.integer.map(answered.contains) == false }
  }

  /// Lets the user pause until the server's next edit has come and landed.
  func pause() throws {
    let request = try #require(wait(750).edits.first)
    apply(request)
    reply(to: request)
  }
}

extension [JSON] {
  /// The messages of one method.
  func of(_ method: String) -> [JSON] { filter { $0["method"]?.string == method } }

  /// The requests to apply an edit.
  var edits: [JSON] { of("workspace/applyEdit") }
  /// What the user is told.
  var shown: [String] {
    of("window/showMessage").compactMap { $0["params"]?["message"]?.string }
  }
  /// What is written to the log.
  var logged: [String] {
    of("window/logMessage").compactMap { $0["params"]?["message"]?.string }
  }
  /// The lists of changes.
  var published: [JSON] { of("textDocument/publishDiagnostics").compactMap { $0["params"] } }
}

extension JSON {
  var code: Int? { self["error"]?["code"]?.integer }
  var problem: String { self["error"]?["message"]?.string ?? "" }
}

/// A text as JSON spells it.
func json(_ text: String) -> String { json(Array(text.utf8)) }

private func json(_ text: [UInt8]) -> String {
  var writer = JSONWriter()
  writer.string(utf8: text)
  return String(decoding: writer.bytes, as: UTF8.self)
}
