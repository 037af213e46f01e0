/// A stretch of a text, of whole lines, that reads by itself as in the whole text.
///
/// Offsets are relative to the stretch.
public struct TextBlock: Sendable {
  /// Where it begins in the text.
  public let start: Int
  /// Its bytes.
  public let bytes: [UInt8]
  /// Its marks and its code.
  public let reading: Reading
  /// The fenced code of its clean text, in offsets of that.
  public let cleanFences: [Range<Int>]
  /// Whether the text ends with it.
  public let isLast: Bool
  /// The footnotes of other tools that an export leaves out.
  private let footnotes: [Range<Int>]

  /// The ranges of its bytes that are in the text when every change is accepted, as ``Reading/exportedRanges(_:of:)`` has
  /// them.
  public var kept: [Range<Int>] { reading.ranges(.clean, of: bytes).without(footnotes) }

  fileprivate init(
    _ cut: BlockCutter.Cut,
    of window: Bytes,
    at start: Int,
    _ survey: TextSurvey,
    isLast: Bool
  ) {
    self.start = start
    bytes = Array(window[..<cut.end])
    reading = cut.reading
    cleanFences = cut.cleanFences
    self.isLast = isLast
    footnotes = cut.footnotes.filter { survey.isLeftOut(window[$0.id]) }
      .map { $0.range.clamped(to: 0..<cut.end) }
  }
}

/// Reads a text that was surveyed block by block, a window at a time.
///
/// A value: a copy goes on from the same place.
public struct BlockReader: Sendable {
  private let survey: TextSurvey
  private var cutter: BlockCutter

  /// Begins the text that was surveyed; it must be the same.
  public init(_ survey: TextSurvey) {
    self.survey = survey
    cutter = survey.cutter
    adjustLength()
  }

  /// The stretch of the text to read next; nil at its end.
  public var window: Range<Int>? { cutter.window }

  /// Reads the stretch; nil if that does not hold a whole block.
  public mutating func read(_ bytes: [UInt8]) -> TextBlock? {
    bytes.withUnsafeBufferPointer { bytes in
      let start = cutter.start
      guard case .cut(let cut) = cutter.cut(bytes) else { return nil }
      adjustLength()
      return TextBlock(cut, of: bytes, at: start, survey, isLast: window == nil)
    }
  }

  private mutating func adjustLength() {
    if let length = survey.length(at: cutter.start) { cutter.length = length }
  }
}
