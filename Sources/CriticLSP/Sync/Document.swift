import JSONRPC
import TrackEngine

/// One open document: the editor's text with its version, and what is under way in it.
///
/// A class, for there is one of each and everybody means that one.
final class Document {
  /// As the client writes it.
  let uri: String
  /// The last version that the client told of.
  var version: Int
  var tracker: Tracker {
    didSet { revision = revisions.next() }
  }
  /// Another number for every state: equal numbers, equal lists of changes.
  private(set) var revision: Int
  /// Where it stands with the editor.
  var standing = Standing()
  /// What the user said about tracking this document; over the setting.
  var trackingChoice: Bool?

  /// When the user last changed the text, in milliseconds.
  var lastEdit = 0
  /// Where the text changed last, as an offset.
  private(set) var lastPlace = 0
  /// Whether there may be something to mark that was not looked at yet.
  var isUnmarked = false
  /// Whether edits came to nothing so often that changes are marked on save only.
  var marksOnSaveOnly = false
  /// Whether the text is on the way from or to an edit of ours, so that it can have half of a mark.
  private(set) var isPassing = false
  /// When the list of changes is to be published, in milliseconds.
  var publishAt: Int?
  /// Until when it waits for the user to go on typing where the client asks for it.
  var quietAt: Int?
  /// Whether tracking is to begin or end once nothing of ours is under way and, to end, everything is in
  /// marks.
  var wantsTracking: Bool?
  /// Whether the user has tracking on, as far as they can tell.
  var isRecording: Bool { wantsTracking ?? tracker.isTracking }
  /// Whether what is pending is to be marked once nothing of ours is under way.
  var marksNext = false
  /// What the user asked for while our edit was under way; its ranges follow the text.
  var queue: [Standing.Wish] = []
  /// The last didChange that led to a new version.
  private var lastReport: Int?
  /// What can be taken back when an earlier version arrives late; oldest first.
  var log: [Report] = []
  /// The colours that the client was told last.
  var semanticTokens = SemanticTokenData()
  /// What can be folded.
  var folds = Kept<Foldable>()
  /// The links in comments.
  var links = Kept<Link>()

  private let revisions: Counter

  /// A didChange that was taken in.
  struct Report {
    var version: Int
    var changes: [TextDocumentContentChangeEvent]
    var state: Tracker.State
    /// What undoes it, in the order of undoing.
    var inverse: [Edit]
  }

  /// What a didChange told, and what is done about it.
  struct News {
    var step: Standing.Step
    /// The edit of ours that has come.
    var landing: Standing.UnderWay?
  }

  /// As many versions as a client was ever seen to have under way, and then some.
  static let logLength = 32
  /// How many changes of one report are looked at as steps.
  static let maxSteps = 64
  /// Messages longer than this are not kept: a client that sends whole texts sends them in order.
  static let maxReportLength = 1 << 16

  init(uri: String, version: Int, tracker: Tracker, revisions: Counter) {
    self.uri = uri
    self.version = version
    self.tracker = tracker
    self.revisions = revisions
    revision = revisions.next()
  }

  /// Where the document stands with its editor.
  var state: Standing.State {
    if standing.isOutOfStep { return .outOfStep }
    if let edit = standing.underWay { return edit.isOvertaken ? .overtaken : .underWay }
    if tracker.isSettled { return .settled }
    return tracker.isHeld ? .held : .changed
  }

  /// The user has gone on.
  func goOn() {
    standing.goOn()
    for index in queue.indices { queue[index].isOvertaken = true }
  }

  /// Knows the text that edits lead to for one of ours, if the user chooses them.
  func offer(_ edits: [Edit]) { standing.offer(tracker.ownEdit(edits)) }

  /// What is done when something happens to the document.
  func step(_ event: Standing.Event) -> Standing.Step { Standing.step(event, in: state) }

