import JSONRPC
import TrackEngine

/// A small editor that speaks LSP with a server in the same process.
struct DemoEditor {
  private let server = Server()
  private let uri = "file:///draft.md"
  private var text: Text
  private var version = 1
  private var now = 0
  private var lastRequest = 0
  private var history: [Text] = []
  private var result: JSON?

  var buffer: String { String(decoding: text.bytes, as: UTF8.self) }

  /// Creates an editor with a tracked document.
  init(_ text: String) {
    self.text = Text(Array(text.utf8))
    request(
      "initialize",
      InitializeParams(
        clientInfo: ClientInfo(name: "Neovim"),
        initializationOptions: DemoEditor.json(#"{"tracking": "on"}"#),
        capabilities: DemoEditor.json(
          #"{"workspace": {"applyEdit": true}, "general": {"positionEncodings": ["utf-8"]}}"#
        )
      )
    )
    notify("initialized", JSONNull())
    let document = TextDocumentItem(uri: uri, version: version, text: self.text.bytes)
    notify("textDocument/didOpen", DidOpenTextDocumentParams(textDocument: document))
  }

  private static func json(_ text: String) -> JSON? { try? JSON(parsing: Array(text.utf8)) }

  /// Types before the first occurrence of `place`, letter by letter, and pauses.
  mutating func type(_ new: String, before place: String) {
    var at = offset(of: place)
    history.append(text)
    for letter in new {
      change([Edit(at..<at, Array(String(letter).utf8))])
      at += String(letter).utf8.count
    }
    pause()
  }

  /// Selects the first occurrence of `old`, types over it, and pauses.
  mutating func replace(_ old: String, with new: String) {
    let at = offset(of: old)
    history.append(text)
    change([Edit(at..<at + old.utf8.count, Array(new.utf8))])
    pause()
  }

  /// Takes back the last change, and pauses.
  mutating func undo() {
    guard let last = history.popLast() else { return }
    change([Edit(0..<text.count, last.bytes)])
    pause()
  }

  /// Runs a command of the server with the caret at the first occurrence of `place`.
  mutating func run(_ command: String, on place: String, text comment: String? = nil) {
    let conversions = Conversions(text: text, encoding: .utf8)
    let position = conversions.position(of: offset(of: place) + 1)
    execute(command, Arguments(uri: uri, position: position, text: comment))
  }

  /// A variant of the text, as the server exports it.
  mutating func export(_ variant: Variant) -> String {
    execute("export", Arguments(uri: uri, variant: variant))
    return result?.string ?? ""
  }

  private func offset(of place: String) -> Int {
    guard let range = buffer.firstRange(of: place) else { return text.count }
    return buffer.utf8.distance(from: buffer.startIndex, to: range.lowerBound)
  }

  private mutating func pause() {
    now += 2000
    receive(server.handle(.tick, at: now))
  }

  private mutating func change(_ edits: [Edit]) {
    let conversions = Conversions(text: text, encoding: .utf8)
    text = text.applying(edits)
    version += 1
    let changes = edits.reversed().map { edit in
      TextDocumentContentChangeEvent(range: conversions.positions(of: edit.range), text: edit.new)
    }
    let document = VersionedTextDocumentIdentifier(uri: uri, version: version)
    notify(
      "textDocument/didChange",
      DidChangeTextDocumentParams(textDocument: document, contentChanges: changes)
    )
  }

  // MARK: - The wire

  private mutating func execute(_ command: String, _ arguments: Arguments) {
    request(
      "workspace/executeCommand",
      ExecuteCommandParams(command: "critic.\(command)", arguments: [arguments])
    )
  }

  private mutating func request(_ method: StaticString, _ params: some JSONWritable) {
    lastRequest += 1
    let message = OutgoingMessage.request(id: lastRequest, method: method) { params.write(to: &$0) }
    receive(server.handle(.message(message.body), at: now))
  }

  private mutating func notify(_ method: StaticString, _ params: some JSONWritable) {
    let message = OutgoingMessage.notification(method: method) { params.write(to: &$0) }
    receive(server.handle(.message(message.body), at: now))
  }

  private mutating func receive(_ messages: [OutgoingMessage]) {
    for message in messages {
      switch try? IncomingMessage(body: message.body) {
      case .response(_, let answer)?: result = try? answer.get()
      case .request(let id, "workspace/applyEdit", let params)?: apply(id, params)
      default: break
      }
    }
  }

  private mutating func apply(_ id: RequestID, _ params: JSON?) {
    guard let params = params.flatMap({ try? ApplyWorkspaceEditParams($0) }) else { return }
    history.append(text)
    let edits = params.edit.documentChanges.flatMap(\.edits)
    change(edits.map(Conversions(text: text, encoding: .utf8).edit))
    let result = ApplyWorkspaceEditResult(applied: true)
    let reply = OutgoingMessage.response(to: id) { result.write(to: &$0) }
    receive(server.handle(.message(reply.body), at: now))
  }
}

/// The arguments of a command.
private struct Arguments: JSONWritable {
  let uri: String
  var position: Position?
  var text: String?
  var variant: Variant?

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("uri", uri)
      $0.member("position", ifPresent: position)
      $0.member("text", ifPresent: text)
      $0.member("variant", ifPresent: variant?.rawValue)
    }
  }
}
