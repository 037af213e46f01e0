/// Finds where passages can begin, for rising offsets of a stretch.
struct PassagePlaces {
  private let parser: Parser
  private let bytes: Bytes
  private let first: Fence?
  /// The fence that is open at the place asked for last.
  private(set) var fence: Fence?
  private var mark = 0
  private var zone = 0
  private var run = 0
  private var whole = 0
  private var asked = 0

  /// The places of a stretch that was parsed.
  ///
  /// - Parameters:
  ///   - parser: What was parsed.
  ///   - bytes: The stretch.
  ///   - fence: The fence of the block that is open where it begins.
  init(_ parser: Parser, _ bytes: Bytes, in fence: Fence?) {
    self.parser = parser
    self.bytes = bytes
    first = fence
  }

  /// The next place, for a passage that begins at `start`; nil if there is none before the end.
  mutating func next(after offset: Int, from start: Int) -> Int? {
    var at = offset
    while at < bytes.count {
      at = bytes.lineEnd(after: at)
      guard at < bytes.count else { return nil }
      if isPlace(at, from: start) { return at }
    }
    return nil
  }

  /// Whether a passage can begin at `offset`, after one that begins at `start`.
  mutating func isPlace(_ offset: Int, from start: Int) -> Bool {
    let marks = parser.reading.marks
    let zones = parser.reading.zones
    fence = nil
    guard offset > 0, bytes.isLineEnd(offset - 1) else { return false }
    while mark < marks.count, marks[mark].end <= offset { mark += 1 + marks[mark].inner }
    if mark < marks.count, marks[mark].start < offset { return false }
    while whole < parser.wholes.count, parser.wholes[whole].upperBound <= offset { whole += 1 }
    if whole < parser.wholes.count, parser.wholes[whole].lowerBound < offset { return false }
    while zone < zones.count, zones[zone].range.upperBound < offset { zone += 1 }
    if zone < zones.count, zones[zone].range.lowerBound < offset,
      zones[zone].range.upperBound > offset || parser.unclosed != nil
    {
      guard zones[zone].isFenced else { return false }
      fence = fence(of: zones[zone])
      return true
    }
    // A backtick can affect how the text reads up to the end of the paragraph, and in some languages a line can.
    while run < parser.runs.count, parser.runs[run] < start { run += 1 }
    let hasRun = run < parser.runs.count && parser.runs[run] < offset
    return !hasRun && !parser.reading.language.readsWholeParagraphs
      || bytes.isAfterBlankLine(offset)
  }

  /// Whether there are backticks or runs of tildes in a range; asked for rising ranges.
  mutating func hasRuns(_ range: Range<Int>) -> Bool {
    while asked < parser.runs.count, parser.runs[asked] < range.lowerBound { asked += 1 }
    return asked < parser.runs.count && parser.runs[asked] < range.upperBound
  }

  private func fence(of zone: CodeZone) -> Fence? {
    if zone.range.lowerBound == 0, let first { return first }
    return bytes.fence(at: zone.range.lowerBound, in: parser.reading.language)
  }
}