  /// Takes in a didChange.
  ///
  /// One that comes late, after a higher version, goes in its place: positions are those of the text
  /// that its sender had.
  ///
  /// - Parameters:
  ///   - version: The version it leads to.
  ///   - changes: `contentChanges`.
  ///   - encoding: How positions are counted.
  ///   - now: In milliseconds.
  /// - Returns: What the texts on the way, and the text at the end, are.
  func change(
    to version: Int,
    _ changes: JSON,
    _ encoding: PositionEncoding,
    at now: Int
  ) -> [News] {
    guard !isRepeated(version, changes) else { return [] }
    guard let known = readable(changes) else {
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
    if let difference = tracker.takeDifference() {
      semanticTokens.note(difference)
      folds.note(difference)
      links.note(difference)
    }
    isPassing = news.last?.step == .wait
    return news
  }

  /// Whether it was told before: Eglot 1.9 tells long lists of changes twice.
  private func isRepeated(_ version: Int, _ changes: JSON) -> Bool {
    var hasher = Hasher()
    changes.rawBytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    let report = hasher.finalize()
    if version == self.version, report == lastReport { return true }
    // Of a client that does not count nothing is known.
    lastReport = version > self.version ? report : nil
    return false
  }

  /// The changes that there are positions for; nil if they can't be read.
  ///
  /// Positions are those of a text that is known: one that is not is known again from the next change on
  /// that holds all of it.
  private func readable(_ changes: JSON) -> [TextDocumentContentChangeEvent]? {
    guard let all = try? [TextDocumentContentChangeEvent](changes) else { return nil }
    guard standing.isOutOfStep else { return all }
    guard let whole = all.firstIndex(where: { $0.range == nil }) else { return nil }
    standing.isOutOfStep = false
    return Array(all[whole...])
  }

  private func moveWishes(after edit: Edit) {
    for index in queue.indices { queue[index].action = queue[index].action.moved(after: [edit]) }
    standing.moveWish(after: edit)
  }

  /// Lets edits of ours know of edits that are made one after the other.
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
    // Undo of a command that changed hundreds of places: what it did need not be found out again.
    let isKnown = changes.count > Document.maxSteps && leadBack(changes, encoding)
    for change in changes {
      left -= 1
      // A copy of the text that outlived this line would make the edit copy its part of the text.
      let told = change.edit(of: tracker.buffer, encoding)
      let isOurs =
        isKnown || standing.isPart(told, of: tracker.buffer)
        || changes.count == 1 && standing.makesAll(told, of: tracker.buffer)
      let edits = isOurs ? [told] : tracker.refined(told)
      for edit in edits.reversed() {
        let back = edit.range.lowerBound..<edit.range.lowerBound + edit.new.count
        inverse.append(Edit(back, Array(tracker.buffer[edit.range])))
        moveWishes(after: edit)
      }
      standing.note(edits, told: told, on: tracker.buffer)
      tracker.apply(edits, told: told, isOurs: isOurs)
      lastPlace = edits.first?.range.lowerBound ?? lastPlace
      // A command that changes hundreds of places is one step for the user.
      if left == 0 || changes.count <= Document.maxSteps {
        news += arrive(isOver: left == 0, encoding)
      }
    }
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

  /// Whether changes, made one after the other, put marks in or take them out and lead to a known text.
  private func leadBack(_ changes: [TextDocumentContentChangeEvent], _ encoding: PositionEncoding)
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

  /// Says what the text is that the last change led to.
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
      let landing = News(step: step(.landing), landing: edit)
      return beside.isEmpty ? [landing] : [landing, News(step: step(.edit))]
    case .passing:
      tracker.pass(isLast: isOver)
      return [News(step: step(.passing))]
    case .astray(let takingBack):
      tracker.stray(takingBack, isLast: isOver)
      return [News(step: step(.astray))]
    case nil:
      let arrival = tracker.arrive(isLast: isOver, orElse: standing.news(isOver: isOver))
      return [News(step: step(arrival == .passing ? .passing : .edit))]
    }
  }

  /// The edit that a marking of this moment is; what it is made for has stayed.
  func ownEdit(_ marking: Marking) -> OwnEdit {
    // Where nothing changes, it is no new revision.
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

/// Counts up.
final class Counter {
  private var last = 0

  /// A number that was not there before.
  func next() -> Int {
    last += 1
    return last
  }
}

/// A document's URI made comparable: percent-decoded, the drive letter in lower case.
func key(of uri: String) -> String {
  var bytes: [UInt8] = []
  let source = Array(uri.utf8)
  var at = 0
  while at < source.count {
    if source[at] == UInt8(ascii: "%"), at + 2 < source.count,
      let high = Character(UnicodeScalar(source[at + 1])).hexDigitValue,
      let low = Character(UnicodeScalar(source[at + 2])).hexDigitValue
    {
      bytes.append(UInt8(high << 4 | low))
      at += 3
    } else {
      bytes.append(source[at])
      at += 1
    }
  }
  let prefix = Array("file:///".utf8)
  if bytes.starts(with: prefix), bytes.count > prefix.count + 1,
    bytes[prefix.count + 1] == UInt8(ascii: ":")
  {
    bytes[prefix.count] |= 0x20
  }
  return String(decoding: bytes, as: UTF8.self)
}
