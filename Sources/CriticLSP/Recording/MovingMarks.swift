import JSONRPC
import TrackEngine

extension Server {
  /// Moves the marks of a document out of its text or into it, or takes those of its file for those of a text that the
  /// client shows without marks.
  ///
  /// The answer says where they are, or is null if the client is asked for an edit.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - place: Where the marks are to be.
  ///   - id: The request.
  /// - Throws: `ResponseError` if it cannot be done.
  func moveMarks(
    of document: Document,
    to place: MarksPlace,
    for id: RequestID
  ) throws(ResponseError) {
    let name = document.key.name
    guard document.place != place else { return respond(to: id, KeptMarks(place: place)) }
    guard !document.isSourceCode else {
      throw .requestFailed("\(name) is source code, which has no marks.")
    }
    guard !document.isOutOfStep, document.ourEdits.inFlightEdit == nil else {
      throw .requestFailed("The text is being changed; try again.")
    }
    if place == .file || document.place == .file, document.key.path == nil {
      throw .requestFailed("\(name) is not a file.")
    }
    switch (document.place, place) {
    case (.inline, .file):
      baselines.want(.findMarks(document.key))
      wait(for: .take, of: document.key, toAnswer: id)
    case (.inline, .beside) where document.key.path != nil:
      // Before they leave the text.
      let record = try move(of: document, to: place).after.tracker.buffer
      write(record, of: document, in: place)
      wait(for: .move(record.hash), of: document.key, toAnswer: id)
    case (.inline, _), (_, .inline):
      respond(to: id, try perform(move(of: document, to: place), in: document))
    default:
      throw .requestFailed("Move the marks of \(name) into its text first.")
    }
  }

  /// Asks for the edit that takes the marks out of a text, if they are still in it.
  func goOnMoving(_ key: DocumentKey, to place: MarksPlace) throws(ResponseError) -> LSPAny {
    guard let document = documents[key], document.place != place else {
      return KeptMarks(place: place)
    }
    return try perform(move(of: document, to: place), in: document)
  }

  private func move(
    of document: Document,
    to place: MarksPlace
  ) throws(ResponseError) -> MarksMove {
    guard let move = document.content.move(to: place) else {
      throw .requestFailed("Some changes of \(document.key.name) cannot be marked.")
    }
    return move
  }

  private func perform(
    _ move: MarksMove,
    in document: Document
  ) throws(ResponseError) -> LSPAny {
    guard !move.edits.isEmpty else {
      document.keepMarks(in: move.after, at: now)
      receiveMove(of: document)
      return KeptMarks(place: move.after.place)
    }
    guard client.appliesEdits else { throw .requestFailed("This editor does not take edits.") }
    var sent = request(move.edits, MarksMove.label, in: document)
    sent.move = move
    document.send(sent)
    return JSONNull()
  }

  /// Handles that the marks are elsewhere, by an edit of ours or because undo led back.
  func receiveMove(of document: Document) {
    tellMove(of: document)
    switch document.place {
    case .beside: writeRecord(of: document, isForced: true)
    case .inline: removeRecord(of: document)
    case .file: document.record.noteRecord(document.record.fileText)
    }
  }

  private func tellMove(of document: Document) {
    keepAnew(document)
    refreshes.add(.codeLenses, .inlayHints, .semanticTokens)
  }

  // MARK: - The file's marks

  /// Takes the marks of a document's file for those of its text, if the client shows it without them.
  func receiveMarks(_ result: EffectOutcome.Result, of key: DocumentKey) {
    guard case .found(_, let file) = result, let document = documents[key] else { return }
    if !readMarks(in: file, of: document) { take(file, asMarksOf: document) }
  }

  /// Has the marks of a document's file read beside everything else, if that can take long; returns false if it does
  /// not.
  func readMarks(in file: SidecarFile?, of document: Document) -> Bool {
    guard case .text(let bytes)? = file else { return false }
    let (_, record) = record(in: bytes, of: document, showing: document.text)
    let reading = Effect.ReadingBeside(
      of: document.key,
      document.text,
      .original(record.bytes, isTracking: document.tracks(nil, hasRecord: true)),
      trackerOptions(of: document)
    )
    return begin(reading, .file(reading, file))
  }

  /// Takes the marks of a document's file for those of its text, and answers who asked for that.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - document: The document.
  ///   - known: The marks, if they have been read.
  func take(_ file: SidecarFile?, asMarksOf document: Document, _ known: SidecarReading? = nil) {
    _ = answerWaiting(for: document.key, nil, failure(of: file, asMarksOf: document, known))
  }

  /// Takes the marks of a document's file for those of its text; returns why that cannot be done, if it cannot.
  private func failure(
    of file: SidecarFile?,
    asMarksOf document: Document,
    _ known: SidecarReading?
  ) -> String? {
    let name = document.key.name
    let bytes: [UInt8]
    switch file {
    case .unreadable(let reason)?: return "\(name) cannot be read: \(reason)"
    case .text(let text)?: bytes = text
    case nil: bytes = []
    }
    guard document.showsMarks else { return "The marks of \(name) are elsewhere." }
    guard document.record.written == nil else { return "\(name) has a record beside it." }
    let (marked, record) = record(in: bytes, of: document, showing: document.text)
    // Else the marks are in the text. A clean text can have what looks like one.
    if document.hasMarks, projected(record, in: document).text.hash != document.text.hash {
      return nil
    }
    let options = trackerOptions(of: document)
    let isTracking = document.tracks(nil, hasRecord: true)
    let reading =
      known
      ?? SidecarReading(of: document.text, since: record.bytes, isTracking: isTracking, options)
    guard case .beside(var projection) = reading else {
      return "\(name) is another text by now."
    }
    document.record.noteRecord(file == nil ? nil : TextHash(of: marked))
    if projection.record.hash != record.hash { document.record.noteUnsaved() }
    projection.setTracking(
      document.isRecording || isTracking && projection.tracker.counts.entries > 0
    )
    document.keepMarks(in: ProjectedText(projection, in: .file), at: now)
    tellMove(of: document)
    return nil
  }

  /// Answers `critic.write` when the file is written.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - id: The request.
  /// - Throws: `ResponseError` if there is nothing that could be written.
  func write(_ document: Document, for id: RequestID) throws(ResponseError) {
    let name = document.key.name
    guard document.place == .file else {
      throw .requestFailed("The editor does not hide marks of \(name).")
    }
    guard !document.isOutOfStep else { throw .requestFailed("\(name) is out of step; reopen it.") }
    let record = document.tracker.buffer
    guard record.hash != document.record.written else { return respond(to: id, JSONNull()) }
    write(record, of: document, in: .file)
    wait(for: .write(record.hash), of: document.key, toAnswer: id)
  }
}

extension Document {
  fileprivate var hasMarks: Bool { tracker.counts.entries > 0 || !tracker.isSettled }
}
