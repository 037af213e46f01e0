import JSONRPC

/// Documents for which something long is being done beside everything else, and the messages that wait until it is.
///
/// What a client does to such a document waits, and what it does to others does not, unless it comes behind something
/// that can mean any document. So no message about one document is overtaken by another about it.
struct HeldMessages {
  /// What is being done for a document, and what it is for.
  enum Work {
    /// The marks beside a document that has been opened are read.
    case opening(Effect.ReadingBeside, BaselineFolder.Found?, SidecarFile?)
    /// The marks in its file are read, since the editor shows it without them.
    case file(Effect.ReadingBeside, SidecarFile?)
    /// A change of its text is recorded.
    case change(DidChangeTextDocumentParams)
  }

  /// A message that waits.
  enum Message {
    case client(IncomingMessage)
    case call(from: Int, [UInt8], about: DocumentKey)
  }

  private var works: [DocumentKey: Work] = [:]
  private var messages: [Message] = []
  /// Whether one of the messages can mean any document.
  private var hasGlobal = false

  /// Notes what is being done for a document.
  mutating func begin(_ work: Work, for document: DocumentKey) { works[document] = work }

  /// What is being done for a document; nil for any other.
  func work(for document: DocumentKey) -> Work? { works[document] }

  /// Notes that it is done; returns the messages, which are to be handled now.
  mutating func end(_ document: DocumentKey) -> [Message] {
    works[document] = nil
    defer { (messages, hasGlobal) = ([], false) }
    return messages
  }

  /// Holds a message back, if it has to wait; returns false for any other.
  mutating func hold(_ message: IncomingMessage) -> Bool {
    guard !works.isEmpty else { return false }
    switch message.subject {
    case .nothing: return false
    case .document(let key):
      guard hasGlobal || works[key] != nil else { return false }
    case .all: hasGlobal = true
    }
    messages.append(.client(message))
    return true
  }

  /// Holds a call of another process back, if its document is one of these; returns false for any other.
  mutating func hold(_ body: [UInt8], from caller: Int, about key: DocumentKey?) -> Bool {
    guard let key, works[key] != nil else { return false }
    messages.append(.call(from: caller, body, about: key))
    return true
  }

  /// Drops the calls of a process that is gone.
  mutating func forget(_ caller: Int) {
    messages.removeAll { if case .call(caller, _, _) = $0 { true } else { false } }
  }

  /// Takes out a request; returns false if it is not held back.
  mutating func cancel(_ request: RequestID) -> Bool {
    let index = messages.firstIndex {
      if case .client(.request(request, _, _)) = $0 { true } else { false }
    }
    return index.map { messages.remove(at: $0) } != nil
  }
}

extension IncomingMessage {
  fileprivate enum Subject {
    case nothing
    case document(DocumentKey)
    case all
  }

  /// Which documents it can read or change.
  fileprivate var subject: Subject {
    let (method, params): (String, JSON?)
    switch self {
    case .request(_, let name, let value), .notification(let name, let value):
      (method, params) = (name, value)
    case .response: return .nothing
    }
    if let uri = params?["textDocument"]?["uri"]?.string { return .document(DocumentKey(uri: uri)) }
    switch method {
    case "exit", "initialize", "initialized", "window/workDoneProgress/cancel",
      // What they resolve was made before.
      "codeAction/resolve", "codeLens/resolve",
      // Lists of what is known, which are asked for again when that is more.
      "workspace/diagnostic", "workspace/symbol":
      return .nothing
    case _ where method.hasPrefix("$/"): return .nothing
    default: return .all
    }
  }
}

// MARK: - The server

extension Server {
  /// Handles a message, or holds it back.
  func take(_ message: consuming IncomingMessage) {
    if !held.hold(message) { receive(consume message) }
  }

  /// Handles a call of another process, or holds it back.
  ///
  /// - Parameters:
  ///   - body: The message.
  ///   - caller: Who sent it.
  ///   - key: The open document that it is about; nil if its file is not open here.
  func take(_ body: [UInt8], from caller: Int, about key: DocumentKey?) {
    if !held.hold(body, from: caller, about: key) { receive(body, from: caller, about: key) }
  }

  /// Has the marks beside a document that has been opened read beside everything else, if that can take long.
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

  /// Has marks read beside everything else, if that can take long; returns false if it does not.
  func begin(_ reading: Effect.ReadingBeside, _ work: HeldMessages.Work) -> Bool {
    guard reading.length > Server.longComparison else { return false }
    held.begin(work, for: reading.document)
    baselines.want(.readBeside(reading))
    return true
  }

  /// Has a change recorded beside everything else.
  func record(
    _ recording: Effect.RecordingBeside,
    asToldBy params: DidChangeTextDocumentParams
  ) {
    held.begin(.change(params), for: recording.document)
    baselines.want(.recordBeside(recording))
  }

  /// Handles marks that were read; a transcript does not have them.
  func receiveMarks(_ result: EffectOutcome.Result, of effect: Effect.ReadingBeside) {
    guard let document = documents[effect.document], case .marks(let marks) = result else { return }
    switch held.work(for: document.key) {
    case .opening(let reading, let found, let record):
      // What is recorded is signed, and tracked, as the settings say now.
      if reading.options != trackerOptions(of: document),
        readBeside(document, found, record)
      {
        return
      }
      end(document) {
        recall(document, found, record, marks ?? reading.found)
        goOnIfSavedAs(document)
      }
    case .file(let reading, let file):
      if reading.options != trackerOptions(of: document), readMarks(in: file, of: document) {
        return
      }
      end(document) { take(file, asMarksOf: document, marks ?? reading.found) }
    case .change?, nil: break
    }
  }

  /// Handles a change that was recorded; a transcript does not have what came of it.
  func receiveRecorded(_ result: EffectOutcome.Result, of effect: Effect.RecordingBeside) {
    guard let document = documents[effect.document], case .recorded(let recorded) = result,
      case .change(let params)? = held.work(for: document.key)
    else { return }
    end(document) {
      if let recorded { document.note(recorded) }
      didChange(params, isRecorded: true)
    }
  }

  /// Ends what is being done for a document, and then handles what waited for that.
  private func end(_ document: Document, _ body: () -> Void) {
    let messages = held.end(document.key)
    body()
    for message in messages {
      switch message {
      case .client(let message): take(message)
      case .call(let caller, let body, let key): take(body, from: caller, about: key)
      }
    }
  }
}
