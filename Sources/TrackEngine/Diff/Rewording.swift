/// The changes of a stretch, in tokens, rearranged to read as if an editor had made them.
struct Rewording {
  /// The cost of a change, in the same units as the worth of kept tokens.
  static let changeCost: Int32 = 9

  let old: WordTokens
  let new: WordTokens
  /// The new token that each old one was kept or exchanged for; -1 if there is none.
  let newOfOld: [Int32]
  /// Stretches of tokens, in order and disjoint.
  var changes: [Difference]

  /// Creates the changes between the kept pairs of tokens.
  init(_ old: WordTokens, _ new: WordTokens, _ kept: [(old: Int, new: Int)]) {
    self.old = old
    self.new = new
    let newOfOld = Rewording.partners(old, new, kept)
    self.newOfOld = newOfOld
    // A token exchanged for another of its class is a change too.
    let same = kept.lazy.filter {
      newOfOld[$0.old] >= 0 && old[$0.old].number == new[$0.new].number
    }
    changes = differences(between: same, old.count, new.count)
  }

  /// Joins changes if keeping the text between them is not worthwhile.
  ///
  /// Between long changes more has to be kept than between short ones: a word here and there of a rewritten
  /// sentence does not help the reader. Breaks between blocks and between cells are kept.
  mutating func join() {
    var joined: [Difference] = []
    joined.reserveCapacity(changes.count)
    for change in changes {
      var change = change
      // A change that has grown may be joined with one before it.
      while let last = joinable(joined, change) {
        let first = joined[last]
        joined.removeSubrange(last...)
        change = first.joined(with: change)
      }
      joined.append(change)
    }
    changes = joined
  }

  /// The index of the change with which one after them is joined, including the text between; nil if there is
  /// none.
  ///
  /// A moved line break does not draw in words, and does not keep changes from being joined.
  private func joinable(_ changes: [Difference], _ change: Difference) -> Int? {
    guard !isSwap(change) else { return nil }
    var index = changes.count - 1
    while index >= 0, isSwap(changes[index]) {
      let between = changes[index].old.upperBound..<change.old.lowerBound
      guard weight(ofOld: between) < Rewording.longestGap else { return nil }
      index -= 1
    }
    return index >= 0 && isJoined(changes[index], change) ? index : nil
  }

  private func isJoined(_ first: Difference, _ second: Difference) -> Bool {
    let kept = first.old.upperBound..<second.old.lowerBound
    let worth = weight(ofOld: kept)
    guard worth < Rewording.longestGap, !hasMark(first.new.upperBound...second.new.lowerBound)
    else {
      return false
    }
    let weight = min(weight(of: first), weight(of: second))
    let least = isAcrossBlocks(first) == isAcrossBlocks(second) ? Int(Rewording.changeCost) : 20
    if worth >= max(least, weight / 3) { return isPair(first, second) }
    return !kept.contains { old[$0].kind.isBorder } && !isOfLastBlocks(second)
  }

  /// Whether a change inserts or removes all blocks behind a line that is the last one on the other side, and has no end
  /// there.
  private func isOfLastBlocks(_ change: Difference) -> Bool {
    guard change.old.upperBound == old.count, change.old.isEmpty != change.new.isEmpty else {
      return false
    }
    return change.old.isEmpty
      ? new[change.new.lowerBound].kind == .hardBreak
      : old[change.old.lowerBound].kind == .hardBreak
  }

  /// Separates a change within a block from adjacent blocks that were inserted or removed.
  ///
  /// Between `full.` and `empty.⏎⏎Nobody knew.`, the first full stop is kept; so it is where `a[^1].⏎⏎[^1]: b.` takes the
  /// place of `a.`.
  mutating func part() {
    var parted: [Difference] = []
    for index in changes.indices.reversed() {
      let change = changes[index]
      let before = change.old.lowerBound - (index > 0 ? changes[index - 1].old.upperBound : 0)
      let after = (parted.last?.old.lowerBound ?? old.count) - change.old.upperBound
      parted += self.parted(change, before, after).reversed()
    }
    changes = parted.reversed()
  }

