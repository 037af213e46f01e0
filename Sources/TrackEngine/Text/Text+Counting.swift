/// Counting lines and characters, sixteen bytes at a time.
extension Bytes {
  /// Whether an offset lies between a CR and its LF.
  func isInLineBreak(_ offset: Int) -> Bool {
    offset > 0 && offset < count && self[offset] == Ascii.newline
      && self[offset - 1] == Ascii.carriageReturn
  }

  /// How many line breaks end in a range.
  func lineBreaks(in range: Range<Int>) -> Int {
    let newlines = Block(repeating: Ascii.newline)
    let returns = Block(repeating: Ascii.carriageReturn)
    // The byte after a block is needed too.
    let last = Swift.max(range.lowerBound, Swift.min(range.upperBound, count - 1))
    let (end, inBlocks) = sum(over: range.lowerBound..<last) { at in
      let isReturn = block(at: at) .== returns
      return (block(at: at) .== newlines) .| (isReturn .& (block(at: at + 1) .!= newlines))
    }
    var sum = inBlocks
    for at in end..<range.upperBound where endsLineBreak(at) { sum += 1 }
    return sum
  }

  /// The length of a range that does not split a character.
  func units(_ unit: TextUnit, in range: Range<Int>) -> Int {
    guard unit != .utf8 else { return range.count }
    let highestTwoBits = Block(repeating: 0xC0)
    let continuation = Block(repeating: 0x80)
    let (end, inBlocks) = sum(over: range) { at in
      (block(at: at) & highestTwoBits) .!= continuation
    }
    var scalars = inBlocks
    for at in end..<range.upperBound where self[at] & 0xC0 != 0x80 { scalars += 1 }
    return unit == .utf16 ? scalars + pairs(in: range) : scalars
  }

  /// How many characters of a range are two units in UTF-16: those of four bytes.
  func pairs(in range: Range<Int>) -> Int {
    let leadOf4 = Block(repeating: 0xF0)
    let (end, inBlocks) = sum(over: range) { at in block(at: at) .>= leadOf4 }
    var pairs = inBlocks
    for at in end..<range.upperBound where self[at] >= 0xF0 { pairs += 1 }
    return pairs
  }

  /// The last line start in a range, including its end; the start of the range if there is none.
  func lineStart(in range: Range<Int>) -> Int {
    var at = range.upperBound
    while at - 16 >= range.lowerBound, !hasLineBreak(inBlockAt: at - 16) { at -= 16 }
    while at > range.lowerBound, !isLineEnd(at - 1) { at -= 1 }
    return at
  }

  /// A range extended to whole lines, without the last line break.
  func lines(around range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while !isLineEnd(end) { end += 1 }
    return lineStart(in: 0..<range.lowerBound)..<end
  }

  /// The end of the n-th line break, which must exist.
  ///
  /// - Parameter number: Which one, from 1; 0 stands for the beginning.
  /// - Returns: The offset after it.
  func end(ofLineBreak number: Int) -> Int {
    var at = 0
    var left = number
    while at + 128 <= count {
      let passed = lineBreaks(in: at..<at + 128)
      if passed >= left { break }
      left -= passed
      at += 128
    }
    while left > 0 {
      if endsLineBreak(at) { left -= 1 }
      at += 1
    }
    return at
  }

  /// Advances along a line.
  ///
  /// - Parameters:
  ///   - offset: Where to begin; becomes where the line ends, where the units end, or the end.
  ///   - units: How far; reduced by what was passed.
  ///   - unit: What they are.
  ///   - isASCII: Whether every byte is a character.
  /// - Returns: Whether the line or the units end there.
  func advance(
    _ offset: inout Int,
    by units: inout Int,
    _ unit: TextUnit,
    isASCII: Bool
  ) -> Bool {
    if isASCII {
      let start = offset
      let end = units < count - start ? start + units : count
      while offset + 16 <= end, !hasLineBreak(inBlockAt: offset) { offset += 16 }
      while offset < end, !isLineEnd(offset) { offset += 1 }
      units -= offset - start
      return offset < count || units == 0
    }
    while offset < count {
      if isLineEnd(offset) { return true }
      var next = offset + 1
      while next < count, self[next] & 0xC0 == 0x80 { next += 1 }
      let length = unit == .utf8 ? next - offset : unit.length(of: self[offset])
      if length > units { return true }
      units -= length
      offset = next
    }
    return false
  }
}

extension Bytes {
  /// Whether a line break ends after a byte.
  private func endsLineBreak(_ offset: Int) -> Bool {
    self[offset] == Ascii.newline
      || self[offset] == Ascii.carriageReturn && !isInLineBreak(offset + 1)
  }

  /// Whether a line break lies in the sixteen bytes from an offset on, which must be there.
  @inline(__always)
  func hasLineBreak(inBlockAt offset: Int) -> Bool {
    let block = block(at: offset)
    let newlines = Block(repeating: Ascii.newline)
    let returns = Block(repeating: Ascii.carriageReturn)
    return !((block .== newlines) .| (block .== returns)).isEmpty
  }

  /// Counts where something is true, in as many whole blocks as there are in a range.
  ///
  /// - Parameters:
  ///   - range: The range.
  ///   - isTrue: Looks at the block at an offset.
  /// - Returns: The end of the last block, and the sum.
  @inline(__always)
  private func sum(
    over range: Range<Int>,
    where isTrue: (Int) -> SIMDMask<SIMD16<Int8>>
  ) -> (end: Int, sum: Int) {
    var at = range.lowerBound
    var sum = 0
    var left = range.count / 16
    while left > 0 {
      // As many as a byte can count.
      let blocks = Swift.min(left, 255)
      var sums = Block(repeating: 0)
      for _ in 0..<blocks {
        // True is all ones, which is less one.
        sums &-= unsafeBitCast(isTrue(at), to: Block.self)
        at &+= 16
      }
      sum += Int(SIMD16<UInt16>(truncatingIfNeeded: sums).wrappedSum())
      left -= blocks
    }
    return (at, sum)
  }

  @inline(__always)
  private func block(at offset: Int) -> Block {
    UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: offset, as: Block.self)
  }
}

private typealias Block = SIMD16<UInt8>

extension TextUnit {
  /// The length of the character that begins with a byte; 0 for one that begins none.
  fileprivate func length(of first: UInt8) -> Int {
    if first & 0xC0 == 0x80 { return 0 }
    return self == .utf16 && first >= 0xF0 ? 2 : 1
  }
}

extension SIMDMask<SIMD16<Int8>> {
  /// Whether the mask is true nowhere; `any` looks at one byte after the other.
  @inline(__always)
  var isEmpty: Bool {
    let halves = unsafeBitCast(self, to: SIMD2<UInt64>.self)
    return halves[0] | halves[1] == 0
  }
}
