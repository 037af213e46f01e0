import JSONRPC

/// What can happen to the server.
enum Event {
  /// The session begins; the number differs from those of recent sessions on this machine.
  case session(Int)
  /// It is this day, as in `2026-11-26`; at the beginning, and at midnight.
  case day(String)
  /// A message's body.
  case message([UInt8])
  /// Bytes that are not a message, and a sentence that says why.
  case noise(String)
  /// Time has passed.
  case tick
  /// An effect that the server wanted is done.
  case outcome(EffectOutcome)
  /// Another process of the user's has sent a message about the file of an open document; nil if that is not open.
  case call(from: Int, [UInt8], about: DocumentKey?)
  /// That process is gone.
  case callerLeft(Int)
  /// Handling the last event took this many milliseconds.
  case slow(Int)
  /// The client is gone.
  case hangUp
}

/// The language server: a function of what happens to it, without I/O and without a clock.
///
/// ``handle(_:at:)`` is the only way in and its result the only way out. Invariant: the text of a
/// document comes from didOpen and didChange alone.
final class Server {
  enum Stage {
    case fresh
    case running
    case shutDown
  }

  /// The purpose of a request of ours, which says who handles the answer.
  enum Request {
    case applyEdit(document: DocumentKey)
    case configuration([Path], ofFoldersOnly: Bool)
    case progress(RequestID)
    case watching
    case meanwhile(document: DocumentKey)
    case other
  }

  private(set) var stage = Stage.fresh
  private(set) var client = Client(InitializeParams(nil))
  /// The client's process; the server ends when it does.
  private(set) var clientProcess: Int?
  /// Set when the server should end.
  private(set) var exitCode: Int32?
  var settings = SessionSettings()
  private var reportedProblems = RecentSet<String>()
  /// How much is traced.
  private(set) var trace = TraceValue.off
  var refreshes = Refreshes()
  var waiting = WaitingRequests()
  var workspace = Workspace()
  var contents = AskedContents()
  var progress = ProgressReporter()
  /// The number of the session; part of the ids of its results.
  private(set) var session = 0
  /// Numbers the states of documents and files.
  let revisions = Counter()
  var documents = OpenDocuments()
  var baselines = BaselineStore()
  var writers = NamedWriters()
  /// What waits for long work that is done beside the loop.
  var held = HeldEvents()
  /// The calls of other processes.
  var calls = OwnerCalls()
  /// What to do outside the server when no message waits; unchanged until its outcome was handled.
  private(set) var effect: Effect?
  /// What was handled last, for the log.
  private var lastTaken = ""
  /// The current time, in milliseconds since a fixed moment.
  private(set) var now = 0

  private var outbox: [OutgoingMessage] = []
  /// The requests of ours whose answers mean something, by number.
  private var requests: [Int: Request] = [:]
  private static let mostRequests = 1000
  private var lastRequest = 0

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: What happened; a message is freed as soon as it is no longer needed.
  ///   - now: Milliseconds since a fixed moment; never less than before.
  /// - Returns: The messages to send, in order.
  func handle(_ event: consuming Event, at now: Int) -> [OutgoingMessage] {
    self.now = now
    let received = bodyToTrace(event)
    if !held.hold(event) { take(consume event) }
    endTurn()
    // What is urgent is done before the next one, as it is between events that do not wait.
    while effect?.isUrgent != true, let next = held.next() {
      take(next)
      endTurn()
    }
    defer { outbox = [] }
    return traced(received, outbox)
  }

  private func take(_ event: consuming Event) {
    switch consume event {
    case .session(let number): session = number
    case .day(let day): receiveDay(day)
    case .message(let body): receive(consume body)
    case .noise(let why): send(.error(to: nil, .parseError(why)))
    case .tick: break
    case .outcome(let outcome): receive(outcome)
    case .call(let caller, let body, let key): receive(body, from: caller, about: key)
    case .callerLeft(let caller): calls.forget(caller)
    case .slow(let milliseconds): log("\(lastTaken) took \(milliseconds) ms.", .info)
    case .hangUp: exitCode = exitCode ?? (stage == .shutDown ? 0 : 1)
    }
  }

