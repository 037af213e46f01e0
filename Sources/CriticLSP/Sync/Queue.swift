import TrackEngine

extension Server {
  /// Does what the user asked for while our edit was in flight, if it no longer is.
  func doWhatWaits(in document: Document) {
    changeTrackingIfDone(document)
    if !document.queue.isEmpty, document.step(.wish) == .perform {
      let wish = document.queue.removeFirst()
      do throws(Review.Failure) {
        try perform(wish, in: document)
      } catch {
        tell(error.description, in: document)
      }
    }
    if document.marksNext, document.standing.inFlightEdit == nil {
      document.marksNext = false
      mark(document, isForced: true)
    }
  }

  /// Tells why a queued action was not done.
  ///
  /// Editors may show a long line in a prompt that stops the user, so it goes to the log, and a short line says so.
  func tell(_ sentence: String, in document: Document) {
    let name = fileName(of: document.uri)
    guard sentence.count > Server.maxLineLength else { return show(sentence, .warning) }
    log("\(name): \(sentence)", .warning)
    show("Not done; the log says why.", .warning)
  }

  /// In characters: fits with the client's own prefix on a line of eighty.
  private static let maxLineLength = 50
}
