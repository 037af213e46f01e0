/// What a reported change of the buffer means: what the user did, which a report tells only in part.
public struct Meaning: Sendable {
  /// The change as the client reports it.
  let told: Edit
  /// What the user changed: edits of the buffer that result in the same text, sorted and disjoint.
  public let edits: [Edit]
  /// What of it is to be undone: edits of the buffer after the change.
  let undoing: [Edit]
  /// How text was removed.
  let manner: Hunk.Manner
  /// How far before the edit the pending insertion was made that the client reported right there; nil for none.
  let misplaced: Int?
  /// What is pending and what is to be undone then, if that does not follow from the edits, which end an exchange of
  /// lines.
  var exchanged: (pending: Hunks, strays: Strays)? = nil
}

extension Tracker {
  /// What a reported change means. The rules, in their order:
  ///
  /// 1. Part of an edit of ours is taken as it is.
  /// 2. An edit that ends an exchange of lines which the last one began is a report of both, on the text before them
  ///    (`exchange(endedBy:)`).
  /// 3. A report of many small changes is split word by word, with delimiters whole, and an insertion or a removal is
  ///    moved to where it is meant (`refined`).
  /// 4. What was typed before a delimiter and reported behind it is moved back (`insertion(misplacedBefore:)`).
  /// 5. Deleted text that a command on the whole text changes is to be put back (`DeletedText`).
  /// 6. Half a mark that was moved along with text is to be removed (`MovedText`).
  /// 7. The manner of a removal decides what becomes of a delimiter that it meets (`manner(of:as:)`).
  ///
  /// Linear in the change and in the passages around it, but see ``MovedText``.
  ///
  /// - Parameters:
  ///   - told: The change as the client reports it.
  ///   - isOurs: Whether it looks like part of an edit of ours.
  /// - Returns: What it means.
  public mutating func meaning(of told: Edit, isOurs: Bool = false) -> Meaning {
    if !isOurs, let exchange = exchange(endedBy: told) { return exchange }
    let edits = isOurs ? [told] : refined(told)
    if told.dependsOnMarks(on: buffer) || edits.count > 1 { draft.settle() }
    return Meaning(
      told: told,
      edits: edits,
      undoing: isTracking && !isOurs ? undoing(edits) : [],
      manner: manner(of: told, as: edits),
      misplaced: isOurs || edits.count != 1 ? nil : insertion(misplacedBefore: edits[0])
    )
  }

  /// What an edit means by which, after the last one, the editor has exchanged lines; nil if it has not.
  private mutating func exchange(endedBy edit: Edit) -> Meaning? {
    guard isTracking, let lineExchange,
      let replacement = lineExchange.replacement(endedBy: edit, on: buffer),
      let takingBack = takingBack(lineExchange)
    else { return nil }
    draft.settle()
    var before = self
    before.apply(ours: [takingBack])
    let meaning = before.meaning(of: replacement)
    moved = before.moved
    before.apply(meaning)
    return Meaning(
      told: edit,
      edits: [edit],
      undoing: [],
      manner: meaning.manner,
      misplaced: nil,
      exchanged: (before.pending, before.strays)
    )
  }

  /// The edit of the buffer that takes back the first half of an exchange of lines; nil if that is no longer pending.
  private func takingBack(_ exchange: LineExchange) -> Edit? {
    switch exchange {
    case .added(let range):
      let edit = Edit(range, [])
      return pending.takesBack(edit) ? edit : nil
    case .removed(let range):
      let start = range.lowerBound
      guard let hunk = pending.hunk(at: start), hunk.new == start..<start,
        hunk.old.count == range.count
      else { return nil }
      return Edit(hunk.new, hunk.removed)
    }
  }

  /// How an edit that only removes text was made, judging by the report.
  private func manner(of told: Edit, as edits: [Edit]) -> Hunk.Manner {
    if edits.count == 1, lastRemoval?.goesOn(by: edits[0]) == true { return .erased }
    guard [told] != edits else { return told.endsInComment(of: buffer) ? .bare : .eaten }
    return told.isLinewise(in: buffer) ? .erased : .bare
  }

  /// What of the user's own edits is to be undone: half a mark that was moved along with text, and changes to
  /// deleted text reported in one change, which come from a command on the whole text.
  ///
  /// - Parameter edits: Edits of the buffer.
  /// - Returns: Edits of the buffer after those.
  private mutating func undoing(_ edits: [Edit]) -> [Edit] {
    for edit in edits { moved.cut(edit.range, from: draft) }
    var undoing: [Edit] = []
    var known: SettledStretch?
    for (edit, place) in zip(edits, edits.differences) {
      let start = place.new.lowerBound
      let trimmed = edit.trimmed(on: buffer)
      undoing += draft.meant(by: trimmed, pending: pending, alone: edits.count == 1, &known)
        .map { $0.moved(by: start - edit.range.lowerBound) }
      let head = trimmed.range.lowerBound - edit.range.lowerBound
      undoing += moved.stray(in: edit.new, new: head..<head + trimmed.new.count, putInto: draft)
        .map { Edit(start + $0.lowerBound..<start + $0.upperBound, []) }
    }
    return undoing
  }
}

extension Edit {
  /// Whether it removes, at once, a closer and the beginning of the comment behind it: a word was meant that the comment
  /// has taken the place of, and not as many letters as that are signs.
  fileprivate func endsInComment(of buffer: Text) -> Bool {
    guard new.isEmpty, range.count > 3, range.count < 128 else { return false }
    let text = buffer[range]
    let openers = MarkKind.allCases.compactMap {
      text.firstRange(of: $0.closer + MarkKind.comment.opener)
    }
    guard let opener = openers.first else { return false }
    return !text[opener.upperBound...].contains(Ascii.close)
  }

  /// Whether marks can have a say in what it means: not if it only inserts or only removes plain text far from any.
  fileprivate func dependsOnMarks(on buffer: Text) -> Bool {
    let near = max(0, range.lowerBound - 64)..<min(buffer.count, range.upperBound + 3)
    return !range.isEmpty && !new.isEmpty || new.contains(where: \.isBrace)
      || buffer[near].contains(where: \.isDelimiterSign)
  }
}
