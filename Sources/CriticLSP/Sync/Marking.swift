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
  func marking(of document: Document) -> Client.Marking { settings.marking(of: document, client) }

  /// When a document next needs attention, in milliseconds.
  func deadline(of document: Document) -> Int? {
    var due = Int.max
    if let at = document.publishAt { due = min(due, at) }
    if let at = document.quietAt { due = min(due, at) }
    if let at = document.record.deadline { due = min(due, at) }
    if let at = document.standing.inFlightEdit?.givesUpAt { due = min(due, at) }
    if let at = document.standing.quietUntil, at > now { due = min(due, at) }
    if isToBeMarked(document) || isToBePerformed(document) {
      due = min(due, document.lastEdit + settings.idleDelay)
    }
    return due == Int.max ? nil : due
  }

  private func isToBeMarked(_ document: Document) -> Bool {
    guard document.isUnmarked, !document.record.isUndecided,
      client.appliesEdits || document.wantsTracking == nil
    else {
      return false
    }
    // Turning tracking off is retried until it succeeds; what an edit of ours did astray is always taken back.
    if document.wantsTracking == false || document.tracker.hasStrays {
      return [.changed, .held].contains(document.state) && !document.marksOnSaveOnly
    }
    return document.step(.pause) == .mark && marking(of: document) == .idle
  }

  private func isToBePerformed(_ document: Document) -> Bool {
    !document.queue.isEmpty && document.step(.wish) == .perform
  }

  func doWhatIsDue() {
    guard let next = deadline, next <= now else { return }
    baselines.keepClosed(at: now)
    for key in documents.keys.sorted() {
      guard let document = documents[key], let due = deadline(of: document), due <= now else {
        continue
      }
      if let at = document.standing.inFlightEdit?.givesUpAt, at <= now { giveUp(document) }
      if let at = document.record.doubt?.takenAt, at <= now { takeSavedText(of: document) }
      if let at = document.record.lookAt, at <= now { look(at: document) }
      if let at = document.record.reloadedAt, at <= now { takeIfReloaded(document) }
      if let at = document.record.keepAt, at <= now { keep(document) }
      if document.lastEdit + settings.idleDelay <= now {
        if isToBePerformed(document) { doWhatWaits(in: document) }
        if isToBeMarked(document) { mark(document, isForced: document.wantsTracking == false) }
      }
      if let at = document.quietAt, at <= now { document.quietAt = nil }
      if let at = document.publishAt, at <= now {
        document.publishAt = nil
        publishChanges(of: document)
      }
    }
  }

  /// Sends the edit that puts the pending changes into marks, if there is one.
  func mark(_ document: Document, isForced: Bool) {
    takeIfReloaded(document)
    guard document.standing.inFlightEdit == nil, !document.tracker.isSettled else { return }
    document.isUnmarked = false
    let marking = document.tracker.marking(isForced: isForced)
      .withFewerEdits(of: document.tracker.buffer)
    guard !marking.edits.isEmpty else {
      let pending = document.tracker.pending.count
      document.tracker.settle(marking.remaining)
      // A mark typed by hand is no longer pending, and no edit follows that would publish the list.
      if document.tracker.pending.count != pending { document.publishAt = now }
      return changeTrackingIfDone(document)
    }
    guard client.appliesEdits else { return }
    let edit = document.makeOwnEdit(marking)
    send(edit, in: document, after: document.tracker.hunks)
  }
}

extension Settings {
  /// When changes of a document are marked automatically.
  func marking(of document: Document, _ client: Client) -> Client.Marking {
    let marking = marking ?? client.defaultMarking
    guard marking == .idle else { return marking }
    return document.marksOnSaveOnly || !client.appliesEdits ? .save : .idle
  }
}
