extension Tracker {
  /// The edits that a reported change stands for.
  ///
  /// A change that replaces several words by several, or lines, or the whole text, or that puts a delimiter
  /// where it was, is a client's or a formatter's way of telling many small ones: it is told apart word by
  /// word. One that replaces a part of a word by several letters at once is what is left of a replaced word
  /// where the client leaves out what both have. Every other one is what the user did.
  ///
  /// - Parameter edit: What the client reports.
  /// - Returns: Edits on the buffer that do the same; linear in the edit.
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
    // A client that tells whole texts or lines may do so for a single key, at a delimiter too; and what was only
    // put in has replaced nothing.
    if parts.count <= 1, isLinewise || parts.allSatisfy(\.range.isEmpty) { return parts }
    return parts.sparingMarks(of: edit, in: buffer, excerpt(around: edit.range))
  }
}

extension Draft {
  /// The same edits with nothing left standing of marks that they break.
  func sparingMarks(_ edits: [Edit]) -> [Edit] {
    guard let first = edits.first, let last = edits.last else { return [] }
    let excerpt = excerpt(around: first.range.lowerBound..<last.range.upperBound)
    let range = excerpt.start..<excerpt.start + excerpt.bytes.count
    return edits.sparingMarks(of: Edit(range, []), in: text, excerpt)
  }
}

extension Edit {
  /// Whether it replaces all of the text, or whole lines by whole lines, as some clients tell a single key.
  func isLinewise(in buffer: Text) -> Bool {
    if range == 0..<buffer.count { return true }
    let isAtStart = range.lowerBound == 0 || buffer[range.lowerBound - 1] == Ascii.newline
    let isAtEnd = !range.isEmpty && buffer[range.upperBound - 1] == Ascii.newline
    return isAtStart && isAtEnd && new.last == Ascii.newline
  }

  /// The longest that a word goes on before and after it.
  private static let maxWordLength = 64

  /// An insertion or a deletion in a line as one of whole words, where that is the same: clients that compare
  /// texts tell it from the first letter on that differs.
  fileprivate func onWholeWords(of text: Text) -> Edit {
    let moved = range.isEmpty ? new[...] : text[range]
    guard !moved.contains(where: \.isLineBreak) else { return self }
    return slid(in: text, max(0, range.lowerBound - Edit.maxWordLength)..<range.upperBound)
  }

  /// The edit with the rest of the word around it, where it replaces letters of a word by several at once,
  /// which nobody types.
  fileprivate func onWord(of text: Text) -> Edit {
    let trimmed = trimmed(on: text)
    guard !trimmed.range.isEmpty, !trimmed.new.isEmpty, !new.isCharacter else { return self }
    let start = max(0, range.lowerBound - Edit.maxWordLength)
    let end = min(text.count, range.upperBound + Edit.maxWordLength)
    let whole = onWords(of: text, in: start..<end)
    let isCovered =
      (start == 0 || whole.range.lowerBound > start)
      && (end == text.count || whole.range.upperBound < end)
    // From U+0800 on are scripts that put no spaces between words.
    let isWord = (text[whole.range] + new).allSatisfy { $0.isLetter && $0 < 0xE0 }
    return isCovered && isWord ? whole : self
  }
}

extension ArraySlice<UInt8> {
  /// Whether it has a delimiter that another text has too: nobody types that anew.
  fileprivate func hasDelimiter(of other: ArraySlice<UInt8>) -> Bool {
    guard contains(where: \.isBrace) else { return false }
    return MarkKind.allCases.flatMap { [$0.opener[...], $0.closer[...]] }
      .contains { firstRange(of: $0) != nil && other.firstRange(of: $0) != nil }
  }

  /// Whether there is text on both sides of a space.
  fileprivate var hasSeveralWords: Bool {
    let words = drop(while: \.isSpace)
    guard let end = words.firstIndex(where: \.isSpace) else { return false }
    return words[end...].contains { !$0.isSpace }
  }
}

extension [Edit] {
  /// The same edits with nothing left standing of marks that `whole` cuts or breaks.
  ///
  /// What is deleted or commented is not what the user wrote again: a line break that they typed
  /// over a deletion must not be taken for the one in it.
  fileprivate func sparingMarks(
    of whole: Edit,
    in buffer: Text,
    _ excerpt: Excerpt
  ) -> [Edit] {
    var edits = self
    for index in excerpt.reading.topLevel {
      let mark = excerpt.reading.marks[index].moved(by: excerpt.start)
      guard mark.range.overlaps(whole.range) else { continue }
      let hasDelimiter =
        whole.range.holds(mark.opener) || whole.range.holds(mark.closer)
      // A mark of which both are gone is gone, and its text was put there anew.
      let isUndone = [mark.opener, mark.closer].allSatisfy { delimiter in
        edits.contains { $0.range.holds(delimiter) }
      }
      // What is only taken out is that, a delimiter too.
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

  /// Makes one edit of those that meet `range`, with all of it.
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
