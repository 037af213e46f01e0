extension Variant {
  /// Hands out a text in this variant, part by part, as it is read.
  ///
  /// Linear; what is kept in memory at a time does not grow with the text, unless a mark does.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - sink: Takes the parts, in order; each is lent for the length of a call.
  public func stream(
    _ bytes: UnsafeBufferPointer<UInt8>,
    to sink: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    stream(bytes, window: 1 << 18, grain: 1 << 14, to: sink)
  }

  /// The same with a window of so many bytes, cut into passages of no less than `grain`.
  func stream(_ bytes: Bytes, window usual: Int, grain: Int, to sink: (Bytes) -> Void) {
    guard self != .markup else { return sink(bytes) }
    var start = 0
    var length = usual
    var fence: Fence?
    while start < bytes.count {
      let window = Bytes(rebasing: bytes[start..<min(bytes.count, start + length)])
      let isOver = start + window.count == bytes.count
      let cut = Cutting(window, in: fence, grain: grain)
      guard isOver || cut.summary.effect.loose.isEmpty else {
        // What is not closed in the window may be closed behind it.
        return stream(bytes, from: start, in: fence, grain, to: sink)
      }
      let known = isOver ? cut.passages[...] : cut.passages.dropLast()
      guard let last = cut.passages.last, !known.isEmpty else {
        length *= 2
        continue
      }
      let end = known.reduce(0) { $0 + $1.length }
      hand(cut.reading, of: Bytes(rebasing: window[..<end]), to: sink)
      start += end
      fence = last.fence
      length = usual
    }
  }

  /// Cuts all of the rest into passages before it hands out the first.
  private func stream(
    _ bytes: Bytes,
    from start: Int,
    in fence: Fence?,
    _ grain: Int,
    to sink: (Bytes) -> Void
  ) {
    let rest = Bytes(rebasing: bytes[start...])
    var cutter = Cutter(in: fence, grain: grain)
    while let range = cutter.window(in: rest.count) { cutter.take(Bytes(rebasing: rest[range])) }
    var at = 0
    for passage in cutter.passages {
      let part = Bytes(rebasing: rest[at..<at + passage.length])
      hand(Reader(part, in: passage.fence).reading, of: part, to: sink)
      at += passage.length
    }
  }

  private func hand(_ reading: Reading, of bytes: Bytes, to sink: (Bytes) -> Void) {
    for range in reading.ranges(self, in: 0..<bytes.count, from: 0) {
      sink(Bytes(rebasing: bytes[range]))
    }
  }
}
