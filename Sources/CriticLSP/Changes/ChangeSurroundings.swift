import TrackEngine

/// Where changes of a text are, and what is around them; asked for one change after the other, in the order of the text.
struct ChangeSurroundings {
  /// Where a change is, and what is around it.
  struct Context {
    /// Its marks, without its thread.
    let region: Region
    /// The heading that it stands under, as it is when every change is accepted; nil before the first one.
    let heading: [UInt8]?
    /// What stands before it when every change is accepted: up to 80 Unicode scalars.
    let before: [UInt8]
    /// What stands after it and its thread when every change is accepted: up to 80 Unicode scalars.
    let after: [UInt8]
  }

  /// In Unicode scalars.
  private static let reach = 80
  /// In bytes.
  private static let stride = 1024

  private let bytes: [UInt8]
  private let headings: [(start: Int, name: [UInt8])]
  /// What is left when every change is accepted.
  private let kept: [Range<Int>]
  /// What is left of the text before and after `bytes`, if that is a part of it.
  private var before: [UInt8] = []
  private var after: [UInt8] = []
  private var nextHeading = 0
  private var nextKept = 0
  private var cursor: LineCursor
  /// The cursor as it is further on, at each multiple of ``stride``: many marks may end far from where they begin.
  private var ahead: [LineCursor]

  /// Starts before the first change; linear.
  init(of bytes: [UInt8], _ reading: Reading) {
    self.bytes = bytes
    headings = Heading.headings(of: bytes, reading).map { heading in
      (heading.range.lowerBound, LongParagraph.told(heading.name[...]))
    }
    kept = reading.exportedRanges(.clean, of: bytes)
    cursor = LineCursor(bytes)
    ahead = [cursor]
  }

  /// Starts before the first change of a part of a text.
  ///
  /// - Parameters:
  ///   - block: The part.
  ///   - line: The number of its first line, from 1.
  ///   - headings: The headings in it, and the last ones before it, with negative offsets, in order.
  ///   - before: What is left of the text before it, when every change is accepted, as ``end(of:after:)`` gives it.
  ///   - after: The same after it, as ``add(_:to:)`` gives it.
  init(
    of block: TextBlock,
    line: Int,
    _ headings: [(start: Int, name: [UInt8])],
    before: [UInt8],
    after: [UInt8]
  ) {
    bytes = block.bytes
    self.headings = headings
    kept = block.kept
    self.before = before
    self.after = after
    cursor = LineCursor(bytes, line: line)
    ahead = [cursor]
  }

  /// Where the next change is, and what is around it.
  mutating func next(_ entry: ChangeEntry) -> Context {
    let range = entry.range
    while nextHeading < headings.count, headings[nextHeading].start <= range.lowerBound {
      nextHeading += 1
    }
    while nextKept < kept.count, kept[nextKept].upperBound <= range.lowerBound { nextKept += 1 }
    let start = cursor.place(of: range.lowerBound)
    return Context(
      region: Region(from: start, to: end(of: range)),
      heading: nextHeading > 0 ? headings[nextHeading - 1].name : nil,
      before: text(before: range.lowerBound),
      after: text(after: entry.end)
    )
  }

  /// The line and column of a range's end, from where the cursor is at its beginning: the next range may begin before this one ends.
  private mutating func end(of range: Range<Int>) -> (line: Int, column: Int) {
    var end = cursor
    if range.count > ChangeSurroundings.stride {
      let count = range.upperBound / ChangeSurroundings.stride
      while ahead.count <= count {
        var next = ahead[ahead.count - 1]
        _ = next.place(of: ahead.count * ChangeSurroundings.stride)
        ahead.append(next)
      }
      end = ahead[count]
    }
    return end.place(of: range.upperBound)
  }

  /// What is kept before an offset.
  private func text(before offset: Int) -> [UInt8] {
    let ranges = kept.prefix(nextKept + 1).reversed().lazy.map { $0.clamped(to: 0..<offset) }
    return ChangeSurroundings.end(of: ranges, in: bytes, after: before)
  }

  /// What is kept after an offset.
  private func text(after offset: Int) -> [UInt8] {
    let first = kept.partitioningIndex { $0.upperBound > offset }
    let ranges = kept[first...].lazy.map { $0.clamped(to: offset..<bytes.count) }
    var text: [UInt8] = []
    var left = ChangeSurroundings.reach
    if ChangeSurroundings.add(ranges, of: bytes, to: &text, &left) { return text }
    return text + after.prefix(scalars: &left)
  }
}

extension ChangeSurroundings {
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
    parts.append(before.suffix(scalars: &left))
    return parts.reversed().flatMap { $0 }
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
