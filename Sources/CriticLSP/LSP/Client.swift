import JSONRPC

/// What the client told of itself in `initialize`, and what follows for us from who it is.
///
/// How each client was seen to do what is said of it here: `docs/clients.md`.
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
  /// Whether the client tells what was typed before it asks something about the text.
  let tellsBeforeItAsks: Bool
  let tagsDiagnostics: Bool
  let relatesDiagnostics: Bool
  let takesActionLiterals: Bool
  /// What the client can show.
  let features: Set<Feature>
  let hoversInMarkdown: Bool
  let nestsSymbols: Bool
  let tagsSymbols: Bool
  /// The numbers of LSP's `SymbolKind` that the client knows.
  let symbolKinds: Set<Int>
  let foldsLinesOnly: Bool
  let showsFoldedText: Bool
  let maxFolds: Int
  let linksDefinitions: Bool
  let completesSnippets: Bool
  /// What the client asks for only when the user has chosen a code action: `edit`, `command`.
  let resolvesActions: Set<String>
  let disablesActions: Bool
  let semanticTokens: SemanticTokensSupport
  let refreshes: Set<Refresh>
  let version: String
  let pullsDiagnostics: Bool
  let registersConfiguration: Bool
  let searchesSymbols: Bool
  /// The numbers of LSP's `SymbolKind` that the client knows.
  let workspaceSymbolKinds: Set<Int>
  let tagsWorkspaceSymbols: Bool
  let changesFolders: Bool
  let watchesFiles: Bool
  let showsProgress: Bool

  /// Reads the params of `initialize`.
  init(_ params: InitializeParams) {
    let capabilities = params.capabilities
    let workspace = capabilities?["workspace"]
    let document = capabilities?["textDocument"]
    name = params.clientInfo?.name ?? ""
    encoding = Client.encoding(capabilities?["general"]?["positionEncodings"], name)
    appliesEdits = workspace?["applyEdit"]?.bool ?? false
    answersConfiguration = workspace?["configuration"]?.bool ?? false
    showsDocuments = capabilities?["window"]?["showDocument"]?["support"]?.bool ?? false
    // Eglot up to 1.9 does not, before it saves; it does not say who it is either.
    tellsBeforeItAsks = params.clientInfo != nil
    savesThroughServer = document?["synchronization"]?["willSaveWaitUntil"]?.bool ?? false
    let diagnostics = document?["publishDiagnostics"]
    tagsDiagnostics = Client.tags(diagnostics?["tagSupport"], include: 2)
    relatesDiagnostics = diagnostics?["relatedInformation"]?.bool ?? false
    features = Client.features(document, name, appliesEdits: appliesEdits)
    let formats = document?["hover"]?["contentFormat"]?.elements.compactMap(\.string)
    // The first of them is the one that is preferred.
    hoversInMarkdown = formats?.first { $0 == "markdown" || $0 == "plaintext" } == "markdown"
    let symbols = document?["documentSymbol"]
    nestsSymbols = symbols?["hierarchicalDocumentSymbolSupport"]?.bool ?? false
    tagsSymbols = Client.tags(symbols?["tagSupport"], include: 1)
    symbolKinds = Client.symbolKinds(symbols)
    let folds = document?["foldingRange"]
    foldsLinesOnly = folds?["lineFoldingOnly"]?.bool ?? false
    showsFoldedText = folds?["foldingRange"]?["collapsedText"]?.bool ?? false
    maxFolds = max(0, folds?["rangeLimit"]?.integer ?? Int.max)
    linksDefinitions = document?["definition"]?["linkSupport"]?.bool ?? false
    let items = document?["completion"]?["completionItem"]
    completesSnippets = items?["snippetSupport"]?.bool ?? false
    let actions = document?["codeAction"]
    takesActionLiterals = actions?["codeActionLiteralSupport"] != nil
    // Without support for data there is nothing to resolve an action by.
    let resolves = actions?["dataSupport"]?.bool == true ? actions?["resolveSupport"] : nil
    resolvesActions = Set(resolves?["properties"]?.elements.compactMap(\.string) ?? [])
    disablesActions = actions?["disabledSupport"]?.bool ?? false
    semanticTokens = SemanticTokensSupport(document?["semanticTokens"])
    refreshes = Refresh.announced(in: workspace)
    version = params.clientInfo?.version ?? ""
    pullsDiagnostics = document?["diagnostic"]?.kind == .object
    registersConfiguration =
      workspace?["didChangeConfiguration"]?["dynamicRegistration"]?.bool ?? false
    let found = workspace?["symbol"]
    searchesSymbols = found?.kind == .object
    workspaceSymbolKinds = Client.symbolKinds(found)
    tagsWorkspaceSymbols = Client.tags(found?["tagSupport"], include: 1)
    changesFolders = workspace?["workspaceFolders"]?.bool ?? false
    watchesFiles = workspace?["didChangeWatchedFiles"]?["dynamicRegistration"]?.bool ?? false
    showsProgress = capabilities?["window"]?["workDoneProgress"]?.bool ?? false
  }

  /// The kinds that a client knows which says nothing about them are those of LSP's first version.
  private static func symbolKinds(_ symbols: JSON?) -> Set<Int> {
    let kinds = symbols?["symbolKind"]?["valueSet"]?.elements.compactMap(\.integer)
    return Set(kinds ?? Array(1...18))
  }

  /// What the client announces, and what it is known to do without announcing it.
  private static func features(
    _ document: JSON?,
    _ name: String,
    appliesEdits: Bool
  ) -> Set<Feature> {
    var features = Set(Feature.allCases.filter { document?[$0.rawValue]?.isNull == false })
    // Neovim shows lenses to those who ask for them, and announces them since 0.12.
    if name == "Neovim" { features.insert(.codeLens) }
    // What lenses offer are commands that send edits.
    if !appliesEdits { features.remove(.codeLens) }
    if name == "helix" {
      features.formUnion([.definition, .documentHighlight, .documentSymbol, .references])
    }
    return features
  }

  /// UTF-8 where it is offered, for that is what texts are kept in; else what the client names first:
  /// lsp-mode offers UTF-16 too, but counts in UTF-32, and so does vim-lsp, which offers nothing.
  private static func encoding(_ offered: JSON?, _ name: String) -> PositionEncoding {
    let names = offered?.elements.compactMap(\.string) ?? []
    let known = names.compactMap(PositionEncoding.init)
    let unsaid: PositionEncoding = name == "vim-lsp" ? .utf32 : .utf16
    return known.contains(.utf8) ? .utf8 : known.first ?? unsaid
  }

  /// `tagSupport` is an object in LSP 3.15 and later; some clients say `true`.
  private static func tags(_ support: JSON?, include tag: Int) -> Bool {
    support?.bool ?? support?["valueSet"]?.elements.contains { $0.integer == tag } ?? false
  }

  /// `idle` for clients that are known to refuse an edit of a text they no longer have.
  var defaultMarking: Marking {
    switch name {
    case "Neovim", "helix", "Visual Studio Code", "Visual Studio Code - Insiders", "VSCodium",
      "Sublime Text LSP", "coc.nvim", "Zed":
      .idle
    default: .save
    }
  }

  /// Whether the client has marks put in before it saves by asking for formatting, for want of another way.
  ///
  /// To the others we are no formatter: we would stand beside those that lay Markdown out, as Prettier does, and
  /// the editor would ask which of them is meant, or run them all.
  var savesThroughFormatting: Bool { !savesThroughServer }

  /// Whether completions end at their first space: Neovim 0.10 takes them for words.
  var cutsCompletions: Bool { name == "Neovim" && !completesSnippets }

  /// Whether a range can be what is at the caret where the user selected nothing: Helix and Kakoune always
  /// select, and Eglot tells of the word.
  var selectsUnasked: Bool { ["helix", "kakoune-lsp", "kak-lsp", "Eglot", ""].contains(name) }

  /// Whether the user sees what a command to track has done: Helix shows no answers, and no status.
  var showsTracking: Bool { name != "helix" }

  /// How our edits must look for the caret to stay where it belongs.
  var form: EditForm {
    name == "helix" || name.hasPrefix("Visual Studio Code") || name == "VSCodium"
      ? .takingNext : .plain
  }
}
