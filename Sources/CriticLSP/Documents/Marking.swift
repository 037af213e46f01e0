import TrackEngine

/// Which of the pending changes a client asks to mark: all, or what suits a moment that the user did not choose.
struct MarkRequest {
  /// Whether to mark what undo or redo brought back.
  var includesHeld = true
  /// Whether to mark while a mark or code is still being typed.
  var includesHalfTyped = true
}

extension Server {
  /// When changes of a document are marked automatically.
  func markingTime(of document: Document) -> Client.Marking { document.markingTime(in: client) }

  /// When a document next needs attention, in milliseconds.
  func deadline(of document: Document) -> Int? {
    var due = Int.max
    if let at = document.listing.publishAt { due = min(due, at) }
    if let at = document.listing.quietAt { due = min(due, at) }
    if let at = document.record.deadline { due = min(due, at) }
    if let at = document.ourEdits.inFlightEdit?.givesUpAt { due = min(due, at) }
    if let at = document.ourEdits.quietUntil, at > now { due = min(due, at) }
    if isToBeMarked(document) || document.hasNextWish {
      due = min(due, document.lastEdit + document.settings.idleDelay)
    }
    return due == Int.max ? nil : due
  }

  /// Whether what is pending is marked after a pause.
  func isToBeMarked(_ document: Document) -> Bool {
    guard document.isUnmarked, !document.record.isUndecided,
      client.appliesEdits || document.postponed.tracking == nil
    else {
      return false
    }
    // Turning tracking off is retried until it succeeds; what an edit of ours did astray is always taken back.
    if document.postponed.tracking == false || document.content.pendingState.hasStrays {
      return [.changed, .held].contains(document.state) && !document.marksOnSaveOnly
    }
    return document.step(.pause) == .mark && markingTime(of: document) == .idle
  }

  func doWhatIsDue() {
    guard let next = deadline, next <= now else { return }
    baselines.keepClosed(at: now)
    // There may be a thousand, of which few are due.
    for document in documents.inOrder(where: { (deadline(of: $0) ?? .max) <= now }) {
      if let at = document.ourEdits.inFlightEdit?.givesUpAt, at <= now { giveUp(document) }
      if let at = document.record.doubt?.takenAt, at <= now { takeSavedText(of: document) }
      if let at = document.record.lookAt, at <= now { look(at: document) }
      if let at = document.record.reloadedAt, at <= now { takeIfReloaded(document) }
      if let at = document.record.keepAt, at <= now { keep(document) }
      if document.lastEdit + document.settings.idleDelay <= now {
        if document.hasNextWish { doWhatWaits(in: document) }
        if isToBeMarked(document) { mark(document, isForced: document.postponed.tracking == false) }
      }
      if document.listing.takeDue(at: now) { publishChanges(of: document) }
    }
  }

  /// Sends the edit that puts the pending changes into marks, if there is one.
  func mark(_ document: Document, isForced: Bool) {
    takeIfReloaded(document)
    guard document.ourEdits.inFlightEdit == nil, document.state != .settled else { return }
    document.noteMarking()
    if putMarksBack(in: document, isForced: isForced) { return }
    let pending = document.tracker.pending.count
    guard let marking = document.marking(isForced: isForced) else {
      // A mark typed by hand is no longer pending, and no edit follows that would publish the list.
      if document.tracker.pending.count != pending { document.listing.publish(at: now) }
      return document.changeTrackingIfDone()
    }
    guard client.appliesEdits else { return tellIfNeverMarked() }
    let edit = document.makeOwnEdit(marking)
    send(edit, in: document, after: document.tracker.hunks)
  }

  /// Says that changes are lost on a client that takes no edits in any way, unless their marks lie beside the text.
  private func tellIfNeverMarked() {
    guard !client.takesEdits else { return }
    report([
      "This editor takes no edits: changes are only recorded with the setting marks = \"beside\"."
    ])
  }
}

extension Document {
  /// When its changes are marked automatically.
  func markingTime(in client: Client) -> Client.Marking {
    let time = settings.marking ?? client.defaultMarking
    guard time == .idle else { return time }
    return marksOnSaveOnly || !client.appliesEdits ? .save : .idle
  }
}
