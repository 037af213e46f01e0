import JSONRPC
import TrackEngine

extension Server {
  /// Takes the last decision about a change back, where the marks are not in the text: there undo does it.
  ///
  /// - Parameter document: The document.
  /// - Throws: `ResponseError` if there is none, or if it cannot be taken back.
  func reopen(_ document: Document) throws(ResponseError) {
    guard !document.showsMarks else {
      throw .requestFailed("The marks are in the text; undo takes a decision back.")
    }
    guard document.content.hasDecision else {
      throw .requestFailed("There is no decision to take back.")
    }
    guard document.step(.wish) == .perform else {
      throw .requestFailed("The text is being changed; try again.")
    }
    guard let plan = document.content.reopening() else {
      throw .requestFailed("What was decided has been edited since; undo that first.")
    }
    guard client.appliesEdits || plan.cleanEdits.isEmpty else {
      throw .requestFailed("This editor does not take edits.")
    }
    send(plan, in: document)
  }
}
