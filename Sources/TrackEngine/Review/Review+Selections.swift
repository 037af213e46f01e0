extension Review {
  /// What a selection, or a caret, means when it is to be highlighted or commented on: whole words, whole code,
  /// and what cannot be parted from them.
  ///
  /// - Parameter range: A range of the stretch.
  /// - Returns: The range; empty for a caret that is in no word.
  func meant(by range: Range<Int>) -> Range<Int> {
    var wide = onWholeWords(range)
    if wide.isEmpty { return wide }
    // Whole lines are selected with their last line break, which is not meant.
    while wide.count > 1 {
      let lineBreak = settled.bytes[wide].lineBreakAtEnd
      if lineBreak.isEmpty || lineBreak.count == wide.count { break }
      wide = wide.lowerBound..<wide.upperBound - lineBreak.count
    }
    for zone in settled.reading.zones
    where (zone.range.overlaps(wide) || settled.isOnLine(of: zone, wide.upperBound))
      && settled.mark(at: zone.range.lowerBound) == nil
    {
      wide = wide.joined(with: zone.isFenced ? onWholeLines(zone.range) : zone.range)
    }
    return settled.withRoom(wide, from: 0)
  }

  /// The most bytes that a word extends beyond a selection.
  private static let longestWord = 64

  /// A range extended over the words that it cuts, except those of scripts without spaces.
  ///
  /// A caret in a word takes the word, if that is not in code.
  private func onWholeWords(_ range: Range<Int>) -> Range<Int> {
    let bytes = settled.bytes
    // Such scripts start at U+0800.
    func isOfWord(_ offset: Int) -> Bool {
      bytes.indices.contains(offset) && bytes[offset].isLetter && bytes[offset] < 0xE0
        && settled.mark(at: offset) == nil
    }
    func cutsWord(_ offset: Int) -> Bool { isOfWord(offset - 1) && isOfWord(offset) }
    var (start, end) = (range.lowerBound, range.upperBound)
    if range.isEmpty, !cutsWord(start) || settled.outsideCode(start) != start { return range }
    while cutsWord(start), range.lowerBound - start < Self.longestWord { start -= 1 }
    while cutsWord(end), end - range.upperBound < Self.longestWord { end += 1 }
    return cutsWord(start) || cutsWord(end) ? range : start..<end
  }

  /// A fenced block with all of its lines and the line breaks before and after it, so that the fences stay on lines
  /// of their own; the last line break of the text is left out.
  private func onWholeLines(_ block: Range<Int>) -> Range<Int> {
    let bytes = settled.bytes
    func isFree(_ offset: Int) -> Bool { offset >= 0 && settled.mark(at: offset) == nil }
    var start = block.lowerBound
    while isFree(start - 1), !bytes[start - 1].isLineBreak { start -= 1 }
    if isFree(start - 1), bytes[start - 1].isLineBreak {
      start -= bytes[..<start].lineBreakAtEnd.count
    }
    let next =
      block.upperBound + bytes.withUnsafeBufferPointer { $0.lineBreak(at: block.upperBound) }
    let isLast = self.start + next == marked.text.count
    return start..<(isLast ? block.upperBound : next)
  }

  /// The place for a mark at a caret: never right behind a backslash, or before what would be its metadata.
  func apart(_ offset: Int) -> Int {
    let end = settled.withRoom(offset..<offset, from: offset).upperBound
    return settled.withRoom(end..<end, from: 0).lowerBound
  }
}
