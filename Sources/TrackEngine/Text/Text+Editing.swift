extension Text {
  /// Puts `new` in the place of a range.
  public mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
    guard count > 0 else {
      self = Text(new)
      return
    }
    if goOn(range, with: new) { return }
    // With a chunk on either side, for what is cut or joined at the ends.
    let first = place(of: max(0, min(range.lowerBound, count) - 1))
    let last = place(of: min(range.upperBound, count - 1))
    let start = range.lowerBound - first.before.bytes
    let end = range.upperBound - last.before.bytes
    if first.block == last.block, first.chunk == last.chunk,
      replace(start..<end, in: first, with: new)
    {
      return
    }
    let head = blocks[first.block][first.chunk].bytes[..<start]
    let tail = blocks[last.block][last.chunk].bytes[end...]
    let middle = Text.chunks(of: (head + new + tail)[...])
    let chunks =
      blocks[first.block][..<first.chunk] + middle
      + blocks[last.block][(last.chunk + 1)...]
    replaceBlocks(first.block..<last.block + 1, with: Array(chunks))
  }

  /// Replaces bytes of one chunk in their place; false if that would break the invariant.
  private mutating func replace(
    _ range: Range<Int>,
    in place: Place,
    with new: [UInt8]
  ) -> Bool {
    let known = blocks[place.block][place.chunk].bytes
    let length = known.count - range.count + new.count
    // At the ends the neighbours have a say.
    guard length > 0, length <= Chunk.longest, range.lowerBound > 0, range.upperBound < known.count
    else { return false }
    blocks[place.block][place.chunk].bytes.replaceSubrange(range, with: new)
    setFocus(on: place, at: range.lowerBound + new.count)
    return true
  }

  /// Sums up what has changed with a chunk, and keeps the parts of the sums.
  private mutating func setFocus(on place: Place, at offset: Int) {
    let inChunk = blocks[place.block][place.chunk].bytes.withUnsafeBufferPointer { bytes in
      (
        Text.summary(of: Bytes(rebasing: bytes[..<offset])),
        Text.summary(of: Bytes(rebasing: bytes[offset...])),
        // A CRLF that is parted there is counted twice.
        bytes.isInLineBreak(offset)
      )
    }
    guard !inChunk.2 else {
      blocks[place.block][place.chunk].sumUp()
      sums[place.block] = blocks[place.block].summary
      return
    }
    let focus = Focus(
      place: place,
      offset: offset,
      inChunk: (inChunk.0, inChunk.1),
      inBlock: blocks[place.block].sums(around: place.chunk)
    )
    sumUp(focus)
    self.focus = focus
  }

  private mutating func sumUp(_ focus: Focus) {
    let place = focus.place
    var sum = focus.inChunk.before
    sum.append(focus.inChunk.behind)
    blocks[place.block][place.chunk].summary = sum
    sum = focus.inBlock.before
    sum.append(blocks[place.block][place.chunk].summary)
    sum.append(focus.inBlock.behind)
    sums[place.block] = sum
  }

  /// Types on in the place of the last edit; false if that is not what is asked.
  private mutating func goOn(_ range: Range<Int>, with new: [UInt8]) -> Bool {
    guard var focus, range.isEmpty, range.lowerBound == focus.start + focus.offset,
      !new.contains(where: \.isLineBreak),
      blocks[focus.place.block][focus.place.chunk].bytes.count + new.count <= Chunk.longest
    else {
      self.focus = nil
      return false
    }
    self.focus = nil
    blocks[focus.place.block][focus.place.chunk].bytes.insert(contentsOf: new, at: focus.offset)
    focus.inChunk.before.append(new.withUnsafeBufferPointer { Text.summary(of: $0) })
    focus.offset += new.count
    sumUp(focus)
    self.focus = focus
    return true
  }

  mutating func replaceBlocks(_ range: Range<Int>, with chunks: [Chunk]) {
    focus = nil
    var chunks = chunks
    var range = range
    // A block that has become short goes on in its neighbour.
    if chunks.count < Text.longestBlock / 8, range.upperBound < blocks.count {
      chunks += blocks[range.upperBound]
      range = range.lowerBound..<range.upperBound + 1
    }
    Text.mendSeams(&chunks)
    var made: [[Chunk]] = []
    var start = 0
    while start < chunks.count {
      let rest = chunks.count - start
      let length = rest <= Text.longestBlock ? rest : min(Text.longestBlock / 2, (rest + 1) / 2)
      made.append(Array(chunks[start..<start + length]))
      start += length
    }
    blocks.replaceSubrange(range, with: made)
    sums.replace(range, with: made.map(\.summary))
    mendSeam(before: range.lowerBound)
    mendSeam(before: range.lowerBound + made.count)
  }

  /// Lets no character and no CRLF lie in two chunks.
  private static func mendSeams(_ chunks: inout [Chunk]) {
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

  private mutating func mendSeam(before block: Int) {
    guard block > 0, block < blocks.count, let last = blocks[block - 1].last,
      let first = blocks[block].first
    else { return }
    let joined = Text.seam(last.bytes, first.bytes)
    guard joined > 0 else { return }
    blocks[block - 1][blocks[block - 1].count - 1] = Chunk(last.bytes + first.bytes[..<joined])
    blocks[block][0] = Chunk(Array(first.bytes[joined...]))
    if blocks[block][0].bytes.isEmpty { blocks[block].removeFirst() }
    sums[block - 1] = blocks[block - 1].summary
    sums[block] = blocks[block].summary
    guard blocks[block].isEmpty else { return }
    blocks.remove(at: block)
    sums.replace(block..<block + 1, with: [])
    mendSeam(before: block)
  }

  /// How many bytes at the beginning of `next` belong to what `last` ends with.
  static func seam(_ last: [UInt8], _ next: [UInt8]) -> Int {
    guard let end = last.last, let first = next.first else { return 0 }
    if end == Ascii.carriageReturn, first == Ascii.newline { return 1 }
    // What the last sequence still lacks.
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

extension [Text.Chunk] {
  /// What is known of all of them.
  var summary: Text.Summary {
    var summary = Text.Summary()
    for index in indices { summary.append(self[index].summary) }
    return summary
  }

  /// What is known of those before and of those behind one.
  fileprivate func sums(around chunk: Int) -> (before: Text.Summary, behind: Text.Summary) {
    var sums = (before: Text.Summary(), behind: Text.Summary())
    // An index for each, for to take the chunks out would cost more than to sum them up.
    for index in 0..<chunk { sums.before.append(self[index].summary) }
    for index in (chunk + 1)..<count { sums.behind.append(self[index].summary) }
    return sums
  }
}
