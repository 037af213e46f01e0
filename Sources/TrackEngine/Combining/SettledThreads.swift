extension [UInt8] {
  /// The comments of a copy of a text that stand alone where somebody accepted a change that they are on.
  ///
  /// The text that was copied still has the change, and the comments on it. Linear, except for a bounded factor.
  ///
  /// - Parameters:
  ///   - base: The text that was copied.
  ///   - language: The language of both.
  /// - Returns: Their ranges in the copy, in order.
  func threadsOfAccepted(in base: [UInt8], as language: Language) -> [Range<Int>] {
    let (text, copy) = (
      VariantText(.clean, of: base, as: language), VariantText(.clean, of: self, as: language)
    )
    let alone = copy.reading.changes.filter(\.marks.isEmpty)
    let commented = text.reading.changes.filter { $0.kind.isChange && !$0.thread.isEmpty }
    if alone.isEmpty || commented.isEmpty { return [] }
    let differences = textChanges(text.bytes, copy.bytes, as: language)
    // By where the copy would have them: the comments of changes that are accepted there, or that it has still.
    var expected: [Int: Set<ArraySlice<UInt8>>] = [:]
    for change in commented {
      let range = text.range(ofMarkup: change.markRange)
      let next = differences.partitioningIndex { $0.old.upperBound >= range.lowerBound }
      if next < differences.count, differences[next].old.lowerBound <= range.upperBound { continue }
      let last = next > 0 ? differences[next - 1] : Difference(0..<0, 0..<0)
      let place = range.upperBound - last.old.upperBound + last.new.upperBound
      expected[place, default: []].formUnion(change.thread.map { base[$0.range] })
    }
    return alone.flatMap { comments in
      let known = expected[copy.offset(ofMarkup: comments.range.lowerBound)] ?? []
      return comments.thread.map(\.range).filter { known.contains(self[$0]) }
    }
  }
}
