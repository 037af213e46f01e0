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
  for gap in gaps { changes += changedWords(old, gap.old, new, gap.new, marks, &cells) }
  changes.slideToLineEnds(old, new)
  return changes
}

/// The stretches of whole lines that differ between two texts.
private func changedLines(
  _ old: Bytes,
  _ oldRange: Range<Int>,
  _ new: Bytes,
  _ newRange: Range<Int>
) -> [Difference] {
  guard !oldRange.isEmpty, !newRange.isEmpty else {
    return oldRange.isEmpty && newRange.isEmpty ? [] : [Difference(oldRange, newRange)]
  }
  let oldLines = old.lineStarts(in: oldRange)
  let newLines = new.lineStarts(in: newRange)
  var numbering = Numbering(capacity: oldLines.count + newLines.count)
  let oldNumbers = numbering.numbers(of: old, at: oldLines)
  let newNumbers = numbering.numbers(of: new, at: newLines)
  let anchors = commonOnce(oldNumbers, newNumbers) { oldLines[$0 + 1] - oldLines[$0] }
  var gaps: [Difference] = []
  var (oldAt, newAt) = (0, 0)
  for (oldNext, newNext) in anchors + [(oldNumbers.count, newNumbers.count)] {
    // The anchor may already have been reached from the previous one.
    if oldNext >= oldAt, newNext >= newAt {
      var (oldEnd, newEnd) = (oldNext, newNext)
      while oldEnd > oldAt, newEnd > newAt, oldNumbers[oldEnd - 1] == newNumbers[newEnd - 1] {
        oldEnd -= 1
        newEnd -= 1
      }
      if oldEnd > oldAt || newEnd > newAt {
        gaps.append(
          Difference(oldLines[oldAt]..<oldLines[oldEnd], newLines[newAt]..<newLines[newEnd])
        )
      }
      (oldAt, newAt) = (oldNext, newNext)
    }
    while oldAt < oldNumbers.count, newAt < newNumbers.count, oldNumbers[oldAt] == newNumbers[newAt]
    {
      oldAt += 1
      newAt += 1
    }
  }
  return gaps
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
  rewording.part()
  rewording.slide()
  return rewording.changes.map {
    Difference(oldTokens.range(of: $0.old), newTokens.range(of: $0.new))
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
