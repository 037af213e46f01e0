import JSONRPC

// What the user can have done at a place.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_codeAction

/// The params of `textDocument/codeAction`.
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

/// The context of a request for code actions.
struct CodeActionContext {
  /// The diagnostics shown there; invalid ones are left out.
  let diagnostics: [ShownDiagnostic]
  /// The kinds requested; empty for all.
  let only: [String]
  let triggerKind: CodeActionTriggerKind?

  init(_ json: JSON?) {
    diagnostics = json?["diagnostics"]?.readable() ?? []
    only = json?["only"]?.readable() ?? []
    triggerKind = json?["triggerKind"]?.integer.flatMap(CodeActionTriggerKind.init)
  }
}

/// Why code actions were requested.
enum CodeActionTriggerKind: Int {
  /// By the user.
  case invoked = 1
  /// By the client, each time the caret moves.
  case automatic
}

/// A change or command offered to the user.
struct CodeAction: JSONWritable {
  let title: String
  let kind: String
  /// The diagnostics that it resolves, as the client sent them.
  var diagnostics: [JSON] = []
  var isPreferred = false
  var outcome = Outcome()

  /// How the client carries it out.
  struct Outcome {
    var edit: WorkspaceEdit?
    /// Run after the edit.
    var command: Command?
    /// What the action is resolved from.
    var data: LSPAny?
    /// Why it cannot be done; LSP's `disabled.reason`.
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

/// An action, or a command for clients without action literals.
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

/// An action as the client sent it, with its outcome.
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

/// A command above a line, unresolved.
struct CodeLens<Data: JSONWritable>: JSONWritable {
  let range: Range<Position>
  let data: Data

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("range", range)
      $0.member("data", data)
    }
  }
}

/// A lens as the client sent it, with its command.
struct ResolvedCodeLens: JSONWritable {
  let lens: JSON
  let command: Command

  func write(to writer: inout JSONWriter) {
    writer.object {
      for (name, value) in lens.members where name != "command" {
        $0.key(name)
        $0.json(value)
      }
      $0.member("command", command)
    }
  }
}

/// A command of the server with a title.
struct Command: JSONWritable {
  let title: String
  let command: String
  let arguments: [LSPAny]

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("title", title)
      $0.member("command", command)
      $0.member(
        "arguments",
        array: { for argument in arguments { argument.write(to: &$0) } }
      )
    }
  }
}
