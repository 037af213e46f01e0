/// The code in a text as displayed, with all changes accepted: where it begins and ends in the marked-up text.
struct SeenCode {
  /// A code span or a fenced block, or what could open one.
  struct Zone {
    /// The run that opens it.
    var opening: Range<Int>
    /// The run that closes it; nil if there is none.
    var closing: Range<Int>?
    var isFenced: Bool

    /// From the first backtick or tilde to the end of the last.
    var range: Range<Int> { opening.lowerBound..<(closing ?? opening).upperBound }
  }

  /// By where they open; runs of backticks outside code are included as zones without an end.
  private(set) var zones: [Zone] = []

  /// Finds the code; linear.
  init(of text: ParsedText) {
    let clean = VariantText(.clean, of: text.bytes, text.reading)
    clean.bytes.withUnsafeBufferPointer { find(in: $0, text.reading.language) }
    for index in zones.indices {
      zones[index].opening = clean.hull(of: zones[index].opening)
      zones[index].closing = zones[index].closing.map { clean.hull(of: $0) }
    }
  }

  /// The code that was typed around other text, or with its beginning or end in it; linear in the text.
  ///
  /// - Parameters:
  ///   - typed: The typed ranges of the text, in order.
  ///   - bytes: The text.
  ///   - isHalf: Whether to return code of which only the beginning was typed: without an end, with an end on
  ///     another line, or with one that was the end or the beginning of other code.
  ///   - before: The code of the text before the changes.
  /// - Returns: The zones, in order.
  func typed(
    _ typed: [Range<Int>],
    in bytes: [UInt8],
    isHalf: Bool,
    since before: CodeBefore
  ) -> [Zone] {
    func change(at run: Range<Int>?) -> Range<Int>? {
      run.flatMap { run in typed.first(overlapping: run) { $0 } }
    }
    let ended = Set(zones.lazy.filter { $0.closing != nil }.map(\.opening))
    return zones.enumerated().filter { index, zone in
      let opening = change(at: zone.opening)
      if let closing = change(at: zone.closing) { return !isHalf && !closing.holds(zone.range) }
      guard opening != nil else { return false }
      guard let closing = zone.closing else { return isHalf }
      return (before.frees(closing, with: ended) || isComplete(index, in: bytes)) != isHalf
    }.map(\.element)
  }

  /// Whether a span lies on one line, with no later run of the same length on that line left unclosed.
  private func isComplete(_ index: Int, in bytes: [UInt8]) -> Bool {
    let zone = zones[index]
    guard !bytes[zone.range].contains(where: \.isLineBreak) else { return false }
    let end = bytes.withUnsafeBufferPointer { $0.lineEnd(after: zone.range.upperBound) }
    return !zones[(index + 1)...].prefix { $0.opening.lowerBound < end }
      .contains { $0.closing == nil && !$0.isFenced && $0.opening.count == zone.opening.count }
  }

  private mutating func find(in bytes: Bytes, _ language: Language) {
    let parser = Parser(bytes, language)
    let codes = parser.reading.zones
    if language != .markdown {
      // What ends code need not be a run.
      zones = codes.enumerated().map { index, code in
        let isUnclosed = index + 1 == codes.count && parser.unclosed != nil
        let (start, end) = (code.range.lowerBound, code.range.upperBound)
        let closing = isUnclosed ? nil : end - 1..<end
        return Zone(opening: start..<start + 1, closing: closing, isFenced: code.isFenced)
      }
      return
    }
    var next = 0
    for run in bytes.codeRuns(language) {
      while next < codes.count, codes[next].range.upperBound <= run.lowerBound { next += 1 }
      let code = next < codes.count ? codes[next] : nil
      if let code, code.range.contains(run.upperBound - 1) {
        if code.range.lowerBound >= run.lowerBound {
          zones.append(Zone(opening: run, closing: nil, isFenced: code.isFenced))
        } else if next + 1 < codes.count || parser.unclosed == nil {
          // The last run in it remains.
          zones[zones.count - 1].closing = run
        }
      } else if bytes[run.lowerBound] == Ascii.backtick {
        zones.append(Zone(opening: run, closing: nil, isFenced: false))
      }
    }
  }
}

/// The code of a text before it was changed.
struct CodeBefore {
  /// Where code began, by where it ended.
  private let openings: [Range<Int>: Range<Int>]
  /// Maps offsets of the text before the changes to offsets of the text after them.
  private let toText: OffsetMap
  private let toBefore: OffsetMap

  init(of text: ParsedText, _ toText: OffsetMap) {
    openings = SeenCode(of: text).zones.reduce(into: [:]) { openings, zone in
      if let closing = zone.closing { openings[closing] = zone.opening }
    }
    self.toText = toText
    toBefore = toText.inverted
  }

  /// Whether a run of the changed text was the end of code that no longer needs it: the code's beginning is gone
  /// or is one of those with an end in the changed text.
  fileprivate func frees(_ run: Range<Int>, with ended: Set<Range<Int>>) -> Bool {
    guard let opening = toBefore.mapWhole(run).flatMap({ openings[$0] }) else { return false }
    return toText.mapWhole(opening).map(ended.contains) ?? true
  }
}

extension [Pending] {
  /// The changes that insert characters that can begin or end code.
  func withCodeSigns(in buffer: Text, _ language: Language) -> [Pending] {
    filter { buffer[$0.new].contains(where: language.isCodeSign) }
  }
}
