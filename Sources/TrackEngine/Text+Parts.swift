extension Text {
  /// What is known of a stretch.
  struct Summary: Equatable {
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

  struct Chunk: Equatable {
    var bytes: [UInt8]
    var summary: Summary

    /// Short, for an edit sums its chunk up anew.
    static let longest = 2048

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      summary = bytes.withUnsafeBufferPointer { Text.summary(of: $0) }
    }
  }

  /// Where the text was edited last, with what is known of everything around: going on there costs
  /// nothing but the new bytes.
  struct Focus {
    var block: Int
    var chunk: Int
    /// The place in the chunk, and where that is in the text.
    var offset: Int
    var start: Int
    /// The chunk before and behind the place, the block before and behind the chunk, and the text
    /// before and behind the block.
    var inChunk: (before: Summary, behind: Summary)
    var inBlock: (before: Summary, behind: Summary)
    var inText: (before: Summary, behind: Summary)
  }

  struct Block {
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
  struct Place {
    var block: Int
    var chunk: Int
    var before: Summary
  }

  static func summary(of bytes: Bytes) -> Summary {
    var summary = Summary()
    var continuations = 0
    var long = 0
    var lineFeeds = 0
    var returns = 0
    var at = 0
    if let start = UnsafeRawPointer(bytes.baseAddress) {
      let lineFeed = SIMD16<UInt8>(repeating: Ascii.newline)
      let carriageReturn = SIMD16<UInt8>(repeating: Ascii.carriageReturn)
      let sequenceBits = SIMD16<UInt8>(repeating: 0xC0)
      let continuation = SIMD16<UInt8>(repeating: 0x80)
      let longest = SIMD16<UInt8>(repeating: 0xF0)
      while at + 16 <= bytes.count {
        let chunk = start.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self)
        lineFeeds += count(chunk .== lineFeed)
        returns += count(chunk .== carriageReturn)
        continuations += count(chunk & sequenceBits .== continuation)
        long += count(chunk .>= longest)
        at += 16
      }
    }
    while at < bytes.count {
      let byte = bytes[at]
      if byte == Ascii.newline { lineFeeds += 1 }
      if byte == Ascii.carriageReturn { returns += 1 }
      if byte & 0xC0 == 0x80 { continuations += 1 }
      if byte >= 0xF0 { long += 1 }
      at += 1
    }
    summary.bytes = bytes.count
    summary.lineBreaks = lineFeeds + returns - (returns > 0 ? pairs(in: bytes) : 0)
    summary.scalars = bytes.count - continuations
    summary.utf16 = summary.scalars + long
    summary.hash = TextHash(of: bytes)
    return summary
  }

  @inline(__always)
  private static func count(_ mask: SIMDMask<SIMD16<Int8>>) -> Int {
    let bits = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
    return (bits[0].nonzeroBitCount + bits[1].nonzeroBitCount) / 8
  }

  /// How many CRLFs there are.
  private static func pairs(in bytes: Bytes) -> Int {
    var pairs = 0
    var at = 1
    while at < bytes.count {
      if bytes[at] == Ascii.newline, bytes[at - 1] == Ascii.carriageReturn { pairs += 1 }
      at += 1
    }
    return pairs
  }

  /// Cuts bytes into chunks, off the inside of characters and CRLFs.
  static func chunks(of bytes: ArraySlice<UInt8>) -> [Chunk] {
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
