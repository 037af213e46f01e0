extension Range<Int> {
  /// Whether another range, which may be empty, begins and ends in this one or at its ends.
  public func holds(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }

  /// Whether another range and this one overlap or touch.
  public func touches(_ other: Range<Int>) -> Bool {
    lowerBound <= other.upperBound && other.lowerBound <= upperBound
  }

  /// The range, shifted.
  public func moved(by shift: Int) -> Range<Int> { lowerBound + shift..<upperBound + shift }

  /// The shortest range that holds this one and another.
  public func joined(with other: Range<Int>) -> Range<Int> {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}

extension [Range<Int>] {
  /// Adds a range that begins no earlier than the last one, joined to it if they touch or overlap; ignores empty
  /// ranges.
  mutating func add(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if let last, range.lowerBound <= last.upperBound {
      self[count - 1] = last.joined(with: range)
    } else {
      append(range)
    }
  }

  /// The range that an offset cuts in two, of these, which are in order and disjoint; nil if there is none.
  ///
  /// Logarithmic.
  func range(cutAt offset: Int) -> Range<Int>? {
    let index = partitioningIndex { $0.upperBound > offset }
    return index < count && self[index].lowerBound < offset ? self[index] : nil
  }

  /// How far before and behind a stretch those ranges reach that its ends cut.
  ///
  /// Logarithmic.
  func reach(around stretch: Range<Int>) -> (before: Int, after: Int) {
    let (start, end) = (stretch.lowerBound, stretch.upperBound)
    return (
      range(cutAt: start).map { start - $0.lowerBound } ?? 0,
      range(cutAt: end).map { $0.upperBound - end } ?? 0
    )
  }
}

extension Sequence where Element: Equatable {
  /// Each element once, in the order in which they first come; quadratic in them.
  var unique: [Element] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}

extension RandomAccessCollection where Index == Int {
  /// The index of the first element of the second part, if the list is partitioned; the end if there is none.
  ///
  /// Logarithmic.
  ///
  /// - Parameter belongsInSecond: Whether an element belongs to the second part.
  /// - Returns: The index.
  @inlinable
  public func partitioningIndex(where belongsInSecond: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if belongsInSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The first element whose range overlaps another; the ranges are in order and disjoint, and none is empty.
  ///
  /// Logarithmic.
  ///
  /// - Parameters:
  ///   - range: The other range.
  ///   - place: The range of an element.
  /// - Returns: The element; nil if there is none.
  public func first(
    overlapping range: Range<Int>,
    _ place: (Element) -> Range<Int>
  ) -> Element? {
    let index = partitioningIndex { place($0).upperBound > range.lowerBound }
    return index < endIndex && place(self[index]).overlaps(range) ? self[index] : nil
  }
}
