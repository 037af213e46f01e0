import TrackEngine

extension Server {
  /// Opens a document: as it was closed, if it has the same text, else as one whose text is settled.
  func didOpen(_ params: DidOpenTextDocumentParams) {
    let item = params.textDocument
    let key = DocumentKey(uri: item.uri)
    guard !key.isContent else { return }
    let wasOpen = documents[key] != nil
    let lastLineBreak = LastLineBreak(client.lastLineBreak(in: item.languageId), in: item.text)
    let text = Text(lastLineBreak.counted(item.text))
    let isSourceCode = SourceCode.isLanguage(item.languageId) || key.isCellsOfNotebook
    let settings = settings(of: key, text, isSourceCode: isSourceCode)
    let (same, last) = documents.takeClosed(text, key, at: now)
    let options = settings.trackerOptions(Language(id: item.languageId, key.path), on: writers.day)
    var tracker = (same ?? last)?.tracker ?? Tracker(text, isTracking: false, options: options)
    tracker.options = options
    if same == nil {
      // Undo in the editor leads to the text before it was read again.
      if last != nil { tracker.reopen(with: text) }
      let goesOn = settings.tracking == .auto && !isSourceCode && tracker.isTracking
      let choice = isSourceCode ? nil : last?.choice
      tracker.setTracking(goesOn || settings.tracks(tracker, choice: choice))
    }
    let document = Document(
      uri: item.uri,
      isSourceCode: isSourceCode,
      lastLineBreak: lastLineBreak,
      version: item.version,
      tracker: tracker,
      settings: settings,
      revisions: revisions
    )
    let original = last.flatMap { $0.tracker.isTracking ? $0.tracker.original : nil }
    let opened = Record.Opened(
      text: text,
      original: original,
      isTakenOver: same?.isRecalled == true,
      wasOpen: wasOpen,
      lost: !wasOpen ? original.flatMap { last?.lostMarks(original: $0, in: text) } : nil,
      newAt: wasOpen || same?.key == key || last != nil ? nil : now
    )
    document.noteOpened(same?.choice ?? last?.choice, opened, at: now)
    if let lost = same?.lost { document.note(lost, at: now) }
    if !client.pullsDiagnostics { document.listing.publish(at: now) }
    documents.add(document, closedAs: same?.key)
    guard let path = key.path else { return recall(document, nil, nil) }
    documents.noteOpened(text, at: path, now)
    followRename(to: path)
    baselines.reopen(key)
    baselines.want(.recall(key, text.hash))
    guard let same, same.key == key, let stamp = same.stamp, !tracker.isSettled else {
      return baselines.want(.look(key, nil))
    }
    // Some editors report what they have read again from a file, and then open it once more.
    document.record.noteStamp(stamp)
    look(at: document)
  }

  /// Handles what was kept of a document that has been opened.
  func receiveBaseline(_ result: EffectOutcome.Result, of key: DocumentKey) {
    if case .failure(let reason) = result {
      logOnce("What is known of documents is lost: \(reason)")
    }
    guard let document = documents[key] else { return }
    guard case .found(let found, let record) = result else {
      document.record.noteKnown()
      return recall(document, nil, nil)
    }
    if record != nil || found?.baseline.document == key { document.record.noteKnown() }
    if readBeside(document, found, record) { return }
    recall(document, found, record)
    goOnIfSavedAs(document)
  }

  /// Takes up what was kept of a document, and records what was changed while nobody did.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - found: What was kept of it.
  ///   - record: What lies beside it.
  ///   - marks: The marks beside it, if they have been read.
  func recall(
    _ document: Document,
    _ found: BaselineFolder.Found?,
    _ record: SidecarFile?,
    _ marks: SidecarReading? = nil
  ) {
    guard let opened = document.record.takeOpened() else { return }
    let kept = found?.baseline
    // What was said since the document was opened counts more.
    if document.trackingChoice == nil, document.settings.remembersTracking {
      document.trackingChoice = kept?.choice
    }
    let isBeside =
      !document.isSourceCode && putMarksBeside(document, opened.text, record, found, marks)
    let isTracked = document.tracks(kept, hasRecord: !document.showsMarks && record != nil)
    // With a record that cannot be used nothing is to be recorded.
    let canRecord = !isBeside || !document.showsMarks
    if canRecord, !opened.isTakenOver, isTracked != document.isRecording,
      document.trackingChoice != nil || isTracked || document.settings.tracking == .off
    {
      setTracking(isTracked, of: document)
    }
    defer {
      // Of a text that has changes without marks it is not enough to know that it is the same.
      document.record.noteText(document.tracker.isSettled ? opened.text.hash : nil)
      keep(document)
    }
    guard !isBeside, !opened.isTakenOver, document.isRecording else { return }
    // The client says next that the marks are in the file.
    if document.settings.marks == .file, !opened.text.hasMarks(document.tracker.options) { return }
    recordMeanwhile(document, opened, found)
  }

