import JSONRPC
import TrackEngine

extension Server {
  func didOpen(_ params: consuming JSON?) {
    // The message goes here, before its text takes up its room a third time.
    guard let item = TextDocumentItem((consume params)?["textDocument"]) else {
      return report(["A didOpen without uri and text was passed over."])
    }
    let key = key(of: item.uri)
    // A second didOpen without a didClose is a new beginning.
    var tracker = Tracker(Text(item.text), isTracking: false, options: trackerOptions)
    tracker.setTracking(isTracked(key, tracker))
    let document = Document(
      uri: item.uri,
      version: item.version,
      tracker: tracker,
      revisions: revisions
    )
    document.trackingChoice = trackingChoice(of: key)
    if !client.pullsDiagnostics { document.publishAt = now }
    documents[key] = document
  }

  func didChange(_ params: JSON?) {
    guard let item = params?["textDocument"], let uri = item["uri"]?.string,
      let changes = params?["contentChanges"]
    else { return report(["A didChange without uri and contentChanges was passed over."]) }
    guard let document = documents[key(of: uri)] else {
      return report(["\(uri) was changed but never opened; changes in it are not recorded."])
    }
    let version = item["version"]?.integer ?? document.version
    take(document.change(to: version, changes, client.encoding, at: now), in: document)
  }

  private func take(_ news: [Document.News], in document: Document) {
    let hasLanded = news.contains { $0.landing != nil }
    if hasLanded { settle(document) }
    switch news.last?.step {
    case .settle?:
      if let caret = news.last?.landing?.caret { show(caret..<caret, of: document) }
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

  /// What our edit made is there.
  private func settle(_ document: Document) {
    document.isUnmarked = !document.tracker.isSettled
    document.publishAt = now + lengthDelay(of: document)
    document.quietAt = nil
  }

  private func noteEdit(in document: Document) {
    document.lastEdit = now
    document.isUnmarked = true
    if client.pullsDiagnostics {
      document.quietAt = now + Server.publishDelay + lengthDelay(of: document)
    } else {
      document.publishAt = now + Server.publishDelay + lengthDelay(of: document)
    }
  }

  /// Leaves a document alone whose text is not known any more, and says so.
  private func suspend(_ document: Document) {
    guard !document.standing.isOutOfStep else { return }
    document.standing.isOutOfStep = true
    log("\(document.uri): a change could not be read. Open the file anew.", .warning)
    show("\(fileName(of: document.uri)): out of step; open it anew.", type: 1)
  }

  /// How long the list of changes waits for the user to go on typing, in milliseconds.
  static let publishDelay = 200

  /// How much longer a long list waits, in milliseconds: who types while it is made waits for it.
  private func lengthDelay(of document: Document) -> Int { document.tracker.counts.entries / 100 }

  func didSave(_ params: JSON?) {
    guard let uri = params?["textDocument"]?["uri"]?.string,
      let document = documents[key(of: uri)]
    else { return }
    // Clients that don't ask before saving are given the marks after it: late, but recorded.
    guard !isAskedBeforeSaving, marking(of: document) != .command else { return }
    switch document.step(.save) {
    case .mark: mark(document, isForced: true)
    case .markLater: document.marksNext = true
    default: break
    }
  }

  func didClose(_ params: JSON?) {
    guard let uri = params?["textDocument"]?["uri"]?.string,
      let document = documents.removeValue(forKey: key(of: uri))
    else { return }
    if !client.pullsDiagnostics { publish([], of: document) }
    fileWasClosed(key(of: uri))
  }

  /// The open document that `params` are about.
  func document(_ params: JSON?) throws(ResponseError) -> Document {
    guard let uri = (params?["textDocument"] ?? params)?["uri"]?.string else {
      throw .invalidParams("The document's uri is missing.")
    }
    guard let document = documents[key(of: uri)] else {
      throw .invalidParams("\(uri) is not open.")
    }
    return document
  }

  /// The document that `params` are about; nil if it is not open.
  ///
  /// For what an editor asks by itself: an error would come up while the user types.
  func openDocument(_ params: JSON?) throws(ResponseError) -> Document? {
    guard let uri = params?["textDocument"]?["uri"]?.string else {
      throw .invalidParams("The document's uri is missing.")
    }
    return documents[key(of: uri)]
  }

  /// The document and the offset that `params` are about; nil if the document is not open.
  func openPlace(_ params: JSON?) throws(ResponseError) -> (document: Document, offset: Int)? {
    guard let position = Position(params?["position"]) else {
      throw .invalidParams("The position is missing.")
    }
    guard let document = try openDocument(params) else { return nil }
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    return (document, conversions.offset(of: position))
  }
}

/// LSP's `TextDocumentItem`.
private struct TextDocumentItem {
  let uri: String
  let version: Int
  let text: [UInt8]

  init?(_ json: consuming JSON?) {
    guard let uri = json?["uri"]?.string, let text = json?["text"]?.utf8 else { return nil }
    self.uri = uri
    self.text = text
    version = json?["version"]?.integer ?? 0
  }
}
