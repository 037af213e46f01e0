/// Where the places of a clean text are in the clean text that somebody else made of it, as far as that is certain.
///
/// What corresponds is what the comparison of the two texts keeps, never the same words at another place. That alone is
/// not enough: where so much was rewritten that only a few words are left, these are kept by chance, and of two equal
/// sentences of which one is gone nobody can tell which it was.
struct CleanAlignment {
  let old: [UInt8]
  let new: [UInt8]
  /// What differs between the texts, as changes that are easy to read; none holds the place of a mark of the old text but
  /// where words differ.
  let differences: [Difference]
  /// The same, but of text in which only white space differs no more than that.
  private let map: OffsetMap

  /// How many bytes on each side of a place are looked at.
  private static let nearness = 48
  /// How long a stretch of text must be to be known by itself, where it occurs once in both texts.
  private static let longEnough = 24
  /// The same for lines that are at another place now.
  private static let longEnoughToMove = 40
  /// How long a text must be to be still there though something in it was changed.
  private static let shortestChanged = 40
  /// How much of a word is looked at, in bytes; a text without spaces is one word.
  private static let longestWord = 24

  init(_ old: VariantText, _ new: VariantText) {
    (self.old, self.new) = (old.bytes, new.bytes)
    let language = new.reading.language
    let found = textChanges(old.bytes, new.bytes, as: language, sparing: new.marks)
    let narrow = found.map { $0.withoutWords(old.bytes, new.bytes) }
    map = OffsetMap(narrow.joined())
    let marks = old.marks
    func hasMark(_ range: Range<Int>) -> Bool {
      let next = marks.partitioningIndex { $0 > range.lowerBound }
      return next < marks.count && marks[next] < range.upperBound
    }
    differences = zip(found, narrow).flatMap { whole, parts in
      guard hasMark(whole.old) else { return [whole] }
      return parts.reduce(into: [] as [Difference]) { joined, part in
        if let last = joined.last, !hasMark(last.old.lowerBound..<part.old.upperBound) {
          joined[joined.count - 1] = last.joined(with: part)
        } else {
          joined.append(part)
        }
      }
    }
  }

  /// A place in the new text, and on which condition it is the one that is meant.
  struct Finding {
    /// The place; nil if nothing is there that corresponds.
    var place: Range<Int>?
    /// Whether the place is certain as it is.
    var isCertain = false
    /// What must occur once in both texts otherwise, and how far from its beginning the place is.
    var piece: (text: [UInt8], lead: Int)?
    /// On which side the text is with which an empty place goes.
    var bias = OffsetMap.Bias.before
    /// Whether the piece is a line that is at another place, and the place to be looked for in it.
    var isMoved = false
  }
}

// MARK: - Where a text is

extension CleanAlignment {
  /// Where a text is that a mark holds.
  func finding(of held: Range<Int>) -> Finding {
    let core = words(in: held)
    guard !core.isEmpty else { return finding(ofBlank: held) }
    guard let inner = place(of: core) else { return moved(held) }
    let place = inner.extended(over: held, around: core, old, new)
    var finding = Finding(place: place)
    guard !isAmbiguous(core) else { return finding }
    finding.isCertain = isBesideKnown(core, inner) && isMostlyKept(around: core, inner)
    finding.piece = piece(around: held)
    return finding
  }

  /// Where white space is that a mark holds: between the same words.
  private func finding(ofBlank held: Range<Int>) -> Finding {
    guard let place = map.mapWhole(held) else { return Finding() }
    var finding = finding(ofPlace: held.lowerBound)
    finding.place = finding.place.map { _ in place }
    return finding
  }

  /// Where a place is at which text was deleted: both sides are there still, side by side.
  func finding(ofPlace offset: Int) -> Finding {
    let (left, right) = (word(before: offset), word(after: offset))
    guard let before = image(ofWord: left), let after = image(ofWord: right),
      before.upperBound <= after.lowerBound,
      new[before.upperBound..<after.lowerBound].allSatisfy(\.isWhiteSpace)
    else { return moved(offset..<offset) }
    let sides = left.lowerBound..<right.upperBound
    let isWithLeft = offset == left.upperBound
    let mapped = map.map(offset, bias: .before)
    let place =
      isWithLeft
      ? before.upperBound
      : offset == right.lowerBound
        ? after.lowerBound : min(max(mapped, before.upperBound), after.lowerBound)
    var finding = Finding(place: place..<place, bias: isWithLeft ? .before : .after)
    guard !isAmbiguous(sides) else { return finding }
    finding.isCertain = isMostlyKept(around: offset..<offset, place..<place)
    finding.piece = piece(around: sides).map { ($0.text, $0.lead + offset - sides.lowerBound) }
    return finding
  }

