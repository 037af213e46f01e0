@testable import TrackEngine

/// The characters of the clean text where they stand in a marked-up text, in UTF-8 offsets.
public func content(of bytes: [UInt8]) -> [Range<Int>] {
  var characters: [Range<Int>] = []
  for range in Reading(of: bytes).ranges(.clean, in: bytes.indices, from: 0) {
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
