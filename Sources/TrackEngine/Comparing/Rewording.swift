/// The changes of a stretch, in tokens, rearranged to read as if an editor had made them.
struct Rewording {
  /// The cost of a change, in the same units as the worth of kept tokens.
  static let changeCost: Int32 = 9

  let old: WordTokens
  let new: WordTokens
  let oldNumbers: [Int32]
  let newNumbers: [Int32]
  /// The total worth of the old tokens before each, and the same for the new ones.
  private let oldSums: [Int]
  private let newSums: [Int]
  /// The number of breaks between blocks before each old token, and the same for the new ones.
  private let oldBreaks: [Int]
  private let newBreaks: [Int]
  /// The new token that each old one was kept or exchanged for; -1 if there is none.
  let newOfOld: [Int32]
  /// Stretches of tokens, in order and disjoint.
  var changes: [Difference]

  /// Creates the changes between the kept pairs of tokens.
  init(
    _ old: WordTokens,
    _ oldNumbers: [Int32],
    _ new: WordTokens,
    _ newNumbers: [Int32],
    _ kept: [(old: Int, new: Int)]
  ) {
    self.old = old
    self.new = new
    self.oldNumbers = oldNumbers
    self.newNumbers = newNumbers
    oldSums = old.worths.sums
    newSums = new.worths.sums
    oldBreaks = old.kinds.map { $0 == .hardBreak ? 1 : 0 }.sums
    newBreaks = new.kinds.map { $0 == .hardBreak ? 1 : 0 }.sums
    let newOfOld = Rewording.partners(old, new, kept)
    self.newOfOld = newOfOld
    // A token exchanged for another of its class is a change too.
    let same = kept.filter { newOfOld[$0] >= 0 && oldNumbers[$0] == newNumbers[$1] }
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
    return !kept.contains { old.kinds[$0].isBorder }
  }

