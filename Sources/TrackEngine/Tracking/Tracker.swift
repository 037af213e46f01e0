/// A tracked document: the buffer, and what the user has changed since all changes were in marks.
///
/// `buffer = settled text + hunks`. A value: its owner reports the edits of the buffer, asks for a marking,
/// sends it, and reports when it has been applied; see ``OwnEdit``.
public struct Tracker: Sendable {
  /// How a document is tracked.
  public struct Options: Equatable, Sendable {
    /// The language of the text.
    public let language: Language
    /// Whether front matter is tracked like other text.
    public var tracksFrontMatter: Bool
    /// Who makes the changes from now on, for their attribution; nil if they get none.
    ///
    /// An author's name is as a comment's head can hold it (see ``AuthorName``); a date is optional.
    public var attribution: Attribution?
    /// Whether the pending changes are exactly as intended, so that none is moved or split.
    var areMeantAsTheyAre = false
    /// Whether marks that the user types are marks; otherwise they are text.
    var readsTypedMarks = true

    /// Creates options.
    public init(
      _ language: Language,
      tracksFrontMatter: Bool = false,
      attribution: Attribution? = nil
    ) {
      self.language = language
      self.tracksFrontMatter = tracksFrontMatter
      self.attribution = attribution
    }
  }

  /// What the tracker takes a text to be that none of our edits led to.
  public enum Arrival: Equatable, Sendable {
    /// A text that the buffer had before: undo or redo.
    case known
    /// A new text.
    case edit
    /// An intermediate text between two others.
    case passing
  }

  /// What a text that the buffer did not have before is.
  public enum News {
    /// The result of the user's edits.
    case edit
    /// What is left after a part of an edit of ours was undone; more undo may follow.
    case partUndone
    /// An intermediate text while undo or redo takes an edit of ours back or forth in parts.
    case passing
    /// The user's changes apart from an edit of ours that has been undone completely.
    case undone(OwnEdit, beside: [Edit])
  }

  /// The text in the editor.
  public var buffer: Text { draft.text }
  /// The pending changes, as a list; linear in them.
  public var hunks: [Hunk] { pending.list }
  /// The pending changes.
  public private(set) var pending = Hunks()
  /// Whether undo or redo restored the pending changes, so that they are not marked automatically.
  public private(set) var isHeld = false
  /// Whether changes are recorded; while tracking is off, new text is original text.
  public private(set) var isTracking: Bool
  /// How the document is tracked.
  public var options: Options {
    didSet {
      guard options.language != draft.language else { return }
      draft = Draft(draft.text, options.language)
    }
  }

  var draft: Draft
  /// The number of the last edit of ours before this text, and the highest number so far.
  public private(set) var epoch = 0
  private var lastEpoch = 0
  /// How many edits of ours had been applied when the text first arose.
  private var landings = 0
  /// What is known about the current report; nil between reports.
  private var report: Report?
  private var ring = UndoRing()
  private(set) var strays = Strays()
  var moved = MovedText()
  /// What the last edit of the user's removed; nil if it did something else.
  private(set) var lastRemoval: LastRemoval?
  /// The exchange of lines that the last edit of the user's can have begun.
  private(set) var lineExchange: LineExchange?

  /// What the changes of a report have done so far: its end decides what they mean together.
  private struct Report {
    /// The number, in the undo ring, of the state in which the report began.
    let origin: Int
    /// Whether it inserted or removed possible marks.
    var touchesMarks = false
    /// Whether it passed through a known text.
    var wentBack = false
    /// How many changes have been applied since the text was last explained.
    var changes = 0
  }

  /// What has to be restored, besides the text, to undo edits.
  public struct State: Sendable {
    let pending: Hunks
    var isHeld: Bool
    let epoch: Int
    let landings: Int
    let strays: Strays
  }

  /// The present state; small.
  public var state: State {
    State(
      pending: pending,
      isHeld: isHeld,
      epoch: epoch,
      landings: landings,
      strays: strays
    )
  }

