extension Variant {
  /// Passes on a text in this variant, part by part, as it is read: as ``Reading/export(_:of:)`` writes it.
  ///
  /// Linear; memory does not grow with the text, unless a line or a mark does.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - language: Its language.
  ///   - sink: Receives the parts, in order; each is valid during the call.
  public func stream(
    _ bytes: UnsafeBufferPointer<UInt8>,
    as language: Language,
    to sink: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    stream(bytes, as: language, window: 1 << 16, grain: 1 << 10, to: sink)
  }

  /// The same with windows of a given length, cut into passages of at least `grain` bytes.
  func stream(
    _ bytes: Bytes,
    as language: Language,
    window: Int,
    grain: Int,
    to sink: (Bytes) -> Void
  ) {
    guard self != .markup else { return sink(bytes) }
    var stream = VariantStream(self, of: bytes, as: language, window: window, grain: grain)
    while !stream.isAtEnd { stream.passOn(to: sink) }
  }
}

/// The streaming of a text in a variant, and its progress.
private struct VariantStream {
  let variant: Variant
  let bytes: Bytes
  let language: Language
  /// How much to read at a time, in bytes, unless no passage begins in it.
  let window: Int
  /// The minimum length of a passage.
  let grain: Int
  /// A place where a passage can begin; everything before it has been passed on.
  private var start = 0
  /// The fence of the block that is open there.
  private var fence: Fence?
  /// The footnotes of other tools that are still to come, if only marks refer to them; those in code and in marks too.
  private var footnotes: ArraySlice<Footnote> = []
  /// Whether the writer has footnotes with such names, which can make text of what follows a mark pages away.
  private let hasOwnFootnotes: Bool
  /// Where the last one ends that was left out.
  private var skipped = 0

  init(
    _ variant: Variant,
    of bytes: Bytes,
    as language: Language,
    window: Int,
    grain: Int
  ) {
    self.variant = variant
    self.bytes = bytes
    self.language = language
    self.window = window
    self.grain = grain
    let definitions = bytes.definitions
    hasOwnFootnotes = definitions.contains { !bytes.isSigned($0) }
    guard !definitions.isEmpty else { return }
    let footnotes = bytes.footnotes
    guard !footnotes.isEmpty else { return }
    let all = bytes.spelledReferences
    let referring = references()
    self.footnotes =
      footnotes.filter { referring.hold(all: bytes[$0.id], of: all) }[...]
  }

  /// The references in the tails of marks.
  private func references() -> ReferenceCounts {
    var rest = self
    var counts = ReferenceCounts()
    while !rest.isAtEnd { rest.read { reading, part, _ in counts.add(reading.marks, in: part) } }
    return counts
  }

  var isAtEnd: Bool { start == bytes.count }

  /// Reads a window, longer if it has no place to stop, and passes on what is in it.
  mutating func passOn(to sink: (Bytes) -> Void) {
    var handing = self
    read { reading, part, offset in handing.hand(reading, of: part, at: offset, to: sink) }
    (footnotes, skipped) = (handing.footnotes, handing.skipped)
  }

  /// Reads a window, longer if it has no place to stop: in parts, with their offsets.
  private mutating func read(_ visit: (Reading, Bytes, Int) -> Void) {
    if hasOwnFootnotes { return readAll(visit) }
    var length = window
    while true {
      // Half the line of a footnote can look like one of the writer's own.
      let end = start + length < bytes.count ? bytes.lineEnd(after: start + length) : bytes.count
      let window = Bytes(rebasing: bytes[start..<end])
      let isLast = start + window.count == bytes.count
      let parser = Parser(window, language, in: fence, hasOwnFootnotes: false)
      if let (end, inner) = isLast ? (window.count, nil) : lastPlace(of: parser, in: window) {
        // What is not closed in the window may be closed after it.
        if !isLast, let open = parser.loose.first, open.offset < end { return readAll(visit) }
        visit(parser.reading, Bytes(rebasing: window[..<end]), start)
        start += end
        fence = inner
        return
      }
      length *= 2
    }
  }

  /// The last place where a passage can begin, and the fence of the block that it is in.
  private func lastPlace(of parser: Parser, in window: Bytes) -> (Int, Fence?)? {
    // Most often there is one near the end.
    for start in [window.count - window.count / 16, 0] {
      var places = PassagePlaces(parser, window, in: fence)
      var last: (Int, Fence?)?
      while let place = places.next(after: last?.0 ?? start, from: 0) {
        last = (place, places.fence)
      }
      if last != nil { return last }
    }
    return nil
  }

  /// Cuts all of the rest into passages before it hands out the first.
  private mutating func readAll(_ visit: (Reading, Bytes, Int) -> Void) {
    let rest = Bytes(rebasing: bytes[start...])
    var cutter = Cutter(language, in: fence, grain: grain)
    while let range = cutter.window(in: rest.count) { cutter.cut(Bytes(rebasing: rest[range])) }
    var at = 0
    for passage in cutter.passages {
      let part = Bytes(rebasing: rest[at..<at + passage.length])
      visit(Reading(of: part, as: language, in: passage.fence), part, start + at)
      at += passage.length
    }
    start = bytes.count
  }

  /// Hands out what is left of a part.
  private mutating func hand(
    _ reading: Reading,
    of bytes: Bytes,
    at offset: Int,
    to sink: (Bytes) -> Void
  ) {
    var left = [0..<max(0, min(bytes.count, skipped - offset))].filter { !$0.isEmpty }
    var plain = PlainStretches(of: reading)
    while let next = footnotes.first, next.range.lowerBound < offset + bytes.count {
      footnotes = footnotes.dropFirst()
      let start = next.range.lowerBound - offset
      guard start >= 0, plain.holds(start) else { continue }
      left.append(start..<min(bytes.count, next.range.upperBound - offset))
      skipped = next.range.upperBound
    }
    for range in reading.ranges(variant, in: 0..<bytes.count, from: 0).without(left) {
      sink(Bytes(rebasing: bytes[range]))
    }
  }
}
