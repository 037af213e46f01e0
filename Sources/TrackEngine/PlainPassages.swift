/// The beginning of a stretch, as far as it can be skimmed, cut into passages.
struct PlainPassages {
  private(set) var passages: [Passage] = []
  /// The bytes that they take.
  private(set) var length = 0
  /// The marks and the code of the passages.
  private(set) var reading = Reading()
  /// Whether the whole stretch could be skimmed; its last passage can be left out all the same.
  private(set) var isWhole = false
  /// Whether another passage can begin behind the last.
  private(set) var isEndPlace = false
  private let bytes: Bytes
  private let grain: Int
  /// The kinds of the marks behind the last passage, and how many marks and zones are before.
  private var closers: MarkKinds = []
  private var marks = 0
  private var zones = 0

  /// Cuts a stretch that begins where a passage can begin, with nothing open before it.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - bytes: The stretch.
  ///   - isOver: Whether the last passage ends where the stretch does, not at a place in it.
  ///   - grain: How long passages are at least.
  init(_ bytes: Bytes, isOver: Bool, grain: Int) {
    self.bytes = bytes
    self.grain = grain
    var skim = Skim(bytes)
    var free = 0
    while let part = skim.next() {
      end(from: free, to: part.start)
      if let mark = part.mark {
        closers.insert(MarkKinds(mark.kind))
        reading.marks.append(mark)
      }
      if skim.zones.count > reading.zones.count {
        reading.zones += skim.zones[reading.zones.count...]
      }
      free = part.end
    }
    end(from: free, to: skim.end)
    isWhole = skim.isOver
    if isOver, isWhole, length < bytes.count { add(through: bytes.count) }
    reading.marks.removeLast(reading.marks.count - marks)
    reading.zones.removeLast(reading.zones.count - zones)
    passages.count(reading)
  }

  /// Ends passages in the text between two parts.
  private mutating func end(from free: Int, to limit: Int) {
    var at = max(length + grain, free)
    let known = Bytes(rebasing: bytes[..<limit])
    while at < limit {
      at = known.lineEnd(after: at)
      guard at < bytes.count, bytes.isLineEnd(at - 1) else { return }
      if isPlace(at) {
        add(through: at)
        at = max(length + grain, free)
      }
    }
  }

  /// Whether a passage can begin where a line does: as ``PassagePlaces`` has it.
  private func isPlace(_ line: Int) -> Bool {
    reading.zones.count == zones || bytes.isBehindBlankLine(line)
  }

  private mutating func add(through place: Int) {
    isEndPlace = bytes.isLineEnd(place - 1) && isPlace(place)
    var summary = Passage.Summary()
    summary.effect.closers = closers
    let hasRuns = reading.zones.count > zones
    passages.append(
      Passage(length: place - length, fence: nil, hasRuns: hasRuns, summary: summary)
    )
    closers = []
    marks = reading.marks.count
    zones = reading.zones.count
    length = place
  }
}

extension [Passage] {
  /// Counts the changes of each passage; `reading` is that of all of them.
  mutating func count(_ reading: Reading) {
    guard !reading.marks.isEmpty else { return }
    var end = 0
    let ends = map { passage in
      end += passage.length
      return end
    }
    for (index, counts) in reading.counts(before: ends).enumerated() {
      self[index].summary.counts = counts
    }
  }
}
