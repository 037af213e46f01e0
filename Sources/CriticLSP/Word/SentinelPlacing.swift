import TrackEngine

/// A variant of a marked-up text with sentinels where its stretches begin and end.
///
/// Each stands in the text of a line: behind what makes the block, which it would unmake, and in front of what ends the
/// line. Where a line has no text, or must not be touched, it stands at the beginning of the next one that has some.
struct SentinelPlacing {
  /// The variant alone.
  let plain: [UInt8]
  /// The variant with the sentinels.
  let marked: [UInt8]

  /// Makes a variant.
  ///
  /// - Parameters:
  ///   - variant: The variant.
  ///   - markup: The marked-up text.
  ///   - reading: Its reading.
  ///   - stretches: What begins and ends; their indices are the numbers of the sentinels.
  init(_ variant: Variant, of markup: [UInt8], _ reading: Reading, _ stretches: [DocxStretch]) {
    var events: [(offset: Int, sentinel: Sentinel)] = []
    for (number, stretch) in stretches.enumerated() {
      events.append((stretch.range.lowerBound, .start(number)))
      events.append((stretch.range.upperBound, .end(number)))
    }
    // What ends at an offset ends before another begins there.
    events.sort {
      ($0.offset, $0.sentinel.isStart ? 1 : 0) < ($1.offset, $1.sentinel.isStart ? 1 : 0)
    }
    var plain: [UInt8] = []
    var rest = events[...]
    var offsets: [Int] = []
    for range in reading.exportedRanges(variant, of: markup) {
      while let next = rest.first, next.offset < range.upperBound {
        offsets.append(plain.count + max(0, next.offset - range.lowerBound))
        rest.removeFirst()
      }
      plain += markup[range]
    }
    offsets += rest.map { _ in plain.count }
    self.plain = plain
    marked = SentinelPlacing.marked(plain, zip(offsets, events.map(\.sentinel)))
  }

  private static func marked(
    _ text: [UInt8],
    _ sentinels: some Sequence<(Int, Sentinel)>
  ) -> [UInt8] {
    var lines = PlacingLines(of: text)
    var marked: [UInt8] = []
    var at = 0
    var isBehind = false
    for (offset, sentinel) in sentinels {
      if let place = lines.place(for: offset) {
        marked += text[at..<max(at, place)]
        at = max(at, place)
      } else if !isBehind {
        marked += text[at...]
        at = text.count
        // A paragraph of its own, which is none of the text's.
        marked += "\n\n".utf8
        isBehind = true
      }
      marked += sentinel.text.utf8
    }
    return marked + text[at...]
  }
}

/// The lines of a text, one after the other, and where sentinels can stand in them.
private struct PlacingLines {
  private let text: [UInt8]
  private let frontMatterEnd: Int
  /// The fenced blocks that do not end before the line.
  private var fences: ArraySlice<CodeZone>
  /// The line, without its end, and where the next one begins.
  private var line = 0..<0
  private var next = 0
  /// Where sentinels can stand in the line; nil if nowhere.
  private var room: ClosedRange<Int>?
  /// Whether the next line is one of a table in HTML.
  private var isInTable = false

  init(of text: [UInt8]) {
    self.text = text
    frontMatterEnd = frontMatter(of: text).upperBound
    fences = Reading(of: text, as: Pandoc.language).zones.filter(\.isFenced)[...]
  }

  /// Where the sentinel for an offset stands; nil if there is no text behind it.
  ///
  /// Offsets rise.
  mutating func place(for offset: Int) -> Int? {
    while room == nil || offset >= next && offset > line.upperBound {
      guard next < text.count else { return nil }
      advance()
    }
    return room.map { min(max(offset, $0.lowerBound), $0.upperBound) }
  }

