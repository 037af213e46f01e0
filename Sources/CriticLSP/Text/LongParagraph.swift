import TrackEngine

/// A paragraph that goes on in the next block of a text, as far as it is told if it turns out to be a heading.
struct LongParagraph {
  /// Of a longer heading the beginning is told, in bytes.
  static let longestName = 1000

  /// Its beginning, without leading white space.
  private var text: [UInt8]
  /// The length of all of it.
  private var count: Int
  /// The same, without white space at its end.
  private var solid: Int

  /// Begins with what is in a block; the last character of it that is no white space ends at `end`.
  init(_ bytes: ArraySlice<UInt8>, to end: Int) {
    text = Array(bytes.prefix(LongParagraph.longestName))
    count = bytes.count
    solid = end - bytes.startIndex
  }

  /// Adds what the next block has of it; the last character of all of it that is no white space ends there at `end`.
  mutating func append(_ bytes: some Collection<UInt8>, to end: Int) {
    text += bytes.prefix(LongParagraph.longestName - text.count)
    if end > 0 { solid = count + end }
    count += bytes.count
  }

  /// The heading's name, if it is one.
  var name: [UInt8] { LongParagraph.told(text[..<min(text.count, solid)]) }

  /// What is told of a heading's name.
  static func told(_ name: ArraySlice<UInt8>) -> [UInt8] {
    Array(name.prefix(longestName).wholeCharacters)
  }
}
