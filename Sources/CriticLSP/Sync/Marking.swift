import TrackEngine

extension Server {
  /// When changes of a document are marked automatically.
  func marking(of document: Document) -> Client.Marking { settings.marking(of: document, client) }

  /// When a document next needs attention, in milliseconds.
  func deadline(of document: Document) -> Int? {
    var due = Int.max
    if let at = document.publishAt { due = min(due, at) }
    if let at = document.quietAt { due = min(due, at) }
    if let at = document.standing.inFlightEdit?.givesUpAt { due = min(due, at) }
    if let at = document.standing.quietUntil, at > now { due = min(due, at) }
    if isToBeMarked(document) || isToBePerformed(document) {
      due = min(due, document.lastEdit + settings.idleDelay)
    }
    return due == Int.max ? nil : due
  }

  private func isToBeMarked(_ document: Document) -> Bool {
    guard document.isUnmarked, client.appliesEdits || document.wantsTracking == nil else {
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
    for key in documents.keys.sorted() {
      guard let document = documents[key], let due = deadline(of: document), due <= now else {
        continue
      }
      if let at = document.standing.inFlightEdit?.givesUpAt, at <= now { giveUp(document) }
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
    guard document.standing.inFlightEdit == nil, !document.tracker.isSettled else { return }
    document.isUnmarked = false
    let marking = document.tracker.marking(isForced: isForced)
      .withFewerEdits(of: document.tracker.buffer)
    guard !marking.edits.isEmpty else {
      let pending = document.tracker.hunks.count
      document.tracker.settle(marking.remaining)
      // A mark typed by hand is no longer pending, and no edit follows that would publish the list.
      if document.tracker.hunks.count != pending { document.publishAt = now }
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
