import JSONRPC
import TrackEngine

extension Server {
  /// Takes a change.
  ///
  /// - Parameters:
  ///   - params: The change.
  ///   - isRecorded: Whether what takes long in it was recorded in advance.
  func didChange(_ params: DidChangeTextDocumentParams, isRecorded: Bool = false) {
    let uri = params.textDocument.uri
    let key = DocumentKey(uri: uri)
    guard let document = documents[key] else {
      guard !key.isContent else { return }
      // Neovim reports a document under its new name before it opens that.
      return logOnce("\(uri) was changed but never opened; changes in it are not recorded.")
    }
    let version = params.textDocument.version ?? document.version
    if !isRecorded,
      let recording = document.longRecording(to: version, params.contentChanges, client.encoding)
    {
      return record(recording, asToldBy: params)
    }
    takeIfReloaded(document)
    let isOfSaved = document.record.doubt.flatMap {
      document.leads(params.contentChanges, to: $0.text, client.encoding)
    }
    let news = document.change(to: version, params.contentChanges, client.encoding, at: now)
    if let isOfSaved, !news.isEmpty { document.record.noteReport(isOfSaved: isOfSaved) }
    handle(news, in: document)
    if isOfSaved == true { doWhatWaits(in: document) }
  }

  /// Takes the steps that a change of the text calls for.
  func handle(_ news: [Document.News], in document: Document) {
    let hasLanded = news.contains { $0.landing != nil }
    for landed in news.compactMap(\.landing) {
      answer(landed)
      if let putBack = landed.putBack { tell(putBack, in: document) }
    }
    if hasLanded { document.noteLanding(at: now) }
    if news.contains(where: \.hasMovedMarks) { receiveMove(of: document) }
    if news.contains(where: \.mayHaveNewOriginal) { noteOriginal(of: document) }
    switch news.last?.step {
    case .settle?:
      if let caret = news.last?.landing?.caret { show(caret..<caret, of: snapshot(of: document)) }
    case .wait?, .take?, .takeBack?, .overtake?:
      document.noteEdit(at: now, isListPulled: client.pullsDiagnostics)
    case .suspend?: suspend(document)
    default: break
    }
    if hasLanded { doWhatWaits(in: document) }
    // The text may be the saved one by now.
    writeRecord(of: document)
  }

  /// Stops editing a document whose text is no longer known, and tells the user.
  func suspend(_ document: Document, _ reason: String = "a change could not be read") {
    guard document.suspend() else { return }
    log("\(document.uri): \(reason). Reopen the file.", .warning)
    show("\(document.key.name): out of step; reopen it.", .error)
  }

  func didSave(_ params: DidSaveTextDocumentParams) {
    guard let document = documents[params.textDocument.key] else { return }
    let isLate = noteSaved(params.text, of: document)
    document.key.path.map { documents.forgetRenames(of: $0) }
    // Clients that do not ask before saving get the marks after it: late, but recorded.
    guard !isAskedBeforeSaving(document), markingTime(of: document) != .command else { return }
    switch document.step(.save) {
    // What was undone since is no part of what was saved.
    case .mark where isLate && document.state == .held: break
    case .mark where document.record.doubt != nil: document.postponed.add(MarkRequest())
    case .mark: mark(document, isForced: true)
    case .markLater: document.postponed.add(MarkRequest())
    default: break
    }
  }

  func didClose(_ params: TextDocumentParams) {
    let key = params.textDocument.key
    guard let document = documents[key] else {
      if let shown = ContentKey(uri: params.textDocument.uri) { contents.forget(shown) }
      return
    }
    contents.noteClosed(key)
    takeIfReloaded(document)
    keepClosed(document)
    documents.close(document, at: now)
    key.path.map(followRename(of:))
    if !client.pullsDiagnostics { publish([Int](), of: document) }
    // What is on the disk counts again.
    if let path = key.path { workspace.noteChange(of: path) }
  }
}
