/// What a pending change removes from the settled text.
struct Removal {
  /// Ranges of content that is removed, by where they start.
  var gone: [Range<Int>]
  /// The range removed including delimiters, if it holds a mark.
  var removed: Range<Int>
  /// Typed text of the buffer beside it that is removed too.
  private(set) var untyped: [Range<Int>] = []

  enum Direction {
    case back
    case forward
  }

  /// Interprets a hunk: removed text is gone; delimiters are not text and stay.
  ///
  /// A Backspace or Delete that removed only characters of one mark's delimiter stands for the same number of
  /// characters beside the delimiter, as they are now; also if it reached the delimiter from the text outside.
  /// No Delete reaches `end`, since the last line break of the text stays.
  init(
    by index: Int,
    of all: [Pending],
    in settled: ParsedText,
    _ buffer: Text,
    upTo end: Int
  ) {
    let pending = all[index]
    gone = pending.old.isEmpty ? [] : [pending.old]
    removed = pending.old
    if let covered = pending.overtyped(in: settled) {
      // Overtyping characters of a delimiter means overtyping as many characters after it.
      var walk = Walk(settled: settled, end: end, pending: all, buffer: buffer)
      gone += walk.walk(.forward, from: pending.old.upperBound, covered)
      untyped = walk.untyped
      return
    }
    guard let part = DelimiterPart(removedBy: index, of: all, in: settled) else { return }
    switch part.meaning {
    case .reported: break
    case .nothing: gone = []
    case .mark: removed = part.mark.range
    case .beside(let direction, let start, let isInside):
      var walk = Walk(settled: settled, end: end, pending: all, buffer: buffer)
      if isInside { walk.comment = part.mark.content }
      let beside = walk.walk(direction, from: start, part.range.count)
      untyped = walk.untyped
      let before = pending.old.lowerBound..<part.range.lowerBound
      let after = part.range.upperBound..<pending.old.upperBound
      gone = ([before] + beside + [after]).filter { !$0.isEmpty }
    }
  }
}

extension Pending {
  /// How many characters of delimiters were overtyped one by one, as in Replace mode; nil for other changes.
  ///
  /// The remaining characters show that the delimiter was not meant.
  fileprivate func overtyped(in settled: ParsedText) -> Int? {
    guard manner == .overtyped, !isSpelled, typed.count == 1 else { return nil }
    var count = 0
    var at = old.lowerBound
    while at < old.upperBound {
      guard let index = settled.mark(at: at) else {
        at += 1
        continue
      }
      let mark = settled.reading.marks[index]
      let part = mark.range.clamped(to: old)
      if part != mark.range {
        let spans = settled.spans(in: mark.range)
        count +=
          part.filter { offset in
            let span = spans.holding(offset)
            return !span.isContent && (!span.isHidden || span.kind == .comment)
          }.count
      }
      at = part.upperBound
    }
    return count > 0 ? count : nil
  }
}

/// Steps over the characters that a Backspace or a Delete would act on.
///
/// Deleted text and comments are skipped; or, inside a comment, only the text of that comment counts. Text
/// removed by other changes is no longer there, and text they inserted is.
private struct Walk {
  let settled: ParsedText
  /// Where the removable text ends.
  let end: Int
  let pending: [Pending]
  let buffer: Text
  /// The text of the comment to which the walk is limited.
  var comment: Range<Int>?
  /// The typed characters of the buffer that the walk passed over.
  private(set) var untyped: [Range<Int>] = []

  init(settled: ParsedText, end: Int, pending: [Pending], buffer: Text) {
    self.settled = settled
    self.end = end
    self.pending = pending
    self.buffer = buffer
  }

