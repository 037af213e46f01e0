/// A stretch of whole lines, or of a cell of a table, that differs between two texts.
struct ChangedLines {
  /// The stretch.
  var stretch: Difference
  /// Whether it is one change and not to be compared word by word.
  var isWhole = false
}

/// The stretches of whole lines that differ between two texts.
///
/// Code that was indented and is now fenced, or the reverse, is one change. Linear, except for a logarithmic
/// factor.
func changedLines(
  _ old: Bytes,
  _ oldRange: Range<Int>,
  _ new: Bytes,
  _ newRange: Range<Int>
) -> [ChangedLines] {
  guard !oldRange.isEmpty, !newRange.isEmpty else {
    let isEqual = oldRange.isEmpty && newRange.isEmpty
    return isEqual ? [] : [ChangedLines(stretch: Difference(oldRange, newRange))]
  }
  let oldStarts = old.lineStarts(in: oldRange)
  let newStarts = new.lineStarts(in: newRange)
  let blocks = refencedBlocks(old, oldStarts, new, newStarts)
  var numbering = Numbering(capacity: oldStarts.count + newStarts.count)
  let oldLines = LineUnits(old, oldStarts, blocks.map(\.old), &numbering)
  let newLines = LineUnits(new, newStarts, blocks.map(\.new), &numbering)
  return changedLines(oldLines, newLines)
}

/// The stretches that differ between two texts, of which pieces begin at the given offsets, and end at the last.
func changedLines(_ old: Bytes, _ oldStarts: [Int], _ new: Bytes, _ newStarts: [Int])
  -> [ChangedLines]
{
  var numbering = Numbering(capacity: oldStarts.count + newStarts.count)
  return changedLines(
    LineUnits(old, oldStarts, [], &numbering),
    LineUnits(new, newStarts, [], &numbering)
  )
}

private func changedLines(_ old: LineUnits, _ new: LineUnits) -> [ChangedLines] {
  let anchors = commonOnce(old.numbers, new.numbers) { old.starts[$0 + 1] - old.starts[$0] }
  var changed: [ChangedLines] = []
  func add(_ oldUnits: Range<Int>, _ newUnits: Range<Int>, isWhole: Bool = false) {
    let stretch = Difference(old.range(of: oldUnits), new.range(of: newUnits))
    changed.append(ChangedLines(stretch: stretch, isWhole: isWhole))
  }
  var (oldAt, newAt) = (0, 0)
  for (oldNext, newNext) in anchors + [(old.numbers.count, new.numbers.count)] {
    // The anchor may already have been reached from the previous one.
    if oldNext >= oldAt, newNext >= newAt {
      var (oldEnd, newEnd) = (oldNext, newNext)
      while oldEnd > oldAt, newEnd > newAt, old.numbers[oldEnd - 1] == new.numbers[newEnd - 1],
        !LineUnits.isBlock(old.numbers[oldEnd - 1])
      {
        oldEnd -= 1
        newEnd -= 1
      }
      if oldEnd > oldAt || newEnd > newAt { add(oldAt..<oldEnd, newAt..<newEnd) }
      (oldAt, newAt) = (oldNext, newNext)
    }
    while oldAt < old.numbers.count, newAt < new.numbers.count,
      old.numbers[oldAt] == new.numbers[newAt]
    {
      if LineUnits.isBlock(old.numbers[oldAt]) {
        add(oldAt..<oldAt + 1, newAt..<newAt + 1, isWhole: true)
      }
      oldAt += 1
      newAt += 1
    }
  }
  return changed
}

/// The lines of a text as numbers; a block that is one change is one of them.
private struct LineUnits {
  /// Where each begins, and the end of the last.
  private(set) var starts: [Int] = []
  /// Equal for equal lines, and for the two forms of a block.
  private(set) var numbers: [UInt64] = []

  /// Numbers the lines that begin at `lines`; the last of these is the end of the text.
  init(_ text: Bytes, _ lines: [Int], _ blocks: [Range<Int>], _ numbering: inout Numbering) {
    let places = blocks.indices.sorted { blocks[$0].lowerBound < blocks[$1].lowerBound }[...]
    var next = places
    var line = 0
    while line + 1 < lines.count {
      starts.append(lines[line])
      if let block = next.first, blocks[block].lowerBound == line {
        numbers.append(.max - UInt64(block))
        line = blocks[block].upperBound
        next.removeFirst()
      } else {
        let bytes = Bytes(rebasing: text[lines[line]..<lines[line + 1]])
        numbers.append(UInt64(numbering.number(of: bytes)))
        line += 1
      }
    }
    starts.append(lines[lines.count - 1])
  }

  /// Whether a number stands for a block.
  static func isBlock(_ number: UInt64) -> Bool { number > .max / 2 }

  func range(of units: Range<Int>) -> Range<Int> {
    starts[units.lowerBound]..<starts[units.upperBound]
  }
}