  /// The parts of a change, with so many tokens kept before and after it.
  private func parted(_ change: Difference, _ before: Int, _ after: Int) -> [Difference] {
    let hadBreaks = old[change.old.lowerBound].breaks < old[change.old.upperBound].breaks
    let hasBreaks = new[change.new.lowerBound].breaks < new[change.new.upperBound].breaks
    guard hadBreaks != hasBreaks else { return [change] }
    if hadBreaks {
      let weight = weight(ofNew: change.new)
      guard let cut = old.blocks(in: change.old, before, after, weight) else {
        return [change]
      }
      let place = Difference(cut.part, change.new)
      let rest = Difference(cut.rest, change.new.end(movedBy: cut.kept))
      return change.parted(into: place, rest, cut)
    }
    let weight = weight(ofOld: change.old)
    guard let cut = new.blocks(in: change.new, before, after, weight) else {
      return [change]
    }
    let place = Difference(change.old, cut.part)
    let rest = Difference(change.old.end(movedBy: cut.kept), cut.rest)
    return change.parted(into: place, rest, cut)
  }

  /// Whether a change replaces a space by a line break, or a list marker or an address by another one.
  private func isSwap(_ change: Difference) -> Bool {
    guard change.old.count == 1, change.new.count == 1 else { return false }
    switch (old[change.old.lowerBound].kind, new[change.new.lowerBound].kind) {
    case (.marker, .marker), (.address, .address): return true
    case (let oldKind, let newKind): return oldKind.isGap && newKind.isGap
    }
  }

  /// Whether a change inserts or removes a break between blocks.
  private func isAcrossBlocks(_ change: Difference) -> Bool {
    old[change.old.lowerBound].breaks < old[change.old.upperBound].breaks
      || new[change.new.lowerBound].breaks < new[change.new.upperBound].breaks
  }

  /// Whether two changes make a few words a link, or add the same signs, such as `**`, on both sides of them; or
  /// the reverse, or replace such signs.
  private func isPair(_ first: Difference, _ second: Difference) -> Bool {
    if first.old.count == 1, first.new.count == 1, second.old.count == 1, second.new.count == 1 {
      return Int(old[first.old.lowerBound].partner) == second.old.lowerBound
        && Int(new[first.new.lowerBound].partner) == second.new.lowerBound
    }
    if first.old.isEmpty, second.old.isEmpty {
      return isPair(first.new, second.new, of: new)
    }
    return first.new.isEmpty && second.new.isEmpty
      && isPair(first.old, second.old, of: old)
  }

  private func isPair(_ first: Range<Int>, _ second: Range<Int>, of tokens: WordTokens) -> Bool {
    guard first.count == 1, tokens[first.lowerBound].kind == .sign else { return false }
    if Int(tokens[first.lowerBound].partner) == second.lowerBound { return true }
    return second.count == 1 && tokens[first.lowerBound].number == tokens[second.lowerBound].number
  }

  /// Whether a mark is in a stretch of the new text, or at its ends.
  func hasMark(_ tokens: ClosedRange<Int>) -> Bool {
    let next = new.marked.partitioningIndex { $0 >= tokens.lowerBound }
    return next < new.marked.count && new.marked[next] <= tokens.upperBound
  }

  /// Whether a mark is in a stretch of the new text, and not at its ends.
  private func hasMark(inside tokens: Range<Int>) -> Bool {
    tokens.count > 1 && hasMark(tokens.lowerBound + 1...tokens.upperBound - 1)
  }

  /// What a mark in an insertion costs: more than any beginning and end of it are worth.
  private static let costOfMark = 64

  /// A gap worth more than this is kept between changes of any length.
  private static let longestGap = 48

