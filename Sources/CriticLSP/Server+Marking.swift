import JSONRPC
import TrackEngine

extension Server {
  /// How long our edit may be on its way before it counts as lost, in milliseconds.
  static let patience = 1000
  /// How many edits may come to nothing before we stop disturbing.
  static let mostFailures = 3

  /// When changes of a document are marked by themselves.
  func marking(of document: Document) -> Client.Marking {
    let marking = settings.marking ?? client.defaultMarking
    guard marking == .idle else { return marking }
    return document.marksOnSaveOnly || !client.appliesEdits ? .save : .idle
  }

  /// When something of a document is next due, in milliseconds.
  func deadline(of document: Document) -> Int? {
    var due = Int.max
    if let at = document.publishAt { due = min(due, at) }
    if let at = document.quietAt { due = min(due, at) }
    if let flight = document.flight { due = min(due, flight.sentAt + Server.patience) }
    if isToBeMarked(document) { due = min(due, document.lastEdit + settings.idleDelay) }
    return due == Int.max ? nil : due
  }

  private func isToBeMarked(_ document: Document) -> Bool {
    guard document.isUnmarked, document.flight == nil, !document.tracker.hunks.isEmpty else {
      return false
    }
    // What was asked for is tried until it is done.
    if document.stopsTracking { return client.appliesEdits && !document.marksOnSaveOnly }
    return !document.tracker.isHeld && marking(of: document) == .idle
  }

  func doWhatIsDue() {
    guard let next = deadline, next <= now else { return }
    for key in documents.keys.sorted() {
      guard let document = documents[key], let due = deadline(of: document), due <= now else {
        continue
      }
      if let flight = document.flight, flight.sentAt + Server.patience <= now {
        log("\(fileName(of: document.uri)): our edit did not land in \(Server.patience) ms.")
        editFailed(document)
      }
      if isToBeMarked(document), document.lastEdit + settings.idleDelay <= now {
        mark(document, isForced: document.stopsTracking)
      }
      if let at = document.quietAt, at <= now { document.quietAt = nil }
      if let at = document.publishAt, at <= now {
        document.publishAt = nil
        publishChanges(of: document)
      }
      document.revision = nextRevision()
    }
  }

  /// Sends the edit that puts the pending changes into marks, if there is one.
  func mark(_ document: Document, isForced: Bool) {
    guard document.tracker.isTracking, document.flight == nil else { return }
    document.isUnmarked = false
    let marking = document.tracker.marking(isForced: isForced)
    guard !marking.edits.isEmpty else {
      let pending = document.tracker.hunks.count
      document.tracker.expect(marking)
      // A mark that was typed by hand is pending no more, and there is no edit after which to say so.
      if document.tracker.hunks.count != pending { document.publishAt = now }
      stopTrackingIfDone(document)
      return
    }
    guard client.appliesEdits else { return }
    let hunks = document.tracker.hunks
    document.tracker.expect(marking)
    sendEdit(marking.edits, in: document, behind: hunks)
  }

  /// Sends an edit of a document; what it leads to must be expected already.
  ///
  /// - Parameters:
  ///   - edits: Edits on the buffer.
  ///   - document: The document.
  ///   - hunks: What the user typed, where the caret may be at its end.
  func sendEdit(_ edits: [Edit], in document: Document, behind hunks: [Hunk] = []) {
    let formed = client.form.formed(edits, in: document.tracker.buffer, for: hunks)
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    let (uri, version) = (document.uri, document.version)
    let request = send("workspace/applyEdit", for: .applyEdit(document: key(of: uri))) {
      $0.object {
        $0.member(
          "edit",
          object: {
            writeDocumentEdit(formed, uri, version, conversions, to: &$0)
          }
        )
      }
    }
    document.flight = Document.Flight(request: request, sentAt: now)
  }

