extension Tracker {
  /// The edits that a reported change stands for.
  ///
  /// A change that replaces several words by several, or lines, or the whole text, or that includes a delimiter
  /// that was there before, is how a client or a formatter reports many small changes: it is split word by
  /// word. One that replaces part of a word by several letters at once is what is left of a replaced word after
  /// the client omitted what both have in common. Every other change is what the user did.
  func refined(_ told: Edit) -> [Edit] {
    let isOneWay = told.range.isEmpty || told.new.isEmpty
    if isOneWay { return [placed(told)] }
    let edit = withCutText(told)
    let isLinewise = edit.isLinewise(in: buffer)
    let old = buffer[edit.range]
    let isPhrase = old.hasSeveralWords && edit.new[...].hasSeveralWords
    guard
      isLinewise || isPhrase || old.contains(where: \.isLineBreak)
        || old.hasDelimiter(of: edit.new[...])
    else { return [edit.onWord(of: buffer)] }
    let marks = draft.knownMarks(in: edit.range, pending: pending)
    // A client that reports whole texts or lines may do so for a single key, also at a delimiter.
    if isLinewise, let key = edit.key(on: buffer, marks) { return key }
    var parts = edit.compared(on: buffer, marks, isSeen)
    if isPhrase, let last = parts.indices.last {
      parts[last] = parts[last].onWord(of: buffer)
      parts[0] = parts[0].onWord(of: buffer)
    }
    return parts
  }
}

// MARK: - What a client left out

extension Tracker {
  /// Whether the user sees all of a stretch: no part of it is a delimiter's, or hidden.
  private func isSeen(_ range: Range<Int>) -> Bool {
    draft.knownMarks(in: range, pending: pending)
      .flatMap { $0.delimiters + $0.hidden }
      .allSatisfy { !$0.overlaps(range) }
  }

  /// A replacement with the rest of the deleted line in which it ends, if the delimiter before the deleted text is
  /// replaced.
  ///
  /// A line that is pasted over a deleted one can end as that does, at least with a full stop, and clients leave
  /// out what both end with. What a key types cannot.
  private func withCutText(_ told: Edit) -> Edit {
    let old = buffer[told.range]
    guard old.contains(where: \.isDelimiterEnd), !told.new.isCharacter, old.last != told.new.last
    else { return told }
    for mark in draft.knownMarks(in: told.range, pending: pending) {
      for hidden in mark.hidden
      where hidden.lowerBound < told.range.upperBound && told.range.upperBound < hidden.upperBound {
        let rest = buffer[told.range.upperBound..<hidden.upperBound]
        let opener = mark.delimiters.last { $0.upperBound <= hidden.lowerBound }
        guard let opener, told.range.holds(opener),
          !rest.lineBreakAtEnd.isEmpty,
          !rest.dropLast(rest.lineBreakAtEnd.count).contains(where: \.isLineBreak)
        else { continue }
        return Edit(told.range.lowerBound..<hidden.upperBound, told.new + rest)
      }
    }
    return told
  }
}

// MARK: - What is only put in, or only taken

extension Tracker {
  /// An insertion or removal where it is meant, if a client that compares texts could as well have reported it
  /// there: beside a delimiter, not inside, and else at whole words.
  private func placed(_ edit: Edit) -> Edit {
    let place = edit.range.lowerBound
    if buffer.hasSigns(around: place) || buffer.hasSigns(around: edit.range.upperBound) {
      let near = max(0, place - 1)..<min(buffer.count, edit.range.upperBound + 1)
      let bounds = max(0, place - Edit.maxWordLength)..<min(buffer.count, near.upperBound + 2)
      if let beside = edit.beside(delimiters(in: near), in: buffer, bounds) { return beside }
    }
    let moved = edit.onWholeWords(of: buffer)
    let passed = moved.range.lowerBound..<edit.range.upperBound
    let isMoved = moved.range.lowerBound < place && buffer[passed].contains(where: \.isDelimiterEnd)
    return isMoved ? edit.onWholeWords(of: buffer, delimiters(in: passed)) : moved
  }

