import JSONRPC
import TrackEngine

extension Server {
  /// Answers `textDocument/willSaveWaitUntil`; see ``markForSaving(_:)``.
  func willSaveWaitUntil(_ params: TextDocumentParams) throws(ResponseError) -> [TextEdit]? {
    // Neovim asks with the name under which the document was opened first.
    let document: Document
    if let known = documents[renamed: params.textDocument.key] {
      document = known
    } else {
      document = try self.document(params.textDocument)
    }
    // Marks computed from an outdated text would land in the wrong places.
    return isToldBeforeAsked(document) ? markForSaving(document) : nil
  }

  /// The edits that mark what is pending; nil if there are none.
  ///
  /// Repeated requests get the same answer until its edits have landed. An `applyEdit` in flight is not
  /// repeated in it.
  func markForSaving(_ document: Document) -> [TextEdit]? {
    var edits: [Edit] = []
    switch document.step(.saveQuestion) {
    case .answerAgain:
      if let edit = document.ourEdits.inFlightEdit, edit.request == nil { edits = edit.edit.edits }
    case .answer:
      if let edit = document.giveUp() { editDidFail(edit, in: document) }
      edits = marksForSaving(document)
    default: break
    }
    return edits.isEmpty ? nil : snapshot(of: document).conversions.textEdits(edits)
  }

  private func marksForSaving(_ document: Document) -> [Edit] {
    takeIfReloaded(document)
    guard let marking = document.marking() else { return [] }
    document.send(
      EditsInFlight.SentEdit(
        edit: document.makeOwnEdit(marking),
        request: nil,
        sentAt: now,
        sent: snapshot(of: document).conversions.textEdits(marking.edits),
        givesUpAt: now + EditsInFlight.editTimeout,
        forgottenAt: now + EditsInFlight.lateEditTimeout
      )
    )
    return marking.edits
  }

  /// Whether the client asks before it saves, and has reported all changes by then.
  func isAskedBeforeSaving(_ document: Document) -> Bool {
    client.savesThroughServer && isToldBeforeAsked(document)
  }

  private func isToldBeforeAsked(_ document: Document) -> Bool {
    // Whoever sets `marking` has made sure that changes are reported first, as our Emacs package does.
    client.tellsBeforeItAsks || document.settings.marking != nil
  }
}
