import TrackEngine

extension Server {
  /// Keeps what is known of an open document, if that is not what was kept.
  ///
  /// Until what was kept has been found, that is worth more.
  func keep(_ document: Document) {
    document.record.keepAt = nil
    guard document.record.opened == nil else { return }
    let known = document.record.baseline
    var baseline = known
    baseline.choice = settings.remembersTracking ? document.trackingChoice : nil
    baseline.isRecorded = document.isRecording
    var original: [UInt8]?
    if !document.isRecording || document.tracker.buffer.count > Baseline.maxLength {
      baseline.original = nil
    } else if document.record.isStale || baseline.original == nil {
      let bytes = document.tracker.original
      baseline.original = TextHash(of: bytes)
      if baseline.original != known.original { original = bytes }
    }
    document.record.isStale = false
    guard baseline != known || !document.record.isKept else { return }
    document.record.baseline = baseline
    document.record.isKept = true
    guard isFile(document) else { return }
    baselines.keep(baseline, isOpen: true, original: original)
  }

  /// Keeps what is known of a document that is being closed.
  ///
  /// If changes without marks were saved, it stays open here, since they can still be recorded.
  func keepClosed(_ document: Document) {
    guard isFile(document), document.record.opened == nil else { return }
    keep(document)
    let buffer = document.tracker.buffer
    guard document.tracker.isSettled || document.record.saved != buffer.hash else { return }
    baselines.close(document.record.baseline, at: now)
  }

  private func isFile(_ document: Document) -> Bool { document.key.path != nil }

  /// Notes that the original text may be another: it is looked at after a pause.
  func noteOriginal(of document: Document) {
    document.record.isStale = true
    document.record.keepAt = document.record.keepAt ?? now + Server.publishDelay
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
  func noteSaved(_ text: [UInt8]?, of document: Document) {
    document.record.stamp = nil
    baselines.look(document.key, unless: nil)
    document.record.doubt = nil
    // What a look has found meanwhile is what the client wrote.
    document.record.isLooking = false
    document.record.reloadedAt = nil
    let buffer = document.tracker.buffer
    if let text, document.standing.isOutOfStep {
      handle(document.take(text, client.encoding, at: now), in: document)
    } else if let text, !buffer.isSame(as: text) {
      document.record.doubt = Record.Doubt(text: text, takenAt: now + Server.doubtTime)
    }
    let saved = text.map { TextHash(of: $0) } ?? buffer.hash
    document.record.saved = saved
    document.record.baseline.text = document.tracker.isSettled ? saved : nil
    document.record.isKept = false
    keep(document)
  }

  /// How long a client may take to report what it has saved, in milliseconds.
  static let doubtTime = 2000

  /// Takes the text that was saved for what the editor shows, since no report led to it.
  func takeSavedText(of document: Document) {
    guard let doubt = document.record.doubt else { return }
    document.record.doubt = nil
    guard !document.tracker.buffer.isSame(as: doubt.text) else { return }
    log(
      "\(document.uri): the text that was saved was not reported; it is taken from there.",
      .warning
    )
    handle(document.take(doubt.text, client.encoding, at: now), in: document)
  }
}

extension Text {
  /// Whether a text that was saved is this, but for what editors change while they write: the byte order mark, line
  /// ends, and the last line break.
  fileprivate func isSame(as saved: [UInt8]) -> Bool {
    if hash == TextHash(of: saved) { return true }
    func plain(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
      var text = bytes.filter { $0 != UInt8(ascii: "\r") }[...]
      if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
      while text.last == UInt8(ascii: "\n") { text.removeLast() }
      return text
    }
    return plain(bytes) == plain(saved)
  }
}
