import TrackEngine

/// A text that the editor shows with its marks.
///
/// Invariant: the buffer of the tracker is what the editor shows. What the user types is pending until an edit of ours
/// marks it, and undo in the editor takes decisions back.
struct InlineText: DocumentText {
  private var shared: Shared<Tracker>
  private(set) var tracker: Tracker {
    _read { yield shared.value }
    _modify { yield &shared.value }
  }

  init(_ tracker: Tracker) { shared = Shared(tracker) }

  var place: MarksPlace { .inline }
  var pendingState: PendingState { shared.value.pendingState }
  var shown: Text { tracker.buffer }
  var options: Tracker.Options {
    get { tracker.options }
    set { tracker.options = newValue }
  }
  /// Each may be a part of an edit of ours, or of its undo.
  var takesTogether: Bool { false }
  var hasDecision: Bool { false }
  var checkpoint: TextCheckpoint { .inline(tracker.state) }

  mutating func setTracking(_ isOn: Bool) { tracker.setTracking(isOn) }

  mutating func changePending<Result>(_ change: (inout Tracker) -> Result) -> Result? {
    change(&tracker)
  }

  mutating func meaning(
    of changes: [TextDocumentContentChangeEvent],
    _ encoding: PositionEncoding,
    isKnown: Bool,
    isAlone: Bool,
    _ ourEdits: inout EditsInFlight
  ) -> MeantChanges {
    var meant = MeantChanges()
    func take(_ tracker: inout Tracker) {
      for change in changes {
        // If a copy of the text outlived this line, the edit would have to copy its chunk.
        let told = change.edit(of: tracker.buffer, encoding)
        let isOurs =
          isKnown || ourEdits.isPart(told, of: tracker.buffer)
          || isAlone && ourEdits.makesAll(told, of: tracker.buffer)
        let meaning = tracker.meaning(of: told, isOurs: isOurs)
        for edit in meaning.edits.reversed() {
          meant.inverse.append(edit.inverted(on: tracker.buffer))
        }
        ourEdits.note(meaning.edits, told: told, on: tracker.buffer)
        meant.meanings.append(meaning)
      }
    }
    take(&tracker)
    return meant
  }

  mutating func make(_ changes: MeantChanges) -> [[Edit]] {
    for meaning in changes.meanings { tracker.apply(meaning) }
    return changes.meanings.map(\.edits)
  }

  mutating func change(_ edit: Edit) {
    tracker.apply(tracker.meaning(of: edit, isOurs: false))
    tracker.arrive(orElse: .edit)
  }

  func knows(_ text: Text) -> Bool { tracker.knows(text) }

  mutating func land(_ edit: EditsInFlight.SentEdit, beside: [Edit]) -> [[Edit]] {
    // One with a plan was sent before the marks came into the text.
    if edit.plan == nil { tracker.land(edit.edit, beside: beside) }
    return []
  }

  func plan(_ edits: [Edit], decides: Bool) -> Projection.Plan? { nil }

  mutating func carryOut(_ plan: Projection.Plan) -> [[Edit]] { [] }

  func reopening() -> Projection.Plan? { nil }

  func move(to place: MarksPlace) -> MarksMove? { MarksMove(hiding: self, in: place) }

  mutating func restore(_ checkpoint: TextCheckpoint, undoing edits: [Edit]) -> [[Edit]] {
    guard case .inline(let state) = checkpoint else { return [] }
    tracker.restore(state, undoing: edits)
    return edits.map { [$0] }
  }

  mutating func takeDifference() -> Difference? { tracker.takeDifference() }

  func conversions(in encoding: PositionEncoding) -> Conversions {
    conversions(of: tracker, in: encoding)
  }

  func conversions(of tracker: Tracker, in encoding: PositionEncoding) -> Conversions {
    Conversions(text: tracker.buffer, encoding: encoding)
  }
}