  /// Steps over a number of characters.
  ///
  /// - Returns: Those of the settled text, in ascending order.
  mutating func walk(_ direction: Removal.Direction, from offset: Int, _ characters: Int) -> [Range<
    Int
  >] {
    var found: [Range<Int>] = []
    var at = offset
    while found.count + untyped.count < characters, let stretch = stretch(direction, of: at) {
      at = direction == .back ? stretch.range.lowerBound : stretch.range.upperBound
      guard stretch.isContent else { continue }
      let seen = seen(in: stretch.range)
      for span in direction == .back ? seen.reversed() : seen {
        var rest = span.range
        while !rest.isEmpty, found.count + untyped.count < characters {
          let isTyped = span.source == .typed(span.range)
          let character = (isTyped ? buffer[rest] : settled.bytes[rest])
            .character(direction, of: rest)
          if isTyped { untyped.append(character) } else { found.append(character) }
          rest =
            direction == .back
            ? rest.lowerBound..<character.lowerBound : character.upperBound..<rest.upperBound
        }
      }
    }
    return direction == .back ? found.reversed() : found
  }

  /// The visible text of a stretch, including what was typed in it and at its ends.
  private func seen(in stretch: Range<Int>) -> [Span] {
    var seen: [Span] = []
    var at = stretch.lowerBound
    func add(upTo end: Int) {
      guard at < end else { return }
      seen.append(Span(kind: .original, source: .settled(at..<end)))
    }
    for change in pending[pending.touching(stretch)] {
      add(upTo: change.old.lowerBound)
      if change.old.lowerBound >= stretch.lowerBound, !change.isSpelled, change.typed.count == 1,
        change.typed[0].kind == .added
      {
        seen.append(change.typed[0])
      }
      at = max(at, change.old.upperBound)
    }
    add(upTo: stretch.upperBound)
    return seen
  }

  private typealias Stretch = (range: Range<Int>, isContent: Bool)

  /// The stretch of uniform bytes next to `offset`; nil at the end of the text.
  private func stretch(_ direction: Removal.Direction, of offset: Int) -> Stretch? {
    let next = direction == .back ? offset - 1 : offset
    guard next >= 0, direction == .back || next < end else { return nil }
    let around: Range<Int>
    var isContent: Bool
    if let span = settled.spans(ofMarkAt: next)?.holding(next) {
      around = span.range
      isContent = span.isContent
    } else {
      let position = settled.firstMark(endingAfter: next)
      let marks = settled.reading.marks
      let start = position == 0 ? 0 : marks[settled.top[position - 1]].end
      around = start..<(position < settled.top.count ? marks[settled.top[position]].start : end)
      isContent = true
    }
    var range =
      direction == .back ? around.lowerBound..<offset : offset..<around.upperBound
    if let comment {
      guard comment.contains(range.lowerBound) else { return nil }
      range = range.clamped(to: comment)
      isContent = true
    }
    return (range, isContent)
  }
}

extension ArraySlice<UInt8> {
  /// The last or first character of a text.
  ///
  /// - Parameters:
  ///   - direction: Back for the last character, forward for the first.
  ///   - range: The range of the text.
  /// - Returns: The character's range.
  fileprivate func character(_ direction: Removal.Direction, of range: Range<Int>) -> Range<Int> {
    // No character that a key deletes as one is longer; longer ones are deleted in parts.
    let most = 128
    switch direction {
    case .back:
      let bytes = suffix(most).drop { $0 & 0xC0 == 0x80 }
      let text = String(decoding: bytes, as: UTF8.self)
      let isValid = text.utf8.elementsEqual(bytes)
      return range.upperBound - (isValid ? text.last?.utf8.count ?? 1 : 1)..<range.upperBound
    case .forward:
      let rest = dropFirst(most).drop { $0 & 0xC0 == 0x80 }
      let bytes = self[startIndex..<rest.startIndex]
      let text = String(decoding: bytes, as: UTF8.self)
      let isValid = text.utf8.elementsEqual(bytes)
      return range.lowerBound..<range.lowerBound + (isValid ? text.first?.utf8.count ?? 1 : 1)
    }
  }
}
