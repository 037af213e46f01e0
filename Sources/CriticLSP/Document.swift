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
  var tracker: Tracker
  /// Another number for every state: equal numbers, equal lists of changes.
  var revision = 0
  /// What the user said about tracking this document; over the setting.
  var trackingChoice: Bool?

  /// When the user last changed the text, in milliseconds.
  var lastEdit = 0
  /// Whether there may be something to mark that was not looked at yet.
  var isUnmarked = false
  /// Our edit that the client has not shown us back yet.
  var flight: Flight?
  /// How many of our edits in a row came to nothing.
  var failures = 0
  /// Whether edits came to nothing so often that changes are marked on save only.
  var marksOnSaveOnly = false
  /// When the list of changes is to be published, in milliseconds.
  var publishAt: Int?
  /// Until when it waits for the user to go on typing where the client asks for it.
  var quietAt: Int?
  /// Whether tracking ends as soon as what is pending is in marks.
  var stopsTracking = false
  /// What the user asked for while our edit was under way; its ranges follow the text.
  var queue: [Request] = []
  /// Where the caret belongs once our edit has landed, as an offset.
  var caretAfterLanding: Int?
  /// What can be taken back when an earlier version arrives late; oldest first.
  var log: [Report] = []
  /// The colours that the client was told last.
  var semanticTokens = SemanticTokenData()
  /// What can be folded.
  var folds = Kept<Foldable>()
  /// The links in comments.
  var links = Kept<Link>()

  /// An edit that was sent.
  struct Flight {
    /// The request's id; nil where the edit was our answer to a request.
    var request: Int?
    var sentAt: Int
  }

  /// An action that waits for our edit.
  struct Request {
    var action: Review.Action
    var wantsCaret: Bool
  }

  /// A didChange that was taken in.
  struct Report {
    var version: Int
    var changes: JSON
    var state: Tracker.State
    /// What undoes it, in the order of undoing.
    var inverse: [Edit]
  }

  /// As many versions as a client was ever seen to have under way, and then some.
  static let logLength = 32
  /// How many changes of one report are looked at as steps.
  static let mostSteps = 64
  /// Messages longer than this are not kept: a client that sends whole texts sends them in order.
  static let longestReport = 1 << 16

  init(uri: String, version: Int, tracker: Tracker) {
    self.uri = uri
    self.version = version
    self.tracker = tracker
  }

  /// Takes in a didChange.
  ///
  /// One that comes late, after a higher version, goes in its place: positions are those of the text
  /// that its sender had.
  ///
  /// - Parameters:
  ///   - version: The version it leads to.
  ///   - changes: `contentChanges`.
  ///   - encoding: How positions are counted.
  /// - Returns: What the texts on the way, and the text at the end, are to the tracker.
  func change(
    to version: Int,
    _ changes: JSON,
    _ encoding: PositionEncoding
  ) -> [Tracker.Arrival] {
    var later: [Report] = []
    while let last = log.last, last.version > version {
      log.removeLast()
      tracker.restore(last.state, undoing: last.inverse)
      for edit in last.inverse { moveQueue(behind: edit) }
      later.append(last)
    }
    var arrivals = take(version, changes, encoding)
    for report in later.reversed() {
      arrivals += take(report.version, report.changes, encoding)
    }
    if let difference = tracker.takeDifference() {
      semanticTokens.note(difference)
      folds.note(difference)
      links.note(difference)
    }
    return arrivals
  }

  private func moveQueue(behind edit: Edit) {
    for index in queue.indices { queue[index].action = queue[index].action.moved(behind: [edit]) }
  }

  private func take(
    _ version: Int,
    _ changes: JSON,
    _ encoding: PositionEncoding
  ) -> [Tracker.Arrival] {
    var arrivals: [Tracker.Arrival] = []
    var left = changes.count
    let state = tracker.state
    var inverse: [Edit] = []
    for change in changes.elements {
      guard let new = change["text"]?.utf8 else { continue }
      // A copy of the text that outlived this line would make the edit copy its part of the text.
      let range =
        Conversions(text: tracker.buffer, encoding: encoding).range(of: change["range"])
        ?? 0..<tracker.buffer.count
      left -= 1
      let edits = tracker.refined(Edit(range, new))
      for edit in edits.reversed() {
        let back = edit.range.lowerBound..<edit.range.lowerBound + edit.new.count
        inverse.append(Edit(back, Array(tracker.buffer[edit.range])))
        moveQueue(behind: edit)
      }
      tracker.apply(edits)
      // A command that changes hundreds of places is one step for the user.
      if left == 0 || changes.count <= Document.mostSteps {
        arrivals.append(tracker.arrive(isOver: left == 0))
      }
    }
    self.version = max(version, log.last?.version ?? version)
    if changes.rawBytes.count > Document.longestReport {
      log = []
    } else {
      if log.count == Document.logLength { log.removeFirst() }
      log.append(
        Report(version: version, changes: changes, state: state, inverse: inverse.reversed())
      )
    }
    return arrivals
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
