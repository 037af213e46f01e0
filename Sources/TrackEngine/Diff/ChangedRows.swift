extension ChangedLines {
  /// The parts of it that are compared separately: rows of a table that have the same first cell, cell by cell,
  /// and what lies between.
  func alongRows(_ old: Bytes, _ new: Bytes) -> [ChangedLines] {
    guard !isWhole, !stretch.old.isEmpty, !stretch.new.isEmpty else { return [self] }
    var numbering = Numbering(capacity: 64)
    let oldRows = TableRow.all(in: old, stretch.old, &numbering)
    let newRows = TableRow.all(in: new, stretch.new, &numbering)
    guard !oldRows.isEmpty, !newRows.isEmpty else { return [self] }
    let pairs =
      oldRows.count == 1 && newRows.count == 1 && isOneLine(old, new)
      ? [(0, 0)] : commonOnce(oldRows.map(\.key), newRows.map(\.key))
    var parts: [ChangedLines] = []
    var (oldAt, newAt) = (stretch.old.lowerBound, stretch.new.lowerBound)
    func addGap(to oldEnd: Int, _ newEnd: Int) {
      guard oldEnd > oldAt || newEnd > newAt else { return }
      parts.append(ChangedLines(stretch: Difference(oldAt..<oldEnd, newAt..<newEnd)))
    }
    let rows = pairs.map { (old: oldRows[$0.old], new: newRows[$0.new]) }
    let columns = ColumnFinder(old, new, rows)
    for (oldRow, newRow) in rows {
      addGap(to: oldRow.range.lowerBound, newRow.range.lowerBound)
      parts += oldRow.changedCells(old, newRow, new, columns.place(in: oldRow, newRow))
      (oldAt, newAt) = (oldRow.range.upperBound, newRow.range.upperBound)
    }
    addGap(to: stretch.old.upperBound, stretch.new.upperBound)
    return parts
  }

  private func isOneLine(_ old: Bytes, _ new: Bytes) -> Bool {
    old.lineEnd(after: stretch.old.lowerBound) >= stretch.old.upperBound
      && new.lineEnd(after: stretch.new.lowerBound) >= stretch.new.upperBound
  }
}

/// A row of a table.
private struct TableRow {
  /// Its line, with the line break.
  var range: Range<Int>
  /// The offsets of what separates its cells.
  var bars: [Int]
  /// Equal for rows with the same first cell.
  var key: UInt64

  /// The rows in a stretch of whole lines.
  static func all(in text: Bytes, _ stretch: Range<Int>, _ numbering: inout Numbering) -> [TableRow]
  {
    let starts = text.lineStarts(in: stretch)
    return zip(starts, starts.dropFirst()).compactMap { start, end in
      let first = text.blankEnd(from: start)
      guard first < end, text[first] == Ascii.bar else { return nil }
      let bars = (first..<end).filter { text[$0] == Ascii.bar && !text.isEscaped($0) }
      guard bars.count > 1 else { return nil }
      let cell = text.trimmed(bars[0] + 1..<bars[1])
      let key = UInt64(numbering.number(of: Bytes(rebasing: text[cell])))
      return TableRow(range: start..<end, bars: bars, key: key)
    }
  }

  /// What differs between this row and its new version, where columns were put in or taken out at `place`.
  func changedCells(_ old: Bytes, _ newRow: TableRow, _ new: Bytes, _ place: Int) -> [ChangedLines]
  {
    let growth = newRow.bars.count - bars.count
    let (oldCells, newCells) = (cells, newRow.cells)
    var changed: [ChangedLines] = []
    func compare(_ oldCell: Range<Int>, _ newCell: Range<Int>) {
      let isEqual = Bytes(rebasing: old[oldCell]).isEqual(to: Bytes(rebasing: new[newCell]))
      if !isEqual { changed.append(ChangedLines(stretch: Difference(oldCell, newCell))) }
    }
    for cell in 0..<place { compare(oldCells[cell], newCells[cell]) }
    if growth != 0 {
      let (oldStart, newStart) = (oldCells[place].lowerBound, newCells[place].lowerBound)
      let oldEnd = oldCells[place + max(0, -growth)].lowerBound
      let newEnd = newCells[place + max(0, growth)].lowerBound
      let columns = Difference(oldStart..<oldEnd, newStart..<newEnd)
      changed.append(ChangedLines(stretch: columns, isWhole: true))
    }
    for cell in place + max(0, -growth)..<oldCells.count {
      compare(oldCells[cell], newCells[cell + growth])
    }
    return changed
  }

  /// What lies before, between and after the bars.
  var cells: [Range<Int>] {
    zip([range.lowerBound] + bars.map { $0 + 1 }, bars + [range.upperBound]).map { $0..<$1 }
  }
}

/// Finds where the columns that a table has gained or lost are: where most cells of all its rows stay equal, and at
/// the end of the rows if that is as good.
private struct ColumnFinder {
  /// The place of the new or old columns, by how many separators the rows have.
  private var places: [Counts: Int] = [:]

  private struct Counts: Hashable {
    var old: Int
    var new: Int

    init(_ oldRow: TableRow, _ newRow: TableRow) {
      old = oldRow.bars.count
      new = newRow.bars.count
    }
  }

  init(_ old: Bytes, _ new: Bytes, _ rows: [(old: TableRow, new: TableRow)]) {
    var scores: [Counts: [Int]] = [:]
    for (oldRow, newRow) in rows where oldRow.bars.count != newRow.bars.count {
      let (oldCells, newCells) = (oldRow.cells, newRow.cells)
      let growth = newCells.count - oldCells.count
      func isEqual(_ cell: Int, _ newCell: Int) -> Bool {
        let oldText = Bytes(rebasing: old[old.trimmed(oldCells[cell])])
        return oldText.isEqual(to: Bytes(rebasing: new[new.trimmed(newCells[newCell])]))
      }
      let last = min(oldCells.count, newCells.count) - 1
      // The number of equal cells if the columns are at each place: first at the first cell, then further on.
      var score = (1..<last)
        .filter { isEqual($0 + max(0, -growth), $0 + max(0, growth)) }.count
      var all = [0, score]
      for place in 1..<last {
        score += isEqual(place, place) ? 1 : 0
        score -= isEqual(place + max(0, -growth), place + max(0, growth)) ? 1 : 0
        all.append(score)
      }
      let counts = Counts(oldRow, newRow)
      scores[counts] = scores[counts].map { zip($0, all).map(+) } ?? all
    }
    for (counts, scores) in scores {
      places[counts] = scores.indices.dropFirst().max { (scores[$0], $0) < (scores[$1], $1) }
    }
  }

  /// The index of the first cell of the columns in two versions of a row; that of the end of the row if they have
  /// the same columns.
  func place(in oldRow: TableRow, _ newRow: TableRow) -> Int {
    places[Counts(oldRow, newRow)] ?? oldRow.cells.count
  }
}

extension Bytes {
  /// A range without the spaces at its ends.
  fileprivate func trimmed(_ range: Range<Int>) -> Range<Int> {
    let start = Swift.min(blankEnd(from: range.lowerBound), range.upperBound)
    var end = range.upperBound
    while end > start, self[end - 1].isSpace { end -= 1 }
    return start..<end
  }
}
