extension [Pending] {
  /// Gives whole lines inserted into deleted text the line break before them instead of the last one, or the
  /// reverse, if only then they are displayed as lines of their own after the deleted text.
  mutating func slideInDeletedText(_ index: Int, of settled: ParsedText, _ buffer: Text) {
    let change = self[index]
    guard change.old.isEmpty,
      let mark = settled.mark(at: change.old.lowerBound).map({ settled.reading.marks[$0] }),
      mark.kind.isChange, let deleted = mark.old, deleted.contains(change.old.lowerBound)
    else { return }
    let text = buffer[change.new]
    let place = change.old.lowerBound
    let first = text.withUnsafeBufferPointer { $0.lineBreak(at: 0) }
    let last = text.lineBreakAtEnd
    let before = settled.bytes[deleted.lowerBound..<place].lineBreakAtEnd
    let isAtStart = settled.seen(before: mark.start)?.isLineBreak ?? true
    let isAtEnd = settled.seen(afterDeletedTextOf: mark)?.isLineBreak ?? true
    if !last.isEmpty, last.elementsEqual(before), !isAtStart, isAtEnd {
      guard index == 0 || self[index - 1].old.upperBound < place - last.count else { return }
      self[index] = change.moved(by: -last.count)
    } else if last.isEmpty, isAtStart, !isAtEnd {
      let after = place..<Swift.min(place + first, deleted.upperBound)
      guard first > 0, text.prefix(first) == settled.bytes[after],
        index + 1 == count || self[index + 1].old.lowerBound > after.upperBound
      else { return }
      self[index] = change.moved(by: first)
    }
  }
}

extension ParsedText {
  /// The last byte of the clean text before an offset that lies in no mark; nil if there is none.
  fileprivate func seen(before offset: Int) -> UInt8? {
    var at = offset
    while at > 0 {
      guard let mark = mark(at: at - 1).map({ reading.marks[$0] }) else { return bytes[at - 1] }
      if let last = text(.clean, in: mark.range).last { return last }
      at = mark.start
    }
    return nil
  }

  /// The first byte of the clean text after the deleted text of a mark; nil if there is none.
  fileprivate func seen(afterDeletedTextOf mark: Mark) -> UInt8? {
    if let first = text(.clean, in: mark.range).first { return first }
    var at = mark.end
    while at < bytes.count {
      guard let mark = self.mark(at: at).map({ reading.marks[$0] }) else { return bytes[at] }
      if let first = text(.clean, in: mark.range).first { return first }
      at = mark.end
    }
    return nil
  }
}
