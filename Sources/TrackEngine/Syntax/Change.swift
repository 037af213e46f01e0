/// An entry of the list of changes: an addition, deletion or substitution, a highlight, or a comment
/// that stands alone; with its thread.
public struct Change: Equatable, Sendable {
  /// The marks of the change: touching marks of one kind are one change, unless other tools say different things
  /// of them.
  ///
  /// A lone comment's is empty.
  public var marks: [Mark]
  /// The comments that touch each other and the marks before them.
  public var thread: [Mark]

  /// What the entry is.
  public var kind: MarkKind { marks.first?.kind ?? .comment }
  /// From the first mark's opener to the last closer, the thread included.
  public var range: Range<Int> {
    let all = marks + thread
    return (all.first?.start ?? 0)..<(all.last?.end ?? 0)
  }
  /// From the first mark's opener to its last closer; a lone comment's own range.
  public var markRange: Range<Int> {
    guard let first = marks.first, let last = marks.last else { return range }
    return first.start..<last.end
  }
}

extension Change {
  /// The text that was there before, marks inside resolved; empty for an addition.
  public func old(in reading: Reading, _ bytes: [UInt8]) -> [UInt8] {
    text(.original, reading, bytes)
  }

  /// The text that is there now, marks inside resolved; empty for a deletion.
  public func new(in reading: Reading, _ bytes: [UInt8]) -> [UInt8] { text(.clean, reading, bytes) }

  /// The comments' texts as they are written; an attribution is none.
  public func comments(in bytes: [UInt8]) -> [[UInt8]] {
    remarks(in: bytes).map { Array(bytes[$0.content]) }
  }

  /// The comments of the thread that say something; those of a lone comment all count.
  public func remarks(in bytes: [UInt8]) -> [Mark] {
    if marks.isEmpty || thread.isEmpty { return thread }
    return thread.filter { !$0.isAttribution(in: bytes) }
  }

  /// Whether somebody has said something about the change; who made it is not enough.
  public func isCommented(in bytes: [UInt8]) -> Bool {
    thread.contains { !$0.isAttribution(in: bytes) }
  }

  private func text(_ variant: Variant, _ reading: Reading, _ bytes: [UInt8]) -> [UInt8] {
    // By far the most.
    if marks.count == 1, marks[0].inner == 0 {
      return (variant == .clean ? marks[0].new : marks[0].old).map { Array(bytes[$0]) } ?? []
    }
    return marks.flatMap { mark -> [UInt8] in
      let first = reading.index(of: mark)
      return reading.ranges(variant, in: mark.range, from: first).flatMap { bytes[$0] }
    }
  }
}

extension Reading {
  /// Every change, highlight and lone comment, by where it starts; those inside highlights too.
  ///
  /// Linear in the marks.
  public var changes: [Change] {
    var changes: [Change] = []
    forEachChange { parts in
      changes.append(Change(marks: marks(parts.marks), thread: marks(parts.thread)))
    }
    return changes
  }

  /// A change as indices of marks; the marks that lie in its own are among them.
  struct ChangeParts {
    var marks: Range<Int>
    var thread: Range<Int>
  }

  /// Calls `body` with what would be in ``changes``.
  ///
  /// Linear in the marks.
  func forEachChange(_ body: (ChangeParts) -> Void) {
    // The highlights that are walked through, with where they are over and where to go on then.
    var highlights: [(end: Int, next: Int)] = []
    var index = 0
    while true {
      while let last = highlights.last, last.end == index {
        index = last.next
        highlights.removeLast()
      }
      guard index < marks.count else { return }
      let kind = marks[index].kind
      var end = kind == .comment ? index : after(index)
      while kind.isChange, end < marks.count, marks[end].kind == kind,
        marks[end].metadataHash == marks[index].metadataHash, touches(index, end)
      { end = after(end) }
      var threadEnd = end
      while threadEnd < marks.count, marks[threadEnd].kind == .comment,
        threadEnd == index || touches(index, threadEnd)
      { threadEnd = after(threadEnd) }
      body(ChangeParts(marks: index..<end, thread: end..<threadEnd))
      if kind == .highlight, marks[index].inner > 0 {
        // Its changes are one's own to settle; its thread comes after them.
        highlights.append((end, threadEnd))
        index += 1
      } else {
        index = threadEnd
      }
    }
  }

  /// The index of the next mark that does not lie in this one.
  private func after(_ index: Int) -> Int { index + 1 + marks[index].inner }

  /// Whether the mark at `index` begins where what lies before it ends, from the one at `first` on.
  private func touches(_ first: Int, _ index: Int) -> Bool {
    guard marks[index].depth == marks[first].depth else { return false }
    var before = index - 1
    while marks[before].depth > marks[first].depth { before -= 1 }
    return marks[before].end == marks[index].start
  }

  /// The marks of a range of indices that lie in no other of them.
  private func marks(_ range: Range<Int>) -> [Mark] {
    var found: [Mark] = []
    var index = range.lowerBound
    while index < range.upperBound {
      found.append(marks[index])
      index = after(index)
    }
    return found
  }

  /// The index of a mark of this reading.
  ///
  /// Logarithmic.
  func index(of mark: Mark) -> Int {
    marks.partitioningIndex { $0.start >= mark.start }
  }
}
