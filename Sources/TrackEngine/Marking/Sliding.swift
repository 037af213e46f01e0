extension Pending {
  /// Moves a deletion after `offset` if that is equivalent: of two line breaks either can be removed.
  mutating func slideAfter(_ offset: Int, in bytes: [UInt8]) {
    let shift = offset - old.lowerBound
    guard new.isEmpty, old.upperBound <= offset, old.upperBound + shift <= bytes.count,
      bytes[old.lowerBound..<offset] == bytes[old.upperBound..<old.upperBound + shift]
    else { return }
    self = moved(by: shift)
  }

  /// The same change shifted by a number of bytes, if the text between makes that equivalent; nil otherwise.
  func moved(by shift: Int) -> Pending {
    Pending(
      old: old.moved(by: shift),
      new: new.moved(by: shift),
      hunks: hunks,
      manner: manner
    )
  }
}

extension [Pending] {
  /// Joins stretches that only the client's report separates, and moves whole lines to line ends.
  ///
  /// A client that compares lines may report a letter that equals its neighbour in either place: `QWERTY` typed
  /// before `The` may arrive as `QWER`, then the `T`, then `YT`.
  ///
  /// - Parameters:
  ///   - settled: The settled text.
  ///   - buffer: The buffer.
  ///   - start: Where the text that can be put into marks begins.
  mutating func slide(in settled: ParsedText, _ buffer: Text, from start: Int) {
    var index = 0
    while index + 1 < count {
      if let joined = slid(self[index], self[index + 1], settled, buffer) {
        replaceSubrange(index...index + 1, with: [joined])
      } else {
        index += 1
      }
    }
    for index in indices {
      slideOutOfDelimiter(index, of: settled, buffer)
      slideInDeletedText(index, of: settled, buffer)
    }
    slideToLineEnds(of: settled, buffer, from: start)
  }

  /// Two insertions or two deletions as a single one beside the original text between them, if the second ends
  /// with that text or the first begins with it.
  private func slid(
    _ first: Pending,
    _ second: Pending,
    _ settled: ParsedText,
    _ buffer: Text
  ) -> Pending? {
    let gap = first.old.upperBound..<second.old.lowerBound
    let isInsertion = first.old.isEmpty && second.old.isEmpty
    guard isInsertion || first.new.isEmpty && second.new.isEmpty,
      settled.marks(in: settled.whole(gap)).isEmpty
    else { return nil }
    let between = settled.bytes[gap]
    let before = isInsertion ? buffer[first.new] : settled.bytes[first.old]
    let after = isInsertion ? buffer[second.new] : settled.bytes[second.old]
    // The beginning and end of the joined stretch, in the text that contains it.
    let isBefore = after.suffix(gap.count) == between
    guard isBefore || before.prefix(gap.count) == between else { return nil }
    // A sign of a delimiter is not the letter that it equals.
    let kept =
      isBefore
      ? second.old.upperBound - gap.count..<second.old.upperBound
      : first.old.lowerBound..<first.old.lowerBound + gap.count
    guard isInsertion || settled.marks(in: settled.whole(kept)).isEmpty else { return nil }
    let (head, tail) = isBefore ? (0, gap.count) : (gap.count, 0)
    var joined: Pending
    let hunks = first.hunks.lowerBound..<second.hunks.upperBound
    if isInsertion {
      let place = isBefore ? first.old : second.old
      let new = first.new.lowerBound + head..<second.new.upperBound - tail
      joined = Pending(old: place, new: new, hunks: hunks)
    } else {
      let place = first.new.lowerBound + head
      let old = first.old.lowerBound + head..<second.old.upperBound - tail
      joined = Pending(old: old, new: place..<place, hunks: hunks)
    }
    let manner = first.manner.joined(with: second.manner)
    joined.manner = manner.isBare ? manner : .other
    return joined
  }

  /// Moves text inserted or removed inside a delimiter to the text beside it, if that is equivalent: `++` typed
  /// after the `C` of `{++C++}` can be reported anywhere among the plus signs.
  private mutating func slideOutOfDelimiter(
    _ index: Int,
    of settled: ParsedText,
    _ buffer: Text
  ) {
    let change = self[index]
    guard change.old.isEmpty != change.new.isEmpty,
      let mark = settled.mark(at: change.old.lowerBound)
    else { return }
    let closer = settled.reading.marks[mark].closer.lowerBound
    guard closer..<closer + 3 ~= change.old.lowerBound else { return }
    let shift = change.old.isEmpty ? change.old.lowerBound - closer : change.old.count
    let place = change.old.lowerBound - shift..<change.old.lowerBound
    guard change.old.upperBound < closer + 3, shift > 0,
      settled.reading.marks[mark].content.lowerBound <= place.lowerBound,
      change.old.isEmpty || change.old.lowerBound == closer,
      change.old.isEmpty
        ? buffer[change.new].suffix(shift).elementsEqual(settled.bytes[place])
        : settled.bytes[change.old] == settled.bytes[place],
      index == 0 || self[index - 1].old.upperBound < place.lowerBound
    else { return }
    self[index] = change.moved(by: -shift)
  }

