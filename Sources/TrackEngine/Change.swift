/// An entry of the list of changes: an addition, deletion or substitution, a highlight, or a comment
/// that stands alone; with its thread.
public struct Change: Equatable, Sendable {
  /// The marks of the change: touching marks of one kind are one change.
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

  /// The comments' texts as they are written.
  public func comments(in bytes: [UInt8]) -> [[UInt8]] { thread.map { Array(bytes[$0.content]) } }

  private func text(_ variant: Variant, _ reading: Reading, _ bytes: [UInt8]) -> [UInt8] {
    marks.flatMap { mark -> [UInt8] in
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
    var index = 0
    while index < marks.count {
      let mark = marks[index]
      if mark.kind == .comment {
        if let last = changes.last, last.range.upperBound == mark.start,
          last.depth == mark.depth
        {
          changes[changes.count - 1].thread.append(mark)
        } else {
          changes.append(Change(marks: [], thread: [mark]))
        }
      } else if mark.kind.isChange, let last = changes.last, last.thread.isEmpty,
        last.kind == mark.kind, last.range.upperBound == mark.start, last.depth == mark.depth
      {
        changes[changes.count - 1].marks.append(mark)
      } else {
        changes.append(Change(marks: [mark], thread: []))
      }
      if mark.kind == .highlight, mark.inner > 0 {
        // Its changes are one's own to settle; its thread comes behind them and is looked up here.
        changes[changes.count - 1].thread = thread(after: index)
        index += 1
      } else {
        index += 1 + mark.inner
      }
    }
    // The thread of a highlight with marks inside was met again on the way: once is enough.
    let taken = Set(changes.filter { !$0.marks.isEmpty }.flatMap { $0.thread.map(\.start) })
    return changes.filter { change in
      !(change.marks.isEmpty && change.thread.allSatisfy { taken.contains($0.start) })
    }
  }

  private func thread(after index: Int) -> [Mark] {
    var thread: [Mark] = []
    var next = index + 1 + marks[index].inner
    var end = marks[index].end
    while next < marks.count, marks[next].kind == .comment, marks[next].start == end {
      thread.append(marks[next])
      end = marks[next].end
      next += 1 + marks[next].inner
    }
    return thread
  }

  /// The index of a mark of this reading.
  ///
  /// Logarithmic.
  func index(of mark: Mark) -> Int {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if marks[middle].start < mark.start { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Change {
  fileprivate var depth: Int { (marks.first ?? thread.first)?.depth ?? 0 }
}
