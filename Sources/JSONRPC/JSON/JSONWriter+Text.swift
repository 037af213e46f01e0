// The parts of a string.
extension JSONWriter {
  /// Writes a part of a string.
  public mutating func text(_ part: String) {
    let isWritten: Void? = part.utf8.withContiguousStorageIfAvailable { escape($0, isUTF8: true) }
    if isWritten == nil { text(utf8: part.utf8) }
  }

  /// Writes a part of a string.
  ///
  /// - Parameter part: One that stands in JSON as it is, without escapes.
  @inlinable
  @inline(__always)
  public mutating func text(plain part: StaticString) {
    assert(part.isPlain, "\(part) needs escapes")
    append(part)
  }

  /// Writes a part of a string that is given in UTF-8.
  ///
  /// - Parameter part: UTF-8; each invalid sequence becomes U+FFFD, even if the next part would complete it.
  @inlinable
  @inline(__always)
  public mutating func text(utf8 part: some Collection<UInt8>) {
    let wasContiguous: Void? = part.withContiguousStorageIfAvailable { escape($0) }
    if wasContiguous == nil {
      Array(part).withUnsafeBufferPointer { escape($0) }
    }
  }

  /// Writes text, with escapes where JSON requires them.
  @usableFromInline
  mutating func escape(_ text: UnsafeBufferPointer<UInt8>, isUTF8: Bool = false) {
    if text.count < 16, writeWord(text) { return }
    var start = 0
    while true {
      let end = text.endOfPlainText(from: start, isUTF8: isUTF8)
      append(UnsafeBufferPointer(rebasing: text[start..<end]))
      if end == text.count { return }
      start = end + appendEscaped(text, at: end)
    }
  }

  /// Writes a text of less than sixteen bytes, if it is plain and all ASCII, as most are.
  ///
  /// - Returns: False if it was not written.
  @inline(__always)
  private mutating func writeWord(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    reserve(16)
    guard text.count >= 8 else {
      for (offset, byte) in text.enumerated() {
        if byte.isSpecial || byte >= 0x80 { return false }
        next[offset] = byte
      }
      next += text.count
      return true
    }
    // In two parts, which overlap.
    let (source, target) = (UnsafeRawBufferPointer(text), UnsafeMutableRawPointer(next))
    let first = source.loadUnaligned(as: UInt64.self)
    let last = source.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self)
    if first.hasSpecialByte || last.hasSpecialByte { return false }
    target.storeBytes(of: first, as: UInt64.self)
    target.storeBytes(of: last, toByteOffset: text.count - 8, as: UInt64.self)
    next += text.count
    return true
  }

  /// Writes a character that needs an escape, or an invalid sequence.
  ///
  /// - Returns: The number of bytes of the text that this was.
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
    let byte = text[offset]
    guard byte < 0x80 else {
      append("\u{FFFD}")
      return text.utf8Sequence(at: offset).length
    }
    reserve(6)
    next[0] = .backslash
    switch byte {
    case .quote, .backslash: next[1] = byte
    case 0x08: next[1] = .lowerB
    case 0x0C: next[1] = .lowerF
    case .newline: next[1] = .lowerN
    case .carriageReturn: next[1] = .lowerR
    case .tab: next[1] = .lowerT
    default:
      next[1] = .lowerU
      next[2] = .zero
      next[3] = .zero
      next[4] = .zero + byte >> 4
      next[5] = byte & 15 < 10 ? .zero + byte & 15 : 0x57 + byte & 15
      next += 6
      return 1
    }
    next += 2
    return 1
  }
}
