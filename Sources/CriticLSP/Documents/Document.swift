import JSONRPC
import TrackEngine

/// An open document: the editor's text with its version, and our edit that is in flight.
///
/// A class, because all parts of the server share the one instance. Others change it by its verbs alone. Invariants:
///
/// - The text comes from the client: it changes in ``change(to:_:_:at:)``, and in ``take(_:_:at:)`` where a text was
///   saved that no change led to.
/// - Where the editor shows the text without marks, the tracker is that of the record, of which nothing is pending.
/// - Every change of the tracker makes a new revision, so equal revisions mean equal lists of changes.
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
  private(set) var tracker: Tracker {
    didSet { revision = revisions.next() }
  }
  /// Where the marks are.
  private(set) var place = MarksPlace.inline
  /// The text without marks, and its record; nil where the marks are in the text.
  private(set) var projection: Projection? {
    didSet { if let projection { tracker = projection.tracker } }
  }
  /// How the marks were kept before they were moved, to which undo leads back; nil if they were not.
  private var beforeMove: MarksMove.Side?
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
  private(set) var postponed = Postponed()
  /// Whether the user turned tracking on or off for this document; overrides the setting.
  private(set) var trackingChoice: Bool?
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
  private(set) var listing = ListSchedule()
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
    self.tracker = tracker
    self.settings = settings
    self.revisions = revisions
    revision = revisions.next()
  }

  /// The text that the editor shows.
  var text: Text { projection?.text ?? tracker.buffer }

  /// Whether tracking is on, as the user sees it.
  var isRecording: Bool { postponed.tracking ?? tracker.isTracking }

  /// The state of the document.
  var state: State {
    if isOutOfStep { return .outOfStep }
    if let edit = ourEdits.inFlightEdit { return edit.isOvertaken ? .overtaken : .inFlight }
    if tracker.isSettled { return record.lost?.isDue == true ? .changed : .settled }
    return tracker.isHeld ? .held : .changed
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
    let options = settings.trackerOptions(tracker.options.language, on: day)
    if projection == nil { tracker.options = options } else { projection?.options = options }
  }

  /// Has the list told at the end of this turn.
  func listNow(at now: Int) { listing.publish(at: now) }

  /// Whether the list is to be told now; it is not told again then.
  func takeDueListing(at now: Int) -> Bool { listing.takeDue(at: now) }

  // MARK: - What is recorded

  /// Notes whether the user wants tracking on or off; nil if that is not known.
  func choose(_ isOn: Bool?) { trackingChoice = isOn }

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
    if projection == nil { tracker.setTracking(isOn) } else { projection?.setTracking(isOn) }
    log.forget()
  }

  /// Records what was changed since a text was the original.
  ///
  /// - Returns: Where, in the current text; nil if that cannot be told.
  func record(since original: [UInt8]) -> [Range<Int>]? { tracker.record(since: original) }

  /// The same by the edits that lead back to then.
  func record(undoneBy back: [Edit]) -> [Range<Int>] { tracker.record(undoneBy: back) }

  /// Notes that changes were recorded without an edit of the user's; they can be taken as original.
  func noteRecorded(_ changes: [Range<Int>], at now: Int) {
    record.noteRecorded(changes)
    log.forget()
    noteUnmarked(at: now)
    listing.publish(at: now)
  }

  /// Notes that marks are gone, and to put them back after a pause if that is due.
  func note(_ lost: LostMarks, at now: Int) {
    record.noteLost(lost)
    if lost.isDue { noteUnmarked(at: now) }
  }

  /// How positions and offsets of it are converted for a client.
  func conversions(for client: Client) -> Conversions {
    projection.map { Conversions($0, encoding: client.encoding) }
      ?? Conversions(text: tracker.buffer, encoding: client.encoding)
  }

  /// How the marks are kept.
  var marksSide: MarksMove.Side {
    MarksMove.Side(text: text.hash, place: place, tracker: tracker, projection: projection)
  }

  /// Has the marks kept in another way from now on.
  ///
  /// - Parameters:
  ///   - side: How; its text is the one that the editor shows.
  ///   - before: How they were kept, if undo of the editor's may lead back there.
  ///   - now: In milliseconds.
  func keepMarks(_ side: MarksMove.Side, since before: MarksMove.Side? = nil, at now: Int) {
    beforeMove = before
    place = side.place
    projection = side.projection
    if projection == nil { tracker = side.tracker }
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
    move(after: projection?.carryOut(plan) ?? [])
    noteDifference()
    log.forget()
    listing.publish(at: now)
  }

  /// Takes the text as it is in some ranges as the original; what is in marks there is to be accepted.
  func takeAsOriginal(_ ranges: [Range<Int>], at now: Int) {
    tracker.takeAsOriginal(ranges)
    log.forget()
    listing.publish(at: now)
    for range in ranges where !Review(tracker, around: range).changes(at: range).isEmpty {
      postpone(EditsInFlight.Wish(action: .resolve(range, .clean)))
    }
  }

  /// Takes all of the text as the original; returns what that was before.
  func takeAllAsOriginal(at now: Int) -> [UInt8] {
    let original = tracker.original
    tracker.takeAllAsOriginal()
    log.forget()
    listing.publish(at: now)
    return original
  }

  // MARK: - What waits

  /// Does an action once nothing is in its way.
  func postpone(_ wish: EditsInFlight.Wish) { postponed.add(wish) }

  /// Marks once our edit is no longer in flight.
  func postpone(_ asked: MarkRequest) { postponed.add(asked) }

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
    tracker.settle(marking.remaining)
    return nil
  }

  /// Makes an edit of ours of a marking of the current text.
  func makeOwnEdit(_ marking: Marking) -> OwnEdit {
    // Assigning to the tracker makes a new revision, so do it only for a change.
    if !tracker.isAtRest { tracker.rest() }
    return tracker.ownEdit(marking)
  }

  /// Notes that an action leaves the text as it is: it only accepts what is pending.
  func settle(at now: Int) {
    tracker.settle()
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
    if projection == nil, showing.extent != .nothing, !tracker.hasStrays {
      tracker.stray(showing.takingBack)
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
      restore(last)
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
    let difference =
      projection == nil ? tracker.takeDifference() : projection?.takeDifference()
    if let difference { caches.note(difference) }
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

  /// Returns to the text before a report.
  private func restore(_ report: ReportLog.Report) {
    if let before = report.projection {
      move(after: projection?.edits(backTo: before).map { [$0] } ?? [])
      projection = before
    } else {
      tracker.restore(report.state, undoing: report.inverse)
      for edit in report.inverse { moveRanges(after: edit) }
    }
  }

  /// Moves what refers to places along with lists of edits, each made after the one before.
  private func move(after lists: [[Edit]]) {
    for edits in lists { for edit in edits.reversed() { moveRanges(after: edit) } }
  }

  private func moveRanges(after edit: Edit) {
    postponed.move(after: edit)
    record.moveQuestion(after: edit)
    ourEdits.moveWish(after: edit)
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
    let state = tracker.state
    let before = projection
    // Only then: a copy of the text costs the first edit a chunk.
    let side = beforeMove == nil ? nil : marksSide
    var inverse: [Edit] = []
    ourEdits.beginReport(at: now, on: text, after: tracker.epoch) {
      Conversions(text: $1, encoding: encoding).edits($0)
    }
    // Undo of a command that changed hundreds of places leads to a known text: no need to explain each part.
    let isKnown =
      projection == nil && isManySteps && leadsBack(changes, encoding)
    // Beside the text they mean something together, unless one of them can be a known edit.
    let isOneStep = projection != nil && ourEdits.inFlightEdit == nil && beforeMove == nil
    for changes in isOneStep ? [changes] : changes.map({ [$0] }) {
      left -= changes.count
      if projection == nil {
        // If a copy of the text outlived this line, the edit would have to copy its chunk.
        let told = changes[0].edit(of: text, encoding)
        inverse += take(told, isKnown: isKnown, isAlone: isAlone)
      } else {
        inverse += take(changes, encoding)
      }
      // A command that changes hundreds of places is one step for the user.
      if left == 0 || !isManySteps {
        news += backToMarks(from: side, at: now) ?? arrive(isOver: left == 0, encoding, at: now)
      }
    }
    tracker.endReport()
    self.version = max(version, log.version ?? version)
    if isLong || news.contains(where: \.hasMovedMarks) {
      log.forget()
    } else {
      let inverse = Array(inverse.reversed())
      log.append(
        ReportLog.Report(
          version: version,
          changes: changes,
          state: state,
          projection: before,
          inverse: inverse
        )
      )
    }
    return news
  }

  /// Takes an edit of a text that has its marks in it; returns the edits that take it back, the last one first.
  private func take(_ told: Edit, isKnown: Bool, isAlone: Bool) -> [Edit] {
    let isOurs =
      isKnown || ourEdits.isPart(told, of: tracker.buffer)
      || isAlone && ourEdits.makesAll(told, of: tracker.buffer)
    let meaning = tracker.meaning(of: told, isOurs: isOurs)
    var inverse: [Edit] = []
    for edit in meaning.edits.reversed() {
      let back = edit.range.lowerBound..<edit.range.lowerBound + edit.new.count
      inverse.append(Edit(back, Array(tracker.buffer[edit.range])))
      moveRanges(after: edit)
    }
    ourEdits.note(meaning.edits, told: told, on: tracker.buffer)
    tracker.apply(meaning)
    lastPlace = meaning.edits.first?.range.lowerBound ?? lastPlace
    return inverse
  }

  /// Takes changes of a text that has its marks beside it; returns the edits that take them back, the first one first.
  private func take(
    _ changes: [TextDocumentContentChangeEvent],
    _ encoding: PositionEncoding
  ) -> [Edit] {
    var shown = text
    var told: [Edit] = []
    var inverse: [Edit] = []
    for change in changes {
      let edit = change.edit(of: shown, encoding)
      let start = edit.range.lowerBound
      inverse.append(Edit(start..<start + edit.new.count, Array(shown[edit.range])))
      ourEdits.note([edit], told: edit, on: shown)
      shown.replace(edit.range, with: edit.new)
      told.append(edit)
    }
    let made = projection?.change(told) ?? []
    move(after: made)
    lastPlace = made.last?.first?.range.lowerBound ?? lastPlace
    return inverse
  }

  /// Whether changes, made one after the other, add or remove marks and lead to a known text.
  private func leadsBack(_ changes: [TextDocumentContentChangeEvent], _ encoding: PositionEncoding)
    -> Bool
  {
    var text = tracker.buffer
    var touchesMarks = false
    for change in changes {
      let edit = change.edit(of: text, encoding)
      touchesMarks = touchesMarks || edit.touchesMarks(on: text)
      text.replace(edit.range, with: edit.new)
    }
    return touchesMarks && tracker.knows(text)
  }

  /// Explains the text that the last change led to.
  private func arrive(isOver: Bool, _ encoding: PositionEncoding, at now: Int) -> [News] {
    let explanation = ourEdits.explain(
      text,
      isOver: isOver,
      isTracking: tracker.isTracking,
      isKnown: projection == nil && tracker.knows(tracker.buffer)
    ) { Conversions(text: $1, encoding: encoding).edits($0) }
    switch explanation {
    case .landing(let edit, let beside):
      if let move = edit.move {
        land(move, beside: beside, at: now)
      } else if let plan = edit.plan {
        self.move(after: projection?.carryOut(plan, beside: beside) ?? [])
      } else {
        tracker.land(edit.edit, beside: beside)
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
    case .astray(let takingBack) where projection == nil:
      tracker.stray(takingBack)
      return [News(step: step(.astray))]
    case .astray, nil:
      return [projection == nil ? arriveAnew(isOver: isOver) : News(step: step(.edit))]
    }
  }

  /// Notes that the marks are elsewhere, as an edit of ours has made the text, and what the user did beside it.
  private func land(_ move: MarksMove, beside: [Edit], at now: Int) {
    keepMarks(move.after, since: move.before, at: now)
    for edit in beside.reversed() {
      if projection != nil {
        projection?.change(edit)
      } else {
        tracker.apply(tracker.meaning(of: edit, isOurs: false))
        _ = tracker.arrive(orElse: .edit)
      }
    }
  }

  /// Keeps the marks as they were kept before they were moved, if undo has led back to the text of then.
  ///
  /// - Parameters:
  ///   - side: How they were kept when the report began; nil if they were never moved.
  ///   - now: In milliseconds.
  /// - Returns: What that means; nil if it has not.
  private func backToMarks(from side: MarksMove.Side?, at now: Int) -> [News]? {
    guard let side, let before = beforeMove, before.text == text.hash,
      ourEdits.inFlightEdit == nil, before.place != side.place
    else { return nil }
    // A text that loses its last marks by decisions may be the clean text, too.
    if side.place == .inline, side.tracker.counts.entries == 0 { return nil }
    keepMarks(before, since: side, at: now)
    return [News(step: step(.edit), mayHaveNewOriginal: true, hasMovedMarks: true)]
  }

  /// Explains a text that no edit of ours does.
  private func arriveAnew(isOver: Bool) -> News {
    let arrival = tracker.arrive(orElse: ourEdits.news(tracker.buffer, isOver: isOver))
    let step = step(arrival == .passing ? .passing : .edit)
    return News(step: step, mayHaveNewOriginal: arrival == .known)
  }
}

extension TextDocumentContentChangeEvent {
  /// The change as an edit of a text.
  func edit(of buffer: Text, _ encoding: PositionEncoding) -> Edit {
    let range = range.map { Conversions(text: buffer, encoding: encoding).offsets(of: $0) }
    return Edit(range ?? 0..<buffer.count, text)
  }
}
