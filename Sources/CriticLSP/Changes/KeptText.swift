import TrackEngine

/// What is left of a text when every change is accepted, asked for what is around a place.
struct KeptText {
  /// In Unicode scalars.
  private static let reach = 80

  private let bytes: [UInt8]
  /// What is left.
  private let kept: [Range<Int>]
  /// What is left of the text before and after `bytes`, if that is a part of it.
  private var before: [UInt8] = []
  private var after: [UInt8] = []

  /// A whole text; linear.
  init(of bytes: [UInt8], _ reading: Reading) {
    self.bytes = bytes
    kept = reading.exportedRanges(.clean, of: bytes)
  }

  /// A part of a text.
  ///
  /// - Parameters:
  ///   - block: The part.
  ///   - before: What is left of the text before it, as ``end(of:after:)`` gives it.
  ///   - after: The same after it, as ``add(_:to:)`` gives it.
  init(of block: TextBlock, before: [UInt8], after: [UInt8]) {
    bytes = block.bytes
    kept = block.kept
    self.before = before
    self.after = after
  }

  /// What is left before an offset: up to 80 Unicode scalars.
  func text(before offset: Int) -> [UInt8] {
    let end = kept.partitioningIndex { $0.lowerBound >= offset }
    let ranges = kept[..<end].reversed().lazy.map { $0.clamped(to: 0..<offset) }
    return KeptText.end(of: ranges, in: bytes, after: before)
  }

  /// What is left after an offset: up to 80 Unicode scalars.
  func text(after offset: Int) -> [UInt8] {
    let first = kept.partitioningIndex { $0.upperBound > offset }
    let ranges = kept[first...].lazy.map { $0.clamped(to: offset..<bytes.count) }
    var text: [UInt8] = []
    var left = KeptText.reach
    if KeptText.add(ranges, of: bytes, to: &text, &left) { return text }
    return text + after.prefix(scalars: &left)
  }
}

extension KeptText {
  /// What has to be known of the text before the next block.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - before: What has to be known of the text before that one.
  /// - Returns: What is left of both, up to ``reach``.
  static func end(of block: TextBlock, after before: [UInt8]) -> [UInt8] {
    end(of: block.kept.reversed(), in: block.bytes, after: before)
  }

  /// The same of ranges, the last one first.
  private static func end(
    of ranges: some Sequence<Range<Int>>,
    in bytes: [UInt8],
    after before: [UInt8]
  ) -> [UInt8] {
    var left = reach
    var parts: [ArraySlice<UInt8>] = []
    for range in ranges {
      guard left > 0 else { break }
      parts.append(bytes[range].suffix(scalars: &left))
    }
    var text = Array(before.suffix(scalars: &left))
    for part in parts.reversed() { text += part }
    return text
  }

  /// Adds what is left of a block to what has to be known of the text after another.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - after: What is known so far.
  /// - Returns: Whether that is enough.
  static func add(_ block: TextBlock, to after: inout [UInt8]) -> Bool {
    var left = after.reduce(reach) { $0 - ($1 & 0xC0 != 0x80 ? 1 : 0) }
    return add(block.kept, of: block.bytes, to: &after, &left)
  }

  /// What stands after a place, of what is known of each block after it.
  ///
  /// - Parameter blocks: What ``add(_:to:)`` gives for each block alone.
  /// - Returns: The first of it, up to ``reach``.
  static func start(of blocks: some Sequence<[UInt8]>) -> [UInt8] {
    var left = reach
    var text: [UInt8] = []
    for block in blocks where left > 0 { text += block.prefix(scalars: &left) }
    return text
  }

  /// The same of ranges, where so many Unicode scalars are left to add.
  private static func add(
    _ ranges: some Sequence<Range<Int>>,
    of bytes: [UInt8],
    to after: inout [UInt8],
    _ left: inout Int
  ) -> Bool {
    for range in ranges {
      let part = bytes[range].prefix(scalars: &left)
      after += part
      if part.count < range.count { return true }
    }
    return false
  }
}

extension RandomAccessCollection<UInt8> where SubSequence == ArraySlice<UInt8>, Index == Int {
  /// The last Unicode scalars, so many or as many as there are; fewer are left then.
  fileprivate func suffix(scalars left: inout Int) -> ArraySlice<UInt8> {
    var start = endIndex
    while start > startIndex, left > 0 {
      start -= 1
      if self[start] & 0xC0 != 0x80 { left -= 1 }
    }
    return self[start...]
  }

  /// The first Unicode scalars, so many or as many as there are, with the bytes behind them that begin none; fewer are
  /// left then.
  fileprivate func prefix(scalars left: inout Int) -> ArraySlice<UInt8> {
    var end = startIndex
    while end < endIndex {
      if self[end] & 0xC0 != 0x80 {
        if left == 0 { break }
        left -= 1
      }
      end += 1
    }
    return self[..<end]
  }
}
