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
    clean.bytes.withUnsafeBufferPointer { find(in: $0) }
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
  /// - Returns: The zones, in order.
  func typed(_ typed: [Range<Int>], in bytes: [UInt8], isHalf: Bool) -> [Zone] {
    func change(at run: Range<Int>?) -> Range<Int>? {
      run.flatMap { run in typed.first(overlapping: run) { $0 } }
    }
    return zones.enumerated().filter { index, zone in
      let opening = change(at: zone.opening)
      if let closing = change(at: zone.closing) { return !isHalf && !closing.holds(zone.range) }
      guard opening != nil else { return false }
      return (zone.closing != nil && isComplete(index, in: bytes)) != isHalf
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

  private mutating func find(in bytes: Bytes) {
    let parser = Parser(bytes)
    let codes = parser.reading.zones
    var next = 0
    for run in bytes.codeRuns {
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

extension [Pending] {
  /// The changes that insert characters that can begin or end code.
  func withCodeSigns(in buffer: Text) -> [Pending] {
    filter { buffer[$0.new].contains(where: \.isCodeSign) }
  }
}
