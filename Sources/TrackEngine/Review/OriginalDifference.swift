/// A place where rejecting all changes of a text does not give what an earlier version of it has there.
public struct OriginalDifference: Equatable, Sendable {
  /// UTF-8 offsets in the text with its marks; empty if rejecting gives nothing there.
  public let range: Range<Int>
  /// What the earlier version has.
  public let expected: [UInt8]
  /// What rejecting gives.
  public let found: [UInt8]

  /// Finds the places.
  ///
  /// A change of the earlier version may have been accepted since, or rejected. Linear in both texts, within the bounds of
  /// ``Decision/all(of:in:as:)``.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - earlier: The earlier version.
  ///   - language: The language of both.
  /// - Returns: The places, in order.
  public static func all(
    in bytes: [UInt8],
    since earlier: [UInt8],
    as language: Language
  ) -> [OriginalDifference] {
    let original = VariantText(.original, of: bytes, as: language)
    let expected = expected(original.bytes, earlier, language)
    if original.bytes == expected { return [] }
    /// Where a range of the original is in the text; what is lost was behind what is before it.
    func place(of range: Range<Int>) -> Range<Int> {
      guard range.isEmpty else { return original.hull(of: range) }
      let end = range.lowerBound
      let place = end == 0 ? 0 : original.hull(of: end - 1..<end).upperBound
      return place..<place
    }
    var shift = 0
    return [Edit](making: original.bytes, of: expected, as: language).map { edit in
      let first = edit.range.lowerBound + shift
      shift += edit.new.count - edit.range.count
      return OriginalDifference(
        range: place(of: first..<first + edit.new.count),
        expected: Array(expected[edit.range]),
        found: edit.new
      )
    }
  }

  /// The earlier version without changes: those are accepted that were accepted since, and all others rejected.
  private static func expected(
    _ original: [UInt8],
    _ earlier: [UInt8],
    _ language: Language
  ) -> [UInt8] {
    let reading = Reading(of: earlier, as: language)
    let rejected = reading.text(.original, of: earlier)
    if reading.changes.isEmpty || rejected == original { return rejected }
    let decisions = Decision.all(of: earlier, in: original, as: language)
    return reading.text(
      of: earlier,
      accepting: zip(reading.changes, decisions).filter { $1.outcome == .accepted }.map(\.0)
    )
  }
}
