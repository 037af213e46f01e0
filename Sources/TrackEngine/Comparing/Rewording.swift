/// The changes of a stretch, in tokens, rearranged to read as if an editor had made them.
struct Rewording {
  /// The cost of a change, in the same units as the worth of kept tokens.
  static let changeCost: Int32 = 9

  private let old: WordTokens
  private let new: WordTokens
  private let oldNumbers: [Int32]
  private let newNumbers: [Int32]
  /// The total worth of the old tokens before each, and the same for the new ones.
  private let oldSums: [Int]
  private let newSums: [Int]
  /// Stretches of tokens, in order and disjoint.
  private(set) var changes: [Difference]

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
    // A token exchanged for another of its class is a change too.
    let same = kept.filter { oldNumbers[$0] == newNumbers[$1] }
    changes = differences(between: same, old.count, new.count)
  }

  /// Joins changes if keeping the text between them is not worthwhile.
  ///
  /// Between long changes more has to be kept than between short ones: a word here and there of a rewritten
  /// sentence does not help the reader. Breaks between blocks and between cells are kept.
  mutating func join() {
    var isDone = false
    while !isDone {
      isDone = true
      var joined: [Difference] = []
      joined.reserveCapacity(changes.count)
      for change in changes {
        if let last = joinable(joined, change) {
          let first = joined[last]
          joined.removeSubrange(last...)
          joined.append(
            Difference(first.old.joined(with: change.old), first.new.joined(with: change.new))
          )
          isDone = false
        } else {
          joined.append(change)
        }
      }
      changes = joined
    }
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
    return !kept.contains { old.kinds[$0] == .hardBreak || old.kinds[$0] == .bar }
  }

  /// Separates a change within a block from adjacent blocks that were inserted or removed.
  ///
  /// Between `full.` and `empty.⏎⏎Nobody knew.`, the first full stop is kept.
  mutating func part() {
    for index in changes.indices.reversed() {
      let change = changes[index]
      guard !change.old.isEmpty, !change.new.isEmpty else { continue }
      let oldBreaks = change.old.contains { old.kinds[$0] == .hardBreak }
      let newBreaks = change.new.contains { new.kinds[$0] == .hardBreak }
      guard oldBreaks != newBreaks else { continue }
      let before = change.old.lowerBound - (index > 0 ? changes[index - 1].old.upperBound : 0)
      let next = index + 1 < changes.count ? changes[index + 1].old.lowerBound : old.count
      let after = next - change.old.upperBound
      if oldBreaks {
        let weight = weight(ofNew: change.new)
        guard let cut = old.blocks(in: change.old, oldNumbers, before, after, weight) else {
          continue
        }
        let place = Difference(cut.part, change.new)
        let rest = Difference(cut.rest, change.new.end(movedBy: cut.kept))
        changes.replaceSubrange(index...index, with: cut.kept > 0 ? [place, rest] : [rest, place])
      } else {
        let weight = weight(ofOld: change.old)
        guard let cut = new.blocks(in: change.new, newNumbers, before, after, weight) else {
          continue
        }
        let place = Difference(change.old, cut.part)
        let rest = Difference(change.old.end(movedBy: cut.kept), cut.rest)
        changes.replaceSubrange(index...index, with: cut.kept > 0 ? [place, rest] : [rest, place])
      }
    }
  }

  /// Whether a change replaces a space by a line break, or similar.
  private func isSwap(_ change: Difference) -> Bool {
    change.old.count == 1 && change.new.count == 1 && old.kinds[change.old.lowerBound].isGap
      && new.kinds[change.new.lowerBound].isGap
  }

  /// Whether a change inserts or removes a break between blocks.
  private func isAcrossBlocks(_ change: Difference) -> Bool {
    change.old.contains { old.kinds[$0] == .hardBreak }
      || change.new.contains { new.kinds[$0] == .hardBreak }
  }

  /// Whether two changes add the same signs, such as `**`, on both sides of a few words, or remove them.
  private func isPair(_ first: Difference, _ second: Difference) -> Bool {
    if first.old.isEmpty, second.old.isEmpty {
      return first.new.count == 1 && second.new.count == 1
        && newNumbers[first.new.lowerBound] == newNumbers[second.new.lowerBound]
        && new.kinds[first.new.lowerBound] == .sign
    }
    return first.new.isEmpty && second.new.isEmpty && first.old.count == 1 && second.old.count == 1
      && oldNumbers[first.old.lowerBound] == oldNumbers[second.old.lowerBound]
      && old.kinds[first.old.lowerBound] == .sign
  }

  /// Whether a mark is in a stretch of the new text, or at its ends.
  private func hasMark(_ tokens: ClosedRange<Int>) -> Bool {
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
    var best = (shift: 0, score: tokens.score(moved))
    func tryShift(_ shift: Int) {
      let score = tokens.score(moved.moved(by: shift))
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
  /// A score for how well a stretch begins and ends.
  fileprivate func score(_ stretch: Range<Int>) -> Int {
    guard !stretch.isEmpty else { return 0 }
    // A word is moved with the space after it rather than the one before.
    let startsWithSpace = kinds[stretch.lowerBound] == .space ? 0 : 1
    return 2 * (seam(at: stretch.lowerBound) + seam(at: stretch.upperBound)) + startsWithSpace
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

extension [Int32] {
  /// The sums of the numbers before each, and of all numbers.
  fileprivate var sums: [Int] {
    var sums = [0]
    sums.reserveCapacity(count + 1)
    var sum = 0
    for number in self {
      sum += Int(number)
      sums.append(sum)
    }
    return sums
  }
}