  private func recordMeanwhile(
    _ document: Document,
    _ opened: Record.Opened,
    _ found: BaselineFolder.Found?
  ) {
    if let lost = opened.lost, receive(lost, in: opened.text, of: document) { return }
    let kept = found?.baseline
    let isKnown = kept?.isRecorded == true || opened.original != nil
    guard isKnown, kept?.text != opened.text.hash || opened.wasOpen else { return }
    let present = Tracker(opened.text, options: document.tracker.options).original
    // Some editors count a last line break that the file lacks.
    let original = (opened.original ?? found?.original)?.ending(like: present)
    if original == present || original == nil && kept?.original == TextHash(of: present) { return }
    let name = document.key.name
    guard let original else {
      return show("\(name): changed meanwhile, not recorded.", .info)
    }
    if opened.original != nil, !opened.wasOpen {
      return askAboutChanges(in: document, since: original)
    }
    record(Record.Compared(original: original, isAsked: false), in: document)
  }

  /// Records what was changed since a text was the original: at once in short texts, else when that has been compared,
  /// beside everything else.
  private func record(_ compared: Record.Compared, in document: Document) {
    let text = document.tracker.settled
    guard text.count + compared.original.count > Server.longComparison else {
      return take(document.record(since: compared.original), compared, in: document)
    }
    document.record.beginComparing(compared)
    let language = document.tracker.options.language
    baselines.want(
      .compare(Effect.Comparing(of: document.key, text, with: compared.original, as: language))
    )
  }

  /// Longer texts, in bytes of both together, are compared, read and recorded beside everything else: a turn of their
  /// length takes some ms.
  static let longComparison = 1 << 14

  /// Handles what was found in a comparison; a text that was marked meanwhile is compared once more.
  func receiveDifferences(_ result: EffectOutcome.Result, of comparing: Effect.Comparing) {
    guard let document = documents[comparing.document], let compared = document.record.compared,
      case .missed(let missed) = result
    else { return }
    let text = document.tracker.settled
    guard comparing.hashes == [text.hash, TextHash(of: compared.original)] else {
      return record(compared, in: document)
    }
    document.record.endComparing()
    let changes = missed.flatMap { document.record($0) }
    take(changes, compared, in: document)
    // The original is then what it was.
    let isOriginal = changes != nil && document.tracker.isTracking
    keep(document, original: isOriginal ? compared.original : nil)
  }

  /// Takes what was recorded, nil if that could not be, and says so.
  private func take(
    _ changes: [Range<Int>]?,
    _ compared: Record.Compared,
    in document: Document
  ) {
    let name = document.key.name
    guard let changes else {
      return show("\(name): changed meanwhile, not recorded.", .warning)
    }
    guard compared.isAsked || !changes.isEmpty else { return }
    document.noteRecorded(changes, at: now)
    if compared.isAsked { return }
    ask("\(name): recorded \(counted(changes.count, "lost change")).", about: document, [.take])
  }

  // MARK: - Questions

  /// Asks what to do with changes that nobody recorded; a client that cannot ask says only that there are some.
  func ask(_ question: String, about document: Document, _ answers: [MeanwhileAnswer]) {
    guard client.asksQuestions else { return show(question, .info) }
    request(
      "window/showMessageRequest",
      for: .meanwhile(document: document.key),
      ShowMessageRequestParams(type: .info, message: question, actions: answers.map(\.rawValue))
    )
  }

  /// Handles the answer to such a question.
  func receiveAnswer(_ title: String?, about key: DocumentKey) {
    guard let document = documents[key], let answer = title.flatMap(MeanwhileAnswer.init) else {
      return
    }
    decideMeanwhile(answer, in: document)
  }

  /// Does with changes that nobody recorded what the user wants; returns false if there are none.
  @discardableResult
  func decideMeanwhile(_ answer: MeanwhileAnswer, in document: Document) -> Bool {
    switch (document.record.takeQuestion(), answer) {
    case (.lost?, .putBack), (.lost?, .record):
      putMarksBackAsAsked(in: document)
      return true
    case (.lost?, .leave), (.lost?, .take): document.record.forgetLost()
    case (.taken(let original)?, .record):
      record(Record.Compared(original: original, isAsked: true), in: document)
    case (.recorded(let ranges)?, .take):
      document.takeAsOriginal(ranges, at: now)
      doWhatWaits(in: document)
    case (.taken?, _), (.recorded?, _): break
    case (nil, _): return false
    }
    keepAnew(document)
    return true
  }
}

extension Document {
  /// Whether changes are to be recorded.
  ///
  /// - Parameters:
  ///   - kept: What was kept of the document, if its choice is not known yet.
  ///   - hasRecord: Whether there are marks that are not in the text: whoever has them wants to know of changes.
  /// - Returns: Whether they are.
  func tracks(_ kept: Baseline?, hasRecord: Bool) -> Bool {
    let choice = trackingChoice ?? (settings.remembersTracking ? kept?.choice : nil)
    guard hasRecord, choice == nil else {
      return settings.tracks(tracker, choice: choice, kept: kept)
    }
    return settings.tracking != .off
  }
}

/// What to do with changes that nobody recorded, as the user is asked.
enum MeanwhileAnswer: String {
  case record = "Record what was changed meanwhile"
  case take = "Take as original"
  case putBack = "Put the marks back"
  case leave = "Leave it"
}
