/// A stretch of a text that reads by itself as in the whole text.
///
/// Offsets in `reading` and `bytes` are relative to the stretch; all others are offsets of the text.
public struct Excerpt: Sendable {
  /// The start of the stretch in the text.
  public let start: Int
  /// The bytes of the stretch.
  public let bytes: [UInt8]
  /// The marks and the code of the stretch, in offsets of `bytes`.
  public let reading: Reading

  /// The range of the stretch in the text.
  public var range: Range<Int> { start..<start + bytes.count }

  /// The bytes with their reading.
  var parsed: ParsedText { ParsedText(bytes, reading) }

  /// A block of a text; constant.
  public init(_ block: TextBlock) {
    start = block.start
    bytes = block.bytes
    reading = block.reading
  }

  init(start: Int, bytes: [UInt8], _ language: Language) {
    self.start = start
    self.bytes = bytes
    reading = Reading(of: bytes, as: language)
  }
}

extension Tracker {
  /// A stretch of the buffer around a range that splits no mark, code or change at its ends.
  ///
  /// - Parameter range: UTF-8 offsets of the buffer; `0..<count` gives all of it.
  /// - Returns: The stretch; linear in its length.
  public func excerpt(around range: Range<Int>) -> Excerpt { draft.excerpt(around: range) }

  /// The number of changes in the buffer, without pending ones.
  public var counts: Counts { draft.passages.summary.counts }

  /// The number of changes, without pending ones, that begin at an offset of the buffer or before it.
  ///
  /// Its cost is that of reading the paragraphs there.
  public func counts(through offset: Int) -> Counts {
    let near = excerpt(around: offset..<offset)
    var counts = draft.passages.counts(before: near.start)
    let here = near.bytes.withUnsafeBufferPointer {
      near.reading.counts(before: [offset + 1 - near.start], in: $0)
    }
    counts.append(here[0])
    return counts
  }
}
