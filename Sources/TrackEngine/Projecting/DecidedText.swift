/// The text that a decision has put in and taken out, followed through later edits of the clean text.
///
/// It tells the editor's undo of the decision, which takes each part back in one step, from the same text made by hand,
/// letter by letter. A report that does by hand in one step just what undo does cannot be told from it.
struct DecidedText: Sendable {
  /// The number of the state after the decision.
  let state: Int
  private var parts: [Part]

  fileprivate struct Part {
    /// Where the text is that the decision has put in, or has taken out; nil once some of it was edited.
    var range: Range<Int>?
    /// How many bytes it has put in; 0 if none, or once that many were removed.
    var added: Int
    /// How many bytes it has taken out; 0 if none, or once that many were put in again.
    var missing: Int
  }

  /// The most parts that are followed; a decision that changes more text at once is taken back by any edits that lead
  /// to the text before it.
  private static let mostParts = 16

  /// Follows a decision; nil if it has too many parts.
  ///
  /// - Parameters:
  ///   - edits: Its edits of the clean text; sorted, disjoint.
  ///   - state: The number of the state after it.
  init?(_ edits: [Edit], at state: Int) {
    guard edits.count <= DecidedText.mostParts else { return nil }
    self.state = state
    parts = zip(edits, edits.differences).map {
      Part(range: $1.new, added: $1.new.count, missing: $0.range.count)
    }
  }

  /// Whether all of it was taken back: of each part what was put in and what was taken out, each in one step.
  var isTakenBack: Bool { parts.allSatisfy { $0.added == 0 && $0.missing == 0 } }

  /// Follows an edit of the clean text, without text that it replaces by itself.
  mutating func follow(_ edit: Edit) {
    for index in parts.indices { parts[index].follow(edit) }
  }
}

extension DecidedText.Part {
  fileprivate mutating func follow(_ edit: Edit) {
    guard let old = range else { return }
    let touches =
      edit.range.lowerBound <= old.upperBound && old.lowerBound <= edit.range.upperBound
    let isInside =
      edit.range.overlaps(old)
      || old.lowerBound < edit.range.lowerBound && edit.range.upperBound < old.upperBound
    // A client may tell of one of two equal texts the other one.
    let removes =
      touches && added > 0 && edit.range.count >= added
      && (isInside || edit.range.count == added)
    let restores = touches && missing > 0 && edit.new.count >= missing
    if removes { added = 0 }
    if restores { missing = 0 }
    let map = OffsetMap([edit])
    if restores {
      range = map.map(old, start: .before, end: .after)
    } else {
      range = removes || !isInside ? map.map(old) : nil
    }
  }
}

extension [DecidedText] {
  /// The same after edits of the clean text; sorted, disjoint.
  func following(_ edits: [Edit]) -> [DecidedText] {
    edits.reversed().reduce(self) { $0.following($1) }
  }

  /// The same after an edit of the clean text.
  func following(_ edit: Edit) -> [DecidedText] {
    var next = self
    for index in next.indices { next[index].follow(edit) }
    return next
  }
}