  private mutating func advance() {
    let start = next
    let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
    next = min(end + 1, text.count)
    let isCRLF = end > start && text[end - 1] == UInt8(ascii: "\r")
    line = start..<(isCRLF ? end - 1 : end)
    while let fence = fences.first, fence.range.upperBound <= start { fences.removeFirst() }
    guard start >= frontMatterEnd else {
      room = nil
      return
    }
    if let fence = fences.first, fence.range.lowerBound < end {
      room = fence.range.lowerBound < start ? roomInFence(fence) : nil
      return
    }
    if isInTable || text[line].isTag("<table") {
      isInTable = !text[line].isTag("</table")
      room = roomInTable()
    } else {
      room = roomInText()
    }
  }

  /// Between the tags of a line of a table in HTML.
  private func roomInTable() -> ClosedRange<Int>? {
    var rest = text[line].drop { " \t>".utf8.contains($0) }
    while rest.first == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
      rest = rest[(end + 1)...]
    }
    while rest.last == UInt8(ascii: ">"), let start = rest.lastIndex(of: UInt8(ascii: "<")) {
      rest = rest[..<start]
    }
    return rest.isEmpty ? nil : rest.startIndex...rest.endIndex
  }

  private func roomInFence(_ fence: CodeZone) -> ClosedRange<Int>? {
    let opening =
      text[..<fence.range.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let isClosing = fence.range.upperBound <= line.upperBound
    guard !isClosing else { return nil }
    let indentation = text[opening..<fence.range.lowerBound]
    let prefix = text[line].prefix(indentation.count).prefix { " \t>".utf8.contains($0) }
    // A line without its indentation would not be in the item that the block is in.
    guard prefix.count == indentation.count else { return nil }
    return prefix.endIndex...line.upperBound
  }

  private func roomInText() -> ClosedRange<Int>? {
    let start = line.lowerBound + blockPrefixLength(of: text[line])
    let prefix = text[line.lowerBound..<start]
    var rest = text[start..<line.upperBound].withoutSpacesAtEnd
    guard !rest.isEmpty else {
      // The marker of a list's item can stand alone; a blank line, and one of a quote, stays so.
      return prefix.contains { !" \t>#|".utf8.contains($0) } ? start...start : nil
    }
    // In the empty head of a table they would be its text.
    let following = text[next...].drop { " \t>".utf8.contains($0) }
      .prefix { !"\r\n".utf8.contains($0) }
    let isEmptyHead = rest.allSatisfy { "| \t".utf8.contains($0) } && following.isRule
    let isRule = rest.isRule || isEmptyHead
    let isDefinition =
      rest.first == UInt8(ascii: "[") && rest.dropFirst().first != UInt8(ascii: "^")
      && rest.firstRange(of: "]:".utf8) != nil
    guard !isRule, !isDefinition, !rest.starts(with: ":::".utf8) else { return nil }
    switch (prefix.first { !" \t>".utf8.contains($0) }, rest.last) {
    case (UInt8(ascii: "|"), UInt8(ascii: "|")):
      // What stands behind the last bar of a row would be a cell.
      rest.removeLast()
    case (UInt8(ascii: "#"), UInt8(ascii: "}")):
      // A heading's attributes end it.
      if let brace = rest.lastIndex(of: UInt8(ascii: "{")) {
        rest = rest[..<brace].withoutSpacesAtEnd
      }
    case (_, UInt8(ascii: "\\")):
      // It breaks the line.
      rest.removeLast()
    default: break
    }
    return start...max(start, rest.endIndex)
  }
}

extension ArraySlice<UInt8> {
  /// Whether a line begins with a tag.
  fileprivate func isTag(_ tag: String) -> Bool {
    drop { " \t>".utf8.contains($0) }.starts(with: tag.utf8)
  }

  /// Whether a line parts something: paragraphs, the head of a table from its rows.
  fileprivate var isRule: Bool {
    allSatisfy { "-=*_+|: \t".utf8.contains($0) } && contains { "-=*_+".utf8.contains($0) }
  }

  fileprivate var withoutSpacesAtEnd: ArraySlice<UInt8> {
    self[
      ..<((lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? startIndex - 1) + 1)
    ]
  }
}
