/// A text with its passages, kept up to date edit by edit.
///
/// A value. The cost of an edit is that of cutting again the passages it touches and those that read differently
/// because of it. Several edits can be made before that, see ``change(_:with:)``.
///
/// Invariant, checked by ``checkInvariants()``: the passages are those of the text.
struct Draft {
  private(set) var text: Text
  /// The language of the text.
  let language: Language
  var passages: Passages { known.summary.isStale ? cutAgain.known : known }
  /// The passages, some of which may be stale.
  private var known: Passages
  /// What was cut again since this was last taken, and so may read differently; everything else reads the same,
  /// shifted.
  ///
  /// Both stretches begin and end at line starts or at the ends of the texts, and no mark spans an end.
  var difference: Difference?
  private let grain: Int
  /// How many bytes have been cut, as a measure of what edits cost.
  private(set) var cost = 0

  /// Cuts a text into passages of at least `grain` bytes, where possible.
  ///
  /// Linear.
  init(_ text: Text, _ language: Language, grain: Int = Cutting.usualGrain) {
    self.text = text
    self.language = language
    self.grain = grain
    var cutter = Cutter(language, grain: grain)
    while let range = cutter.window(in: text.count) {
      text[range].withUnsafeBufferPointer { cutter.cut($0) }
    }
    known = Passages(cutter.passages)
  }

