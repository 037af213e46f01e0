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
  func all() -> [DirtyRange] {
    var all: [DirtyRange] = []
    for index in pending.indices {
      var next = DirtyRange(old: reach(of: index), new: 0..<0, changes: index..<index + 1)
      // A change that means text far before itself can reach over several ranges.
      while let last = all.last, last.old.upperBound >= next.old.lowerBound {
        next.old = last.old.joined(with: next.old)
        next.changes = last.changes.joined(with: next.changes)
        all.removeLast()
      }
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
    let change = pending[index]
    var low = change.old.lowerBound
    var high = change.old.upperBound
    for range in removals[index].gone {
      low = min(low, range.lowerBound)
      high = max(high, range.upperBound)
    }
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
      if low..<high == known { return withRoom(known, after: index) }
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
