extension Tracker {
  /// The edits that a reported change stands for.
  ///
  /// A change that replaces several words by several, or lines, or the whole text, or that includes a delimiter
  /// that was there before, is how a client or a formatter reports many small changes: it is split word by
  /// word. One that replaces part of a word by several letters at once is what is left of a replaced word after
  /// the client omitted what both have in common. Every other change is what the user did.
  ///
  /// - Parameter edit: The change that the client reports.
  /// - Returns: Equivalent edits of the buffer; linear in the edit.
  public func refined(_ edit: Edit) -> [Edit] {
    let isLinewise = edit.isLinewise(in: buffer)
    let old = buffer[edit.range]
    let isPhrase = old.hasSeveralWords && edit.new[...].hasSeveralWords
    guard !edit.new.isEmpty,
      isLinewise || isPhrase || old.contains(where: \.isLineBreak)
        || old.hasDelimiter(of: edit.new[...])
    else {
      let isOneWay = edit.range.isEmpty || edit.new.isEmpty
      return [isOneWay ? edit.onWholeWords(of: buffer) : edit.onWord(of: buffer)]
    }
    var parts = wordDiff(edit.range, edit.new, in: buffer)
    if isPhrase, let last = parts.indices.last {
      parts[last] = parts[last].onWord(of: buffer)
      parts[0] = parts[0].onWord(of: buffer)
    }
    // A client that reports whole texts or lines may do so for a single key, also at a delimiter; and pure
    // insertions have replaced nothing.
    if parts.count <= 1, isLinewise || parts.allSatisfy(\.range.isEmpty) { return parts }
    return parts.sparingMarks(of: edit, in: buffer, excerpt(around: edit.range))
  }
}

extension Draft {
  /// The same edits, but replacing as a whole any marks that they break.
  func sparingMarks(_ edits: [Edit]) -> [Edit] {
    guard let first = edits.first, let last = edits.last else { return [] }
    let excerpt = excerpt(around: first.range.lowerBound..<last.range.upperBound)
    let range = excerpt.start..<excerpt.start + excerpt.bytes.count
    return edits.sparingMarks(of: Edit(range, []), in: text, excerpt)
  }
}

extension Edit {
  /// Whether it replaces the whole text, or whole lines by whole lines, as some clients report a single key.
  func isLinewise(in buffer: Text) -> Bool {
    if range == 0..<buffer.count { return true }
    let isAtStart = range.lowerBound == 0 || buffer[range.lowerBound - 1] == Ascii.newline
    let isAtEnd = !range.isEmpty && buffer[range.upperBound - 1] == Ascii.newline
    return isAtStart && isAtEnd && new.last == Ascii.newline
  }

  /// The most bytes that a word extends before and after it.
  private static let maxWordLength = 64

  /// An insertion or deletion in a line, shifted to whole words if that is equivalent: clients that compare
  /// texts report it from the first letter that differs.
  fileprivate func onWholeWords(of text: Text) -> Edit {
    let moved = range.isEmpty ? new[...] : text[range]
    guard !moved.contains(where: \.isLineBreak) else { return self }
    return slid(in: text, max(0, range.lowerBound - Edit.maxWordLength)..<range.upperBound)
  }

  /// The edit extended to the whole word, if it replaces letters of a word by several at once, which nobody
  /// types.
  fileprivate func onWord(of text: Text) -> Edit {
    let trimmed = trimmed(on: text)
    guard !trimmed.range.isEmpty, !trimmed.new.isEmpty, !new.isCharacter else { return self }
    let start = max(0, range.lowerBound - Edit.maxWordLength)
    let end = min(text.count, range.upperBound + Edit.maxWordLength)
    let whole = onWords(of: text, in: start..<end)
    let isCovered =
      (start == 0 || whole.range.lowerBound > start)
      && (end == text.count || whole.range.upperBound < end)
    // Scripts without spaces between words start at U+0800.
    let isWord = (text[whole.range] + new).allSatisfy { $0.isLetter && $0 < 0xE0 }
    return isCovered && isWord ? whole : self
  }
}

extension ArraySlice<UInt8> {
  /// Whether it holds a delimiter that another text also has: nobody retypes that.
  fileprivate func hasDelimiter(of other: ArraySlice<UInt8>) -> Bool {
    guard contains(where: { $0.isBrace || $0 == Ascii.greater }) else { return false }
    return (MarkKind.allCases.flatMap { [$0.opener, $0.closer] } + [MarkKind.arrow])
      .contains { firstRange(of: $0[...]) != nil && other.firstRange(of: $0[...]) != nil }
  }

  /// Whether there is text on both sides of a space.
  fileprivate var hasSeveralWords: Bool {
    let words = drop(while: \.isSpace)
    guard let end = words.firstIndex(where: \.isSpace) else { return false }
    return words[end...].contains { !$0.isSpace }
  }
}

extension [Edit] {
  /// The same edits, but replacing as a whole any marks that `whole` cuts or breaks.
  ///
  /// The user did not retype deleted text or comments: a line break typed over a deletion must not be matched
  /// with one inside the deletion.
  fileprivate func sparingMarks(
    of whole: Edit,
    in buffer: Text,
    _ excerpt: Excerpt
  ) -> [Edit] {
    var edits = self
    for index in excerpt.reading.topLevel {
      let mark = excerpt.reading.marks[index].moved(by: excerpt.start)
      guard mark.range.overlaps(whole.range) else { continue }
      let hasDelimiter = mark.delimiters.contains(where: whole.range.holds)
      // A mark that has lost both delimiters is gone, and its text was inserted anew.
      let isUndone = [mark.opener, mark.closer].allSatisfy { delimiter in
        edits.contains { $0.range.holds(delimiter) }
      }
      // A pure removal is taken literally, even of a delimiter.
      let isBroken = edits.contains { edit in
        guard !edit.new.isEmpty else { return false }
        return mark.delimiters.contains(where: edit.range.overlaps)
      }
      if isBroken || isUndone || !hasDelimiter {
        edits.join(over: mark.range.clamped(to: whole.range), in: buffer)
      }
    }
    return edits
  }

  /// Joins the edits that meet `range` into one that covers all of it.
  private mutating func join(over range: Range<Int>, in buffer: Text) {
    let first = firstIndex { $0.range.upperBound >= range.lowerBound } ?? count
    let last = self[first...].firstIndex { $0.range.lowerBound > range.upperBound } ?? count
    var new: [UInt8] = []
    var at = Swift.min(range.lowerBound, first < last ? self[first].range.lowerBound : Int.max)
    let start = at
    for edit in self[first..<last] {
      new += buffer[at..<Swift.max(at, edit.range.lowerBound)] + edit.new
      at = edit.range.upperBound
    }
    if at < range.upperBound {
      new += buffer[at..<range.upperBound]
      at = range.upperBound
    }
    replaceSubrange(first..<last, with: [Edit(start..<at, new)])
  }
}
