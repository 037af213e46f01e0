import JSONRPC
import TrackEngine

/// An open document: the editor's text with its version, and our edit that is in flight.
///
/// A class, because all parts of the server share the one instance.
final class Document {
  /// As the client spells it.
  let uri: String
  let key: DocumentKey
  /// The latest version that the client reported.
  var version: Int
  var tracker: Tracker {
    didSet { revision = revisions.next() }
  }
  /// A new number for every state: equal numbers mean equal lists of changes.
  private(set) var revision: Int
  /// What is known of it beside what the client reports.
  var record: Record
  /// Which edits of ours the editor may still make.
  var standing = Standing()
  /// Whether the user turned tracking on or off for this document; overrides the setting.
  var trackingChoice: Bool?

  /// When the user last changed the text, in milliseconds.
  var lastEdit = 0
  /// Where the last change was, as an offset.
  private(set) var lastPlace = 0
  /// Whether there may be something to mark that has not been looked at.
  var isUnmarked = false
  /// Whether so many edits failed that changes are marked on save only.
  var marksOnSaveOnly = false
  /// Whether an edit of ours is half made or half undone, so that the text may hold half of a mark.
  private(set) var isPassing = false
  /// When to publish the list of changes, in milliseconds.
  var publishAt: Int?
  /// Until when an answer waits for the user to pause, for clients that pull diagnostics; in milliseconds.
  var quietAt: Int?
  /// Whether to turn tracking on or off once no edit of ours is in flight; it is turned off only when all
  /// changes are in marks.
  var wantsTracking: Bool?
  /// Whether tracking is on, as the user sees it.
  var isRecording: Bool { wantsTracking ?? tracker.isTracking }
  /// What to mark once no edit of ours is in flight.
  var marksNext: MarkRequest?
  /// Actions that the user asked for while our edit was in flight; their ranges follow the text.
  var queue: [Standing.Wish] = []
  /// The last didChange that led to a new version.
  private var lastReport: Int?
  /// The last reports, which can be undone when an earlier version arrives late; oldest first.
  var log: [Report] = []
  /// The semantic tokens last sent to the client.
  var semanticTokens = SemanticTokenData()
  /// The ranges that can be folded.
  var folds = Kept<Foldable>()
  /// The links in comments.
  var links = Kept<Link>()

  private let revisions: Counter

  /// A didChange that was applied.
  struct Report {
    var version: Int
    var changes: [TextDocumentContentChangeEvent]
    var state: Tracker.State
    /// The edits that undo it, in the order to apply them.
    var inverse: [Edit]
  }

  /// What a didChange meant, and the step to take.
  struct News {
    var step: Standing.Step
    /// The edit of ours that has landed.
    var landing: Standing.SentEdit?
    /// Whether it decided about a change, or undid what did.
    var mayHaveNewOriginal = false
  }

  /// How many reports can be undone: more than any client was seen to send out of order.
  static let logLength = 32
  /// Reports of more changes than this are treated as one step.
  static let maxSteps = 64
  /// Longer messages are not kept, in bytes: clients that send whole texts send them in order.
  static let maxReportLength = 1 << 16

  init(uri: String, version: Int, tracker: Tracker, revisions: Counter) {
    self.uri = uri
    key = DocumentKey(uri: uri)
    record = Record(baseline: Baseline(document: key))
    self.version = version
    self.tracker = tracker
    self.revisions = revisions
    revision = revisions.next()
  }

  /// The state of the document.
  var state: Standing.State {
    if standing.isOutOfStep { return .outOfStep }
    if let edit = standing.inFlightEdit { return edit.isOvertaken ? .overtaken : .inFlight }
    if tracker.isSettled { return .settled }
    return tracker.isHeld ? .held : .changed
  }

  /// Notes that the user has edited on.
  func goOn() {
    standing.goOn()
    for index in queue.indices { queue[index].isOvertaken = true }
  }

  /// Remembers the edits of a code action, so that their text is recognized if the user chooses it.
  func offer(_ edits: [Edit]) { standing.offer(tracker.ownEdit(edits)) }

