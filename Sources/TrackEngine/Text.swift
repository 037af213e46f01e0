/// A document's text: UTF-8 bytes, any bytes, that know their lines, their length in UTF-16 and their
/// hash.
///
/// Offsets are UTF-8 offsets in `0...count`. A value. Edits and questions cost a walk over the
/// summaries of its parts, a few thousand even for a hundred megabytes, and over one part's bytes.
///
/// Invariant, checked by ``checkInvariants()``: a chunk is not empty and not longer than a page, no
/// CRLF and no UTF-8 sequence lies in two chunks, and every summary is that of what it sums up.
public struct Text: Sendable {
  private var blocks: [Block] = []
  private var summary = Summary()

  /// A text of the given bytes.
  ///
  /// Linear.
  public init(_ bytes: [UInt8] = []) {
    replaceBlocks(0..<0, with: Text.chunks(of: bytes[...]))
  }

  /// The number of bytes.
  public var count: Int { summary.bytes }
  /// The number of lines; what stands behind the last line break is one, even when it is empty.
  ///
  /// LF, CRLF and CR end lines, nothing else does.
  public var lineCount: Int { summary.lineBreaks + 1 }
  /// The hash of the whole text; equal texts have equal hashes.
  public var hash: TextHash { summary.hash }

  /// The whole text.
  ///
  /// Linear.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for block in blocks {
      for chunk in block.chunks { bytes.append(contentsOf: chunk.bytes) }
    }
    return bytes
  }

  /// The byte at an offset below `count`.
  public subscript(offset: Int) -> UInt8 {
    let place = place(of: offset)
    return blocks[place.block].chunks[place.chunk].bytes[offset - place.before.bytes]
  }

  /// The bytes of a range within `0..<count`.
  ///
  /// Linear in the range.
  public subscript(range: Range<Int>) -> ArraySlice<UInt8> {
    guard !range.isEmpty else { return [] }
    var place = place(of: range.lowerBound)
    var start = place.before.bytes
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    while start < range.upperBound {
      let chunk = blocks[place.block].chunks[place.chunk].bytes
      let from = max(range.lowerBound, start) - start
      let to = min(range.upperBound, start + chunk.count) - start
      bytes.append(contentsOf: chunk[from..<to])
      start += chunk.count
      place.chunk += 1
      if place.chunk == blocks[place.block].chunks.count {
        place.block += 1
        place.chunk = 0
      }
    }
    return bytes[...]
  }
}

extension Text: Equatable {
  /// Whether two texts have the same bytes.
  public static func == (left: Text, right: Text) -> Bool {
    left.hash == right.hash && left.bytes == right.bytes
  }
}

// MARK: - Parts

extension Text {
  /// What is known of a stretch.
  fileprivate struct Summary: Equatable {
    var bytes = 0
    var lineBreaks = 0
    var utf16 = 0
    var scalars = 0
    var hash = TextHash()

    mutating func append(_ next: Summary) {
      bytes += next.bytes
      lineBreaks += next.lineBreaks
      utf16 += next.utf16
      scalars += next.scalars
      hash.append(next.hash)
    }

    func units(_ unit: TextUnit) -> Int {
      switch unit {
      case .utf8: bytes
      case .utf16: utf16
      case .scalar: scalars
      }
    }
  }

