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
