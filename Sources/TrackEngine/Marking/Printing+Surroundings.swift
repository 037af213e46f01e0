extension Printing {
  /// Text around a change.
  enum Surroundings {
    case word
    case line
    /// Lines up to blank ones.
    case paragraph
  }

  /// The text around a dirty range up to the marks that no change touches.
  func stretch(_ surroundings: Surroundings, around range: DirtyRange) -> Range<Int> {
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
    func isBetweenWords(_ byte: UInt8) -> Bool { byte.isSpace || byte.isLineBreak }
    var start = range.lowerBound
    while start > 0, !isBetweenWords(self[start - 1]) { start -= 1 }
    var end = range.upperBound
    while end < count, !isBetweenWords(self[end]) { end += 1 }
    return start..<end
  }

  /// A range extended to whole lines, without the last line break.
  fileprivate func lines(around range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while !isLineEnd(end) { end += 1 }
    return lineStart(in: 0..<range.lowerBound)..<end
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
