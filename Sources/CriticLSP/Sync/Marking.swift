import JSONRPC
import TrackEngine

extension Server {
  /// How many edits may come to nothing before we stop disturbing.
  static let maxFailures = 3

  /// When changes of a document are marked by themselves.
  func marking(of document: Document) -> Client.Marking { settings.marking(of: document, client) }

  /// When something of a document is next due, in milliseconds.
  func deadline(of document: Document) -> Int? {
    var due = Int.max
    if let at = document.publishAt { due = min(due, at) }
    if let at = document.quietAt { due = min(due, at) }
    if let at = document.standing.underWay?.givesUpAt { due = min(due, at) }
    if let at = document.standing.quietUntil, at > now { due = min(due, at) }
    if isToBeMarked(document) || isToBePerformed(document) {
      due = min(due, document.lastEdit + settings.idleDelay)
    }
    return due == Int.max ? nil : due
  }

  private func isToBeMarked(_ document: Document) -> Bool {
    guard document.isUnmarked, client.appliesEdits || document.wantsTracking == nil else {
      return false
    }
    // What was asked for is tried until it is done, and what came of us is taken back in any case.
    if document.wantsTracking == false || document.tracker.hasStrays {
      return [.changed, .held].contains(document.state) && !document.marksOnSaveOnly
    }
    return document.step(.pause) == .mark && marking(of: document) == .idle
  }

  private func isToBePerformed(_ document: Document) -> Bool {
    !document.queue.isEmpty && document.step(.wish) == .perform
  }

  func doWhatIsDue() {
    guard let next = deadline, next <= now else { return }
    for key in documents.keys.sorted() {
      guard let document = documents[key], let due = deadline(of: document), due <= now else {
        continue
      }
      if let at = document.standing.underWay?.givesUpAt, at <= now { giveUp(document) }
      if document.lastEdit + settings.idleDelay <= now {
        if isToBePerformed(document) { doWhatWaits(in: document) }
        if isToBeMarked(document) { mark(document, isForced: document.wantsTracking == false) }
      }
      if let at = document.quietAt, at <= now { document.quietAt = nil }
      if let at = document.publishAt, at <= now {
        document.publishAt = nil
        publishChanges(of: document)
      }
    }
  }

  /// Sends the edit that puts the pending changes into marks, if there is one.
  func mark(_ document: Document, isForced: Bool) {
    guard document.standing.underWay == nil, !document.tracker.isSettled else { return }
    document.isUnmarked = false
    let marking = document.tracker.marking(isForced: isForced)
      .withFewerEdits(of: document.tracker.buffer)
    guard !marking.edits.isEmpty else {
      let pending = document.tracker.hunks.count
      document.tracker.settle(marking.remaining)
      // A mark that was typed by hand is pending no more, and there is no edit after which to say so.
      if document.tracker.hunks.count != pending { document.publishAt = now }
      return changeTrackingIfDone(document)
    }
    guard client.appliesEdits else { return }
    let edit = document.ownEdit(marking)
    send(edit, in: document, after: document.tracker.hunks)
  }

  /// Sends an edit of a document.
  ///
  /// - Parameters:
  ///   - edit: The edit, of the buffer.
  ///   - document: The document; nothing of ours is under way in it.
  ///   - hunks: What the user typed, where the caret may be at its end.
  ///   - wish: What the user asked for by it.
  ///   - caret: Where the caret belongs once it has landed, as an offset.
  func send(
    _ edit: OwnEdit,
    in document: Document,
    after hunks: [Hunk] = [],
    for wish: Standing.Wish? = nil,
    caret: Int? = nil
  ) {
    let formed = client.form.formed(edit.edits, in: document.tracker.buffer, for: hunks)
    let snapshot = snapshot(of: document)
    let sent = snapshot.workspaceEdit(formed)
    let request = request(
      "workspace/applyEdit",
      for: .applyEdit(document: key(of: document.uri)),
      ApplyWorkspaceEditParams(edit: sent)
    )
    document.standing.send(
      Standing.UnderWay(
        edit: edit,
        request: request,
        sentAt: now,
        sent: sent.documentChanges.flatMap(\.edits),
        wish: wish,
        caret: caret
      )
    )
  }
}

// MARK: - Edits that come to nothing

extension Server {
  /// Takes the answer to an edit of ours: what became of the text, only the text says.
  func receiveReply(
    _ answer: Result<ApplyWorkspaceEditResult, ResponseError>,
    to request: Int,
    of key: String
  ) {
    guard let document = documents[key] else { return }
    if (try? answer.get())?.applied == true {
      let isUnderWay = document.standing.underWay?.request == request
      if isUnderWay, document.step(.approval) == .startClock {
        document.standing.approve(at: now)
      } else {
        document.standing.answer(request, at: now)
      }
    } else {
      logRefusal(of: key, answer)
      let step = document.step(.refusal)
      if let edit = document.standing.refuse(request), step == .forget {
        comesToNothing(edit, in: document, isBusy: isBusy(answer))
      }
    }
  }

  /// Whether an editor only can't take an edit now, as while text is selected: it asks for it later.
  private func isBusy(_ answer: Result<ApplyWorkspaceEditResult, ResponseError>) -> Bool {
    (try? answer.get())?.failureReason == "the editor is busy"
  }

  private func giveUp(_ document: Document) {
    guard document.step(.silence) == .giveUp, let edit = document.standing.giveUp() else { return }
    log("\(fileName(of: document.uri)): our edit did not land in \(Standing.patience) ms.")
    comesToNothing(edit, in: document)
    // A client that said yes and did nothing would do so again; one that is slow would do it twice.
    if edit.request != nil, !edit.isOvertaken {
      document.isUnmarked = false
    }
  }

