import JSONRPC
import TrackEngine

/// An open document: the editor's text with its version, and our edit that is in flight.
///
/// A class, because all parts of the server share the one instance. Others change its text by its verbs alone.
/// Invariants:
///
/// - The text comes from the client: it changes in ``change(to:_:_:at:)``, and in ``take(_:_:at:)`` where a text was
///   saved that no change led to.
/// - Every change of the content makes a new revision, so equal revisions mean equal lists of changes.
/// - At most one edit of ours is in flight. The ranges of what waits for it, and of what is asked about the text,
///   follow the text.
final class Document {
  /// As the client spells it.
  let uri: String
  let key: DocumentKey
  /// Whether it is source code, which is not tracked.
  let isSourceCode: Bool
  /// The last line break, which the client may count where there is none.
  var lastLineBreak: LastLineBreak
  /// The latest version that the client reported.
  private(set) var version: Int
  /// The text and its marks.
  private(set) var content: any DocumentText {
    didSet { revision = revisions.next() }
  }
  /// What the content was before the marks were moved, each time, to which undo and redo lead back; the latest last.
  private var beforeMoves: [any DocumentText] = []
  /// A new number for every state.
  private(set) var revision: Int
  /// Those that hold for it.
  private(set) var settings: Settings
  /// What is known of it beside what the client reports.
  var record: Record
  /// Which edits of ours the editor may still make.
  private(set) var ourEdits = EditsInFlight()
  /// Whether a change could not be read: the text is unknown until the client sends all of it.
  private(set) var isOutOfStep = false
  /// What waits until no edit of ours is in flight.
  var postponed = Postponed()
  /// Whether the user turned tracking on or off for this document; overrides the setting.
  var trackingChoice: Bool?
  /// When the user last changed the text, in milliseconds.
  private(set) var lastEdit = 0
  /// Where the last change was, as an offset.
  private(set) var lastPlace = 0
  /// Whether there may be something to mark that has not been looked at.
  private(set) var isUnmarked = false
  /// Whether so many edits failed that changes are marked on save only.
  private(set) var marksOnSaveOnly = false
  /// Whether an edit of ours is half made or half undone, so that the text may hold half of a mark.
  private(set) var isPassing = false
  /// When the list of changes is told.
  var listing = ListSchedule()
  /// What features keep of it between requests.
  var caches = FeatureCaches()

  private var log = ReportLog()
  private let revisions: Counter

  /// What a didChange meant, and the step to take.
  struct News {
    var step: Step
    /// The edit of ours that has landed.
    var landing: EditsInFlight.SentEdit?
    /// Whether it decided about a change, or undid what did.
    var mayHaveNewOriginal = false
    /// Whether the marks are elsewhere now.
    var hasMovedMarks = false
  }

  /// How many edits in a row may fail before the document is marked on save only.
  static let maxFailures = 3
  /// How many moves of the marks undo leads back over.
  private static let maxMoves = 16
  /// Reports of more changes than this are treated as one step.
  private static let maxSteps = 64
  /// Longer messages are not kept, in bytes: clients that send whole texts send them in order.
  private static let maxReportLength = 1 << 16

  init(
    uri: String,
    isSourceCode: Bool = false,
    lastLineBreak: LastLineBreak = LastLineBreak(),
    version: Int,
    tracker: Tracker,
    settings: Settings,
    revisions: Counter
  ) {
    self.uri = uri
    self.isSourceCode = isSourceCode
    self.lastLineBreak = lastLineBreak
    key = DocumentKey(uri: uri)
    record = Record(baseline: Baseline(document: key))
    self.version = version
    content = InlineText(tracker)
    self.settings = settings
    self.revisions = revisions
    revision = revisions.next()
  }

  /// The text that the editor shows.
  var text: Text { content.shown }

  /// The text with its marks, and what is pending.
  var tracker: Tracker { _read { yield content.tracker } }

  /// Where the marks are.
  var place: MarksPlace { content.place }

  /// Whether the editor shows the marks; see ``DocumentText/showsMarks``.
  var showsMarks: Bool { content.showsMarks }

  /// Whether tracking is on, as the user sees it.
  var isRecording: Bool { postponed.tracking ?? content.pendingState.isTracking }

