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

  /// In bytes.
  private static let stride = 1024

  private let headings: [(start: Int, name: [UInt8])]
  private let kept: KeptText
  private var nextHeading = 0
  private var cursor: LineCursor
  /// The cursor as it is further on, at each multiple of ``stride``: many marks may end far from where they begin.
  private var ahead: [LineCursor]

  /// Starts before the first change; linear.
  init(of bytes: [UInt8], _ reading: Reading) {
    headings = Heading.headings(of: bytes, reading).map { heading in
      (heading.range.lowerBound, LongParagraph.told(heading.name[...]))
    }
    kept = KeptText(of: bytes, reading)
    cursor = LineCursor(bytes)
    ahead = [cursor]
  }

  /// Starts before the first change of a part of a text.
  ///
  /// - Parameters:
  ///   - block: The part.
  ///   - line: The number of its first line, from 1.
  ///   - headings: The headings in it, and the last ones before it, with negative offsets, in order.
  ///   - kept: What is left of the text when every change is accepted.
  init(
    of block: TextBlock,
    line: Int,
    _ headings: [(start: Int, name: [UInt8])],
    _ kept: KeptText
  ) {
    self.headings = headings
    self.kept = kept
    cursor = LineCursor(block.bytes, line: line)
    ahead = [cursor]
  }

  /// Where the next change is, and what is around it.
  mutating func next(_ entry: ChangeEntry) -> Context {
    let range = entry.range
    while nextHeading < headings.count, headings[nextHeading].start <= range.lowerBound {
      nextHeading += 1
    }
    let start = cursor.place(of: range.lowerBound)
    return Context(
      region: Region(from: start, to: end(of: range)),
      heading: nextHeading > 0 ? headings[nextHeading - 1].name : nil,
      before: kept.text(before: range.lowerBound),
      after: kept.text(after: entry.end)
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
}
