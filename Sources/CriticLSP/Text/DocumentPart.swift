import TrackEngine

/// A part of a document, or all of it, in which changes are listed.
struct DocumentPart {
  let bytes: [UInt8]
  let reading: Reading
  /// The number of its first line, from 1.
  let line: Int
  /// The footnotes of the whole document.
  let footnotes: Footnotes
  /// Where its changes are; nil if nobody asks.
  let surroundings: ChangeSurroundings?

  /// All of a document that was read.
  init(_ bytes: [UInt8], _ reading: Reading, hasPlaces: Bool) {
    self.bytes = bytes
    self.reading = reading
    line = 1
    // Most documents have no marks, and cost no more than to be read.
    let hasPlaces = hasPlaces && !reading.marks.isEmpty
    footnotes = Footnotes(of: hasPlaces ? bytes : [])
    surroundings = hasPlaces ? ChangeSurroundings(of: bytes, reading) : nil
  }

  /// A block of a document.
  init(_ block: TextBlock, line: Int, _ footnotes: Footnotes, _ surroundings: ChangeSurroundings?) {
    bytes = block.bytes
    reading = block.reading
    self.line = line
    self.footnotes = footnotes
    self.surroundings = surroundings
  }
}

/// Lists something of a document, part by part.
protocol DocumentLister: Sendable {
  associatedtype Entry: Sendable
  /// Whether it lists what is malformed.
  var findsMalformed: Bool { get }
  /// The same for the record of a text, in which nothing is malformed: what is not a mark is what the text says.
  var ofRecord: Self { get }
  /// Whether it asks where changes are.
  var needsPlaces: Bool { get }
  /// Lists what is in the next part, entry by entry.
  mutating func list(_ part: DocumentPart, _ body: (Entry) -> Void)
}
