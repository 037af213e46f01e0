import JSONRPC
import TestSupport

@testable import CriticLSP
@testable import TrackEngine

/// An editor with an LSP client of given habits and a server in the same process, in a time of its
/// own; the server is woken when it asked to be and not otherwise.
///
/// It knows nothing of the server but its messages.
final class ClientModel {
  let habits: ClientHabits
  let server = Server()
  let uri = "file:///home/writer/draft.md"
  /// How long messages of the server are in flight, in milliseconds.
  var lag = 0
  private(set) var now = 0
  private(set) var encoding = PositionEncoding.utf16
  /// What the server must not do and did.
  var violation: String?
  var film = Film()
  var random: Seeded

  // MARK: The editor

  var text: Text
  var caret = 0
  private(set) var isInserting = false
  /// What the user means; undo takes it back with the text.
  var twin: Twin
  var history: [Step] = []
  var undone: [Step] = []
  /// Counts the server's edits that landed: in all, and as they were when the text of now first was.
  var allLandings = 0
  var landings = 0
  /// Whether an edit of the server was put in at places that the user's typing had moved, and took
  /// typed text with it: then nobody can know what the text should be.
  var isSpoilt = false

  /// Whether the user's own edit took a delimiter along, so that the text does not read as it is meant
  /// before it is put into marks.
  var isBroken = false

  // MARK: What the server knows

  private(set) var told: Text
  /// The texts that it was told of, also between the changes of one message.
  private var toldTexts: Set<[UInt8]> = []
  private(set) var version = 0
  private var changeCount = 0
  private var unsent: [BufferChange] = []
  private var flushAt: Int?
  private var lastFlush: Int?
  /// Notifications that wait to be sent in another order; nil where they don't.
  private var shuffled: [String]?
  var inbox: [Arrival] = []
  private var results: [RequestID: Result<JSON, ResponseError>] = [:]
  private var lastRequest = 0

  /// The user's text without marks, as an editor without a server would have it.
  struct Twin: Equatable {
    var original: [UInt8]
    var clean: [UInt8]

    /// What a marked-up text says.
    init(of text: Text) {
      let bytes = text.bytes
      let reading = Reading(of: bytes)
      original = reading.text(.original, of: bytes)
      clean = reading.text(.clean, of: bytes)
    }
  }

  /// What the editor goes back to by undo.
  struct Moment {
    var text: Text
    var twin: Twin
    var landings: Int
    var caret: Int
  }

  /// A step of undo.
  struct Step {
    var before: Moment
    var changes: [BufferChange] = []
  }

  /// An edit of the server that the client has not looked at yet.
  struct Arrival {
    var at: Int
    var id: RequestID
    var edit: JSON?
    /// The text that the server meant.
    var base: Text
  }

  init(_ habits: ClientHabits, _ text: String, options: String, seed: UInt64 = 0) throws {
    self.habits = habits
    self.text = Text(Array(text.utf8))
    random = Seeded(seed: seed)
    told = self.text
    toldTexts = [self.text.bytes]
    twin = Twin(of: self.text)
    let answer = try request("initialize", habits.greeting(options))
    let encoding = answer["capabilities"]?["positionEncoding"]?.string
    self.encoding = encoding.flatMap(PositionEncoding.init) ?? .utf16
    notify("initialized", "{}")
    open()
  }

  var buffer: String { String(decoding: text.bytes, as: UTF8.self) }
  var here: Moment { Moment(text: text, twin: twin, landings: landings, caret: caret) }
  /// Whether the server can know the text from before: typing that was told in one piece with what came
  /// after it never was a text to it.
  var wasTold: Bool { toldTexts.contains(text.bytes) }
  /// Whether there is typing that the server was not told of.
  var hasUnsent: Bool { !unsent.isEmpty }
  /// Whether nothing is in flight on this side, and on either.
  var isQuietHere: Bool { inbox.isEmpty && unsent.isEmpty }
  var isQuiet: Bool { isQuietHere && server.deadline == nil }

  // MARK: - Time

