import JSONRPC

/// A request that is not answered yet.
struct Waiting {
  let id: RequestID
  var question: Question
  /// The client's token for progress.
  var token: RequestID? = nil

  enum Question {
    /// The list of changes of a document, by key, the id of the list that the client has, and what makes it if the
    /// document is long.
    case diagnostics(DocumentKey, known: String?, ListMaking?)
    /// The lists of changes of all files.
    case workspaceDiagnostics(WorkspacePull)
    /// The changes in all files that match a query.
    case symbols(SymbolSearch)
    /// A text of a document.
    case content(AskedContent)
    /// That a file is read or written.
    case file(AskedFile)

    /// Whether the search for the answer is over.
    var isReady: Bool {
      switch self {
      case .diagnostics(_, _, let making): making.map { $0.list != nil } ?? true
      case .content, .file: true
      case .workspaceDiagnostics(let pull): pull.isOver
      case .symbols(let search): search.isOver
      }
    }

    var isAboutWorkspace: Bool {
      switch self {
      case .diagnostics, .content, .file: false
      case .workspaceDiagnostics, .symbols: true
      }
    }
  }
}

/// The requests that are not answered yet, oldest first.
///
/// Invariant: each is answered once, by whoever takes it out.
struct WaitingRequests {
  private(set) var all: [Waiting] = []

  mutating func add(_ request: Waiting) { all.append(request) }

  /// Takes out those that are meant.
  mutating func take(where isMeant: (Waiting) -> Bool) -> [Waiting] {
    defer { all.removeAll(where: isMeant) }
    return all.filter(isMeant)
  }

  mutating func remove(at index: Int) { all.remove(at: index) }

  /// Notes how far the answer to a request is, by its index.
  mutating func note(_ question: Waiting.Question, at index: Int) { all[index].question = question }
}

extension Server {
  /// Queues a request; if it is ready, it is answered in the same turn.
  func wait(_ request: Waiting) {
    var request = request
    if request.question.isAboutWorkspace { refreshWorkspace() }
    if workspace.scan == nil { request.token = nil }
    if let token = request.token { notify(token, ProgressReporter.beginning) }
    waiting.add(request)
    if isSearching(request) { search(waiting.all.count - 1) }
  }

  /// Whether a request still searches a document, or the files though the scan is over.
  var isSearching: Bool { waiting.all.contains(where: isSearching) }

  private func isSearching(_ request: Waiting) -> Bool {
    !request.question.isReady && !(request.question.isAboutWorkspace && workspace.scan != nil)
  }

  /// Continues the search of a request a little, once the scan is over.
  private func search(_ index: Int) {
    switch waiting.all[index].question {
    case .diagnostics(_, _, let making): making?.step()
    case .content, .file: break
    case .workspaceDiagnostics(var pull):
      goOn(with: &pull)
      waiting.note(.workspaceDiagnostics(pull), at: index)
    case .symbols(let search): searchFiles(for: search)
    }
  }

  /// Continues the search of the oldest request that still searches; the others go on in later turns.
  func searchOn() {
    if let index = waiting.all.firstIndex(where: isSearching) { search(index) }
  }

  /// Answers the requests that are ready.
  func answerWaiting() {
    beginLists()
    for request in waiting.take(where: canBeAnswered) {
      if let token = request.token { notify(token, .end) }
      do throws(ResponseError) {
        respond(to: request.id, try answer(to: request.question))
      } catch {
        send(.error(to: request.id, error))
      }
    }
  }

  private func canBeAnswered(_ request: Waiting) -> Bool {
    switch request.question {
    case .diagnostics(let key, _, _):
      request.question.isReady && documents[key].map(isQuiet) ?? true
    case .workspaceDiagnostics, .symbols: request.question.isReady
    case .content(let asked): canBeAnswered(asked)
    case .file(let asked): asked.answer != nil || documents[asked.key] == nil
    }
  }

  /// Whether the user pauses, where that is waited for, and no edit of ours lands: then the text may hold half of a
  /// mark.
  func isQuiet(_ document: Document) -> Bool {
    document.listing.quietAt == nil && !document.isPassing
      && (document.ourEdits.quietUntil ?? now) <= now
  }

  private func answer(to question: Waiting.Question) throws(ResponseError) -> LSPAny {
    switch question {
    case .diagnostics(let key, let known, let making):
      return diagnosticReport(of: key, known: known, making)
    case .workspaceDiagnostics(let pull): return workspaceReport(pull)
    case .symbols(let search): return FoundSymbols(search: search, client: client)
    case .content(let asked): return try content(asked)
    case .file(let asked):
      guard let answer = asked.answer else { throw .requestFailed("\(asked.key.name) was closed.") }
      return try answer.get()
    }
  }

  /// Handles `$/cancelRequest`; only waiting requests can be cancelled, the others are answered already.
  func cancel(_ params: CancelParams) {
    if held.cancel(params.id) { return sendCancelled(params.id) }
    cancel { $0.id == params.id }
  }

  /// Cancels waiting requests; each is answered with an error.
  func cancel(where isMeant: (Waiting) -> Bool) {
    for request in waiting.take(where: isMeant) {
      if let token = request.token { notify(token, .end) }
      sendCancelled(request.id)
    }
    stopScanIfUnwanted()
  }

  private func sendCancelled(_ request: RequestID) {
    send(.error(to: request, .requestCancelled("The request was cancelled.")))
  }
}
