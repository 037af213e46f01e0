extension Text {
  /// What is known of a stretch.
  struct Summary: Equatable, Summable {
    var bytes = 0
    var lineBreaks = 0
    var utf16 = 0
    var scalars = 0
    var hash = TextHash()

    mutating func append(_ next: Summary) {
      count(next)
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

  struct Chunk: Summed {
    var bytes: [UInt8]
    var summary: Summary
    var sum: Summary { summary }

    /// Short, because an edit computes the summary of its chunk again.
    static let longest = 2048

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      summary = Summary()
      sumUp()
    }

    mutating func sumUp() {
      summary = bytes.withUnsafeBufferPointer { Text.summary(of: $0) }
    }
  }

  /// Where the last edit was, with summaries of everything around it, so that typing on costs only the new
  /// bytes.
  ///
  /// A class, because texts are copied often: this is most of what one would hold.
  final class Focus: Sendable {
    let place: Place
    /// In the chunk.
    let offset: Int
    /// The chunk before and after the offset, and the block before and after the chunk.
    let inChunk: (before: Summary, after: Summary)
    let inBlock: (before: Summary, after: Summary)

    /// In the text.
    var start: Int { place.before.bytes }

    /// Adds up a chunk's parts; nil inside a CRLF, which would be counted twice.
    init?(
      place: Place,
      offset: Int,
      in chunk: Chunk,
      _ inBlock: (before: Summary, after: Summary)
    ) {
      let parts: (before: Summary, after: Summary)? = chunk.bytes.withUnsafeBufferPointer { bytes in
        guard !bytes.isInLineBreak(offset) else { return nil }
        return (
          Text.summary(of: Bytes(rebasing: bytes[..<offset])),
          Text.summary(of: Bytes(rebasing: bytes[offset...]))
        )
      }
      guard let parts else { return nil }
      self.place = place
      self.offset = offset
      self.inBlock = inBlock
      inChunk = parts
    }

    /// Where an insertion at a focus ends.
    init(_ focus: Focus, after new: [UInt8]) {
      place = focus.place
      offset = focus.offset + new.count
      inBlock = focus.inBlock
      var before = focus.inChunk.before
      before.append(new.withUnsafeBufferPointer { Text.summary(of: $0) })
      inChunk = (before, focus.inChunk.after)
    }

    /// Gives the chunk its sum, and returns that of its block.
    func sumUp(_ chunk: inout Chunk) -> Summary {
      chunk.summary = inChunk.before
      chunk.summary.append(inChunk.after)
      var block = inBlock.before
      block.append(chunk.summary)
      block.append(inBlock.after)
      return block
    }
  }

  /// A chunk, and what comes before it.
  struct Place {
    var index: Rope<Chunk>.Index
    var before: Summary
  }

  static func summary(of bytes: Bytes) -> Summary {
    let all = bytes.indices
    var summary = Summary()
    summary.bytes = bytes.count
    summary.lineBreaks = bytes.lineBreaks(in: all)
    summary.scalars = bytes.units(.scalar, in: all)
    summary.utf16 = summary.scalars + bytes.pairs(in: all)
    summary.hash = TextHash(of: bytes)
    return summary
  }

  /// Cuts bytes into chunks, not inside characters or CRLFs.
  static func chunks(of bytes: ArraySlice<UInt8>) -> [Chunk] {
    var chunks: [Chunk] = []
    chunks.reserveCapacity(bytes.count / Chunk.longest + 1)
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let rest = bytes.endIndex - start
      // Two halves rather than a long one and a short rest.
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