  /// Takes the steps that follow every event, in this order; while long work is being done nothing is due.
  private func endTurn() {
    if stage == .running, !held.isWorking {
      // First what the time has come for: an edit of ours that is sent or given up decides who waits on.
      doWhatIsDue()
      // Other processes are told of the text as it is then.
      answerCalls()
      // A scan is shown to be over before what waited for it is answered.
      endProgressIfOver()
      // What is answered is what the client has from now on,
      answerWaiting()
      // so it is not asked to ask for that again, only for what it got earlier.
      refreshContents()
      // Each step before this can outdate a list, and each list is asked for again once.
      sendRefreshes()
    }
    // Any step can want something done; what is begun goes on.
    effect = nextEffect()
  }

  /// When ``handle(_:at:)`` needs its next tick, in milliseconds; nil if it needs none.
  var deadline: Int? {
    guard stage == .running, !held.isWorking else { return nil }
    var next = min(baselines.deadline ?? Int.max, calls.deadline ?? Int.max)
    next = min(next, contentDeadline ?? next)
    for document in documents.all { next = min(next, deadline(of: document) ?? next) }
    return next == Int.max ? nil : next
  }

  private func receive(_ outcome: EffectOutcome) {
    guard outcome.effect == effect else { return }
    effect = nil
    lastTaken = "\(outcome.effect)"
    take(outcome)
  }

  private func receive(_ body: consuming [UInt8]) {
    do {
      switch try IncomingMessage(body: consume body) {
      case .request(let id, let method, let params):
        lastTaken = method
        answer(id, method, params)
      case .notification(let method, let params):
        lastTaken = method
        receive(method, consume params)
      case .response(let id, let result): receive(result, for: id)
      }
    } catch {
      send(.error(to: error.id, error.error))
    }
  }
}

// MARK: - The method table

extension Server {
  private func answer(_ id: RequestID, _ method: String, _ params: JSON?) {
    do throws(ResponseError) {
      switch stage {
      case .fresh where method != "initialize":
        throw .serverNotInitialized("The first request must be initialize.")
      case .shutDown where method != "initialize":
        throw .invalidRequest("The server has been shut down.")
      case .fresh, .running, .shutDown: break
      }
      switch method {
      // Requests that are answered later.
      case "textDocument/diagnostic": try pullDiagnostics(read(params), for: id)
      case "workspace/diagnostic": try workspaceDiagnostic(read(params), for: id)
      case "workspace/symbol": try workspaceSymbol(read(params), for: id)
      case "workspace/textDocumentContent": try textDocumentContent(read(params), for: id)
      case "workspace/executeCommand": try executeCommand(read(params), for: id)
      default: respond(to: id, try result(of: method, params))
      }
    } catch {
      send(.error(to: id, error))
    }
  }

  private func result(of method: String, _ params: JSON?) throws(ResponseError) -> LSPAny {
    switch method {
    // Requests that read a document and change nothing.
    case "textDocument/completion": return try ask(params, ifNotOpen: .empty, completion)
    case "textDocument/definition": return try ask(params, ifNotOpen: .empty, definition)
    case "textDocument/documentHighlight":
      return try ask(params, ifNotOpen: .empty, documentHighlights)
    case "textDocument/documentSymbol": return try ask(params, ifNotOpen: .empty, documentSymbols)
    case "textDocument/hover": return try ask(params, ifNotOpen: .null, hover)
    case "textDocument/references": return try ask(params, ifNotOpen: .empty, references)
    case "textDocument/selectionRange": return try ask(params, ifNotOpen: .null, selectionRanges)
    case "textDocument/codeLens": return try ask(params, codeLens)
    case "codeLens/resolve": return try ask(params, resolveCodeLens)
    case "textDocument/inlayHint": return try ask(params, inlayHints)
    case "textDocument/semanticTokens/range": return try ask(params, semanticTokensRange)

    // Requests that update what is cached of a document.
    case "textDocument/documentLink":
      return try ask(params, ifNotOpen: .empty) { documentLinks($0, $1, &$2.caches.links) }
    case "textDocument/foldingRange":
      return try ask(params, ifNotOpen: .empty) { foldingRanges($0, $1, &$2.caches.folds) }
    case "textDocument/semanticTokens/full":
      return try ask(params) { semanticTokens($0, $1, &$2.caches.semanticTokens) }
    case "textDocument/semanticTokens/full/delta":
      return try ask(params) { semanticTokensDelta($0, $1, &$2.caches.semanticTokens) }

    // Requests that change which edits of ours may come.
    case "textDocument/codeAction":
      return try ask(params) { codeActions($0, $1, review(of: $2), $2.offer) }
    case "codeAction/resolve":
      if let params, CodeActionResolveParams.isComplete(params) { return params }
      return try ask(params) { snapshot, params, document throws(ResponseError) in
        try resolveCodeAction(snapshot, params, document.offer)
      }
    case "textDocument/formatting": return try formatting(read(params))
    case "textDocument/willSaveWaitUntil": return try willSaveWaitUntil(read(params))

    // A request that changes nothing yet.
    case "workspace/willRenameFiles": return try willRenameFiles(read(params))

    // Requests that change the session.
    case "initialize": return try initialize(InitializeParams(params))
    case "shutdown": return shutDown()

    default: throw .methodNotFound("There is no method \(method).")
    }
  }

