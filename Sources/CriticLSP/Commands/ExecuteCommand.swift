import JSONRPC
import TrackEngine

extension Server {
  /// Answers `workspace/executeCommand`, some commands only when a file has been read or written.
  func executeCommand(_ params: ExecuteCommandParams, for id: RequestID) throws(ResponseError) {
    let name = params.command
    guard let command = CriticCommand(name: name) else {
      throw .invalidParams("There is no command \"\(name)\".")
    }
    guard let json = params.arguments?.first, json.kind == .object else {
      throw .invalidParams("\(name) takes one object, {uri, …}.")
    }
    let document = try document(TextDocumentIdentifier(json["textDocument"] ?? json))
    let snapshot = snapshot(of: document)
    switch try command.task(CommandArguments(json: json, snapshot: snapshot)) {
    case .moveMarks(let place): try moveMarks(of: document, to: place, for: id)
    case .write: try write(document, for: id)
    case let task: respond(to: id, try carryOut(task, in: document, snapshot))
    }
  }

  /// Carries out a command that can be answered at once.
  private func carryOut(
    _ task: CommandTask,
    in document: Document,
    _ snapshot: Snapshot
  ) throws(ResponseError) -> LSPAny {
    switch task {
    case .review(let action, let caret, let isBlank):
      try perform(action, on: document, aim: isBlank ? .comment : nil, caret: caret)
    case .selectComment(let range): try selectComment(at: range, in: snapshot)
    case .finishReview: finishReview(of: document)
    case .reopen: try reopen(document)
    case .mark(let asked): markByCommand(document, asked)
    case .decideMeanwhile(let answer):
      guard decideMeanwhile(answer, in: document) else {
        throw .requestFailed("No changes were made meanwhile, or they are decided already.")
      }
    case .resolveAndGo(let range, let variant):
      return try resolveAndGo(range, variant, in: document)
    case .toggleTracking(let isOn):
      return try toggleTracking(of: document, isOn: isOn ?? !snapshot.isTracking)
    case .go(let direction, let start, let kind):
      let found = snapshot.change(direction, from: start, kind: kind)
      if let found { show(found.range.lowerBound..<found.range.lowerBound, of: snapshot) }
      return found.map { snapshot.location(of: $0.range) }
    case .annotate(let text, let start):
      return try annotate(document, with: text, from: start)
    case .listChanges:
      return ChangeList(of: snapshot)
    case .tellStatus(let caret):
      return Status(
        of: snapshot,
        caret: caret,
        authors: authors(of: document, snapshot),
        waiting: calls.waiting(for: document.key)
      )
    case .export(let variant): return JSONString(utf8: snapshot.exported(variant))
    case .show(let variant): return try show(variant, of: document)
    case .moveMarks, .write: preconditionFailure("\(task) is answered later")
    }
    return JSONNull()
  }

  /// Performs an action, or queues it while an edit of ours is in flight.
  ///
  /// - Parameters:
  ///   - action: What the user asked for.
  ///   - document: The document.
  ///   - aim: Where to put the caret then.
  ///   - caret: Where the user is, if known.
  /// - Returns: The edits that were sent; nil if it was queued.
  /// - Throws: `ResponseError` if it cannot be done.
  @discardableResult
  func perform(
    _ action: Review.Action,
    on document: Document,
    aim: EditsInFlight.Wish.Aim? = nil,
    caret: Range<Int>? = nil
  ) throws(ResponseError) -> [Edit]? {
    guard client.appliesEdits || !document.showsMarks else {
      throw .requestFailed("This editor does not take edits; use the code action instead.")
    }
    if !document.showsMarks, case .comment? = aim {
      throw .requestFailed("The marks are beside the text; give the text of the comment.")
    }
    let wish = EditsInFlight.Wish(action: action, aim: aim, caret: caret)
    switch document.step(.wish) {
    case .queue:
      document.postponed.add(wish)
      return nil
    case .refuse:
      throw .requestFailed("The text is not known; reopen the file.")
    default: break
    }
    do throws(Review.Failure) {
      return try perform(wish, in: document)
    } catch {
      throw .requestFailed(error.description)
    }
  }

  /// Sends the edits that carry out an action.
  ///
  /// - Parameters:
  ///   - wish: The action.
  ///   - document: The document; no edit of ours is in flight in it.
  /// - Returns: The edits.
  /// - Throws: `Review.Failure` if it cannot be done.
  @discardableResult
  func perform(
    _ wish: EditsInFlight.Wish,
    in document: Document
  ) throws(Review.Failure) -> [Edit] {
    if wish.isOvertaken, wish.action.range == nil {
      throw .overtaken
    }
    let near = Review(document.tracker, around: wish.action.range)
    let edits = try near.edits(for: wish.action)
      .fewer(in: document.tracker.buffer, sparing: wish.caret)
    // Accepting pending changes leaves the text as it is.
    let caret = try caret(for: wish, near, edits, document)
    guard !edits.isEmpty else {
      document.settle(at: now)
      if let caret { show(caret..<caret, of: snapshot(of: document)) }
      return edits
    }
    send(document.tracker.ownEdit(edits), in: document, for: wish, caret: caret)
    return edits
  }

  /// Where to put the caret, as an offset of the text after the edits; nil to leave it.
  private func caret(
    for wish: EditsInFlight.Wish,
    _ review: Review,
    _ edits: [Edit],
    _ document: Document
  ) throws(Review.Failure) -> Int? {
    switch wish.aim {
    case .comment?: return caretInEmptyComment(of: edits, for: wish.action)
    case .next?:
      guard case .resolve(let range, let variant) = wish.action else { return nil }
      let end = try review.end(resolving: range, variant)
      return document.tracker.after(edits).change(from: end)?.range.lowerBound
    case nil: return nil
    }
  }

  /// Turns tracking on or off; returns which.
  private func toggleTracking(of document: Document, isOn: Bool) throws(ResponseError) -> Bool {
    if document.isSourceCode, isOn {
      throw .requestFailed("Changes in \(document.key.name) are not tracked: it is source code.")
    }
    document.trackingChoice = isOn
    setTracking(isOn, of: document)
    keepAnew(document)
    if !client.showsTracking { show("Tracking is \(isOn ? "on" : "off") now.", .info) }
    return isOn
  }

  private func markByCommand(_ document: Document, _ asked: MarkRequest) {
    if document.state == .held, !asked.includesHeld { return }
    switch document.step(.mark) {
    case .mark: mark(document, isForced: asked.includesHalfTyped)
    case .markLater: document.postponed.add(asked)
    default: break
    }
  }
}

/// The offset inside the empty comment that `edits` insert, in the text after them.
func caretInEmptyComment(of edits: [Edit], for action: Review.Action) -> Int? {
  guard case .comment(_, let content) = action else { return nil }
  let empty = MarkKind.comment.opener + content + MarkKind.comment.closer
  return zip(edits, OffsetMap(edits).differences)
    .first { $0.0.new.suffix(empty.count) == empty[...] }
    .map { $0.1.new.upperBound - 3 }
}

// MARK: - Queries

extension Snapshot {
  /// A variant of the document, in UTF-8.
  func exported(_ variant: Variant) -> [UInt8] {
    let bytes = text.applying(tracker.marking().edits).bytes
    return Reading(of: bytes, as: tracker.options.language).export(variant, of: bytes)
  }
}
