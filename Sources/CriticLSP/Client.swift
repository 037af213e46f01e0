import JSONRPC

/// What the client told of itself in `initialize`, and what follows for us from who it is.
struct Client {
  /// When changes are marked by themselves.
  enum Marking: String {
    case idle
    case save
    case command
  }

  let name: String
  let encoding: PositionEncoding
  let appliesEdits: Bool
  let answersConfiguration: Bool
  let showsDocuments: Bool
  let savesThroughServer: Bool
  let tagsDiagnostics: Bool
  let relatesDiagnostics: Bool
  let takesActionLiterals: Bool
  let version: String
  let pullsDiagnostics: Bool
  let refreshes: Set<Refresh>
  let registersConfiguration: Bool
  let searchesSymbols: Bool
  /// The numbers of LSP's `SymbolKind` that the client knows.
  let workspaceSymbolKinds: Set<Int>
  let tagsWorkspaceSymbols: Bool
  let changesFolders: Bool
  let watchesFiles: Bool
  let showsProgress: Bool

  /// Reads the params of `initialize`.
  init(_ params: JSON?) {
    let capabilities = params?["capabilities"]
    let workspace = capabilities?["workspace"]
    let document = capabilities?["textDocument"]
    name = params?["clientInfo"]?["name"]?.string ?? ""
    encoding = Client.encoding(capabilities?["general"]?["positionEncodings"])
    appliesEdits = workspace?["applyEdit"]?.bool ?? false
    answersConfiguration = workspace?["configuration"]?.bool ?? false
    showsDocuments = capabilities?["window"]?["showDocument"]?["support"]?.bool ?? false
    savesThroughServer = document?["synchronization"]?["willSaveWaitUntil"]?.bool ?? false
    let diagnostics = document?["publishDiagnostics"]
    tagsDiagnostics = Client.tags(diagnostics?["tagSupport"])
    relatesDiagnostics = diagnostics?["relatedInformation"]?.bool ?? false
    takesActionLiterals = document?["codeAction"]?["codeActionLiteralSupport"] != nil
    version = params?["clientInfo"]?["version"]?.string ?? ""
    pullsDiagnostics = document?["diagnostic"]?.kind == .object
    refreshes = Refresh.announced(in: workspace)
    registersConfiguration =
      workspace?["didChangeConfiguration"]?["dynamicRegistration"]?.bool ?? false
    let symbols = workspace?["symbol"]
    searchesSymbols = symbols?.kind == .object
    let kinds = symbols?["symbolKind"]?["valueSet"]?.elements.compactMap(\.integer)
    workspaceSymbolKinds = Set(kinds ?? Array(1...18))
    tagsWorkspaceSymbols =
      symbols?["tagSupport"]?["valueSet"]?.elements.contains { $0.integer == 1 } ?? false
    changesFolders = workspace?["workspaceFolders"]?.bool ?? false
    watchesFiles = workspace?["didChangeWatchedFiles"]?["dynamicRegistration"]?.bool ?? false
    showsProgress = capabilities?["window"]?["workDoneProgress"]?.bool ?? false
  }

  /// UTF-8 where it is offered, for that is what texts are kept in; UTF-16 is always understood.
  private static func encoding(_ offered: JSON?) -> PositionEncoding {
    let names = offered?.elements.compactMap(\.string) ?? []
    let known = names.compactMap(PositionEncoding.init)
    if known.contains(.utf8) { return .utf8 }
    return known.contains(.utf16) || known.isEmpty ? .utf16 : .utf32
  }

  /// `tagSupport` is an object in LSP 3.15 and later; some clients say `true`.
  private static func tags(_ support: JSON?) -> Bool {
    support?.bool ?? support?["valueSet"]?.elements.contains { $0.integer == 2 } ?? false
  }

  /// `idle` for clients that are known to refuse an edit of a text they no longer have.
  var defaultMarking: Marking {
    switch name {
    case "Neovim", "helix", "emacs", "lsp-mode", "Visual Studio Code",
      "Visual Studio Code - Insiders",
      "VSCodium", "Sublime Text LSP", "coc.nvim", "Zed":
      .idle
    default: .save
    }
  }

  /// How our edits must look for the caret to stay where it belongs.
  var form: EditForm {
    name == "helix" || name.hasPrefix("Visual Studio Code") || name == "VSCodium"
      ? .takingNext : .plain
  }
}
