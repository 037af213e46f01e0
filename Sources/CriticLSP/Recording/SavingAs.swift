import TrackEngine

/// Texts that have their marks beside them and are saved under another name, where nothing lies beside them.
///
/// An editor that does so opens the text under that name, closes it under the old one or not, and saves it, all at once.
/// A new file that is opened and saved at once with the same bytes, as one from a template, cannot be told from that: it
/// gets the same record, which is right, for the text is its clean text.
extension Server {
  /// Has a document go on with the marks of the one that was saved under its name, if one was.
  ///
  /// The marks come from memory, so nothing can be typed in between; what lies beside it by now is not written over.
  func goOnIfSavedAs(_ new: Document) {
    guard let saved = new.record.takeSavedAtOnce(), new.text.count > 0, new.key.path != nil,
      !new.isSourceCode, let old = documents.document(savedAs: new, saved)
    else { return }
    let name = new.key.name
    guard new.text.hash == saved.text, new.state == .settled, !new.hasOwnMarks else {
      log("\(new.uri) was edited before it could take the marks of \(old.uri).", .warning)
      return show("\(name): changes not taken along.", .warning)
    }
    new.keepMarks(in: old.content, at: now)
    new.sign(on: writers.day)
    new.trackingChoice = old.trackingChoice
    receiveMove(of: new)
    log("\(new.uri) goes on with the marks of \(old.uri).", .info)
    show("\(name): changes taken along.", .info)
  }
}

extension Document {
  /// Whether marks of its own are kept apart from its text.
  fileprivate var hasOwnMarks: Bool {
    place == .file || place == .beside && tracker.counts.entries > 0
  }
}
