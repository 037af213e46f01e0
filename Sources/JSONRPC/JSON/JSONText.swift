/// Scanning and decoding the text of strings.
extension UnsafeBufferPointer<UInt8> {
  /// The UTF-8 sequence that begins here, whole or broken.
  ///
  /// - Parameter offset: Where it begins.
  /// - Returns: The number of its bytes, at least one, and whether they are a whole scalar. A broken
  ///   sequence ends before the first byte that cannot continue it, as the Unicode Standard recommends, and
  ///   becomes one U+FFFD.
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
        offset = copyToBackslash(from: offset, to: output, at: &written)
        if offset == count { return }
        let letter = self[offset + 1]
        guard letter == .lowerU else {
          output[written] = letter.unescaped
          written += 1
          offset += 2
          continue
        }
        let (scalar, length) = scalar(ofEscapeAt: offset)
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
          output[written] = byte
          written += 1
        }
        offset += length
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
  /// Copies the text before the next backslash.
  ///
  /// - Parameters:
  ///   - start: Where to begin.
  ///   - output: Has as much room after `written` as there are bytes after `start`.
  ///   - written: The number of bytes there, which goes up by those that are copied.
  /// - Returns: The offset of the backslash, or the end.
  @inline(__always)
  private func copyToBackslash(
    from start: Int,
    to output: UnsafeMutableBufferPointer<UInt8>,
    at written: inout Int
  ) -> Int {
    let backslashes = SIMD16<UInt8>(repeating: .backslash)
    let source = UnsafeRawBufferPointer(self)
    let target = UnsafeMutableRawBufferPointer(output)
    var offset = start
    while offset + 16 <= count {
      let bytes = source.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      // Bytes copied in excess are overwritten.
      target.storeBytes(of: bytes, toByteOffset: written, as: SIMD16<UInt8>.self)
      let hits = bytes .== backslashes
      guard hits.isEmpty else {
        written += hits.first
        return offset + hits.first
      }
      offset += 16
      written += 16
    }
    while offset < count, self[offset] != .backslash {
      output[written] = self[offset]
      offset += 1
      written += 1
    }
    return offset
  }

  /// The scalar that one `\u` escape stands for, or two that are a surrogate pair.
  private func scalar(ofEscapeAt offset: Int) -> (scalar: Unicode.Scalar, length: Int) {
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

extension UInt8 {
  /// What this stands for after a backslash, unless it is `u`.
  fileprivate var unescaped: UInt8 {
    switch self {
    case .lowerN: .newline
    case .lowerR: .carriageReturn
    case .lowerT: .tab
    case .lowerB: 0x08
    case .lowerF: 0x0C
    default: self
    }
  }
}
