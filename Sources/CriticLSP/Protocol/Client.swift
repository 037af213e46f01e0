import JSONRPC

/// What the client announced in `initialize`, and what its name implies.
///
/// The evidence for each client's behaviour is in `docs/clients.md`. A class, because there is one, which every answer
/// depends on.
final class Client: Sendable {
  /// When changes are marked automatically.
  enum Marking: String {
    case idle
    case save
    case command
  }

  let name: String
  let encoding: PositionEncoding
  let appliesEdits: Bool
  let answersConfiguration: Bool
  let asksQuestions: Bool
  let showsDocuments: Bool
  /// Whether it can show documents whose text it asks the server for.
  let showsContents: Bool
  let savesThroughServer: Bool
  /// Whether there is any way in which the client makes an edit of the server.
  let takesEdits: Bool
  /// Whether the client reports what was typed before it sends a request about the text.
  let tellsBeforeItAsks: Bool
  let tagsDiagnostics: Bool
  let relatesDiagnostics: Bool
  let takesActionLiterals: Bool
  /// The features that the client supports.
  let features: Set<Feature>
  let hoversInMarkdown: Bool
  let nestsSymbols: Bool
  let tagsSymbols: Bool
  /// The values of LSP's `SymbolKind` that the client knows.
  let symbolKinds: Set<Int>
  let foldsLinesOnly: Bool
  let showsFoldedText: Bool
  let maxFolds: Int
  let linksDefinitions: Bool
  let completesSnippets: Bool
  /// The properties of a code action that the client can resolve: `edit`, `command`.
  let resolvesActions: Set<String>
  let disablesActions: Bool
  let semanticTokens: SemanticTokensSupport
  let refreshes: Set<Refresh>
  let version: String
  let pullsDiagnostics: Bool
  let registersConfiguration: Bool
  let searchesSymbols: Bool
  /// The values of LSP's `SymbolKind` that the client knows in a workspace search.
  let workspaceSymbolKinds: Set<Int>
  let tagsWorkspaceSymbols: Bool
  let changesFolders: Bool
  let watchesFiles: Bool
  let showsProgress: Bool

  /// Reads the params of `initialize`.
  init(_ params: InitializeParams) {
    let capabilities = params.capabilities
    name = params.clientInfo?.name ?? ""
    let workspace = capabilities?["workspace"]
    let document = capabilities?["textDocument"]
    appliesEdits = workspace?["applyEdit"]?.bool ?? false
    savesThroughServer = document?["synchronization"]?["willSaveWaitUntil"]?.bool ?? false
    let asksForEdits = ["codeAction", "formatting", "rangeFormatting"].contains {
      document?[$0]?.isNull == false
    }
    takesEdits = appliesEdits || savesThroughServer || asksForEdits
    encoding = Client.encoding(capabilities?["general"]?["positionEncodings"], name)
    answersConfiguration = workspace?["configuration"]?.bool ?? false
    asksQuestions = capabilities?["window"]?["showMessage"]?["messageActionItem"] != nil
    showsDocuments = capabilities?["window"]?["showDocument"]?["support"]?.bool ?? false
    showsContents = workspace?["textDocumentContent"]?.kind == .object
    // Eglot up to 1.9 does not before it saves; it sends no `clientInfo` either.
    tellsBeforeItAsks = params.clientInfo != nil
    let diagnostics = document?["publishDiagnostics"]
    tagsDiagnostics = Client.tags(diagnostics?["tagSupport"], include: 2)
    relatesDiagnostics = diagnostics?["relatedInformation"]?.bool ?? false
    features = Client.features(document, name, appliesEdits: appliesEdits)
    let formats = document?["hover"]?["contentFormat"]?.elements.compactMap(\.string)
    // The client's order is its preference.
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
    // Actions are resolved from their data.
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

  /// The kinds that a client knows; by default those of LSP's first version.
  private static func symbolKinds(_ symbols: JSON?) -> Set<Int> {
    let kinds = symbols?["symbolKind"]?["valueSet"]?.elements.compactMap(\.integer)
    return Set(kinds ?? Array(1...18))
  }

  /// The features that the client announces, and those that it is known to support unannounced.
  private static func features(
    _ document: JSON?,
    _ name: String,
    appliesEdits: Bool
  ) -> Set<Feature> {
    var features = Set(Feature.allCases.filter { document?[$0.rawValue]?.isNull == false })
    // Neovim can show lenses in all versions, but announces them only since 0.12.
    if name == "Neovim" { features.insert(.codeLens) }
    // The commands of our lenses send edits.
    if !appliesEdits { features.remove(.codeLens) }
    if name == "helix" {
      features.formUnion([.definition, .documentHighlight, .documentSymbol, .references])
    }
    return features
  }

  /// UTF-8 if it is offered, because texts are kept in it; else what the client names first.
  ///
  /// lsp-mode also offers UTF-16, but counts in UTF-32; vim-lsp does too, and offers nothing.
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

  /// `idle` for clients known to refuse edits of an outdated version.
  var defaultMarking: Marking {
    switch name {
    case "Neovim", "helix", "Visual Studio Code", "Visual Studio Code - Insiders", "VSCodium",
      "Sublime Text LSP", "coc.nvim", "Zed":
      .idle
    default: .save
    }
  }

  /// Whether the client can get marks before it saves only by requesting formatting.
  ///
  /// For other clients we do not announce a formatter: beside one that lays Markdown out, as Prettier does, the
  /// editor would ask which to use, or run both.
  var savesThroughFormatting: Bool { !savesThroughServer }

  /// Whether the client cuts completions at the first space, as Neovim 0.10 does.
  var cutsCompletions: Bool { name == "Neovim" && !completesSnippets }

  /// Whether requests can carry a range though the user selected nothing: Helix and Kakoune always select, and
  /// Eglot sends the word at the caret.
  var selectsUnasked: Bool { ["helix", "kakoune-lsp", "kak-lsp", "Eglot", ""].contains(name) }

  /// Whether the client shows the result of turning tracking on or off; Helix shows neither answers nor a
  /// status.
  var showsTracking: Bool { name != "helix" }

  /// Whether a message can take the next key of who types, as in Neovim 0.11, which asks for Enter; our package shows
  /// messages by itself, and says which key accepts.
  func stopsAtMessages(_ settings: Settings) -> Bool {
    name == "Neovim" && settings.acceptKey == nil
  }

  /// How the client counts the last line break of a document.
  ///
  /// Neovim opens a file that does not end with one as it is, and reports its changes as if it did, as it will when it is
  /// saved. JupyterLab, the only client that calls Markdown `ipythongfm`, sends one more than every file has.
  func lastLineBreak(in language: String) -> LastLineBreak.Counting {
    name == "Neovim" ? .always : language == "ipythongfm" ? .oneMore : .asInFile
  }

  /// Whether the client may be JupyterLab, which tells no name: each message is a window that takes the keys, and all of a
  /// completion is put behind what was typed.
  var mayBeJupyterLab: Bool { name.isEmpty && !takesEdits }

  /// The form of edits that keeps the caret in place.
  var form: EditForm {
    name == "helix" || name.hasPrefix("Visual Studio Code") || name == "VSCodium"
      ? .takingNext : .plain
  }
}

/// A language feature, by its name in LSP.
///
/// The raw value is the last part of the method, and the name of the client's capability.
enum Feature: String, CaseIterable {
  case codeLens
  case completion
  case definition
  case documentHighlight
  case documentLink
  case documentSymbol
  case foldingRange
  case hover
  case inlayHint
  case references
  case selectionRange
}
