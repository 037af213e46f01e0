extension [Difference] {
  /// Extends differences that cut what must stay whole in either text, such as a fenced block, to all of it: a
  /// delimiter in code would be text, and half a fence none.
  ///
  /// Linear, except for a logarithmic factor.
  ///
  /// - Parameters:
  ///   - oldBlocks: What must stay whole in the old text, in order.
  ///   - newBlocks: What must in the new text, in order.
  /// - Returns: The differences, those that cover the same block as one.
  func coveringBlocks(_ oldBlocks: [Range<Int>], _ newBlocks: [Range<Int>]) -> [Difference] {
    guard !oldBlocks.isEmpty || !newBlocks.isEmpty else { return self }
    return widened { [oldBlocks.reach(around: $0.old), newBlocks.reach(around: $0.new)] }
      .map(\.whole)
  }
}

extension Reading {
  /// The fenced blocks of a text, without those that nothing closes.
  func fencedBlocks(of text: [UInt8]) -> [Range<Int>] {
    zones.compactMap { zone in
      guard zone.isFenced else { return nil }
      let line = text.withUnsafeBufferPointer { $0.lineStart(in: zone.range) }
      var start = line
      while start < zone.range.upperBound, text[start].isSpace || text[start] == Ascii.greater {
        start += 1
      }
      let isClosed =
        line > zone.range.lowerBound && start < zone.range.upperBound
        && text[start] == text[zone.range.lowerBound]
      return isClosed ? zone.range : nil
    }
  }
}
