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
    // Another program wrote the file, and the editor has read it again.
    guard wasLooking, text == document.tracker.buffer.hash else { return }
    document.record.stamp = stamp
    document.record.baseline.text = text
    guard document.isRecording, !document.tracker.isSettled else { return }
    takeFromFile(document)
  }

  private func takeFromFile(_ document: Document) {
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
