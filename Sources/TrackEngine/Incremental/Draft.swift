/// A text with its passages, kept up to date edit by edit.
///
/// A value. The cost of an edit is that of cutting again the passages it touches and those that read differently
/// because of it.
///
/// Invariant, checked by ``checkInvariants()``: the passages are those of the text.
struct Draft {
  private(set) var text: Text
  private(set) var passages: Passages
  /// What was cut again since this was last taken, and so may read differently; everything else reads the same,
  /// shifted.
  ///
  /// Both stretches begin and end at line starts or at the ends of the texts, and no mark spans an end.
  var difference: Difference?
  private let grain: Int

  /// Cuts a text into passages of at least `grain` bytes, where possible.
  ///
  /// Linear.
  init(_ text: Text, grain: Int = Cutting.usualGrain) {
    self.text = text
    self.grain = grain
    var cutter = Cutter(grain: grain)
    while let range = cutter.window(in: text.count) {
      text[range].withUnsafeBufferPointer { cutter.cut($0) }
    }
    passages = Passages(cutter.passages)
  }

  /// Replaces a range by `new`.
  mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
    guard text.count > 0 else {
      let fresh = Draft(Text(new), grain: grain)
      (text, passages) = (fresh.text, fresh.passages)
      return difference.append(Difference(0..<0, 0..<new.count))
    }
    let shift = new.count - range.count
    if let place = placeOfPlainText(range, new) {
      let end = place.start + passages[place].length
      difference.append(Difference(place.start..<end, place.start..<end + shift))
      text.replace(range, with: new)
      return passages.grow(place, by: shift)
    }
    // With the passage before an edit at the beginning of one, and the one after.
    var first = passages.place(of: max(0, range.lowerBound - 1))
    var end = passages.place(after: passages.place(of: range.upperBound))
    text.replace(range, with: new)
    guard text.count > 0 else {
      passages = Passages([])
      return difference.append(Difference(range, 0..<0))
    }
    var steps = 1
    while true {
      let stretch = first.start..<end.start + shift
      let isClean = passages.summary.effect.loose.isEmpty
      let before = isClean ? Passage.Effect() : passages.effect(before: first)
      let cut = text[stretch].withUnsafeBufferPointer {
        Cutting(
          $0,
          in: passages[first].fence,
          before: before,
          later: passages.effect(from: end),
          grain: grain
        )
      }
      if end != passages.end, !cut.canEndHere || cut.unclosed != passages[end].fence {
        // What follows reads differently: twice as much at a time, so that the work stays linear.
        for _ in 0..<steps where end != passages.end { end = passages.place(after: end) }
        steps *= 2
        continue
      }
      if extend(&first, &end, for: cut, before) { continue }
      difference.append(Difference(first.start..<end.start, stretch))
      return passages.replace(first, end, with: cut.passages)
    }
  }

  /// The passage of an edit that cannot change how anything reads: it inserts or removes plain text, away from
  /// delimiters and code.
  private func placeOfPlainText(_ range: Range<Int>, _ new: [UInt8]) -> Passages.Place? {
    guard range.lowerBound > 0, range.upperBound < text.count else { return nil }
    let place = passages.place(of: range.lowerBound - 1)
    let passage = passages[place]
    let end = place.start + passage.length
    guard passage.fence == nil, !passage.hasRuns, !passage.isDelicate, range.upperBound < end,
      passage.length + new.count - range.count < 4 * Cutting.usualGrain,
      new.allSatisfy(isPlain),
      text[range.lowerBound - 1..<range.upperBound + 1].allSatisfy(isPlain)
    else { return nil }
    return place
  }

  /// Extends the stretch over passages whose openers it can close, or whose closers its openers reach; returns
  /// whether there are any.
  private func extend(
    _ first: inout Passages.Place,
    _ end: inout Passages.Place,
    for cut: Cutting,
    _ before: Passage.Effect
  ) -> Bool {
    if before.loose.isEmpty, cut.summary.effect.loose.isEmpty { return false }
    let later = passages.effect(from: end)
    var all = before
    all.append(cut.summary.effect)
    var after = cut.summary.effect
    after.append(later)
    let reached = before.reaches(into: after)
    let reaching = all.reaches(into: later)
    if !reached.isEmpty,
      let place = passages.first(where: { !$0.loose.isDisjoint(with: reached) })
    {
      first = place
    }
    if !reaching.isEmpty,
      let place = passages.last(where: { !$0.strays.isDisjoint(with: reaching) })
    {
      end = passages.place(after: place)
    }
    return !reached.isEmpty || !reaching.isEmpty
  }

  /// The text with `edits` made, and its passages.
  func applying(_ edits: [Edit]) -> Draft {
    // With so many edits, the passages around them are the whole text.
    if edits.count * Cutting.usualGrain > text.count {
      return Draft(text.applying(edits), grain: grain)
    }
    var draft = self
    for edit in edits.reversed() { draft.replace(edit.range, with: edit.new) }
    return draft
  }

  /// Whether passages begin at both ends of a stretch, outside fenced blocks.
  func isApart(_ stretch: Range<Int>) -> Bool {
    [stretch.lowerBound, stretch.upperBound].allSatisfy { end in
      guard end > 0, end < text.count else { return true }
      let place = passages.place(of: end)
      return place.start == end && passages[place].fence == nil
    }
  }

  /// A stretch around a range that reads by itself as in the text.
  func excerpt(around range: Range<Int>) -> Excerpt {
    let stretch = stretch(around: range)
    return Excerpt(start: stretch.lowerBound, bytes: Array(text[stretch]))
  }

  /// The passages that `range` lies in or touches, and those that a fenced block in them reaches
  /// into.
  func stretch(around range: Range<Int>) -> Range<Int> {
    stretch(from: range.lowerBound, through: range.upperBound)
  }

  /// The passages that `range` lies in, and those that a fenced block in them reaches into.
  func stretch(holding range: Range<Int>) -> Range<Int> {
    stretch(from: range.lowerBound, through: max(range.lowerBound, range.upperBound - 1))
  }

  private func stretch(from start: Int, through last: Int) -> Range<Int> {
    guard text.count > 0 else { return 0..<0 }
    var first = passages.place(of: start)
    while passages[first].fence != nil, let place = passages.place(before: first) { first = place }
    var end = passages.place(after: passages.place(of: last))
    while end != passages.end, passages[end].fence != nil { end = passages.place(after: end) }
    return first.start..<end.start
  }

  /// The reading of the whole text, joined from those of the passages.
  ///
  /// Linear.
  func reading() -> Reading {
    var whole = Reading()
    var place = passages.place(of: 0)
    while place != passages.end {
      let passage = passages[place]
      let bytes = text[place.start..<place.start + passage.length]
      let part = bytes.withUnsafeBufferPointer { Reading(of: $0, in: passage.fence) }
      whole.append(part, at: place.start, in: passage.fence != nil)
      place = passages.place(after: place)
    }
    return whole
  }

  /// What is wrong with the invariants; nil if they hold.
  func checkInvariants() -> String? {
    text.checkInvariants() ?? passages.checkInvariants(of: text)
  }
}

/// Whether a character cannot be part of a delimiter, escape one, or begin code or a name.
private func isPlain(_ byte: UInt8) -> Bool {
  switch byte {
  case Ascii.open, Ascii.close, Ascii.plus, Ascii.minus, Ascii.tilde, Ascii.equals, Ascii.less,
    Ascii.greater, Ascii.backslash, Ascii.backtick, UInt8(ascii: "@"):
    false
  default: true
  }
}

extension Reading {
  /// Adds the reading of what follows, which begins at `offset`, perhaps in the last fenced block.
  fileprivate mutating func append(_ next: Reading, at offset: Int, in block: Bool) {
    marks += next.marks.map { $0.moved(by: offset) }
    for (index, var zone) in next.zones.enumerated() {
      zone.range = zone.range.moved(by: offset)
      if index == 0, block, let last = zones.last {
        zones[zones.count - 1].range = last.range.lowerBound..<zone.range.upperBound
      } else {
        zones.append(zone)
      }
    }
  }
}
