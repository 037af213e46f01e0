/// Widens changes to what has to be written with them: the whole code that they begin, end or change, since
/// delimiters inside code would be text, and what would escape a delimiter or be taken for metadata of a mark.
struct ChangeWidening {
  /// The changes; those in the same code are one.
  private(set) var changes: [ProposedChange] = []

  private let source: VariantText
  private let edited: [UInt8]
  /// The code of the clean text before and after the changes.
  private let oldZones: [Zone]
  private let newZones: [Zone]

  /// - Parameters:
  ///   - source: The clean text.
  ///   - changes: The changes, in order; disjoint.
  init(_ source: VariantText, _ changes: [ProposedChange]) {
    self.source = source
    let edits = changes.map { Edit($0.range, $0.new) }
    let edited = source.bytes.applying(edits)
    self.edited = edited
    let clean = source.bytes
    oldZones = source.reading.zones.compactMap { zone in
      let range =
        source.offset(
          ofMarkup: zone.range.lowerBound
        )..<source.offset(
          ofMarkup: zone.range.upperBound
        )
      return range.isEmpty
        ? nil : Zone(CodeZone(range: range, isFenced: zone.isFenced), in: clean)
    }
    newZones = Reading(of: edited, as: source.reading.language).zones.map { Zone($0, in: edited) }
    self.changes = edits.differences.widened { [missing(around: $0)] }.flatMap { stretch, parts in
      let members = changes[parts]
      if holdsOtherMarks(stretch.old, than: members) { return Array(members) }
      return [
        ProposedChange(
          range: stretch.old,
          new: Array(edited[stretch.new]),
          comments: members.flatMap(\.comments)
        )
      ]
    }
  }

  /// Whether a mark is, begins or ends in a range, but not in a change there: it would be lost if the range were
  /// replaced.
  private func holdsOtherMarks(_ range: Range<Int>, than members: ArraySlice<ProposedChange>)
    -> Bool
  {
    var start = range.lowerBound
    for member in members {
      // With the character of the change, so that marks between are seen that show nothing.
      let end = min(member.range.lowerBound + 1, source.bytes.count)
      if start < member.range.lowerBound, hasMark(in: start..<end) { return true }
      start = max(0, member.range.upperBound - 1)
    }
    return members.last.map { $0.range.upperBound < range.upperBound } ?? false
      && hasMark(in: start..<range.upperBound)
  }

  /// Whether there is anything else in the marked-up text between the characters of a range.
  private func hasMark(in range: Range<Int>) -> Bool {
    !range.isEmpty && source.hull(of: range).count > range.count
  }

  /// How many bytes a change lacks on both sides.
  private func missing(around stretch: Difference) -> (before: Int, after: Int) {
    let old = wanted(stretch.old, of: oldZones, in: source.bytes, beside: stretch.new)
    let new = wanted(stretch.new, of: newZones, in: edited, beside: stretch.old)
    var left = max(
      stretch.old.lowerBound - old.lowerBound,
      stretch.new.lowerBound - new.lowerBound
    )
    var right = max(
      old.upperBound - stretch.old.upperBound,
      new.upperBound - stretch.new.upperBound
    )
    if left == 0 { left = escape(before: stretch.old) }
    if right == 0 { right = metadata(after: stretch.old) }
    return (left, right)
  }

  /// A range with the code that it cuts; with the whole block if it touches one, unless that as a whole comes or
  /// goes.
  private func wanted(
    _ range: Range<Int>,
    of zones: [Zone],
    in text: [UInt8],
    beside other: Range<Int>
  ) -> Range<Int> {
    var wanted = range
    var index = zones.partitioningIndex { $0.code.range.upperBound > range.lowerBound }
    // What is added at the end of a block that nothing closes is in it.
    if index == zones.count, range == text.count..<text.count, let last = zones.last,
      last.code.isUnclosed(in: text, as: source.reading.language)
    {
      index -= 1
    }
    while index < zones.count, zones[index].code.range.lowerBound < range.upperBound {
      let zone = zones[index]
      index += 1
      let isHeld = range.holds(zone.code.range)
      if isHeld, !zone.code.isFenced || other.isEmpty { continue }
      wanted = wanted.joined(with: zone.lines)
    }
    // What is put before a fence on its line would hide it.
    if index < zones.count, zones[index].code.isFenced,
      !text[..<range.upperBound].endsLine,
      !text[range.upperBound..<zones[index].code.range.lowerBound].prefix(128)
        .contains(where: \.isLineBreak),
      zones[index].code.range.lowerBound - range.upperBound < 128
    {
      wanted = wanted.joined(with: zones[index].lines)
    }
    return wanted
  }

  /// The length of what would escape the opener of a mark at the beginning of a range.
  private func escape(before range: Range<Int>) -> Int {
    source.bytes[..<range.lowerBound].escapeAtEnd
  }

  /// The length of what would be metadata of a mark that ends with a range.
  private func metadata(after range: Range<Int>) -> Int {
    source.bytes.withUnsafeBufferPointer { $0.tails(at: range.upperBound) }
  }
}

/// Code, and with the fences of a block their lines, line breaks included.
private struct Zone {
  let code: CodeZone
  let lines: Range<Int>

  init(_ zone: CodeZone, in text: [UInt8]) {
    code = zone
    guard zone.isFenced else {
      lines = zone.range
      return
    }
    lines = text.withUnsafeBufferPointer { text in
      var start = zone.range.lowerBound
      while start > 0, text[start - 1].isSpace || text[start - 1] == Ascii.greater { start -= 1 }
      start -= text.lineBreakLength(before: start)
      // The last line break of a text stays outside marks.
      let next = zone.range.upperBound + text.lineBreak(at: zone.range.upperBound)
      return start..<(next < text.count ? next : zone.range.upperBound)
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether a line ends with it, or none begins before it.
  fileprivate var endsLine: Bool { last?.isLineBreak ?? true }
}
