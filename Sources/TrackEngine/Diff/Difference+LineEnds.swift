extension [Difference] {
  /// Gives whole inserted or removed lines the line break before them instead of their last one, if that is
  /// equivalent, so that marks do not start at the beginning of lines: headings, list markers, tables.
  ///
  /// Nothing moves before `start`, up to which the texts are the same.
  mutating func slideToLineEnds(_ old: Bytes, _ new: Bytes, after start: Int = 0) {
    var limit = start
    for index in indices {
      if self[index].old.isEmpty {
        let shift = new.shiftToLineEnd(self[index].new, after: limit)
        self[index] = self[index].moved(by: -shift)
      } else if self[index].new.isEmpty {
        let before = index > 0 ? self[index - 1].old.upperBound + 1 : start
        self[index] = self[index].moved(by: -old.shiftToLineEnd(self[index].old, after: before))
      }
      // If it touched the change before, the two would become one.
      limit = self[index].new.upperBound + 1
    }
  }
}

extension Bytes {
  /// How many bytes closer to the beginning a stretch of whole lines starts with a line break instead of ending
  /// with one.
  fileprivate func shiftToLineEnd(_ stretch: Range<Int>, after limit: Int) -> Int {
    var start = stretch.lowerBound
    var end = stretch.upperBound
    while true {
      let length = lineBreakLength(before: end)
      guard length > 0, start - length >= limit, lineBreakLength(before: start) == length,
        self[start - 1] == self[end - 1], !isFence(lineEndingAt: start - length)
      else { return stretch.lowerBound - start }
      start -= length
      end -= length
    }
  }

  /// Whether the line that ends at `offset` opens or closes a fenced block, after which nothing may follow on
  /// the line.
  private func isFence(lineEndingAt offset: Int) -> Bool {
    let start = blankEnd(from: lineStart(in: 0..<offset))
    return start < offset && self[start].isCodeSign && run(at: start) >= 3
  }
}
