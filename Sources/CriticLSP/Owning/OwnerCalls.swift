import JSONRPC
import TrackEngine

/// The calls of other processes that are not answered yet.
///
/// Invariant: each is answered once, at the latest when its document is closed.
struct OwnerCalls {
  /// An answer, and who gets it.
  struct Answer {
    let caller: Int
    let message: OutgoingMessage
  }

  /// A call that waits until the text is at rest.
  struct WaitingText {
    enum Purpose {
      case shown(isMarked: Bool)
      /// What became of the proposals; whether the writer has said that the review is done.
      case review(isDone: Bool)
    }

    let id: OwnerCall.ID
    let document: DocumentKey
    let purpose: Purpose
    let since: Int
  }

  /// A call whose edit is in flight.
  fileprivate struct WaitingEdit {
    let id: OwnerCall.ID
    let document: DocumentKey
    /// The text without it, if it proposes something.
    let proposedOn: [UInt8]?
  }

  fileprivate var texts: [WaitingText] = []
  fileprivate var edits: [WaitingEdit] = []
  /// Calls that wait until the writer says that the review of a document is done.
  fileprivate var reviews: [(id: OwnerCall.ID, document: DocumentKey)] = []
  /// What is proposed in each document.
  fileprivate var rounds: [DocumentKey: ReviewRound] = [:]
  /// The answers of this turn.
  fileprivate var answers: [Answer] = []

  /// How long a call waits for the writer to pause, in milliseconds.
  static let patience = 2000

  /// When the next call has waited long enough, in milliseconds.
  var deadline: Int? { texts.map { $0.since + OwnerCalls.patience }.min() }

  /// Takes out the answers to send.
  mutating func takeAnswers() -> [Answer] {
    defer { answers = [] }
    return answers
  }

  /// How many wait for the review of a document.
  func waiting(for document: DocumentKey) -> Int { reviews.count { $0.document == document } }

  /// What is proposed in a document.
  func round(of document: DocumentKey) -> ReviewRound { rounds[document] ?? ReviewRound() }

  /// Has a call wait until the review is done; returns whether that is to be told: a program that waits for a while,
  /// again and again, is told of once.
  mutating func wait(_ id: OwnerCall.ID, for document: DocumentKey) -> Bool {
    reviews.append((id, document))
    defer { rounds[document, default: ReviewRound()].isTold = true }
    return !round(of: document).isTold
  }

  /// Notes that the review of a document is done; returns the calls that waited for that.
  mutating func finishReview(of document: DocumentKey) -> [OwnerCall.ID] {
    rounds[document, default: ReviewRound()].finish()
    defer { reviews.removeAll { $0.document == document } }
    return reviews.filter { $0.document == document }.map(\.id)
  }

  /// Forgets the calls of a process that is gone.
  mutating func forget(_ caller: Int) {
    texts.removeAll { $0.id.caller == caller }
    reviews.removeAll { $0.id.caller == caller }
  }

  mutating func answer(_ id: OwnerCall.ID, _ result: (inout JSONWriter) -> Void) {
    let message = OutgoingMessage.response(to: id.request, result: result)
    let length = message.withFrame(\.count)
    guard length <= Callers.mostUnsent else {
      return fail(id, .requestFailed("the answer would be \(length >> 20) MB long"))
    }
    answers.append(Answer(caller: id.caller, message: message))
  }

  fileprivate mutating func fail(_ id: OwnerCall.ID, _ error: ResponseError) {
    let message = OutgoingMessage.error(to: id.request, error)
    answers.append(Answer(caller: id.caller, message: message))
  }
}

extension Server {
  /// Handles a call.
  ///
  /// - Parameters:
  ///   - body: The message.
  ///   - caller: Who sent it.
  ///   - key: The open document that it is about; nil if its file is not open here.
  func receive(_ body: [UInt8], from caller: Int, about key: DocumentKey?) {
    let call: OwnerCall
    do throws(OwnerCall.Failure) {
      call = try OwnerCall(body, from: caller)
    } catch {
      if let answer = error.answer {
        calls.answers.append(OwnerCalls.Answer(caller: caller, message: answer))
      }
      return
    }
    guard stage == .running, let document = key.flatMap({ documents[$0] }),
      isOwner(of: document) || call.ask.isForReview
    else { return calls.answer(call.id) { $0.null() } }
    switch call.ask {
    case .find: calls.answer(call.id) { writer in writer.object { $0.member("uri", document.uri) } }
    case .text(let isMarked): answerAtRest(call.id, .shown(isMarked: isMarked), in: document)
    case .edit(let asked): make(asked, for: call.id, in: document)
    case .review(waits: false, _): answerAtRest(call.id, .review(isDone: false), in: document)
    case .review(waits: true, let author): wait(call.id, for: document, by: author)
    case .saved(let file): tellSaved(call.id, document, file)
    }
  }

  private func tellSaved(_ id: OwnerCall.ID, _ document: Document, _ file: [UInt8]) {
    calls.answer(id) { writer in
      writer.object {
        $0.member("isKnown", document.tracker.knows(Text(file)))
        guard let saved = document.record.saved else { return }
        $0.member("text", utf8: saved.text.bytes)
        $0.member("age", now - saved.at)
      }
    }
  }

  /// Answers a call when the text is at rest.
  func answerAtRest(
    _ id: OwnerCall.ID,
    _ purpose: OwnerCalls.WaitingText.Purpose,
    in document: Document
  ) {
    calls.texts.append(
      OwnerCalls.WaitingText(id: id, document: document.key, purpose: purpose, since: now)
    )
  }

