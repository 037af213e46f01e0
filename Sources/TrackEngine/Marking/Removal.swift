/// What a pending change removes from the settled text.
struct Removal {
  /// Offsets of content that goes, in rising order of their starts.
  var gone: [Range<Int>]
  /// What is removed whole, delimiters too, if a mark lies in it.
  var removed: Range<Int>
  /// What of the buffer was typed beside it and goes too.
  private(set) var untyped: [Range<Int>] = []

  /// Reads a hunk: removed text is gone; delimiters are not text and stay.
  ///
  /// Where a Backspace or Delete ate only characters of one mark's delimiter, it means as many
  /// characters beside it, as they are by now; also where it came to them through the text outside.
  /// No Delete reaches `end`, for the last line break of the text stays.
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
      // What is typed over signs of a delimiter is meant for as many characters after them.
      var walk = Walk(settled: settled, end: end, inComment: nil, pending: all, buffer: buffer)
      gone += walk.forward(from: pending.old.upperBound, covered)
      untyped = walk.untyped
      return
    }
    guard pending.manner.isBare, !pending.isSpelled, !pending.old.isEmpty,
      let index = settled.markEaten(by: pending.old)
    else { return }
    let mark = settled.reading.marks[index]
    let eaten = pending.old.clamped(to: mark.range)
    // A whole delimiter that is gone from a text that was put anew means itself.
    guard eaten != mark.range,
      pending.manner != .bare || eaten == pending.old && eaten.count < 3
    else { return }
    let spans = settled.spans(in: mark.range)
    guard eaten.allSatisfy({ spans.holding($0).kind == .delimiter }) else { return }
    if mark.kind == .comment, mark.content.isEmpty, eaten == pending.old {
      // There is nothing else that could be meant.
      removed = mark.range
      return
    }
    if mark.isEmptied(by: all), eaten.upperBound < mark.end,
      mark.start < eaten.lowerBound || eaten.upperBound < mark.start + 3
    {
      // The signs of opener and closer stand side by side: a client may tell of any of them, and a
      // Backspace into the opener means nothing.
      gone = []
      return
    }
    var walk = Walk(settled: settled, end: end, inComment: nil, pending: all, buffer: buffer)
    let arrow = mark.arrow..<mark.arrow + 2
    let comment = mark.kind == .comment ? index : nil
    if eaten.lowerBound >= mark.end - 3 {
      // Not eaten to the end, the closer was in the way of a Delete; of two signs that are the same a client
      // may tell of either. Where lines are told it can have been `x` on a sign.
      let isFromLeft = eaten.lowerBound == mark.end - 3 || pending.manner != .erased
      if isFromLeft, eaten.upperBound < mark.end {
        gone = walk.forward(from: mark.end, eaten.count)
      } else {
        walk.inComment = comment
        gone = walk.back(from: mark.end - 3, eaten.count)
      }
    } else if eaten.upperBound <= mark.start + 3 {
      // Not eaten to the beginning, the opener was in the way of a Backspace.
      if eaten.lowerBound > mark.start {
        gone = walk.back(from: mark.start, eaten.count)
      } else {
        walk.inComment = comment
        gone = walk.forward(from: mark.start + 3, eaten.count)
      }
    } else if mark.kind == .substitution, arrow.contains(eaten.lowerBound),
      eaten.upperBound <= arrow.upperBound
    {
      gone =
        eaten.upperBound == arrow.upperBound
        ? walk.back(from: mark.arrow, eaten.count)
        : walk.forward(from: arrow.upperBound, eaten.count)
    }
    untyped = walk.untyped
    let before = pending.old.lowerBound..<eaten.lowerBound
    let after = eaten.upperBound..<pending.old.upperBound
    gone = ([before] + gone + [after]).filter { !$0.isEmpty }
  }
}

extension ParsedText {
  /// The mark that all of a change lies in, or that it ends in, some signs of a delimiter far.
  fileprivate func markEaten(by old: Range<Int>) -> Int? {
    let ends = [mark(at: old.lowerBound), mark(at: old.upperBound - 1)].compactMap { $0 }
    guard let index = ends.first else { return nil }
    if ends.count == 2 { return ends[0] == ends[1] ? index : nil }
    let mark = reading.marks[index].range
    let eaten = old.clamped(to: mark)
    let outside =
      old.lowerBound < mark.lowerBound
      ? old.lowerBound..<mark.lowerBound : mark.upperBound..<old.upperBound
    // Who takes out a whole delimiter and text beside it has selected both.
    return eaten.count < 3 && marks(in: outside).isEmpty ? index : nil
  }
}

extension Pending {
  /// How many signs of delimiters were typed over, sign by sign, as in Replace mode: what is left of them
  /// says that they were not meant.
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
  /// Whether changes have taken all of its content and put nothing in, so that its delimiters meet, which
  /// have the same sign.
  fileprivate func isEmptied(by pending: [Pending]) -> Bool {
    guard kind == .addition || kind == .highlight else { return false }
    return pending.contains { $0.old.holds(content) && $0.typed.isEmpty }
  }
}

/// Walks over the characters that a Backspace or a Delete would act on.
///
/// Deleted text and comments are passed over, or only the text of one comment counts. What other changes
/// took away is not there any more, and what they put in is.
private struct Walk {
  let settled: ParsedText
  /// Where the text ends that can go.
  let end: Int
  /// The comment whose own text is meant.
  var inComment: Int?
  let pending: [Pending]
  let buffer: Text
  /// The characters of the buffer that were typed and that the walk came over.
  private(set) var untyped: [Range<Int>] = []

