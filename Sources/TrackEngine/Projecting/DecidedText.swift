/// The text that a decision has put in and taken out, followed through later edits of the clean text.
///
/// It tells the editor's undo of the decision, which takes each part back in one step, from the same text made by hand,
/// letter by letter. A report that does by hand in one step just what undo does cannot be told from it.
struct DecidedText: Sendable {
  /// The number of the state after the decision.
  let state: Int
  private var parts: [Part]

  fileprivate struct Part {
    /// Where the text is that the decision has left there, or that was there before; nil once some of it was edited.
    var range: Range<Int>?
    /// How many bytes are there if it is taken back, or made again.
    var otherCount: Int
    var isTakenBack = false
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
      Part(range: $1.new, otherCount: $0.range.count)
    }
  }

  /// Whether all of it was taken back, each part in one step.
  var isTakenBack: Bool { parts.allSatisfy(\.isTakenBack) }

  /// Follows an edit of the clean text, without text that it replaces by itself.
  mutating func follow(_ edit: Edit) {
    for index in parts.indices { parts[index].follow(edit) }
  }
}

extension DecidedText.Part {
  fileprivate mutating func follow(_ edit: Edit) {
    guard let old = range else { return }
    let isBefore = edit.range.upperBound <= old.lowerBound
    if replacesAll(of: old, edit) {
      let start = max(
        edit.range.lowerBound,
        min(old.lowerBound, edit.range.lowerBound + edit.new.count - otherCount)
      )
      range = start..<start + otherCount
      otherCount = old.count
      isTakenBack.toggle()
    } else if edit.range.overlaps(old)
      || old.lowerBound < edit.range.lowerBound && edit.range.upperBound < old.upperBound
    {
      range = nil
      isTakenBack = false
    } else if isBefore {
      range = old.moved(by: edit.growth)
    }
  }

  /// Whether an edit can make the other text of all of this one.
  private func replacesAll(of old: Range<Int>, _ edit: Edit) -> Bool {
    guard edit.range.count >= old.count, edit.new.count >= otherCount else { return false }
    if edit.range.overlaps(old) { return true }
    // An insertion; or a client tells of one of two equal texts the other one.
    let touches = edit.range.lowerBound <= old.upperBound && old.lowerBound <= edit.range.upperBound
    return touches && (old.isEmpty || edit.range.count == old.count && edit.new.count == otherCount)
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
