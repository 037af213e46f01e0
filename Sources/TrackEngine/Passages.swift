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

  private struct Block {
    var passages: [Passage]
    var length = 0
    var summary = Passage.Summary()

    static let longest = 128

    init(_ passages: [Passage]) {
      self.passages = passages
      for passage in passages {
        length += passage.length
        summary.append(passage.summary)
      }
    }
  }

  private var blocks: [Block] = []
  /// Where the last edit was: the next one is most often there too.
  private var hint: Place?
  /// What is known of all of them.
  private(set) var summary = Passage.Summary()

  init(_ passages: [Passage]) {
    blocks = Passages.blocks(of: passages)
    sumUp()
  }

  /// How long all of them are together.
  private var length = 0

  /// Behind the last passage.
  var end: Place { Place(block: blocks.count, index: 0, start: length) }

  subscript(place: Place) -> Passage { blocks[place.block].passages[place.index] }

  /// The passage that holds an offset; the last one for the end of the text.
  func place(of offset: Int) -> Place {
    if let hint, hint.start <= offset, offset - hint.start < self[hint].length { return hint }
    var start = 0
    var block = 0
    while block + 1 < blocks.count, start + blocks[block].length <= offset {
      start += blocks[block].length
      block += 1
    }
    guard block < blocks.count else { return end }
    var index = 0
    let passages = blocks[block].passages
    while index + 1 < passages.count, start + passages[index].length <= offset {
      start += passages[index].length
      index += 1
    }
    return Place(block: block, index: index, start: start)
  }

  func place(after place: Place) -> Place {
    let passages = blocks[place.block].passages
    let start = place.start + passages[place.index].length
    return place.index + 1 < passages.count
      ? Place(block: place.block, index: place.index + 1, start: start)
      : Place(block: place.block + 1, index: 0, start: start)
  }

  func place(before place: Place) -> Place? {
    var (block, index) = (place.block, place.index)
    if index == 0 {
      guard block > 0 else { return nil }
      block -= 1
      index = blocks[block].passages.count
    }
    index -= 1
    let start = place.start - blocks[block].passages[index].length
    return Place(block: block, index: index, start: start)
  }

  /// What the passages before a place can do.
  func effect(before place: Place) -> Passage.Effect {
    var effect = Passage.Effect()
    for block in blocks[..<place.block] { effect.append(block.summary.effect) }
    guard place.block < blocks.count else { return effect }
    for passage in blocks[place.block].passages[..<place.index] {
      effect.append(passage.summary.effect)
    }
    return effect
  }

  /// What the passages from a place on can do.
  func effect(from place: Place) -> Passage.Effect {
    var effect = Passage.Effect()
    guard place.block < blocks.count else { return effect }
    for passage in blocks[place.block].passages[place.index...] {
      effect.append(passage.summary.effect)
    }
    for block in blocks[(place.block + 1)...] { effect.append(block.summary.effect) }
    return effect
  }

  /// The first passage that fulfils a condition, which must hold for the sum of several if it holds
  /// for one.
  func first(where condition: (Passage.Effect) -> Bool) -> Place? {
    var start = 0
    for (block, passages) in blocks.enumerated() {
      if condition(passages.summary.effect) {
        for (index, passage) in passages.passages.enumerated() {
          if condition(passage.summary.effect) {
            return Place(block: block, index: index, start: start)
          }
          start += passage.length
        }
      } else {
        start += passages.length
      }
    }
    return nil
  }

  /// The last one; see ``first(where:)``.
  func last(where condition: (Passage.Effect) -> Bool) -> Place? {
    var start = end.start
    for (block, passages) in blocks.enumerated().reversed() {
      start -= passages.length
      guard condition(passages.summary.effect),
        let index = passages.passages.lastIndex(where: { condition($0.summary.effect) })
      else { continue }
      for passage in passages.passages[..<index] { start += passage.length }
      return Place(block: block, index: index, start: start)
    }
    return nil
  }

  /// Makes a passage longer or shorter, which nothing else changes.
  mutating func grow(_ place: Place, by count: Int) {
    blocks[place.block].passages[place.index].length += count
    blocks[place.block].length += count
    length += count
    hint = place
  }

  /// Puts other passages in the place of those from `first` up to `end`.
  mutating func replace(_ first: Place, _ end: Place, with passages: [Passage]) {
    hint = nil
    if first.block == end.block, passages.count == 1, end.index == first.index + 1 {
      // By far the most edits change one passage.
      let known = blocks[first.block].passages[first.index]
      blocks[first.block].length += passages[0].length - known.length
      length += passages[0].length - known.length
      blocks[first.block].passages[first.index] = passages[0]
      guard known.summary != passages[0].summary else { return }
      blocks[first.block] = Block(blocks[first.block].passages)
      return sumUp()
    }
    var new = passages
    if first.block < blocks.count {
      new = Array(blocks[first.block].passages[..<first.index]) + new
    }
    var last = end.block
    if end.index > 0 {
      new += blocks[end.block].passages[end.index...]
      last += 1
    }
    // A block that has become short goes on in its neighbour.
    if new.count < Block.longest / 8, last < blocks.count {
      new += blocks[last].passages
      last += 1
    }
    blocks.replaceSubrange(first.block..<max(first.block, last), with: Passages.blocks(of: new))
    sumUp()
  }

  private mutating func sumUp() {
    summary = Passage.Summary()
    length = 0
    for block in blocks {
      summary.append(block.summary)
      length += block.length
    }
  }

  private static func blocks(of passages: [Passage]) -> [Block] {
    let parts = (passages.count + Block.longest - 1) / Block.longest
    return (0..<parts).map { part in
      let range = passages.count * part / parts..<passages.count * (part + 1) / parts
      return Block(Array(passages[range]))
    }
  }
}

extension Passages {
  /// What is wrong with the invariants; nil if they hold.
  func checkInvariants(of text: Text) -> String? {
    let all = blocks.flatMap(\.passages)
    if all.reduce(0, { $0 + $1.length }) != text.count || length != text.count {
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
    for block in blocks {
      if block.passages.isEmpty { return "an empty block" }
      let made = Block(block.passages)
      if made.length != block.length || made.summary != block.summary { return "a block's summary" }
    }
    return nil
  }
}
