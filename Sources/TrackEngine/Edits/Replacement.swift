/// The replacement of a range of a text by a number of bytes.
protocol Replacement {
  /// The range, in UTF-8 offsets of the text before all of a list.
  var replaced: Range<Int> { get }
  /// The length of the replacement in bytes.
  var newCount: Int { get }
}

extension Replacement {
  /// How much longer the text becomes.
  var growth: Int { newCount - replaced.count }
}

extension Sequence where Element: Replacement {
  /// How much longer all of them make the text.
  var growth: Int { reduce(0) { $0 + $1.growth } }

  /// The ranges of each in the text before and after.
  var differences: Differences<Iterator> { differences(after: 0) }

  /// The same for the later ones of a list, before which the text has become longer by `shift`.
  func differences(after shift: Int) -> Differences<Iterator> {
    Differences(makeIterator(), after: shift)
  }
}

/// The differences of replacements, computed one by one without allocation.
struct Differences<Replacements: IteratorProtocol>: Sequence, IteratorProtocol
where Replacements.Element: Replacement {
  private var replacements: Replacements
  /// How much longer the text has become so far.
  private var shift: Int

  fileprivate init(_ replacements: Replacements, after shift: Int) {
    self.replacements = replacements
    self.shift = shift
  }

  mutating func next() -> Difference? {
    guard let next = replacements.next() else { return nil }
    let start = next.replaced.lowerBound + shift
    shift += next.growth
    return Difference(next.replaced, start..<start + next.newCount)
  }
}
