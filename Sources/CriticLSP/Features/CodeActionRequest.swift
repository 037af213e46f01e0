import JSONRPC
import TrackEngine

extension Server {
  func codeActions(_ params: JSON?) throws(ResponseError) -> Answer {
    let document = try document(params)
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    guard let range = conversions.range(of: params?["range"]) else {
      throw .invalidParams("The range is missing.")
    }
    let context = CodeActionContext(params?["context"], conversions)
    let place = CodeActionPlace(document: document, range: range, context: context)
    var whole: Review?
    var actions = changeActions(place) + fixActions(place) + commentActions(place)
    actions += conversionActions(place)
    if !context.isAutomatic { actions += documentActions(place, &whole) }
    actions = actions.filter { context.wants($0.kind) }.compactMap {
      prepared($0, place, &whole)
    }
    offer(actions, in: document)
    return { [self] writer in
      writer.array {
        for action in actions { write(action, of: document, conversions, to: &$0) }
      }
    }
  }

  /// The edits of a code action, which the user has chosen by now.
  ///
  /// What has edits or a command already comes back as it is: some clients ask about everything.
  func resolveCodeAction(_ params: JSON?) throws(ResponseError) -> Answer {
    guard let given = params, given.kind == .object else {
      throw .invalidParams("The code action is missing.")
    }
    guard let data = given["data"], given["edit"] == nil, given["command"] == nil else {
      return { $0.json(given) }
    }
    let document = try document(data)
    guard data["version"]?.integer == document.version else {
      throw .contentModified("The text has changed; ask for the code actions again.")
    }
    guard let command = Command(name: data["command"]?.string ?? ""),
      let review = try reviewCommand(command, data, document)
    else { throw .invalidParams("data is not that of a code action of ours.") }
    let action: CodeAction
    do throws(Review.Failure) {
      let known = CodeAction(given["title"]?.string ?? "", .quickFix, review)
      let around = Review(document.tracker, around: review.range)
      action = try completed(known, document, around)
    } catch {
      throw .requestFailed(error.description)
    }
    offer([action], in: document)
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    return { [self] writer in
      writer.object {
        for (name, value) in given.members {
          $0.key(name)
          $0.json(value)
        }
        writeOutcome(of: action, in: document, conversions, to: &$0)
      }
    }
  }

  /// The texts that the actions would make count as settled when they come about.
  private func offer(_ actions: [CodeAction], in document: Document) {
    for action in actions {
      switch action.outcome {
      case .edits(let edits), .comment(let edits, _):
        document.standing.offer(document.tracker.ownEdit(edits))
      case .command, .deferred, .disabled: break
      }
    }
  }

  /// In a document with more changes a menu does not wait until it is worked out what an action would do to
  /// all of them: it is a command then.
  private static let mostChangesOfMenu = 500

  /// An action with what there is to say about how it is done; nil if it is not to be shown.
  private func prepared(
    _ action: CodeAction,
    _ place: CodeActionPlace,
    _ whole: inout Review?
  ) -> CodeAction? {
    guard action.review != nil else { return action }
    let mayBeCommand = action.isSettling || action.review?.wantsCaret == true
    let canWait =
      client.resolvesActions.contains("edit")
      && (!mayBeCommand || client.resolvesActions.contains("command"))
    var action = action
    if !action.isLocal { action.review?.caret = place.range }
    if canWait, place.context.isAutomatic || action.mayWait {
      action.outcome = .deferred
      return action
    }
    let changes = place.document.tracker.counts.entries
    if !action.isLocal, client.appliesEdits, changes > Server.mostChangesOfMenu {
      action.outcome = .command
      return action
    }
    do throws(Review.Failure) {
      let review = action.isLocal ? place.review : place.whole(&whole)
      return try completed(action, place.document, review)
    } catch {
      guard place.context.isInvoked, client.disablesActions else { return nil }
      action.outcome = .disabled(error.description)
      return action
    }
  }

