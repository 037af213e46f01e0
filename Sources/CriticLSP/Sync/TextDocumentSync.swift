import JSONRPC
import TrackEngine

extension Server {
  func didChange(_ params: DidChangeTextDocumentParams<JSON>) {
    let uri = params.textDocument.uri
    guard let document = documents[DocumentKey(uri: uri)] else {
      // Neovim reports a document under its new name before it opens that.
      return logOnce("\(uri) was changed but never opened; changes in it are not recorded.")
    }
    takeIfReloaded(document)
    let version = params.textDocument.version ?? document.version
    handle(
      document.change(to: version, params.contentChanges, client.encoding, at: now),
      in: document
    )
  }

  /// Takes the steps that a change of the text calls for.
  func handle(_ news: [Document.News], in document: Document) {
    let hasLanded = news.contains { $0.landing != nil }
    if hasLanded { settle(document) }
    if news.contains(where: \.mayHaveNewOriginal) { noteOriginal(of: document) }
    switch news.last?.step {
    case .settle?:
      if let caret = news.last?.landing?.caret { show(caret..<caret, of: snapshot(of: document)) }
    case .wait?:
      document.standing.wait(at: now)
      noteEdit(in: document)
    case .take?, .takeBack?:
      document.goOn()
      noteEdit(in: document)
    case .overtake?:
      document.goOn()
      document.standing.overtake(at: now)
      noteEdit(in: document)
    case .suspend?: suspend(document)
    default: break
    }
    if hasLanded { doWhatWaits(in: document) }
  }

  /// Our edit has landed.
  private func settle(_ document: Document) {
    document.isUnmarked = !document.tracker.isSettled
    document.publishAt = now + lengthDelay(of: document)
    document.quietAt = nil
  }

  private func noteEdit(in document: Document) {
    document.lastEdit = now
    document.isUnmarked = true
    if document.record.stamp != nil { document.record.lookAt = now + settings.idleDelay }
    if client.pullsDiagnostics {
      document.quietAt = now + Server.publishDelay + lengthDelay(of: document)
    } else {
      document.publishAt = now + Server.publishDelay + lengthDelay(of: document)
    }
  }

  /// Stops editing a document whose text is no longer known, and tells the user.
  private func suspend(_ document: Document) {
    guard !document.standing.isOutOfStep else { return }
    document.standing.isOutOfStep = true
    log("\(document.uri): a change could not be read. Reopen the file.", .warning)
    show("\(document.key.name): out of step; reopen it.", .error)
  }

  /// How long after the last key the list of changes is published, in milliseconds.
  static let publishDelay = 200

  /// How much longer a long list waits, in milliseconds: a key pressed while it is made has to wait for it.
  private func lengthDelay(of document: Document) -> Int { document.tracker.counts.entries / 100 }

  func didSave(_ params: DidSaveTextDocumentParams) {
    guard let document = documents[params.textDocument.key] else { return }
    noteSaved(params.text, of: document)
    // Clients that do not ask before saving get the marks after it: late, but recorded.
    guard !isAskedBeforeSaving, marking(of: document) != .command else { return }
    switch document.step(.save) {
    case .mark: mark(document, isForced: true)
    case .markLater: document.marksNext = MarkRequest()
    default: break
    }
  }

  func didClose(_ params: DidCloseTextDocumentParams) {
    let key = params.textDocument.key
    guard let document = documents.removeValue(forKey: key) else { return }
    takeIfReloaded(document)
    keepClosed(document)
    closed.add(document, key: key, at: now)
    if !client.pullsDiagnostics { publish([], of: snapshot(of: document)) }
    fileWasClosed(key)
  }
}
