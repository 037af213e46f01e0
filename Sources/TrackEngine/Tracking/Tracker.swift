/// A document while it is tracked: the buffer, and what the user changed since all changes were in
/// marks.
///
/// `buffer = settled text + hunks`. A value: whoever holds it reports the edits of the buffer, asks for
/// a marking, sends it, and says when it has landed; see ``OwnEdit``.
public struct Tracker: Sendable {
  /// How a document is tracked.
  public struct Options: Equatable, Sendable {
    /// Whether front matter is tracked like other text.
    public var tracksFrontMatter: Bool
    /// Whether the pending changes are where they are meant, so that none is moved or told apart.
    var areMeantAsTheyAre = false
    /// Whether all that is pending is one change: what is put in means itself, whatever it spells, and joins no mark that
    /// it only touches.
    var isOneChange = false

    /// Options as given.
    public init(tracksFrontMatter: Bool = false) {
      self.tracksFrontMatter = tracksFrontMatter
    }
  }

  /// What a text that no edit of ours led to is to the tracker.
  public enum Arrival: Equatable, Sendable {
    /// A text that the buffer had before: undo or redo.
    case known
    /// A new text.
    case edit
    /// A text between two others.
    case passing
  }

  /// What a text is that the buffer did not have before.
  public enum News {
    /// What the user made of it.
    case edit
    /// What is left where a part of an edit of ours is not there any more: undo may go on.
    case partUndone
    /// On the way from or to an edit of ours that undo and redo take back and forth in parts.
    case passing
    /// What the user did beside the places of an edit of ours of which nothing is there any more.
    case undone(OwnEdit, beside: [Hunk])
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
  /// The number of the last edit of ours that the text came after, and the highest so far.
  public private(set) var epoch = 0
  private var lastEpoch = 0
  /// How many edits of ours had come when the text first came about.
  private var landings = 0
  /// What is known of the current report; nil between two reports.
  private var report: Report?
  private var ring = UndoRing()
  /// What takes back what has come where it does not belong; edits of the buffer, sorted and disjoint.
  private var strays: [Edit] = []
  private var moved = MovedText()
  /// Where the last edit took out what was typed; nil if it did something else.
  private var takenBackAt: Int?

  /// What the changes of a report have done so far: its end says what all of it means.
  private struct Report {
    /// The state that the report began with, by its number in the undo ring.
    let origin: Int
    /// Whether it put in or took out what could be marks.
    var touchesMarks = false
    /// Whether it came by a text that was known.
    var wentBack = false
  }

  /// What must be put back, beside the text, to take edits back.
  public struct State: Sendable {
    var hunks: [Hunk]
    var isHeld: Bool
    let epoch: Int
    let landings: Int
    let strays: [Edit]
  }

  /// The state of the moment; small.
  public var state: State {
    State(
      hunks: hunks,
      isHeld: isHeld,
      epoch: epoch,
      landings: landings,
      strays: strays
    )
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
    landings = state.landings
    strays = state.strays
    takenBackAt = nil
  }

  /// Tracks a document that is settled as it is.
  public init(_ buffer: Text, isTracking: Bool = true, options: Options = Options()) {
    draft = Draft(buffer)
    self.isTracking = isTracking
    self.options = options
    ring.add(state, buffer.hash, from: 0)
  }

  /// Takes in edits of the buffer, its text first; see ``arrive(isLast:orElse:)``.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - told: The one that they are ``refined(_:)`` from; nil if they were told one by one.
  ///   - isOurs: Whether they look like part of an edit of ours.
  public mutating func apply(_ edits: [Edit], told: Edit? = nil, isOurs: Bool = false) {
    var report = report ?? Report(origin: ring.here)
    if (told.map { [$0] } ?? edits).contains(where: { $0.touchesMarks(on: buffer) }) {
      report.touchesMarks = true
    }
    self.report = report
    let astray = isTracking && !isOurs ? astray(in: edits) : []
    let manner = manner(of: edits, told)
    takenBackAt = edits.count == 1 && hunks.takesBack(edits[0]) ? edits[0].range.lowerBound : nil
    if isTracking { hunks.compose(edits, on: buffer, deleting: manner) }
    if !strays.isEmpty { strays.follow(edits) }
    // What was put back where it had been is settled text again.
    strays.add(astray.filter { !$0.new.isEmpty || !hunks.isUntouched($0.range) })
    for edit in edits.reversed() { draft.replace(edit.range, with: edit.new) }
  }

