extension Text {
  /// Replaces a range by `new`.
  public mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
    guard count > 0 else {
      self = Text(new)
      return
    }
    if insertAtFocus(range, with: new) { return }
    // Includes a chunk on either side, because ends may be split or joined.
    let first = place(of: max(0, min(range.lowerBound, count) - 1))
    let last = place(of: min(range.upperBound, count - 1))
    let start = range.lowerBound - first.before.bytes
    let end = range.upperBound - last.before.bytes
    if first.index == last.index, replace(start..<end, in: first, with: new) { return }
    let head = chunks[first.index].bytes[..<start]
    let tail = chunks[last.index].bytes[end...]
    replaceChunks(
      first.index..<chunks.index(after: last.index),
      with: Text.chunks(of: (head + new + tail)[...])
    )
  }

  /// Replaces bytes of one chunk in place; returns false if that would break the invariant.
  private mutating func replace(
    _ range: Range<Int>,
    in place: Place,
    with new: [UInt8]
  ) -> Bool {
    let known = chunks[place.index].bytes
    let length = known.count - range.count + new.count
    // At the ends of the chunk the neighbours matter.
    guard length > 0, length <= Chunk.longest, range.lowerBound > 0, range.upperBound < known.count
    else { return false }
    let inBlock = chunks.sumsInBlock(around: place.index)
    var focus: Focus?
    chunks.update(place.index) { chunk in
      chunk.bytes.replaceSubrange(range, with: new)
      focus = Focus(place: place, offset: range.lowerBound + new.count, in: chunk, inBlock)
      if let focus { return focus.sumUp(&chunk) }
      chunk.sumUp()
      return nil
    }
    self.focus = focus
    return true
  }

  /// Inserts where the last edit ended; returns false for other edits.
  private mutating func insertAtFocus(_ range: Range<Int>, with new: [UInt8]) -> Bool {
    guard let focus, range.isEmpty, range.lowerBound == focus.start + focus.offset,
      !new.contains(where: \.isLineBreak),
      chunks[focus.place.index].bytes.count + new.count <= Chunk.longest
    else {
      self.focus = nil
      return false
    }
    let next = Focus(focus, after: new)
    chunks.update(focus.place.index) {
      $0.bytes.insert(contentsOf: new, at: focus.offset)
      return next.sumUp(&$0)
    }
    self.focus = next
    return true
  }

  /// Replaces a range of chunks; joins what was split at its ends.
  mutating func replaceChunks(_ range: Range<Rope<Chunk>.Index>, with new: [Chunk]) {
    focus = nil
    var range = range
    var new = new
    if range.lowerBound > chunks.startIndex {
      range = chunks.index(before: range.lowerBound)..<range.upperBound
      new.insert(chunks[range.lowerBound], at: 0)
    }
    if range.upperBound < chunks.endIndex {
      new.append(chunks[range.upperBound])
      range = range.lowerBound..<chunks.index(after: range.upperBound)
    }
    Text.fixSeams(&new)
    chunks.replaceSubrange(range, with: new)
  }

  /// Moves bytes so that no character and no CRLF spans two chunks.
  private static func fixSeams(_ chunks: inout [Chunk]) {
    var index = 1
    while index < chunks.count {
      let joined = seam(chunks[index - 1].bytes, chunks[index].bytes)
      if joined > 0 {
        chunks[index - 1] = Chunk(chunks[index - 1].bytes + chunks[index].bytes[..<joined])
        chunks[index] = Chunk(Array(chunks[index].bytes[joined...]))
      }
      if chunks[index].bytes.isEmpty { chunks.remove(at: index) } else { index += 1 }
    }
  }

  /// How many bytes at the beginning of `next` belong to what `last` ends with.
  static func seam(_ last: [UInt8], _ next: [UInt8]) -> Int {
    guard let end = last.last, let first = next.first else { return 0 }
    if end == Ascii.carriageReturn, first == Ascii.newline { return 1 }
    // What the last sequence is missing.
    guard end >= 0x80, first & 0xC0 == 0x80,
      let lead = last.suffix(3).lastIndex(where: { $0 & 0xC0 != 0x80 }), last[lead] >= 0xC0
    else { return 0 }
    let length = last[lead] < 0xE0 ? 2 : last[lead] < 0xF0 ? 3 : 4
    var count = 0
    while count < length - (last.count - lead), count < next.count, next[count] & 0xC0 == 0x80 {
      count += 1
    }
    return max(0, count)
  }
}
