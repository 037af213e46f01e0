import JSONRPC

// What the server announces.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#serverCapabilities

/// The capabilities of the server; nil and false members are left out.
struct ServerCapabilities: JSONWritable {
  var positionEncoding: PositionEncoding
  var textDocumentSync = TextDocumentSyncOptions()
  var codeActionProvider: CodeActionOptions
  var documentFormattingProvider = false
  var executeCommandProvider: ExecuteCommandOptions
  var codeLensProvider: ResolvingOptions?
  var completionProvider: CompletionOptions?
  var definitionProvider = false
  var documentHighlightProvider = false
  var documentLinkProvider: ResolvingOptions?
  var documentSymbolProvider = false
  var foldingRangeProvider = false
  var hoverProvider = false
  var inlayHintProvider: ResolvingOptions?
  var referencesProvider = false
  var selectionRangeProvider = false
  var semanticTokensProvider: SemanticTokensOptions?
  var diagnosticProvider: DiagnosticOptions?
  var workspaceSymbolProvider: WorkspaceSymbolOptions?
  var workspaceFolders: WorkspaceFoldersServerCapabilities?
  var textDocumentContent: TextDocumentContentOptions?

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("positionEncoding", positionEncoding)
      $0.member("textDocumentSync", textDocumentSync)
      $0.member("codeActionProvider", codeActionProvider)
      $0.member("documentFormattingProvider", ifTrue: documentFormattingProvider)
      $0.member("executeCommandProvider", executeCommandProvider)
      $0.member("codeLensProvider", ifPresent: codeLensProvider)
      $0.member("completionProvider", ifPresent: completionProvider)
      $0.member("definitionProvider", ifTrue: definitionProvider)
      $0.member("documentHighlightProvider", ifTrue: documentHighlightProvider)
      $0.member("documentLinkProvider", ifPresent: documentLinkProvider)
      $0.member("documentSymbolProvider", ifTrue: documentSymbolProvider)
      $0.member("foldingRangeProvider", ifTrue: foldingRangeProvider)
      $0.member("hoverProvider", ifTrue: hoverProvider)
      $0.member("inlayHintProvider", ifPresent: inlayHintProvider)
      $0.member("referencesProvider", ifTrue: referencesProvider)
      $0.member("selectionRangeProvider", ifTrue: selectionRangeProvider)
      $0.member("semanticTokensProvider", ifPresent: semanticTokensProvider)
      $0.member("diagnosticProvider", ifPresent: diagnosticProvider)
      $0.member("workspaceSymbolProvider", ifPresent: workspaceSymbolProvider)
      $0.member(
        "workspace",
        object: {
          $0.member("workspaceFolders", ifPresent: workspaceFolders)
          $0.member("fileOperations", FileOperationOptions())
          $0.member("textDocumentContent", ifPresent: textDocumentContent)
        }
      )
    }
  }
}

/// How clients report documents.
struct TextDocumentSyncOptions: JSONWritable {
  var openClose = true
  var change = TextDocumentSyncKind.incremental
  var willSaveWaitUntil = true
  /// Whether clients say what they saved.
  var includesText = true

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("openClose", openClose)
      $0.member("change", change)
      $0.member("willSaveWaitUntil", willSaveWaitUntil)
      $0.member("save", object: { $0.member("includeText", includesText) })
    }
  }
}

/// How clients report changes.
enum TextDocumentSyncKind: Int, JSONWritable {
  case none
  case full
  case incremental
}

/// The code actions of the server.
struct CodeActionOptions: JSONWritable {
  let codeActionKinds: [String]
  let resolveProvider: Bool

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("codeActionKinds", codeActionKinds)
      $0.member("resolveProvider", ifTrue: resolveProvider)
    }
  }
}

/// The commands of the server.
struct ExecuteCommandOptions: JSONWritable {
  let commands: [String]

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("commands", commands) }
  }
}

/// The characters after which clients request completions.
struct CompletionOptions: JSONWritable {
  let triggerCharacters: [String]

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("triggerCharacters", triggerCharacters) }
  }
}

/// Whether results can be resolved: `CodeLensOptions`, `DocumentLinkOptions`, `InlayHintOptions`.
struct ResolvingOptions: JSONWritable {
  let resolveProvider: Bool

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("resolveProvider", resolveProvider) }
  }
}

/// The semantic tokens of the server.
struct SemanticTokensOptions: JSONWritable {
  let legend: SemanticTokensLegend
  let full: Full?
  let range: Bool

  /// Whether, and how, the tokens of a whole document can be requested.
  enum Full: JSONWritable {
    case plain
    case delta

    func write(to writer: inout JSONWriter) {
      switch self {
      case .plain: writer.bool(true)
      case .delta: writer.object { $0.member("delta", true) }
      }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("legend", legend)
      $0.member("full", ifPresent: full)
      $0.member("range", ifTrue: range)
    }
  }
}

/// What the numbers of semantic tokens mean.
struct SemanticTokensLegend: JSONWritable {
  let tokenTypes: [String]
  let tokenModifiers: [String]

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("tokenTypes", tokenTypes)
      $0.member("tokenModifiers", tokenModifiers)
    }
  }
}

/// Which diagnostics can be pulled.
struct DiagnosticOptions: JSONWritable {
  let identifier: String
  let interFileDependencies: Bool
  let workspaceDiagnostics: Bool
  let workDoneProgress: Bool

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("identifier", identifier)
      $0.member("interFileDependencies", interFileDependencies)
      $0.member("workspaceDiagnostics", workspaceDiagnostics)
      $0.member("workDoneProgress", workDoneProgress)
    }
  }
}

/// How the workspace can be searched for symbols.
struct WorkspaceSymbolOptions: JSONWritable {
  let workDoneProgress: Bool

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("workDoneProgress", workDoneProgress) }
  }
}

/// Whether the server follows changes of the workspace folders.
struct WorkspaceFoldersServerCapabilities: JSONWritable {
  let supported: Bool
  let changeNotifications: Bool

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("supported", supported)
      $0.member("changeNotifications", changeNotifications)
    }
  }
}

/// Which renames and deletions of files and folders the server is told of: all.
struct FileOperationOptions: JSONWritable {
  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("willRename", Registration())
      $0.member("didRename", Registration())
      $0.member("didDelete", Registration())
    }
  }

  private struct Registration: JSONWritable {
    func write(to writer: inout JSONWriter) {
      writer.object { $0.member("filters", [Filter()]) }
    }
  }

  /// Every file and folder of this machine.
  private struct Filter: JSONWritable {
    func write(to writer: inout JSONWriter) {
      writer.object {
        $0.member("scheme", "file")
        $0.member("pattern", object: { $0.member("glob", "**") })
      }
    }
  }
}

/// Of which URIs the server has the text.
struct TextDocumentContentOptions: JSONWritable {
  let schemes: [String]

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("schemes", schemes) }
  }
}
