import TrackEngine

extension Server {
  /// Looks at the file of a document that the user changed: what came from there is not the user's.
  func look(at document: Document) {
    document.record.lookAt = nil
    guard let stamp = document.record.stamp else { return }
    document.record.isLooking = true
    baselines.look(document.key, unless: stamp)
  }

  /// Handles what a look at a document's file has shown.
  func receiveLook(_ result: EffectOutcome.Result, at key: DocumentKey) {
    guard let document = documents[key] else { return }
    let wasLooking = document.record.isLooking
    document.record.isLooking = false
    guard case .stamp(let stamp, let text) = result else { return }
    if !wasLooking { document.record.stamp = document.record.stamp ?? stamp }
    guard wasLooking, text == document.tracker.buffer.hash else { return }
    document.record.stamp = stamp
    document.record.baseline.text = text
    guard document.isRecording, !document.tracker.isSettled else { return }
    // The editor has written it, and tells of that in a moment; or another program has, and the editor has read it.
    document.record.reloadedAt = now + Server.savingTime
  }

  /// How long after a client has written a file it may tell of that, in milliseconds.
  static let savingTime = 500

  /// Takes what a document has read again from its file as its original text, if it has.
  ///
  /// It is known to have once the client does anything else than to tell that it has saved the document.
  func takeIfReloaded(_ document: Document) {
    guard document.record.reloadedAt != nil else { return }
    document.record.reloadedAt = nil
    let original = document.tracker.original
    document.tracker.takeAllAsOriginal()
    document.log = []
    document.publishAt = now
    document.record.isStale = true
    keep(document)
    document.record.question = .taken(original)
    ask(
      "\(document.key.name) was changed by another program.",
      about: document,
      [.record, .take]
    )
  }
}
