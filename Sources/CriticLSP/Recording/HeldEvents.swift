import JSONRPC

/// What long work is being done beside the loop, and the events that wait until it is.
///
/// To the client it is as if the server took long over one message, and to the server as if no time passed: nothing that
/// happens is handled, and nothing becomes due, before the work is done; then all is handled in the order in which it
/// came. Only requests that read a document and change nothing are answered at once, if nothing that waits is about
/// that document.
struct HeldEvents {
  /// What is being done for a document, and what it is for.
  enum Work {
    /// The marks beside a document that has been opened are read.
    case opening(Effect.ReadingBeside, BaselineFolder.Found?, SidecarFile?)
    /// The marks in its file are read, since the editor shows it without them.
    case file(Effect.ReadingBeside, SidecarFile?)
    /// A change of its text is recorded.
    case change(Effect.RecordingBeside, DidChangeTextDocumentParams)
  }

  /// An event that waits.
  private struct Held {
    let event: Event
    /// The request that it is.
    var request: RequestID?
    /// The document that it is about.
    var document: DocumentKey?
  }

  private var works: [DocumentKey: Work] = [:]
  private var events: [Held] = []

  /// Whether long work is being done.
  var isWorking: Bool { !works.isEmpty }

  /// Notes what is being done for a document.
  mutating func begin(_ work: Work, for document: DocumentKey) { works[document] = work }

  /// What is being done for a document; nil if nothing is.
  func work(for document: DocumentKey) -> Work? { works[document] }

  /// Notes that it is done.
  mutating func end(_ document: DocumentKey) { works[document] = nil }

  /// Takes out the event to handle next; nil while it has to wait.
  mutating func next() -> Event? {
    isWorking || events.isEmpty ? nil : events.removeFirst().event
  }

  /// Holds an event back, if it has to wait; returns false for any other.
  mutating func hold(_ event: Event) -> Bool {
    guard isWorking || !events.isEmpty else { return false }
    switch event {
    // What comes of the work, and what ends the session.
    case .outcome, .hangUp, .session, .slow, .noise, .tick: return false
    case .callerLeft(let caller):
      events.removeAll { if case .call(caller, _, _) = $0.event { true } else { false } }
      return false
    case .day, .call: events.append(Held(event: event))
    case .message(let body):
      guard let message = try? IncomingMessage(body: body) else { return false }
      return hold(message, event)
    }
    return true
  }

  private mutating func hold(_ message: IncomingMessage, _ event: Event) -> Bool {
    var held = Held(event: event)
    switch message {
    case .request(let id, let method, let params):
      held.request = id
      held.document = HeldEvents.document(params)
      if HeldEvents.readingMethods.contains(method), let document = held.document,
        works[document] == nil, !events.contains(where: { $0.document == document })
      {
        return false
      }
    case .notification("$/cancelRequest", _): return false
    case .notification(_, let params): held.document = HeldEvents.document(params)
    case .response: break
    }
    events.append(held)
    return true
  }

  /// Takes out a request; returns false if it does not wait.
  mutating func cancel(_ request: RequestID) -> Bool {
    let index = events.firstIndex { $0.request == request }
    return index.map { events.remove(at: $0) } != nil
  }

  private static func document(_ params: JSON?) -> DocumentKey? {
    params?["textDocument"]?["uri"]?.string.map { DocumentKey(uri: $0) }
  }

  /// The requests that read a document and change nothing but what is cached of it.
  private static let readingMethods: Set = [
    "textDocument/codeLens", "textDocument/completion", "textDocument/definition",
    "textDocument/documentHighlight", "textDocument/documentLink", "textDocument/documentSymbol",
    "textDocument/foldingRange", "textDocument/hover", "textDocument/inlayHint",
    "textDocument/references", "textDocument/selectionRange", "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/full/delta", "textDocument/semanticTokens/range",
  ]
}

// MARK: - The server

extension Server {
  /// Has the marks beside a document that has been opened read beside the loop, if that can take long.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - found: What was kept of it.
  ///   - record: What lies beside it.
  /// - Returns: False if it does not.
  func readBeside(
    _ document: Document,
    _ found: BaselineFolder.Found?,
    _ record: SidecarFile?
  ) -> Bool {
    guard let reading = reading(of: document, found, record) else { return false }
    return begin(reading, .opening(reading, found, record))
  }

  /// Has marks read beside the loop, if that can take long and nothing else is being done for their document; returns
  /// false if they are not.
  func begin(_ reading: Effect.ReadingBeside, _ work: HeldEvents.Work) -> Bool {
    guard reading.length > Server.longComparison, held.work(for: reading.document) == nil else {
      return false
    }
    held.begin(work, for: reading.document)
    baselines.want(.readBeside(reading))
    return true
  }

  /// Has a change recorded beside the loop.
  func record(
    _ recording: Effect.RecordingBeside,
    asToldBy params: DidChangeTextDocumentParams
  ) {
    held.begin(.change(recording, params), for: recording.document)
    baselines.want(.recordBeside(recording))
  }

  /// Handles marks that were read; a transcript does not have them.
  func receiveMarks(_ result: EffectOutcome.Result, of effect: Effect.ReadingBeside) {
    let key = effect.document
    guard case .marks(let marks) = result, let work = held.work(for: key) else { return }
    switch work {
    case .opening(let reading, let found, let record) where reading == effect:
      held.end(key)
      guard let document = documents[key] else { return }
      recall(document, found, record, marks ?? reading.found)
      goOnIfSavedAs(document)
    case .file(let reading, let file) where reading == effect:
      held.end(key)
      guard let document = documents[key] else { return }
      take(file, asMarksOf: document, marks ?? reading.found)
    case .opening, .file, .change: break
    }
  }

  /// Handles a change that was recorded; a transcript does not have what came of it.
  func receiveRecorded(_ result: EffectOutcome.Result, of effect: Effect.RecordingBeside) {
    guard case .recorded(let recorded) = result,
      case .change(effect, let params)? = held.work(for: effect.document)
    else { return }
    held.end(effect.document)
    if let recorded { documents[effect.document]?.note(recorded) }
    didChange(params, isRecorded: true)
  }
}
