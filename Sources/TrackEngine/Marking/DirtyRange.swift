/// A stretch of the settled text to be rewritten: the changes in it and the marks they touch.
struct DirtyRange: Equatable {
  /// The range of the settled text; it cuts no mark.
  var old: Range<Int>
  /// The corresponding range of the buffer.
  var new: Range<Int>
  /// The indices of the pending changes in it.
  var changes: Range<Int>
  /// The spans it is to hold, in order.
  var content: [Span] = []

  /// The same with an empty comment behind its content, which parts that from the text behind it.
  var parted: DirtyRange {
    var range = self
    range.content += Span.parting
    return range
  }
}

/// Finds the dirty ranges of the pending changes, and their new content.
struct DirtyRanges {
  let settled: ParsedText
  let pending: [Pending]
  private let removals: [Removal]
  private let texts: Texts
  private let start: Int

  /// Computes what the changes remove.
  ///
  /// - Parameters:
  ///   - pending: The changes.
  ///   - settled: The settled text.
  ///   - buffer: The buffer.
  ///   - texts: Both texts' bytes.
  ///   - stretch: The part of the settled text that can be put into marks.
  init(
    _ pending: [Pending],
    in settled: ParsedText,
    _ buffer: Text,
    _ texts: Texts,
    within stretch: Range<Int>
  ) {
    self.settled = settled
    self.texts = texts
    start = stretch.lowerBound
    removals = pending.indices.map { index in
      Removal(by: index, of: pending, in: settled, buffer, upTo: stretch.upperBound)
    }
    let untyped = removals.flatMap(\.untyped)
    self.pending = untyped.isEmpty ? pending : pending.map { $0.without(untyped) }
  }

  /// All dirty ranges, in order, with their content.
  ///
  /// Linear, also where marks touch each other, and each change affects all of them.
  func all() -> [DirtyRange] {
    var all: [DirtyRange] = []
    // What the changes of the last range affect, without room for delimiters.
    var affected = 0..<0
    for index in pending.indices {
      let touched = touched(by: index)
      if !all.isEmpty, affected.holds(touched) {
        all[all.count - 1].changes = all[all.count - 1].changes.lowerBound..<index + 1
        continue
      }
      let marked = withMarks(touched)
      var next = DirtyRange(
        old: withRoom(marked, after: index),
        new: 0..<0,
        changes: index..<index + 1
      )
      let first = all.count
      // A change that means text far before itself can reach over several ranges.
      while let last = all.last, last.old.upperBound >= next.old.lowerBound {
        next.old = last.old.joined(with: next.old)
        next.changes = last.changes.joined(with: next.changes)
        all.removeLast()
      }
      affected = all.count < first ? affected.joined(with: marked) : marked
      all.append(next)
    }
    return all.map { widened($0, to: $0.old) }
  }

  /// A dirty range with its content, extended to more of the settled text; `old` must cut no mark and meet no
  /// other change.
  func widened(_ range: DirtyRange, to old: Range<Int>) -> DirtyRange {
    let toBuffer = pending[range.changes].toBuffer
    var widened = range
    widened.old = old
    widened.new = toBuffer.map(old, start: .before, end: .after)
    var rewriting = Rewriting(
      of: pending[range.changes],
      removing: removals[range.changes],
      from: settled,
      signed: texts.signature
    )
    widened.content = rewriting.content(of: old)
    return normalized(widened)
  }

  /// A dirty range with its content in writing order, and room for its delimiters.
  func normalized(_ range: DirtyRange) -> DirtyRange {
    var range = range
    range.content = range.content.normalized(in: texts)
      .makingRoom(in: texts, isBeforeMark: settled.hasOutermostMark(at: range.old.upperBound))
    return range
  }

  /// The range that a change affects: its text, the marks it cuts, the changes it touches, and the text beside
  /// them that no delimiter may be beside.
  func reach(of index: Int) -> Range<Int> {
    withRoom(withMarks(touched(by: index)), after: index)
  }

  /// What a change removes, or where it is.
  private func touched(by index: Int) -> Range<Int> {
    removals[index].gone.reduce(pending[index].old) { $0.joined(with: $1) }
  }

  /// A range extended by the marks that it cuts and the changes that it touches.
  private func withMarks(_ range: Range<Int>) -> Range<Int> {
    var (low, high) = (range.lowerBound, range.upperBound)
    while true {
      let known = low..<high
      if low > 0, let index = settled.mark(at: low - 1),
        case let mark = settled.reading.marks[index],
        mark.end > low || mark.kind.isChange || settled.isCommentedHighlight(index)
      {
        low = mark.start
        high = max(high, mark.end > known.lowerBound ? mark.end : high)
      }
      if high < settled.bytes.count,
        let mark = settled.mark(at: high).map({ settled.reading.marks[$0] }),
        mark.start < high || mark.kind.isChange || isInThread(mark, at: high)
      {
        high = mark.end
      }
      if low..<high == known { return known }
    }
  }

  /// Whether a comment is one on the change before it, behind which comes what somebody else types there.
  private func isInThread(_ mark: Mark, at offset: Int) -> Bool {
    texts.signature != nil && mark.kind == .comment && offset > 0
      && settled.mark(at: offset - 1) != nil
  }

  /// A range extended by the text beside it that no delimiter may be beside.
  ///
  /// - Parameters:
  ///   - range: A range of the settled text.
  ///   - index: The change that it begins with; text before the previous change is never taken in.
  /// - Returns: The extended range.
  func withRoom(_ range: Range<Int>, after index: Int) -> Range<Int> {
    let limit = index > 0 ? pending[index - 1].old.upperBound : start
    return settled.withRoom(range, from: min(limit, range.lowerBound))
  }
}