  /// Replaces a range by `new`.
  mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
    change(range, with: new)
    settle()
  }

  /// Replaces a range by `new`, and leaves the passages to be cut when they are asked for.
  ///
  /// Each question cuts them anew until ``settle()`` is called.
  mutating func change(_ range: Range<Int>, with new: [UInt8]) {
    guard text.count > 0 else {
      let fresh = Draft(Text(new), language, grain: grain)
      (text, known) = (fresh.text, fresh.known)
      return difference.append(Difference(0..<0, 0..<new.count))
    }
    let shift = new.count - range.count
    if let place = placeOfPlainText(range, new) {
      let end = place.start + known[place].length
      difference.append(Difference(place.start..<end, place.start..<end + shift))
      text.replace(range, with: new)
      return known.grow(place, by: shift)
    }
    // Where a passage begins, nothing before it depends on what follows; see ``Cutting/canEndHere``.
    let first = known.place(of: range.lowerBound)
    let end = known.place(after: known.place(of: range.upperBound))
    text.replace(range, with: new)
    let stretch = first.start..<end.start
    difference.append(Difference(stretch, stretch.lowerBound..<stretch.upperBound + shift))
    let stale = Passage(stale: stretch.count + shift, in: known[first].fence)
    known.replace(first, end, with: stale.length > 0 ? [stale] : [])
  }

  /// Cuts the passages that have changed; linear in them and in those that read differently because of them.
  mutating func settle() {
    while let place = known.firstStale() { cut(place) }
  }

  private var cutAgain: Draft {
    var draft = self
    draft.settle()
    return draft
  }

  /// Cuts a passage again, and those that read differently because of it.
  private mutating func cut(_ place: Passages.Place) {
    var first = place
    var end = known.place(after: place)
    var steps = 1
    while true {
      let stretch = first.start..<end.start
      let isClean = known.summary.effect.loose.isEmpty
      let before = isClean ? Passage.Effect() : known.effect(before: first)
      let cut = text[stretch].withUnsafeBufferPointer {
        Cutting(
          $0,
          language,
          in: known[first].fence,
          before: before,
          later: known.effect(from: end),
          grain: grain
        )
      }
      cost += stretch.count
      if end != known.end, !cut.canEndHere || cut.unclosed != known[end].fence {
        // What follows reads differently: twice as much at a time, so that the work stays linear.
        for _ in 0..<steps where end != known.end { end = known.place(after: end) }
        steps *= 2
        continue
      }
      if extend(&first, &end, for: cut, before) { continue }
      difference.append(Difference(stretch, stretch))
      return known.replace(first, end, with: cut.passages)
    }
  }

  /// The passage of an edit that cannot change how anything reads: it inserts or removes plain text, away from
  /// delimiters and code.
  private func placeOfPlainText(_ range: Range<Int>, _ new: [UInt8]) -> Passages.Place? {
    // A word of another language can be the name of a block, or of a command.
    guard language == .markdown, range.lowerBound > 0, range.upperBound < text.count else {
      return nil
    }
    let place = known.place(of: range.lowerBound - 1)
    let passage = known[place]
    let end = place.start + passage.length
    guard !passage.summary.isStale, passage.fence == nil, !passage.isDelicate,
      range.upperBound < end,
      passage.length + new.count - range.count < 4 * Cutting.usualGrain,
      new.allSatisfy(isPlain)
    else { return nil }
    let start = max(place.start, range.lowerBound - 32)
    let near = text[start..<min(end, range.upperBound + 32)]
    let before = near.prefix(range.lowerBound - start)
    let rest = near.dropFirst(before.count)
    guard before.suffix(1).allSatisfy(isPlain),
      rest.prefix(range.count + 1).allSatisfy(isPlain),
      // It could make a LaTeX command of the letters before a brace.
      rest.dropFirst(range.count).first(where: { !$0.isAsciiLetter }) != Ascii.open,
      !passage.hasRuns || isInside(new, rest.prefix(range.count), after: before)
    else { return nil }
    return place
  }

  /// Whether new and old text lie within a line, behind a letter of text: so they cannot make the line blank or a fence,
  /// nor have it end there, and code begins and ends where it does.
  private func isInside(
    _ new: [UInt8],
    _ old: ArraySlice<UInt8>,
    after before: ArraySlice<UInt8>
  ) -> Bool {
    !new.contains(where: \.isLineBreak) && !old.contains(where: \.isLineBreak)
      && before.reversed().prefix { isPlain($0) && !$0.isLineBreak }
        .contains(where: \.isAsciiLetter)
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
    let later = known.effect(from: end)
    var all = before
    all.append(cut.summary.effect)
    var after = cut.summary.effect
    after.append(later)
    let reached = before.reaches(into: after)
    let reaching = all.reaches(into: later)
    if !reached.isEmpty,
      let place = known.first(where: { !$0.loose.isDisjoint(with: reached) })
    {
      first = place
    }
    if !reaching.isEmpty,
      let place = known.last(where: { !$0.strays.isDisjoint(with: reaching) })
    {
      end = known.place(after: place)
    }
    return !reached.isEmpty || !reaching.isEmpty
  }

  /// The text with `edits` made, and its passages.
  func applying(_ edits: [Edit]) -> Draft {
    assert(edits.areEdits(ofLength: text.count), "edits of another text")
    // With so many edits, the passages around them are the whole text.
    if edits.count * Cutting.usualGrain > text.count {
      return Draft(text.applying(edits), language, grain: grain)
    }
    var draft = self
    for edit in edits.reversed() { draft.change(edit.range, with: edit.new) }
    draft.settle()
    return draft
  }

  /// Whether passages begin at both ends of a stretch, outside fenced blocks.
  func isApart(_ stretch: Range<Int>) -> Bool {
    let passages = passages
    return [stretch.lowerBound, stretch.upperBound].allSatisfy { end in
      guard end > 0, end < text.count else { return true }
      let place = passages.place(of: end)
      return place.start == end && passages[place].fence == nil
    }
  }

  /// Whether a stretch, which reads by itself, still does after edits in it.
  ///
  /// Linear in the stretch.
  ///
  /// - Parameters:
  ///   - stretch: Passages, as of ``excerpt(around:)``.
  ///   - edits: Edits of the text, all of them within the stretch.
  /// - Returns: Whether nothing outside reads differently; false if that cannot be shown.
  func isApart(_ stretch: Range<Int>, after edits: [Edit]) -> Bool {
    guard !edits.isEmpty, stretch != 0..<text.count else { return true }
    let new = Array(text[stretch]).applying(edits.map { $0.moved(by: -stretch.lowerBound) })
    let cut = new.withUnsafeBufferPointer { Cutting($0, language, in: nil) }
    let end =
      stretch.upperBound < text.count ? passages.place(of: stretch.upperBound) : passages.end
    guard end == passages.end || new.isEmpty || cut.canEndHere && cut.unclosed == nil else {
      return false
    }
    let before = passages.effect(before: passages.place(of: stretch.lowerBound))
    let later = passages.effect(from: end)
    var after = cut.summary.effect
    after.append(later)
    var all = before
    all.append(cut.summary.effect)
    return before.reaches(into: after).isEmpty && all.reaches(into: later).isEmpty
  }

  /// A stretch around a range that reads by itself as in the text.
  func excerpt(around range: Range<Int>) -> Excerpt {
    let stretch = stretch(around: range)
    return Excerpt(start: stretch.lowerBound, bytes: Array(text[stretch]), language)
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
    let passages = passages
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
    let passages = passages
    var whole = Reading(language: language)
    var place = passages.place(of: 0)
    while place != passages.end {
      let passage = passages[place]
      let bytes = text[place.start..<place.start + passage.length]
      let part = bytes.withUnsafeBufferPointer { Reading(of: $0, as: language, in: passage.fence) }
      whole.append(part, at: place.start, in: passage.fence != nil)
      place = passages.place(after: place)
    }
    return whole
  }

  /// What is wrong with the invariants; nil if they hold.
  func checkInvariants() -> String? {
    text.checkInvariants() ?? passages.checkInvariants(of: text, language)
  }
}

/// Whether a character cannot be part of a delimiter, escape one, or begin code or a name.
private func isPlain(_ byte: UInt8) -> Bool {
  switch byte {
  case Ascii.open, Ascii.close, Ascii.plus, Ascii.minus, Ascii.tilde, Ascii.equals, Ascii.less,
    Ascii.greater, Ascii.backslash, Ascii.backtick, Ascii.bracket, Ascii.caret, UInt8(ascii: "@"):
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
