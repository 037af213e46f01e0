import TrackEngine

extension Server {
  /// Looks at the file of a document that the user changed: what came from there is not the user's.
  func look(at document: Document) {
    guard let stamp = document.record.beginLook() else { return }
    baselines.want(.look(document.key, stamp))
  }

  /// Handles what a look at a document's file has shown.
  func receiveLook(_ result: EffectOutcome.Result, at key: DocumentKey) {
    guard let document = documents[key],
      document.record.endLook(result, at: document.text.hash),
      document.isRecording, !document.tracker.isSettled
    else { return }
    // The editor has written it, and tells of that in a moment; or another program has, and the editor has read it.
    document.record.noteReload(until: now + Server.savingTime)
  }

  /// How long after a client has written a file it may tell of that, in milliseconds.
  static let savingTime = 500

  /// Takes what a document has read again from its file as its original text, if it has.
  ///
  /// It is known to have once the client does anything else than to tell that it has saved the document.
  func takeIfReloaded(_ document: Document) {
    guard document.record.takeReload() else { return }
    let (text, settled) = (document.tracker.buffer, document.tracker.settled)
    let original = document.takeAllAsOriginal(at: now)
    let known = document.record.lost
    let lost = LostMarks(of: settled, original: original, after: known, in: text.hash)
    if receive(lost, in: text, of: document) { return }
    keepAnew(document)
    guard document.tracker.original != original else {
      let name = document.key.name
      return show("\(name) was changed by another program; its original is the same.", .info)
    }
    askAboutChanges(in: document, since: original)
  }

  /// Asks about a text that another program wrote, which is taken as the original.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - original: What the original was before.
  func askAboutChanges(in document: Document, since original: [UInt8]) {
    document.record.noteTaken(original)
    ask(
      "\(document.key.name) was changed by another program.",
      about: document,
      [.record, .take]
    )
  }
}