  fileprivate struct Chunk: Equatable {
    var bytes: [UInt8]
    var summary: Summary

    /// Short, for an edit sums its chunk up anew.
    static let longest = 2048

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      summary = bytes.withUnsafeBufferPointer { Text.summary(of: $0) }
    }
  }

  fileprivate struct Block {
    var chunks: [Chunk]
    var summary: Summary

    static let longest = 256

    init(_ chunks: [Chunk]) {
      self.chunks = chunks
      summary = Summary()
      sumUp()
    }

    mutating func sumUp() {
      summary = Summary()
      for chunk in chunks { summary.append(chunk.summary) }
    }
  }

  /// A chunk, and what comes before it.
  fileprivate struct Place {
    var block: Int
    var chunk: Int
    var before: Summary
  }

  fileprivate static func summary(of bytes: Bytes) -> Summary {
    var summary = Summary()
    var continuations = 0
    var long = 0
    var lineBreaks = 0
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if byte >= 0x80 {
        if byte & 0xC0 == 0x80 { continuations += 1 } else if byte >= 0xF0 { long += 1 }
      } else if byte == Ascii.newline {
        lineBreaks += 1
      } else if byte == Ascii.carriageReturn, at == bytes.count || bytes[at] != Ascii.newline {
        lineBreaks += 1
      }
    }
    summary.bytes = bytes.count
    summary.lineBreaks = lineBreaks
    summary.scalars = bytes.count - continuations
    summary.utf16 = summary.scalars + long
    summary.hash = TextHash(of: bytes)
    return summary
  }

  /// Cuts bytes into chunks, off the inside of characters and CRLFs.
  fileprivate static func chunks(of bytes: ArraySlice<UInt8>) -> [Chunk] {
    var chunks: [Chunk] = []
    chunks.reserveCapacity(bytes.count / Chunk.longest + 1)
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let rest = bytes.endIndex - start
      // Two halves rather than a long one and a remnant.
      let length = rest <= Chunk.longest ? rest : min(Chunk.longest * 3 / 4, (rest + 1) / 2)
      var end = start + length
      var back = 0
      while back < 3, end - back > start + 1, !isBoundary(bytes, end - back) { back += 1 }
      if isBoundary(bytes, end - back) { end -= back }
      chunks.append(Chunk(Array(bytes[start..<end])))
      start = end
    }
    return chunks
  }
}

// MARK: - Finding

/// What a length is counted in.
public enum TextUnit: Sendable {
  /// Bytes.
  case utf8
  /// UTF-16 code units.
  case utf16
  /// Unicode scalars, which are UTF-32 code units.
  case scalar
}

extension Text {
  /// Where a line begins; `line` is in `0..<lineCount`.
  public func start(ofLine line: Int) -> Int {
    guard line > 0 else { return 0 }
    let place = place { $0.lineBreaks >= line }
    let chunk = blocks[place.block].chunks[place.chunk].bytes
    return place.before.bytes
      + chunk.withUnsafeBufferPointer { bytes in
        var at = 0
        for _ in place.before.lineBreaks..<line { at = bytes.lineEnd(after: at) }
        return at
      }
  }

  /// Where a line's text ends, its line break not included; `line` is in `0..<lineCount`.
  public func end(ofLine line: Int) -> Int {
    guard line + 1 < lineCount else { return count }
    let next = start(ofLine: line + 1)
    return next >= 2 && self[next - 1] == Ascii.newline && self[next - 2] == Ascii.carriageReturn
      ? next - 2 : next - 1
  }

  /// The line that holds an offset; between a CR and its LF it is the line that they end.
  public func line(at offset: Int) -> Int {
    guard offset < count else { return lineCount - 1 }
    let place = place(of: offset)
    let chunk = blocks[place.block].chunks[place.chunk].bytes
    return place.before.lineBreaks
      + chunk.withUnsafeBufferPointer { bytes in
        var lines = 0
        var at = bytes.lineEnd(after: 0)
        while at <= offset - place.before.bytes, bytes.isLineEnd(at - 1) {
          lines += 1
          if at == bytes.count { break }
          at = bytes.lineEnd(after: at)
        }
        return lines
      }
  }

  /// The length of a range that cuts no character.
  public func length(of range: Range<Int>, in unit: TextUnit) -> Int {
    units(before: range.upperBound, unit) - units(before: range.lowerBound, unit)
  }

  /// The offset that lies so many units behind `offset`; inside a character, the character's
  /// beginning, and beyond the text its end.
  public func offset(_ units: Int, _ unit: TextUnit, after offset: Int) -> Int {
    let wanted = self.units(before: offset, unit) + units
    guard wanted < summary.units(unit) else { return count }
    let place = place { $0.units(unit) > wanted }
    let chunk = blocks[place.block].chunks[place.chunk].bytes
    var at = 0
    var passed = place.before.units(unit)
    while at < chunk.count {
      let length = Text.characterLength(chunk, at)
      let next = passed + Text.units(unit, chunk[at], length)
      if next > wanted { break }
      passed = next
      at += length
    }
    return place.before.bytes + at
  }

