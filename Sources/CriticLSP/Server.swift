import JSONRPC
import TrackEngine

/// What can happen to the server.
enum Event {
  /// A message's body.
  case message([UInt8])
  /// Bytes that are no message; a sentence that says why.
  case noise(String)
  /// Time has passed.
  case tick
  /// The client is gone.
  case hangUp
}

/// The language server: a function of what happens to it, without I/O and without a clock.
///
/// ``handle(_:at:)`` is the only way in and its result the only way out. Invariant: the text of a
/// document comes from didOpen and didChange alone.
final class Server {
  /// Writes a result; one that writes nothing answers `null`.
  typealias Answer = (inout JSONWriter) -> Void

  enum Stage {
    case fresh
    case running
    case shutDown
  }

  /// What the answer to one of our requests is for.
  enum Request {
    case applyEdit(document: String)
    case configuration
    case other
  }

  var stage = Stage.fresh
  var client = Client(nil)
  /// The process to live no longer than.
  private(set) var clientProcess: Int?
  /// Set when the server is to end.
  private(set) var exitCode: Int32?
  /// The settings in force, and those that the client started us with.
  var settings = Settings()
  var initialSettings = Settings()
  var reportedProblems: Set<String> = []
  /// By comparable URI, see `key(of:)`.
  var documents: [String: Document] = [:]
  /// What the user said about tracking documents, for when they are opened again.
  var trackingChoices: [String: Bool] = [:]
  /// Milliseconds since any fixed moment.
  var now = 0

  private var outbox: [OutgoingMessage] = []
  private var requests: [Int: Request] = [:]
  private var lastRequest = 0

  /// Takes in an event.
  ///
  /// - Parameters:
  ///   - event: What happened; a message is let go of as soon as nothing in it is needed any more.
  ///   - now: Milliseconds since a fixed moment; never less than before.
  /// - Returns: What is to be sent, in order.
  func handle(_ event: consuming Event, at now: Int) -> [OutgoingMessage] {
    self.now = now
    switch consume event {
    case .message(let body): receive(consume body)
    case .noise(let why): send(.error(to: nil, .parseError(why)))
    case .tick: break
    case .hangUp: exitCode = exitCode ?? (stage == .shutDown ? 0 : 1)
    }
    if stage == .running { doWhatIsDue() }
    defer { outbox = [] }
    return outbox
  }

  /// When ``handle(_:at:)`` wants its next tick, in milliseconds; nil if it need not have one.
  var deadline: Int? {
    stage == .running ? documents.values.compactMap { deadline(of: $0) }.min() : nil
  }

  private func receive(_ body: consuming [UInt8]) {
    do {
      switch try IncomingMessage(body: consume body) {
      case .request(let id, let method, let params): answer(id, method, params)
      case .notification(let method, let params): take(method, consume params)
      case .response(let id, let result): take(result, for: id)
      }
    } catch {
      send(.error(to: error.id, error.error))
    }
  }
}

// MARK: - The method table

extension Server {
  private func answer(_ id: RequestID, _ method: String, _ params: JSON?) {
    do {
      send(.response(to: id, result: try answer(method, params)))
    } catch let error as ResponseError {
      send(.error(to: id, error))
    } catch {
      send(.error(to: id, .requestFailed("\(error)")))
    }
  }

  private func answer(_ method: String, _ params: JSON?) throws -> Answer {
    if method == "initialize" { return try initialize(params) }
    switch stage {
    case .fresh: throw ResponseError.serverNotInitialized("The first request must be initialize.")
    case .shutDown: throw ResponseError.invalidRequest("The server has been shut down.")
    case .running: break
    }
    switch method {
    case "shutdown": return shutDown()
    case "textDocument/codeAction": return try codeActions(params)
    case "textDocument/formatting": return try markForSaving(params)
    case "textDocument/willSaveWaitUntil": return try markForSaving(params)
    case "workspace/executeCommand": return try executeCommand(params)
    default: throw ResponseError.methodNotFound("There is no method \(method).")
    }
  }

  /// Unknown notifications, and those about requests that are answered by now, are passed over.
  private func take(_ method: String, _ params: consuming JSON?) {
    if method == "exit" { return exit() }
    guard stage == .running else { return }
    switch method {
    case "initialized": initialized()
    case "textDocument/didOpen": didOpen(consume params)
    case "textDocument/didChange": didChange(params)
    case "textDocument/didSave": didSave(params)
    case "textDocument/didClose": didClose(params)
    case "workspace/didChangeConfiguration": didChangeConfiguration(params)
    default: break
    }
  }

  private func take(_ result: Result<JSON, ResponseError>, for id: RequestID?) {
    guard case .number(let number)? = id, let request = requests.removeValue(forKey: number) else {
      return
    }
    let value = try? result.get()
    switch request {
    case .applyEdit(let document):
      guard value?["applied"]?.bool != true else { return }
      editFailed(in: document, request: number)
    case .configuration: takeConfiguration(value)
    case .other: break
    }
  }
}

// MARK: - Sending

extension Server {
  func send(_ message: OutgoingMessage) { outbox.append(message) }

  /// Sends a request and returns its number.
  @discardableResult
  func send(
    _ method: StaticString,
    for request: Request,
    _ params: (inout JSONWriter) -> Void
  ) -> Int {
    lastRequest += 1
    requests[lastRequest] = request
    send(.request(id: lastRequest, method: method, params: params))
    return lastRequest
  }

  /// Tells the user something in the editor; `type` is LSP's `MessageType`.
  func show(_ text: String, type: Int) {
    send(
      .notification(method: "window/showMessage") {
        $0.object {
          $0.member("type", type)
          $0.member("message", text)
        }
      }
    )
  }

  /// Tells the user about something to mend, once.
  func report(_ problems: [String]) {
    for problem in problems where reportedProblems.insert(problem).inserted {
      show(problem, type: 2)
    }
  }
}

// MARK: - Life cycle

extension Server {
  private func initialize(_ params: JSON?) throws -> Answer {
    guard stage == .fresh else {
      throw ResponseError.invalidRequest("initialize may be sent only once.")
    }
    stage = .running
    client = Client(params)
    clientProcess = params?["processId"]?.integer
    report(initialSettings.merge(params?["initializationOptions"]))
    settings = initialSettings
    let encoding = client.encoding.rawValue
    return { writer in
      writer.object {
        $0.member("capabilities", object: { Server.writeCapabilities(encoding, to: &$0) })
        $0.member(
          "serverInfo",
          object: {
            $0.member("name", "critic-lsp")
            $0.member("version", version)
          }
        )
      }
    }
  }

  private static func writeCapabilities(_ encoding: String, to writer: inout JSONWriter) {
    writer.member("positionEncoding", encoding)
    writer.member(
      "textDocumentSync",
      object: {
        $0.member("openClose", true)
        $0.member("change", 2)
        $0.member("willSaveWaitUntil", true)
        $0.member("save", true)
      }
    )
    writer.member(
      "codeActionProvider",
      object: { $0.member("codeActionKinds", Server.actionKinds) }
    )
    writer.member("documentFormattingProvider", true)
    writer.member("executeCommandProvider", object: { $0.member("commands", Command.names) })
  }

  private func initialized() {
    if client.answersConfiguration { askForConfiguration() }
  }

  private func shutDown() -> Answer {
    stage = .shutDown
    return { $0.null() }
  }

  private func exit() { exitCode = stage == .shutDown ? 0 : 1 }
}
