/// A variant of a marked-up text, with a mapping between the two.
public struct VariantText: Sendable {
  /// The text of the variant.
  public let bytes: [UInt8]
  /// The marked-up text.
  let markup: [UInt8]
  /// The reading of the marked-up text.
  let reading: Reading
  /// The ranges of the marked-up text that make up the variant, in order.
  let kept: [Range<Int>]
  /// The offset in the variant at which each of them begins.
  let starts: [Int]

  /// Takes a variant from a marked-up text; linear.
  public init(_ variant: Variant, of markup: [UInt8], _ reading: Reading) {
    self.markup = markup
    self.reading = reading
    kept = reading.ranges(variant, of: markup)
    if kept == [markup.indices] {
      (bytes, starts) = (markup, [0])
      return
    }
    var starts: [Int] = []
    var bytes: [UInt8] = []
    bytes.reserveCapacity(markup.count)
    for range in kept {
      starts.append(bytes.count)
      bytes += markup[range]
    }
    self.bytes = bytes
    self.starts = starts
  }

  /// Reads a marked-up text and takes a variant from it; linear.
  init(_ variant: Variant, of markup: [UInt8], as language: Language) {
    self.init(variant, of: markup, Reading(of: markup, as: language))
  }

  /// The offset in the marked-up text of the byte at an offset; logarithmic.
  private func origin(of offset: Int) -> Int {
    let index = starts.partitioningIndex { $0 > offset } - 1
    return kept[index].lowerBound + offset - starts[index]
  }

  /// The stretch of the marked-up text from the first byte of a range to the last, with the marks between them.
  ///
  /// The range must not be empty. Logarithmic.
  public func hull(of range: Range<Int>) -> Range<Int> {
    origin(of: range.lowerBound)..<origin(of: range.upperBound - 1) + 1
  }

  /// The stretches of the marked-up text that hold a range; none if it is empty.
  func stretches(of range: Range<Int>) -> [Range<Int>] {
    var index = max(0, starts.partitioningIndex { $0 > range.lowerBound } - 1)
    var stretches: [Range<Int>] = []
    while index < kept.count, starts[index] < range.upperBound {
      let all = starts[index]..<starts[index] + kept[index].count
      let part = range.clamped(to: all)
      if !part.isEmpty { stretches.append(part.moved(by: kept[index].lowerBound - all.lowerBound)) }
      index += 1
    }
    return stretches
  }

  /// The edits of the marked-up text that replace a range of the variant, and leave all marks where they are.
  func edits(replacing range: Range<Int>, by new: [UInt8]) -> [Edit] {
    guard !range.isEmpty else {
      let place = place(of: range.lowerBound)
      return [Edit(place..<place, new)]
    }
    let stretches = stretches(of: range)
    return zip(stretches.indices, stretches).map { Edit($1, $0 == 0 ? new : []) }
  }

  /// The offsets in the variant where something of the marked-up text is left out.
  var marks: [Int] { hidden.map(\.offset) }

  /// What of the marked-up text the variant does not show, and at which offset.
  var hidden: [(offset: Int, range: Range<Int>)] {
    var hidden: [(offset: Int, range: Range<Int>)] = []
    var at = 0
    for (start, range) in zip(starts, kept) {
      if range.lowerBound > at { hidden.append((start, at..<range.lowerBound)) }
      at = range.upperBound
    }
    if at < markup.count { hidden.append((bytes.count, at..<markup.count)) }
    return hidden
  }

  /// How many bytes of the variant are before an offset of the marked-up text; logarithmic.
  func offset(ofMarkup offset: Int) -> Int {
    let index = kept.partitioningIndex { $0.upperBound > offset }
    guard index < kept.count else { return bytes.count }
    return starts[index] + max(0, offset - kept[index].lowerBound)
  }

  /// The stretch of the variant that a stretch of the marked-up text shows; logarithmic.
  func range(ofMarkup stretch: Range<Int>) -> Range<Int> {
    offset(ofMarkup: stretch.lowerBound)..<offset(ofMarkup: stretch.upperBound)
  }

  /// Where the byte at an offset is in the marked-up text, or where the marks begin that begin right before it.
  ///
  /// Logarithmic, but for the marks right before it.
  public func place(of offset: Int) -> Int {
    guard offset < bytes.count else { return markup.count }
    let next = origin(of: offset)
    let last = offset > 0 ? origin(of: offset - 1) + 1 : 0
    let between = reading.marks.partitioningIndex { $0.start >= last }
    return reading.marks[between...].prefix { $0.start < next }.first { $0.end > next }?.start
      ?? next
  }
}
