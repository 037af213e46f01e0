import TrackEngine

/// What a plain editor would hold beside the marked-up text, and where in that the characters of it are.
///
/// Invariant: the parts, one after the other, are the clean text.
struct Manuscript {
  /// A stretch of the marked-up text that the clean text has too.
  struct Part {
    var range: Range<Int>
    /// Whether it lies in no mark.
    var isTop: Bool
  }

  /// A place in the marked-up text.
  struct Place {
    var offset: Int
    var isTop: Bool
  }

  /// The text with everything rejected.
  var original: [UInt8]
  /// The text with everything accepted.
  private(set) var clean: [UInt8]
  private(set) var parts: [Part] = []

  /// What a text with all changes in marks says by itself.
  init(reading bytes: [UInt8]) {
    let reading = Reading(of: bytes, as: .markdown)
    original = reading.text(.original, of: bytes)
    var ranges = reading.ranges(.clean, in: bytes.indices, from: 0)[...]
    for index in reading.topLevel + [reading.marks.count] {
      let mark = index < reading.marks.count ? reading.marks[index] : nil
      let start = mark?.start ?? bytes.count
      while let range = ranges.first, range.lowerBound < start {
        parts.append(Part(range: range, isTop: true))
        ranges = ranges.dropFirst()
      }
      while let mark, let range = ranges.first, range.lowerBound < mark.end {
        parts.append(Part(range: range, isTop: false))
        ranges = ranges.dropFirst()
      }
    }
    clean = reading.text(.clean, of: bytes)
  }

  /// Takes up where the characters are from another one, which has the same clean text.
  mutating func move(to other: Manuscript) { parts = other.parts }

  /// Where a place of the clean text is.
  ///
  /// - Parameters:
  ///   - offset: An offset of the clean text.
  ///   - isAfter: Whether it is right after the character before, else right before the next one, where
  ///     there are marks between them.
  /// - Returns: The place.
  func place(of offset: Int, isAfter: Bool) -> Place {
    var start = 0
    for (index, part) in parts.enumerated() {
      let end = start + part.range.count
      if offset < end || offset == end && (isAfter || index + 1 == parts.count) {
        let isEnd = offset == start && isAfter && index > 0
        return isEnd
          ? Place(offset: parts[index - 1].range.upperBound, isTop: parts[index - 1].isTop)
          : Place(offset: part.range.lowerBound + offset - start, isTop: part.isTop)
      }
      start = end
    }
    return Place(offset: parts.last?.range.upperBound ?? 0, isTop: parts.last?.isTop ?? true)
  }

  /// The place of the clean text that an offset of the marked-up text stands for.
  func cleanOffset(of offset: Int) -> Int {
    var start = 0
    for part in parts {
      if offset <= part.range.upperBound {
        return start + max(0, offset - part.range.lowerBound)
      }
      start += part.range.count
    }
    return start
  }

  /// Whether a stretch of the marked-up text cuts no mark: its ends lie in text outside of marks.
  func isWhole(_ range: Range<Int>) -> Bool {
    [range.lowerBound, range.upperBound].allSatisfy { end in
      parts.contains { $0.isTop && $0.range.lowerBound < end && end < $0.range.upperBound }
    }
  }

  /// What the clean and the original text have of a stretch of the marked-up text.
  ///
  /// - Parameters:
  ///   - range: A stretch that cuts no mark.
  ///   - bytes: The marked-up text.
  /// - Returns: Their ranges; nil if what is before or after the stretch reads otherwise by itself.
  func sides(of range: Range<Int>, in bytes: [UInt8]) -> Sides? {
    let head = Manuscript(reading: Array(bytes[..<range.lowerBound]))
    let tail = Manuscript(reading: Array(bytes[range.upperBound...]))
    guard
      head.clean.count + tail.clean.count <= clean.count,
      original.starts(with: head.original),
      original.suffix(tail.original.count).elementsEqual(tail.original),
      clean.starts(with: head.clean),
      clean.suffix(tail.clean.count).elementsEqual(tail.clean)
    else { return nil }
    return Sides(
      clean: head.clean.count..<clean.count - tail.clean.count,
      original: head.original.count..<original.count - tail.original.count
    )
  }

  /// A stretch of the clean text, and that of the original text in its place.
  struct Sides {
    var clean: Range<Int>
    var original: Range<Int>
  }

  /// Makes the one of two sides what the other is.
  mutating func resolve(_ sides: Sides, _ variant: Variant) {
    if variant == .clean {
      original.replaceSubrange(sides.original, with: clean[sides.clean])
    } else {
      clean.replaceSubrange(sides.clean, with: original[sides.original])
    }
  }

  /// Replaces a stretch of the marked-up text and what the clean text has of it.
  ///
  /// - Parameters:
  ///   - range: Offsets of the marked-up text.
  ///   - new: What takes its place.
  ///   - isTop: Whether it lies in no mark.
  ///   - shown: Which stretches of `new` the clean text has; nil for all of it.
  mutating func replace(_ range: Range<Int>, with new: [UInt8], isTop: Bool, shown: [Part]? = nil) {
    let shift = new.count - range.count
    var before = 0
    var gone = 0
    var first = 0
    while first < parts.count, parts[first].range.upperBound <= range.lowerBound {
      before += parts[first].range.count
      first += 1
    }
    var last = first
    var made: [Part] = []
    var tail: Part?
    while last < parts.count,
      parts[last].range.lowerBound < range.upperBound
        || range.isEmpty && parts[last].range.lowerBound < range.lowerBound
    {
      let part = parts[last]
      let start = part.range.lowerBound
      let end = part.range.upperBound
      if start < range.lowerBound {
        made.append(Part(range: start..<range.lowerBound, isTop: part.isTop))
        before += range.lowerBound - start
      }
      if end > range.upperBound {
        tail = Part(range: range.upperBound + shift..<end + shift, isTop: part.isTop)
      }
      gone += max(0, min(end, range.upperBound) - max(start, range.lowerBound))
      last += 1
    }
    let shown = shown ?? (new.isEmpty ? [] : [Part(range: new.indices, isTop: isTop)])
    let text = shown.flatMap { new[$0.range] }
    for part in shown {
      let start = part.range.lowerBound + range.lowerBound
      made.append(Part(range: start..<start + part.range.count, isTop: isTop && part.isTop))
    }
    if let tail { made.append(tail) }
    for index in last..<max(last, parts.count) {
      let known = parts[index].range
      parts[index].range = known.lowerBound + shift..<known.upperBound + shift
    }
    parts.replaceSubrange(first..<last, with: made)
    join(max(0, first - 1)..<min(parts.count, first + made.count + 1))
    clean.replaceSubrange(before..<before + gone, with: text)
  }

  /// Makes one of neighbours that nothing parts.
  private mutating func join(_ range: Range<Int>) {
    for index in range.dropFirst().reversed()
    where parts[index - 1].range.upperBound == parts[index].range.lowerBound
      && parts[index - 1].isTop == parts[index].isTop
    {
      parts[index - 1].range = parts[index - 1].range.lowerBound..<parts[index].range.upperBound
      parts.remove(at: index)
    }
  }
}
