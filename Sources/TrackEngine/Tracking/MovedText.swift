/// What was cut or stands in a document with half a mark in it, for when it is put in again.
///
/// A line moved with `dd p`, `:m` or by key brings along what is on it. A delimiter of a mark that goes on
/// elsewhere means nothing where the line comes to stand, and what nobody sees is not meant.
struct MovedText: Sendable {
  /// A text that was taken out, and what of it does not come along.
  private struct Cut {
    var text: BraceIndex
    var left: [Range<Int>]
  }

  private var cuts: [Cut] = []
  /// The buffer as it was when something was first looked for in it; see ``forget()``.
  private var standing: (draft: Draft, text: BraceIndex)?

  private static let maxCuts = 8
  private static let longest = 64 * 1024
  /// How many places of a text are looked at.
  private static let maxPlaces = 8

  /// Takes note of a text that is taken out.
  ///
  /// - Parameters:
  ///   - range: Where it stands in the buffer.
  ///   - draft: The buffer before.
  mutating func cut(_ range: Range<Int>, from draft: Draft) {
    guard range.count <= MovedText.longest else { return }
    let text = draft.text[range]
    guard text.contains(where: \.isBrace) else { return }
    let left = draft.halves(in: range)
    guard !left.isEmpty else { return }
    cuts.append(Cut(text: BraceIndex(Array(text)), left: left))
    if cuts.count > MovedText.maxCuts { cuts.removeFirst() }
  }

  /// A report of the client is over: what stands in the buffer is looked at anew.
  mutating func forget() {
    standing = nil
  }

  /// The parts of a text that do not belong to it where it is put in, in its own offsets.
  ///
  /// Linear in the text; once a report, in the buffer, where a text holds half a mark.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - new: What of it differs from what it replaces, at both ends.
  ///   - draft: The buffer before. What was put in by the same report is not looked for.
  /// - Returns: The parts.
  mutating func stray(
    in text: [UInt8],
    new: Range<Int>,
    putInto draft: Draft
  ) -> [Range<Int>] {
    guard text.count <= MovedText.longest, text.hasHalfMark else { return [] }
    if text.hasWords, let found = left(of: text, draft) { return found }
    // Lines that were put in another order, or with others.
    var stray: [Range<Int>] = []
    var start = 0
    while start < text.count {
      let next = text.withUnsafeBufferPointer { $0.lineEnd(after: start) }
      let end = next - text[start..<next].lineBreakAtEnd.count
      let line = Array(text[start..<end])
      if line.hasHalfMark {
        let isMoved = (start > 0 || next > end) && (start..<end).overlaps(new)
        let found = line.hasWords ? left(of: line, draft) : isMoved ? left(ofBare: line) : nil
        stray += (found ?? []).map { $0.moved(by: start) }
      }
      start = next
    }
    return stray
  }

  /// What of a text is left behind where it was or is; nil if it was nowhere with half a mark.
  private mutating func left(of text: [UInt8], _ draft: Draft) -> [Range<Int>]? {
    for cut in cuts.reversed() {
      guard let place = cut.text.places(of: text, atMost: 1).first else { continue }
      return cut.left.compactMap { left in
        let part = left.clamped(to: place)
        return part.isEmpty ? nil : part.moved(by: -place.lowerBound)
      }
    }
    let standing = standing ?? (draft, BraceIndex(draft.text.bytes))
    self.standing = standing
    for place in standing.text.places(of: text, atMost: MovedText.maxPlaces) {
      let halves = standing.draft.halves(in: place)
      if !halves.isEmpty { return halves }
    }
    return nil
  }

  /// What is left behind of a line without words, as an empty one in marks is, that was taken out as it is.
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
  /// What of a stretch nobody sees, in the marks that it cuts: their delimiters, deleted text and comments.
  ///
  /// - Returns: Ranges counted from the beginning of the stretch.
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
  /// Whether there are words in it: a delimiter by itself can have been typed by hand.
  fileprivate var hasWords: Bool {
    filter { $0 >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }.count > 2
  }

  /// Whether it holds a delimiter of no mark in it.
  fileprivate var hasHalfMark: Bool {
    guard contains(where: \.isBrace) else { return false }
    let marks = Reading(of: self).marks
    return delimiters.contains { delimiter in
      !marks.contains { $0.range.contains(delimiter.offset) }
    }
  }
}
