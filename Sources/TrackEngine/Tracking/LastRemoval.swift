/// Where the user has just removed text, which tells what the next removal there means.
struct LastRemoval: Sendable {
  /// Where the text was, and so where the caret is.
  private var place: Int
  /// Whether the text was pending.
  private let tookBack: Bool
  /// Whether edits of ours have been made since.
  private var isBeforeOurs = false

  /// What an edit removes; nil if it does something else.
  init?(_ edit: Edit, _ pending: Hunks) {
    guard edit.new.isEmpty else { return nil }
    place = edit.range.lowerBound
    tookBack = pending.takesBack(edit)
  }

  /// Follows edits of ours.
  mutating func follow(_ edits: [Edit]) {
    place = OffsetMap(edits).map(place, bias: .after)
    isBeforeOurs = true
  }

  /// Whether an edit shows that Backspace was pressed: typed text in the middle of a delimiter was removed and the
  /// removal goes on, or the removal ends where the last one left the caret, for an edit of ours that came between the
  /// two keys can leave it inside of a delimiter.
  func goesOn(by edit: Edit) -> Bool {
    isBeforeOurs
      ? edit.new.isEmpty && edit.range.upperBound == place
      : tookBack && edit.range.lowerBound == place
  }
}
