/// A settled text and its reading, with the queries that the tracker needs.
struct ParsedText {
  let bytes: [UInt8]
  let reading: Reading
  /// The outermost marks, as indices into `reading.marks`.
  let top: [Int]
  /// Whether the attribution right behind a change is part of its mark, as marking with a ``Signature`` has it.
  let areSigned: Bool

  init(_ bytes: [UInt8], as language: Language) {
    self.init(bytes, Reading(of: bytes, as: language))
  }

  init(_ bytes: [UInt8], _ reading: Reading, areSigned: Bool = false) {
    self.areSigned = areSigned
    self.bytes = bytes
    self.reading = reading
    top = reading.topLevel
  }

  /// The position in `top` of the first mark that ends after `offset`.
  func firstMark(endingAfter offset: Int) -> Int {
    top.partitioningIndex { reading.marks[$0].end > offset }
  }

  /// The index of the outermost mark that holds the byte at `offset`.
  func mark(at offset: Int) -> Int? {
    let position = firstMark(endingAfter: offset)
    guard position < top.count, reading.marks[top[position]].start <= offset else { return nil }
    return top[position]
  }

  /// The indices of the outermost marks that lie in `range`.
  func marks(in range: Range<Int>) -> ArraySlice<Int> {
    let first = firstMark(endingAfter: range.lowerBound)
    var last = first
    while last < top.count, reading.marks[top[last]].end <= range.upperBound,
      reading.marks[top[last]].start >= range.lowerBound
    { last += 1 }
    return top[first..<last]
  }

  /// A variant of a stretch that cuts no mark.
  func text(_ variant: Variant, in range: Range<Int>) -> [UInt8] {
    let position = firstMark(endingAfter: range.lowerBound)
    let first = position < top.count ? top[position] : reading.marks.count
    return reading.ranges(variant, in: range, from: first).flatMap { bytes[$0] }
  }

  /// `range`, extended until it cuts no mark.
  func whole(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    if let mark = mark(at: start), reading.marks[mark].start < start {
      start = reading.marks[mark].start
      end = max(end, reading.marks[mark].end)
    }
    if end > start, let mark = mark(at: end - 1) { end = max(end, reading.marks[mark].end) }
    return start..<end
  }

  /// The parts of a range that are in no mark.
  func plainStretches(of range: Range<Int>) -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    var at = range.lowerBound
    while at < range.upperBound {
      let position = firstMark(endingAfter: at)
      let next = position < top.count ? reading.marks[top[position]] : nil
      let end = min(range.upperBound, max(at, next?.start ?? range.upperBound))
      if end > at { stretches.append(at..<end) }
      at = max(end, min(range.upperBound, next?.end ?? range.upperBound))
    }
    return stretches
  }

  /// The end of the comments that stand at an offset and touch each other; the offset if there are none.
  func threadEnd(from offset: Int) -> Int {
    guard let mark = mark(at: offset), reading.marks[mark].start == offset,
      reading.marks[mark].kind == .comment
    else { return offset }
    return reading.threadEnd(behind: mark)
  }

  /// The next place for a mark: after a code span, on the line after a fenced block.
  func outsideCode(_ offset: Int) -> Int {
    let zone = reading.zones.first { zone in
      zone.range.lowerBound < offset && offset < zone.range.upperBound
        || zone.isFenced && offset == zone.range.upperBound || isOnLine(of: zone, offset)
    }
    guard let zone else { return offset }
    guard zone.isFenced else { return zone.range.upperBound }
    return bytes.withUnsafeBufferPointer { $0.lineEnd(after: zone.range.upperBound) }
  }

  /// Whether an offset is before an opening fence on its line, where there can be nothing else.
  func isOnLine(of zone: CodeZone, _ offset: Int) -> Bool {
    guard zone.isFenced, offset <= zone.range.lowerBound else { return false }
    return !bytes[offset..<zone.range.lowerBound].contains(where: \.isLineBreak)
  }

  /// The index of the mark directly inside a mark that holds the byte at `offset`.
  ///
  /// Logarithmic, but for the marks nested in those that end before it.
  func child(of mark: Int, at offset: Int) -> Int? {
    let inside = reading.marks[mark + 1..<mark + 1 + reading.marks[mark].inner]
    // The last one that begins before it, or one that holds that.
    var index = inside.partitioningIndex { $0.start > offset } - 1
    while index > mark, reading.marks[index].depth > reading.marks[mark].depth + 1 { index -= 1 }
    return index > mark && reading.marks[index].end > offset ? index : nil
  }

  /// The innermost mark at an offset, looking only into highlights, since the marks in those are changes by
  /// themselves.
  func inmostMark(at offset: Int) -> Mark? {
    guard let mark = mark(at: offset) else { return nil }
    var inmost = mark
    while reading.marks[inmost].kind == .highlight, let child = child(of: inmost, at: offset) {
      inmost = child
    }
    return reading.marks[inmost]
  }

  /// The indices of the marks directly inside a mark.
  func children(of mark: Int) -> [Int] { reading.outermost(mark + 1..<reading.after(mark)) }
}
