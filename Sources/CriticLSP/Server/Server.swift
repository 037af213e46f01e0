import JSONRPC
import TrackEngine

/// What can happen to the server.
enum Event {
  /// The session begins, with a number that no other session of this machine had lately.
  case session(Int)
  /// A message's body.
  case message([UInt8])
  /// Bytes that are no message; a sentence that says why.
  case noise(String)
  /// Time has passed.
  case tick
  /// What the server wanted was done.
  case outcome(EffectOutcome)
  /// To take in the last event took so many milliseconds.
  case slow(Int)
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
    case progress(RequestID)
    case watching
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
  /// How much of what is done is told.
  var trace = Trace.off
  /// Whether the client sends settings by itself, so that having none to answer means nothing.
  var settingsArePushed = false
  /// What the client is to ask for again, at the end of the turn.
  var refreshes: Set<Refresh> = []
  /// The requests that are not answered yet, oldest first.
  var waiting: [Waiting] = []
  var workspace = Workspace()
  /// Whether the client wants the lists of changes of all files.
  var isAskedAboutWorkspace = false
  /// What we show of the progress by ourselves, and when we last showed some.
  var progress: Progress?
  var lastProgress = 0
  var lastToken = 0
  /// The number of the session, by which what it sends is told from what others sent.
  private(set) var session = 0
  /// Numbers the states of documents and files.
  let revisions = Counter()
  /// By comparable URI, see `key(of:)`.
  var documents: [String: Document] = [:]
  /// What the user said about tracking documents, for when they are opened again; and what was said
  /// in earlier sessions.
  var trackingChoices: [String: Bool] = [:]
  var rememberedChoices: [String: Bool] = [:]
  /// What is to be remembered and was not handed out yet.
  var choicesToRemember: [String: Bool] = [:]
  var hasRecalled = false
  /// What is to be done outside of the server when no message waits; the same until its outcome was
  /// handled.
  var effect: Effect?
  /// What was taken in last, for the log.
  var lastTaken = ""
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
    let received = bodyToTrace(event)
    switch consume event {
    case .session(let number): session = number
    case .message(let body): receive(consume body)
    case .noise(let why): send(.error(to: nil, .parseError(why)))
    case .tick: break
    case .outcome(let outcome): take(outcome)
    case .slow(let milliseconds): log("\(lastTaken) took \(milliseconds) ms.", .info)
    case .hangUp: exitCode = exitCode ?? (stage == .shutDown ? 0 : 1)
    }
    if stage == .running {
      doWhatIsDue()
      endProgressIfOver()
      answerWaiting()
      sendRefreshes()
    }
    chooseEffect()
    defer { outbox = [] }
    return traced(received, outbox)
  }

  /// When ``handle(_:at:)`` wants its next tick, in milliseconds; nil if it need not have one.
  var deadline: Int? {
    guard stage == .running else { return nil }
    var next = Int.max
    for document in documents.values { next = min(next, deadline(of: document) ?? next) }
    return next == Int.max ? nil : next
  }

  private func receive(_ body: consuming [UInt8]) {
    do {
      switch try IncomingMessage(body: consume body) {
      case .request(let id, let method, let params):
        lastTaken = method
        answer(id, method, params)
      case .notification(let method, let params):
        lastTaken = method
        take(method, consume params)
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
      // Without a result yet, it waits.
      guard let result = try answer(method, params, for: id) else { return }
      send(.response(to: id, result: result))
    } catch let error as ResponseError {
      send(.error(to: id, error))
    } catch {
      send(.error(to: id, .requestFailed("\(error)")))
    }
  }

  private func answer(_ method: String, _ params: JSON?, for id: RequestID) throws -> Answer? {
    if method == "initialize" { return try initialize(params) }
    switch stage {
    case .fresh: throw ResponseError.serverNotInitialized("The first request must be initialize.")
    case .shutDown: throw ResponseError.invalidRequest("The server has been shut down.")
    case .running: break
    }
    switch method {
    case "codeAction/resolve": return try resolveCodeAction(params)
    case "codeLens/resolve": return try resolveCodeLens(params)
    case "shutdown": return shutDown()
    case "textDocument/codeAction": return try codeActions(params)
    case "textDocument/codeLens": return try codeLens(params)
    case "textDocument/completion": return try completion(params)
    case "textDocument/definition": return try definition(params)
    case "textDocument/diagnostic": return try pullDiagnostics(params, for: id)
    case "textDocument/documentHighlight": return try documentHighlight(params)
    case "textDocument/documentLink": return try documentLink(params)
    case "textDocument/documentSymbol": return try documentSymbol(params)
    case "textDocument/foldingRange": return try foldingRange(params)
    case "textDocument/formatting": return try markForSaving(params)
    case "textDocument/hover": return try hover(params)
    case "textDocument/inlayHint": return try inlayHints(params)
    case "textDocument/references": return try references(params)
    case "textDocument/selectionRange": return try selectionRange(params)
    case "textDocument/semanticTokens/full": return try semanticTokens(params)
    case "textDocument/semanticTokens/full/delta": return try semanticTokensDelta(params)
    case "textDocument/semanticTokens/range": return try semanticTokensRange(params)
    case "textDocument/willSaveWaitUntil": return try willSaveWaitUntil(params)
    case "workspace/diagnostic": return workspaceDiagnostic(params, for: id)
    case "workspace/executeCommand": return try executeCommand(params)
    case "workspace/symbol": return try workspaceSymbol(params, for: id)
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
    case "window/workDoneProgress/cancel": cancelProgress(params)
    case "workspace/didChangeConfiguration": didChangeConfiguration(params)
    case "workspace/didChangeWatchedFiles": didChangeWatchedFiles(params)
    case "workspace/didChangeWorkspaceFolders": didChangeWorkspaceFolders(params)
    case "$/cancelRequest": cancel(params)
    case "$/setTrace": setTrace(params)
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
      takeAnswer(result, to: number, of: document)
    case .configuration: takeConfiguration(value)
    case .progress(let token): takeProgress(token, isGranted: value != nil)
    case .watching: workspace.isWatched = value != nil
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
    trace = params?["trace"]?.string.flatMap(Trace.init) ?? .off
    report(initialSettings.merge(section(of: params?["initializationOptions"])))
    settings = initialSettings
    takeFolders(params)
    return { [self] writer in
      writer.object {
        $0.member(
          "capabilities",
          object: {
            Server.writeCapabilities(for: client, to: &$0)
            writeAnnouncedCapabilities(to: &$0)
          }
        )
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

  private static func writeCapabilities(for client: Client, to writer: inout JSONWriter) {
    writer.member("positionEncoding", client.encoding.rawValue)
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
      object: {
        $0.member("codeActionKinds", CodeActionKind.names)
        if client.resolvesActions.contains("edit") { $0.member("resolveProvider", true) }
      }
    )
    if client.savesThroughFormatting { writer.member("documentFormattingProvider", true) }
    writer.member("executeCommandProvider", object: { $0.member("commands", Command.names) })
    for feature in Feature.allCases where client.features.contains(feature) {
      writer.key("\(feature.rawValue)Provider")
      switch feature {
      case .completion:
        writer.object { $0.member("triggerCharacters", Server.completionTriggers) }
      case .codeLens:
        writer.object { $0.member("resolveProvider", true) }
      case .documentLink, .inlayHint:
        writer.object { $0.member("resolveProvider", false) }
      default:
        writer.bool(true)
      }
    }
    writeSemanticTokensProvider(for: client.semanticTokens, to: &writer)
  }

  /// Writes what is offered only to those who announce that they know it.
  private func writeAnnouncedCapabilities(to writer: inout JSONWriter) {
    if client.pullsDiagnostics {
      writer.member(
        "diagnosticProvider",
        object: {
          $0.member("identifier", "critic")
          $0.member("interFileDependencies", false)
          $0.member("workspaceDiagnostics", true)
          $0.member("workDoneProgress", true)
        }
      )
    }
    if client.searchesSymbols {
      writer.member("workspaceSymbolProvider", object: { $0.member("workDoneProgress", true) })
    }
    if client.changesFolders {
      writer.member(
        "workspace",
        object: {
          $0.member(
            "workspaceFolders",
            object: {
              $0.member("supported", true)
              $0.member("changeNotifications", true)
            }
          )
        }
      )
    }
  }

  private func initialized() {
    logGreeting()
    if client.registersConfiguration { registerConfiguration() }
    if client.answersConfiguration { askForConfiguration() }
  }

  private func shutDown() -> Answer {
    cancel { _ in true }
    stage = .shutDown
    return { $0.null() }
  }

  private func exit() { exitCode = stage == .shutDown ? 0 : 1 }
}
