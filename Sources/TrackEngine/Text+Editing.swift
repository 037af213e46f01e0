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
    let head = blocks[first.block].chunks[first.chunk].bytes[..<start]
    let tail = blocks[last.block].chunks[last.chunk].bytes[end...]
    let middle = Text.chunks(of: (head + new + tail)[...])
    let chunks =
      blocks[first.block].chunks[..<first.chunk] + middle
      + blocks[last.block].chunks[(last.chunk + 1)...]
    replaceBlocks(first.block..<last.block + 1, with: Array(chunks))
  }

  /// Replaces bytes of one chunk in their place; false if that would break the invariant.
  private mutating func replace(
    _ range: Range<Int>,
    in place: Place,
    with new: [UInt8]
  ) -> Bool {
    let known = blocks[place.block].chunks[place.chunk].bytes
    let length = known.count - range.count + new.count
    // At the ends the neighbours have a say.
    guard length > 0, length <= Chunk.longest, range.lowerBound > 0, range.upperBound < known.count
    else { return false }
    blocks[place.block].chunks[place.chunk].bytes.replaceSubrange(range, with: new)
    setFocus(on: place, at: range.lowerBound + new.count)
    return true
  }

  /// Sums up what has changed with a chunk, and keeps the parts of the sums.
  private mutating func setFocus(on place: Place, at offset: Int) {
    let inChunk = blocks[place.block].chunks[place.chunk].bytes.withUnsafeBufferPointer { bytes in
      (
        Text.summary(of: Bytes(rebasing: bytes[..<offset])),
        Text.summary(of: Bytes(rebasing: bytes[offset...])),
        // A CRLF that is parted there is counted twice.
        bytes.isInLineBreak(offset)
      )
    }
    guard !inChunk.2 else {
      blocks[place.block].chunks[place.chunk].sumUp()
      blocks[place.block].sumUp()
      return sumUp()
    }
    let focus = Focus(
      block: place.block,
      chunk: place.chunk,
      offset: offset,
      start: place.before.bytes,
      inChunk: (inChunk.0, inChunk.1),
      inBlock: blocks[place.block].sums(around: place.chunk),
      inText: sums(around: place.block)
    )
    sumUp(focus)
    self.focus = focus
  }

  private mutating func sumUp(_ focus: Focus) {
    var sum = focus.inChunk.before
    sum.append(focus.inChunk.behind)
    blocks[focus.block].chunks[focus.chunk].summary = sum
    sum = focus.inBlock.before
    sum.append(blocks[focus.block].chunks[focus.chunk].summary)
    sum.append(focus.inBlock.behind)
    blocks[focus.block].summary = sum
    sum = focus.inText.before
    sum.append(blocks[focus.block].summary)
    sum.append(focus.inText.behind)
    summary = sum
  }

  /// Types on in the place of the last edit; false if that is not what is asked.
  private mutating func goOn(_ range: Range<Int>, with new: [UInt8]) -> Bool {
    guard var focus, range.isEmpty, range.lowerBound == focus.start + focus.offset,
      !new.contains(where: { $0 == Ascii.newline || $0 == Ascii.carriageReturn }),
      blocks[focus.block].chunks[focus.chunk].bytes.count + new.count <= Chunk.longest
    else {
      self.focus = nil
      return false
    }
    self.focus = nil
    blocks[focus.block].chunks[focus.chunk].bytes.insert(contentsOf: new, at: focus.offset)
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
    if chunks.count < Block.longest / 8, range.upperBound < blocks.count {
      chunks += blocks[range.upperBound].chunks
      range = range.lowerBound..<range.upperBound + 1
    }
    Text.mendSeams(&chunks)
    var made: [Block] = []
    var start = 0
    while start < chunks.count {
      let rest = chunks.count - start
      let length = rest <= Block.longest ? rest : min(Block.longest / 2, (rest + 1) / 2)
      made.append(Block(Array(chunks[start..<start + length])))
      start += length
    }
    blocks.replaceSubrange(range, with: made)
    mendSeam(before: range.lowerBound)
    mendSeam(before: range.lowerBound + made.count)
    sumUp()
  }

  private mutating func sumUp() {
    summary = Summary()
    for index in blocks.indices { summary.append(blocks[index].summary) }
  }

  /// What lies before and behind a block.
  private func sums(around block: Int) -> (before: Summary, behind: Summary) {
    var sums = (before: Summary(), behind: Summary())
    for index in 0..<block { sums.before.append(blocks[index].summary) }
    for index in (block + 1)..<blocks.count { sums.behind.append(blocks[index].summary) }
    return sums
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
    guard block > 0, block < blocks.count, let last = blocks[block - 1].chunks.last,
      let first = blocks[block].chunks.first
    else { return }
    let joined = Text.seam(last.bytes, first.bytes)
    guard joined > 0 else { return }
    blocks[block - 1].chunks[blocks[block - 1].chunks.count - 1] =
      Chunk(last.bytes + first.bytes[..<joined])
    blocks[block].chunks[0] = Chunk(Array(first.bytes[joined...]))
    if blocks[block].chunks[0].bytes.isEmpty { blocks[block].chunks.removeFirst() }
    blocks[block - 1].sumUp()
    blocks[block].sumUp()
    guard blocks[block].chunks.isEmpty else { return }
    blocks.remove(at: block)
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
