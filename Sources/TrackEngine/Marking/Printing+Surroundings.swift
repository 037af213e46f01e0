extension Printing {
  /// Text around a change.
  enum Surroundings {
    case word
    case line
    /// Lines up to blank ones.
    case paragraph
  }

  /// The ranges that are not printed yet, each with the text around it up to the marks that no change touches.
  func widened(by surroundings: Surroundings) -> [DirtyRange] {
    widened { stretch(surroundings, around: $0) }
  }

  /// The ranges that are not printed yet, each as one substitution of a stretch around it; those that meet are one.
  ///
  /// - Parameter stretch: The stretch; nil if the range is to be left out.
  /// - Returns: The ranges that can be printed so, in order.
  func widened(by stretch: (DirtyRange) -> Range<Int>?) -> [DirtyRange] {
    var wide: [DirtyRange] = []
    for range in dirty where !isPrinted(range) {
      if let last = wide.last, range.changes.upperBound <= last.changes.upperBound { continue }
      guard let stretch = stretch(range) else { continue }
      guard var next = substitution(of: stretch, around: range) else { continue }
      // What is printed there is replaced as a whole.
      while let met = printed.first(overlapping: next.old, \.range.old),
        !next.changes.holds(met.range.changes),
        let both = substitution(of: met.range.old, around: next),
        both.changes.count > next.changes.count
      {
        next = both
      }
      while let last = wide.last, last.old.upperBound >= next.old.lowerBound {
        wide.removeLast()
        next = substitution(of: last.old, around: next) ?? next
      }
      wide.append(next)
    }
    return wide
  }

  /// A stretch around a dirty range, with all changes in it, as one substitution; nil if one of them is still being
  /// typed.
  func substitution(of stretch: Range<Int>, around range: DirtyRange) -> DirtyRange? {
    var wide = range
    while true {
      var old = settled.whole(wide.old.joined(with: stretch))
      old = ranges.withRoom(old, after: wide.changes.lowerBound)
      for index in ranges.pending.touching(old) {
        wide.changes = wide.changes.joined(with: index..<index + 1)
        old = old.joined(with: ranges.reach(of: index))
      }
      if old == wide.old { break }
      wide.old = old
    }
    guard wide.changes.allSatisfy(isDirty) else { return nil }
    wide = ranges.widened(wide, to: wide.old)
    wide.content = wide.content.asSubstitution(signed: texts.signature)
    return ranges.normalized(wide)
  }

  /// Whether a change lies in one of the dirty ranges; logarithmic.
  private func isDirty(_ change: Int) -> Bool {
    dirty.first(overlapping: change..<change + 1, \.changes) != nil
  }

  /// The text around a dirty range up to the marks that no change touches.
  private func stretch(_ surroundings: Surroundings, around range: DirtyRange) -> Range<Int> {
    let (text, top) = (settled, settled.top)
    func mark(_ index: Int) -> Range<Int> { text.reading.marks[top[index]].range }
    func isTouched(_ index: Int) -> Bool {
      dirty.first(overlapping: mark(index), \.old) != nil
    }
    var before = text.firstMark(endingAfter: range.old.lowerBound) - 1
    while before >= 0, isTouched(before) { before -= 1 }
    var after = text.firstMark(endingAfter: range.old.upperBound)
    while after < top.count, isTouched(after) { after += 1 }
    let start = max(unmarked.textStart, before >= 0 ? mark(before).upperBound : 0)
    let end = after < top.count ? mark(after).lowerBound : text.bytes.count
    return stretch(surroundings, around: range.old, within: start..<end)
  }

  /// The text around a range of another one; linear in the text that is found.
  func stretch(
    _ surroundings: Surroundings,
    around range: Range<Int>,
    within limits: Range<Int>
  ) -> Range<Int> {
    settled.bytes.withUnsafeBufferPointer { bytes in
      let limits = limits.joined(with: range)
      let text = Bytes(rebasing: bytes[limits])
      let place = range.moved(by: -limits.lowerBound)
      let found =
        switch surroundings {
        case .word: text.words(around: place)
        case .line: text.lines(around: place)
        case .paragraph: text.paragraphs(around: place)
        }
      return found.moved(by: limits.lowerBound)
    }
  }
}

extension Bytes {
  /// A range extended up to white space.
  fileprivate func words(around range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    while start > 0, !self[start - 1].isWhiteSpace { start -= 1 }
    var end = range.upperBound
    while end < count, !self[end].isWhiteSpace { end += 1 }
    return start..<end
  }

  /// A range extended up to blank lines, without the last line break.
  fileprivate func paragraphs(around range: Range<Int>) -> Range<Int> {
    var start = lineStart(in: 0..<range.lowerBound)
    while start > 0 {
      let before = lineStart(in: 0..<start - lineBreakLength(before: start))
      if isLineEnd(blankEnd(from: before)) { break }
      start = before
    }
    var end = range.upperBound
    while end < count {
      while !isLineEnd(end) { end += 1 }
      let next = lineEnd(after: end)
      if next >= count || isLineEnd(blankEnd(from: next)) { break }
      end = next
    }
    return start..<Swift.max(end, range.upperBound)
  }
}
