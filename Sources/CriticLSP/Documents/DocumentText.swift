import TrackEngine

/// The text of an open document, and its marks: in the text that the editor shows, or beside it.
///
/// Offsets and edits are those of the text with its marks, unless they are said to be of the text that is shown. Edits
/// that were made are lists, each to be made after the one before.
protocol DocumentText {
  /// Where the marks are.
  var place: MarksPlace { get }
  /// The text that the editor shows.
  var shown: Text { get }
  /// The text with its marks, and what is pending; read in place, since a copy is dear.
  @_borrowed var tracker: Tracker { get }
  /// What is asked of it in every turn.
  var pendingState: PendingState { get }
  /// How it is tracked.
  var options: Tracker.Options { get set }
  /// Whether the changes of a report are taken together, since they may mean something only so.
  var takesTogether: Bool { get }
  /// Whether a decision can be taken back that undo does not.
  var hasDecision: Bool { get }
  /// What leads back to the text as it is now.
  var checkpoint: TextCheckpoint { get }

  /// Turns tracking on or off.
  mutating func setTracking(_ isOn: Bool)

  /// Changes what is pending; returns nil, and does nothing, where nothing ever is.
  @discardableResult
  mutating func changePending<Result>(_ change: (inout Tracker) -> Result) -> Result?

  /// Says what changes that the client reports mean, each made after the one before, and tells our edits of them.
  ///
  /// - Parameters:
  ///   - changes: One, or all of a report if they are taken together.
  ///   - encoding: How positions are counted.
  ///   - isKnown: Whether they are parts of what leads to a text that was there before.
  ///   - isAlone: Whether nothing else is in the report.
  ///   - ourEdits: Which edits of ours the editor may still make.
  /// - Returns: What they mean; ``make(_:)`` is to be called next.
  mutating func meaning(
    of changes: [TextDocumentContentChangeEvent],
    _ encoding: PositionEncoding,
    isKnown: Bool,
    isAlone: Bool,
    _ ourEdits: inout EditsInFlight
  ) -> MeantChanges

  /// Makes the changes; returns what was made of them.
  mutating func make(_ changes: MeantChanges) -> [[Edit]]

  /// Takes an edit of the user's of the text that is shown.
  mutating func change(_ edit: Edit)

  /// Whether undo or redo may have led to a text.
  func knows(_ text: Text) -> Bool

  /// Notes that an edit of ours has landed, beside which the user has edited the text that is shown; returns what was
  /// made of it.
  mutating func land(_ edit: EditsInFlight.SentEdit, beside: [Edit]) -> [[Edit]]

  /// What sorted, disjoint edits, which may accept or reject, do to the text that is shown and to the record; nil where
  /// the editor is to make them as they are.
  func plan(_ edits: [Edit], decides: Bool) -> Projection.Plan?

  /// Carries out a plan that changes only the record; returns what was made of it.
  mutating func carryOut(_ plan: Projection.Plan) -> [[Edit]]

  /// What takes the last decision back; nil if there is none, or where what was decided has been edited since.
  func reopening() -> Projection.Plan?

  /// How the marks are moved; nil if they cannot be moved there.
  func move(to place: MarksPlace) -> MarksMove?

  /// Returns to the text before a report, which edits of the text that is shown undo; returns what was made of them.
  mutating func restore(_ checkpoint: TextCheckpoint, undoing edits: [Edit]) -> [[Edit]]

  /// Returns what may read differently since the last call, or since the beginning, and clears it.
  mutating func takeDifference() -> Difference?

  /// How positions and offsets are converted.
  func conversions(in encoding: PositionEncoding) -> Conversions

  /// The same in another text, which this one has had or will have.
  func conversions(of tracker: Tracker, in encoding: PositionEncoding) -> Conversions
}

extension DocumentText {
  /// Whether the editor shows the marks, so that the user can type, change and undo them there.
  var showsMarks: Bool { place == .inline }
}

/// Whether anything is to be marked or taken back in a text; see ``Tracker``.
struct PendingState {
  let epoch: Int
  let isTracking: Bool
  let isSettled: Bool
  let isHeld: Bool
  let hasStrays: Bool
}

extension Tracker {
  var pendingState: PendingState {
    PendingState(
      epoch: epoch,
      isTracking: isTracking,
      isSettled: isSettled,
      isHeld: isHeld,
      hasStrays: hasStrays
    )
  }
}

/// What changes that the client reports mean.
struct MeantChanges {
  /// As edits of the text that is shown, each made after the one before; empty where there are meanings.
  var told: [Edit] = []
  /// What the user meant by each.
  var meanings: [Meaning] = []
  /// The edits of the text that is shown that take them back, the last one first.
  var inverse: [Edit] = []
}

/// A text as it was before a report.
enum TextCheckpoint {
  /// The rest is undone.
  case inline(Tracker.State)
  indirect case projected(Projection)
}
