import JSONRPC
import TrackEngine

/// The review of what other programs have proposed in a document.
struct OpenReview {
  /// Says how far it is, as in `2 accepted, 1 rejected, 14 left`.
  let state: () -> String

  /// Of a longer text it is not said what was accepted, in bytes.
  static let longestText = 1 << 20

  /// The title of the action that ends it.
  var title: String { "Done reviewing: \(state())" }
}

/// The hand-over of a document between its writer and the programs that propose changes in it.
extension Server {
  /// Has a call wait until the writer says that the review is done.
  func wait(_ id: OwnerCall.ID, for document: Document, by author: AuthorName?) {
    if calls.round(of: document.key).isDone {
      return answerAtRest(id, .review(isDone: true), in: document)
    }
    guard calls.wait(id, for: document.key) else { return }
    let who = author.map { clipped(Array($0.name.utf8)) } ?? "a program"
    let line = line("\(who) waits; \(CriticCommand.done.name) ends it.", about: document)
    if client.stopsAtMessages(document.settings) { log(line) } else { show(line, .info) }
  }

  /// A sentence with the name of the document, as long as an editor shows it without a prompt.
  private func line(_ sentence: String, about document: Document) -> String {
    let line = "\(document.key.name): \(sentence)"
    return line.count > Server.maxLineLength ? sentence : line
  }

  /// Tells those who wait that the review of a document is done.
  func finishReview(of document: Document) {
    let told = calls.finishReview(of: document.key)
    for id in told { answerAtRest(id, .review(isDone: true), in: document) }
    let state = told.isEmpty ? "nobody waits now" : state(of: document)
    show(line("review done; \(state).", about: document), .info)
  }

  /// The review of a document; nil if no program has proposed anything and none waits.
  func review(of document: Document) -> OpenReview? {
    guard calls.waiting(for: document.key) > 0 || calls.round(of: document.key).isOpen else {
      return nil
    }
    return OpenReview { self.state(of: document) }
  }

  /// As in `2 accepted, 1 rejected, 14 left`.
  private func state(of document: Document) -> String {
    var texts = calls.round(of: document.key).texts
    guard !texts.isEmpty, document.tracker.buffer.count <= OpenReview.longestText else {
      return "\(document.tracker.counts.tracked) left"
    }
    texts.append(Review(document.tracker).markedText.bytes)
    return ReviewReport(of: texts.all, as: document.tracker.options.language).counts
  }

  /// Says what became of the proposals.
  func tellReview(_ id: OwnerCall.ID, _ document: Document, isDone: Bool) {
    var texts = calls.round(of: document.key).texts
    texts.append(Review(document.tracker).markedText.bytes)
    calls.answer(id) { writer in
      writer.object {
        $0.member("isDone", isDone)
        $0.member("first", utf8: texts.first ?? [])
        $0.member("steps", texts.steps.map(EditJSON.init))
      }
    }
  }
}