  /// Returns to a state.
  ///
  /// - Parameters:
  ///   - state: A previous value of ``state``.
  ///   - edits: The edits that undo those since, to be applied in order.
  public mutating func restore(_ state: State, undoing edits: [Edit]) {
    for edit in edits { draft.replace(edit.range, with: edit.new) }
    take(state)
    forgetLastEdit()
  }

  private mutating func forgetLastEdit() {
    (lastRemoval, lineExchange) = (nil, nil)
  }

  private mutating func take(_ state: State) {
    pending = isTracking ? state.pending : Hunks()
    isHeld = state.isHeld
    epoch = state.epoch
    landings = state.landings
    strays = state.strays
  }

  /// Tracks a document whose text is settled.
  public init(_ buffer: Text, isTracking: Bool = true, options: Options) {
    draft = Draft(buffer, options.language)
    self.isTracking = isTracking
    self.options = options
    ring.add(state, buffer.hash, from: 0)
  }

  /// Applies a change that no edit of ours explains, and determines what the text is.
  ///
  /// - Parameters:
  ///   - told: The change as the client reports it.
  ///   - isLast: Whether it is the last change of the report.
  /// - Returns: What the tracker takes the text to be.
  @discardableResult
  public mutating func report(_ told: Edit, isLast: Bool = true) -> Arrival {
    defer { if isLast { endReport() } }
    apply(meaning(of: told))
    return arrive()
  }

  /// Applies a change to the buffer; ``arrive(orElse:)`` then says what the text is.
  ///
  /// - Parameter meaning: What the change means, see ``meaning(of:isOurs:)``.
  public mutating func apply(_ meaning: Meaning) {
    note([meaning.told])
    let edits = meaning.edits
    if let misplaced = meaning.misplaced {
      pending.moveBack(at: edits[0].range.lowerBound, by: misplaced)
    }
    lastRemoval = edits.count == 1 ? LastRemoval(edits[0], pending) : nil
    lineExchange = edits.count == 1 ? LineExchange(begunBy: edits[0], on: buffer) : nil
    make(edits, deleting: meaning.manner)
    // Text put back where it had been is settled text again.
    strays.add(meaning.undoing.filter { !$0.new.isEmpty || !pending.isUntouched($0.range) })
    if let exchanged = meaning.exchanged { (pending, strays) = exchanged }
  }

  /// Applies edits of ours to the buffer.
  ///
  /// - Parameter edits: Edits of the buffer, sorted and disjoint.
  public mutating func apply(ours edits: [Edit]) {
    note(edits)
    lastRemoval?.follow(edits)
    lineExchange = nil
    make(edits, deleting: .bare)
  }

  private mutating func note(_ told: [Edit]) {
    var report = report ?? Report(origin: ring.here)
    if told.contains(where: { $0.touchesMarks(on: buffer) }) { report.touchesMarks = true }
    report.changes += 1
    self.report = report
  }

  private mutating func make(_ edits: [Edit], deleting manner: Hunk.Manner) {
    let manner = edits.count == 1 ? manner : .bare
    if isTracking { pending.compose(edits, on: buffer, deleting: manner) }
    strays.follow(edits)
    for edit in edits.reversed() { draft.change(edit.range, with: edit.new) }
  }

  /// Whether ``arrive(orElse:)`` would recognize a text if edits that touch marks led to it.
  public func knows(_ text: Text) -> Bool {
    var ring = ring
    let origin = report?.origin ?? ring.here
    return ring.go(to: text, within: nil, from: origin, isOneChange: false) != nil
  }

