extension ServerCapabilities {
  /// The capabilities for a client: what it can show and announces.
  init(for client: Client) {
    positionEncoding = client.encoding
    codeActionProvider = CodeActionOptions(
      codeActionKinds: CodeActionKind.names(for: client),
      resolveProvider: client.resolvesActions.contains("edit")
    )
    documentFormattingProvider = client.savesThroughFormatting
    executeCommandProvider = ExecuteCommandOptions(commands: CriticCommand.names(for: client))
    for feature in client.features { offer(feature) }
    semanticTokensProvider = semanticTokensOptions(for: client.semanticTokens)
    if client.pullsDiagnostics {
      diagnosticProvider = DiagnosticOptions(
        identifier: "critic",
        interFileDependencies: false,
        workspaceDiagnostics: true,
        workDoneProgress: true
      )
    }
    if client.searchesSymbols {
      workspaceSymbolProvider = WorkspaceSymbolOptions(workDoneProgress: true)
    }
    if client.changesFolders {
      workspaceFolders = WorkspaceFoldersServerCapabilities(
        supported: true,
        changeNotifications: true
      )
    }
    if client.showsContents {
      textDocumentContent = TextDocumentContentOptions(schemes: [ContentKey.scheme])
    }
  }

  private mutating func offer(_ feature: Feature) {
    switch feature {
    case .codeLens: codeLensProvider = ResolvingOptions(resolveProvider: true)
    case .completion:
      completionProvider = CompletionOptions(triggerCharacters: completionTriggers)
    case .definition: definitionProvider = true
    case .documentHighlight: documentHighlightProvider = true
    case .documentLink: documentLinkProvider = ResolvingOptions(resolveProvider: false)
    case .documentSymbol: documentSymbolProvider = true
    case .foldingRange: foldingRangeProvider = true
    case .hover: hoverProvider = true
    case .inlayHint: inlayHintProvider = ResolvingOptions(resolveProvider: false)
    case .references: referencesProvider = true
    case .selectionRange: selectionRangeProvider = true
    }
  }
}
