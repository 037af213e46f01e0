import TrackEngine

extension Server {
  /// Has the marks of a document that has been opened beside its text, if its record lies there, or if the setting says
  /// so and it has none.
  ///
  /// What was changed in the text since the record was written is recorded.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - opened: The text that it was opened with.
  ///   - file: The record; nil if there is none.
  ///   - found: What was kept of the document.
  ///   - known: The marks beside the text, if they have been read.
  /// - Returns: Whether the marks are beside the text, or would be if the record could be used.
  func putMarksBeside(
    _ document: Document,
    _ opened: Text,
    _ file: SidecarFile?,
    _ found: BaselineFolder.Found?,
    _ known: SidecarReading?
  ) -> Bool {
    let name = document.key.name
    switch file {
    case .unreadable(let reason)?:
      log("\(document.uri): its record cannot be read: \(reason)", .error)
      show("\(name): record not readable; not tracked.", .error)
      setTracking(false, of: document)
      return true
    case .text(let bytes)?:
      let (file, record) = record(in: bytes, of: document, showing: opened)
      switch known ?? SidecarReading(of: opened, record.bytes, trackerOptions(of: document)) {
      case .inline:
        document.record.noteRecord(TextHash(of: file))
        return false
      case .beside(let projection):
        if projection.record.hash != record.hash {
          show("\(name): recorded what was changed elsewhere.", .info)
        }
        document.record.noteRecord(TextHash(of: file))
        putBeside(projection, of: document)
        return true
      case .refused(let refusal):
        log("\(document.uri): \(refusal.sentence(of: name)).", .error)
        show("\(name).critic \(refusal.reason); not tracked.", .error)
        setTracking(false, of: document)
        return true
      }
    case nil:
      guard document.settings.marks == .beside, !opened.hasMarks(document.tracker.options) else {
        return false
      }
      let lost = original(of: opened, found).flatMap { original -> Projection? in
        let options = trackerOptions(of: document)
        let isTracking = document.tracks(nil, hasRecord: true)
        let reading =
          known ?? SidecarReading(of: opened, since: original, isTracking: isTracking, options)
        return unsaved(reading, in: document)
      }
      putBeside(lost ?? projected(opened, in: document), of: document)
      return true
    }
  }

  /// The marks beside a document that has been opened, to be read; nil if there are none.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - found: What was kept of it.
  ///   - file: The record; nil if there is none.
  /// - Returns: What is to be read.
  func reading(
    of document: Document,
    _ found: BaselineFolder.Found?,
    _ file: SidecarFile?
  ) -> Effect.ReadingBeside? {
    guard !document.isSourceCode, let opened = document.record.openedText else { return nil }
    let source: Effect.ReadingBeside.Source
    switch file {
    case .unreadable?: return nil
    case .text(let bytes)?:
      source = .sidecar(record(in: bytes, of: document, showing: opened).record.bytes)
    case nil:
      guard document.settings.marks == .beside, let original = original(of: opened, found),
        !opened.hasMarks(document.tracker.options)
      else { return nil }
      source = .original(
        original,
        isTracking: document.tracks(found?.baseline, hasRecord: true)
      )
    }
    return Effect.ReadingBeside(of: document.key, opened, source, trackerOptions(of: document))
  }

  /// The original of a text that has no record yet, if a server was stopped before what was changed in it was saved.
  private func original(of opened: Text, _ found: BaselineFolder.Found?) -> [UInt8]? {
    guard let found, found.baseline.isRecorded, found.baseline.text != opened.hash else {
      return nil
    }
    return found.original
  }

  /// What was changed since that original; nil if nothing was.
  private func unsaved(_ reading: SidecarReading, in document: Document) -> Projection? {
    guard case .beside(let projection) = reading, projection.tracker.counts.entries > 0 else {
      return nil
    }
    show("\(document.key.name): recorded lost changes.", .info)
    return projection
  }

  /// The record in a file that was read, as the client of a document counts its lines.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - document: The document.
  ///   - text: The text of which it is the record.
  /// - Returns: The file with the line ends of the text, and the record in it.
  func record(
    in bytes: [UInt8],
    of document: Document,
    showing text: Text
  ) -> (file: [UInt8], record: Text) {
    let file = bytes.withLineEnds(of: text.bytes)
    return (file, document.lastLineBreak.read(file))
  }

  /// A record and its clean text, as the settings of a document have it tracked.
  func projected(_ record: Text, in document: Document) -> Projection {
    Projection(record: record, options: trackerOptions(of: document))
  }

  /// How a document is tracked as the settings say now.
  func trackerOptions(of document: Document) -> Tracker.Options {
    document.settings.trackerOptions(document.tracker.options.language, on: writers.day)
  }

  /// What was typed since the document was opened is recorded, too, if the document is tracked.
  private func putBeside(_ projection: Projection, of document: Document) {
    var projection = projection
    let shown = document.text
    if projection.text.hash != shown.hash {
      projection.setTracking(document.tracks(nil, hasRecord: true))
      projection.change(to: shown.bytes)
      projection.setTracking(true)
    }
    document.keepMarks(in: ProjectedText(projection, in: .beside), at: now)
  }

  // MARK: - Writing

  /// Writes the record of a document whose text is as it was saved; removes that of one whose marks are in its text.
  ///
  /// A text that never had marks gets no record.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - isForced: Whether to write it though the text is not saved yet.
  func writeRecord(of document: Document, isForced: Bool = false) {
    guard !document.showsMarks else { return removeRecord(of: document) }
    guard document.key.path != nil,
      isForced || document.record.fileText == document.text.hash
    else { return }
    let known = document.record.written
    let record = document.lastLineBreak.written(document.tracker.buffer)
    guard record.hash != known else { return }
    guard known != nil || document.tracker.counts.entries > 0 else { return }
    write(record, of: document, in: document.place)
  }

  /// Writes a record beside a document or into its file.
  func write(_ record: Text, of document: Document, in place: MarksPlace) {
    let (key, known) = (document.key, document.record.written)
    baselines.want(
      .writeRecord(.init(document: key, place: place, text: record.bytes, known: known))
    )
    document.record.noteRecord(record.hash)
  }

  /// Removes the record that lies beside a document whose marks are in its text, once they are saved there.
  ///
  /// It is brought up to the text first, for only one that holds the same is removed.
  func removeRecord(of document: Document) {
    guard document.showsMarks, let known = document.record.written,
      document.record.fileText == document.text.hash
    else { return }
    let text = document.lastLineBreak.written(document.text)
    if known != text.hash { write(text, of: document, in: .beside) }
    baselines.want(
      .writeRecord(.init(document: document.key, place: .beside, text: nil, known: text.hash))
    )
    document.record.noteRecord(nil)
  }

  /// Handles that a record was written, or not.
  func receiveWritten(_ result: EffectOutcome.Result, _ record: SidecarFile.Writing) {
    let name = record.document.name
    var failure: String?
    if case .failure(let reason) = result {
      documents[record.document]?.record.noteRecord(record.known)
      log("\(record.document.uri): its record was not written: \(reason)", .error)
      failure = "\(name) was not written: \(reason)."
    }
    // Nobody waits for a record to be removed.
    let written = record.text.map { TextHash(of: $0) }
    let isTold = written != nil && answerWaiting(for: record.document, written, failure)
    if failure != nil, !isTold { show("\(name): record not written; see the log.", .error) }
  }
}
