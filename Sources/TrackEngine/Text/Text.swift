/// A document's text: bytes, usually UTF-8, in chunks that know their lines, their length in UTF-16 and their hash.
///
/// Offsets are UTF-8 offsets in `0...count`. A value. Queries and nearly all edits are logarithmic, plus a scan of
/// one chunk; an edit that changes the number of blocks is linear in that.
///
/// Invariant, checked by ``checkInvariants()``: no chunk is empty or longer than a page, no CRLF and no UTF-8
/// sequence spans two chunks, and every summary is correct.
public struct Text: Sendable {
  var chunks = Rope<Chunk>()
  var focus: Focus?

  /// A text of the given bytes.
  ///
  /// Linear.
  public init(_ bytes: [UInt8] = []) {
    replaceChunks(chunks.startIndex..<chunks.endIndex, with: Text.chunks(of: bytes[...]))
  }

  /// What is known of the whole text.
  var summary: Summary { chunks.sum }
  /// The number of bytes.
  public var count: Int { summary.bytes }
  /// The number of lines; the text after the last line break is one, even if it is empty.
  ///
  /// Only LF, CRLF and CR end lines.
  public var lineCount: Int { summary.lineBreaks + 1 }
  /// The hash of the whole text; equal texts have equal hashes.
  public var hash: TextHash { summary.hash }

  /// The whole text.
  ///
  /// Linear.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for chunk in chunks { bytes.append(contentsOf: chunk.bytes) }
    return bytes
  }

  /// The byte at an offset below `count`.
  public subscript(offset: Int) -> UInt8 {
    let place = place(of: offset)
    return chunks[place.index].bytes[offset - place.before.bytes]
  }

  /// The bytes of a range within `0..<count`.
  ///
  /// Linear in the range.
  public subscript(range: Range<Int>) -> ArraySlice<UInt8> {
    guard !range.isEmpty else { return [] }
    let place = place(of: range.lowerBound)
    var index = place.index
    var start = place.before.bytes
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    while start < range.upperBound {
      let chunk = chunks[index].bytes
      let from = max(range.lowerBound, start) - start
      let to = min(range.upperBound, start + chunk.count) - start
      bytes.append(contentsOf: chunk[from..<to])
      start += chunk.count
      index = chunks.index(after: index)
    }
    return bytes[...]
  }
}

extension Text: Equatable {
  /// Whether two texts have the same bytes.
  public static func == (left: Text, right: Text) -> Bool {
    left.hash == right.hash && left.bytes == right.bytes
  }
}

extension Text {
  /// The hash that the text would have with `edits` made.
  public func hash(after edits: [Edit]) -> TextHash { applying(edits).hash }

  /// The text with `edits` made.
  public func applying(_ edits: [Edit]) -> Text {
    assert(edits.areEdits(ofLength: count), "edits of another text")
    var text = self
    for edit in edits.reversed() { text.replace(edit.range, with: edit.new) }
    return text
  }

  /// What is wrong with the invariant; nil if it holds.
  func checkInvariants() -> String? {
    var before: [UInt8] = []
    for chunk in chunks {
      if chunk.bytes.isEmpty || chunk.bytes.count > Chunk.longest + 8 { return "a chunk's length" }
      if chunk != Chunk(chunk.bytes) { return "a chunk's summary" }
      if Text.seam(before, chunk.bytes) > 0 { return "a seam" }
      before = chunk.bytes
    }
    return chunks.checkInvariants()
  }
}
