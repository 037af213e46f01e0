/// An element of a ``Rope``: something with a summary, such as a length.
protocol Summed: Equatable, Sendable {
  /// The summary of several elements.
  associatedtype Sum: Summable
  /// The summary of this element.
  var sum: Sum { get }
}

/// Elements in order, found by the sum of their summaries.
///
/// A value. Finding and changing an element is logarithmic; replacing elements by a different number of them is
/// linear in the number of blocks.
///
/// Invariant, checked by ``checkInvariants()``: no block is empty or too long, and the sums are those of the blocks.
struct Rope<Element: Summed>: Sendable {
  /// Where an element is.
  struct Index: Comparable, Sendable {
    var block: Int
    /// In the block.
    var offset: Int

    static func < (left: Index, right: Index) -> Bool {
      (left.block, left.offset) < (right.block, right.offset)
    }
  }

  private(set) var blocks: [[Element]] = []
  /// The sums of the blocks.
  private(set) var sums = SumTree<Element.Sum>()

  /// The maximum number of elements in a block.
  private static var maxBlockLength: Int { 64 }

  init(_ elements: [Element] = []) {
    replaceSubrange(startIndex..<endIndex, with: elements)
  }

  /// The sum of all elements.
  var sum: Element.Sum { sums.total }

  /// The sum of the elements before an index.
  func sum(before index: Index) -> Element.Sum {
    var sum = sums.sum(before: index.block)
    guard index.offset > 0 else { return sum }
    for element in blocks[index.block][..<index.offset] { sum.append(element.sum) }
    return sum
  }

  /// The sum of the elements from an index on.
  func sum(from index: Index) -> Element.Sum {
    guard index.block < blocks.count else { return Element.Sum() }
    var sum = blocks[index.block][index.offset...].sum
    sum.append(sums.sum(after: index.block))
    return sum
  }

  /// The sums of the elements before and after an element in its block.
  func sumsInBlock(around index: Index) -> (before: Element.Sum, after: Element.Sum) {
    let block = blocks[index.block]
    return (block[..<index.offset].sum, block[(index.offset + 1)...].sum)
  }

  /// Finds the first element up to which the sum from the beginning meets a condition.
  ///
  /// - Parameter condition: A condition that stays true as the sum grows.
  /// - Returns: The element and the sum before it; nil if the sum of all elements does not meet it.
  func first(where condition: (Element.Sum) -> Bool) -> (index: Index, before: Element.Sum)? {
    guard let (block, before) = sums.first(where: condition) else { return nil }
    return first(from: Index(block: block, offset: 0), before: before, where: condition)
  }

  /// The same from an index on, in its block alone.
  func first(
    from start: Index,
    before: Element.Sum,
    where condition: (Element.Sum) -> Bool
  ) -> (index: Index, before: Element.Sum)? {
    var before = before
    for offset in start.offset..<blocks[start.block].count {
      var through = before
      through.count(blocks[start.block][offset].sum)
      if condition(through) { return (Index(block: start.block, offset: offset), before) }
      before = through
    }
    return nil
  }

  /// The last element from which the sum to the end meets a condition; see ``first(where:)``.
  func last(where condition: (Element.Sum) -> Bool) -> Index? {
    guard let (block, after) = sums.last(where: condition) else { return nil }
    var sum = after
    for offset in blocks[block].indices.reversed() {
      var from = blocks[block][offset].sum
      from.append(sum)
      if condition(from) { return Index(block: block, offset: offset) }
      sum = from
    }
    return nil
  }

  /// Changes an element in its place.
  ///
  /// - Parameters:
  ///   - index: Where it is.
  ///   - change: Changes it, and returns the new sum of its block, if known.
  mutating func update(_ index: Index, _ change: (inout Element) -> Element.Sum?) {
    let sum = change(&blocks[index.block][index.offset])
    sums[index.block] = sum ?? blocks[index.block][...].sum
  }
}

extension Rope: BidirectionalCollection {
  var startIndex: Index { Index(block: 0, offset: 0) }
  var endIndex: Index { Index(block: blocks.count, offset: 0) }

  subscript(index: Index) -> Element { blocks[index.block][index.offset] }

  func index(after index: Index) -> Index {
    index.offset + 1 < blocks[index.block].count
      ? Index(block: index.block, offset: index.offset + 1)
      : Index(block: index.block + 1, offset: 0)
  }

  func index(before index: Index) -> Index {
    index.offset > 0
      ? Index(block: index.block, offset: index.offset - 1)
      : Index(block: index.block - 1, offset: blocks[index.block - 1].count - 1)
  }

  /// Replaces a range of elements.
  mutating func replaceSubrange(_ range: Range<Index>, with elements: [Element]) {
    let (first, end) = (range.lowerBound, range.upperBound)
    if first.block == end.block, elements.count == 1, end.offset == first.offset + 1 {
      // Most edits change a single element.
      return update(first) {
        $0 = elements[0]
        return nil
      }
    }
    var new = elements
    if first.block < blocks.count { new = blocks[first.block][..<first.offset] + new }
    var last = end.block
    if end.offset > 0 {
      new += blocks[end.block][end.offset...]
      last += 1
    }
    // A block that has become short is joined with its neighbour.
    if new.count < Rope.maxBlockLength / 8, last < blocks.count {
      new += blocks[last]
      last += 1
    }
    let made = Rope.blocks(of: new)
    let changed = first.block..<Swift.max(first.block, last)
    blocks.replaceSubrange(changed, with: made)
    sums.replace(changed, with: made.map { $0[...].sum })
  }

  private static func blocks(of elements: [Element]) -> [[Element]] {
    let parts = (elements.count + maxBlockLength - 1) / maxBlockLength
    return (0..<parts).map { part in
      Array(elements[elements.count * part / parts..<elements.count * (part + 1) / parts])
    }
  }
}

extension Rope where Element.Sum: Equatable {
  /// What is wrong with the invariant; nil if it holds.
  func checkInvariants() -> String? {
    if sums.count != blocks.count { return "the number of blocks" }
    for (index, block) in blocks.enumerated() {
      if block.isEmpty || block.count > Rope.maxBlockLength { return "a block's length" }
      if block[...].sum != sums[index] { return "a block's sum" }
    }
    return sums.checkInvariants() ? nil : "the sums"
  }
}

extension ArraySlice where Element: Summed {
  /// Their sum.
  var sum: Element.Sum {
    var sum = Element.Sum()
    for index in indices { sum.append(self[index].sum) }
    return sum
  }
}
