import TrackEngine

/// A heading of a Markdown document, in offsets of its bytes.
struct Heading {
  var level: Int
  var name: [UInt8]
  /// The heading's own lines, including marks before it on the line.
  var range: Range<Int>
  /// From the heading to the next one of the same or a higher level.
  var section: Range<Int>
}

extension Heading {
  /// The headings of a document with every change accepted.
  ///
  /// ATX and setext headings by CommonMark's rules, except those in lists and quotes; not in code, front
  /// matter and HTML comments. Linear.
  static func headings(of bytes: [UInt8], _ reading: Reading) -> [Heading] {
    let clean = VariantText(.clean, of: bytes, reading)
    let code = Reading(of: clean.bytes, as: reading.language).zones
    let fences = code.filter(\.isFenced).map(\.range)
    var finder = HeadingFinder(clean.bytes, fences)
    finder.find(from: frontMatter(of: clean.bytes).upperBound)
    var headings = finder.found.map { level, name, lines in
      let start = clean.place(of: lines.lowerBound)
      let end = clean.hull(of: lines).upperBound
      return Heading(level: level, name: name, range: start..<end, section: start..<bytes.count)
    }
    var open: [Int] = []
    for index in headings.indices {
      while let last = open.last, headings[last].level >= headings[index].level {
        let start = headings[last].section.lowerBound
        headings[last].section = start..<headings[index].section.lowerBound
        open.removeLast()
      }
      open.append(index)
    }
    return headings
  }
}

/// Finds headings line by line, in a text or in one that comes block by block.
struct HeadingFinder {
  private let bytes: [UInt8]
  private let fences: [Range<Int>]
  private(set) var found: [(level: Int, name: [UInt8], lines: Range<Int>)] = []
  /// The name of the heading that the paragraph turned out to be which was open before the text.
  private(set) var earlier: [UInt8]?
  /// What goes on behind the text, which may have more lines.
  private(set) var rest: Rest
  /// The start of the current paragraph, which an underline would make a setext heading; nil if it began before the text.
  private(set) var paragraph: Int?

  /// What goes on from one block of a text to the next.
  struct Rest {
    /// The paragraph that is open; nil if there is none that can be a heading.
    var paragraph: LongParagraph?
    /// Whether it is in a list or quote, where an underline is a thematic break.
    var isInContainer = false
    /// Whether an HTML comment is open.
    var isInComment = false
  }

  /// - Parameters:
  ///   - bytes: The text, with every change accepted.
  ///   - fences: Its fenced code.
  ///   - rest: What goes on in it from the block before.
  init(_ bytes: [UInt8], _ fences: [Range<Int>], after rest: Rest = Rest()) {
    self.bytes = bytes
    self.fences = fences
    self.rest = rest
  }

  /// Finds those from an offset on.
  mutating func find(from start: Int) {
    var at = start
    var fence = 0
    if rest.isInComment {
      guard let end = endOfComment(from: at) else { return }
      rest.isInComment = false
      at = afterBreak(lineEnd(end))
    }
    var lastEnd = at
    while at < bytes.count {
      let end = lineEnd(at)
      while fence < fences.count, fences[fence].upperBound <= at { fence += 1 }
      if fence < fences.count, fences[fence].lowerBound < end {
        endParagraph()
        at = afterBreak(max(at, lineEnd(min(fences[fence].upperBound, bytes.count))))
        continue
      }
      if bytes[at] == UInt8(ascii: "<"), bytes[at...].starts(with: "<!--".utf8) {
        endParagraph()
        guard let comment = endOfComment(from: at + 4) else {
          rest.isInComment = true
          return
        }
        at = afterBreak(lineEnd(comment))
        continue
      }
      add(line: at..<end, after: lastEnd)
      lastEnd = end
      at = afterBreak(end)
    }
    if let paragraph {
      let start = trimmed(paragraph..<lastEnd).lowerBound
      rest.paragraph = LongParagraph(bytes[start...], to: trimmed(start..<lastEnd).upperBound)
    } else {
      let end = trimmed(0..<lastEnd).upperBound
      rest.paragraph?.append(bytes, to: end)
    }
  }

  private mutating func endParagraph() {
    paragraph = nil
    rest = Rest()
  }