  /// Lets time pass.
  func wait(_ milliseconds: Int) {
    let end = now + milliseconds
    while let next = nextEvent, next <= end {
      now = max(now, next)
      if let index = inbox.indices.first, inbox[index].at <= now {
        take(inbox.remove(at: index))
      } else if let at = flushAt, at <= now {
        flush()
      } else {
        let due = server.deadline
        receive(server.handle(.tick, at: now))
        if let due, due <= now, server.deadline == due {
          violation = violation ?? "the server wants to be woken at \(due) again and again"
          break
        }
      }
    }
    now = end
  }

  private var nextEvent: Int? {
    [inbox.first?.at, flushAt, server.deadline].compactMap { $0 }.min()
  }

  /// Has what the server sent before looked at now.
  func takeInbox() {
    while !inbox.isEmpty {
      if inbox[0].at > now { wait(inbox[0].at - now) } else { take(inbox.removeFirst()) }
    }
  }

  // MARK: - The buffer

  func enterInsertMode() { isInserting = true }

  func leaveInsertMode() {
    guard isInserting else { return }
    isInserting = false
    if case .afterInserting(let delay) = habits.telling, !unsent.isEmpty { flushAt = now + delay }
  }

  /// Changes the buffer by edits that are made one after the other.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - asOne: Whether they are one change to those who are told.
  /// - Returns: The changes.
  @discardableResult
  func make(_ edits: [Edit], asOne: Bool) -> [BufferChange] {
    let changes = edits.map { edit in
      let change = BufferChange(edit: edit, before: text)
      text.replace(edit.range, with: edit.new)
      changeCount += 1
      unsent.append(change)
      if !asOne { wasChanged() }
      return change
    }
    if asOne, !edits.isEmpty { wasChanged() }
    return changes
  }

  private func wasChanged() {
    switch habits.telling {
    case .atOnce: flush()
    case .rateLimited(let delay):
      if let lastFlush, now - lastFlush >= delay {
        flush()
      } else if let lastFlush {
        flushAt = flushAt ?? lastFlush + delay
      } else {
        flushAt = now + delay
      }
    case .idle(let delay): flushAt = now + delay
    case .afterInserting(let delay): flushAt = isInserting ? nil : now + delay
    }
  }

  /// Tells what was not told yet.
  func flush() {
    flushAt = nil
    guard !unsent.isEmpty else { return }
    version = habits.countsChanges ? changeCount : version + 1
    let events = habits.report.events(unsent, on: told)
    if case .fullText = habits.report {
      film.sent("didChange v\(version) \(buffer.debugDescription)", at: now)
    } else {
      let list = events.map { "[\($0.edit)]" }.joined(separator: " ")
      film.sent("didChange v\(version) \(list)", at: now)
    }
    for event in events {
      told.replace(event.edit.range, with: event.edit.new)
      toldTexts.insert(told.bytes)
    }
    let message = didChange(events)
    unsent = []
    told = text
    lastFlush = now
    if shuffled != nil {
      shuffled?.append(message)
    } else {
      post(message)
    }
  }

  private func didChange(_ events: [BufferChange]) -> String {
    notification("textDocument/didChange") {
      $0.object {
        $0.member("textDocument", VersionedTextDocumentIdentifier(uri: uri, version: version))
        $0.member(
          "contentChanges",
          array: {
            if case .fullText = habits.report {
              $0.object {
                $0.key("text")
                $0.string(utf8: text.bytes)
              }
              return
            }
            for event in events {
              Conversions(text: event.before, encoding: encoding)
                .writeChange(event.edit, to: &$0)
            }
          }
        )
      }
    }
  }

  /// Does something whose notifications arrive in another order where the client is known for it.
  func inOneGo(_ body: () -> Void) {
    guard habits.mixesOrder else { return body() }
    shuffled = []
    body()
    let messages = shuffled ?? []
    shuffled = nil
    if messages.count > 1 { film.note("arriving: the last of these first", at: now) }
    for message in messages.suffix(1) + messages.dropLast() { post(message) }
  }