  /// Where a comment is that stands alone.
  ///
  /// It goes with the word right before it, else with the one right behind it, else it is between what is around it. What
  /// stands before or behind all text stays there.
  func finding(ofCommentAt offset: Int) -> Finding {
    let (left, right) = (word(before: offset), word(after: offset))
    if left.upperBound == offset, !left.isEmpty { return finding(at: offset, with: left, .before) }
    if right.isEmpty {
      let rest = old[offset...].reversed().commonPrefix(with: new.reversed())
      return Finding(place: new.count - rest..<new.count - rest, isCertain: true)
    }
    let head = old.headLength
    if right.lowerBound > offset, offset >= head, old[head..<offset].allSatisfy(\.isWhiteSpace) {
      let place = new.headLength + old[head..<offset].commonPrefix(with: new[new.headLength...])
      return Finding(place: place..<place, isCertain: true, bias: .after)
    }
    if right.lowerBound == offset { return finding(at: offset, with: right, .after) }
    return finding(ofPlace: offset)
  }

  /// Where a place beside a word is.
  private func finding(at offset: Int, with word: Range<Int>, _ bias: OffsetMap.Bias) -> Finding {
    guard map.mapWhole(word) != nil else { return moved(offset..<offset, bias) }
    var finding = finding(of: word)
    finding.place = finding.place.map {
      bias == .before ? $0.upperBound..<$0.upperBound : $0.lowerBound..<$0.lowerBound
    }
    finding.piece = finding.piece.map { ($0.text, $0.lead + offset - word.lowerBound) }
    finding.bias = bias
    return finding
  }

  /// Where a text may be that is not at its place any more: whole lines that occur once.
  private func moved(_ held: Range<Int>, _ bias: OffsetMap.Bias = .before) -> Finding {
    let lines = old.withUnsafeBufferPointer { $0.lines(around: held) }
    guard lines.count >= CleanAlignment.longEnoughToMove else { return Finding() }
    return Finding(
      piece: (Array(old[lines]), held.lowerBound - lines.lowerBound),
      bias: bias,
      isMoved: true
    )
  }

  /// Where a text is in the new one: whole, but for other white space; or a long one in which little was changed, with
  /// its beginning and end.
  private func place(of held: Range<Int>) -> Range<Int>? {
    if let place = map.mapWhole(held) { return place }
    let (first, last) = (word(after: held.lowerBound), word(before: held.upperBound))
    guard held.holds(first), held.holds(last), let start = map.mapWhole(first),
      let end = map.mapWhole(last), start.lowerBound <= end.lowerBound
    else { return nil }
    var changed = 0
    for difference in parts(in: held) {
      let (oldText, newText) = (old[difference.old], new[difference.new])
      let isSpacing =
        !oldText.isEmpty && !newText.isEmpty && oldText.allSatisfy(\.isWhiteSpace)
        && newText.allSatisfy(\.isWhiteSpace)
      if !isSpacing { changed += oldText.count + newText.count }
    }
    let isLong = held.count >= CleanAlignment.shortestChanged
    guard changed == 0 || isLong && 4 * changed <= held.count else { return nil }
    return map.map(held)
  }
}

// MARK: - Whether it is certain

extension CleanAlignment {
  /// Whether the comparison could as well have kept another text in its place, or another word at its beginning or end:
  /// what was taken out or put in beside it begins or ends with the same text.
  private func isAmbiguous(_ held: Range<Int>) -> Bool {
    let all = map.differences
    let next = all.partitioningIndex { $0.old.lowerBound >= held.upperBound }
    let last = word(before: held.upperBound).clamped(to: held)
    if next < all.count, slide(all[next], by: -1, over: last.lowerBound..<held.upperBound) {
      return true
    }
    let after = all.partitioningIndex { $0.old.upperBound > held.lowerBound }
    let first = word(after: held.lowerBound).clamped(to: held)
    // An insertion right before it is before it, too.
    return after > 0
      && slide(all[after - 1], by: 1, over: held.lowerBound..<first.upperBound)
  }

