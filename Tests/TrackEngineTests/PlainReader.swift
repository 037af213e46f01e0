@testable import TrackEngine

/// Reads CriticMarkup rule by rule, with no thought for time: what ``Reader`` finds is compared with it.
struct PlainReader {
  private let bytes: Bytes
  private let delimiters: [Delimiter]
  private let runs: [CodeRun]
  private var zones: [CodeZone] = []
  private(set) var marks: [Mark] = []
  /// Where the marks end that are open while they are added.
  private var open: [Int] = []

  /// Reads a text; cubic.
  init(_ bytes: Bytes) {
    self.bytes = bytes
    let spelling = Spelling(bytes)
    delimiters = spelling.delimiters
    runs = spelling.runs
    lookForCode(from: 0)
    var index = 0
    while index < delimiters.count {
      index = read(at: index) ?? index + 1
    }
  }

  /// Reads the mark that a delimiter opens, if it does; returns where to go on.
  private mutating func read(at index: Int) -> Int? {
    guard delimiters[index].role == .opener, zone(of: index) == nil else { return nil }
    let (masked, masking) = closer(of: index, zones)
    let (bare, all) = closer(of: index, [])
    if let masked, !isTooFar(masked, behind: bare) {
      add(index...masked, masking)
      return masked + 1
    }
    let hasCode = zones.contains { $0.range.lowerBound > delimiters[index].offset }
    guard let bare, hasCode else { return nil }
    add(index...bare, all)
    lookForCode(from: delimiters[bare].offset + 3)
    return bare + 1
  }

  /// Whether a mark closes in code, and outside of it only behind the first blank line behind that code.
  private func isTooFar(_ masked: Int, behind bare: Int?) -> Bool {
    guard let bare, bare < masked, let zone = zone(of: bare) else { return false }
    return bytes.hasBlankLine(zone.range.upperBound..<delimiters[masked].offset)
  }

  private func zone(of index: Int) -> CodeZone? {
    zones.first { $0.range.contains(delimiters[index].offset) }
  }

  private func closer(of index: Int, _ zones: [CodeZone]) -> (Int?, Matching) {
    var matching = Matching(delimiters)
    matching.match(index..<delimiters.count, masking: zones[...])
    guard case .opens(let closer, _) = matching.parts[index] else { return (nil, matching) }
    return (closer, matching)
  }

  private mutating func lookForCode(from start: Int) {
    var finder = CodeFinder(bytes, runs)
    _ = finder.find(from: start)
    zones = finder.zones
  }

  private mutating func add(_ range: ClosedRange<Int>, _ matching: Matching) {
    for index in range {
      guard case .opens(let closer, let arrow) = matching.parts[index] else { continue }
      let start = delimiters[index].offset
      while let last = open.last, last <= start { open.removeLast() }
      let end = delimiters[closer].offset + 3
      open.append(end)
      marks.append(
        Mark(
          kind: delimiters[index].mark,
          start: start,
          end: end,
          arrow: arrow < 0 ? -1 : delimiters[arrow].offset,
          depth: open.count - 1,
          inner: 0
        )
      )
    }
  }
}