  /// What it was for is worked out anew from the buffer, after a pause.
  private func comesToNothing(
    _ edit: Standing.UnderWay,
    in document: Document,
    isBusy: Bool = false
  ) {
    let showing = edit.edit.showing
    // What came astray looks like a part of it.
    if showing.extent != .nothing, !document.tracker.hasStrays {
      document.tracker.stray(showing.takingBack)
    }
    document.isUnmarked = !isBusy
    if !edit.isOvertaken { document.lastEdit = max(document.lastEdit, now) }
    // An answer that was not used, or an edit that came too late because the user typed on, is nobody's
    // failure.
    let isFailure = !edit.isOvertaken && edit.request != nil && !isBusy
    if var wish = edit.wish {
      wish.tries += 1
      if edit.isOvertaken, wish.tries < Server.maxFailures {
        document.queue.insert(wish, at: 0)
      } else {
        tell("The editor did not take the edit.", in: document)
      }
    }
    changeTrackingIfDone(document)
    guard isFailure else { return }
    doWhatWaits(in: document)
    guard document.standing.fail() == Server.maxFailures, !document.marksOnSaveOnly else { return }
    document.marksOnSaveOnly = true
    // Short: a longer line can stop the user with a prompt.
    show("\(fileName(of: document.uri)): edits refused; marked on save now.", .info)
  }
}

// MARK: - What waits for our edit

extension Server {
  /// Begins or ends tracking; what was changed while it was on is put into marks first.
  func setTracking(_ isOn: Bool, of document: Document) {
    document.wantsTracking = isOn == document.tracker.isTracking ? nil : isOn
    document.publishAt = now
    guard document.wantsTracking != nil else { return }
    if !isOn, document.step(.toggle) == .markAndToggle { mark(document, isForced: true) }
    changeTrackingIfDone(document)
  }

  /// Begins or ends tracking, once the user asked for it and nothing stands in the way.
  func changeTrackingIfDone(_ document: Document) {
    guard let isOn = document.wantsTracking, document.standing.underWay == nil else { return }
    guard isOn || document.tracker.isSettled else { return }
    document.wantsTracking = nil
    document.tracker.setTracking(isOn)
    // What was changed before is nothing that tracking from here on knows how to take back.
    document.log = []
  }

  /// Does what the user asked for while our edit was under way.
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
    if document.marksNext, document.standing.underWay == nil {
      document.marksNext = false
      mark(document, isForced: true)
    }
  }

  /// Tells why something that waited was not done: as a short line, for a longer one can stop the user
  /// with a prompt; the whole of it is in the log then.
  private func tell(_ sentence: String, in document: Document) {
    let name = fileName(of: document.uri)
    guard sentence.count > Server.maxLineLength else { return show(sentence, .warning) }
    log("\(name): \(sentence)", .warning)
    show("Not done; the log says why.", .warning)
  }

  /// What fits beside the client's own words on a line of eighty characters.
  private static let maxLineLength = 50
}

// MARK: - Saving

extension Server {
  /// The answer to `willSaveWaitUntil`; see ``markForSaving(_:)``.
  func willSaveWaitUntil(_ params: WillSaveTextDocumentParams) throws(ResponseError) -> [TextEdit]?
  {
    let document = try document(params.textDocument)
    // Positions of a text that we do not have yet would put the marks elsewhere.
    return isToldBeforeAsked ? markForSaving(document) : nil
  }

  /// The answer to `formatting`; see ``markForSaving(_:)``.
  func formatting(_ params: DocumentFormattingParams) throws(ResponseError) -> [TextEdit]? {
    markForSaving(try document(params.textDocument))
  }

  /// The edits that mark what is pending; nil if there are none.
  ///
  /// Asked twice it answers twice the same, until the editor shows the result. An edit of ours that is on
  /// its way comes before the answer, and is not sent again in it.
  func markForSaving(_ document: Document) -> [TextEdit]? {
    var edits: [Edit] = []
    switch document.step(.saveQuestion) {
    case .answerAgain:
      if let edit = document.standing.underWay, edit.request == nil { edits = edit.edit.edits }
    case .answer:
      if let edit = document.standing.giveUp() { comesToNothing(edit, in: document) }
      edits = marksForSaving(document)
    default: break
    }
    return edits.isEmpty ? nil : snapshot(of: document).conversions.textEdits(edits)
  }

  private func marksForSaving(_ document: Document) -> [Edit] {
    let marking = document.tracker.marking().withFewerEdits(of: document.tracker.buffer)
    guard !marking.edits.isEmpty else {
      document.tracker.settle(marking.remaining)
      return []
    }
    document.standing.send(
      Standing.UnderWay(
        edit: document.ownEdit(marking),
        request: nil,
        sentAt: now,
        sent: snapshot(of: document).conversions.textEdits(marking.edits),
        givesUpAt: now + Standing.patience,
        forgottenAt: now + Standing.memory
      )
    )
    return marking.edits
  }

  /// Whether the client asks before it saves, about a text that it has told of.
  var isAskedBeforeSaving: Bool { client.savesThroughServer && isToldBeforeAsked }

  private var isToldBeforeAsked: Bool {
    // Who says when to mark has seen to it that the client tells first, as our package for Emacs has.
    client.tellsBeforeItAsks || settings.marking != nil
  }
}

extension Settings {
  /// When changes of a document are marked by themselves.
  func marking(of document: Document, _ client: Client) -> Client.Marking {
    let marking = marking ?? client.defaultMarking
    guard marking == .idle else { return marking }
    return document.marksOnSaveOnly || !client.appliesEdits ? .save : .idle
  }
}

/// The last part of a URI, for messages.
func fileName(of uri: String) -> String {
  key(of: uri).split(separator: "/").last.map(String.init) ?? uri
}
