extension Range<Int> {
  /// Whether another range, which may be empty, begins and ends in this one or at its ends.
  public func holds(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }

  /// The shortest range that holds this one and another.
  func joined(with other: Range<Int>) -> Range<Int> {
    Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
  }
}
