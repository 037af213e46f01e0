extension Range<Int> {
  /// How far the range can be moved so that the elements outside it stay the same: to the front, as a negative number, and
  /// to the back.
  ///
  /// So far can what was inserted or deleted there be said to be elsewhere. Linear in the result.
  ///
  /// - Parameters:
  ///   - bounds: Where it may be.
  ///   - areEqual: Whether the elements at two offsets are equal.
  /// - Returns: The distances.
  func slack(within bounds: Range<Int>, where areEqual: (Int, Int) -> Bool) -> ClosedRange<Int> {
    var (before, after) = (0, 0)
    while lowerBound - before > bounds.lowerBound,
      areEqual(lowerBound - before - 1, upperBound - before - 1)
    { before += 1 }
    while upperBound + after < bounds.upperBound,
      areEqual(lowerBound + after, upperBound + after)
    { after += 1 }
    return -before...after
  }
}

extension Edit {
  /// How far an insertion or a deletion can be moved with the same result.
  ///
  /// - Parameters:
  ///   - bounds: Where its range may be.
  ///   - text: The bytes of the text that it is on.
  /// - Returns: The distances to the front, as a negative number, and to the back.
  func slack(within bounds: Range<Int>, in text: (Int) -> UInt8) -> ClosedRange<Int> {
    (range.lowerBound..<range.upperBound + new.count)
      .slack(within: bounds.lowerBound..<bounds.upperBound + new.count) {
        byte(at: $0, text) == byte(at: $1, text)
      }
  }

  /// An insertion or a deletion moved as far as its slack allows.
  func moved(by shift: Int, in text: (Int) -> UInt8) -> Edit {
    let place = range.moved(by: shift)
    let moved = place.lowerBound..<place.lowerBound + new.count
    return Edit(place, moved.map { byte(at: $0, text) })
  }

  /// The byte at an offset of the text that holds what is inserted or deleted.
  private func byte(at offset: Int, _ text: (Int) -> UInt8) -> UInt8 {
    let index = offset - range.lowerBound
    if new.indices.contains(index) { return new[index] }
    return text(index < 0 ? offset : offset - new.count)
  }
}
