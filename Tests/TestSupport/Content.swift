@testable public import TrackEngine

/// The characters of the clean text where they stand in a marked-up text, in UTF-8 offsets.
public func content(of bytes: [UInt8], as language: Language = .markdown) -> [Range<Int>] {
  var characters: [Range<Int>] = []
  for range in Reading(of: bytes, as: language).ranges(.clean, in: bytes.indices, from: 0) {
    var at = range.lowerBound
    while at < range.upperBound {
      var end = at + 1
      while end < range.upperBound, !isBoundary(bytes[...], end) { end += 1 }
      characters.append(at..<end)
      at = end
    }
  }
  return characters
}

/// A place of the clean text, in a marked-up text and in the clean text itself.
public struct CleanPlace {
  /// Where it is in the marked-up text; marks may lie in it.
  public let range: Range<Int>
  /// Where it is in the clean text.
  public let clean: Range<Int>

  /// Chooses a place between two characters of the clean text.
  ///
  /// - Parameters:
  ///   - fraction: How far into the text.
  ///   - isBefore: Whether it is right before the second character, else right after the first one,
  ///     where there are marks between them.
  ///   - bytes: The marked-up text.
  ///   - language: Its language.
  public init(
    at fraction: Double,
    isBefore: Bool,
    in bytes: [UInt8],
    as language: Language = .markdown
  ) {
    let content = content(of: bytes, as: language)
    let index = Int(fraction * Double(content.count))
    let place =
      isBefore
      ? index < content.count ? content[index].lowerBound : bytes.count
      : index > 0 ? content[index - 1].upperBound : 0
    let inClean = content[..<index].reduce(0) { $0 + $1.count }
    range = place..<place
    clean = inClean..<inClean
  }

  /// Chooses some characters of the clean text; fails where there is none.
  ///
  /// - Parameters:
  ///   - count: How many, as far as there are so many.
  ///   - fraction: How far into the text.
  ///   - bytes: The marked-up text.
  ///   - language: Its language.
  public init?(
    _ count: Int,
    at fraction: Double,
    in bytes: [UInt8],
    as language: Language = .markdown
  ) {
    let content = content(of: bytes, as: language)
    guard !content.isEmpty else { return nil }
    let first = min(Int(fraction * Double(content.count)), content.count - 1)
    let last = min(first + count, content.count) - 1
    let start = content[..<first].reduce(0) { $0 + $1.count }
    range = content[first].lowerBound..<content[last].upperBound
    clean = start..<start + content[first...last].reduce(0) { $0 + $1.count }
  }
}
