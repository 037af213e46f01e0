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
    request("initialize") {
      $0.member("clientInfo", object: { $0.member("name", "Neovim") })
      $0.member("initializationOptions", object: { $0.member("tracking", "on") })
      $0.member(
        "capabilities",
        object: {
          $0.member("workspace", object: { $0.member("applyEdit", true) })
          $0.member("general", object: { $0.member("positionEncodings", ["utf-8"]) })
        }
      )
    }
    notify("initialized") { _ in }
    notify("textDocument/didOpen") { [uri] in
      $0.member(
        "textDocument",
        object: {
          $0.member("uri", uri)
          $0.member("languageId", "markdown")
          $0.member("version", 1)
          $0.member("text", text)
        }
      )
    }
  }

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
    execute(command) {
      $0.member("position", position)
      $0.member("text", ifPresent: comment)
    }
  }

  /// A variant of the text, as the server exports it.
  mutating func export(_ variant: Variant) -> String {
    execute("export") { $0.member("variant", variant.rawValue) }
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
    let document = VersionedTextDocumentIdentifier(uri: uri, version: version)
    notify("textDocument/didChange") {
      $0.member("textDocument", document)
      $0.member(
        "contentChanges",
        array: {
          for edit in edits.reversed() {
            $0.object {
              $0.member("range", conversions.positions(of: edit.range))
              $0.member("text", utf8: edit.new)
            }
          }
        }
      )
    }
  }

  // MARK: - The wire

  private typealias Members = (inout JSONWriter) -> Void

  private mutating func execute(_ command: String, _ members: Members) {
    request("workspace/executeCommand") { [uri] in
      $0.member("command", "critic.\(command)")
      $0.member(
        "arguments",
        array: {
          $0.object {
            $0.member("uri", uri)
            members(&$0)
          }
        }
      )
    }
  }

  private mutating func request(_ method: StaticString, _ members: Members) {
    lastRequest += 1
    post(.request(id: lastRequest, method: method) { $0.object(members) })
  }

  private mutating func notify(_ method: StaticString, _ members: Members) {
    post(.notification(method: method) { $0.object(members) })
  }

  private mutating func post(_ message: OutgoingMessage) {
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
    history.append(text)
    let edits: [TextEdit] = params?["edit"]?["documentChanges"]?.first?["edits"]?.readable() ?? []
    change(edits.map(Conversions(text: text, encoding: .utf8).edit))
    post(.response(to: id) { $0.object { $0.member("applied", true) } })
  }
}
