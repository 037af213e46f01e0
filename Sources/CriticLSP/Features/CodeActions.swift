import JSONRPC
import TrackEngine

/// Answers `textDocument/codeAction`: what can be done at a place and with the whole document.
///
/// - Parameters:
///   - snapshot: The document.
///   - params: The params.
///   - review: The review of what other programs propose; nil if none is asked for.
///   - offer: Receives the edits of each action; if the user chooses it, the resulting text counts as settled.
/// - Returns: The actions, or commands for clients that support nothing else.
func codeActions(
  _ snapshot: Snapshot,
  _ params: CodeActionParams,
  _ review: OpenReview?,
  _ offer: ([Edit]) -> Void
) -> [CodeActionOrCommand] {
  let range = snapshot.conversions.offsets(of: params.range)
  let context = WantedActions(params.context, snapshot.conversions)
  let target = CodeActionTarget(in: snapshot, range: range, context: context)
  var whole: Review?
  var actions = snapshot.conflictActions(target) + snapshot.changeActions(target)
  actions += snapshot.fixActions(target)
  actions += snapshot.commentActions(target) + snapshot.conversionActions(target)
  if !context.isAutomatic {
    if let review { actions.append(OfferedAction(review.title, .done, .finishReview)) }
    actions += snapshot.documentActions(target, &whole)
  }
  actions = actions.filter { context.wants($0.kind) }
    .compactMap { snapshot.prepared($0, target, &whole) }
  actions.compactMap(\.edits).forEach(offer)
  return actions.map(snapshot.told)
}

/// Answers `codeAction/resolve`: the edits of a code action that the user has chosen.
///
/// - Parameters:
///   - snapshot: The document.
///   - params: The params.
///   - offer: Receives the edits; the resulting text counts as settled.
/// - Returns: The action with its edits.
/// - Throws: `ResponseError` if the action is outdated or cannot be done.
func resolveCodeAction(
  _ snapshot: Snapshot,
  _ params: CodeActionResolveParams,
  _ offer: ([Edit]) -> Void
) throws(ResponseError) -> ResolvedCodeAction {
  guard params.version == snapshot.version else {
    throw .contentModified("The text has changed; ask for the code actions again.")
  }
  let arguments = CommandArguments(json: params.data, snapshot: snapshot)
  guard case .review(let asked, let caret, let isBlank)? = try params.command?.task(arguments)
  else {
    throw .invalidParams("data is not from one of our code actions.")
  }
  var action = OfferedAction(params.title, .quickFix, asked)
  action.caret = caret
  action.isBlank = isBlank
  do throws(Review.Failure) {
    action = try snapshot.completed(action, Review(snapshot.tracker, around: asked.range))
  } catch {
    throw .requestFailed(error.description)
  }
  if let edits = action.edits { offer(edits) }
  return ResolvedCodeAction(action: params.action, outcome: snapshot.outcome(of: action))
}

/// The params of `codeAction/resolve`: an action of ours.
struct CodeActionResolveParams: DocumentParams {
  /// As the client sent it.
  let action: JSON
  let title: String
  let data: JSON
  let textDocument: TextDocumentIdentifier
  let version: Int?
  let command: CriticCommand?

  init(_ json: JSON) throws(ResponseError) {
    action = json
    title = json["title"]?.string ?? ""
    data = try json.read("data")
    textDocument = try json.read("data")
    version = data["version"]?.integer
    command = data["command"]?.string.flatMap { CriticCommand(name: $0) }
  }

  /// Whether there is nothing to resolve; some clients send actions that are complete.
  static func isComplete(_ action: JSON) -> Bool {
    action.kind == .object
      && (action["data"] == nil || action["edit"] != nil || action["command"] != nil)
  }
}

/// The data of an action, from which it is resolved.
private struct CodeActionData: JSONWritable {
  let command: CriticCommand
  let version: Int
  let offer: CommandOffer

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("command", command.name)
      $0.member("uri", offer.uri)
      $0.member("version", version)
      offer.writeArguments(to: &$0)
    }
  }
}

// MARK: - Edits or commands

extension Snapshot {
  /// In a document with more changes, actions on all of them are offered as commands, because computing
  /// their edits would delay the menu.
  private static let maxMenuChanges = 500

