extension [Pending] {
  /// Widens a change inside code to the whole span or block, since delimiters inside code would be text.
  ///
  /// A widened block includes its line breaks, so that the fences keep their own lines; `textEnd` is where the
  /// text ends that may be replaced.
  mutating func widenOverCode(in settled: ParsedText, _ buffer: Text, upTo textEnd: Int) {
    var done: [Pending] = []
    var rest = self[...]
    for zone in settled.reading.zones {
      guard let bounds = widenable(zone, in: settled)?.clamped(to: 0..<textEnd) else { continue }
      while let change = rest.first, change.old.upperBound < bounds.lowerBound {
        done.append(rest.removeFirst())
      }
      // Those that touch the code are looked at apart from the others, so that few are moved when they are joined.
      var near: [Pending] = []
      for _ in 1...2 {
        let stretch = near.reduce(bounds) { $0.joined(with: $1.old) }
        while let change = done.last, change.old.upperBound >= stretch.lowerBound {
          near.insert(done.removeLast(), at: 0)
        }
        while let change = rest.first, change.old.lowerBound <= stretch.upperBound {
          near.append(rest.removeFirst())
        }
      }
      near.widen(over: zone, bounds, in: settled, buffer)
      done += near
    }
    self = done + rest
  }

  /// Widens those that change the code in a zone to one change of all of it.
  ///
  /// - Parameters:
  ///   - zone: The zone.
  ///   - bounds: What is replaced for a change in it.
  ///   - settled: The settled text.
  ///   - buffer: The buffer.
  private mutating func widen(
    over zone: CodeZone,
    _ bounds: Range<Int>,
    in settled: ParsedText,
    _ buffer: Text
  ) {
    let end =
      zone.range.upperBound
      + (zone.isUnclosed(in: settled.bytes, as: settled.reading.language) ? 1 : 0)
    let hit = touching(bounds).filter { index in
      let old = self[index].old
      let inside =
        old.isEmpty
        ? zone.range.lowerBound < old.lowerBound && old.lowerBound < end
        : old.overlaps(zone.range)
      let isDeletion =
        old.lowerBound <= zone.range.lowerBound
        && zone.range.upperBound <= old.upperBound && self[index].new.isEmpty
      return inside && !isDeletion || zone.isFenced && hides(index, zone, settled, buffer)
    }
    guard let first = hit.first, let last = hit.last else { return }
    let start = Swift.min(bounds.lowerBound, self[first].old.lowerBound)
    let stop = Swift.max(bounds.upperBound, self[last].old.upperBound)
    let all = partingComments(of: touching(start..<stop), after: last, in: buffer)
    let widened =
      Swift.min(
        start,
        self[all.lowerBound].old.lowerBound
      )..<Swift.max(stop, self[all.upperBound - 1].old.upperBound)
    join(all)
    widen(all.lowerBound, to: widened)
  }

  /// Splits what was typed after the last change in code before its first comment, which goes after the
  /// substitution.
  ///
  /// - Parameters:
  ///   - range: Indices of changes.
  ///   - last: The index of the last change in code.
  ///   - buffer: The buffer.
  /// - Returns: The indices of the changes that the substitution covers.
  private mutating func partingComments(
    of range: Range<Int>,
    after last: Int,
    in buffer: Text
  ) -> Range<Int> {
    let typed = range.upperBound - 1
    guard typed > last, self[typed].old.isEmpty,
      let first = self[typed].typed.firstIndex(where: { $0.kind == .comment })
    else { return range }
    let start = self[typed].new.lowerBound
    let before = [UInt8](buffer[start..<self[typed].typed[first].range.lowerBound])
    let opener = before.delimiters.last { $0.role == .opener && $0.mark == .comment }
    guard let comment = opener.map({ start + $0.offset }) else { return range }
    var rest = self[typed]
    rest.typed.removeFirst(first)
    rest.new = comment..<rest.new.upperBound
    self[typed].typed.removeSubrange(first...)
    self[typed].new = self[typed].new.lowerBound..<comment
    insert(rest, at: typed + 1)
    return range
  }

  /// Whether a change before a fence, on the line of an opening fence, would hide the fence.
  private func hides(_ index: Int, _ zone: CodeZone, _ settled: ParsedText, _ buffer: Text) -> Bool
  {
    let change = self[index]
    guard settled.reading.language.hasLineBlocks, let last = buffer[change.new].last,
      !last.isLineBreak,
      change.old.upperBound <= zone.range.lowerBound
    else { return false }
    return !settled.bytes[change.old.upperBound..<zone.range.lowerBound].contains(
      where: \.isLineBreak
    )
  }

  /// The range to replace for a change in `zone`; nil if the code lies in a change or a comment.
  private func widenable(_ zone: CodeZone, in settled: ParsedText) -> Range<Int>? {
    // Code in the text of a mark ends in it too.
    if let mark = settled.inmostMark(at: zone.range.lowerBound) {
      return mark.kind == .highlight ? zone.range : nil
    }
    guard zone.isFenced else { return zone.range }
    var start = zone.range.lowerBound
    var end = zone.range.upperBound
    let bytes = settled.bytes
    func isOriginal(_ offset: Int) -> Bool {
      offset >= 0 && offset < bytes.count && settled.mark(at: offset) == nil
    }
    while isOriginal(start - 1),
      bytes[start - 1].isSpace
        || bytes[start - 1] == Ascii.greater
    { start -= 1 }
    if isOriginal(start - 1), bytes[start - 1] == Ascii.newline {
      start -= start > 1 && bytes[start - 2] == Ascii.carriageReturn ? 2 : 1
    }
    // A block that ends by its indentation has its last line break.
    if bytes[end - 1].isLineBreak { return start..<end }
    // The last line break of the text stays outside marks; see slide(in:_:from:).
    let next = end + bytes.withUnsafeBufferPointer { $0.lineBreak(at: end) }
    if next < bytes.count { end = next }
    return start..<end
  }
}

extension CodeZone {
  /// Whether it is a block that extends to the end of the text because nothing closes it, so that what is typed there
  /// is in it.
  func isUnclosed(in bytes: [UInt8], as language: Language) -> Bool {
    guard isFenced, range.upperBound == bytes.count else { return false }
    if language == .restructuredText { return bytes.last?.isLineBreak == false }
    return bytes[range].withUnsafeBufferPointer { Parser($0, language).unclosed != nil }
  }
}
