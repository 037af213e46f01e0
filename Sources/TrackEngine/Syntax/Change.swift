/// An entry of the list of changes: an addition, deletion or substitution, a highlight, or a comment
/// that stands alone; with its thread.
public struct Change: Equatable, Sendable {
  /// The marks of the change: adjacent marks of one kind are one change, unless their metadata from other tools
  /// differs.
  ///
  /// Empty for a lone comment.
  public var marks: [Mark]
  /// The comments directly after the marks, without a gap.
  public var thread: [Mark]

  /// The kind of the entry.
  public var kind: MarkKind { marks.first?.kind ?? .comment }
  /// From the first mark's opener to the last closer, the thread included.
  public var range: Range<Int> {
    ((marks.first ?? thread.first)?.start ?? 0)..<((thread.last ?? marks.last)?.end ?? 0)
  }
  /// From the first mark's opener to its last closer; a lone comment's own range.
  public var markRange: Range<Int> {
    guard let first = marks.first, let last = marks.last else { return range }
    return first.start..<last.end
  }
}

extension Change {
  /// The text before the change, marks inside it resolved; empty for an addition.
  public func old(in reading: Reading, _ bytes: [UInt8]) -> [UInt8] {
    text(.original, reading, bytes)
  }

  /// The text after the change, marks inside it resolved; empty for a deletion.
  public func new(in reading: Reading, _ bytes: [UInt8]) -> [UInt8] { text(.clean, reading, bytes) }

  /// The texts of the comments as written, without attributions.
  public func comments(in bytes: [UInt8]) -> [[UInt8]] {
    remarks(in: bytes).map { Array(bytes[$0.content]) }
  }

  /// The comments of the thread without attributions; all comments of a lone comment.
  public func remarks(in bytes: [UInt8]) -> [Mark] {
    if marks.isEmpty || thread.isEmpty { return thread }
    return thread.filter { !$0.isAttribution(in: bytes) }
  }

  /// The comment with which its thread begins; nil if it has none but attributions.
  func firstComment(in bytes: [UInt8]) -> Mark? { bytes.withUnsafeBufferPointer(firstComment) }

  /// The same for borrowed bytes.
  private func firstComment(in bytes: Bytes) -> Mark? {
    thread.first { !$0.isAttribution(in: bytes) }
  }

  /// Whether somebody has commented on the change; an attribution alone does not count.
  public func isCommented(in bytes: [UInt8]) -> Bool { firstComment(in: bytes) != nil }

  /// Whether its thread is resolved: its first comment begins with `[resolved]`, after the author.
  ///
  /// What answers it does not matter.
  public func isResolved(in bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer(isResolved) == true
  }

  /// The same for borrowed bytes; nil if nobody has commented on the change.
  func isResolved(in bytes: Bytes) -> Bool? { firstComment(in: bytes)?.isResolved(in: bytes) }

  /// What is nested in so many marks is told by its beginning alone, in bytes: each mark of many in one another holds
  /// the text of all in it.
  private static let deepest = 32
  private static let beginning = 1024

  private func text(_ variant: Variant, _ reading: Reading, _ bytes: [UInt8]) -> [UInt8] {
    // The most common case.
    if marks.count == 1, marks[0].inner == 0 {
      return (variant == .clean ? marks[0].new : marks[0].old).map { Array(bytes[$0]) } ?? []
    }
    return marks.flatMap { mark -> [UInt8] in
      let first = reading.index(of: mark)
      let isDeep = mark.depth >= Change.deepest && mark.range.count > Change.beginning
      let stretch = isDeep ? mark.start..<mark.start + Change.beginning : mark.range
      let text = reading.ranges(variant, in: stretch, from: first).flatMap { bytes[$0] }
      return isDeep ? Array(text[...].wholeCharacters) : text
    }
  }
}

extension Reading {
  /// Every change, highlight and lone comment, by where it starts, including those inside highlights.
  ///
  /// Linear in the marks.
  public var changes: [Change] {
    var changes: [Change] = []
    eachChange { changes.append($0) }
    return changes
  }

  /// Calls `body` with each of ``changes``, one after the other, so that they need not all be in memory.
  ///
  /// Linear in the marks.
  public func eachChange(_ body: (Change) -> Void) {
    forEachChange { parts in
      body(Change(marks: marks(parts.marks), thread: marks(parts.thread)))
    }
  }

  /// A change as indices of marks; the ranges include the marks inside its own.
  struct ChangeParts {
    var marks: Range<Int>
    var thread: Range<Int>
  }

  /// Calls `body` with each entry of ``changes``.
  ///
  /// Linear in the marks.
  func forEachChange(_ body: (ChangeParts) -> Void) {
    // The open highlights: where each ends, and the index to continue from.
    var highlights: [(end: Int, next: Int)] = []
    var index = 0
    while true {
      while let last = highlights.last, last.end == index {
        index = last.next
        highlights.removeLast()
      }
      guard index < marks.count else { return }
      let parts = parts(at: index) { $0.metadataHash == $1.metadataHash }
      body(parts)
      if marks[index].kind == .highlight, marks[index].inner > 0 {
        // Changes in it are resolved by themselves; its thread comes after them.
        highlights.append((parts.marks.upperBound, parts.thread.upperBound))
        index += 1
      } else {
        index = parts.thread.upperBound
      }
    }
  }

  /// The change, highlight or lone comment that begins with the mark at an index: the marks that touch it and are of
  /// its kind, if they are one with it, and the comments that touch those and each other.
  @inline(__always)
  func parts(at index: Int, where isOne: (Mark, Mark) -> Bool) -> ChangeParts {
    let kind = marks[index].kind
    var (last, end) = (index, after(index))
    while kind.isChange, end < marks.count, marks[end].kind == kind, touches(last, end),
      isOne(marks[index], marks[end])
    { (last, end) = (end, after(end)) }
    if kind == .comment { end = index }
    return ChangeParts(marks: index..<end, thread: end..<thread(behind: last).upperBound)
  }

  /// The indices of the comments that touch the end of a mark, or each other there, with the marks in them.
  @inline(__always)
  func thread(behind index: Int) -> Range<Int> {
    var (last, end) = (index, after(index))
    while end < marks.count, marks[end].kind == .comment, touches(last, end) {
      (last, end) = (end, after(end))
    }
    return after(index)..<end
  }

  /// Where the comments behind a mark end; its own end if there are none.
  func threadEnd(behind index: Int) -> Int {
    marks[outermost(thread(behind: index)).last ?? index].end
  }

  /// The index of the next mark that is not inside this one.
  func after(_ index: Int) -> Int { index + 1 + marks[index].inner }

  /// Whether the mark at `index` begins where the one at `last` ends, in the same marks.
  func touches(_ last: Int, _ index: Int) -> Bool {
    marks[index].depth == marks[last].depth && marks[last].end == marks[index].start
  }

  /// The outermost marks of a range of indices.
  private func marks(_ range: Range<Int>) -> [Mark] { outermost(range).map { marks[$0] } }

  /// The index of a mark of this reading.
  ///
  /// Logarithmic.
  func index(of mark: Mark) -> Int {
    marks.partitioningIndex { $0.start >= mark.start }
  }
}