  /// An action with its outcome: edits, a command, or deferred; nil to leave it out.
  fileprivate func prepared(
    _ action: OfferedAction,
    _ target: CodeActionTarget,
    _ whole: inout Review?
  ) -> OfferedAction? {
    guard let asked = action.review else { return action }
    if !showsMarks { return action.isBlank ? nil : carriedOut(action, asked, target, &whole) }
    let mayBeCommand = asked.isResolving || action.isBlank
    let canWait =
      client.resolvesActions.contains("edit")
      && (!mayBeCommand || client.resolvesActions.contains("command"))
    var action = action
    if !action.isLocal { action.caret = target.range }
    if canWait, target.context.isAutomatic || action.mayWait {
      action.outcome = .deferred
      return action
    }
    if !action.isLocal, client.appliesEdits,
      tracker.counts.entries > Snapshot.maxMenuChanges
    {
      action.outcome = .command
      return action
    }
    do throws(Review.Failure) {
      return try completed(action, action.isLocal ? target.review : target.whole(&whole))
    } catch {
      guard target.context.isInvoked, client.disablesActions else { return nil }
      action.outcome = .disabled(error.description)
      return action
    }
  }

  /// An action on a record, which the editor does not show, as a command; nil if it cannot be done.
  private func carriedOut(
    _ action: OfferedAction,
    _ asked: Review.Action,
    _ target: CodeActionTarget,
    _ whole: inout Review?
  ) -> OfferedAction? {
    let review = action.isLocal ? target.review : target.whole(&whole)
    guard let edits = try? review.edits(for: asked), !edits.isEmpty else { return nil }
    return action
  }

  /// An action with its edits, or as a command if the resulting text would not show what was done.
  fileprivate func completed(
    _ action: OfferedAction,
    _ review: Review
  ) throws(Review.Failure) -> OfferedAction {
    guard let asked = action.review else { return action }
    var action = action
    let edits = try review.edits(for: asked).fewer(in: text, sparing: action.caret)
    let isAmbiguous = client.appliesEdits && tracker.wasPending(after: edits)
    if asked.isResolving, edits.isEmpty || isAmbiguous {
      action.outcome = .command
    } else if action.isBlank, client.showsDocuments,
      let caret = caretInEmptyComment(of: edits, for: asked)
    {
      action.outcome = .comment(edits, caret: caret)
    } else {
      action.outcome = .edits(edits)
    }
    return action
  }
}

extension OfferedAction {
  /// Its edits, if they are computed already.
  fileprivate var edits: [Edit]? {
    switch outcome {
    case .edits(let edits), .comment(let edits, _): edits
    case .command, .deferred, .disabled: nil
    }
  }
}

// MARK: - In the protocol

extension Snapshot {
  fileprivate func told(_ action: OfferedAction) -> CodeActionOrCommand {
    if case .command = action.outcome, !client.takesActionLiterals {
      return .command(command(of: action))
    }
    return .action(
      CodeAction(
        title: action.title,
        kind: action.kind.name,
        diagnostics: action.diagnostics,
        isPreferred: action.isPreferred,
        outcome: outcome(of: action)
      )
    )
  }

  fileprivate func outcome(of action: OfferedAction) -> CodeAction.Outcome {
    switch action.outcome {
    case .edits(let edits): return CodeAction.Outcome(edit: workspaceEdit(edits))
    case .comment(let edits, let caret):
      // After the edit, the command puts the caret into the comment.
      let after = Conversions(text: text.applying(edits), encoding: client.encoding)
      let command = Command(
        title: action.title,
        command: CriticCommand.editComment.name,
        arguments: [CommandOffer(uri: uri, range: after.positions(of: caret..<caret))]
      )
      return CodeAction.Outcome(edit: workspaceEdit(edits), command: command)
    case .command: return CodeAction.Outcome(command: command(of: action))
    case .deferred:
      let data = CodeActionData(command: action.command, version: version, offer: offer(of: action))
      return CodeAction.Outcome(data: data)
    case .disabled(let reason): return CodeAction.Outcome(disabled: reason)
    }
  }

  private func command(of action: OfferedAction) -> Command {
    Command(title: action.title, command: action.command.name, arguments: [offer(of: action)])
  }

  private func offer(of action: OfferedAction) -> CommandOffer {
    CommandOffer(
      uri: uri,
      range: action.range.map(conversions.positions),
      action: action.review,
      category: action.kind.category,
      shown: action.shown,
      place: action.place
    )
  }

  /// Edits of the document as a `WorkspaceEdit`.
  ///
  /// Always `documentChanges`, with the version, even for clients that do not announce it: they apply it
  /// too, and the version keeps a late edit out of a newer text.
  func workspaceEdit(_ edits: [Edit]) -> WorkspaceEdit {
    workspaceEdit(conversions.textEdits(edits))
  }

  /// The same for edits of the text that the editor shows.
  func workspaceEdit(ofText edits: [Edit]) -> WorkspaceEdit {
    let shown = Conversions(text: conversions.text, encoding: client.encoding)
    return workspaceEdit(shown.textEdits(edits))
  }

  private func workspaceEdit(_ edits: [TextEdit]) -> WorkspaceEdit {
    let document = VersionedTextDocumentIdentifier(uri: uri, version: version)
    return WorkspaceEdit(documentChanges: [TextDocumentEdit(textDocument: document, edits: edits)])
  }
}