  /// Gives whole added or deleted lines the line break before them instead of the last one, so that marks do
  /// not start at the beginning of lines (headings, list markers, tables), and takes a line break that both
  /// sides of a replacement end with out of it.
  ///
  /// The last line break of the text stays outside marks: some clients cannot edit after it, and insert another
  /// one if it is missing.
  private mutating func slideToLineEnds(of settled: ParsedText, _ buffer: Text, from start: Int) {
    var index = 0
    while index < count {
      if let moved = slidBack(index, settled, buffer, start) {
        if index > 0, self[index - 1].old.upperBound == moved.old.lowerBound {
          self[index] = moved
          join(index - 1..<index + 1)
          index -= 1
        } else {
          self[index] = moved
        }
      } else {
        index += 1
      }
    }
  }

  /// The change at `index` a line break closer to the beginning, if that is equivalent; nil otherwise.
  private func slidBack(
    _ index: Int,
    _ settled: ParsedText,
    _ buffer: Text,
    _ start: Int
  ) -> Pending? {
    let change = self[index]
    let bytes = settled.bytes
    let oldBreak = bytes[change.old].lineBreakAtEnd
    let newBreak = buffer[change.new].lineBreakAtEnd
    if !oldBreak.isEmpty, oldBreak.elementsEqual(newBreak),
      settled.isContent(at: change.old.upperBound - 1)
    {
      return Pending(
        old: change.old.lowerBound..<change.old.upperBound - oldBreak.count,
        new: change.new.lowerBound..<change.new.upperBound - newBreak.count,
        hunks: change.hunks
      )
    }
    guard change.old.isEmpty || change.new.isEmpty else { return nil }
    let text = change.old.isEmpty ? buffer[change.new] : bytes[change.old]
    let lineBreak = text.lineBreakAtEnd
    let before = change.old.lowerBound - lineBreak.count..<change.old.lowerBound
    let isAtEnd = change.old.upperBound == bytes.count
    guard !lineBreak.isEmpty, before.lowerBound >= start,
      // Moving one of several blank lines gains nothing.
      !text.allSatisfy(\.isLineBreak) || isAtEnd || !bytes[change.old.upperBound].isLineBreak,
      bytes[..<before.upperBound].lineBreakAtEnd.elementsEqual(lineBreak),
      index == 0 || self[index - 1].old.upperBound <= before.lowerBound,
      isAtEnd || settled.marks(in: settled.whole(before)).isEmpty
        || settled.isAdded(before) && settled.whole(before).overlaps(change.old),
      isAtEnd || !settled.isFence(lineEndingAt: before.lowerBound) && !text.hasFence
    else { return nil }
    return change.moved(by: -lineBreak.count)
  }
}

extension ParsedText {
  /// Whether all of a stretch was added.
  fileprivate func isAdded(_ range: Range<Int>) -> Bool {
    spans(in: whole(range)).allSatisfy { span in
      !span.range.overlaps(range) || span.kind == .added && !span.isHidden
    }
  }

  /// Whether the byte at an offset is text that the user sees and that is not deleted.
  fileprivate func isContent(at offset: Int) -> Bool {
    spans(ofMarkAt: offset)?.holding(offset).isContent ?? true
  }

  /// Whether the line that ends at `offset` opens or closes a fenced block, after which nothing may follow on
  /// the line.
  fileprivate func isFence(lineEndingAt offset: Int) -> Bool {
    reading.zones.contains { zone in
      guard zone.isFenced, zone.range.lowerBound <= offset, offset <= zone.range.upperBound else {
        return false
      }
      return !bytes[zone.range.lowerBound..<offset].contains(Ascii.newline)
        || zone.range.upperBound - offset <= 2
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether it has a line that looks like a fence, which must be alone on its line.
  fileprivate var hasFence: Bool {
    var count = 0
    var last: UInt8?
    return contains { byte in
      count = byte == last ? count + 1 : 1
      last = byte
      return count == 3 && (byte == Ascii.backtick || byte == Ascii.tilde)
    }
  }
}