  /// The state of the document.
  var state: State {
    if isOutOfStep { return .outOfStep }
    if let isOvertaken = ourEdits.isOvertaken { return isOvertaken ? .overtaken : .inFlight }
    let pending = content.pendingState
    if pending.isSettled { return record.lost?.isDue == true ? .changed : .settled }
    return pending.isHeld ? .held : .changed
  }

  /// The step to take on an event.
  func step(_ event: Event) -> Step { Document.step(event, in: state) }

  // MARK: - What is to be marked and told

  /// Notes what is recorded of a document that has been opened.
  func noteOpened(_ choice: Bool?, _ opened: Record.Opened, at now: Int) {
    trackingChoice = choice
    record.noteOpened(opened)
    if !tracker.isSettled { noteUnmarked(at: now) }
  }

  /// Notes that there is something to mark after a pause.
  private func noteUnmarked(at now: Int) {
    isUnmarked = true
    lastEdit = now
  }

  /// Notes an edit of the user's: what is pending is marked, and the list told, after a pause.
  func noteEdit(at now: Int, isListPulled: Bool) {
    noteUnmarked(at: now)
    record.lookSoon(at: now + settings.idleDelay)
    listing.noteEdit(at: now, entries: tracker.counts.entries, isPulled: isListPulled)
  }

  /// Notes that an edit of ours has landed.
  func noteLanding(at now: Int) {
    isUnmarked = state == .changed || state == .held
    listing.noteLanding(at: now, entries: tracker.counts.entries)
  }

  /// Notes that a change could not be read; returns false if the text was unknown before.
  func suspend() -> Bool {
    guard !isOutOfStep else { return false }
    isOutOfStep = true
    return true
  }

  /// Takes new settings, which may list and mark other things.
  func take(_ settings: Settings, on day: String?, at now: Int) {
    self.settings = settings
    sign(on: day)
    isUnmarked = true
    listing.publish(at: now)
  }

  /// Notes the day for the attribution of what is marked from now on.
  func sign(on day: String?) {
    content.options = settings.trackerOptions(tracker.options.language, on: day)
  }

  // MARK: - What is recorded

  /// Notes that tracking is to be on or off; returns false if it is already.
  func postponeTracking(_ isOn: Bool, at now: Int) -> Bool {
    let isNew = isOn != tracker.isTracking
    postponed.setTracking(isNew ? isOn : nil)
    listing.publish(at: now)
    return isNew
  }

  /// Turns tracking on or off if that was asked for and nothing is in the way.
  func changeTrackingIfDone() {
    guard let isOn = postponed.tracking, ourEdits.inFlightEdit == nil else { return }
    guard isOn || tracker.isSettled else { return }
    postponed.setTracking(nil)
    content.setTracking(isOn)
    log.forget()
  }

  /// Records what was changed since a text was the original.
  ///
  /// - Returns: Where, in the current text; nil if that cannot be told.
  func record(since original: [UInt8]) -> [Range<Int>]? {
    content.changePending { $0.record(since: original) } ?? nil
  }

  /// The same where it has been found what was missed.
  func record(_ missed: MissedChanges) -> [Range<Int>]? {
    content.changePending { $0.record(missed) }
  }

  /// Notes that changes were recorded without an edit of the user's; they can be taken as original.
  func noteRecorded(_ changes: [Range<Int>], at now: Int) {
    record.noteRecorded(changes)
    log.forget()
    noteUnmarked(at: now)
    listing.publish(at: now, entries: tracker.counts.entries + tracker.hunks.count)
  }

  /// Notes that marks are gone, and to put them back after a pause if that is due.
  func note(_ lost: LostMarks, at now: Int) {
    record.noteLost(lost)
    if lost.isDue { noteUnmarked(at: now) }
  }

  /// Has the marks kept in another way from now on.
  ///
  /// - Parameters:
  ///   - content: The text that the editor shows, and its marks.
  ///   - before: What the content was, if undo of the editor's may lead back there.
  ///   - now: In milliseconds.
  func keepMarks(
    in content: any DocumentText,
    since before: (any DocumentText)? = nil,
    at now: Int
  ) {
    if let before {
      beforeMoves.removeAll { $0.place == before.place && $0.shown.hash == before.shown.hash }
      beforeMoves = beforeMoves.suffix(Document.maxMoves - 1) + [before]
    } else {
      beforeMoves = []
    }
    self.content = content
    // What waits is about offsets of another text.
    postponed.forgetWishes()
    _ = record.takeQuestion()
    record.forgetLost()
    caches = FeatureCaches()
    log.forget()
    listing.publish(at: now)
  }