  // MARK: - Opening and closing

  func open() {
    version = 0
    changeCount = 0
    lastFlush = nil
    told = text
    film.sent("didOpen v0 \(buffer.debugDescription)", at: now)
    post(
      notification("textDocument/didOpen") {
        $0.object {
          $0.member(
            "textDocument",
            object: {
              $0.member("uri", uri)
              $0.member("languageId", "markdown")
              $0.member("version", 0)
              $0.key("text")
              $0.string(utf8: text.bytes)
            }
          )
        }
      }
    )
  }

  func close() {
    flush()
    film.sent("didClose", at: now)
    notify("textDocument/didClose", #"{"textDocument":{"uri":"\#(uri)"}}"#)
    inbox = []
    history = []
    undone = []
  }

  // MARK: - The wire

  /// Sends a request and returns its result.
  @discardableResult
  func request(_ method: String, _ params: String) throws -> JSON {
    lastRequest += 1
    let id = RequestID.number(lastRequest)
    post(#"{"jsonrpc":"2.0","id":\#(lastRequest),"method":"\#(method)","params":\#(params)}"#)
    guard let result = results.removeValue(forKey: id) else {
      throw ResponseError.internalError("no answer to \(method)")
    }
    return try result.get()
  }

  /// Runs a command of the server; all that was typed is told before.
  @discardableResult
  func command(_ name: String, _ members: String = "") throws -> JSON {
    flush()
    if name != "status", name != "changes" { film.sent("\(name) {\(members)}", at: now) }
    let arguments = #"{"uri":"\#(uri)"\#(members.isEmpty ? "" : ",\(members)")}"#
    return try request(
      "workspace/executeCommand",
      #"{"command":"critic.\#(name)","arguments":[\#(arguments)]}"#
    )
  }

  func notify(_ method: String, _ params: String) {
    post(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#)
  }

  func reply(to id: RequestID, _ outcome: String) {
    film.sent("reply \(id): \(outcome)", at: now)
    post(#"{"jsonrpc":"2.0","id":\#(id),\#(outcome)}"#)
  }

  private func notification(_ method: String, _ params: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    params(&writer)
    let params = String(decoding: writer.bytes, as: UTF8.self)
    return #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#
  }

  private func post(_ message: String) {
    receive(server.handle(.message(Array(message.utf8)), at: now))
  }

  private func receive(_ messages: [OutgoingMessage]) {
    for message in messages {
      switch try? IncomingMessage(body: message.body) {
      case .response(let id?, let result)?: results[id] = result
      case .request(let id, "workspace/applyEdit", let params)?: receive(id, params)
      case .request(let id, "workspace/configuration", _)?:
        post(#"{"jsonrpc":"2.0","id":\#(id),"result":[null]}"#)
      case .request(let id, _, _)?:
        post(#"{"jsonrpc":"2.0","id":\#(id),"result":null}"#)
      case .notification("window/showMessage", let params)?:
        film.received("“\(params?["message"]?.string ?? "")”", at: now)
      default: break
      }
    }
  }

  private func receive(_ id: RequestID, _ params: JSON?) {
    let edit = params?["edit"]?["documentChanges"]?.first
    let meant = edit?["textDocument"]?["version"]?.integer
    let edits = Conversions(text: told, encoding: encoding).edits(of: edit?["edits"])
    let list = edits.map { "[\($0)]" }.joined(separator: " ")
    film.received("applyEdit \(id), v\(meant ?? -1): \(list)", at: now)
    if meant != version, !habits.mixesOrder {
      violation = violation ?? "an edit of version \(meant ?? -1), and the server has \(version)"
    }
    if let other = inbox.first(where: { $0.edit?["textDocument"]?["version"]?.integer == meant }) {
      violation = violation ?? "edit \(id) is sent while \(other.id) can still land"
    }
    let isHeldUp = habits.prompts ? Int.random(in: 300...4000, using: &random) : 0
    inbox.append(Arrival(at: now + lag + isHeldUp, id: id, edit: edit, base: told))
  }
}
