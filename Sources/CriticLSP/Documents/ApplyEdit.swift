import JSONRPC
import TrackEngine

extension Server {
  /// Sends `workspace/applyEdit`.
  ///
  /// - Parameters:
  ///   - edit: The edit of the buffer.
  ///   - document: The document; no edit of ours is in flight in it.
  ///   - hunks: What the user typed; the caret is likely at the end of one.
  ///   - wish: The action of the user's that it carries out.
  ///   - call: The call of another process that it carries out.
  ///   - putBack: The marks that it puts back.
  ///   - caret: Where to put the caret once it has landed, as an offset.
  func send(
    _ edit: OwnEdit,
    in document: Document,
    after hunks: [Hunk] = [],
    for wish: EditsInFlight.Wish? = nil,
    forCall call: OwnerCall.ID? = nil,
    putting putBack: PutBack? = nil,
    caret: Int? = nil
  ) {
    let isDecision = wish?.action.isResolving == true
    if let plan = document.content.plan(edit.edits, decides: isDecision) {
      return send(plan, in: document, for: wish, forCall: call, caret: caret)
    }
    let formed = client.form.formed(edit.edits, in: document.tracker.buffer, for: hunks)
    let label = putBack != nil ? PutBack.label : call.map { _ in OwnerCall.label }
    var sent = request(snapshot(of: document).workspaceEdit(formed), edit, label, in: document)
    sent.putBack = putBack
    document.send(sent, for: wish, forCall: call, caret: caret)
  }

  /// Does what a plan says: asks for its edits of the text first, if there are any.
  ///
  /// - Parameters:
  ///   - plan: What to do to the text and its record.
  ///   - document: The document; no edit of ours is in flight in it.
  ///   - wish: The action of the user's that it carries out.
  ///   - call: The call of another process that it carries out.
  ///   - caret: Where to put the caret then, as an offset.
  func send(
    _ plan: Projection.Plan,
    in document: Document,
    for wish: EditsInFlight.Wish? = nil,
    forCall call: OwnerCall.ID? = nil,
    caret: Int? = nil
  ) {
    guard !plan.cleanEdits.isEmpty else {
      return carryOut(plan, in: document, forCall: call, caret: caret)
    }
    var sent = request(plan.cleanEdits, call.map { _ in OwnerCall.label }, in: document)
    sent.plan = plan
    document.send(sent, for: wish, forCall: call, caret: caret)
  }

  /// Asks for edits of the text that the editor shows; returns what is to be noted as sent.
  func request(
    _ edits: [Edit],
    _ label: String?,
    in document: Document
  ) -> EditsInFlight.SentEdit {
    let edit = snapshot(of: document).workspaceEdit(ofText: edits)
    return request(edit, OwnEdit(edits, on: document.text), label, in: document)
  }

  private func request(
    _ edit: WorkspaceEdit,
    _ own: OwnEdit,
    _ label: String?,
    in document: Document
  ) -> EditsInFlight.SentEdit {
    let request = request(
      "workspace/applyEdit",
      for: .applyEdit(document: document.key),
      ApplyWorkspaceEditParams(edit: edit, label: label)
    )
    let sent = edit.documentChanges.flatMap(\.edits)
    return EditsInFlight.SentEdit(edit: own, request: request, sentAt: now, sent: sent)
  }

  /// Carries out what changes only the record: the editor's text stays as it is.
  private func carryOut(
    _ plan: Projection.Plan,
    in document: Document,
    forCall call: OwnerCall.ID?,
    caret: Int?
  ) {
    document.carryOut(plan, at: now)
    if let call { answer(call) }
    keepAnew(document)
    writeRecord(of: document)
    if let caret { show(caret..<caret, of: snapshot(of: document)) }
  }

  // MARK: - Replies and timeouts

  /// Handles the reply to an edit of ours.
  ///
  /// Only the text says whether the edit was made.
  func receiveReply(
    _ answer: Result<ApplyWorkspaceEditResult, ResponseError>,
    to request: Int,
    of key: DocumentKey
  ) {
    guard let document = documents[key] else { return }
    if (try? answer.get())?.applied == true {
      document.confirm(request, at: now)
    } else {
      logRefusal(of: key, answer)
      guard let edit = document.refuse(request) else { return }
      self.answer(edit, edit.isOvertaken ? .overtaken : .refusedByEditor(reason(of: answer)))
      let isBusy = isBusy(answer)
      editDidFail(edit, in: document, isRetried: !isBusy, isFailure: !isBusy)
      markIfAsked(document)
    }
  }

  /// Whether the editor cannot apply an edit just now, for example because text is selected; it asks for
  /// the edit later.
  private func isBusy(_ answer: Result<ApplyWorkspaceEditResult, ResponseError>) -> Bool {
    (try? answer.get())?.failureReason == "the editor is busy"
  }

  func giveUp(_ document: Document) {
    guard let edit = document.giveUp() else { return }
    log("\(document.key.name): our edit did not land in \(EditsInFlight.editTimeout) ms.")
    // One that may still come is answered when it does.
    if edit.isOvertaken { answer(edit, .overtaken) }
    // A client that confirmed and did nothing would do so again; a slow one would apply it twice.
    editDidFail(edit, in: document, isRetried: edit.request == nil || edit.isOvertaken)
  }

  /// Records that an edit was not made; unless the editor was busy, what it was for is computed again from the buffer
  /// after a pause.
  func editDidFail(
    _ edit: EditsInFlight.SentEdit,
    in document: Document,
    isRetried: Bool = true,
    isFailure: Bool = true
  ) {
    if !document.noteFailed(edit, isRetried: isRetried, at: now) {
      tell("The editor did not take the edit.", in: document)
    }
    document.changeTrackingIfDone()
    // It is no failure if an answer was not used, or if the user typed on before the edit came.
    guard isFailure, !edit.isOvertaken, edit.request != nil else { return }
    doWhatWaits(in: document)
    // Whether the editor takes another program's edit says nothing of ours.
    guard edit.call == nil else { return }
    // Short: a longer line can stop the user with a prompt.
    if document.countFailure() {
      show("\(document.key.name): edits refused; marked on save now.", .info)
    }
  }
}

extension ResponseError {
  /// The text of an edit that another program asked for has changed meanwhile.
  fileprivate static let overtaken = contentModified("The writer was faster.")
}
