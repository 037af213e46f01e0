/// A stretch of a text, with what it is replaced by, that can be widened.
protocol Widening {
  /// The stretch.
  var old: Range<Int> { get }
  /// The one that covers this one, another one and what lies between.
  func joined(with other: Self) -> Self
  /// The one with so much more text before it and after it, which no other one holds.
  func widened(by before: Int, _ after: Int) -> Self
}

extension Array where Element: Widening {
  /// Widens each as far as it must reach, until it reaches no further; those that meet are joined.
  ///
  /// Linear, except for what it costs to say how far one reaches.
  ///
  /// - Parameters:
  ///   - isMeant: Whether one is widened; others are only joined to those.
  ///   - reaches: How far one must reach, for several reasons.
  /// - Returns: In order and disjoint, each with the indices of those that it covers.
  func widened(
    where isMeant: (Element) -> Bool = { _ in true },
    over reaches: (Element) -> [(before: Int, after: Int)]
  ) -> [(whole: Element, parts: Range<Int>)] {
    var widened: [(whole: Element, parts: Range<Int>)] = []
    var next = 0
    while next < count {
      var (whole, first) = (self[next], next)
      next += 1
      var isWidening = isMeant(whole)
      while isWidening {
        let reaches = reaches(whole)
        let before = reaches.reduce(0) { Swift.max($0, $1.before) }
        let after = reaches.reduce(0) { Swift.max($0, $1.after) }
        // Beyond a neighbour the texts differ.
        if let last = widened.last, before > whole.old.lowerBound - last.whole.old.upperBound {
          (whole, first) = (last.whole.joined(with: whole), last.parts.lowerBound)
          widened.removeLast()
        } else if next < count, after > self[next].old.lowerBound - whole.old.upperBound {
          whole = whole.joined(with: self[next])
          next += 1
        } else {
          whole = whole.widened(by: before, after)
          isWidening = before > 0 || after > 0
        }
      }
      widened.append((whole, first..<next))
    }
    return widened
  }
}
