import TrackEngine

extension Server {
  /// Keeps what is known of an open document, if that is not what was kept.
  ///
  /// Until what was kept has been found, that is worth more.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - original: Its original text; nil if that is to be told from the document, which takes a turn of its length.
  func keep(_ document: Document, original: [UInt8]? = nil) {
    let choice = document.settings.remembersTracking ? document.trackingChoice : nil
    // What is beside the text is kept there, once it has been saved.
    let isKept = !document.showsMarks && document.record.written != nil
    let isRecording = document.isRecording && !isKept
    let new = document.record.update(
      document.tracker,
      original: original,
      choice: choice,
      isRecorded: isRecording
    )
    guard let new, isFile(document) else { return }
    baselines.keep(new.baseline, isOpen: true, original: new.original)
  }

  /// The same for a document whose original may be another than the one that was kept.
  func keepAnew(_ document: Document) {
    document.record.noteOriginal()
    keep(document)
  }

  /// Keeps what is known of a document that is being closed.
  ///
  /// If changes without marks were saved, it stays open here, since they can still be recorded.
  func keepClosed(_ document: Document) {
    guard isFile(document), document.record.isRecalled else { return }
    keep(document)
    guard document.tracker.isSettled || document.record.saved?.text.hash != document.text.hash
    else { return }
    baselines.close(document.record.baseline, at: now)
  }

  private func isFile(_ document: Document) -> Bool { document.key.path != nil }

  /// Notes that the original text may be another: it is looked at after a pause.
  func noteOriginal(of document: Document) {
    document.record.noteOriginal(keptBy: now + ListSchedule.delay)
  }

  /// Handles that what is known was kept, or not.
  func receiveKept(_ result: EffectOutcome.Result) {
    guard case .failure(let reason) = result else { return }
    logOnce("What is known of documents is not kept: \(reason)")
  }

  // MARK: - Saving

  /// Notes what the client has saved.
  ///
  /// A text that it did not report may still be reported; else it is what the editor shows.
  ///
  /// - Returns: Whether the user has edited on since: Helix saves while they do.
  func noteSaved(_ text: [UInt8]?, of document: Document) -> Bool {
    if let text { document.lastLineBreak.noteFile(text) }
    let text = text.map(document.lastLineBreak.counted)
    document.record.noteSaving()
    baselines.want(.look(document.key, nil))
    let shown = document.text
    let saved = text.map { Text($0) } ?? shown
    let isShown = text.map(shown.isSame)
    let isLate = isShown == false && document.hasPassed(saved.hash)
    if let text, document.isOutOfStep {
      handle(document.take(text, client.encoding, at: now), in: document)
    } else if let text, isShown == false, !isLate {
      document.record.doubt(text, until: now + Server.doubtTime)
    }
    document.record.noteSaved(saved, isSettled: document.tracker.isSettled, at: now)
    keep(document)
    doubtLoss(in: document, saved: saved.hash)
    // Some editors end the text with a line break as they write it, and tell that later.
    writeRecord(of: document, isForced: isShown ?? false)
    if isShown ?? true {
      document.record.noteShown(shown.hash, savedAt: now)
      goOnIfSavedAs(document)
    }
    return isLate
  }

  /// How long a client may take to report what it has saved, in milliseconds.
  static let doubtTime = 2000

  /// Takes the text that was saved for what the editor shows, since no report led to it; what it shows is unknown if
  /// others came.
  func takeSavedText(of document: Document) {
    guard let doubt = document.record.takeDoubt(), !document.text.isSame(as: doubt.text),
      !document.hasPassed(TextHash(of: doubt.text))
    else { return }
    guard !doubt.isPassed else {
      return suspend(document, "a change that was saved was not reported")
    }
    log(
      "\(document.uri): the text that was saved was not reported; it is taken from there.",
      .warning
    )
    handle(document.take(doubt.text, client.encoding, at: now), in: document)
    writeRecord(of: document)
    doWhatWaits(in: document)
  }
}

extension Text {
  fileprivate func isSame(as saved: [UInt8]) -> Bool {
    hash == TextHash(of: saved) || bytes.isSame(as: saved)
  }
}

extension [UInt8] {
  /// Whether a text that was saved is this, but for what editors change while they write: the byte order mark, line
  /// ends, and the last line break.
  func isSame(as saved: [UInt8]) -> Bool {
    func plain(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
      var text = bytes.filter { $0 != UInt8(ascii: "\r") }.withoutByteOrderMark[...]
      while text.last == UInt8(ascii: "\n") { text.removeLast() }
      return text
    }
    return self == saved || plain(self) == plain(saved)
  }
}
