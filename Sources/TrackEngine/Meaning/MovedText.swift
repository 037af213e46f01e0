/// Text that was cut, or stands in the document, and holds half a mark, for when it is inserted again.
///
/// Moving a line with `dd p`, `:m` or a key moves everything on it. A delimiter of a mark that continues
/// elsewhere has no meaning where the line goes, and the user does not mean what they cannot see.
struct MovedText: Sendable {
  /// A text that was removed, and the parts of it that are not to be moved along.
  private struct Cut {
    var text: BraceIndex
    var left: [Range<Int>]
  }

  private var cuts: [Cut] = []
  /// The buffer when it was first searched during a report; see ``forget()``.
  private var standing: (draft: Draft, text: BraceIndex)?

  private static let maxCuts = 8
  private static let longest = 64 * 1024
  /// The most occurrences of a text that are examined.
  private static let maxPlaces = 8

  /// Records a text that is removed.
  ///
  /// - Parameters:
  ///   - range: Its range in the buffer.
  ///   - draft: The buffer before the removal.
  mutating func cut(_ range: Range<Int>, from draft: Draft) {
    guard range.count <= MovedText.longest else { return }
    let text = draft.text[range]
    guard text.contains(where: \.isBrace) else { return }
    let left = draft.halves(in: range)
    guard !left.isEmpty else { return }
    cuts.append(Cut(text: BraceIndex(Array(text)), left: left))
    if cuts.count > MovedText.maxCuts { cuts.removeFirst() }
  }

  /// Ends a report of the client: the next search reads the buffer again.
  mutating func forget() {
    standing = nil
  }

  /// The parts of an inserted text that do not belong where it goes, in offsets of that text.
  ///
  /// Linear in the text; also in the buffer, once per report, if a text holds half a mark.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - new: The part that differs at both ends from what it replaces.
  ///   - draft: The buffer before the insertion. Text inserted by the same report is not searched.
  /// - Returns: The parts.
  mutating func stray(
    in text: [UInt8],
    new: Range<Int>,
    putInto draft: Draft
  ) -> [Range<Int>] {
    guard text.count <= MovedText.longest, text.hasHalfMark(draft.language) else { return [] }
    let isLines = text.contains(where: \.isLineBreak)
    if text.hasWords, let found = left(of: text, isLines: isLines, draft) { return found }
    // Lines that were reordered, or inserted with others.
    var stray: [Range<Int>] = []
    var start = 0
    while start < text.count {
      let next = text.withUnsafeBufferPointer { $0.lineEnd(after: start) }
      let end = next - text[start..<next].lineBreakAtEnd.count
      let line = Array(text[start..<end])
      if line.hasHalfMark(draft.language) {
        let isLine = start > 0 || next > end
        let isMoved = isLine && (start..<end).overlaps(new)
        let found =
          line.hasWords
          ? left(of: line, isLines: isLine, draft) : isMoved ? left(ofBare: line) : nil
        stray += (found ?? []).map { $0.moved(by: start) }
      }
      start = next
    }
    return stray
  }

  /// The parts of a text that stay where it was or is; nil if it was nowhere with half a mark.
  ///
  /// Part of a line that was not cut may have been typed or copied with the signs in it.
  private mutating func left(of text: [UInt8], isLines: Bool, _ draft: Draft) -> [Range<Int>]? {
    for cut in cuts.reversed() {
      guard let place = cut.text.places(of: text, atMost: 1).first else { continue }
      return cut.left.compactMap { left in
        let part = left.clamped(to: place)
        return part.isEmpty ? nil : part.moved(by: -place.lowerBound)
      }
    }
    guard isLines else { return nil }
    let standing = standing ?? (draft, BraceIndex(draft.text.bytes))
    self.standing = standing
    for place in standing.text.places(of: text, atMost: MovedText.maxPlaces) {
      let halves = standing.draft.halves(in: place)
      if !halves.isEmpty { return halves }
    }
    return nil
  }

  /// The parts that stay of a removed line without words, such as an empty line in marks.
  private func left(ofBare line: [UInt8]) -> [Range<Int>]? {
    for cut in cuts.reversed() {
      let bytes = cut.text.bytes
      let start = bytes.prefix(while: \.isLineBreak).count
      guard bytes[start...].filter({ !$0.isLineBreak }) == line else { continue }
      return cut.left.map { $0.moved(by: -start) }.filter { line.indices.holds($0) }
    }
    return nil
  }
}

extension Draft {
  /// The invisible parts of the marks that a stretch cuts: their delimiters, deleted text and comments.
  ///
  /// - Returns: Ranges relative to the beginning of the stretch.
  fileprivate func halves(in range: Range<Int>) -> [Range<Int>] {
    let excerpt = excerpt(around: range)
    let settled = excerpt.parsed
    let start = range.lowerBound - excerpt.start
    let stretch = start..<start + range.count
    var halves: [Range<Int>] = []
    for index in settled.top {
      let mark = excerpt.reading.marks[index].range
      guard mark.overlaps(stretch), !stretch.holds(mark) else { continue }
      for span in settled.spans(in: mark) where !span.isContent {
        halves.add(span.range.clamped(to: stretch).moved(by: -start))
      }
    }
    return halves
  }
}

extension [UInt8] {
  /// Whether it holds a word: a delimiter alone may have been typed by hand.
  fileprivate var hasWords: Bool {
    filter { $0 >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }.count > 2
  }

  /// Whether it holds a delimiter that is not part of a mark in it.
  fileprivate func hasHalfMark(_ language: Language) -> Bool {
    guard contains(where: \.isBrace) else { return false }
    var marks = Reading(of: self, as: language).marks[...]
    // Where the marks end that begin before a delimiter.
    var end = 0
    return delimiters.contains { delimiter in
      while let mark = marks.first, mark.start <= delimiter.offset {
        end = Swift.max(end, mark.end)
        marks.removeFirst()
      }
      return delimiter.offset >= end
    }
  }
}