  /// Whether what was taken out or put in can be said to be on the other side of a text.
  private func slide(_ difference: Difference, by step: Int, over held: Range<Int>) -> Bool {
    let isDeletion = difference.new.isEmpty
    guard isDeletion || difference.old.isEmpty else {
      // What was replaced, or took its place, may hold the same words: then these may be meant.
      let words =
        step > 0
        ? difference.old.upperBound..<held.upperBound : held.lowerBound..<difference.old.lowerBound
      return old.holds(old[words], in: difference.old) || new.holds(old[words], in: difference.new)
    }
    let (text, range) = isDeletion ? (old, difference.old) : (new, difference.new)
    let distance =
      step > 0
      ? held.upperBound - difference.old.upperBound : held.lowerBound - difference.old.lowerBound
    let bounds = range.joined(with: range.moved(by: distance)).clamped(to: 0..<text.count)
    return range.slack(within: bounds) { text[$0] == text[$1] }.contains(distance)
  }

  /// Whether the word before a text or the one behind it is still beside it; so is the text's beginning or end.
  private func isBesideKnown(_ held: Range<Int>, _ place: Range<Int>) -> Bool {
    if let before = image(ofWord: word(before: held.lowerBound)),
      before.upperBound <= place.lowerBound,
      new[before.upperBound..<place.lowerBound].allSatisfy(\.isWhiteSpace)
    {
      return true
    }
    guard let after = image(ofWord: word(after: held.upperBound)) else { return false }
    return place.upperBound <= after.lowerBound
      && new[place.upperBound..<after.lowerBound].allSatisfy(\.isWhiteSpace)
  }

  /// Whether at least half of what is around a text is as it was, in both texts.
  private func isMostlyKept(around held: Range<Int>, _ place: Range<Int>) -> Bool {
    var (all, changed) = (0, 0)
    func look(_ range: Range<Int>, of text: [UInt8], _ side: KeyPath<Difference, Range<Int>>) {
      let (start, end) = (range.lowerBound, range.upperBound)
      let reach = CleanAlignment.nearness
      for window in [max(0, start - reach)..<start, end..<min(text.count, end + reach)] {
        all += window.count
        for difference in parts(in: window, side) {
          changed += difference[keyPath: side].clamped(to: window).count
        }
      }
    }
    look(held, of: old, \.old)
    look(place, of: new, \.new)
    return 2 * changed <= all
  }

  /// The kept text around a place, as far as is looked at; nil if it is too short to be known.
  private func piece(around held: Range<Int>) -> (text: [UInt8], lead: Int)? {
    guard map.mapWhole(held) != nil else { return nil }
    let all = map.differences
    let next = all.partitioningIndex { $0.old.lowerBound >= held.upperBound }
    let last = all.partitioningIndex { $0.old.upperBound > held.lowerBound } - 1
    let start = max(
      held.lowerBound - CleanAlignment.nearness,
      last < 0 ? 0 : all[last].old.upperBound
    )
    let end = min(
      held.upperBound + CleanAlignment.nearness,
      next < all.count ? all[next].old.lowerBound : old.count
    )
    let text = old[start..<end]
    guard text.count(where: { !$0.isWhiteSpace }) >= CleanAlignment.longEnough else { return nil }
    return (Array(text), held.lowerBound - start)
  }

  /// The differences that have something in a range of one of the texts, in order.
  private func parts(
    in range: Range<Int>,
    _ side: KeyPath<Difference, Range<Int>> = \.old
  ) -> ArraySlice<Difference> {
    let all = map.differences
    let first = all.partitioningIndex { $0[keyPath: side].upperBound > range.lowerBound }
    let end = all[first...].partitioningIndex { $0[keyPath: side].lowerBound >= range.upperBound }
    return all[first..<max(first, end)]
  }
}

// MARK: - Words

extension CleanAlignment {
  /// Where a word is; the empty one before or behind all text is at the ends of the new text.
  private func image(ofWord word: Range<Int>) -> Range<Int>? {
    guard word.isEmpty else { return map.mapWhole(word) }
    return word.lowerBound == 0 ? 0..<0 : new.count..<new.count
  }