  /// Separates a change within a block from adjacent blocks that were inserted or removed.
  ///
  /// Between `full.` and `empty.⏎⏎Nobody knew.`, the first full stop is kept.
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
    guard !change.old.isEmpty, !change.new.isEmpty else { return [change] }
    let hadBreaks = oldBreaks[change.old.lowerBound] < oldBreaks[change.old.upperBound]
    let hasBreaks = newBreaks[change.new.lowerBound] < newBreaks[change.new.upperBound]
    guard hadBreaks != hasBreaks else { return [change] }
    if hadBreaks {
      let weight = weight(ofNew: change.new)
      guard let cut = old.blocks(in: change.old, oldNumbers, before, after, weight) else {
        return [change]
      }
      let place = Difference(cut.part, change.new)
      let rest = Difference(cut.rest, change.new.end(movedBy: cut.kept))
      return cut.kept > 0 ? [place, rest] : [rest, place]
    }
    let weight = weight(ofOld: change.old)
    guard let cut = new.blocks(in: change.new, newNumbers, before, after, weight) else {
      return [change]
    }
    let place = Difference(change.old, cut.part)
    let rest = Difference(change.old.end(movedBy: cut.kept), cut.rest)
    return cut.kept > 0 ? [place, rest] : [rest, place]
  }

  /// Whether a change replaces a space by a line break, or a list marker or an address by another one.
  private func isSwap(_ change: Difference) -> Bool {
    guard change.old.count == 1, change.new.count == 1 else { return false }
    switch (old.kinds[change.old.lowerBound], new.kinds[change.new.lowerBound]) {
    case (.marker, .marker), (.address, .address): return true
    case (let oldKind, let newKind): return oldKind.isGap && newKind.isGap
    }
  }

  /// Whether a change inserts or removes a break between blocks.
  private func isAcrossBlocks(_ change: Difference) -> Bool {
    oldBreaks[change.old.lowerBound] < oldBreaks[change.old.upperBound]
      || newBreaks[change.new.lowerBound] < newBreaks[change.new.upperBound]
  }

  /// Whether two changes make a few words a link, or add the same signs, such as `**`, on both sides of them; or
  /// the reverse, or replace such signs.
  private func isPair(_ first: Difference, _ second: Difference) -> Bool {
    if first.old.count == 1, first.new.count == 1, second.old.count == 1, second.new.count == 1 {
      return Int(old.partners[first.old.lowerBound]) == second.old.lowerBound
        && Int(new.partners[first.new.lowerBound]) == second.new.lowerBound
    }
    if first.old.isEmpty, second.old.isEmpty {
      return isPair(first.new, second.new, of: new, newNumbers)
    }
    return first.new.isEmpty && second.new.isEmpty
      && isPair(first.old, second.old, of: old, oldNumbers)
  }

  private func isPair(
    _ first: Range<Int>,
    _ second: Range<Int>,
    of tokens: WordTokens,
    _ numbers: [Int32]
  ) -> Bool {
    guard first.count == 1, tokens.kinds[first.lowerBound] == .sign else { return false }
    if Int(tokens.partners[first.lowerBound]) == second.lowerBound { return true }
    return second.count == 1 && numbers[first.lowerBound] == numbers[second.lowerBound]
  }

  /// Whether a mark is in a stretch of the new text, or at its ends.
  func hasMark(_ tokens: ClosedRange<Int>) -> Bool {
    let next = new.marked.partitioningIndex { $0 >= tokens.lowerBound }
    return next < new.marked.count && new.marked[next] <= tokens.upperBound
  }

  /// A gap worth more than this is kept between changes of any length.
  private static let longestGap = 48

  private func weight(of change: Difference) -> Int {
    max(weight(ofOld: change.old), weight(ofNew: change.new))
  }

  private func weight(ofOld range: Range<Int>) -> Int {
    oldSums[range.upperBound] - oldSums[range.lowerBound]
  }

  private func weight(ofNew range: Range<Int>) -> Int {
    newSums[range.upperBound] - newSums[range.lowerBound]
  }

  /// Shifts insertions and removals so that they begin and end with a sentence or a word, if that is
  /// equivalent.
  mutating func slide() {
    for index in changes.indices {
      let change = changes[index]
      guard change.old.isEmpty != change.new.isEmpty else { continue }
      let lower = index > 0 ? changes[index - 1].old.upperBound : 0
      let upper = index + 1 < changes.count ? changes[index + 1].old.lowerBound : old.count
      changes[index] =
        change.old.isEmpty
        ? slid(
          change,
          change.new,
          new,
          newNumbers,
          change.old.lowerBound - lower,
          upper - change.old.upperBound
        )
        : slid(
          change,
          change.old,
          old,
          oldNumbers,
          change.old.lowerBound - lower,
          upper - change.old.upperBound
        )
    }
  }

  private func slid(
    _ change: Difference,
    _ moved: Range<Int>,
    _ tokens: WordTokens,
    _ numbers: [Int32],
    _ room: Int,
    _ roomAfter: Int
  ) -> Difference {
    let kinds = tokens.kinds[moved]
    let isCell = kinds.contains(.bar) && !kinds.contains(.hardBreak)
    var best = (shift: 0, score: tokens.score(moved, isCell: isCell))
    func tryShift(_ shift: Int) {
      let score = tokens.score(moved.moved(by: shift), isCell: isCell)
      if score > best.score || score == best.score && shift > best.shift { best = (shift, score) }
    }
    var shift = 0
    while -shift < room,
      numbers[moved.lowerBound + shift - 1] == numbers[moved.upperBound + shift - 1]
    {
      shift -= 1
      tryShift(shift)
    }
    shift = 0
    while shift < roomAfter, numbers[moved.lowerBound + shift] == numbers[moved.upperBound + shift]
    {
      shift += 1
      tryShift(shift)
    }
    return Difference(change.old.moved(by: best.shift), change.new.moved(by: best.shift))
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
  }

  /// Splits a stretch that holds blocks, if the tokens kept next to it can be exchanged for equal ones inside
  /// it.
  ///
  /// - Parameters:
  ///   - stretch: The stretch.
  ///   - numbers: The tokens' numbers.
  ///   - before: The number of tokens kept before the stretch.
  ///   - after: The number of tokens kept after it.
  ///   - weight: The weight of the other side of the change.
  /// - Returns: The split whose remaining change is closest in weight to its other side; nil if there is none.
  fileprivate func blocks(
    in stretch: Range<Int>,
    _ numbers: [Int32],
    _ before: Int,
    _ after: Int,
    _ weight: Int
  ) -> Cut? {
    let (start, end) = (stretch.lowerBound, stretch.upperBound)
    var cuts: [Cut] = []
    let tail = (end..<end + min(after, Self.longestMargin)).first { kinds[$0] == .hardBreak }
    if let tail, let lineEnd = stretch.first(where: { kinds[$0] == .hardBreak }) {
      let length = tail - end
      if lineEnd - length >= start,
        numbers[lineEnd - length...lineEnd] == numbers[end...tail]
      {
        cuts.append(
          Cut(part: start..<lineEnd - length, rest: lineEnd + 1..<tail + 1, kept: length + 1)
        )
      }
    }
    let head = (start - min(before, Self.longestMargin)..<start).last { kinds[$0] == .hardBreak }
    if let head, let lineEnd = stretch.last(where: { kinds[$0] == .hardBreak }) {
      let length = start - head
      if lineEnd + length <= end, numbers[lineEnd..<lineEnd + length] == numbers[head..<start] {
        cuts.append(Cut(part: lineEnd + length..<end, rest: head..<lineEnd, kept: -length))
      }
    }
    func distance(_ cut: Cut) -> Int {
      abs(cut.part.reduce(0) { $0 + Int(worths[$1]) } - weight)
    }
    return cuts.min { distance($0) < distance($1) }
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
      let isBehindBar = stretch.lowerBound > 0 && kinds[stretch.lowerBound - 1] == .bar
      return 2 * seam(at: stretch.upperBound) + (isBehindBar ? 1 : 0)
    }
    // A word is moved with the space after it rather than the one before.
    let startsWithSpace = kinds[stretch.lowerBound] == .space ? 0 : 1
    let isCut = [stretch.lowerBound, stretch.upperBound - 1]
      .contains { partners[$0] >= 0 && !stretch.contains(Int(partners[$0])) }
    let seams = seam(at: stretch.lowerBound) + seam(at: stretch.upperBound)
    return 2 * (isCut ? seams - 3 : seams) + startsWithSpace
  }

  /// How strong the boundary between two tokens is.
  private func seam(at index: Int) -> Int {
    guard index > 0, index < count else { return 6 }
    let (before, after) = (kinds[index - 1], kinds[index])
    switch (before, after) {
    case (.hardBreak, _): return 6
    case (_, .hardBreak): return 5
    case (.softBreak, _), (_, .softBreak): return 4
    case (.bar, _), (_, .bar): return 3
    case (.stop, .space): return 3
    case (.space, _):
      return index > 1 && kinds[index - 2] == .stop
        ? 4 : index > 1 && kinds[index - 2] == .pause ? 3 : 2
    case (.pause, .space): return 2
    case (_, .space): return 2
    case (.stop, _), (.pause, _): return 1
    case (_, .stop), (_, .pause): return 0
    default: return 0
    }
  }
}

extension Sequence where Element: BinaryInteger {
  /// The sums of the numbers before each, and of all numbers.
  fileprivate var sums: [Int] {
    var sums = [0]
    sums.reserveCapacity(underestimatedCount + 1)
    var sum = 0
    for number in self {
      sum += Int(number)
      sums.append(sum)
    }
    return sums
  }
}
