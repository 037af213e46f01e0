/// A stretch of a text that can be read by itself: its reading is that of the whole text there.
///
/// The reading counts from the stretch's beginning, like `bytes`; everything else counts in the text.
public struct Excerpt: Sendable {
  /// Where in the text the stretch begins.
  public let start: Int
  /// The bytes of the stretch.
  public let bytes: [UInt8]
  /// The marks and the code of the stretch, in offsets of `bytes`.
  public let reading: Reading

  /// The stretch's place in the text.
  public var range: Range<Int> { start..<start + bytes.count }

  /// The bytes with their reading.
  var parsed: ParsedText { ParsedText(bytes, reading) }

  init(start: Int, bytes: [UInt8]) {
    self.start = start
    self.bytes = bytes
    reading = Reading(of: bytes)
  }
}

extension Tracker {
  /// A stretch of the buffer around a range, no mark, code or change being cut at its ends.
  ///
  /// - Parameter range: UTF-8 offsets of the buffer; with `0..<count` it is all of it.
  /// - Returns: The stretch; linear in its length.
  public func excerpt(around range: Range<Int>) -> Excerpt { draft.excerpt(around: range) }

  /// How many changes the buffer has, pending ones not included.
  public var counts: Counts { draft.passages.summary.counts }
}