  /// The step to take on an event.
  func step(_ event: Standing.Event) -> Standing.Step { Standing.step(event, in: state) }

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
    guard remember(version, changes) else { return [] }
    guard let known = read(changes) else {
      log = []
      self.version = max(version, self.version)
      return [News(step: step(.unreadable))]
    }
    var later: [Report] = []
    while let last = log.last, last.version > version {
      log.removeLast()
      note(last.inverse)
      tracker.restore(last.state, undoing: last.inverse)
      for edit in last.inverse { moveWishes(after: edit) }
      later.append(last)
    }
    let isLong = changes.rawBytes.count > Document.maxReportLength
    var news = apply(version, known, isLong: isLong, encoding, at: now)
    for report in later.reversed() {
      news += apply(report.version, report.changes, isLong: false, encoding, at: now)
    }
    noteDifference()
    isPassing = news.last?.step == .wait
    return news
  }

  /// Takes a text for what the editor shows, though no change led to it.
  func take(_ text: [UInt8], _ encoding: PositionEncoding, at now: Int) -> [News] {
    standing.isOutOfStep = false
    let whole = TextDocumentContentChangeEvent(range: nil, text: text)
    defer { noteDifference() }
    return apply(version, [whole], isLong: true, encoding, at: now)
  }

  /// Tells what is kept of the text what has changed in it.
  private func noteDifference() {
    guard let difference = tracker.takeDifference() else { return }
    semanticTokens.note(difference)
    folds.note(difference)
    links.note(difference)
  }

  /// Remembers a report.
  ///
  /// - Returns: False if it is the last one again: Eglot 1.9 sends long lists of changes twice.
  private func remember(_ version: Int, _ changes: JSON) -> Bool {
    var hasher = Hasher()
    changes.rawBytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    let report = hasher.finalize()
    if version == self.version, report == lastReport { return false }
    // A client that does not count versions can mean the same change twice.
    lastReport = version > self.version ? report : nil
    return true
  }

  /// Reads the changes that can be applied; nil if there are none.
  ///
  /// While the text is unknown that is only a change with the full text, and those after it.
  private func read(_ changes: JSON) -> [TextDocumentContentChangeEvent]? {
    guard let all = try? [TextDocumentContentChangeEvent](changes) else { return nil }
    guard standing.isOutOfStep else { return all }
    guard let whole = all.firstIndex(where: { $0.range == nil }) else { return nil }
    standing.isOutOfStep = false
    return Array(all[whole...])
  }

  private func moveWishes(after edit: Edit) {
    for index in queue.indices { queue[index].action = queue[index].action.moved(after: [edit]) }
    record.moveQuestion(after: edit)
    standing.moveWish(after: edit)
  }

  /// Tells our edits about edits of the buffer, which are made one after the other.
  private func note(_ edits: [Edit]) {
    var text = tracker.buffer
    for edit in edits {
      standing.note([edit], told: edit, on: text)
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
    let state = tracker.state
    var inverse: [Edit] = []
    standing.beginReport(at: now, on: tracker.buffer, after: tracker.epoch) {
      Conversions(text: $1, encoding: encoding).edits($0)
    }
    // Undo of a command that changed hundreds of places leads to a known text: no need to explain each part.
    let isKnown = changes.count > Document.maxSteps && leadsBack(changes, encoding)
    for change in changes {
      left -= 1
      // If a copy of the text outlived this line, the edit would have to copy its chunk.
      let told = change.edit(of: tracker.buffer, encoding)
      let isOurs =
        isKnown || standing.isPart(told, of: tracker.buffer)
        || changes.count == 1 && standing.makesAll(told, of: tracker.buffer)
      let meaning = tracker.meaning(of: told, isOurs: isOurs)
      for edit in meaning.edits.reversed() {
        let back = edit.range.lowerBound..<edit.range.lowerBound + edit.new.count
        inverse.append(Edit(back, Array(tracker.buffer[edit.range])))
        moveWishes(after: edit)
      }
      standing.note(meaning.edits, told: told, on: tracker.buffer)
      tracker.apply(meaning)
      lastPlace = meaning.edits.first?.range.lowerBound ?? lastPlace
      // A command that changes hundreds of places is one step for the user.
      if left == 0 || changes.count <= Document.maxSteps {
        news += arrive(isOver: left == 0, encoding)
      }
    }
    tracker.endReport()
    self.version = max(version, log.last?.version ?? version)
    if isLong {
      log = []
    } else {
      if log.count == Document.logLength { log.removeFirst() }
      log.append(
        Report(version: version, changes: changes, state: state, inverse: inverse.reversed())
      )
    }
    return news
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
  private func arrive(isOver: Bool, _ encoding: PositionEncoding) -> [News] {
    let explanation = standing.explain(
      tracker.buffer,
      isOver: isOver,
      isTracking: tracker.isTracking,
      isKnown: tracker.knows(tracker.buffer)
    ) { Conversions(text: $1, encoding: encoding).edits($0) }
    switch explanation {
    case .landing(let edit, let beside):
      tracker.land(edit.edit, beside: beside)
      let landing = News(step: step(.landing), landing: edit, mayHaveNewOriginal: edit.decides)
      return beside.isEmpty ? [landing] : [landing, News(step: step(.edit))]
    case .passing:
      return [News(step: step(.passing))]
    case .astray(let takingBack):
      tracker.stray(takingBack)
      return [News(step: step(.astray))]
    case nil:
      let arrival = tracker.arrive(orElse: standing.news(tracker.buffer, isOver: isOver))
      let step = step(arrival == .passing ? .passing : .edit)
      return [News(step: step, mayHaveNewOriginal: arrival == .known)]
    }
  }

  /// Makes an edit of ours of a marking of the current text.
  func makeOwnEdit(_ marking: Marking) -> OwnEdit {
    // Assigning to the tracker makes a new revision, so do it only for a change.
    if !tracker.isAtRest { tracker.rest() }
    return tracker.ownEdit(marking)
  }
}

extension TextDocumentContentChangeEvent {
  /// The change as an edit of a text.
  func edit(of buffer: Text, _ encoding: PositionEncoding) -> Edit {
    let range = range.map { Conversions(text: buffer, encoding: encoding).offsets(of: $0) }
    return Edit(range ?? 0..<buffer.count, text)
  }
}