  init(settled: ParsedText, end: Int, inComment: Int?, pending: [Pending], buffer: Text) {
    self.settled = settled
    self.end = end
    self.inComment = inComment
    self.pending = pending
    self.buffer = buffer
  }

  mutating func back(from offset: Int, _ characters: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var at = offset
    while found.count + untyped.count < characters, let stretch = stretch(endingAt: at) {
      at = stretch.range.lowerBound
      guard stretch.isContent else { continue }
      var end = stretch.range.upperBound
      while true {
        while found.count + untyped.count < characters, let text = typed(at: end) {
          untyped.append(text.upperBound - lastLength(buffer[text])..<text.upperBound)
        }
        guard found.count + untyped.count < characters, end > stretch.range.lowerBound else {
          break
        }
        if let gone = gone(at: end - 1) {
          end = max(gone.lowerBound, stretch.range.lowerBound)
          continue
        }
        let start = end - lastLength(settled.bytes[stretch.range.lowerBound..<end])
        found.append(start..<end)
        end = start
      }
    }
    return found.reversed()
  }

  mutating func forward(from offset: Int, _ characters: Int) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var at = offset
    while found.count + untyped.count < characters, let stretch = stretch(startingAt: at) {
      at = stretch.range.upperBound
      guard stretch.isContent else { continue }
      var start = stretch.range.lowerBound
      while true {
        while found.count + untyped.count < characters, let text = typed(at: start) {
          untyped.append(text.lowerBound..<text.lowerBound + firstLength(buffer[text]))
        }
        guard found.count + untyped.count < characters, start < stretch.range.upperBound else {
          break
        }
        if let gone = gone(at: start) {
          start = min(gone.upperBound, stretch.range.upperBound)
          continue
        }
        let end = start + firstLength(settled.bytes[start..<stretch.range.upperBound])
        found.append(start..<end)
        start = end
      }
    }
    return found
  }

  /// The stretch of settled text that another change took away, if it holds an offset.
  private func gone(at offset: Int) -> Range<Int>? {
    pending.first { $0.old.contains(offset) }?.old
  }

  /// What was typed at an offset of the settled text and the walk did not come over yet.
  private func typed(at offset: Int) -> Range<Int>? {
    let typed = pending.first {
      $0.old.lowerBound == offset && !$0.isSpelled && $0.typed.count == 1
        && $0.typed[0].kind == .added
    }
    guard let left = typed?.typed[0].range.without(untyped), !left.isEmpty else { return nil }
    return left
  }

  private typealias Stretch = (range: Range<Int>, isContent: Bool)

  /// The run of like bytes that ends at `offset`; nil at the end of the way.
  private func stretch(endingAt offset: Int) -> Stretch? {
    guard offset > 0 else { return nil }
    guard let spans = settled.spans(ofMarkAt: offset - 1) else {
      let position = settled.firstMark(endingAfter: offset - 1)
      let start = position == 0 ? 0 : settled.reading.marks[settled.top[position - 1]].end
      return inComment == nil ? (start..<offset, true) : nil
    }
    let span = spans.holding(offset - 1)
    return stretch(span.range.lowerBound..<offset, span)
  }

  private func stretch(startingAt offset: Int) -> Stretch? {
    guard offset < end else { return nil }
    guard let spans = settled.spans(ofMarkAt: offset) else {
      let position = settled.firstMark(endingAfter: offset)
      let end =
        position < settled.top.count ? settled.reading.marks[settled.top[position]].start : end
      return inComment == nil ? (offset..<end, true) : nil
    }
    let span = spans.holding(offset)
    return stretch(offset..<span.range.upperBound, span)
  }

  private func stretch(_ range: Range<Int>, _ span: Span) -> Stretch? {
    guard let inComment else { return (range, span.isContent) }
    let content = settled.reading.marks[inComment].content
    return content.contains(range.lowerBound) ? (range.clamped(to: content), true) : nil
  }
}

/// The length of the character that a text ends with.
private func lastLength(_ bytes: ArraySlice<UInt8>) -> Int {
  // No character that a Backspace takes as one is longer than this, and a longer one goes in parts.
  let end = bytes.suffix(128).drop { $0 & 0xC0 == 0x80 }
  let text = String(decoding: end, as: UTF8.self)
  guard text.utf8.elementsEqual(end), let last = text.last else { return 1 }
  return last.utf8.count
}

/// The length of the character that a text begins with.
private func firstLength(_ bytes: ArraySlice<UInt8>) -> Int {
  var end = min(bytes.endIndex, bytes.startIndex + 128)
  while end < bytes.endIndex, bytes[end] & 0xC0 == 0x80 { end += 1 }
  let text = String(decoding: bytes[..<end], as: UTF8.self)
  guard text.utf8.elementsEqual(bytes[..<end]), let first = text.first else { return 1 }
  return first.utf8.count
}

extension Range<Int> {
  /// What is left of it without some ranges that begin where it does or end where it does.
  fileprivate func without(_ ranges: [Range<Int>]) -> Range<Int> {
    var left = self
    for range in ranges where range.overlaps(left) {
      left =
        range.lowerBound == left.lowerBound
        ? range.upperBound..<left.upperBound : left.lowerBound..<range.lowerBound
    }
    return left
  }
}
