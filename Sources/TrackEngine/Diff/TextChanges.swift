/// The differences between two texts, as an editor comparing them would describe them.
///
/// Common lines are found first, then common words in the text between. An isolated word between changes
/// becomes part of them if that is easier to read, and so does a sentence of which little is left.
///
/// Linear, except for a bounded factor.
///
/// - Parameters:
///   - old: The old text.
///   - new: The new text.
///   - language: The language of both.
///   - marks: The offsets of marks in the new text, in order; text beside them is preferably kept.
/// - Returns: The differences, in order and disjoint.
func textChanges(
  _ old: [UInt8],
  _ new: [UInt8],
  as language: Language,
  sparing marks: [Int] = []
) -> [Difference] {
  old.withUnsafeBufferPointer { old in
    new.withUnsafeBufferPointer { textChanges(old, $0, language, marks) }
  }
}

private func textChanges(
  _ old: Bytes,
  _ new: Bytes,
  _ language: Language,
  _ marks: [Int]
) -> [Difference] {
  let head = old.startOfLine(before: old.commonPrefix(with: new))
  let oldRest = Bytes(rebasing: old[head...])
  let newRest = Bytes(rebasing: new[head...])
  var tail = oldRest.commonSuffix(with: newRest)
  // Whole lines only.
  tail = oldRest.count - oldRest.endOfLine(from: oldRest.count - tail)
  if !newRest.isLineStart(newRest.count - tail) || !oldRest.isLineStart(oldRest.count - tail) {
    tail = 0
  }
  var words = WordComparer(old, new, language, marks)
  var changes: [Difference] = []
  let gaps = changedLines(
    old,
    head..<old.count - tail,
    new,
    head..<new.count - tail
  )
  for gap in gaps {
    for part in gap.alongRows(old, new) {
      if part.isWhole {
        changes.append(part.stretch)
      } else {
        words.compare(part.stretch, &changes)
      }
    }
  }
  changes.slideToLineEnds(old, new)
  return changes
}

/// Compares stretches of two texts word by word; what it allocates serves for all of them.
private struct WordComparer {
  private let old: Bytes
  private let new: Bytes
  /// The offsets of marks in the new text, in order.
  private let marks: [Int]
  private var oldTokens: WordTokens
  private var newTokens: WordTokens
  private var numbering = Numbering(capacity: 0)
  private var alignment = Alignment(changeCost: Rewording.changeCost)

  init(_ old: Bytes, _ new: Bytes, _ language: Language, _ marks: [Int]) {
    (self.old, self.new, self.marks) = (old, new, marks)
    oldTokens = WordTokens(language)
    newTokens = oldTokens
  }

  /// Adds the stretches of words that differ between two stretches of text.
  mutating func compare(_ stretch: Difference, _ changes: inout [Difference]) {
    guard !stretch.old.isEmpty, !stretch.new.isEmpty else { return changes.append(stretch) }
    let count = changes.count
    for part in changedParts(of: stretch, old, new) {
      if compare(part, of: stretch, &changes) { continue }
      changes.removeLast(changes.count - count)
      _ = compare(stretch, of: stretch, &changes)
      return
    }
  }

  /// Adds the stretches of words that differ between parts of two stretches, outside of which these are the same.
  ///
  /// - Returns: Whether nothing outside the parts matters; otherwise nothing was added.
  private mutating func compare(
    _ part: Difference,
    of stretch: Difference,
    _ changes: inout [Difference]
  ) -> Bool {
    numbering.restart(capacity: (part.old.count + part.new.count) / 8)
    let isOldWhole = oldTokens.read(
      part.old,
      of: stretch.old,
      in: old,
      besideMarksAt: [],
      &numbering
    )
    let isNewWhole = newTokens.read(
      part.new,
      of: stretch.new,
      in: new,
      besideMarksAt: marks,
      &numbering
    )
    guard isOldWhole, isNewWhole else { return false }
    alignment.align(oldTokens, newTokens)
    var rewording = Rewording(oldTokens, newTokens, alignment.pairs)
    rewording.join()
    rewording.spareBorders()
    rewording.trim()
    rewording.part()
    rewording.trim()
    let hasRoom = rewording.slide()
    guard hasRoom || part == stretch else { return false }
    rewording.moveToMarkers()
    rewording.joinReflows()
    for change in rewording.changes {
      let (oldRange, newRange) = (oldTokens.range(of: change.old), newTokens.range(of: change.new))
      changes.append(
        rewording.isOfAddress(change)
          ? old.changedAddress(oldRange, new, newRange)
          : Difference(oldRange, newRange).withoutSharedEnds(old, new)
      )
    }
    return true
  }
}

extension Bytes {
  fileprivate func isLineStart(_ offset: Int) -> Bool {
    offset == 0 || self[offset - 1] == Ascii.newline
      || self[offset - 1] == Ascii.carriageReturn
        && (offset == count || self[offset] != Ascii.newline)
  }

  /// The last start of a line at or before `offset`.
  fileprivate func startOfLine(before offset: Int) -> Int {
    var at = offset
    while !isLineStart(at) { at -= 1 }
    return at
  }

  /// The first start of a line at or after `offset`, or the end of the text.
  fileprivate func endOfLine(from offset: Int) -> Int {
    isLineStart(offset) ? offset : lineEnd(after: offset)
  }
}