  /// Unknown notifications are ignored, and so are invalid ones whose method begins with `$/`, as LSP allows.
  private func receive(_ method: String, _ params: consuming JSON?) {
    if method == "exit" { return exit() }
    guard stage == .running else { return }
    do throws(ResponseError) {
      switch method {
      case "initialized": initialized()
      case "textDocument/didOpen": didOpen(try read(consume params))
      case "textDocument/didChange": didChange(try read(params))
      case "textDocument/didSave": didSave(try read(params))
      case "textDocument/didClose": didClose(try read(params))
      case "window/workDoneProgress/cancel": cancelProgress(try read(params))
      case "workspace/didChangeConfiguration":
        didChangeConfiguration(DidChangeConfigurationParams(params))
      case "workspace/didChangeWatchedFiles": didChangeWatchedFiles(try read(params))
      case "workspace/didChangeWorkspaceFolders": didChangeWorkspaceFolders(try read(params))
      case "workspace/didRenameFiles": didRenameFiles(try read(params))
      case "workspace/didDeleteFiles": didDeleteFiles(try read(params))
      case "$/cancelRequest": cancel(try read(params))
      case "$/setTrace": trace = try (read(params) as SetTraceParams).value
      default: break
      }
    } catch {
      guard !method.hasPrefix("$/") else { return }
      report(["\(method) was ignored; \(error.message)."])
    }
  }

  private func receive(_ result: Result<JSON, ResponseError>, for id: RequestID?) {
    guard case .number(let number)? = id, let request = requests.removeValue(forKey: number) else {
      return
    }
    let value = try? result.get()
    switch request {
    case .applyEdit(let document):
      receiveReply(result.map(ApplyWorkspaceEditResult.init), to: number, of: document)
    case .configuration(let folders, let ofFoldersOnly):
      receiveConfiguration(value, of: folders, ofFoldersOnly: ofFoldersOnly)
    case .progress(let token): beginOwnProgress(token, isGranted: value != nil)
    case .watching: workspace.noteWatching(isGranted: value != nil)
    case .meanwhile(let document): receiveAnswer(value?["title"]?.string, about: document)
    case .other: break
    }
  }
}

// MARK: - Reading and asking

extension Server {
  /// The answer about a document that is not open: an error, except for requests that editors send
  /// unasked, where an error would show up while the user types.
  private enum Unopened {
    case error
    case null
    case empty
  }

  private func read<Params: JSONReadable>(
    _ params: consuming JSON?
  ) throws(ResponseError) -> Params {
    guard let params else { throw ResponseError.expected("an object").inside("params") }
    return try Params(params)
  }

  /// Asks a feature about the document that the params name.
  private func ask<Params: DocumentParams, Result: JSONWritable>(
    _ params: JSON?,
    ifNotOpen unopened: Unopened = .error,
    _ feature: (Snapshot, Params) throws(ResponseError) -> Result
  ) throws(ResponseError) -> LSPAny {
    try ask(params, ifNotOpen: unopened) { snapshot, params, _ throws(ResponseError) in
      try feature(snapshot, params)
    }
  }