  /// The last word before an offset, or its end if it is long; empty at the text's beginning if there is none.
  private func word(before offset: Int) -> Range<Int> {
    var end = offset
    while end > 0, old[end - 1].isWhiteSpace { end -= 1 }
    var start = end
    while start > 0, !old[start - 1].isWhiteSpace, end - start < CleanAlignment.longestWord {
      start -= 1
    }
    while start < end, !isBoundary(old[...], start) { start += 1 }
    return end == 0 ? 0..<0 : start..<end
  }

  /// The first word after an offset, or its beginning if it is long; empty at the text's end if there is none.
  private func word(after offset: Int) -> Range<Int> {
    var start = offset
    while start < old.count, old[start].isWhiteSpace { start += 1 }
    var end = start
    while end < old.count, !old[end].isWhiteSpace, end - start < CleanAlignment.longestWord {
      end += 1
    }
    while end > start, !isBoundary(old[...], end) { end -= 1 }
    return start == old.count ? old.count..<old.count : start..<end
  }
}

extension CleanAlignment {
  /// A range without the white space at its ends.
  private func words(in range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, old[start].isWhiteSpace { start += 1 }
    while end > start, old[end - 1].isWhiteSpace { end -= 1 }
    return start..<end
  }
}

extension Range<Int> {
  /// The place of a text with the white space at its ends, as far as that is there.
  fileprivate func extended(
    over held: Range<Int>,
    around core: Range<Int>,
    _ old: [UInt8],
    _ new: [UInt8]
  ) -> Range<Int> {
    var (start, end) = (lowerBound, upperBound)
    var at = core.lowerBound
    while at > held.lowerBound, start > 0, new[start - 1] == old[at - 1] {
      (start, at) = (start - 1, at - 1)
    }
    at = core.upperBound
    while at < held.upperBound, end < new.count, new[end] == old[at] {
      (end, at) = (end + 1, at + 1)
    }
    return start..<end
  }
}

extension Difference {
  /// The white space that differs, if nothing else does; else the difference itself.
  fileprivate func withoutWords(_ old: [UInt8], _ new: [UInt8]) -> [Difference] {
    var parts: [Difference] = []
    var (oldAt, newAt) = (self.old.lowerBound, self.new.lowerBound)
    while oldAt < self.old.upperBound || newAt < self.new.upperBound {
      let (oldStart, newStart) = (oldAt, newAt)
      while oldAt < self.old.upperBound, old[oldAt].isWhiteSpace { oldAt += 1 }
      while newAt < self.new.upperBound, new[newAt].isWhiteSpace { newAt += 1 }
      if old[oldStart..<oldAt] != new[newStart..<newAt] {
        parts.append(Difference(oldStart..<oldAt, newStart..<newAt))
      }
      while oldAt < self.old.upperBound, !old[oldAt].isWhiteSpace {
        guard newAt < self.new.upperBound, new[newAt] == old[oldAt] else { return [self] }
        (oldAt, newAt) = (oldAt + 1, newAt + 1)
      }
      guard newAt == self.new.upperBound || new[newAt].isWhiteSpace else { return [self] }
    }
    return parts
  }
}

extension Sequence<UInt8> {
  /// How many bytes two texts begin with in common.
  fileprivate func commonPrefix(with other: some Sequence<UInt8>) -> Int {
    zip(self, other).prefix { $0 == $1 }.count { _ in true }
  }
}

extension [UInt8] {
  /// Whether words are in a range, white space aside.
  fileprivate func holds(_ words: ArraySlice<UInt8>, in range: Range<Int>) -> Bool {
    guard words.count <= range.count + 2 else { return false }
    func spaced(_ text: ArraySlice<UInt8>) -> [UInt8] {
      let parts = text.split(whereSeparator: \.isWhiteSpace)
      return [Ascii.space] + parts.flatMap { $0 + [Ascii.space] }
    }
    let found = spaced(words)
    return found.count > 1 && spaced(self[range])[...].firstRange(of: found[...]) != nil
  }

  /// The length of the front matter, and of a byte order mark, that the text begins with.
  var headLength: Int { Swift.max(frontMatter(of: self).upperBound, byteOrderMarkLength(self)) }
}