  /// Writes the members of a `WorkspaceEdit` for one document.
  ///
  /// Always with the version, even for clients that do not announce `documentChanges`: those apply
  /// it all the same, and the version is what keeps a late edit out of a newer text.
  func writeDocumentEdit(
    _ edits: [Edit],
    _ uri: String,
    _ version: Int,
    _ conversions: Conversions,
    to writer: inout JSONWriter
  ) {
    writer.member(
      "documentChanges",
      array: {
        $0.object {
          $0.member(
            "textDocument",
            object: {
              $0.member("uri", uri)
              $0.member("version", version)
            }
          )
          $0.member(
            "edits",
            array: {
              for edit in edits { conversions.write(edit, to: &$0) }
            }
          )
        }
      }
    )
  }
}

// MARK: - Edits that come to nothing

extension Server {
  func editFailed(in key: String, request: Int) {
    withDocument(key) { document in
      guard document.flight?.request == request else { return }
      editFailed(document)
    }
  }

  /// Forgets our edit: it is worked out anew from the buffer, after a pause.
  private func editFailed(_ document: Document) {
    let sentAt = document.flight?.sentAt ?? now
    document.flight = nil
    document.caretAfterLanding = nil
    document.tracker.forgetExpected()
    document.isUnmarked = true
    // An edit that came too late because the user typed on is nobody's failure.
    let isLate = document.lastEdit > sentAt
    document.lastEdit = max(document.lastEdit, now)
    if !isLate { document.failures += 1 }
    doWhatWaits(in: document)
    guard document.failures == Server.mostFailures, !document.marksOnSaveOnly else { return }
    document.marksOnSaveOnly = true
    // Short: a longer line can stop the user with a prompt.
    show("\(fileName(of: document.uri)): edits refused; marked on save now.", type: 3)
  }
}

// MARK: - What waits for our edit

extension Server {
  /// Begins or ends tracking; what was changed while it was on is put into marks first.
  func setTracking(_ isOn: Bool, of document: Document) {
    document.stopsTracking = !isOn && document.tracker.isTracking
    if isOn, !document.tracker.isTracking {
      document.tracker.setTracking(true)
      // What was changed before is nothing that this tracking knows how to take back.
      document.log = []
    }
    if document.stopsTracking {
      mark(document, isForced: true)
      stopTrackingIfDone(document)
    }
    document.publishAt = now
  }

  /// Ends tracking, once the user asked for it and nothing is pending any more.
  func stopTrackingIfDone(_ document: Document) {
    guard document.stopsTracking, document.tracker.hunks.isEmpty else { return }
    document.stopsTracking = false
    document.tracker.setTracking(false)
    document.log = []
  }

  /// Does what the user asked for while our edit was under way.
  func doWhatWaits(in document: Document) {
    guard document.flight == nil, !document.queue.isEmpty else { return }
    let request = document.queue.removeFirst()
    do throws(Review.Failure) {
      try review(document, request.action, wantsCaret: request.wantsCaret)
    } catch {
      tell(error.description, in: document)
    }
  }

  /// Tells why something that waited was not done: as a short line, for a longer one can stop the user
  /// with a prompt; the whole of it is in the log then.
  private func tell(_ sentence: String, in document: Document) {
    let name = fileName(of: document.uri)
    guard sentence.count > Server.longestLine else { return show(sentence, type: 2) }
    log("\(name): \(sentence)", .warning)
    show("Not done; the log says why.", type: 2)
  }

  /// What fits beside the client's own words on a line of eighty characters.
  private static let longestLine = 50
}

// MARK: - Saving

extension Server {
  /// The answer to `willSaveWaitUntil` and to `formatting`: the edits that mark what is pending.
  ///
  /// Asked twice it answers twice the same, until the editor shows the result.
  func markForSaving(_ params: JSON?) throws(ResponseError) -> Answer {
    let document = try document(params)
    guard document.tracker.isTracking, !document.tracker.hunks.isEmpty else { return { $0.null() } }
    let marking = document.tracker.marking()
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    document.tracker.expect(marking)
    if !marking.edits.isEmpty { document.flight = Document.Flight(request: nil, sentAt: now) }
    document.revision = nextRevision()
    return { writer in
      writer.array {
        for edit in marking.edits { conversions.write(edit, to: &$0) }
      }
    }
  }
}

/// The last part of a URI, for messages.
func fileName(of uri: String) -> String {
  key(of: uri).split(separator: "/").last.map(String.init) ?? uri
}