  /// Carries out what was asked for and changes only the record.
  func carryOut(_ plan: Projection.Plan, at now: Int) {
    move(after: content.carryOut(plan))
    noteDifference()
    log.forget()
    listing.publish(at: now)
  }

  /// Takes the text as it is in some ranges as the original; what is in marks there is to be accepted.
  func takeAsOriginal(_ ranges: [Range<Int>], at now: Int) {
    content.changePending { $0.takeAsOriginal(ranges) }
    log.forget()
    listing.publish(at: now)
    for range in ranges where !Review(tracker, around: range).changes(at: range).isEmpty {
      postponed.add(EditsInFlight.Wish(action: .resolve(range, .clean)))
    }
  }

  /// Takes all of the text as the original; returns what that was before.
  func takeAllAsOriginal(at now: Int) -> [UInt8] {
    let original = tracker.original
    content.changePending { $0.takeAllAsOriginal() }
    log.forget()
    listing.publish(at: now)
    return original
  }

  // MARK: - What waits

  /// Whether an action waits that can be done now.
  var hasNextWish: Bool { !postponed.wishes.isEmpty && step(.wish) == .perform }

  /// Takes out the action to do now.
  func nextWish() -> EditsInFlight.Wish? { hasNextWish ? postponed.nextWish() : nil }

  /// Takes out which changes to mark now.
  func nextMarks() -> MarkRequest? {
    ourEdits.inFlightEdit == nil ? postponed.nextMarks() : nil
  }

  // MARK: - Our edits

  /// Notes that what is pending is being marked.
  func noteMarking() { isUnmarked = false }

  /// What marks the pending changes; nil if nothing has to be marked, and then it is settled.
  func marking(isForced: Bool = true) -> Marking? {
    let marking = tracker.marking(isForced: isForced).withFewerEdits(of: tracker.buffer)
    guard marking.edits.isEmpty else { return marking }
    content.changePending { $0.settle(marking.remaining) }
    return nil
  }

  /// Makes an edit of ours of a marking of the current text.
  func makeOwnEdit(_ marking: Marking) -> OwnEdit {
    // Changing the content makes a new revision, so do it only for a change.
    if !tracker.isAtRest { content.changePending { $0.rest() } }
    return tracker.ownEdit(marking)
  }

  /// Notes that an action leaves the text as it is: it only accepts what is pending.
  func settle(at now: Int) {
    content.changePending { $0.settle() }
    listing.publish(at: now)
  }

  /// Remembers the edits of a code action, so that their text is recognized if the user chooses it.
  func offer(_ edits: [Edit]) { ourEdits.offer(tracker.ownEdit(edits)) }

  /// Notes that an edit was sent, and what for.
  func send(
    _ edit: EditsInFlight.SentEdit,
    for wish: EditsInFlight.Wish? = nil,
    forCall call: OwnerCall.ID? = nil,
    caret: Int? = nil
  ) {
    var edit = edit
    (edit.wish, edit.call, edit.caret) = (wish, call, caret)
    ourEdits.send(edit)
  }

  /// Notes that the client says it made the edit of a request.
  func confirm(_ request: Int, at now: Int) {
    if ourEdits.inFlightEdit?.request == request, step(.confirmation) == .startClock {
      ourEdits.confirm(at: now)
    } else {
      ourEdits.answer(request, at: now)
    }
  }

  /// Notes that the client did not make the edit of a request; returns it if it was in flight.
  func refuse(_ request: Int) -> EditsInFlight.SentEdit? {
    let step = step(.refusal)
    let edit = ourEdits.refuse(request)
    return step == .forget ? edit : nil
  }

  /// Gives up the edit in flight, if there is one; returns it.
  func giveUp() -> EditsInFlight.SentEdit? { step(.timeout) == .giveUp ? ourEdits.giveUp() : nil }