  /// Determines what the text after the last edits is, and restores the state known for it.
  ///
  /// To be called after each change of a report if no edit of ours explains the text: a client can report
  /// several steps at once. Otherwise the text is an intermediate one, to which undo never leads.
  ///
  /// - Parameter news: What the text is if the buffer did not have it before.
  /// - Returns: What the tracker takes the text to be.
  @discardableResult
  public mutating func arrive(orElse news: News = .edit) -> Arrival {
    let touchesMarks = report?.touchesMarks ?? false
    let origin = report?.origin ?? ring.here
    let isOneChange = report.map { $0.changes <= 1 } ?? true
    report?.changes = 0
    let known = ring.go(
      to: buffer,
      within: touchesMarks ? nil : epoch,
      from: origin,
      isOneChange: isOneChange
    )
    if let known {
      let wasHeld = isHeld
      take(known)
      isHeld =
        !(known.pending.isEmpty && known.strays.isEmpty)
        && (known.isHeld || wasHeld || known.landings < lastEpoch)
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

  /// Restores the state that an edit of ours was made for, with what the user did to its text since: they went
  /// on, or went on undoing, which leaves less pending.
  private mutating func goBack(after edit: OwnEdit, beside: [Edit]) {
    let before = draft.applying(beside.inverted(on: edit.base))
    guard let known = ring.go(backTo: edit.origin, before.text) else { return }
    epoch = known.epoch
    strays = Strays()
    guard isTracking else { return }
    let users = before.sparingMarks(beside)
    pending = known.pending
    pending.compose(users, on: before.text)
    strays = known.strays
    strays.follow(users)
    isHeld = pending.isPart(of: known.pending) && pending.list.weight < known.pending.list.weight
  }

  /// Whether undo may lead to the present text: it was not treated as an intermediate one.
  public var isAtRest: Bool { ring.isHere(buffer.hash) }

  /// Records that undo may lead to the present text, since it has persisted.
  public mutating func rest() {
    guard !isAtRest else { return }
    landings = lastEpoch
    ring.add(state, buffer.hash, from: ring.here, isTyped: false)
  }

  /// Ends a report: undo is told from typing by what all of its changes do.
  public mutating func endReport() {
    report = nil
    moved.forget()
    draft.settle()
  }

  /// Returns what may read differently since the last call, or since the beginning, and clears it.
  public mutating func takeDifference() -> Difference? {
    defer { draft.difference = nil }
    draft.settle()
    return draft.difference
  }

  /// How the pending changes would be put into marks now.
  ///
  /// - Parameter isForced: Whether to mark even while a mark is still being typed by hand, as on save and by
  ///   command.
  /// - Returns: The edits to send; linear in what changed and in the passages around it.
  public func marking(isForced: Bool = true) -> Marking {
    guard !strays.isEmpty else {
      return Marking(hunks, in: draft, options: options, isForced: isForced)
    }
    var marking = Marking()
    if isTracking {
      let mended = draft.applying(strays.edits)
      var all = pending
      all.compose(strays.edits, on: buffer)
      // A stray edit and the reported text can begin or end alike.
      let users = all.list.compactMap { $0.trimmed(in: mended.text) }
      marking = Marking(users, in: mended, options: options, isForced: isForced)
    }
    marking.edits = strays.edits.followed(by: marking.edits, on: buffer).trimmed(on: buffer)
    return marking
  }

  /// The pending change that holds or touches an offset of the buffer.
  public func hunk(at offset: Int) -> Hunk? { pending.hunk(at: offset) }

  /// Whether nothing has to be marked or undone.
  public var isSettled: Bool { pending.isEmpty && strays.isEmpty }

  /// Whether something has to be undone in any case, unless undo or redo led to this text.
  public var hasStrays: Bool { !strays.isEmpty && !isHeld }

  /// Turns recording on or off; the present buffer becomes the settled text.
  public mutating func setTracking(_ isTracking: Bool) {
    guard isTracking != self.isTracking else { return }
    self.isTracking = isTracking
    pending = Hunks()
    startOver()
  }

  /// Takes changes for pending that no report told of; undo leads to nothing from before.
  mutating func setPending(_ hunks: Hunks) {
    pending = hunks
    startOver()
  }

  private mutating func startOver() {
    isHeld = false
    ring = UndoRing()
    ring.add(state, buffer.hash, from: 0)
  }

  /// Takes all pending changes for text of the original's; undo leads to earlier texts as they were.
  public mutating func takeAllAsOriginal() {
    beginEpoch()
    strays = Strays()
    settle([], buffer.hash, from: ring.here)
  }

  /// Counts what follows as behind an edit of ours: undo leads across that border only step by step.
  private mutating func beginEpoch() {
    lastEpoch += 1
    epoch = lastEpoch
  }

  /// Goes on with another settled text, to which edits of this one lead; nothing is pending, and undo is not told.
  ///
  /// - Parameter edits: Sorted, disjoint edits of the buffer.
  mutating func settle(by edits: [Edit]) {
    for edit in edits.reversed() { draft.change(edit.range, with: edit.new) }
    draft.settle()
  }

  /// Goes on with another settled text, which the editor has read anew; undo leads to earlier texts as they were.
  public mutating func reopen(with text: Text) {
    endReport()
    forgetLastEdit()
    draft = Draft(text, options.language)
    takeAllAsOriginal()
  }
}

// MARK: - Edits of ours

extension Tracker {
  /// The edit that applies a marking of the present text.
  public func ownEdit(_ marking: Marking) -> OwnEdit {
    OwnEdit(marking.edits, on: buffer, remaining: marking.remaining, origin: ring.here)
  }

  /// An edit that does what the user asked for; the resulting text is settled.
  public func ownEdit(_ edits: [Edit]) -> OwnEdit {
    OwnEdit(edits, on: buffer, origin: ring.here)
  }

  /// An edit of somebody else's beside what is pending, which stays so; linear in what is pending.
  ///
  /// - Parameter edits: Sorted, disjoint edits of the buffer that do not touch.
  /// - Returns: The edit; nil if one of its parts touches what is pending.
  public func ownEdit(beside edits: [Edit]) -> OwnEdit? {
    guard strays.isEmpty, let remaining = hunks.moved(beside: edits) else { return nil }
    return OwnEdit(edits, on: buffer, remaining: remaining, isBeside: true, origin: ring.here)
  }

  /// Whether the text that `edits` result in existed before with changes pending.
  ///
  /// If so, its appearance does not show that the edits were applied: removing the marks of an addition accepts
  /// it, but undo has the same result.
  public func wasPending(after edits: [Edit]) -> Bool {
    ring.wasPending(buffer.hash(after: edits))
  }

  /// Settles the present text without an edit of ours, because its marking has none.
  ///
  /// - Parameter remaining: The hunks that stay pending.
  public mutating func settle(_ remaining: [Hunk] = []) {
    guard remaining != hunks || !strays.isEmpty else { return }
    // Undoing them and marking the rest would lead to the same text.
    strays = Strays()
    settle(remaining, buffer.hash, from: ring.here)
  }

  /// Settles the text after an edit of ours has been applied.
  ///
  /// - Parameters:
  ///   - edit: The edit.
  ///   - beside: The user's changes to the resulting text, which lead to the present buffer.
  public mutating func land(_ edit: OwnEdit, beside: [Edit] = []) {
    beginEpoch()
    // What was applied at a wrong place is still undone, unless it was part of this edit.
    let changed = beside.differences.map(\.new)
    let astray = strays.edits.filter { stray in changed.contains { $0.holds(stray.range) } }
    strays = Strays()
    let staysHeld = isHeld && edit.isBeside
    settle(edit.remaining, edit.result, from: edit.origin)
    isHeld = staysHeld
    if !beside.isEmpty {
      strays = Strays(astray)
      if isTracking { pending.compose(beside, on: edit.base.applying(edit.edits)) }
      // The editor may never have had the text without those changes.
      ring.add(state, buffer.hash, from: edit.origin)
    }
    // Later reports refer to the text with its marks.
    endReport()
  }

  /// Records that part of an edit of ours was applied at a wrong place; `edits` of the buffer undo it.
  public mutating func stray(_ edits: [Edit]) {
    let known = strays.edits.filter { stray in
      edits.allSatisfy {
        stray.range.upperBound < $0.range.lowerBound || $0.range.upperBound < stray.range.lowerBound
      }
    }
    strays = Strays((known + edits).sorted { $0.range.lowerBound < $1.range.lowerBound })
  }

  /// Settles the present text.
  ///
  /// If no edit of ours was needed, the editor has no step to undo.
  private mutating func settle(_ remaining: [Hunk], _ hash: TextHash, from origin: Int) {
    pending = isTracking ? Hunks(remaining) : Hunks()
    isHeld = false
    landings = lastEpoch
    ring.add(state, hash, from: origin)
  }
}
