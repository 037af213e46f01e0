/// Finding the end of text that needs no escapes in JSON, sixteen bytes at a time.
extension UnsafeBufferPointer<UInt8> {
  /// The end of the text that needs no escapes.
  ///
  /// - Parameters:
  ///   - start: Where the text begins.
  ///   - isUTF8: Whether it is known to be UTF-8.
  /// - Returns: The offset of the first quote, backslash, control character or byte that is not
  ///   UTF-8, or the end of the buffer.
  func endOfPlainText(from start: Int, isUTF8: Bool = false) -> Int {
    var escapes = Mask(repeating: false)
    guard isUTF8 else { return endOfText(from: start, passing: false, &escapes) }
    return endOfRun(
      from: start,
      SpecialBytes(passesEscapes: false),
      &escapes,
      passesBeyondASCII: true
    )
  }

  /// Like ``endOfPlainText(from:)``, but may skip escaped line breaks and tabs, which are frequent in long
  /// texts.
  ///
  /// - Parameters:
  ///   - start: Where the text begins; no backslash stands before it that escapes its first byte.
  ///   - hasEscapes: Becomes true if an escape is skipped, and possibly if one follows right after the text.
  /// - Returns: The offset of what ends the text.
  func endOfStringText(from start: Int, hasEscapes: inout Bool) -> Int {
    var escapes = Mask(repeating: false)
    let end = endOfText(from: start, passing: true, &escapes)
    if !escapes.isEmpty { hasEscapes = true }
    return end
  }

  @inline(__always)
  private func endOfText(from start: Int, passing: Bool, _ escapes: inout Mask) -> Int {
    let special = SpecialBytes(passesEscapes: passing)
    var offset = start
    while true {
      offset = endOfRun(from: offset, special, &escapes, passesBeyondASCII: false)
      guard offset < count, self[offset] >= 0x80 else { return offset }
      // Bytes before the text must not affect how its first bytes are read.
      if offset >= start + 3 { offset = endOfUTF8(from: offset, special, &escapes) }
      while offset < count, self[offset] >= 0x80 {
        let sequence = utf8Sequence(at: offset)
        guard sequence.isValid else { return offset }
        offset += sequence.length
      }
    }
  }

  /// Continues to the first special byte or, unless those are skipped, the first beyond ASCII.
  @inline(__always)
  private func endOfRun(
    from start: Int,
    _ special: SpecialBytes,
    _ escapes: inout Mask,
    passesBeyondASCII: Bool
  ) -> Int {
    // No byte is more than the last one.
    let limit = passesBeyondASCII ? 0xFF : 0x7F as UInt8
    let limits = Block(repeating: limit)
    var offset = start
    while offset + special.reach <= count {
      let hits = special.find(in: self, at: offset, &escapes) .| (block(at: offset) .> limits)
      guard hits.isEmpty else { return offset + hits.first }
      offset += 16
    }
    if offset > start, offset < count, !special.passesEscapes {
      // The last block begins in what is known to be plain.
      let last = count - 16
      let hits = special.find(in: self, at: last, &escapes) .| (block(at: last) .> limits)
      return hits.isEmpty ? count : last + hits.first
    }
    while offset < count, !self[offset].isSpecial, self[offset] <= limit { offset += 1 }
    return offset
  }

  /// Continues in whole blocks as long as they are valid UTF-8 without special bytes.
  ///
  /// - Parameters:
  ///   - start: Where a sequence begins, at least three bytes into the text.
  ///   - special: What to look for.
  ///   - escapes: Takes up all backslashes that are met.
  /// - Returns: Where a character begins, not before `start`, up to which there is nothing else.
  @inline(__always)
  private func endOfUTF8(
    from start: Int,
    _ special: SpecialBytes,
    _ escapes: inout Mask
  ) -> Int {
    let utf8 = UTF8Bytes()
    var offset = start
    while offset + special.reach <= count {
      let hits =
        special.find(in: self, at: offset, &escapes) .| utf8.findBroken(in: self, at: offset)
      guard hits.isEmpty else {
        return Swift.max(start, characterStart(before: offset + hits.first))
      }
      offset += 16
    }
    if offset > start, offset < count, !special.passesEscapes {
      let last = count - 16
      let hits = special.find(in: self, at: last, &escapes) .| utf8.findBroken(in: self, at: last)
      offset = last + hits.first
    }
    return Swift.max(start, characterStart(before: offset))
  }

  /// Where the character begins that the byte before an offset belongs to.
  private func characterStart(before offset: Int) -> Int {
    var start = offset - 1
    while self[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }

  @inline(__always)
  fileprivate func block(at offset: Int) -> Block {
    UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: offset, as: Block.self)
  }
}

extension UInt8 {
  /// Whether this is a quote, a backslash or a control character.
  var isSpecial: Bool { self < .space || self == .quote || self == .backslash }
}

