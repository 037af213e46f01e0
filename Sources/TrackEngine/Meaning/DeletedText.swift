/// The meaning of an editor command that acts on the whole text, and therefore on deleted text too.
extension Draft {
  /// The edits meant by an edit that replaces deleted text without typing over it; none for any other edit.
  ///
  /// - Parameters:
  ///   - edit: An edit of the text.
  ///   - hunks: The pending changes.
  ///   - alone: Whether it was the only edit reported.
  ///   - known: What has been read for the edit before it.
  /// - Returns: The edits of the text.
  func meant(
    by edit: Edit,
    pending hunks: Hunks,
    alone: Bool,
    _ known: inout SettledStretch?
  ) -> [Edit] {
    let isSpace = edit.new.allSatisfy(\.isSpace)
    // Typing over a selection reports the first character.
    guard !edit.range.isEmpty, !edit.new.isEmpty,
      edit.new.count > 1 || edit.range.count == 1 || isSpace,
      hunks.isUntouched(edit.range), wasDeleted(edit.range, before: hunks, &known)
    else { return [] }
    let old = Array(text[edit.range])
    let start = edit.range.lowerBound
    var meant = [Edit(start..<start + edit.new.count, old)]
    // Lines joined across deleted text are joined as the user sees them.
    if isSpace, old.isOneLineBreak, alone, let next = lineBreak(afterMarkAt: start) {
      let joined = joining(at: next, lineBreak: old.filter(\.isLineBreak), by: edit.new)
      if hunks.isUntouched(joined.range) {
        meant.append(joined.moved(by: edit.growth))
      }
    }
    return meant
  }

  /// Joins two lines with a space; an empty line is only removed.
  private func joining(at range: Range<Int>, lineBreak: [UInt8], by space: [UInt8]) -> Edit {
    let end = min(range.upperBound + lineBreak.count, text.count)
    return text[range.upperBound..<end] == lineBreak[...]
      ? Edit(range.lowerBound..<end, lineBreak) : Edit(range, space)
  }

  /// Whether a stretch without pending changes is deleted text in the settled text.
  ///
  /// What is being typed can hide a delimiter for a while, so that the mark seems to extend to the next one.
  private func wasDeleted(
    _ range: Range<Int>,
    before hunks: Hunks,
    _ known: inout SettledStretch?
  ) -> Bool {
    let stretch = stretch(around: range)
    let settled =
      known.flatMap { $0.stretch == stretch ? $0 : nil }
      ?? settledStretch(around: range, pending: hunks)
    known = settled
    return settled.excerpt.isDeleted(settled.toBuffer.inverted.map(range))
  }

  /// The next visible line break after the mark that holds `offset`, with the indentation after it; nil if it
  /// is in the mark or is the last of the text.
  private func lineBreak(afterMarkAt offset: Int) -> Range<Int>? {
    let excerpt = excerpt(around: offset..<offset)
    let settled = excerpt.parsed
    guard let index = settled.mark(at: offset - excerpt.start) else { return nil }
    let bytes = excerpt.bytes
    var at = excerpt.reading.marks[index].end
    while at < bytes.count {
      if let mark = settled.mark(at: at) {
        at = excerpt.reading.marks[mark].end
      } else if bytes[at] == Ascii.newline {
        let start = at > 0 && bytes[at - 1] == Ascii.carriageReturn ? at - 1 : at
        at += 1
        while at < bytes.count, bytes[at].isSpace { at += 1 }
        let isLast = excerpt.start + at == text.count
        return isLast ? nil : excerpt.start + start..<excerpt.start + at
      } else {
        at += 1
      }
    }
    return nil
  }
}

extension Excerpt {
  /// Whether all of a stretch of the text is deleted text.
  fileprivate func isDeleted(_ range: Range<Int>) -> Bool {
    let parsed = parsed
    let stretch = range.moved(by: -start)
    guard let index = parsed.mark(at: stretch.lowerBound),
      reading.marks[index].range.holds(stretch)
    else { return false }
    return parsed.spans(in: reading.marks[index].range).allSatisfy { span in
      !span.range.overlaps(stretch) || span.kind == .deleted && !span.isHidden
    }
  }
}

extension [UInt8] {
  /// Whether it is a single line break, perhaps with white space around it.
  fileprivate var isOneLineBreak: Bool {
    filter { $0 == Ascii.newline }.count == 1 && allSatisfy(\.isWhiteSpace)
  }
}
