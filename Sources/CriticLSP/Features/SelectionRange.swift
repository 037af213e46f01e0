import TrackEngine

/// Answers `textDocument/selectionRange`: the text in a mark, the mark, the change with its thread, the
/// paragraph, the document.
func selectionRanges(_ snapshot: Snapshot, _ params: SelectionRangeParams) -> [SelectionRange] {
  params.positions.map { position in
    let here = EnclosingMarks(in: snapshot.tracker, at: snapshot.offset(of: position))
    let ranges = here.selections(in: snapshot.text)
    return SelectionRange(ranges: ranges.map(snapshot.conversions.positions))
  }
}

extension EnclosingMarks {
  /// The ranges around the place, from the innermost, in offsets of the buffer.
  fileprivate func selections(in text: Text) -> [Range<Int>] {
    let caret = inBuffer(offset..<offset)
    var ranges = holders.isEmpty ? [] : selectionsInMarks
    if let paragraph = text.paragraph(around: ranges.last ?? caret) { ranges.append(paragraph) }
    ranges.append(0..<text.count)
    return ranges.reduce(into: []) { kept, range in
      guard let last = kept.last else { return kept.append(range) }
      if range.holds(last), range != last { kept.append(range) }
    }
  }

  private var selectionsInMarks: [Range<Int>] {
    let changes = excerpt.reading.changes
    return holders.suffix(EnclosingMarks.maxLevels).reversed().flatMap { index -> [Range<Int>] in
      let mark = excerpt.reading.marks[index]
      let sides = [mark.old, mark.new, mark.content].compactMap { $0 }
      let side = sides.first { $0.lowerBound <= offset && offset <= $0.upperBound }
      let change = changes.first { $0.marks.contains(mark) || $0.thread.contains(mark) }
      return [side, mark.range, change?.range].compactMap { $0 }.map(inBuffer)
    }
  }

  /// Only this many of the innermost marks are offered.
  private static let maxLevels = 20
}
