/// The passages of a text, in order, found by offset.
///
/// Invariants, checked by ``checkInvariants(of:)``: passages are those that cutting the text from
/// scratch could make; no opener that a passage leaves open is reached by what later ones hold.
struct Passages {
  /// Where a passage is, and where in the text it begins.
  struct Place: Equatable {
    var block: Int
    var index: Int
    var start: Int
  }

  /// What is known of several passages.
  struct Sum: Equatable, Summable {
    var length = 0
    var summary = Passage.Summary()

    mutating func append(_ next: Sum) {
      length += next.length
      summary.append(next.summary)
    }
  }

  private var blocks: [[Passage]] = []
  /// What is known of the blocks.
  private var sums = SumTree<Sum>()
  /// Where the last edit was: the next one is most often there too.
  private var hint: Place?

  init(_ passages: [Passage]) {
    blocks = Passages.blocks(of: passages)
    sums = SumTree(blocks.map(\.sum))
  }

  /// How many passages are in a block at most.
  private static let longestBlock = 64

  /// What is known of all of them.
  var summary: Passage.Summary { sums.total.summary }

  /// Behind the last passage.
  var end: Place { Place(block: blocks.count, index: 0, start: sums.total.length) }

  subscript(place: Place) -> Passage { blocks[place.block][place.index] }

  /// The passage that holds an offset; the last one for the end of the text.
  func place(of offset: Int) -> Place {
    if let hint, hint.start <= offset, offset - hint.start < self[hint].length { return hint }
    guard let (block, before) = sums.first(where: { $0.length > offset }) else {
      return last ?? end
    }
    var start = before.length
    var index = 0
    while start + blocks[block][index].length <= offset {
      start += blocks[block][index].length
      index += 1
    }
    return Place(block: block, index: index, start: start)
  }

  private var last: Place? { blocks.isEmpty ? nil : place(before: end) }

  func place(after place: Place) -> Place {
    let start = place.start + self[place].length
    return place.index + 1 < blocks[place.block].count
      ? Place(block: place.block, index: place.index + 1, start: start)
      : Place(block: place.block + 1, index: 0, start: start)
  }

  func place(before place: Place) -> Place? {
    var (block, index) = (place.block, place.index)
    if index == 0 {
      guard block > 0 else { return nil }
      block -= 1
      index = blocks[block].count
    }
    index -= 1
    return Place(block: block, index: index, start: place.start - blocks[block][index].length)
  }

  /// What the passages before a place can do.
  func effect(before place: Place) -> Passage.Effect {
    var effect = sums.sum(before: place.block).summary.effect
    guard place.block < blocks.count else { return effect }
    for passage in blocks[place.block][..<place.index] { effect.append(passage.summary.effect) }
    return effect
  }

  /// What the passages from a place on can do.
  func effect(from place: Place) -> Passage.Effect {
    var effect = Passage.Effect()
    guard place.block < blocks.count else { return effect }
    for passage in blocks[place.block][place.index...] { effect.append(passage.summary.effect) }
    effect.append(sums.sum(behind: place.block).summary.effect)
    return effect
  }

  /// The first passage that fulfils a condition, which must hold for the sum of several if it holds
  /// for one, and only then.
  func first(where condition: (Passage.Effect) -> Bool) -> Place? {
    guard let (block, before) = sums.first(where: { condition($0.summary.effect) }) else {
      return nil
    }
    var start = before.length
    for (index, passage) in blocks[block].enumerated() {
      if condition(passage.summary.effect) {
        return Place(block: block, index: index, start: start)
      }
      start += passage.length
    }
    return nil
  }

  /// The last one; see ``first(where:)``.
  func last(where condition: (Passage.Effect) -> Bool) -> Place? {
    guard let block = sums.last(where: { condition($0.summary.effect) }),
      let index = blocks[block].lastIndex(where: { condition($0.summary.effect) })
    else { return nil }
    var start = sums.sum(before: block).length
    for passage in blocks[block][..<index] { start += passage.length }
    return Place(block: block, index: index, start: start)
  }

  /// Makes a passage longer or shorter, which nothing else changes.
  mutating func grow(_ place: Place, by count: Int) {
    blocks[place.block][place.index].length += count
    sums[place.block].length += count
    hint = place
  }

  /// Puts other passages in the place of those from `first` up to `end`.
  mutating func replace(_ first: Place, _ end: Place, with passages: [Passage]) {
    hint = nil
    if first.block == end.block, passages.count == 1, end.index == first.index + 1 {
      // By far the most edits change one passage.
      blocks[first.block][first.index] = passages[0]
      sums[first.block] = blocks[first.block].sum
      return
    }
    var new = passages
    if first.block < blocks.count { new = blocks[first.block][..<first.index] + new }
    var last = end.block
    if end.index > 0 {
      new += blocks[end.block][end.index...]
      last += 1
    }
    // A block that has become short goes on in its neighbour.
    if new.count < Passages.longestBlock / 8, last < blocks.count {
      new += blocks[last]
      last += 1
    }
    let made = Passages.blocks(of: new)
    let range = first.block..<max(first.block, last)
    blocks.replaceSubrange(range, with: made)
    sums.replace(range, with: made.map(\.sum))
  }

  private static func blocks(of passages: [Passage]) -> [[Passage]] {
    let parts = (passages.count + longestBlock - 1) / longestBlock
    return (0..<parts).map { part in
      Array(passages[passages.count * part / parts..<passages.count * (part + 1) / parts])
    }
  }
}

extension [Passage] {
  /// What is known of all of them.
  fileprivate var sum: Passages.Sum {
    var sum = Passages.Sum()
    for passage in self {
      sum.append(Passages.Sum(length: passage.length, summary: passage.summary))
    }
    return sum
  }
}

extension Passages {
  /// What is wrong with the invariants; nil if they hold.
  func checkInvariants(of text: Text) -> String? {
    let all = blocks.flatMap(\.self)
    if all.reduce(0, { $0 + $1.length }) != text.count || sums.total.length != text.count {
      return "the passages' lengths"
    }
    var before = Passage.Effect()
    var counts = Counts()
    var start = 0
    for (index, passage) in all.enumerated() {
      if passage.length <= 0 { return "an empty passage" }
      var later = Passage.Effect()
      for next in all[index...] { later.append(next.summary.effect) }
      if !before.reaches(into: later).isEmpty { return "an opener's reach" }
      let bytes = Array(text[start..<start + passage.length])
      let alone = bytes.withUnsafeBufferPointer { Cutting($0, in: passage.fence).summary }
      if !alone.effect.isCovered(by: passage.summary.effect)
        || alone.counts != passage.summary.counts
      {
        return "the summary of the passage at \(start)"
      }
      before.append(passage.summary.effect)
      counts.append(passage.summary.counts)
      start += passage.length
    }
    if before != summary.effect || counts != summary.counts { return "the summary" }
    if sums.count != blocks.count { return "the number of blocks" }
    for (index, block) in blocks.enumerated() {
      if block.isEmpty { return "an empty block" }
      if block.sum != sums[index] { return "a block's summary" }
    }
    return sums.checkInvariants() ? nil : "the summaries"
  }
}
