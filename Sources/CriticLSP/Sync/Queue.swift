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
    markIfAsked(document)
  }

  /// Marks what the user asked to mark while our edit was in flight, if it no longer is.
  func markIfAsked(_ document: Document) {
    guard let asked = document.marksNext, document.standing.inFlightEdit == nil else { return }
    document.marksNext = nil
    mark(document, isForced: asked.includesHalfTyped)
  }

  /// Tells why a queued action was not done.
  ///
  /// Editors may show a long line in a prompt that stops the user, so it goes to the log, and a short line says so.
  func tell(_ sentence: String, in document: Document) {
    let name = document.key.name
    guard sentence.count > Server.maxLineLength else { return show(sentence, .warning) }
    log("\(name): \(sentence)", .warning)
    show("Not done; the log says why.", .warning)
  }

  /// In characters: fits with the client's own prefix on a line of eighty.
  private static let maxLineLength = 50
}