  /// Whether the editor tells of every key and refuses edits of an outdated version, or the user trusts it with edits
  /// that come by themselves.
  ///
  /// If not, the file is changed, as if it were not open.
  private func isOwner(of document: Document) -> Bool {
    client.appliesEdits
      && (client.defaultMarking == .idle || document.settings.marking == .idle)
  }

  /// Has the editor make an edit, if the text is still the one that it is for.
  private func make(_ asked: OwnerCall.Edits, for id: OwnerCall.ID, in document: Document) {
    guard asked.state == document.revision, document.step(.wish) == .perform else {
      return calls.fail(id, .contentModified("The text has changed; ask for it anew."))
    }
    do throws(Review.Failure) {
      guard let edit = try ownEdit(asked, in: document) else {
        return calls.answer(id) { writer in writer.object { $0.member("touchesPending", true) } }
      }
      guard !edit.edits.isEmpty else { return calls.answer(id) { $0.object { _ in } } }
      let proposedOn = asked.isProposal ? Review(document.tracker).markedText.bytes : nil
      calls.edits.append(
        OwnerCalls.WaitingEdit(id: id, document: document.key, proposedOn: proposedOn)
      )
      send(edit, in: document, after: document.tracker.hunks, forCall: id)
    } catch {
      calls.fail(id, .requestFailed(error.description))
    }
  }

  /// The edit of the buffer that makes what is asked for; nil if that touches what is pending and not in marks.
  private func ownEdit(
    _ asked: OwnerCall.Edits,
    in document: Document
  ) throws(Review.Failure) -> OwnEdit? {
    let buffer = document.tracker.buffer
    if asked.isMarked {
      let edits = try Review(document.tracker).edits(making: asked.edits)
      return document.tracker.ownEdit(edits.fewer(in: buffer))
    }
    guard asked.edits.last.map({ $0.range.upperBound <= buffer.count }) ?? true else {
      throw .beyondEnd
    }
    let edits = asked.edits.followed(by: [], on: buffer)
    return document.tracker.ownEdit(beside: edits.fewer(in: buffer))
      ?? document.tracker.ownEdit(beside: edits)
  }

  /// Tells who asked for an edit that it has landed, or why not.
  func answer(_ edit: EditsInFlight.SentEdit, _ failure: ResponseError? = nil) {
    if let call = edit.call { answer(call, failure) }
  }

  /// The same by the number of the call.
  func answer(_ id: OwnerCall.ID, _ failure: ResponseError? = nil) {
    guard let index = calls.edits.firstIndex(where: { $0.id == id }) else {
      return
    }
    let asked = calls.edits.remove(at: index)
    if let failure { return calls.fail(id, failure) }
    if let before = asked.proposedOn, let document = documents[asked.document] {
      let after = Review(document.tracker).markedText.bytes
      calls.rounds[asked.document, default: ReviewRound()].note(before: before, after: after)
    }
    calls.answer(id) { $0.object { _ in } }
  }

  /// Answers the calls that wait for a text that is at rest now, and those about documents that are no longer open.
  func answerCalls() {
    let waiting = calls.texts
    calls.texts = []
    var done: Set<DocumentKey> = []
    for text in waiting {
      guard let document = documents[text.document] else {
        calls.answer(text.id) { $0.null() }
        continue
      }
      guard isAtRest(document, since: text.since) else {
        calls.texts.append(text)
        continue
      }
      guard document.state != .outOfStep else {
        calls.fail(text.id, .requestFailed("The text is not known; reopen the file."))
        continue
      }
      switch text.purpose {
      case .shown(let isMarked): tellText(text.id, document, isMarked: isMarked)
      case .review(let isDone):
        tellReview(text.id, document, isDone: isDone)
        if isDone { done.insert(text.document) }
      }
    }
    // All who wait for a document are told in one turn.
    for document in done { calls.rounds[document] = nil }
    for review in calls.reviews where documents[review.document] == nil {
      calls.reviews.removeAll { $0.id == review.id }
      calls.answer(review.id) { $0.null() }
    }
    for edit in calls.edits where documents[edit.document]?.ourEdits.awaits(edit.id) != true {
      calls.edits.removeAll { $0.id == edit.id }
      calls.fail(edit.id, .requestFailed("the editor has not shown the edit"))
    }
  }

  private func tellText(_ id: OwnerCall.ID, _ document: Document, isMarked: Bool) {
    let marked = Review(document.tracker).markedText.bytes
    let shown = document.tracker.buffer.bytes
    // While a mark is half typed, what is shown may read as something else.
    let isMarked = isMarked || !shown.readsLike(marked, as: document.tracker.options.language)
    calls.answer(id) { writer in
      writer.object {
        $0.member("uri", document.uri)
        $0.member("state", document.revision)
        $0.member("isMarked", isMarked)
        $0.member("text", utf8: isMarked ? marked : shown)
      }
    }
  }

  /// Whether what is typed is in marks, and nothing is on its way; who types on is waited for no longer than
  /// ``OwnerCalls/patience``.
  private func isAtRest(_ document: Document, since start: Int) -> Bool {
    guard document.ourEdits.inFlightEdit == nil, !document.isPassing, !document.hasNextWish else {
      return false
    }
    return !isToBeMarked(document) || now - start >= OwnerCalls.patience
  }
}

extension [UInt8] {
  /// Whether two texts have the same clean text.
  fileprivate func readsLike(_ other: [UInt8], as language: Language) -> Bool {
    self == other
      || Reading(of: self, as: language).text(.clean, of: self)
        == Reading(of: other, as: language).text(.clean, of: other)
  }
}
