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
    let document = Document(uri: item.uri, version: item.version, tracker: tracker)
    document.trackingChoice = trackingChoice(of: key)
    document.revision = nextRevision()
    if !client.pullsDiagnostics { document.publishAt = now }
    documents[key] = document
  }

  func didChange(_ params: JSON?) {
    guard let item = params?["textDocument"], let uri = item["uri"]?.string,
      let changes = params?["contentChanges"]
    else { return report(["A didChange without uri and contentChanges was passed over."]) }
    let known = withDocument(key(of: uri)) { document in
      let version = item["version"]?.integer ?? document.version
      let arrivals = document.change(to: version, changes, client.encoding)
      if arrivals.contains(.echo) { take(.echo, in: document) }
      if let last = arrivals.last, last != .echo { take(last, in: document) }
    }
    if !known {
      report(["\(uri) was changed but never opened; changes in it are not recorded."])
    }
  }

  private func take(_ arrival: Tracker.Arrival, in document: Document) {
    switch arrival {
    case .echo:
      document.flight = nil
      document.failures = 0
      document.isUnmarked = !document.tracker.hunks.isEmpty
      document.publishAt = now + lengthDelay(of: document)
      document.quietAt = nil
      showCaret(in: document)
      stopTrackingIfDone(document)
      doWhatWaits(in: document)
    case .known, .edit:
      document.lastEdit = now
      document.isUnmarked = true
      if client.pullsDiagnostics {
        document.quietAt = now + Server.publishDelay + lengthDelay(of: document)
      } else {
        document.publishAt = now + Server.publishDelay + lengthDelay(of: document)
      }
    }
  }

  /// How long the list of changes waits for the user to go on typing, in milliseconds.
  static let publishDelay = 200

  /// How much longer a long list waits, in milliseconds: who types while it is made waits for it.
  private func lengthDelay(of document: Document) -> Int { document.tracker.counts.entries / 100 }

  /// Puts the caret where a command wants it.
  private func showCaret(in document: Document) {
    guard let offset = document.caretAfterLanding else { return }
    document.caretAfterLanding = nil
    show(offset..<offset, of: document)
  }

  func didSave(_ params: JSON?) {
    guard let uri = params?["textDocument"]?["uri"]?.string else { return }
    // Clients that don't ask before saving are given the marks after it: late, but recorded.
    guard !client.savesThroughServer else { return }
    withDocument(key(of: uri)) { document in
      guard marking(of: document) == .save else { return }
      mark(document, isForced: true)
    }
  }

  func didClose(_ params: JSON?) {
    guard let uri = params?["textDocument"]?["uri"]?.string,
      let document = documents.removeValue(forKey: key(of: uri))
    else { return }
    if !client.pullsDiagnostics { publish([], of: document) }
    fileWasClosed(key(of: uri))
  }

  /// Changes a document; returns whether there is one.
  @discardableResult
  func withDocument(_ key: String, _ body: (Document) -> Void) -> Bool {
    guard let document = documents[key] else { return false }
    body(document)
    document.revision = nextRevision()
    return true
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
