import JSONRPC
import TestSupport

@testable import CriticLSP
@testable import TrackEngine

/// An editor that speaks LSP with a server in the same process, in a time of its own.
///
/// It behaves like the clients that were measured: it refuses an edit of a text that it no longer has,
/// and tells of our edits in one notification, in one for each edit, or together with a keystroke.
final class SimulatedClient {
  /// How a client shows us our own edits.
  enum Manner: String, CaseIterable {
    /// One notification, then the reply; a stale edit is refused.
    case helix
    /// A notification for each edit, the later ones 150 ms later; a stale edit is dropped without a
    /// word.
    case neovim
    /// The reply, then one notification; a stale edit is answered with an error.
    case emacs
  }

  let server = Server()
  let manner: Manner
  let encoding: PositionEncoding
  private(set) var text: Text
  private(set) var version = 3
  var now = 0
  private(set) var log: [String] = []
  /// What the server asked for and the client has not looked at yet.
  private var waiting: [(id: RequestID, params: JSON?)] = []
  private var notices: [(at: Int, changes: [(edit: Edit, before: Text)])] = []
  private(set) var results: [RequestID: Result<JSON, ResponseError>] = [:]
  private(set) var diagnostics: JSON?
  private(set) var notifications: [(method: String, params: JSON?)] = []
  private var lastRequest = 0
  let uri = "file:///home/writer/draft.md"
  /// The files that the server looks for and writes; nil if it is left alone with that.
  let disk: Disk?

  init(
    _ text: String,
    manner: Manner = .helix,
    encoding: PositionEncoding = .utf16,
    options: String = #"{"tracking":"on","marking":"idle","idleDelay":60}"#,
    capabilities: String? = nil,
    disk: Disk? = nil
  ) throws {
    self.disk = disk
    self.manner = manner
    self.encoding = encoding
    self.text = Text(Array(text.utf8))
    let offered =
      encoding == .utf16 ? "" : #","general":{"positionEncodings":["\#(encoding.rawValue)"]}"#
    let announced = capabilities ?? #"{"workspace":{"applyEdit":true}\#(offered)}"#
    try request(
      "initialize",
      #"{"processId":null,"capabilities":\#(announced),"initializationOptions":\#(options)}"#
    )
    notify("initialized", "{}")
    var writer = JSONWriter()
    writer.object {
      $0.member(
        "textDocument",
        object: {
          $0.member("uri", uri)
          $0.member("languageId", "markdown")
          $0.member("version", version)
          $0.member("text", text)
        }
      )
    }
    notify("textDocument/didOpen", String(decoding: writer.bytes, as: UTF8.self))
  }

  var buffer: String { String(decoding: text.bytes, as: UTF8.self) }

  // MARK: - What the user does

  /// Replaces a range of the buffer.
  func change(_ range: Range<Int>, _ new: String) {
    flush()
    tell([Edit(range, Array(new.utf8))])
    log.append("\(range) \(new.debugDescription): \(buffer)")
  }

  /// Replaces the first occurrence of a text.
  func replace(_ old: String, with new: String) {
    change(range(of: old), new)
  }

  /// Types before the first occurrence of a text, letter by letter.
  func type(_ new: String, before place: String) {
    var at = range(of: place).lowerBound
    for letter in new {
      change(at..<at, String(letter))
      at += String(letter).utf8.count
    }
  }

  func range(of part: String) -> Range<Int> {
    guard let found = buffer.firstRange(of: part) else { return text.count..<text.count }
    let start = buffer.utf8.distance(from: buffer.startIndex, to: found.lowerBound)
    return start..<start + part.utf8.count
  }