  /// How an edit that only removes was made, by what was told.
  private func manner(of edits: [Edit], _ told: Edit?) -> Hunk.Manner {
    // Who takes back what they typed in the middle of a delimiter, and goes on, has pressed Backspace.
    if edits.count == 1, edits[0].range.lowerBound == takenBackAt { return .erased }
    guard let told, [told] != edits else { return .eaten }
    return told.isLinewise(in: buffer) ? .erased : .bare
  }

  /// What is to be taken back of the user's own edits: half a mark that came along with text that they
  /// moved, and what was told of deleted text in one change, which is a command on all of the text.
  ///
  /// - Parameter edits: Edits of the buffer, which has not taken them in yet.
  /// - Returns: Edits of the buffer as it will be.
  private mutating func astray(in edits: [Edit]) -> [Edit] {
    for edit in edits { moved.cut(edit.range, from: draft) }
    var astray: [Edit] = []
    for (edit, place) in zip(edits, edits.differences) {
      let start = place.new.lowerBound
      let trimmed = edit.trimmed(on: buffer)
      if !edit.range.isEmpty, !edit.new.isEmpty {
        astray += draft.meant(by: trimmed, pending: hunks, alone: edits.count == 1)
          .map { $0.moved(by: start - edit.range.lowerBound) }
      }
      let head = trimmed.range.lowerBound - edit.range.lowerBound
      astray += moved.stray(in: edit.new, new: head..<head + trimmed.new.count, putInto: draft)
        .map { Edit(start + $0.lowerBound..<start + $0.upperBound, []) }
    }
    return astray
  }

  /// Whether ``arrive(isLast:orElse:)`` would know a text if edits that touch marks led there.
  public func knows(_ text: Text) -> Bool {
    var ring = ring
    return ring.go(to: text, within: nil, from: report?.origin ?? ring.here) != nil
  }

  /// Says what the text is that the last edits led to, and takes up what is known of it.
  ///
  /// To be called after each change of a report where no edit of ours explains the text: a client can
  /// tell several steps at once.
  ///
  /// - Parameters:
  ///   - isLast: Whether it is the last change of the report; steps of undo are told from steps of typing by what the whole
  ///     of a report does.
  ///   - news: What the text is if the buffer did not have it before.
  /// - Returns: What the text is to the tracker.
  @discardableResult
  public mutating func arrive(isLast: Bool = true, orElse news: News = .edit) -> Arrival {
    let touchesMarks = report?.touchesMarks ?? false
    let origin = report?.origin ?? ring.here
    defer { if isLast { endReport() } }
    if let known = ring.go(to: buffer, within: touchesMarks ? nil : epoch, from: origin) {
      let isHeld =
        !(known.hunks.isEmpty && known.strays.isEmpty)
        && (known.isHeld || isHeld || known.landings < lastEpoch)
      hunks = isTracking ? known.hunks : []
      epoch = known.epoch
      landings = known.landings
      strays = known.strays
      self.isHeld = isHeld
      if isHeld { ring.hold() }
      report?.wentBack = true
      return .known
    }
    if case .passing = news { return .passing }
    isHeld = false
    if case .undone(let edit, let beside) = news, report?.wentBack != true {
      goBack(after: edit, beside: beside)
    }
    landings = lastEpoch
    var isTyped = !touchesMarks
    if case .partUndone = news { isTyped = false }
    ring.add(state, buffer.hash, from: ring.here, isTyped: isTyped)
    return .edit
  }

  /// Takes up the state that an edit of ours was made for, with what the user did to its text since: they
  /// went on, or on undoing, where what is pending gets less.
  private mutating func goBack(after edit: OwnEdit, beside: [Hunk]) {
    let before = draft.applying(beside.inverted)
    guard let known = ring.go(backTo: edit.origin, before.text) else { return }
    epoch = known.epoch
    strays = []
    guard isTracking else { return }
    let users = before.sparingMarks(beside.edits)
    hunks = known.hunks
    hunks.compose(users, on: before.text)
    strays = known.strays
    strays.follow(users)
    let isPart = hunks.allSatisfy { hunk in known.hunks.contains { $0.old.holds(hunk.old) } }
    isHeld = isPart && hunks.weight < known.hunks.weight
  }

  /// Takes it that the text is one between two others, as where the parts of an edit of ours come one
  /// by one: it is none that undo could lead to.
  ///
  /// - Parameter isLast: Whether it is the last change of the report.
  public mutating func pass(isLast: Bool = true) {
    if isLast { endReport() }
  }

  /// Whether undo is expected to lead to the text as it is: it was not taken for one between two others.
  public var isAtRest: Bool { ring.isHere(buffer.hash) }

  /// Takes it that undo can lead to the text as it is, for it has stayed.
  public mutating func rest() {
    guard !isAtRest else { return }
    landings = lastEpoch
    ring.add(state, buffer.hash, from: ring.here, isTyped: false)
  }

