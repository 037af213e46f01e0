import TrackEngine

/// A text that the editor shows clean, and its record, which has the marks.
///
/// Invariant: the text of the projection is what the editor shows, and nothing is pending: what the user types is
/// recorded at once. Undo in the editor takes back what is typed, and a decision only where that changed the clean text.
struct ProjectedText: DocumentText {
  private var shared: Shared<Projection>
  private(set) var projection: Projection {
    _read { yield shared.value }
    _modify { yield &shared.value }
  }
  let place: MarksPlace
  /// What was recorded in advance.
  private var recorded: RecordedBeside?

  /// - Parameters:
  ///   - projection: The clean text and its record.
  ///   - place: Where the record is written.
  init(_ projection: Projection, in place: MarksPlace) {
    (shared, self.place) = (Shared(projection), place)
  }

  var pendingState: PendingState { shared.value.tracker.pendingState }
  var shown: Text { projection.text }
  var tracker: Tracker { _read { yield projection.tracker } }
  var options: Tracker.Options {
    get { projection.options }
    set { projection.options = newValue }
  }
  var takesTogether: Bool { true }
  var hasDecision: Bool { projection.hasDecision }
  var checkpoint: TextCheckpoint { .projected(projection) }

  mutating func setTracking(_ isOn: Bool) { projection.setTracking(isOn) }

  mutating func changePending<Result>(_ change: (inout Tracker) -> Result) -> Result? { nil }

  mutating func meaning(
    of changes: [TextDocumentContentChangeEvent],
    _ encoding: PositionEncoding,
    isKnown: Bool,
    isAlone: Bool,
    _ ourEdits: inout EditsInFlight
  ) -> MeantChanges {
    var meant = MeantChanges()
    _ = changes.forEachEdit(of: shown, encoding) { edit, shown in
      meant.inverse.append(edit.inverted(on: shown))
      ourEdits.note([edit], told: edit, on: shown)
      meant.told.append(edit)
    }
    return meant
  }

  mutating func make(_ changes: MeantChanges) -> [[Edit]] {
    defer { recorded = nil }
    guard let (after, made) = recorded?.result(of: changes.told, in: projection) else {
      return projection.change(changes.told)
    }
    projection = after
    return made
  }

  /// Notes what was recorded in advance.
  mutating func note(_ recorded: RecordedBeside) { self.recorded = recorded }

  mutating func change(_ edit: Edit) { projection.change(edit) }

  /// The projection recognizes such a text as it takes the edit.
  func knows(_ text: Text) -> Bool { false }

  mutating func land(_ edit: EditsInFlight.SentEdit, beside: [Edit]) -> [[Edit]] {
    edit.plan.map { projection.carryOut($0, beside: beside) } ?? []
  }

  func plan(_ edits: [Edit], decides: Bool) -> Projection.Plan? {
    projection.plan(edits, decides: decides)
  }

  mutating func carryOut(_ plan: Projection.Plan) -> [[Edit]] { projection.carryOut(plan) }

  func reopening() -> Projection.Plan? { projection.reopening() }

  func move(to place: MarksPlace) -> MarksMove? {
    place == .inline ? MarksMove(showing: self) : nil
  }

  mutating func restore(_ checkpoint: TextCheckpoint, undoing edits: [Edit]) -> [[Edit]] {
    guard case .projected(let before) = checkpoint else { return [] }
    let made = projection.edits(backTo: before)
    projection = before
    return made.map { [$0] } ?? []
  }

  mutating func takeDifference() -> Difference? { projection.takeDifference() }

  func conversions(in encoding: PositionEncoding) -> Conversions {
    Conversions(projection, encoding: encoding)
  }

  func conversions(of tracker: Tracker, in encoding: PositionEncoding) -> Conversions {
    let projection = Projection(record: tracker.buffer, options: tracker.options)
    return Conversions(projection, encoding: encoding)
  }
}
