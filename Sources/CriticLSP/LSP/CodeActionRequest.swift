import JSONRPC

/// The params of `textDocument/codeAction`.
///
/// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_codeAction
struct CodeActionParams: DocumentParams {
  let textDocument: TextDocumentIdentifier
  let range: Range<Position>
  let context: CodeActionContext

  init(_ json: JSON) throws(ResponseError) {
    textDocument = try json.read("textDocument")
    range = try json.read("range")
    context = CodeActionContext(json["context"])
  }
}

/// What a client says about the actions that it asks for.
struct CodeActionContext {
  /// What it shows there; what is no diagnostic is left out.
  let diagnostics: [ShownDiagnostic]
  /// The kinds that are wanted; empty for all.
  let only: [String]
  let triggerKind: CodeActionTriggerKind?

  init(_ json: JSON?) {
    diagnostics = json?["diagnostics"]?.readable() ?? []
    only = json?["only"]?.readable() ?? []
    triggerKind = json?["triggerKind"]?.integer.flatMap(CodeActionTriggerKind.init)
  }
}

/// Who asks.
enum CodeActionTriggerKind: Int {
  /// The user.
  case invoked = 1
  /// The client, at every step of the caret.
  case automatic
}

/// Something that can be done.
struct CodeAction: JSONWritable {
  let title: String
  let kind: String
  /// What it resolves, as the client wrote it.
  var diagnostics: [JSON] = []
  var isPreferred = false
  var outcome = Outcome()

  /// How it is carried out.
  struct Outcome {
    var edit: WorkspaceEdit?
    /// What is run then.
    var command: Command?
    /// What it is resolved by.
    var data: LSPAny?
    /// Why it can't be done; LSP's `disabled.reason`.
    var disabled: String?
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("title", title)
      $0.member("kind", kind)
      if !diagnostics.isEmpty { $0.member("diagnostics", diagnostics) }
      $0.member("isPreferred", ifTrue: isPreferred)
      outcome.writeMembers(to: &$0)
    }
  }
}

extension CodeAction.Outcome {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("edit", ifPresent: edit)
    writer.member("command", ifPresent: command)
    if let data { writer.member("data", data) }
    if let disabled { writer.member("disabled", object: { $0.member("reason", disabled) }) }
  }
}

/// An action, or, for clients that know nothing else, a command.
enum CodeActionOrCommand: JSONWritable {
  case action(CodeAction)
  case command(Command)

  func write(to writer: inout JSONWriter) {
    switch self {
    case .action(let action): action.write(to: &writer)
    case .command(let command): command.write(to: &writer)
    }
  }
}

/// An action as it came back, with what was worked out since.
struct ResolvedCodeAction: JSONWritable {
  let action: JSON
  let outcome: CodeAction.Outcome

  func write(to writer: inout JSONWriter) {
    writer.object {
      for (name, value) in action.members {
        $0.key(name)
        $0.json(value)
      }
      outcome.writeMembers(to: &$0)
    }
  }
}