  private mutating func endReport() {
    report = nil
    moved.forget()
  }

  /// Hands out what may read differently since the last call, or since the beginning.
  public mutating func takeDifference() -> Difference? {
    defer { draft.difference = nil }
    return draft.difference
  }

  /// How the pending changes would be put into marks now.
  ///
  /// - Parameter isForced: Whether a mark that is still being typed by hand is marked too, as on
  ///   save and by command.
  /// - Returns: The edits to send; linear in what changed and in the passages around.
  public func marking(isForced: Bool = true) -> Marking {
    guard !strays.isEmpty else {
      return Marking(hunks, in: draft, options: options, isForced: isForced)
    }
    var marking = Marking()
    if isTracking {
      var users = hunks
      users.compose(strays, on: buffer)
      // What strays and text were told as can begin or end with the same.
      users = users.compactMap(\.trimmed)
      let mended = draft.applying(strays)
      marking = Marking(users, in: mended, options: options, isForced: isForced)
    }
    marking.edits = strays.followed(by: marking.edits, on: buffer).trimmed(on: buffer)
    return marking
  }

  /// Whether there is nothing to put into marks, and nothing to take back.
  public var isSettled: Bool { hunks.isEmpty && strays.isEmpty }

  /// Whether something is to be taken back in any case; nothing that undo or redo led to.
  public var hasStrays: Bool { !strays.isEmpty && !isHeld }

  /// Turns recording on or off; the buffer counts as settled from here on.
  public mutating func setTracking(_ isTracking: Bool) {
    guard isTracking != self.isTracking else { return }
    self.isTracking = isTracking
    hunks = []
    isHeld = false
    ring = UndoRing()
    ring.add(state, buffer.hash, from: 0)
  }
}

// MARK: - Edits of ours

extension Tracker {
  /// The edit that a marking of this moment is.
  public func ownEdit(_ marking: Marking) -> OwnEdit {
    OwnEdit(marking.edits, on: buffer, remaining: marking.remaining, origin: ring.here)
  }

  /// The edit that does what the user asked for; what it makes is settled.
  public func ownEdit(_ edits: [Edit]) -> OwnEdit {
    OwnEdit(edits, on: buffer, origin: ring.here)
  }

  /// Whether the text that `edits` make was there before with changes pending.
  ///
  /// Then its coming about by itself says nothing: taking an addition's marks off accepts it, and is
  /// what undo does.
  public func wasPending(after edits: [Edit]) -> Bool {
    ring.wasPending(buffer.hash(after: edits))
  }

  /// Settles the text as it is, where that needs no edit of ours.
  ///
  /// - Parameter remaining: What stays pending.
  public mutating func settle(_ remaining: [Hunk] = []) {
    if remaining != hunks { settle(remaining, buffer.hash, from: ring.here) }
  }

  /// Settles the text after an edit of ours that has come about.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - beside: What the user did to the text that it makes, by which the buffer is another one.
  public mutating func land(_ edit: OwnEdit, beside: [Hunk] = []) {
    lastEpoch += 1
    epoch = lastEpoch
    // What came astray is taken back still, unless it was this edit on its way.
    let changed = beside.inverted.map(\.range)
    let astray = strays.filter { stray in changed.contains { $0.holds(stray.range) } }
    strays = []
    settle(edit.remaining, edit.result, from: edit.origin)
    if !beside.isEmpty {
      strays = astray
      if isTracking { hunks.compose(beside.edits, on: buffer.applying(beside.inverted)) }
      // The editor may never have had the text without what was done beside it.
      ring.add(state, buffer.hash, from: edit.origin)
    }
    // What is told after it was done to the text with its marks.
    endReport()
  }

  /// Takes it that some of our edits came about where it does not belong.
  ///
  /// - Parameters:
  ///   - edits: What takes it back: edits of the buffer.
  ///   - isLast: Whether it is the last change of the report.
  public mutating func stray(_ edits: [Edit], isLast: Bool = true) {
    let known = strays.filter { stray in
      edits.allSatisfy {
        stray.range.upperBound < $0.range.lowerBound || $0.range.upperBound < stray.range.lowerBound
      }
    }
    strays = (known + edits).sorted { $0.range.lowerBound < $1.range.lowerBound }
    pass(isLast: isLast)
  }

  /// Settles the text as it is.
  ///
  /// Where no edit of ours was needed, the editor has no step to undo.
  private mutating func settle(_ remaining: [Hunk], _ hash: TextHash, from origin: Int) {
    hunks = isTracking ? remaining : []
    isHeld = false
    landings = lastEpoch
    ring.add(state, hash, from: origin)
  }
}
