/// What a pending change removes from the settled text.
struct Removal {
  /// Ranges of content that is removed, by where they start.
  var gone: [Range<Int>]
  /// The range removed including delimiters, if it holds a mark.
  var removed: Range<Int>
  /// Typed text of the buffer beside it that is removed too.
  private(set) var untyped: [Range<Int>] = []

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
    guard pending.manner.isBare, !pending.old.isEmpty,
      let index = settled.markEaten(by: pending.old)
    else { return }
    let mark = settled.reading.marks[index]
    let eaten = pending.old.clamped(to: mark.range)
    // A whole delimiter that is missing from text inserted anew is taken literally.
    guard eaten != mark.range,
      pending.manner != .bare || eaten == pending.old && eaten.count < 3
    else { return }
    // Before an attribution the three signs of the closer are all of it.
    let signsEnd = mark.end - mark.attributionLength
    let closerEnd = eaten.upperBound <= signsEnd ? signsEnd : mark.end
    let spans = settled.spans(in: mark.range)
    guard eaten.allSatisfy({ spans.holding($0).kind == .delimiter }) else { return }
    if mark.kind == .comment, mark.content.isEmpty, eaten == pending.old {
      // Nothing else could be meant.
      removed = mark.range
      return
    }
    if mark.isEmptied(by: all), eaten.upperBound < closerEnd,
      mark.start < eaten.lowerBound || eaten.upperBound < mark.opener.upperBound
    {
      // The characters of opener and closer are adjacent: a client may report any of them, and a Backspace into
      // the opener has no effect.
      gone = []
      return
    }
    if mark.isArrowBesideCloser(after: all), eaten.lowerBound >= mark.closer.lowerBound,
      eaten.upperBound < closerEnd
    {
      // So are those of arrow and closer: it was the rest of an arrow that was removed from its other side.
      gone = []
      return
    }
    var walk = Walk(settled: settled, end: end, pending: all, buffer: buffer)
    let arrow = mark.arrow..<mark.arrow + 2
    let comment = mark.kind == .comment ? index : nil
    if eaten.lowerBound >= mark.closer.lowerBound {
      // If the closer is not removed to its end, a Delete ran into it; of two equal characters a client may
      // report either. If the client reports whole lines, it may have been `x` on a character of the closer.
      let isFromLeft = eaten.lowerBound == mark.closer.lowerBound || pending.manner != .erased
      if isFromLeft, eaten.upperBound < closerEnd {
        gone = walk.walk(.forward, from: mark.end, eaten.count)
      } else {
        walk.inComment = comment
        gone = walk.walk(.back, from: mark.closer.lowerBound, eaten.count)
      }
    } else if eaten.upperBound <= mark.opener.upperBound {
      // If the opener is not removed from its beginning, a Backspace ran into it.
      if eaten.lowerBound > mark.start {
        gone = walk.walk(.back, from: mark.start, eaten.count)
      } else {
        walk.inComment = comment
        gone = walk.walk(.forward, from: mark.opener.upperBound, eaten.count)
      }
    } else if mark.kind == .substitution, arrow.contains(eaten.lowerBound),
      eaten.upperBound <= arrow.upperBound
    {
      gone =
        eaten.upperBound == arrow.upperBound
        ? walk.walk(.back, from: mark.arrow, eaten.count)
        : walk.walk(.forward, from: arrow.upperBound, eaten.count)
    }
    untyped = walk.untyped
    let before = pending.old.lowerBound..<eaten.lowerBound
    let after = eaten.upperBound..<pending.old.upperBound
    gone = ([before] + gone + [after]).filter { !$0.isEmpty }
  }
}

extension ParsedText {
  /// The mark that a change lies in completely, or whose delimiter it ends in, by fewer than three characters.
  fileprivate func markEaten(by old: Range<Int>) -> Int? {
    let ends = [mark(at: old.lowerBound), mark(at: old.upperBound - 1)].compactMap { $0 }
    guard let index = ends.first else { return nil }
    if ends.count == 2 { return ends[0] == ends[1] ? index : nil }
    let mark = reading.marks[index].range
    let eaten = old.clamped(to: mark)
    let outside =
      old.lowerBound < mark.lowerBound
      ? old.lowerBound..<mark.lowerBound : mark.upperBound..<old.upperBound
    // A removal of a whole delimiter and text beside it was a selection of both.
    return eaten.count < 3 && marks(in: outside).isEmpty ? index : nil
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

extension Mark {
  /// Whether changes have removed all of its content and inserted nothing, so that its delimiters, which use
  /// the same sign, meet.
  fileprivate func isEmptied(by pending: [Pending]) -> Bool {
    guard kind == .addition || kind == .highlight else { return false }
    return pending.contains { $0.old.holds(content) && $0.typed.isEmpty }
  }
}

extension Mark {
  /// Whether changes have removed all that stood between the first character of the arrow and the closer, which are
  /// equal.
  fileprivate func isArrowBesideCloser(after pending: [Pending]) -> Bool {
    guard kind == .substitution else { return false }
    return pending.contains { $0.old.holds(arrow + 1..<closer.lowerBound) && $0.typed.isEmpty }
  }
}

/// Steps over the characters that a Backspace or a Delete would act on.
///
/// Deleted text and comments are skipped; or, inside a comment, only the text of that comment counts. Text
/// removed by other changes is no longer there, and text they inserted is.
private struct Walk {
  enum Direction {
    case back
    case forward
  }

  let settled: ParsedText
  /// Where the removable text ends.
  let end: Int
  let pending: [Pending]
  let buffer: Text
  /// The comment to whose text the walk is limited.
  var inComment: Int?
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
  mutating func walk(_ direction: Direction, from offset: Int, _ characters: Int) -> [Range<Int>] {
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
  private func stretch(_ direction: Direction, of offset: Int) -> Stretch? {
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
    if let inComment {
      let content = settled.reading.marks[inComment].content
      guard content.contains(range.lowerBound) else { return nil }
      range = range.clamped(to: content)
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
  fileprivate func character(_ direction: Walk.Direction, of range: Range<Int>) -> Range<Int> {
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