  /// Notes that an edit was not made.
  ///
  /// - Parameters:
  ///   - edit: The edit, which is no longer in flight.
  ///   - isRetried: Whether to compute after a pause what it was for.
  ///   - now: In milliseconds.
  /// - Returns: False if an action that it carried out is not tried again.
  func noteFailed(_ edit: EditsInFlight.SentEdit, isRetried: Bool, at now: Int) -> Bool {
    let showing = edit.edit.showing(in: text)
    // An edit that came astray looks like a part of it.
    if showing.extent != .nothing, !tracker.hasStrays {
      content.changePending { $0.stray(showing.takingBack) }
    }
    guard edit.call == nil else {
      // What the writer typed is marked when it would have been.
      isUnmarked = isUnmarked || tracker.hasStrays
      return true
    }
    isUnmarked = isRetried
    if !edit.isOvertaken { lastEdit = max(lastEdit, now) }
    return edit.wish.map { edit.isOvertaken && postponed.addAgain($0) } ?? true
  }

  /// Counts an edit that failed though the user did not edit on; returns whether from now on changes are marked on
  /// save only.
  func countFailure() -> Bool {
    guard ourEdits.fail() == Document.maxFailures, !marksOnSaveOnly else { return false }
    marksOnSaveOnly = true
    return true
  }

  // MARK: - What the client reports

  /// Applies a didChange.
  ///
  /// One that comes after a higher version is applied in its place, because its positions are those of
  /// the text that the client had then.
  ///
  /// - Parameters:
  ///   - version: The version it leads to.
  ///   - changes: `contentChanges`.
  ///   - encoding: How positions are counted.
  ///   - now: In milliseconds.
  /// - Returns: What the change meant, one item for each text on the way; empty for a repeated report.
  func change(
    to version: Int,
    _ changes: JSON,
    _ encoding: PositionEncoding,
    at now: Int
  ) -> [News] {
    guard log.receive(changes, to: version, from: self.version) else { return [] }
    guard let known = read(changes) else {
      log.forget()
      self.version = max(version, self.version)
      return [News(step: step(.unreadable))]
    }
    var later: [ReportLog.Report] = []
    while let last = log.removeLast(above: version) {
      note(last.inverse)
      move(after: content.restore(last.before, undoing: last.inverse))
      later.append(last)
    }
    let isLong = changes.rawBytes.count > Document.maxReportLength
    var news = apply(version, known, isLong: isLong, encoding, at: now)
    for report in later.reversed() {
      news += apply(report.version, report.changes, isLong: false, encoding, at: now)
    }
    noteDifference()
    follow(news.last?.step, at: now)
    isPassing = news.last?.step == .wait
    return news
  }

  /// What a didChange asks to be recorded beside the text, if that is so much that it takes long: a long text in place of
  /// another one.
  ///
  /// - Parameters:
  ///   - version: The version it leads to.
  ///   - changes: `contentChanges`.
  ///   - encoding: How positions are counted.
  /// - Returns: Nil if it does not take long.
  func longRecording(
    to version: Int,
    _ changes: JSON,
    _ encoding: PositionEncoding
  ) -> Effect.RecordingBeside? {
    let long = Server.longComparison
    guard changes.rawBytes.count > long, version > self.version, !isOutOfStep,
      ourEdits.inFlightEdit == nil, beforeMoves.isEmpty,
      let content = content as? ProjectedText, content.pendingState.isTracking,
      let changes = read(changes)
    else { return nil }
    var told: [Edit] = []
    var isLong = false
    let text = changes.forEachEdit(of: content.shown, encoding) { edit, text in
      let least = edit.trimmed(replacing: text[edit.range])
      isLong = isLong || min(least.range.count, least.new.count) > long
      told.append(edit)
    }
    return isLong
      ? Effect.RecordingBeside(of: key, told, in: content.projection, to: text) : nil
  }

  /// Notes what was recorded in advance.
  func note(_ recorded: RecordedBeside) {
    guard var content = content as? ProjectedText else { return }
    content.note(recorded)
    self.content = content
  }

  /// Whether a didChange tells what makes a saved text of the text, or begins to: it changes something where they differ.
  ///
  /// - Parameters:
  ///   - changes: `contentChanges`.
  ///   - saved: The text that was saved.
  ///   - encoding: How positions are counted.
  /// - Returns: Nil if it changes nothing.
  func leads(_ changes: JSON, to saved: [UInt8], _ encoding: PositionEncoding) -> Bool? {
    guard let changes = read(changes), !changes.isEmpty else { return nil }
    var place = Edit(0..<text.count, saved).trimmed(replacing: text.bytes[...]).range
    var isThere = false
    _ = changes.forEachEdit(of: text, encoding) { edit, _ in
      isThere = isThere || edit.range.touches(place)
      place = OffsetMap([edit]).map(place, start: .before, end: .after)
    }
    return isThere
  }

