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
    stream(bytes, window: 1 << 18, grain: 1 << 10, to: sink)
  }

  /// The same with windows of up to so many bytes, cut into passages of no less than `grain`.
  func stream(_ bytes: Bytes, window longest: Int, grain: Int, to sink: (Bytes) -> Void) {
    guard self != .markup else { return sink(bytes) }
    var start = 0
    var length = 0
    var fence: Fence?
    while start < bytes.count {
      if fence == nil {
        let place = skim(bytes, from: start, grain, to: sink)
        // It is worth while to try again soon.
        if place > start { length = 0 }
        start = place
        if start == bytes.count { return }
      }
      length = min(longest, max(length, grain + 1) * 2)
      guard let cut = cut(bytes, from: start, in: fence, &length, longest, grain) else {
        return stream(bytes, from: start, in: fence, grain, to: sink)
      }
      hand(cut.reading, of: Bytes(rebasing: bytes[start..<cut.end]), to: sink)
      start = cut.end
      fence = cut.fence
    }
  }

  /// Cuts what begins at an offset, in windows of `length` bytes and more until there is a passage.
  ///
  /// - Returns: The reading up to the end of the last passage, and the fence there; nil if something is not
  ///   closed in the longest window, and may be closed behind it.
  private func cut(
    _ bytes: Bytes,
    from start: Int,
    in fence: Fence?,
    _ length: inout Int,
    _ longest: Int,
    _ grain: Int
  ) -> (reading: Reading, end: Int, fence: Fence?)? {
    while true {
      let window = Bytes(rebasing: bytes[start..<min(bytes.count, start + length)])
      let isOver = start + window.count == bytes.count
      let cut = Cutting(window, in: fence, grain: grain)
      let isClosed = isOver || cut.summary.effect.loose.isEmpty
      if !isClosed, length >= longest { return nil }
      let known = isOver ? cut.passages[...] : cut.passages.dropLast()
      if isClosed, let last = cut.passages.last, !known.isEmpty {
        return (cut.reading, start + known.reduce(0) { $0 + $1.length }, isOver ? nil : last.fence)
      }
      length *= 2
    }
  }

  /// Hands out as much as can be skimmed of what begins at an offset, where a passage can begin.
  ///
  /// - Returns: Where a passage can begin again; everything before it has been handed out.
  private func skim(
    _ bytes: Bytes,
    from start: Int,
    _ grain: Int,
    to sink: (Bytes) -> Void
  ) -> Int {
    var skim = Skim(bytes, from: start)
    // What is kept since the last place where a passage can begin, of which the last part goes on.
    var kept: [Range<Int>] = []
    kept.reserveCapacity(grain / 32)
    var place = start
    var from = start
    var free = start
    /// Looks for a place in the text before `end`, the latest: to look for it again costs nothing then.
    func handOut(before end: Int) {
      let line = bytes.lineStart(in: free..<end)
      guard line > free else { return }
      place = line
      for range in kept { sink(Bytes(rebasing: bytes[range])) }
      kept.removeAll(keepingCapacity: true)
      if from < place { sink(Bytes(rebasing: bytes[from..<place])) }
      from = place
    }
    while let part = skim.next() {
      if part.start >= place + grain { handOut(before: part.start) }
      free = part.end
      guard let mark = part.mark else { continue }
      if from < mark.start { kept.append(from..<mark.start) }
      if let side = self == .clean ? mark.new : mark.old, !side.isEmpty { kept.append(side) }
      from = mark.end
    }
    guard skim.isOver else {
      handOut(before: skim.end)
      return place
    }
    for range in kept { sink(Bytes(rebasing: bytes[range])) }
    if from < bytes.count { sink(Bytes(rebasing: bytes[from...])) }
    return bytes.count
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
      hand(Reading(of: part, in: passage.fence), of: part, to: sink)
      at += passage.length
    }
  }

  private func hand(_ reading: Reading, of bytes: Bytes, to sink: (Bytes) -> Void) {
    for range in reading.ranges(self, in: 0..<bytes.count, from: 0) {
      sink(Bytes(rebasing: bytes[range]))
    }
  }
}
