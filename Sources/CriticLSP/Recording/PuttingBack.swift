import TrackEngine

extension Server {
  /// Handles that a document came back from its file, where that may have cost its marks.
  ///
  /// A text that says by itself that they were decided is asked about; else they are put back at the next pause.
  ///
  /// - Parameters:
  ///   - lost: What there was to lose.
  ///   - text: The text that came back.
  ///   - document: The document.
  /// - Returns: False if the marks are there still.
  func receive(_ lost: LostMarks, in text: Text, of document: Document) -> Bool {
    let language = document.tracker.options.language
    let loss = MarkLoss(of: lost.text, in: text.bytes, as: language)
    guard loss != .none else {
      document.record.forgetLost()
      return false
    }
    var lost = lost
    lost.isDue = loss == .lost && !lost.isKnown && markingTime(of: document) == .idle
    document.note(lost, at: now)
    // Until the marks are back what is kept of the document is worth more than what it is now.
    if !lost.isDue { askAboutMarks(of: document) }
    return true
  }

  private func askAboutMarks(of document: Document) {
    keepAnew(document)
    ask(
      "\(document.key.name) came back without its marks.",
      about: document,
      [.putBack, .leave]
    )
  }

  /// Asks about marks that are to be put back if the client says that it has saved the text without them: a client can
  /// be late to say so, and then the user took them out.
  func doubtLoss(in document: Document, saved: TextHash) {
    guard var lost = document.record.lost, lost.isDue, !lost.isAsked, lost.without == saved else {
      return
    }
    lost.isDue = false
    document.note(lost, at: now)
    askAboutMarks(of: document)
  }

  /// Puts marks back that are gone, since the user wants it, or as soon as nothing is in the way.
  func putMarksBackAsAsked(in document: Document) {
    guard var lost = document.record.lost else { return }
    guard client.appliesEdits else {
      return show("\(document.key.name): this editor takes no edits.", .warning)
    }
    (lost.isDue, lost.isAsked) = (true, true)
    document.note(lost, at: now)
    if document.step(.mark) == .mark {
      mark(document, isForced: true)
    } else {
      document.postponed.add(MarkRequest())
    }
  }

  /// Sends the edit that puts back the marks that are gone, with what is pending.
  ///
  /// - Parameters:
  ///   - document: The document; no edit of ours is in flight in it.
  ///   - isForced: Whether to mark even while a mark is being typed.
  /// - Returns: False if there are none to be put back now.
  func putMarksBack(in document: Document, isForced: Bool) -> Bool {
    guard let lost = document.record.lost, lost.isDue,
      document.tracker.marking(isForced: isForced).remaining.isEmpty
    else { return false }
    let review = Review(document.tracker)
    let text = review.markedText.bytes
    // Undo can have brought them back.
    let language = document.tracker.options.language
    guard MarkLoss.isLost(lost.text, in: text, as: language) else {
      document.record.forgetLost()
      return false
    }
    let carrying = Carrying(of: lost.text, onto: text, Carrying.Options(language))
    let putBack = PutBack(carrying)
    guard let edits = try? review.edits(making: carrying.edits) else { return false }
    guard putBack.isMost || lost.isAsked, !edits.isEmpty else {
      giveUp(lost, in: document)
      return false
    }
    let buffer = document.tracker.buffer
    send(
      document.tracker.ownEdit(edits.fewer(in: buffer)),
      in: document,
      after: document.tracker.hunks,
      putting: putBack
    )
    return true
  }

  /// Takes the text for another one, in which the marks have no place, unless there is more to come.
  private func giveUp(_ lost: LostMarks, in document: Document) {
    document.record.postponeLost()
    keepAnew(document)
    log("\(document.key.name): most of its marks have no place in the new text.")
    if document.tracker.original != lost.original {
      askAboutChanges(in: document, since: lost.original)
    }
  }

  /// Tells that marks are back, and in the log which are not.
  func tell(_ putBack: PutBack, in document: Document) {
    document.record.forgetLost()
    let name = document.key.name
    if !putBack.left.isEmpty {
      log("\(name): not put back:\n" + putBack.left.joined(separator: "\n"), .info)
    }
    show("\(name): \(putBack.summary) put back.", .info)
  }
}