  /// Whether the editor showed a text a few reports ago.
  func hasPassed(_ text: TextHash) -> Bool { log.hasPassed(text) }

  /// Takes a text for what the editor shows, though no change led to it.
  func take(_ text: [UInt8], _ encoding: PositionEncoding, at now: Int) -> [News] {
    isOutOfStep = false
    let whole = TextDocumentContentChangeEvent(range: nil, text: text)
    let news = apply(version, [whole], isLong: true, encoding, at: now)
    noteDifference()
    follow(news.last?.step, at: now)
    return news
  }

  /// Tells what is kept of the text what has changed in it.
  private func noteDifference() {
    if let difference = content.takeDifference() { caches.note(difference) }
  }

  /// Lets our edits and what waits know of a report, by the step that it calls for.
  private func follow(_ step: Step?, at now: Int) {
    if step == .wait { ourEdits.wait(at: now) }
    guard step == .take || step == .takeBack || step == .overtake else { return }
    ourEdits.forgetOffers()
    postponed.overtake()
    if step == .overtake { ourEdits.overtake(at: now) }
  }

  /// Reads the changes that can be applied; nil if there are none.
  ///
  /// While the text is unknown that is only a change with the full text, and those after it.
  private func read(_ changes: JSON) -> [TextDocumentContentChangeEvent]? {
    guard var all = try? [TextDocumentContentChangeEvent](changes) else { return nil }
    for index in all.indices where all[index].range == nil {
      all[index].text = lastLineBreak.counted(all[index].text)
    }
    guard isOutOfStep else { return all }
    guard let whole = all.firstIndex(where: { $0.range == nil }) else { return nil }
    isOutOfStep = false
    return Array(all[whole...])
  }

  /// Moves what refers to places along with lists of edits, each made after the one before.
  private func move(after lists: [[Edit]]) {
    for edits in lists {
      for edit in edits.reversed() {
        postponed.move(after: edit)
        record.moveQuestion(after: edit)
        ourEdits.moveWish(after: edit)
      }
    }
  }

  /// Tells our edits about edits of the buffer, which are made one after the other.
  private func note(_ edits: [Edit]) {
    var text = text
    for edit in edits {
      ourEdits.note([edit], told: edit, on: text)
      text.replace(edit.range, with: edit.new)
    }
  }

  private func apply(
    _ version: Int,
    _ changes: [TextDocumentContentChangeEvent],
    isLong: Bool,
    _ encoding: PositionEncoding,
    at now: Int
  ) -> [News] {
    var news: [News] = []
    var left = changes.count
    let isAlone = changes.count == 1
    let isManySteps = changes.count > Document.maxSteps
    let (shown, before) = (text.hash, content.checkpoint)
    // Only then: a copy of the text costs the first edit a chunk.
    let start = beforeMoves.isEmpty ? nil : content
    var inverse: [Edit] = []
    ourEdits.beginReport(at: now, on: text, after: content.pendingState.epoch) {
      Conversions(text: $1, encoding: encoding).edits($0)
    }
    // What is told together means something together, unless a part of it can be a known edit.
    let isOneStep =
      content.takesTogether && ourEdits.inFlightEdit == nil && beforeMoves.isEmpty
    // Undo of a command that changed hundreds of places leads to a known text: no need to explain each part.
    let isKnown = isManySteps && !isOneStep && leadsBack(changes, encoding)
    for part in isOneStep ? [changes] : changes.map({ [$0] }) {
      left -= part.count
      let meant =
        content.meaning(of: part, encoding, isKnown: isKnown, isAlone: isAlone, &ourEdits)
      inverse += meant.inverse
      let made = content.make(meant)
      move(after: made)
      lastPlace = made.last?.first?.range.lowerBound ?? lastPlace
      // A command that changes hundreds of places is one step for the user.
      if left == 0 || !isManySteps {
        news += backToMarks(from: start, at: now) ?? arrive(isOver: left == 0, encoding, at: now)
      }
    }
    content.changePending { $0.endReport() }
    self.version = max(version, log.version ?? version)
    if isLong || news.contains(where: \.hasMovedMarks) {
      log.forget()
    } else {
      let inverse = Array(inverse.reversed())
      log.append(
        ReportLog.Report(
          version: version,
          changes: changes,
          shown: shown,
          before: before,
          inverse: inverse
        )
      )
    }
    return news
  }