  private mutating func add(line: Range<Int>, after lastEnd: Int) {
    var start = line.lowerBound
    while start < line.upperBound, bytes[start] == UInt8(ascii: " ") { start += 1 }
    let isIndented = start - line.lowerBound > 3 || isTab(start, before: line.upperBound)
    let text = trimmed(start..<line.upperBound)
    if text.isEmpty {
      endParagraph()
    } else if isIndented {
      // Indented code, or a continuation of the paragraph.
    } else if let level = atxLevel(text) {
      let title = withoutClosing(trimmed(text.lowerBound + level..<text.upperBound))
      found.append((level, Array(bytes[title]), line.lowerBound..<text.upperBound))
      endParagraph()
    } else if let first = paragraph, let level = underlineLevel(text) {
      found.append((level, Array(bytes[trimmed(first..<lastEnd)]), first..<lastEnd))
      endParagraph()
    } else if var before = rest.paragraph, underlineLevel(text) != nil {
      before.append(bytes[..<lastEnd], to: trimmed(0..<lastEnd).upperBound)
      earlier = before.name
      endParagraph()
    } else if beginsContainer(text) {
      endParagraph()
      rest.isInContainer = true
    } else if isRule(text) {
      endParagraph()
    } else if !rest.isInContainer, rest.paragraph == nil {
      paragraph = paragraph ?? line.lowerBound
    }
  }

  private func isTab(_ offset: Int, before end: Int) -> Bool {
    offset < end && bytes[offset] == UInt8(ascii: "\t")
  }

  private func atxLevel(_ text: Range<Int>) -> Int? {
    let level = bytes[text].prefix { $0 == UInt8(ascii: "#") }.count
    guard (1...6).contains(level) else { return nil }
    return level == text.count || isSpace(bytes[text.lowerBound + level]) ? level : nil
  }

  private func underlineLevel(_ text: Range<Int>) -> Int? {
    let first = bytes[text.lowerBound]
    guard bytes[text].allSatisfy({ $0 == first }) else { return nil }
    return switch first {
    case UInt8(ascii: "="): 1
    case UInt8(ascii: "-"): 2
    default: nil
    }
  }

  /// Whether a line begins a quote or list item.
  private func beginsContainer(_ text: Range<Int>) -> Bool {
    var at = text.lowerBound
    if bytes[at] == UInt8(ascii: ">") { return true }
    if "-+*".utf8.contains(bytes[at]) {
      at += 1
      return (at == text.upperBound || isSpace(bytes[at])) && !isRule(text)
    }
    while at < text.upperBound, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[at]) {
      at += 1
    }
    guard at > text.lowerBound, at < text.upperBound, ".)".utf8.contains(bytes[at]) else {
      return false
    }
    return at + 1 == text.upperBound || isSpace(bytes[at + 1])
  }

  /// Whether a line is a thematic break.
  private func isRule(_ text: Range<Int>) -> Bool {
    let first = bytes[text.lowerBound]
    guard "-_*".utf8.contains(first) else { return false }
    let characters = bytes[text].filter { !isSpace($0) }
    return characters.count > 2 && characters.allSatisfy { $0 == first }
  }

  /// The end of the HTML comment that an offset is in; nil if it is not closed in the text.
  private func endOfComment(from start: Int) -> Int? {
    var at = start
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "-"), bytes[at...].starts(with: "-->".utf8) { return at }
      at += 1
    }
    return nil
  }

  /// A title without the closing `#` characters of an ATX heading.
  private func withoutClosing(_ title: Range<Int>) -> Range<Int> {
    var end = title.upperBound
    while end > title.lowerBound, bytes[end - 1] == UInt8(ascii: "#") { end -= 1 }
    guard end == title.lowerBound || isSpace(bytes[end - 1]) else { return title }
    return trimmed(title.lowerBound..<end)
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var start = range.lowerBound
    var end = range.upperBound
    while start < end, isSpace(bytes[start]) { start += 1 }
    while end > start, isSpace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private func lineEnd(_ start: Int) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var at = start
      while at < bytes.count, bytes[at] != UInt8(ascii: "\n"), bytes[at] != UInt8(ascii: "\r") {
        at += 1
      }
      return at
    }
  }

  private func afterBreak(_ end: Int) -> Int {
    guard end < bytes.count else { return end }
    return bytes[end] == UInt8(ascii: "\r") && end + 1 < bytes.count
      && bytes[end + 1] == UInt8(ascii: "\n") ? end + 2 : end + 1
  }
}
