extension Tracker {
  /// The edits that a reported change stands for.
  ///
  /// A change that replaces several lines, or the whole text, is a client's or a formatter's way of
  /// telling many small ones: it is told apart word by word. Every other one is what the user did.
  ///
  /// - Parameter edit: What the client reports.
  /// - Returns: Edits on the buffer that do the same; linear in the edit.
  public func refined(_ edit: Edit) -> [Edit] {
    let lineBreaks: [UInt8] = [Ascii.newline, Ascii.carriageReturn]
    let isAll = edit.range == 0..<buffer.count
    guard !edit.new.isEmpty, isAll || buffer[edit.range].contains(where: lineBreaks.contains) else {
      return [edit]
    }
    let parts = wordDiff(edit.range, edit.new, in: buffer)
    if isAll, parts.count <= 1 { return parts }
    return parts.sparingMarks(of: edit, in: buffer, excerpt(around: edit.range))
  }
}

extension [Edit] {
  /// The same edits with nothing left standing of marks that `whole` cuts or breaks.
  ///
  /// What is deleted or commented is not what the user wrote again: a line break that they typed
  /// over a deletion must not be taken for the one in it.
  fileprivate func sparingMarks(
    of whole: Edit,
    in buffer: Text,
    _ excerpt: Excerpt
  ) -> [Edit] {
    var edits = self
    for index in excerpt.reading.topLevel {
      let mark = excerpt.reading.marks[index].moved(by: excerpt.start)
      guard mark.range.overlaps(whole.range) else { continue }
      let isInside = whole.range.lowerBound <= mark.start && mark.end <= whole.range.upperBound
      let isBroken = edits.contains { edit in
        edit.range.overlaps(mark.start..<mark.start + 3)
          || edit.range.overlaps(mark.end - 3..<mark.end)
          || mark.arrow >= 0 && edit.range.overlaps(mark.arrow..<mark.arrow + 2)
      }
      if isBroken || !isInside { edits.join(over: mark.range.clamped(to: whole.range), in: buffer) }
    }
    return edits
  }

  /// Makes one edit of those that meet `range`, with all of it.
  private mutating func join(over range: Range<Int>, in buffer: Text) {
    let first = firstIndex { $0.range.upperBound >= range.lowerBound } ?? count
    let last = self[first...].firstIndex { $0.range.lowerBound > range.upperBound } ?? count
    var new: [UInt8] = []
    var at = Swift.min(range.lowerBound, first < last ? self[first].range.lowerBound : Int.max)
    let start = at
    for edit in self[first..<last] {
      new += buffer[at..<Swift.max(at, edit.range.lowerBound)] + edit.new
      at = edit.range.upperBound
    }
    if at < range.upperBound {
      new += buffer[at..<range.upperBound]
      at = range.upperBound
    }
    replaceSubrange(first..<last, with: [Edit(start..<at, new)])
  }
}