  /// Whether changes, made one after the other, add or remove marks and lead to a known text.
  private func leadsBack(_ changes: [TextDocumentContentChangeEvent], _ encoding: PositionEncoding)
    -> Bool
  {
    var touchesMarks = false
    let text = changes.forEachEdit(of: text, encoding) { edit, text in
      touchesMarks = touchesMarks || edit.touchesMarks(on: text)
    }
    return touchesMarks && content.knows(text)
  }

  /// Explains the text that the last change led to.
  private func arrive(isOver: Bool, _ encoding: PositionEncoding, at now: Int) -> [News] {
    let explanation = ourEdits.explain(
      text,
      isOver: isOver,
      isTracking: content.pendingState.isTracking,
      isKnown: content.knows(text)
    ) { Conversions(text: $1, encoding: encoding).edits($0) }
    switch explanation {
    case .landing(let edit, let beside):
      if let move = edit.move {
        land(move, beside: beside, at: now)
      } else {
        self.move(after: content.land(edit, beside: beside))
      }
      let landing = News(
        step: step(.landing),
        landing: edit,
        mayHaveNewOriginal: edit.decides,
        hasMovedMarks: edit.move != nil
      )
      return beside.isEmpty ? [landing] : [landing, News(step: step(.edit))]
    case .passing:
      return [News(step: step(.passing))]
    case .astray(let takingBack):
      let isTakenBack = content.changePending { $0.stray(takingBack) } != nil
      return [News(step: step(isTakenBack ? .astray : .edit))]
    case nil:
      let arrival = content.changePending { tracker in
        tracker.arrive(orElse: ourEdits.news(tracker.buffer, isOver: isOver))
      }
      let step = step(arrival == .passing ? .passing : .edit)
      return [News(step: step, mayHaveNewOriginal: arrival == .known)]
    }
  }

  /// Notes that the marks are elsewhere, as an edit of ours has made the text, and what the user did beside it.
  private func land(_ move: MarksMove, beside: [Edit], at now: Int) {
    keepMarks(in: move.after, since: move.before, at: now)
    for edit in beside.reversed() { content.change(edit) }
  }

  /// Keeps the marks as they were kept before they were moved, if undo or redo has led to the text of then.
  ///
  /// - Parameters:
  ///   - start: The content when the report began; nil if they were never moved.
  ///   - now: In milliseconds.
  /// - Returns: What that means; nil if it has not.
  private func backToMarks(from start: (any DocumentText)?, at now: Int) -> [News]? {
    guard let start, ourEdits.inFlightEdit == nil,
      var before = beforeMoves.last(where: {
        $0.place != start.place && $0.shown.hash == text.hash
      })
    else { return nil }
    // A text that loses its last marks by decisions may be the clean text, too.
    if start.place == .inline, start.tracker.counts.entries == 0 { return nil }
    // What is typed from now on is signed as it would have been.
    before.options = start.options
    keepMarks(in: before, since: start, at: now)
    return [News(step: step(.edit), mayHaveNewOriginal: true, hasMovedMarks: true)]
  }
}

extension TextDocumentContentChangeEvent {
  /// The change as an edit of a text.
  func edit(of buffer: Text, _ encoding: PositionEncoding) -> Edit {
    let range = range.map { Conversions(text: buffer, encoding: encoding).offsets(of: $0) }
    return Edit(range ?? 0..<buffer.count, text)
  }
}

extension [TextDocumentContentChangeEvent] {
  /// Calls `body` with each change as an edit, and the text that it is made on.
  ///
  /// - Parameters:
  ///   - text: The text that the first one is made on.
  ///   - encoding: How positions are counted.
  ///   - body: What to do with each.
  /// - Returns: The text after the last one.
  func forEachEdit(
    of text: Text,
    _ encoding: PositionEncoding,
    _ body: (Edit, Text) -> Void
  ) -> Text {
    var text = text
    for change in self {
      let edit = change.edit(of: text, encoding)
      body(edit, text)
      text.replace(edit.range, with: edit.new)
    }
    return text
  }
}