  private func weight(of change: Difference) -> Int {
    max(weight(ofOld: change.old), weight(ofNew: change.new))
  }

  private func weight(ofOld range: Range<Int>) -> Int {
    old[range.upperBound].sum - old[range.lowerBound].sum
  }

  private func weight(ofNew range: Range<Int>) -> Int {
    new[range.upperBound].sum - new[range.lowerBound].sum
  }

  /// Shifts insertions and removals so that they begin and end with a sentence or a word, if that is
  /// equivalent.
  ///
  /// - Returns: Whether none could be shifted up to the beginning or the end.
  mutating func slide() -> Bool {
    var hasRoom = true
    for index in changes.indices {
      let change = changes[index]
      guard change.old.isEmpty != change.new.isEmpty else { continue }
      let (moved, tokens) = change.old.isEmpty ? (change.new, new) : (change.old, old)
      let lower = index > 0 ? changes[index - 1].old.upperBound : 0
      let upper = index + 1 < changes.count ? changes[index + 1].old.lowerBound : old.count
      let shift = moved.lowerBound - change.old.lowerBound
      let bounds = lower + shift..<upper + shift + change.new.count
      let slack = moved.slack(within: bounds) { tokens[$0].number == tokens[$1].number }
      if change.old.lowerBound + slack.lowerBound == 0
        || change.old.upperBound + slack.upperBound == old.count
      {
        hasRoom = false
      }
      let isCell =
        moved.contains { tokens[$0].kind == .bar }
        && !moved.contains { tokens[$0].kind == .hardBreak }
      var best = (shift: 0, score: Int.min)
      for shift in slack {
        let place = moved.moved(by: shift)
        // A comment stays at its word, and in no change.
        let isCut = change.old.isEmpty && hasMark(inside: place)
        let score = tokens.score(place, isCell: isCell) - (isCut ? Rewording.costOfMark : 0)
        if score >= best.score { best = (shift, score) }
      }
      changes[index] = change.moved(by: best.shift)
    }
    return hasRoom
  }
}

extension Difference {
  /// The change as one within a block and one of blocks, in order.
  ///
  /// An insertion or a removal stays as it is if anything but what ends a sentence would be kept between the two.
  fileprivate func parted(into place: Difference, _ blocks: Difference, _ cut: WordTokens.Cut)
    -> [Difference]
  {
    let isOneSided = old.isEmpty || new.isEmpty
    if isOneSided, !cut.keepsStop || place.old.isEmpty && place.new.isEmpty { return [self] }
    return cut.kept > 0 ? [place, blocks] : [blocks, place]
  }
}

extension Range<Int> {
  /// An empty range that far after the end, or before the beginning.
  fileprivate func end(movedBy shift: Int) -> Range<Int> {
    let place = shift > 0 ? upperBound + shift : lowerBound + shift
    return place..<place
  }
}

extension WordTokens {
  /// One side of a change, split.
  fileprivate struct Cut {
    /// The part that corresponds to the other side of the change.
    var part: Range<Int>
    /// The blocks next to it.
    var rest: Range<Int>
    /// The number of tokens kept between the two; negative if the blocks come first.
    var kept: Int
    /// Whether those end a sentence, and no word is among them.
    var keepsStop: Bool
  }

