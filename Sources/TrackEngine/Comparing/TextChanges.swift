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
///   - marks: The offsets of marks in the new text, in order; text beside them is preferably kept.
/// - Returns: The differences, in order and disjoint.
func textChanges(_ old: Bytes, _ new: Bytes, sparing marks: [Int]) -> [Difference] {
  let head = old.startOfLine(before: old.commonPrefix(with: new))
  let oldRest = Bytes(rebasing: old[head...])
  let newRest = Bytes(rebasing: new[head...])
  var tail = oldRest.commonSuffix(with: newRest)
  // Whole lines only.
  tail = oldRest.count - oldRest.endOfLine(from: oldRest.count - tail)
  if !newRest.isLineStart(newRest.count - tail) || !oldRest.isLineStart(oldRest.count - tail) {
    tail = 0
  }
  var cells = 1 << 24
  var changes: [Difference] = []
  let gaps = changedLines(
    old,
    head..<old.count - tail,
    new,
    head..<new.count - tail
  )
  for gap in gaps {
    for part in gap.alongRows(old, new) {
      let (oldRange, newRange) = (part.stretch.old, part.stretch.new)
      changes +=
        part.isWhole ? [part.stretch] : changedWords(old, oldRange, new, newRange, marks, &cells)
    }
  }
  changes.slideToLineEnds(old, new)
  return changes
}

/// The stretches of words that differ between two stretches of text.
private func changedWords(
  _ old: Bytes,
  _ oldRange: Range<Int>,
  _ new: Bytes,
  _ newRange: Range<Int>,
  _ marks: [Int],
  _ cells: inout Int
) -> [Difference] {
  if oldRange.isEmpty || newRange.isEmpty { return [Difference(oldRange, newRange)] }
  let oldTokens = WordTokens(old, oldRange)
  let newTokens = WordTokens(new, newRange, besideMarksAt: marks)
  var numbering = Numbering(capacity: (oldTokens.count + newTokens.count) / 2)
  let oldNumbers = NumberedTokens(oldTokens, &numbering)
  let newNumbers = NumberedTokens(newTokens, &numbering)
  let alignment = Alignment(
    oldNumbers,
    newNumbers,
    changeCost: Rewording.changeCost,
    cells: cells
  )
  cells = alignment.cellsLeft
  var rewording = Rewording(
    oldTokens,
    oldNumbers.numbers,
    newTokens,
    newNumbers.numbers,
    alignment.pairs
  )
  rewording.join()
  rewording.spareBorders()
  rewording.trim()
  rewording.part()
  rewording.trim()
  rewording.slide()
  rewording.moveToMarkers()
  rewording.joinReflows()
  return rewording.changes.map { change in
    let (oldRange, newRange) = (oldTokens.range(of: change.old), newTokens.range(of: change.new))
    return rewording.isOfAddress(change)
      ? old.changedAddress(oldRange, new, newRange)
      : Difference(oldRange, newRange).withoutSharedEnds(old, new)
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
