/// Scanning and decoding the text of strings.
extension UnsafeBufferPointer<UInt8> {
  /// The end of the text that may stand between quotes as it is.
  ///
  /// - Parameter start: Where the text begins.
  /// - Returns: The offset of the first quote, backslash, control character or byte that is not
  ///   UTF-8, or the end of the buffer.
  func endOfPlainText(from start: Int) -> Int {
    var offset = start
    while true {
      offset = endOfPlainASCII(from: offset)
      guard offset < count, self[offset] >= 0x80 else { return offset }
      repeat {
        let sequence = utf8Sequence(at: offset)
        guard sequence.isValid else { return offset }
        offset += sequence.length
      } while offset < count && self[offset] >= 0x80
    }
  }

  /// The UTF-8 sequence that begins here, or as much of one as there is of it.
  ///
  /// - Parameter offset: Where it begins.
  /// - Returns: The number of its bytes, at least one, and whether they are a whole scalar. A broken
  ///   sequence ends before the first byte that could not go on with it, as the Unicode Standard
  ///   recommends, so that each stands for one U+FFFD.
  func utf8Sequence(at offset: Int) -> (length: Int, isValid: Bool) {
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch self[offset] {
    case 0..<0x80: return (1, true)
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return (1, false)
    }
    guard offset + 1 < count, second.contains(self[offset + 1]) else { return (1, false) }
    var known = 2
    while known < length {
      guard offset + known < count, self[offset + known] & 0xC0 == 0x80 else {
        return (known, false)
      }
      known += 1
    }
    return (length, true)
  }

  /// The text with its escapes resolved, for text that the parser has accepted.
  ///
  /// - Returns: UTF-8; half a surrogate pair becomes U+FFFD.
  func unescaped() -> [UInt8] {
    // No escape is shorter than what it stands for.
    Array(unsafeUninitializedCapacity: count) { output, written in
      var offset = 0
      while true {
        let end = endOfUnescaped(from: offset)
        if end > offset { written = output[written...].update(fromContentsOf: self[offset..<end]) }
        guard end < count else { return }
        let escape = resolvedEscape(at: end)
        if escape.scalar.isASCII {
          output[written] = UInt8(truncatingIfNeeded: escape.scalar.value)
          written += 1
        } else {
          for byte in UTF8.encode(escape.scalar) ?? UTF8.encodedReplacementCharacter {
            output[written] = byte
            written += 1
          }
        }
        offset = end + escape.length
      }
    }
  }

  /// Whether these are the same bytes as those.
  ///
  /// - Parameter other: The others.
  /// - Returns: Whether they are equal.
  func hasBytes(of other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count where self[index] != other[index] { return false }
    return true
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Finds the first quote, backslash, control character or byte beyond ASCII.
  @inline(__always)
  private func endOfPlainASCII(from start: Int) -> Int {
    var offset = start
    // A literal in a SIMD comparison would be made anew in each round, which is 100 times slower.
    let quotes = SIMD16<Int8>(repeating: Int8(UInt8.quote))
    let backslashes = SIMD16<Int8>(repeating: Int8(UInt8.backslash))
    let spaces = SIMD16<Int8>(repeating: Int8(UInt8.space))
    let memory = UnsafeRawBufferPointer(self)
    // Most strings are short, so the first word decides whether it is worth to look further ahead.
    while offset + 8 <= count {
      let word = UInt64(
        littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      )
      let hits =
        word.bytes(equalTo: .quote) | word.bytes(equalTo: .backslash)
        | word.bytes(below: .space) | word & UInt64.highBits
      guard hits == 0 else { return offset + hits.trailingZeroBitCount / 8 }
      offset += 8
      while offset + 16 <= count {
        // Seen as signed, control characters and all beyond ASCII are what is less than a space.
        let bytes = memory.loadUnaligned(fromByteOffset: offset, as: SIMD16<Int8>.self)
        guard !any((bytes .== quotes) .| (bytes .== backslashes) .| (bytes .< spaces)) else {
          break
        }
        offset += 16
      }
    }
    while offset < count {
      let byte = self[offset]
      if byte == .quote || byte == .backslash || Int8(bitPattern: byte) < 0x20 { return offset }
      offset += 1
    }
    return offset
  }

  /// Finds the first backslash.
  private func endOfUnescaped(from start: Int) -> Int {
    var offset = start
    let memory = UnsafeRawBufferPointer(self)
    while offset + 8 <= count {
      let word = UInt64(
        littleEndian: memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      )
      let hits = word.bytes(equalTo: .backslash)
      guard hits == 0 else { return offset + hits.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < count, self[offset] != .backslash { offset += 1 }
    return offset
  }

  private func resolvedEscape(at offset: Int) -> (scalar: Unicode.Scalar, length: Int) {
    switch self[offset + 1] {
    case .lowerB: return ("\u{08}", 2)
    case .lowerF: return ("\u{0C}", 2)
    case .lowerN: return ("\n", 2)
    case .lowerR: return ("\r", 2)
    case .lowerT: return ("\t", 2)
    case .lowerU: break
    default: return (Unicode.Scalar(self[offset + 1]), 2)
    }
    let unit = codeUnit(at: offset + 2)
    if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
    if 0xD800..<0xDC00 ~= unit, offset + 12 <= count,
      self[offset + 6] == .backslash, self[offset + 7] == .lowerU
    {
      let low = codeUnit(at: offset + 8)
      let joined = 0x1_0000 + (unit - 0xD800) << 10 + low &- 0xDC00
      if 0xDC00..<0xE000 ~= low, let scalar = Unicode.Scalar(joined) { return (scalar, 12) }
    }
    return ("\u{FFFD}", 6)
  }

  private func codeUnit(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reduce(0) { $0 << 4 | ($1.hexValue ?? 0) }
  }
}

/// Eight bytes at once. The lowest bit that is set in a result is right; those above it may not be.
extension UInt64 {
  fileprivate static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  fileprivate static func repeated(_ byte: UInt8) -> UInt64 {
    UInt64(byte) &* 0x0101_0101_0101_0101
  }

  fileprivate func bytes(below limit: UInt8) -> UInt64 {
    (self &- .repeated(limit)) & ~self & .highBits
  }

  fileprivate func bytes(equalTo byte: UInt8) -> UInt64 {
    (self ^ .repeated(byte)).bytes(below: 1)
  }
}
