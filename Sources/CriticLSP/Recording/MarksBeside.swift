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
  /// - Returns: Whether the marks are beside the text, or would be if the record could be used.
  func putMarksBeside(
    _ document: Document,
    _ opened: Text,
    _ file: RecordFile?
  ) -> Bool {
    let name = document.key.name
    switch file {
    case .unreadable(let reason)?:
      log("\(document.uri): its record cannot be read: \(reason)", .error)
      show("\(name): record not readable; not tracked.", .error)
      setTracking(false, of: document)
      return true
    // Whoever moved the marks was stopped on the way: they are in the text.
    case .text(let bytes)? where bytes == opened.bytes && hasMarks(opened, document):
      return false
    case .text(let bytes)?:
      var projection = projected(Text(bytes), in: document)
      document.record.noteRecord(projection.record.hash)
      if projection.text.hash != opened.hash {
        guard projection.follow(to: opened.bytes) else {
          show("\(name).critic is of another text; not tracked.", .error)
          setTracking(false, of: document)
          return true
        }
        show("\(name): recorded what was changed elsewhere.", .info)
      }
      putBeside(projection, of: document)
      return true
    case nil:
      guard document.settings.marks == .beside, !hasMarks(opened, document) else {
        return false
      }
      putBeside(projected(opened, in: document), of: document)
      return true
    }
  }

  private func hasMarks(_ text: Text, _ document: Document) -> Bool {
    Tracker(text, options: document.tracker.options).counts.entries > 0
  }

  private func projected(_ record: Text, in document: Document) -> Projection {
    Projection(
      record: record,
      options: document.settings.trackerOptions(document.tracker.options.language, on: day)
    )
  }

  /// What was typed since the document was opened is recorded, too.
  private func putBeside(_ projection: Projection, of document: Document) {
    var projection = projection
    let shown = document.text
    if projection.text.hash != shown.hash { projection.change(to: shown.bytes) }
    document.putMarksBeside(projection, at: now)
  }

  // MARK: - Writing

  /// Writes the record of a document whose text is as it was saved.
  ///
  /// A text that never had marks gets no record.
  func writeRecord(of document: Document) {
    guard let projection = document.projection, document.key.path != nil,
      document.record.fileText == projection.text.hash
    else { return }
    guard !projection.isLost else {
      return show("\(document.key.name): record lost step; not written.", .error)
    }
    let known = document.record.written
    guard projection.record.hash != known else { return }
    guard known != nil || projection.tracker.counts.entries > 0 else { return }
    baselines.write(
      RecordFile.Writing(document: document.key, text: projection.record.bytes, known: known)
    )
    document.record.noteRecord(projection.record.hash)
  }

  /// Handles that a record was written, or not.
  func receiveWritten(_ result: EffectOutcome.Result, _ record: RecordFile.Writing) {
    guard case .failure(let reason) = result else { return }
    documents[record.document]?.record.noteRecord(record.known)
    log("\(record.document.uri): its record was not written: \(reason)", .error)
    show("\(record.document.name): record not written; see the log.", .error)
  }
}
