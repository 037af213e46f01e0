/// The text that a decision has put in and taken out, followed through later edits of the clean text.
///
/// It tells the editor's undo of the decision from the same text made by hand, letter by letter. Some editors tell of an
/// undo in pieces, which are not all single letters. A report that does by hand just what undo does cannot be told from
/// it.
struct DecidedText: Sendable {
  /// The number of the state after the decision.
  let state: Int
  private var parts: [Part]

  private struct Part {
    /// Where the text is, with what was put in beside it since.
    var range: Range<Int>
    var removals = Steps()
    var insertions = Steps()
  }

  /// What was done to a part in one way.
  private struct Steps {
    var count = 0
    /// Whether one of them was of more than one letter.
    var areLong = false

    var isByHand: Bool { count > 1 && !areLong }

    mutating func add(_ text: [UInt8]) {
      guard !text.isEmpty else { return }
      count += 1
      areLong = areLong || !text.isCharacter
    }
  }

  /// The most parts that are followed; a decision that changes more text at once is taken back by any edits that lead
  /// to the text before it.
  private static let mostParts = 16
  /// The most decisions that are followed; what is before them is taken back likewise.
  fileprivate static let mostDecisions = 8

  /// Follows a decision; nil if it has too many parts.
  ///
  /// - Parameters:
  ///   - edits: Its edits of the clean text; sorted, disjoint.
  ///   - state: The number of the state after it.
  init?(_ edits: [Edit], at state: Int) {
    guard edits.count <= DecidedText.mostParts else { return nil }
    self.state = state
    parts = edits.differences.map { Part(range: $0.new) }
  }

  /// Whether some of it was edited letter by letter, as undo does not.
  var isEditedByHand: Bool { parts.contains { $0.removals.isByHand || $0.insertions.isByHand } }

  fileprivate mutating func follow(_ edit: Edit, removing removed: [UInt8], _ map: OffsetMap) {
    for index in parts.indices where parts[index].range.touches(edit.range) {
      parts[index].removals.add(removed)
      parts[index].insertions.add(edit.new)
    }
    move(by: map)
  }

  fileprivate mutating func move(by map: OffsetMap) {
    for index in parts.indices {
      parts[index].range = map.map(parts[index].range, start: .before, end: .after)
    }
  }
}

extension [DecidedText] {
  /// The same after an edit of the clean text.
  func following(_ edit: Edit, on text: Text) -> [DecidedText] {
    if isEmpty { return self }
    let (removed, map) = ([UInt8](text[edit.range]), OffsetMap([edit]))
    var next = self
    for index in next.indices { next[index].follow(edit, removing: removed, map) }
    return next
  }

  /// The same after another decision, if that is followed; its edits of the clean text are sorted and disjoint.
  func adding(_ decided: DecidedText?, of edits: [Edit]) -> [DecidedText] {
    let map = OffsetMap(edits)
    var next = self
    for index in next.indices { next[index].move(by: map) }
    if let decided { next.append(decided) }
    return next.suffix(DecidedText.mostDecisions)
  }
}