  private func units(before offset: Int, _ unit: TextUnit) -> Int {
    guard unit != .utf8 else { return offset }
    guard offset < count else { return summary.units(unit) }
    let place = place(of: offset)
    let chunk = blocks[place.block].chunks[place.chunk]
    let length = offset - place.before.bytes
    if chunk.summary.utf16 == chunk.summary.bytes { return place.before.units(unit) + length }
    let part = chunk.bytes.withUnsafeBufferPointer { bytes in
      Text.units(unit, Bytes(rebasing: bytes[..<length]))
    }
    return place.before.units(unit) + part
  }

  private static func units(_ unit: TextUnit, _ bytes: Bytes) -> Int {
    var units = 0
    for byte in bytes where byte & 0xC0 != 0x80 {
      units += unit == .utf16 && byte >= 0xF0 ? 2 : 1
    }
    return units
  }

  private static func units(_ unit: TextUnit, _ first: UInt8, _ length: Int) -> Int {
    switch unit {
    case .utf8: length
    // Continuation bytes that continue nothing count nothing, as in the summaries.
    case .utf16: first & 0xC0 == 0x80 ? 0 : first >= 0xF0 ? 2 : 1
    case .scalar: first & 0xC0 == 0x80 ? 0 : 1
    }
  }

  private static func characterLength(_ bytes: [UInt8], _ offset: Int) -> Int {
    var end = offset + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end - offset
  }

  private func place(of offset: Int) -> Place { place { $0.bytes > offset } }

  /// The first chunk with which what is summed up reaches far enough; there must be one.
  private func place(where reaches: (Summary) -> Bool) -> Place {
    var before = Summary()
    for (index, block) in blocks.enumerated() {
      var through = before
      through.count(block.summary)
      guard reaches(through) else {
        before = through
        continue
      }
      for (chunkIndex, chunk) in block.chunks.enumerated() {
        var through = before
        through.count(chunk.summary)
        if reaches(through) { return Place(block: index, chunk: chunkIndex, before: before) }
        before = through
      }
    }
    preconditionFailure("beyond the text")
  }
}

extension Text.Summary {
  /// Adds up everything but the hash, which nothing is looked for by.
  fileprivate mutating func count(_ next: Text.Summary) {
    bytes += next.bytes
    lineBreaks += next.lineBreaks
    utf16 += next.utf16
    scalars += next.scalars
  }
}

// MARK: - Editing

extension Text {
  /// Puts `new` in the place of a range.
  public mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
    guard count > 0 else {
      self = Text(new)
      return
    }
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
    let bytes = blocks[place.block].chunks[place.chunk].bytes
    blocks[place.block].chunks[place.chunk].summary = bytes.withUnsafeBufferPointer {
      Text.summary(of: $0)
    }
    blocks[place.block].sumUp()
    sumUp()
    return true
  }

  private mutating func replaceBlocks(_ range: Range<Int>, with chunks: [Chunk]) {
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
    for block in blocks { summary.append(block.summary) }
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
  private static func seam(_ last: [UInt8], _ next: [UInt8]) -> Int {
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

// MARK: - Whole texts

extension Text {
  /// The hash that the text would have with `edits` made.
  public func hash(after edits: [Edit]) -> TextHash { applying(edits).hash }

  /// The text with `edits` made.
  public func applying(_ edits: [Edit]) -> Text {
    var text = self
    for edit in edits.reversed() { text.replace(edit.range, with: edit.new) }
    return text
  }

  /// What is wrong with the invariant; nil if it holds.
  func checkInvariants() -> String? {
    var whole = Summary()
    var before: [UInt8] = []
    for block in blocks {
      if block.chunks.isEmpty || block.chunks.count > Block.longest { return "a block's length" }
      var sum = Summary()
      for chunk in block.chunks {
        if chunk.bytes.isEmpty || chunk.bytes.count > Chunk.longest + 8 {
          return "a chunk's length"
        }
        if chunk != Chunk(chunk.bytes) { return "a chunk's summary" }
        if Text.seam(before, chunk.bytes) > 0 { return "a seam" }
        before = chunk.bytes
        sum.append(chunk.summary)
      }
      if sum != block.summary { return "a block's summary" }
      whole.append(sum)
    }
    return whole == summary ? nil : "the summary"
  }
}
