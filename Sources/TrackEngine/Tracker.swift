/// A document while it is tracked: the buffer, and what the user changed since all changes were in
/// marks.
///
/// `buffer = settled text + hunks`. A value: whoever holds it reports the user's edits, asks for a
/// marking, sends it, and says what came of it.
public struct Tracker: Sendable {
  /// How a document is tracked.
  public struct Options: Equatable, Sendable {
    /// Whether front matter is tracked like other text.
    public var tracksFrontMatter: Bool

    /// Options as given.
    public init(tracksFrontMatter: Bool = false) {
      self.tracksFrontMatter = tracksFrontMatter
    }
  }

  /// What the text that an edit led to is to the tracker.
  public enum Arrival: Equatable, Sendable {
    /// The text that our own edit was to make.
    case echo
    /// A text that the buffer had before: undo or redo.
    case known
    /// A new text.
    case edit
  }

  /// The text as the editor has it.
  public var buffer: Text { draft.text }
  /// The pending changes.
  public private(set) var hunks: [Hunk] = []
  /// Whether the pending changes came back by undo or redo, so that they are not marked by
  /// themselves.
  public private(set) var isHeld = false
  /// Whether changes are recorded; with tracking off new text is original text.
  public private(set) var isTracking: Bool
  /// How the document is tracked.
  public var options: Options

  private(set) var draft: Draft
  /// The number of the last edit of ours that the text came behind, and the highest so far.
  private var epoch = 0
  private var lastEpoch = 0
  /// How often the text had been settled, by an edit of ours or without, when it first came about, and
  /// how often it has been by now.
  private var settlings = 0
  private var allSettlings = 0
  /// Whether the edits since the last ``arrive()`` put in or took out what could be marks.
  private var touchesMarks = false
  /// The state that the report under way began with; see ``arrive(isOver:)``.
  private var reportOrigin: Int?
  private var ring = UndoRing()
  private var expected: Expected?
  /// The texts that offered actions would make; the oldest go first.
  private var offers: [Expected] = []

  private struct Expected: Sendable {
    var hash: TextHash
    var remaining: [Hunk]
    /// The state that the edit was made for.
    var origin: Int
    /// What makes the text; only kept of offers.
    var edits: [Edit] = []

    /// Whether this offer does what another does, and more.
    func goesOn(from other: Expected) -> Bool {
      guard origin == other.origin, edits.count > other.edits.count else { return false }
      var rest = edits[...]
      return other.edits.allSatisfy { edit in
        rest = rest.drop { $0.range.lowerBound < edit.range.lowerBound }
        return rest.first == edit
      }
    }
  }

  /// What must be put back, beside the text, to take edits back.
  public struct State: Sendable {
    var hunks: [Hunk]
    var isHeld: Bool
    let epoch: Int
    let settlings: Int
  }

  /// The state of the moment; small.
  public var state: State {
    State(hunks: hunks, isHeld: isHeld, epoch: epoch, settlings: settlings)
  }

  /// Goes back to a state.
  ///
  /// - Parameters:
  ///   - state: What ``state`` was.
  ///   - edits: What undoes the edits since, to be made one after the other.
  public mutating func restore(_ state: State, undoing edits: [Edit]) {
    for edit in edits { draft.replace(edit.range, with: edit.new) }
    hunks = isTracking ? state.hunks : []
    isHeld = state.isHeld
    epoch = state.epoch
    settlings = state.settlings
  }

  /// Tracks a document that is settled as it is.
  public init(_ buffer: Text, isTracking: Bool = true, options: Options = Options()) {
    draft = Draft(buffer)
    self.isTracking = isTracking
    self.options = options
    ring.add(state, buffer.hash, from: 0)
  }

  /// Takes in edits of the buffer, its text first; see ``arrive(isOver:)``.
  public mutating func apply(_ edits: [Edit]) {
    reportOrigin = reportOrigin ?? ring.here
    touchesMarks =
      touchesMarks
      || edits.contains { edit in
        edit.new.contains(where: Tracker.isOfDelimiter)
          || buffer[edit.range].contains(where: Tracker.isOfDelimiter)
      }
    if isTracking { hunks.compose(edits, on: buffer) }
    for edit in edits.reversed() { draft.replace(edit.range, with: edit.new) }
  }