  /// Puts back a text that the buffer had, as undo and redo do.
  func travel(to old: Text) {
    flush()
    let head = zip(text.bytes, old.bytes).prefix { $0 == $1 }.count
    let tail = zip(text.bytes.dropFirst(head).reversed(), old.bytes.dropFirst(head).reversed())
      .prefix { $0 == $1 }.count
    let edit = Edit(head..<text.count - tail, Array(old.bytes[head..<old.count - tail]))
      .onCharacters(of: text)
    tell([edit])
    log.append("travelled: \(buffer)")
  }

  /// Lets time pass until nothing is in flight any more.
  func pause() {
    for _ in 0..<40 {
      wait(100)
      answerAll()
    }
    log.append("paused: \(buffer)")
  }

  /// Lets some milliseconds pass; edits that arrive stay unanswered.
  func wait(_ milliseconds: Int) {
    now += milliseconds
    tellNotices()
    handle(.tick)
  }

  /// Looks at the edits that the server sent.
  func answerAll() {
    while !waiting.isEmpty {
      let (id, params) = waiting.removeFirst()
      answer(id, params)
    }
  }

  // MARK: - Our edits

  private func answer(_ id: RequestID, _ params: JSON?) {
    let document = params?["edit"]?["documentChanges"]?.first
    let isCurrent = document?["textDocument"]?["version"]?.integer == version && notices.isEmpty
    let edits = edits(in: document)
    guard isCurrent else {
      switch manner {
      case .helix: reply(id, #"{"applied":false,"failureReason":"document has changed"}"#)
      case .neovim: reply(id, #"{"applied":true}"#)
      case .emacs: fail(id)
      }
      return
    }
    switch manner {
    case .helix:
      tell(edits.reversed())
      reply(id, #"{"applied":true}"#)
    case .emacs:
      reply(id, #"{"applied":true}"#)
      tell(edits.reversed())
    case .neovim:
      // The buffer has all of it at once; the notifications come one by one.
      let states = take(edits.reversed())
      if let first = states.first { send([first]) }
      reply(id, #"{"applied":true}"#)
      if states.count > 1 { notices.append((now + 150, Array(states.dropFirst()))) }
    }
  }

  /// Tells at once what would have been told later: a client does that before anything else it sends.
  private func flush() {
    for notice in notices { send(notice.changes) }
    notices = []
  }

  private func tellNotices() {
    while let notice = notices.first, notice.at <= now {
      notices.removeFirst()
      send(notice.changes)
    }
  }

  /// The edits for a document, on its text as it is.
  private func edits(in document: JSON?) -> [Edit] {
    Conversions(text: text, encoding: encoding).edits(of: document?["edits"])
  }

  private func tell(_ edits: [Edit]) { send(take(edits)) }

  /// Makes edits one after the other; each is returned with the text that it was made on.
  private func take(_ edits: [Edit]) -> [(edit: Edit, before: Text)] {
    edits.map { edit in
      let before = text
      text.replace(edit.range, with: edit.new)
      return (edit, before)
    }
  }

  private func send(_ changes: [(edit: Edit, before: Text)]) {
    version += 1
    var writer = JSONWriter()
    writer.object {
      $0.member("textDocument", VersionedTextDocumentIdentifier(uri: uri, version: version))
      $0.member(
        "contentChanges",
        array: {
          for (edit, before) in changes {
            Conversions(text: before, encoding: encoding).writeChange(edit, to: &$0)
          }
        }
      )
    }
    notify("textDocument/didChange", String(decoding: writer.bytes, as: UTF8.self))
  }

  // MARK: - The wire

  @discardableResult
  func request(_ method: String, _ params: String) throws -> JSON {
    flush()
    lastRequest += 1
    let id = RequestID.number(lastRequest)
    post(#"{"jsonrpc":"2.0","id":\#(lastRequest),"method":"\#(method)","params":\#(params)}"#)
    guard let result = results[id] else {
      throw ResponseError.internalError("no answer to \(method)")
    }
    return try result.get()
  }

  /// Runs a command of the server.
  @discardableResult
  func command(_ name: String, _ members: String = "") throws -> JSON {
    let arguments = #"{"uri":"\#(uri)"\#(members.isEmpty ? "" : ",\(members)")}"#
    return try request(
      "workspace/executeCommand",
      #"{"command":"critic.\#(name)","arguments":[\#(arguments)]}"#
    )
  }

  /// The code actions for a range of the buffer.
  func codeActions(_ range: Range<Int>) throws -> [JSON] {
    var writer = JSONWriter()
    writer.object {
      $0.member("textDocument", object: { $0.member("uri", uri) })
      $0.key("range")
      Conversions(text: text, encoding: encoding).write(range, to: &$0)
      $0.member("context", object: { $0.member("diagnostics", [Int]()) })
    }
    let params = String(decoding: writer.bytes, as: UTF8.self)
    return Array(try request("textDocument/codeAction", params).elements)
  }

  /// Does what a code action says.
  func perform(_ action: JSON) {
    tell(edits(in: action["edit"]?["documentChanges"]?.first).reversed())
  }

  func notify(_ method: String, _ params: String) {
    post(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
  }

  private func reply(_ id: RequestID, _ result: String) {
    post(#"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#)
  }

  private func fail(_ id: RequestID) {
    post(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32603,"message":"require version"}}"#)
  }

  func post(_ message: String) { handle(.message(Array(message.utf8))) }

  private func handle(_ event: Event) {
    receive(server.handle(event, at: now))
    while let disk, let effect = server.effect {
      let outcome = EffectOutcome(effect: effect, result: disk.result(of: effect))
      receive(server.handle(.outcome(outcome), at: now))
    }
  }

  /// The messages that the user was shown.
  var shown: [String] {
    notifications.filter { $0.method == "window/showMessage" }
      .compactMap { $0.params?["message"]?.string }
  }

  /// Saves the document, as its editor shows it.
  ///
  /// - Parameter end: What the editor adds to the text as it writes it, and tells only then.
  func save(adding end: String = "") {
    flush()
    let key = DocumentKey(uri: uri)
    // A file whose marks are hidden is written by the server.
    if let disk, let path = key.path, server.documents[key]?.place != .file {
      disk.write(path.description, String(decoding: text.bytes, as: UTF8.self) + end)
    }
    var writer = JSONWriter()
    writer.object {
      $0.member("textDocument", object: { $0.member("uri", uri) })
      $0.member("text", utf8: (text.bytes + Array(end.utf8))[...])
    }
    notify("textDocument/didSave", String(decoding: writer.bytes, as: UTF8.self))
    if !end.isEmpty { change(text.count..<text.count, end) }
  }

  private func receive(_ messages: [OutgoingMessage]) {
    for message in messages {
      switch try? IncomingMessage(body: message.body) {
      case .response(let id?, let result)?: results[id] = result
      case .request(let id, "workspace/applyEdit", let params)?: waiting.append((id, params))
      case .request(let id, let method, let params)?:
        notifications.append((method, params))
        if method == "workspace/configuration" { reply(id, "[null]") } else { reply(id, "null") }
      case .notification(let method, let params)?:
        notifications.append((method, params))
        if method == "textDocument/publishDiagnostics" { diagnostics = params }
      default: break
      }
    }
  }
}

extension Edit {
  /// The edit with its ends off the inside of characters, as a client's are.
  func onCharacters(of text: Text) -> Edit {
    var edit = self
    let bytes = text.bytes[...]
    while !isBoundary(bytes, edit.range.lowerBound) {
      let before = text[edit.range.lowerBound - 1]
      edit = Edit(edit.range.lowerBound - 1..<edit.range.upperBound, [before] + edit.new)
    }
    while !isBoundary(bytes, edit.range.upperBound) {
      edit = Edit(
        edit.range.lowerBound..<edit.range.upperBound + 1,
        edit.new + [text[edit.range.upperBound]]
      )
    }
    return edit
  }
}
