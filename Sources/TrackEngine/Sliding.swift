extension Pending {
  /// Moves a deletion behind `offset` where that is the same: of two line breaks either can go.
  mutating func slideBehind(_ offset: Int, in bytes: [UInt8]) {
    let shift = offset - old.lowerBound
    guard new.isEmpty, shift > 0, old.upperBound <= offset, old.upperBound + shift <= bytes.count,
      bytes[old.lowerBound..<offset] == bytes[old.upperBound..<old.upperBound + shift]
    else { return }
    old = offset..<old.upperBound + shift
    new = new.lowerBound + shift..<new.upperBound + shift
  }
}

extension [Pending] {
  /// Joins stretches that the client only reports apart, and moves them off the end of the text.
  ///
  /// A client that compares lines reports a letter that equals its neighbour in either place: what
  /// was typed as `QWERTY` before `The` can come as `QWER`, then the `T`, then `YT`.
  ///
  /// - Parameters:
  ///   - settled: The settled text.
  ///   - buffer: The buffer.
  ///   - isLast: Whether the document ends where they end.
  mutating func slide(in settled: Settled, _ buffer: Text, isLast: Bool) {
    var index = 0
    while index + 1 < count {
      if let joined = slid(self[index], self[index + 1], settled, buffer) {
        replaceSubrange(index...index + 1, with: [joined])
      } else {
        index += 1
      }
    }
    if isLast { slideOffEnd(of: settled, buffer) }
  }

  /// Two insertions or two deletions, parted only by original text that the second ends with or the
  /// first begins with, as one beside that text.
  private func slid(
    _ first: Pending,
    _ second: Pending,
    _ settled: Settled,
    _ buffer: Text
  ) -> Pending? {
    let gap = first.old.upperBound..<second.old.lowerBound
    let isInsertion = first.old.isEmpty && second.old.isEmpty
    guard isInsertion || first.new.isEmpty && second.new.isEmpty,
      settled.marks(in: settled.whole(gap)).isEmpty
    else { return nil }
    let between = settled.bytes[gap]
    let before = isInsertion ? buffer[first.new] : settled.bytes[first.old]
    let behind = isInsertion ? buffer[second.new] : settled.bytes[second.old]
    // Where the joined stretch begins and ends, in the text that has it.
    let isBefore = behind.suffix(gap.count) == between
    guard isBefore || before.prefix(gap.count) == between else { return nil }
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
    joined.isBare = first.isBare && second.isBare
    return joined
  }

  /// Takes the line break before added or deleted lines at the end of the text instead of the last
  /// one: some clients can't edit behind the last line break.
  private mutating func slideOffEnd(of settled: Settled, _ buffer: Text) {
    guard let last, last.old.upperBound == settled.bytes.count else { return }
    let bytes = settled.bytes
    let length = bytes.withUnsafeBufferPointer { bytes in
      bytes.count > 1 && bytes.lineBreak(at: bytes.count - 2) == 2
        ? 2 : bytes.isEmpty ? 0 : bytes.lineBreak(at: bytes.count - 1)
    }
    guard length > 0, last.old.lowerBound >= length else { return }
    let before = last.old.lowerBound - length..<last.old.lowerBound
    let lineBreak = bytes[before]
    guard lineBreak.elementsEqual(bytes.suffix(length)),
      settled.marks(in: settled.whole(before)).isEmpty,
      count < 2 || self[count - 2].old.upperBound < before.lowerBound
    else { return }
    let isInsertion = last.old.isEmpty && buffer[last.new].suffix(length) == lineBreak
    let isDeletion = last.new.isEmpty && last.old.count >= length
    guard isInsertion || isDeletion, last.typed.count <= 1 else { return }
    var moved = Pending(
      old: before.lowerBound..<last.old.upperBound - length,
      new: last.new.lowerBound - length..<last.new.upperBound - length,
      hunks: last.hunks
    )
    moved.isBare = last.isBare
    self[count - 1] = moved
  }
}
