import JSONRPC

/// What an editor can be asked to ask for again.
enum Refresh: CaseIterable {
  case diagnostics
  case codeLenses
  case inlayHints
  case semanticTokens

  var method: StaticString {
    switch self {
    case .diagnostics: "workspace/diagnostic/refresh"
    case .codeLenses: "workspace/codeLens/refresh"
    case .inlayHints: "workspace/inlayHint/refresh"
    case .semanticTokens: "workspace/semanticTokens/refresh"
    }
  }

  /// Its name among the client's capabilities.
  fileprivate var capability: StaticString {
    switch self {
    case .diagnostics: "diagnostics"
    case .codeLenses: "codeLens"
    case .inlayHints: "inlayHint"
    case .semanticTokens: "semanticTokens"
    }
  }

  /// What a client announces, under `workspace`.
  static func announced(in workspace: JSON?) -> Set<Refresh> {
    Set(allCases.filter { workspace?[$0.capability]?["refreshSupport"]?.bool == true })
  }
}

extension Server {
  /// Asks for what became wrong in this turn, each once, where the client can be asked.
  func sendRefreshes() {
    for refresh in Refresh.allCases
    where refreshes.contains(refresh) && client.refreshes.contains(refresh) {
      request(refresh.method, for: .other, JSONNull?.none)
    }
    refreshes = []
  }
}
