import JSONRPC

/// A request that is answered as soon as it can be.
struct Waiting {
  let id: RequestID
  var question: Question
  /// Where the client shows how far it is.
  var token: RequestID? = nil

  enum Question {
    /// For the list of changes of a document, by key; the id of the list that the client has.
    case diagnostics(String, known: String?)
    /// For the lists of all files.
    case workspaceDiagnostics(WorkspacePull)
    /// For the changes of all files that match.
    case symbols(SymbolSearch)

    /// Whether what is searched for was found.
    var isReady: Bool {
      switch self {
      case .diagnostics: true
      case .workspaceDiagnostics(let pull): pull.isOver
      case .symbols(let search): search.isOver
      }
    }

    var isAboutWorkspace: Bool {
      switch self {
      case .diagnostics: false
      case .workspaceDiagnostics, .symbols: true
      }
    }
  }
}

extension Server {
  /// Lets a request wait; what is ready is answered in the same turn.
  func wait(_ request: Waiting) {
    var request = request
    if request.question.isAboutWorkspace { refreshWorkspace() }
    if workspace.scan == nil { request.token = nil }
    if let token = request.token { notify(token, ProgressReporter.beginning) }
    waiting.append(request)
    search(waiting.count - 1)
  }

  /// Whether somebody waits for what was not found yet, though the files were looked at.
  var isSearching: Bool { workspace.scan == nil && waiting.contains { !$0.question.isReady } }

  /// Goes on a little with what a request wants of the files, once these were looked at.
  func search(_ index: Int) {
    guard workspace.scan == nil else { return }
    switch waiting[index].question {
    case .diagnostics: break
    case .workspaceDiagnostics(var pull):
      goOn(&pull)
      waiting[index].question = .workspaceDiagnostics(pull)
    case .symbols(var search):
      goOn(&search)
      waiting[index].question = .symbols(search)
    }
  }

  /// Answers what can be answered by now.
  func answerWaiting() {
    let ready = waiting.filter(canBeAnswered)
    guard !ready.isEmpty else { return }
    waiting.removeAll(where: canBeAnswered)
    for request in ready {
      if let token = request.token { notify(token, .end) }
      respond(to: request.id, answer(to: request.question))
    }
  }

  private func canBeAnswered(_ request: Waiting) -> Bool {
    switch request.question {
    // While our edit lands, the text can have one half of a mark.
    case .diagnostics(let key, _):
      documents[key].map { document in
        document.quietAt == nil && !document.isPassing
          && (document.standing.quietUntil ?? now) <= now
      } ?? true
    case .workspaceDiagnostics, .symbols: request.question.isReady
    }
  }

  private func answer(to question: Waiting.Question) -> LSPAny {
    switch question {
    case .diagnostics(let key, let known): diagnosticReport(of: key, known: known)
    case .workspaceDiagnostics(let pull): workspaceReport(pull)
    case .symbols(let search): FoundSymbols(search: search, client: client)
    }
  }

  /// `$/cancelRequest`: only a request that waits can be cancelled, the others are answered.
  func cancel(_ params: CancelParams) { cancel { $0.id == params.id } }

  /// Gives up what waits; every request is answered.
  func cancel(where isMeant: (Waiting) -> Bool) {
    let cancelled = waiting.filter(isMeant)
    waiting.removeAll(where: isMeant)
    for request in cancelled {
      if let token = request.token { notify(token, .end) }
      send(.error(to: request.id, .requestCancelled("The request was cancelled.")))
    }
    stopScanIfUnwanted()
  }
}
