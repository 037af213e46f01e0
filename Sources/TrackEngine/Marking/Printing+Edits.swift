extension Printing {
  /// Edits in order; those of two dirty ranges that meet are joined.
  func edits() -> [Edit] {
    printed.flatMap { edits(of: $0) }
      .reduce(into: []) { joined, edit in
        if joined.last?.range.upperBound == edit.range.lowerBound {
          joined[joined.count - 1].join(edit, in: unmarked.buffer)
        } else {
          joined.append(edit)
        }
      }
  }

  /// The edits that turn a dirty range of the buffer into its new text: additions stay where they are, and so
  /// does as much of the rest as possible.
  private func edits(of printed: Printed) -> [Edit] {
    let range = printed.range
    let toBuffer = ranges.pending[range.changes].toBuffer
    let origins = printed.spans.map { span -> Range<Int>? in
      switch span.source {
      case .settled(let range): toBuffer.mapWhole(range)
      case .typed(let range): range
      case .written: nil
      }
    }
    // Text that may stay must not be placed past text that has to stay.
    var limits = [range.new.upperBound]
    for (span, origin) in zip(printed.spans, origins).reversed() {
      let limit = limits[limits.count - 1]
      limits.append(span.stays ? min(limit, origin?.lowerBound ?? limit) : limit)
    }
    var edits: [Edit] = []
    var at = range.new.lowerBound
    var new: [UInt8] = []
    for (index, span) in printed.spans.enumerated() {
      let limit = limits[printed.spans.count - 1 - index]
      // An empty span does not separate edits.
      if let origin = origins[index], !origin.isEmpty, origin.lowerBound >= at,
        origin.upperBound <= limit
      {
        edits.append(Edit(at..<origin.lowerBound, new))
        new = []
        at = origin.upperBound
      } else {
        new += texts.bytes(of: span)
      }
    }
    edits.append(Edit(at..<range.new.upperBound, new))
    return edits.trimmed(on: unmarked.buffer).map { restoringCloser($0, in: range) }
  }

  /// If a Backspace deleted the end of a closer, the edit that restores it includes the character before, so
  /// that the caret ends up after the closer again.
  private func restoringCloser(_ edit: Edit, in range: DirtyRange) -> Edit {
    let at = edit.range.lowerBound
    guard edit.range.isEmpty, at > range.new.lowerBound,
      ranges.pending[range.changes].contains(where: { change in
        change.manner.isBare && change.new == at..<at
          && settled.mark(at: max(0, change.old.upperBound - 1))
            .map { settled.reading.marks[$0].end == change.old.upperBound } ?? false
      }),
      "+-~=<".utf8.contains(texts.buffer[at - 1])
    else { return edit }
    return Edit(at - 1..<at, [texts.buffer[at - 1]] + edit.new)
  }

  /// The hunks that are not printed, relative to the settled text after the edits.
  func remaining() -> [Hunk] {
    let taken = Set(
      printed.flatMap { ranges.pending[$0.range.changes].flatMap { Array($0.hunks) } }
    )
    let map = OffsetMap(printed.map { Edit($0.range.old, $0.bytes) })
    let hunks = unmarked.hunks
    return hunks.indices.filter { !taken.contains($0) }.map { hunks[$0].moved(along: map) }.placed()
  }
}