  /// An action with its edits, or as a command where the edits would not say what was done.
  private func completed(
    _ action: CodeAction,
    _ document: Document,
    _ review: Review
  ) throws(Review.Failure) -> CodeAction {
    guard let command = action.review, let asked = self.action(of: command) else { return action }
    var action = action
    let edits = try review.edits(for: asked)
      .fewer(in: document.tracker.buffer, sparing: command.caret)
    let isAmbiguous = client.appliesEdits && document.tracker.wasPending(after: edits)
    if action.isSettling, edits.isEmpty || isAmbiguous {
      action.outcome = .command
    } else if command.wantsCaret, client.showsDocuments,
      let caret = placeInEmptyComment(of: edits, for: asked)
    {
      action.outcome = .comment(edits, caret: caret)
    } else {
      action.outcome = .edits(edits)
    }
    return action
  }
}

extension CodeAction {
  /// Whether it accepts or rejects.
  fileprivate var isSettling: Bool {
    [.accept, .reject, .acceptAll, .rejectAll].contains(command)
  }

  /// What its command is to be told.
  fileprivate var arguments: ReviewCommand? {
    review ?? place.map { ReviewCommand(command: command, range: $0) }
  }
}

// MARK: - Writing

extension Server {
  private func write(
    _ action: CodeAction,
    of document: Document,
    _ conversions: Conversions,
    to writer: inout JSONWriter
  ) {
    writer.object {
      $0.member("title", action.title)
      if case .command = action.outcome, !client.takesActionLiterals {
        // Such a client knows commands only.
        write(action.command, of: document, action.arguments, conversions, to: &$0)
        return
      }
      $0.member("kind", action.kind.name)
      if !action.diagnostics.isEmpty {
        $0.member(
          "diagnostics",
          array: {
            for diagnostic in action.diagnostics { $0.json(diagnostic) }
          }
        )
      }
      if action.isPreferred { $0.member("isPreferred", true) }
      writeOutcome(of: action, in: document, conversions, to: &$0)
    }
  }

  private func writeOutcome(
    of action: CodeAction,
    in document: Document,
    _ conversions: Conversions,
    to writer: inout JSONWriter
  ) {
    let (uri, version) = (document.uri, document.version)
    switch action.outcome {
    case .edits(let edits):
      writer.member(
        "edit",
        object: { writeDocumentEdit(edits, uri, version, conversions, to: &$0) }
      )
    case .comment(let edits, let caret):
      writer.member(
        "edit",
        object: { writeDocumentEdit(edits, uri, version, conversions, to: &$0) }
      )
      // Where the client has the edit made, this puts the caret into the comment.
      let after = Conversions(
        text: document.tracker.buffer.applying(edits),
        encoding: client.encoding
      )
      let place = ReviewCommand(command: .editComment, range: caret..<caret)
      writer.member(
        "command",
        object: {
          $0.member("title", action.title)
          write(.editComment, of: document, place, after, to: &$0)
        }
      )
    case .command:
      writer.member(
        "command",
        object: {
          $0.member("title", action.title)
          write(action.command, of: document, action.arguments, conversions, to: &$0)
        }
      )
    case .deferred:
      writer.member(
        "data",
        object: {
          $0.member("command", action.command.name)
          $0.member("uri", uri)
          $0.member("version", version)
          action.review?.writeArguments(conversions, to: &$0)
        }
      )
    case .disabled(let reason):
      writer.member("disabled", object: { $0.member("reason", reason) })
    }
  }

  private func write(
    _ command: Command,
    of document: Document,
    _ review: ReviewCommand?,
    _ conversions: Conversions,
    to writer: inout JSONWriter
  ) {
    writer.member("command", command.name)
    writer.member(
      "arguments",
      array: {
        $0.object {
          $0.member("uri", document.uri)
          review?.writeArguments(conversions, to: &$0)
        }
      }
    )
  }
}