  /// Asks a feature about the document that the params name, and passes it the document to change.
  private func ask<Params: DocumentParams, Result: JSONWritable>(
    _ params: JSON?,
    ifNotOpen unopened: Unopened = .error,
    _ feature: (Snapshot, Params, Document) throws(ResponseError) -> Result
  ) throws(ResponseError) -> LSPAny {
    let params: Params = try read(params)
    guard let document = documents[params.textDocument.key] else {
      switch unopened {
      // In a text of ours there is nothing to do, but some clients ask about every document that they show.
      case .error where params.textDocument.key.isContent: return JSONNull()
      case .error: throw notOpen(params.textDocument)
      case .null: return JSONNull()
      case .empty: return [JSONNull]()
      }
    }
    return try feature(snapshot(of: document), params, document)
  }

  /// The open document.
  func document(_ identifier: TextDocumentIdentifier) throws(ResponseError) -> Document {
    guard let document = documents[identifier.key] else { throw notOpen(identifier) }
    return document
  }

  private func notOpen(_ identifier: TextDocumentIdentifier) -> ResponseError {
    .invalidParams(
      identifier.key.isContent
        ? "\(identifier.uri) is only to be read; its document is where changes are made."
        : "\(identifier.uri) is not open."
    )
  }

  /// A snapshot of a document as it is now.
  func snapshot(of document: Document) -> Snapshot { Snapshot(of: document, client) }
}

// MARK: - Sending

extension Server {
  func send(_ message: OutgoingMessage) { outbox.append(message) }

  func respond(to id: RequestID, _ result: LSPAny) {
    send(.response(to: id) { result.write(to: &$0) })
  }

  func notify(_ method: StaticString, _ params: some JSONWritable) {
    send(.notification(method: method) { params.write(to: &$0) })
  }

  /// Sends a request; returns its id.
  @discardableResult
  func request(
    _ method: StaticString,
    for purpose: Request,
    _ params: (some JSONWritable)?
  ) -> Int {
    lastRequest += 1
    send(.request(id: lastRequest, method: method) { params?.write(to: &$0) })
    if case .other = purpose { return lastRequest }
    requests[lastRequest] = purpose
    // A client may never answer.
    if requests.count > Server.mostRequests, let oldest = requests.keys.min() {
      requests[oldest] = nil
    }
    return lastRequest
  }

  /// Shows the user a message.
  func show(_ text: String, _ type: MessageType) {
    if type == .info, client.mayBeJupyterLab { return log(text, type) }
    notify("window/showMessage", ShowMessageParams(type: type, message: text))
  }

  /// Shows the user problems, each once.
  func report(_ problems: [String]) {
    for problem in problems where isNew(problem) { show(problem, .warning) }
  }

  /// Notes that the user learns of a problem; returns false if that was so before.
  func isNew(_ problem: String) -> Bool { reportedProblems.insert(problem) }
}

// MARK: - Life cycle

extension Server {
  private func initialize(_ params: InitializeParams) throws(ResponseError) -> InitializeResult {
    guard stage == .fresh else {
      throw .invalidRequest("initialize may be sent only once.")
    }
    stage = .running
    client = Client(params)
    clientProcess = params.processId
    trace = params.trace
    report(settings.begin(with: params.initializationOptions))
    openFolders(params)
    return InitializeResult(
      capabilities: ServerCapabilities(for: client),
      serverInfo: ServerInfo(name: "critic-lsp", version: version)
    )
  }

  private func initialized() {
    logGreeting()
    if client.registersConfiguration { registerConfiguration() }
    askForConfiguration()
  }

  private func shutDown() -> JSONNull {
    cancel { _ in true }
    documents.inOrder().forEach(keepClosed)
    baselines.keepClosed(at: .max)
    stage = .shutDown
    return JSONNull()
  }

  private func exit() { exitCode = stage == .shutDown ? 0 : 1 }
}