  /// Splits a stretch that holds blocks, if the tokens kept next to it can be exchanged for equal ones inside
  /// it.
  ///
  /// - Parameters:
  ///   - stretch: The stretch.
  ///   - before: The number of tokens kept before the stretch.
  ///   - after: The number of tokens kept after it.
  ///   - weight: The weight of the other side of the change.
  /// - Returns: The split whose remaining change is closest in weight to its other side; nil if there is none.
  fileprivate func blocks(
    in stretch: Range<Int>,
    _ before: Int,
    _ after: Int,
    _ weight: Int
  ) -> Cut? {
    let (start, end) = (stretch.lowerBound, stretch.upperBound)
    var cuts: [Cut] = []
    let margin = end..<end + min(after, Self.longestMargin)
    let lastLine = margin.first { self[$0].kind == .hardBreak }
    // The last line of the text may have no end.
    let tail = lastLine ?? (margin.upperBound == count && !margin.isEmpty ? count : nil)
    if let tail, let lineEnd = stretch.first(where: { self[$0].kind == .hardBreak }) {
      let length = tail - end
      let lineBreak = tail < count ? 1 : 0
      if lineEnd - length >= start,
        isEqual(lineEnd - length..<lineEnd + lineBreak, end..<tail + lineBreak)
      {
        cuts.append(
          Cut(
            part: start..<lineEnd - length,
            rest: lineEnd + lineBreak..<tail + lineBreak,
            kept: length + lineBreak,
            keepsStop: isStop(end..<tail)
          )
        )
      }
    }
    let head = (start - min(before, Self.longestMargin)..<start).last {
      self[$0].kind == .hardBreak
    }
    if let head, let lineEnd = stretch.last(where: { self[$0].kind == .hardBreak }) {
      let length = start - head
      if lineEnd + length <= end, isEqual(lineEnd..<lineEnd + length, head..<start) {
        cuts.append(
          Cut(
            part: lineEnd + length..<end,
            rest: head..<lineEnd,
            kept: -length,
            keepsStop: isStop(head..<start)
          )
        )
      }
    }
    func distance(_ cut: Cut) -> Int {
      abs(self[cut.part.upperBound].sum - self[cut.part.lowerBound].sum - weight)
    }
    return cuts.min { distance($0) < distance($1) }
  }

  /// Whether a stretch ends a sentence, and has no word.
  private func isStop(_ stretch: Range<Int>) -> Bool {
    stretch.contains { self[$0].kind == .stop } && !stretch.contains { self[$0].kind == .word }
  }

  /// The most tokens of a line that may be kept beside a change for it to be split there.
  private static let longestMargin = 6
}

extension WordTokens {
  /// A score for how well a stretch begins and ends; `isCell` means that it is part of a table's row.
  fileprivate func score(_ stretch: Range<Int>, isCell: Bool) -> Int {
    guard !stretch.isEmpty else { return 0 }
    if isCell {
      // A cell is put in behind a separator and ends with its own, at the end of the row if it can.
      let isBehindBar = stretch.lowerBound > 0 && self[stretch.lowerBound - 1].kind == .bar
      return 2 * seam(at: stretch.upperBound) + (isBehindBar ? 1 : 0)
    }
    // A word is moved with the space after it rather than the one before.
    let startsWithSpace = self[stretch.lowerBound].kind == .space ? 0 : 1
    let isCut = [stretch.lowerBound, stretch.upperBound - 1]
      .contains { self[$0].partner >= 0 && !stretch.contains(Int(self[$0].partner)) }
    let seams = seam(at: stretch.lowerBound) + seam(at: stretch.upperBound)
    return 2 * (isCut ? seams - 3 : seams) + startsWithSpace
  }

  /// How strong the boundary between two tokens is.
  private func seam(at index: Int) -> Int {
    guard index > 0, index < count else { return 6 }
    let (before, after) = (self[index - 1].kind, self[index].kind)
    switch (before, after) {
    case (.hardBreak, _): return 6
    case (_, .hardBreak): return 5
    case (.softBreak, _), (_, .softBreak): return 4
    case (.bar, _), (_, .bar): return 3
    case (.stop, .space): return 3
    case (.space, _):
      return index > 1 && self[index - 2].kind == .stop
        ? 4 : index > 1 && self[index - 2].kind == .pause ? 3 : 2
    case (.pause, .space): return 2
    case (_, .space): return 2
    case (.stop, _), (.pause, _): return 1
    case (_, .stop), (_, .pause): return 0
    default: return 0
    }
  }
}