  /// Says what the text is that the last edits led to, and takes up what is known of it.
  ///
  /// To be called after each change of a report: a client can tell several steps at once, the landing
  /// of our own edit and what the user did then among them.
  ///
  /// - Parameter isOver: Whether the report is over; steps of undo are told from steps of typing by
  ///   what the whole of a report does.
  /// - Returns: What the text is to the tracker.
  @discardableResult
  public mutating func arrive(isOver: Bool = true) -> Arrival {
    let origin = reportOrigin ?? ring.here
    defer {
      if isOver {
        touchesMarks = false
        reportOrigin = nil
      }
    }
    let hash = buffer.hash
    if let expected, expected.hash == hash {
      land(expected.remaining, from: expected.origin)
      return .echo
    }
    if isTracking, let offer = offers.last(where: { $0.hash == hash }) {
      // An action that is told step by step can come by the end of another.
      offers = offers.filter { $0.goesOn(from: offer) }
      land([], from: offer.origin)
      return .echo
    }
    if let known = ring.go(to: buffer, within: touchesMarks ? nil : epoch, from: origin) {
      let isHeld =
        !known.hunks.isEmpty
        && (known.isHeld || isHeld || known.settlings < allSettlings)
      hunks = isTracking ? known.hunks : []
      epoch = known.epoch
      settlings = known.settlings
      self.isHeld = isHeld
      if isHeld { ring.hold() }
      return .known
    }
    isHeld = false
    settlings = allSettlings
    ring.add(state, hash, from: ring.here)
    return .edit
  }

  /// Hands out what may read differently since the last call, or since the beginning.
  public mutating func takeDifference() -> Difference? {
    defer { draft.difference = nil }
    return draft.difference
  }

  private static func isOfDelimiter(_ byte: UInt8) -> Bool { "{}+-~=<>".utf8.contains(byte) }

  /// How the pending changes would be put into marks now.
  ///
  /// - Parameter isForced: Whether a mark that is still being typed by hand is marked too, as on
  ///   save and by command.
  /// - Returns: The edits to send; linear in what changed and in the passages around.
  public func marking(isForced: Bool = true) -> Marking {
    Marking(hunks, in: draft, options: options, isForced: isForced)
  }

  /// Notes that `marking` was sent: a buffer that equals its result is settled.
  public mutating func expect(_ marking: Marking) {
    guard !marking.edits.isEmpty else {
      if marking.remaining != hunks { settle(marking.remaining, from: ring.here) }
      return
    }
    expected = Expected(
      hash: buffer.hash(after: marking.edits),
      remaining: marking.remaining,
      origin: ring.here
    )
  }

  /// Notes that our edit was refused or lost.
  public mutating func forgetExpected() {
    expected = nil
  }

  /// Notes that the buffer may come to be the text that `edits` make, settled: an action was offered.
  public mutating func offer(_ edits: [Edit]) {
    if offers.count == Tracker.mostOffers { offers.removeFirst() }
    offers.append(
      Expected(
        hash: buffer.hash(after: edits),
        remaining: [],
        origin: ring.here,
        edits: edits
      )
    )
  }

  private static let mostOffers = 64

  /// Whether the text that `edits` make was there before with changes pending.
  ///
  /// Then its coming about by itself says nothing: taking an addition's marks off accepts it, and is
  /// what undo does.
  public func wasPending(after edits: [Edit]) -> Bool {
    ring.wasPending(buffer.hash(after: edits))
  }

  /// Notes that `edits`, made at the user's wish, were sent: their result is settled.
  public mutating func expect(_ edits: [Edit]) {
    // What was offered for the text of now is too late, and could be met on the way.
    offers = []
    guard !edits.isEmpty else { return settle([], from: ring.here) }
    expected = Expected(hash: buffer.hash(after: edits), remaining: [], origin: ring.here)
  }

  /// Turns recording on or off; the buffer counts as settled from here on.
  public mutating func setTracking(_ isTracking: Bool) {
    guard isTracking != self.isTracking else { return }
    self.isTracking = isTracking
    hunks = []
    isHeld = false
    expected = nil
    ring = UndoRing()
    offers = []
    ring.add(state, buffer.hash, from: 0)
  }

  /// Settles behind an edit of ours.
  private mutating func land(_ remaining: [Hunk], from origin: Int) {
    lastEpoch += 1
    epoch = lastEpoch
    settle(remaining, from: origin)
  }

  /// Settles the text as it is.
  ///
  /// Where no edit of ours was needed, the editor has no step to undo.
  private mutating func settle(_ remaining: [Hunk], from origin: Int) {
    expected = nil
    hunks = remaining
    isHeld = false
    allSettlings += 1
    settlings = allSettlings
    ring.add(state, buffer.hash, from: origin)
  }
}
