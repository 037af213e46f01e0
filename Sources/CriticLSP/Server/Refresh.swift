import JSONRPC

/// What a client can be asked to request again.
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

  /// The name of the client's capability.
  fileprivate var capability: StaticString {
    switch self {
    case .diagnostics: "diagnostics"
    case .codeLenses: "codeLens"
    case .inlayHints: "inlayHint"
    case .semanticTokens: "semanticTokens"
    }
  }

  /// What a client announces under `workspace`.
  static func announced(in workspace: JSON?) -> Set<Refresh> {
    Set(allCases.filter { workspace?[$0.capability]?["refreshSupport"]?.bool == true })
  }
}

/// What has become outdated in this turn.
///
/// Invariant: files that are not open count only once the client has asked for the lists of all.
struct Refreshes {
  private var due: Set<Refresh> = []
  private var includesFiles = false

  mutating func add(_ outdated: Refresh...) { due.formUnion(outdated) }

  /// Adds the lists of files that are not open.
  mutating func addFiles() { if includesFiles { add(.diagnostics) } }

  /// Notes that the client asks for the lists of all files.
  mutating func includeFiles() { includesFiles = true }

  /// Takes out all, in order.
  mutating func take() -> [Refresh] {
    defer { due = [] }
    return Refresh.allCases.filter(due.contains)
  }
}

extension Server {
  /// Sends a refresh for all that became outdated in this turn, each once, if the client supports it.
  func sendRefreshes() {
    for refresh in refreshes.take() where client.refreshes.contains(refresh) {
      request(refresh.method, for: .other, JSONNull?.none)
    }
  }
}