extension UInt64 {
  /// Whether one of the eight bytes is a quote, a backslash, a control character or beyond ASCII.
  var hasSpecialByte: Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // In a byte below 0x80, the high bit becomes 1 just where it is less than what is subtracted; what
    // is borrowed from its neighbour is borrowed after a byte that is special already.
    let isControl = self &- ones * 0x20
    let isQuote = (self ^ ones * 0x22) &- ones
    let isBackslash = (self ^ ones * 0x5C) &- ones
    return (self | isControl | isQuote | isBackslash) & ones * 0x80 != 0
  }
}

private typealias Block = SIMD16<UInt8>
private typealias Mask = SIMDMask<SIMD16<Int8>>

/// What ends plain text within ASCII.
///
/// The constants are created before the loop over blocks: a literal in a comparison would be created again in
/// each iteration, which is a hundred times slower.
private struct SpecialBytes {
  let passesEscapes: Bool
  private let quotes = Block(repeating: .quote)
  private let backslashes = Block(repeating: .backslash)
  private let spaces = Block(repeating: .space)
  private let newlines = Block(repeating: .lowerN)
  private let returns = Block(repeating: .lowerR)
  private let tabs = Block(repeating: .lowerT)

  init(passesEscapes: Bool) { self.passesEscapes = passesEscapes }

  /// How many bytes to look at: a block, and the byte that its last backslash escapes.
  var reach: Int { passesEscapes ? 17 : 16 }

  /// Finds quotes, control characters, and backslashes that are not skipped.
  ///
  /// An escaped backslash never stands before a letter here, as the one that escapes it is found.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - offset: Where a block begins.
  ///   - escapes: Takes up all backslashes, if some are passed over.
  /// - Returns: Where they are in the block.
  @inline(__always)
  func find(
    in text: UnsafeBufferPointer<UInt8>,
    at offset: Int,
    _ escapes: inout Mask
  ) -> Mask {
    let bytes = text.block(at: offset)
    var found = bytes .== backslashes
    if passesEscapes {
      let next = text.block(at: offset + 1)
      escapes .|= found
      found .&= .!((next .== newlines) .| (next .== returns) .| (next .== tabs))
    }
    return found .| (bytes .== quotes) .| (bytes .< spaces)
  }
}

/// What a byte of UTF-8 may be, by the three bytes before it.
private struct UTF8Bytes {
  private let continuation = Block(repeating: 0x80)
  private let highestTwoBits = Block(repeating: 0xC0)
  private let allButLowestBit = Block(repeating: 0xFE)
  private let leadOf3 = Block(repeating: 0xE0)
  private let leadOf4 = Block(repeating: 0xF0)
  private let leadOfSurrogates = Block(repeating: 0xED)
  private let highestLead = Block(repeating: 0xF4)
  private let x90 = Block(repeating: 0x90)
  private let xA0 = Block(repeating: 0xA0)

  /// Finds where sequences are broken: at the byte that should not be there, or that is not what
  /// should be there.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - offset: Where a block begins; there are three bytes before it.
  /// - Returns: Where they are in the block.
  @inline(__always)
  func findBroken(in text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Mask {
    let bytes = text.block(at: offset)
    let one = text.block(at: offset - 1)
    let three = text.block(at: offset - 3)
    // 0xC0 and 0xC1 would begin what is shorter as ASCII.
    var broken = (bytes & allButLowestBit) .== highestTwoBits
    var isWanted = one .>= highestTwoBits
    // Most texts have long stretches without sequences of three and four.
    if !((bytes .>= leadOf3) .| (three .>= leadOf3)).isEmpty {
      let two = text.block(at: offset - 2)
      isWanted .|= (two .>= leadOf3) .| (three .>= leadOf4)
      broken .|= (bytes .> highestLead)
        .| ((one .== leadOf3) .& (bytes .< xA0))
        .| ((one .== leadOfSurrogates) .& (bytes .>= xA0))
        .| ((one .== leadOf4) .& (bytes .< x90))
        .| ((one .== highestLead) .& (bytes .>= x90))
    }
    return broken .| (isWanted .^ ((bytes & highestTwoBits) .== continuation))
  }
}

extension SIMDMask<SIMD16<Int8>> {
  /// Whether the mask is true nowhere.
  @inline(__always)
  var isEmpty: Bool {
    let halves = unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return halves[0] | halves[1] == 0
  }

  /// The first place where the mask is true, 16 if it is false everywhere.
  @inline(__always)
  var first: Int {
    let halves = unsafeBitCast(self, to: SIMD2<UInt64>.self)
    let low = UInt64(littleEndian: halves[0]).trailingZeroBitCount / 8
    let high = UInt64(littleEndian: halves[1]).trailingZeroBitCount / 8
    // The second half counts if the first has none; a branch here could not be predicted.
    return low + high & (0 - low / 8)
  }
}
