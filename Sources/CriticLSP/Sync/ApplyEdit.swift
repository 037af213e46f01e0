import JSONRPC
import TrackEngine

extension Server {
  /// How many edits in a row may fail before a document is marked on save only.
  static let maxFailures = 3

  /// Sends `workspace/applyEdit`.
  ///
  /// - Parameters:
  ///   - edit: The edit of the buffer.
  ///   - document: The document; no edit of ours is in flight in it.
  ///   - hunks: What the user typed; the caret is likely at the end of one.
  ///   - wish: The action of the user's that it carries out.
  ///   - caret: Where to put the caret once it has landed, as an offset.
  func send(
    _ edit: OwnEdit,
    in document: Document,
    after hunks: [Hunk] = [],
    for wish: Standing.Wish? = nil,
    caret: Int? = nil
  ) {
    let formed = client.form.formed(edit.edits, in: document.tracker.buffer, for: hunks)
    let snapshot = snapshot(of: document)
    let sent = snapshot.workspaceEdit(formed)
    let request = request(
      "workspace/applyEdit",
      for: .applyEdit(document: document.key),
      ApplyWorkspaceEditParams(edit: sent)
    )
    document.standing.send(
      Standing.SentEdit(
        edit: edit,
        request: request,
        sentAt: now,
        sent: sent.documentChanges.flatMap(\.edits),
        wish: wish,
        caret: caret
      )
    )
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
      let isInFlight = document.standing.inFlightEdit?.request == request
      if isInFlight, document.step(.confirmation) == .startClock {
        document.standing.confirm(at: now)
      } else {
        document.standing.answer(request, at: now)
      }
    } else {
      logRefusal(of: key, answer)
      let step = document.step(.refusal)
      if let edit = document.standing.refuse(request), step == .forget {
        editDidFail(edit, in: document, isBusy: isBusy(answer))
        markIfAsked(document)
      }
    }
  }

  /// Whether the editor cannot apply an edit just now, for example because text is selected; it asks for
  /// the edit later.
  private func isBusy(_ answer: Result<ApplyWorkspaceEditResult, ResponseError>) -> Bool {
    (try? answer.get())?.failureReason == "the editor is busy"
  }

  func giveUp(_ document: Document) {
    guard document.step(.timeout) == .giveUp, let edit = document.standing.giveUp() else { return }
    log("\(document.key.name): our edit did not land in \(Standing.editTimeout) ms.")
    editDidFail(edit, in: document)
    // A client that confirmed and did nothing would do so again; a slow one would apply it twice.
    if edit.request != nil, !edit.isOvertaken {
      document.isUnmarked = false
    }
  }

  /// Records that an edit was not made; what it was for is computed again from the buffer after a pause.
  func editDidFail(
    _ edit: Standing.SentEdit,
    in document: Document,
    isBusy: Bool = false
  ) {
    let showing = edit.edit.showing(in: document.tracker.buffer)
    // An edit that came astray looks like a part of it.
    if showing.extent != .nothing, !document.tracker.hasStrays {
      document.tracker.stray(showing.takingBack)
    }
    document.isUnmarked = !isBusy
    if !edit.isOvertaken { document.lastEdit = max(document.lastEdit, now) }
    // It is no failure if an answer was not used, or if the user typed on before the edit came.
    let isFailure = !edit.isOvertaken && edit.request != nil && !isBusy
    if var wish = edit.wish {
      wish.tries += 1
      if edit.isOvertaken, wish.tries < Server.maxFailures {
        document.queue.insert(wish, at: 0)
      } else {
        tell("The editor did not take the edit.", in: document)
      }
    }
    changeTrackingIfDone(document)
    guard isFailure else { return }
    doWhatWaits(in: document)
    guard document.standing.fail() == Server.maxFailures, !document.marksOnSaveOnly else { return }
    document.marksOnSaveOnly = true
    // Short: a longer line can stop the user with a prompt.
    show("\(document.key.name): edits refused; marked on save now.", .info)
  }
}
