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
  func stream(_ bytes: Bytes, window: Int, grain: Int, to sink: (Bytes) -> Void) {
    guard self != .markup else { return sink(bytes) }
    var stream = VariantStream(variant: self, bytes: bytes, longest: window, grain: grain)
    while !stream.isOver { stream.goOn(to: sink) }
  }
}

/// A text that is handed out in a variant, and how far it has been.
private struct VariantStream {
  let variant: Variant
  let bytes: Bytes
  /// The longest window that is read for what a skim leaves.
  let longest: Int
  /// How long passages are at least.
  let grain: Int
  /// A place where a passage can begin; everything before it has been handed out.
  private var start = 0
  /// The fence of the block that is open there.
  private var fence: Fence?
  /// How much was read last: little at first, then more and more.
  private var length = 0

  init(variant: Variant, bytes: Bytes, longest: Int, grain: Int) {
    self.variant = variant
    self.bytes = bytes
    self.longest = longest
    self.grain = grain
  }

  var isOver: Bool { start == bytes.count }

  /// Skims as far as it goes, and reads on from there.
  mutating func goOn(to sink: (Bytes) -> Void) {
    if fence == nil {
      let place = skim(to: sink)
      // It is worth while to try again soon.
      if place > start { length = 0 }
      start = place
      if isOver { return }
    }
    length = min(longest, max(length, grain + 1) * 2)
    read(to: sink)
  }

  /// Hands out what can be skimmed; returns where a passage can begin again.
  private func skim(to sink: (Bytes) -> Void) -> Int {
    var skim = Skim(bytes, from: start)
    // What is kept since the last place where a passage can begin, of which the last part goes on.
    var kept: [Range<Int>] = []
    kept.reserveCapacity(grain / 32)
    var place = start
    var from = start
    var free = start
    func handOut(through end: Int) {
      for range in kept { sink(Bytes(rebasing: bytes[range])) }
      kept.removeAll(keepingCapacity: true)
      if from < end { sink(Bytes(rebasing: bytes[from..<end])) }
      from = end
      place = end
    }
    /// Looks for a place in the text before `end`, the latest, for what is behind it is skimmed again.
    func handOut(before end: Int) {
      let line = bytes.lineStart(in: free..<end)
      if line > free { handOut(through: line) }
    }
    while let part = skim.next() {
      if part.start >= place + grain { handOut(before: part.start) }
      free = part.end
      guard let mark = part.mark else { continue }
      if from < mark.start { kept.append(from..<mark.start) }
      if let side = variant == .clean ? mark.new : mark.old, !side.isEmpty { kept.append(side) }
      from = mark.end
    }
    if skim.isOver { handOut(through: bytes.count) } else { handOut(before: skim.end) }
    return place
  }

  /// Reads a window, a longer one where it has no place to stop, and hands out what is in it.
  private mutating func read(to sink: (Bytes) -> Void) {
    while true {
      let window = Bytes(rebasing: bytes[start..<min(bytes.count, start + length)])
      let isLast = start + window.count == bytes.count
      let cut = Cutting(window, in: fence, grain: grain)
      let isClosed = isLast || cut.summary.effect.loose.isEmpty
      // What is not closed in the window may be closed behind it.
      if !isClosed, length >= longest { return readAll(to: sink) }
      // Only the end of the text shows where the last passage of a window ends.
      let known = isLast ? cut.passages[...] : cut.passages.dropLast()
      if isClosed, let last = cut.passages.last, !known.isEmpty {
        let end = known.reduce(0) { $0 + $1.length }
        hand(cut.reading, of: Bytes(rebasing: window[..<end]), to: sink)
        start += end
        fence = last.fence
        return
      }
      length *= 2
    }
  }

  /// Cuts all of the rest into passages before it hands out the first.
  private mutating func readAll(to sink: (Bytes) -> Void) {
    let rest = Bytes(rebasing: bytes[start...])
    var cutter = Cutter(in: fence, grain: grain)
    while let range = cutter.window(in: rest.count) { cutter.take(Bytes(rebasing: rest[range])) }
    var at = 0
    for passage in cutter.passages {
      let part = Bytes(rebasing: rest[at..<at + passage.length])
      hand(Reading(of: part, in: passage.fence), of: part, to: sink)
      at += passage.length
    }
    start = bytes.count
  }

  private func hand(_ reading: Reading, of bytes: Bytes, to sink: (Bytes) -> Void) {
    for range in reading.ranges(variant, in: 0..<bytes.count, from: 0) {
      sink(Bytes(rebasing: bytes[range]))
    }
  }
}