  private func delimiters(in range: Range<Int>) -> Letters {
    draft.knownMarks(in: range, pending: pending).letters
  }

  /// The length of the pending insertion that the client reported behind a delimiter although it was typed before it:
  /// it equals the delimiter's end, and the next edit goes on between the two.
  func insertion(misplacedBefore edit: Edit) -> Int? {
    let place = edit.range.lowerBound
    guard edit.range.isEmpty, place > 0, buffer[place - 1].isDelimiterEnd,
      let range = pending.insertion(at: place), range.count <= place,
      buffer[range] == buffer[place - range.count..<place],
      delimiters(in: place - 1..<place).whole.last?.upperBound == place
    else { return nil }
    return range.count
  }
}

extension Text {
  /// Whether an offset can be inside of a delimiter.
  fileprivate func hasSigns(around offset: Int) -> Bool {
    guard offset > 0, offset < count else { return false }
    return self[offset - 1].isDelimiterSign && self[offset].isDelimiterSign
  }
}

extension UInt8 {
  /// Whether a delimiter begins or ends with it.
  fileprivate var isDelimiterEnd: Bool { isBrace || self == Ascii.greater }
}

extension Draft {
  /// The same edits, but replacing as a whole any marks that they break; nothing is pending in the text.
  func sparingMarks(_ edits: [Edit]) -> [Edit] {
    guard let first = edits.first, let last = edits.last else { return [] }
    let range = first.range.lowerBound..<last.range.upperBound
    // A removal is taken literally, even of a delimiter.
    let replacing = edits.filter { !$0.new.isEmpty }
    let spared = knownMarks(in: range, pending: Hunks()).filter { mark in
      let ends = [mark.delimiters.first, mark.delimiters.last].compactMap { $0 }
      let isGone = ends.allSatisfy { end in
        let next = edits.partitioningIndex { $0.range.upperBound >= end.upperBound }
        return next < edits.count && edits[next].range.holds(end)
      }
      return isGone || mark.isBroken(by: replacing, of: range)
    }
    return edits.joined(over: spared.map(\.range), in: text)
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
  fileprivate static let maxWordLength = 64

  /// An insertion or deletion in a line, shifted to whole words if that is equivalent: clients that compare
  /// texts report it from the first letter that differs.
  fileprivate func onWholeWords(of text: Text, _ letters: Letters = Letters()) -> Edit {
    let moved = range.isEmpty ? new[...] : text[range]
    guard !moved.contains(where: \.isLineBreak) else { return self }
    let bounds = max(0, range.lowerBound - Edit.maxWordLength)..<range.upperBound
    return slid(in: text, bounds, letters)
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

extension Edit {
  /// What one key, or what was typed at one place, has done, where that is all that differs: nothing else in the
  /// text is replaced, or only signs of one delimiter are.
  fileprivate func key(on text: Text, _ marks: [KnownMark]) -> [Edit]? {
    let trimmed = trimmed(on: text)
    if trimmed.range.isEmpty, trimmed.new.isEmpty { return [] }
    if trimmed.range.isEmpty || trimmed.new.isEmpty {
      return [trimmed.slid(in: text, range, marks.letters)]
    }
    return marks.hasDelimiter(cutBy: trimmed.range) ? [trimmed] : nil
  }

  /// The edits that turn what it replaces into the new text, word by word.
  ///
  /// A delimiter is one letter, equal only to the same delimiter whole, and what the user cannot see is equal to
  /// nothing that they typed. A mark whose delimiters are all gone is replaced with all its text; one that has lost
  /// some was cut by a selection.
  ///
  /// - Parameters:
  ///   - text: The text that the edit is on.
  ///   - marks: The marks in its range.
  ///   - isSeen: Whether the user sees all of a stretch of the text.
  /// - Returns: Edits of `text`.
  fileprivate func compared(
    on text: Text,
    _ marks: [KnownMark],
    _ isSeen: (Range<Int>) -> Bool
  ) -> [Edit] {
    var letters = marks.letters
    var parts = wordDiff(range, new, in: text, letters)
    if marks.contains(where: { $0.isTorn(by: parts) }),
      let between = comparedBetweenDelimiters(on: text, letters)
    {
      return between
    }
    let isByLines = isLinewise(in: text)
    for _ in 1..<Edit.maxComparisons {
      let lost = marks.flatMap { $0.lost(by: parts, of: range, byLines: isByLines) }
        .sorted { $0.lowerBound < $1.lowerBound }
      if lost == letters.unlike { break }
      letters.unlike = lost
      parts = wordDiff(range, new, in: text, letters)
    }
    let gone = marks.filter { $0.isGone(by: parts, of: range) }
    parts = parts.joined(over: gone.map { $0.range.clamped(to: range) }, in: text)
    let trimmed = parts.map { $0.trimmed(on: text) }
    // Where only signs of several delimiters are gone, they were eaten, and what is left of them was not typed.
    let isEaten =
      trimmed.count > 1
      && trimmed.allSatisfy { $0.new.isEmpty && marks.hasDelimiter(cutBy: $0.range) }
    if isEaten { return trimmed }
    parts = parts.joined(over: marks.compactMap { $0.endCut(by: parts) }, in: text)
    let hidden = marks.flatMap(\.hidden).sorted { $0.lowerBound < $1.lowerBound }
    if !hidden.isEmpty {
      let typed = parts.compactMap { part in
        part.letterTyped(before: hidden, on: text).flatMap {
          isSeen($0) ? $0.joined(with: part.range) : nil
        }
      }
      parts = parts.joined(over: typed, in: text)
    }
    return parts.map { $0.withCutSigns(on: text, marks) }
  }

  /// The character before what it removes, if hidden text at the end of that ends with the same one.
  ///
  /// The user typed that character if they see it, and would lose it if the removal were taken to begin with it.
  ///
  /// - Parameters:
  ///   - hidden: What the user does not see, in order.
  ///   - text: The text that the edit is on.
  /// - Returns: The range; nil if it removes nothing like that. Logarithmic.
  private func letterTyped(before hidden: [Range<Int>], on text: Text) -> Range<Int>? {
    guard new.isEmpty, let last = range.last,
      hidden.first(overlapping: last..<range.upperBound, { $0 }) != nil
    else { return nil }
    let end = text[max(range.lowerBound, last - 3)..<range.upperBound]
    var count = 1
    while count < end.count, !isBoundary(end, end.endIndex - count) { count += 1 }
    let start = range.lowerBound - count
    guard start >= 0, text[start..<range.lowerBound].elementsEqual(end.suffix(count)) else {
      return nil
    }
    return start..<range.lowerBound
  }

  /// The edits between one delimiter and the next, if the new text has the same delimiters in the same order: a
  /// command that turns letters over, or replaces a word everywhere, does so on both sides of an arrow.
  private func comparedBetweenDelimiters(on text: Text, _ letters: Letters) -> [Edit]? {
    let kept = delimiters(keptOf: letters, on: text)
    // Code can hold what looks like a delimiter.
    let isInCode = Array(text[range]).delimitersOutsideGroups.count > letters.whole.count
    guard kept.count == letters.whole.count, !isInCode else { return nil }
    var parts: [Edit] = []
    var (start, newStart) = (range.lowerBound, 0)
    for (letter, place) in zip(letters.whole, kept) {
      guard range.holds(letter), newStart <= place.lowerBound, text[letter][...] == new[place]
      else { return nil }
      let between = Array(new[newStart..<place.lowerBound])
      parts += wordDiff(start..<letter.lowerBound, between, in: text)
      (start, newStart) = (letter.upperBound, place.upperBound)
    }
    return parts + wordDiff(start..<range.upperBound, Array(new[newStart...]), in: text)
  }

  /// The ranges of the delimiters in the new text: what both texts begin and end with is what it was, also where it would
  /// be half a mark, or text, now.
  private func delimiters(keptOf letters: Letters, on text: Text) -> [Range<Int>] {
    let changed = trimmed(on: text)
    let newEnd = range.lowerBound + new.count - (range.upperBound - changed.range.upperBound)
    let before = letters.whole.prefix { $0.upperBound <= changed.range.lowerBound }
    let after = letters.whole.filter { $0.lowerBound >= changed.range.upperBound }
    let between = delimiters(on: text).map { $0.moved(by: range.lowerBound) }
      .filter { $0.upperBound > changed.range.lowerBound && $0.lowerBound < newEnd }
    let shifted = after.map { $0.moved(by: new.count - range.count) }
    return (before + between + shifted).map { $0.moved(by: -range.lowerBound) }
  }

  /// How often two texts are compared at most: each time with fewer of the marks in the old one.
  private static let maxComparisons = 4

  /// The same with the signs of a delimiter that it leaves, if it replaces others of that delimiter and more: those
  /// were typed, and a client left them out because both texts begin or end with them.
  private func withCutSigns(on text: Text, _ marks: [KnownMark]) -> Edit {
    guard let first = new.first, let last = new.last else { return self }
    var edit = self
    if let cut = marks.letters.letter(at: range.lowerBound), cut.upperBound < range.upperBound,
      text[range.lowerBound] != first
    {
      edit.range = cut.lowerBound..<range.upperBound
      edit.new = text[cut.lowerBound..<range.lowerBound] + new
    }
    if let cut = marks.letters.letter(at: range.upperBound), range.lowerBound < cut.lowerBound,
      text[range.upperBound - 1] != last
    {
      edit.range = edit.range.lowerBound..<cut.upperBound
      edit.new += text[range.upperBound..<cut.upperBound]
    }
    return edit
  }
}

extension KnownMark {
  /// What of it can be equal to nothing in what replaces a stretch, if the edits there cut it: the delimiters that
  /// are gone, and what the user does not see beside them.
  fileprivate func lost(
    by edits: [Edit],
    of stretch: Range<Int>,
    byLines isByLines: Bool
  ) -> [Range<Int>] {
    guard isBroken(by: edits, of: stretch) else { return [] }
    if isHidden(in: stretch) { return hidden }
    var gone = delimiters.filter { !$0.isEmpty && ($0.isMet(by: edits) || $0.isCut(by: stretch)) }
    // An arrow behind an opener that is gone was typed, unless the rest of the mark stays with it. A report by lines
    // ends wherever a line does, so that the rest can be behind it.
    if delimiters.count == 3, gone.contains(delimiters[0]), !gone.contains(delimiters[1]),
      gone.contains(delimiters[2]) || !isByLines && !stretch.holds(delimiters[2])
    {
      gone.append(delimiters[1])
    }
    return gone
      + hidden.filter { text in
        let before = delimiters.last { $0.upperBound <= text.lowerBound }
        let after = delimiters.first { $0.lowerBound >= text.upperBound }
        return [before, after].contains { $0.map(gone.contains) ?? false }
      }
  }

  /// From the arrow to the closer, if edits remove both and leave the opener: a selection from deleted text to behind
  /// the mark was replaced, and no arrow was eaten, though what is put in can repeat what was between the two.
  fileprivate func endCut(by edits: [Edit]) -> Range<Int>? {
    guard delimiters.count == 3, !delimiters[0].isMet(by: edits),
      delimiters[1].isMet(by: edits), delimiters[2].isMet(by: edits)
    else { return nil }
    return delimiters[1].lowerBound..<delimiters[2].upperBound
  }

  /// Whether edits leave some of its delimiters and others not.
  fileprivate func isTorn(by edits: [Edit]) -> Bool {
    let lost = delimiters.count { $0.isMet(by: edits) }
    return 0 < lost && lost < delimiters.count
  }

  /// Whether all of a stretch is text in it that the user does not see.
  fileprivate func isHidden(in range: Range<Int>) -> Bool {
    hidden.contains { $0.holds(range) }
  }

  /// Whether edits in a stretch remove a delimiter, or the stretch cuts one.
  fileprivate func isBroken(by edits: [Edit], of stretch: Range<Int>) -> Bool {
    delimiters.contains { $0.isMet(by: edits) || $0.isCut(by: stretch) }
      // Nobody retypes deleted text: a line break typed over it is not one that is in it.
      || isHidden(in: stretch) && !edits.allSatisfy(\.range.isEmpty)
  }

  /// Whether edits in a stretch leave neither end of the mark, or replace text that the user does not see, and the
  /// stretch is all in that.
  fileprivate func isGone(by edits: [Edit], of stretch: Range<Int>) -> Bool {
    guard isBroken(by: edits, of: stretch) else { return false }
    if isHidden(in: stretch) { return true }
    guard let opener = delimiters.first, let closer = delimiters.last,
      stretch.overlaps(opener), stretch.overlaps(closer)
    else { return false }
    func isLost(_ end: Range<Int>) -> Bool { end.isMet(by: edits) || end.isCut(by: stretch) }
    return isLost(opener) && isLost(closer)
  }
}

extension Range<Int> {
  fileprivate func isMet(by edits: [Edit]) -> Bool {
    let next = edits.partitioningIndex { $0.range.upperBound > lowerBound }
    return edits[next...].prefix(2).contains { $0.range.overlaps(self) }
  }

  fileprivate func isCut(by other: Range<Int>) -> Bool { overlaps(other) && !other.holds(self) }
}

extension [KnownMark] {
  fileprivate var letters: Letters {
    let delimiters = flatMap(\.delimiters).filter { !$0.isEmpty }
    return Letters(whole: delimiters.sorted { $0.lowerBound < $1.lowerBound })
  }

  /// Whether a stretch lies in a delimiter and is not all of it.
  fileprivate func hasDelimiter(cutBy range: Range<Int>) -> Bool {
    contains { mark in
      mark.delimiters.contains { delimiter in
        delimiter != range && delimiter.holds(range)
          && !(range.isEmpty
            && [delimiter.lowerBound, delimiter.upperBound].contains(range.lowerBound))
      }
    }
  }
}

extension [Edit] {
  /// The edits, with those that meet one of some ranges joined into one that covers all of it; linear.
  fileprivate func joined(over ranges: [Range<Int>], in buffer: Text) -> [Edit] {
    let ranges = ranges.sorted { $0.lowerBound < $1.lowerBound }
    var joined: [Edit] = []
    var next = 0
    var number = 0
    while number < ranges.count {
      let start = ranges[number].lowerBound
      while next < count, self[next].range.upperBound < start {
        joined.append(self[next])
        next += 1
      }
      var edit = Edit(start..<start, [])
      if next < count, self[next].range.lowerBound < start {
        edit = self[next]
        next += 1
      }
      var end = start
      // What was joined so far may meet the next range.
      while number < ranges.count,
        ranges[number].lowerBound <= Swift.max(end, edit.range.upperBound)
      {
        end = Swift.max(end, ranges[number].upperBound)
        number += 1
        while next < count, self[next].range.lowerBound <= end {
          edit.extend(to: self[next].range.lowerBound, in: buffer)
          edit.new += self[next].new
          edit.range = edit.range.lowerBound..<self[next].range.upperBound
          next += 1
        }
      }
      edit.extend(to: end, in: buffer)
      joined.append(edit)
    }
    return joined + self[next...]
  }
}

extension Edit {
  /// Has it replace more of a text, by itself.
  fileprivate mutating func extend(to end: Int, in buffer: Text) {
    guard range.upperBound < end else { return }
    new += buffer[range.upperBound..<end]
    range = range.lowerBound..<end
  }
}
