/// What became of a change that was proposed.
public struct Decision: Equatable, Sendable {
  /// In which way it was settled, if it was.
  public enum Outcome: String, CaseIterable, Sendable {
    /// Its new text stands there.
    case accepted
    /// Its old text stands there.
    case rejected
    /// Something else stands there.
    case edited
    /// It is in marks still, as it was or with another text.
    case pending
    /// Of a highlight or a comment that stands alone: it is gone.
    case settled
  }

  /// What became of it.
  public let outcome: Outcome
  /// The text that stands there now; nil where the change is pending, and for a highlight or a comment.
  public let final: [UInt8]?

  init(_ outcome: Outcome, _ final: [UInt8]? = nil) {
    self.outcome = outcome
    self.final = final
  }

  /// What became of each change of a text.
  ///
  /// The later text may hold other edits and other changes. What was settled is told by what stands between the texts
  /// around the change; of choices that lead to the same text one is told. Linear in both texts but for stretches without
  /// four words that are as they were, where it is their lengths times each other, within bounds.
  ///
  /// - Parameters:
  ///   - proposed: The text with the changes.
  ///   - final: The later text.
  /// - Returns: As many as there are ``Reading/changes``, in their order.
  public static func all(of proposed: [UInt8], in final: [UInt8]) -> [Decision] {
    let first = ProposedText(of: proposed)
    let second = FinalText(of: final)
    let places = second.places(of: first)
    let pending = second.pendingAdditions(first, at: places)
    return first.changes.indices.map { index in
      guard let place = places[index] else {
        return Decision(second.hasAnnotation(first.changes[index]) ? .pending : .settled)
      }
      if pending.contains(index) { return Decision(.pending) }
      return second.decision(first.changes[index], at: place)
    }
  }
}

/// A text with changes, taken apart: what no change touches, and the two sides of each change.
struct ProposedText {
  /// A change with both of its texts.
  struct Sides {
    let change: Change
    let old: [UInt8]
    let new: [UInt8]
    /// The new text mark by mark.
    let texts: [[UInt8]]
    let comments: [[UInt8]]
    /// Where it stands between the bytes of ``ProposedText/settled``.
    let place: Int
  }

  /// What is outside of additions, deletions and substitutions.
  private(set) var settled: [UInt8] = []
  /// Where changes part it.
  private(set) var seams: Set<Int> = []
  private(set) var changes: [Sides] = []

  init(of bytes: [UInt8]) {
    let reading = Reading(of: bytes)
    let kept = reading.ranges(.clean, in: bytes.indices, from: 0)
    var next = 0
    var at = 0
    func add(upTo end: Int) {
      while next < kept.count, kept[next].lowerBound < end {
        settled += bytes[kept[next].clamped(to: min(at, end)..<end)]
        if kept[next].upperBound > end { break }
        next += 1
      }
    }
    for change in reading.changes {
      if change.kind.isChange {
        add(upTo: change.markRange.lowerBound)
        at = change.markRange.upperBound
        while next < kept.count, kept[next].upperBound <= at { next += 1 }
        seams.insert(settled.count)
      }
      changes.append(
        Sides(
          change: change,
          old: change.old(in: reading, bytes),
          new: change.new(in: reading, bytes),
          texts: change.marks.map { Change(marks: [$0], thread: []).new(in: reading, bytes) },
          comments: change.comments(in: bytes),
          place: settled.count
        )
      )
    }
    add(upTo: bytes.count)
  }
}

/// The later text: as it is with every change rejected, for changes that came later have left that as it was.
struct FinalText {
  let markup: ParsedText
  let changes: [ProposedText.Sides]
  /// The original text.
  let bytes: [UInt8]
  /// What the clean text has of the marked-up text, in order.
  private let kept: [Range<Int>]
  /// Where each of its bytes is in the marked-up text.
  private let offsets: [Int]
  /// The bytes that a change would take out.
  let isMarked: [Bool]

  init(of text: [UInt8]) {
    markup = ParsedText(text)
    changes = ProposedText(of: text).changes
    kept = markup.reading.ranges(.clean, in: text.indices, from: 0)
    offsets = markup.reading.ranges(.original, in: text.indices, from: 0).flatMap { Array($0) }
    bytes = offsets.map { text[$0] }
    var isMarked = Array(repeating: false, count: offsets.count)
    for side in changes where side.change.kind.isChange {
      let range = side.change.markRange
      var index = offsets.partitioningIndex { $0 >= range.lowerBound }
      while index < offsets.count, offsets[index] < range.upperBound {
        isMarked[index] = true
        index += 1
      }
    }
    self.isMarked = isMarked
  }

  /// Where each addition, deletion and substitution of an earlier text is in the original text, by its index.
  func places(of proposed: ProposedText) -> [Int: ChangePlace] {
    let anchors = commonWords(proposed)
    let tracked = proposed.changes.indices.filter { proposed.changes[$0].change.kind.isChange }
    var places: [Int: ChangePlace] = [:]
    var rest = tracked[...]
    while let first = rest.first {
      let next = anchors.partitioningIndex { $0.old >= proposed.changes[first].place }
      let start = next > 0 ? anchors[next - 1] : (0, 0)
      let end = next < anchors.count ? anchors[next] : (proposed.settled.count, bytes.count)
      let group = rest.prefix { proposed.changes[$0].place <= end.0 }
      let alignment = ChangeAlignment(
        of: group.map { proposed.changes[$0] },
        in: proposed.settled,
        start.0..<end.0,
        with: self,
        start.1..<end.1
      )
      for (index, place) in zip(group, alignment.places()) { places[index] = place }
      rest = rest[group.endIndex...]
    }
    return places
  }

  /// Where both texts have the same words, so many one after the other that no change is among them.
  private func commonWords(_ proposed: ProposedText) -> [(old: Int, new: Int)] {
    let old = proposed.settled.windows(partedAt: proposed.seams)
    let new = bytes.windows(partedAt: [])
    var known: [ArraySlice<UInt8>: Int] = [:]
    func numbers(_ bytes: [UInt8], _ windows: [Range<Int>]) -> [Int] {
      windows.map { window in
        let number = known[bytes[window]] ?? known.count
        known[bytes[window]] = number
        return number
      }
    }
    let pairs = anchoredPairs(numbers(proposed.settled, old), numbers(bytes, new))
    let places = pairs.map { (old: old[$0].lowerBound, new: new[$1].lowerBound) }
    // Where words come again near each other, those of one place can be taken for those of the next.
    return places.indices.filter { index in
      [index - 1, index + 1].allSatisfy { other in
        !places.indices.contains(other)
          || places[other].new - places[other].old == places[index].new - places[index].old
      }
    }.map { places[$0] }
  }

  /// What stands in a stretch of the original text when every change is accepted.
  private func clean(_ range: Range<Int>) -> [UInt8] {
    guard let first = range.first, let last = range.last else { return [] }
    var stretch = offsets[first]..<offsets[last] + 1
    let next = changes.partitioningIndex { $0.change.range.upperBound > stretch.lowerBound }
    for side in changes[next...].prefix(while: { $0.change.range.lowerBound < stretch.upperBound })
    where side.change.kind.isChange && side.change.markRange.overlaps(stretch) {
      stretch = stretch.joined(with: side.change.markRange)
    }
    let start = kept.partitioningIndex { $0.upperBound > stretch.lowerBound }
    let parts = kept[start...].prefix { $0.lowerBound < stretch.upperBound }
    return parts.flatMap { markup.bytes[$0.clamped(to: stretch)] }
  }

  /// What became of a change that is no addition in marks.
  func decision(_ side: ProposedText.Sides, at place: ChangePlace) -> Decision {
    if !place.isNew, place.range.contains(where: { isMarked[$0] }) { return Decision(.pending) }
    // What was put in beside it later is none of its business.
    if let matched = place.matched {
      return Decision(place.isNew ? .accepted : .rejected, clean(matched))
    }
    return Decision(.edited, clean(place.range))
  }

  /// Which additions of an earlier text are in marks still, by their index.
  ///
  /// Of several at one place those are whose text is; where an addition there has another text, all that are left.
  func pendingAdditions(_ proposed: ProposedText, at places: [Int: ChangePlace]) -> Set<Int> {
    var free = markup.reading.marks.indices.filter { markup.reading.marks[$0].kind == .addition }
    let additions = proposed.changes.indices.filter { index in
      guard proposed.changes[index].old.isEmpty, let place = places[index] else { return false }
      return !place.isNew && place.range.isEmpty
    }
    var pending: Set<Int> = []
    for index in additions {
      let place = places[index]?.range.lowerBound
      for text in proposed.changes[index].texts {
        let found = free.firstIndex { mark in
          isMark(mark, at: place)
            && markup.text(.clean, in: markup.reading.marks[mark].range) == text
        }
        guard let found else { continue }
        free.remove(at: found)
        pending.insert(index)
      }
    }
    for index in additions
    where free.contains(where: { isMark($0, at: places[index]?.range.lowerBound) }) {
      pending.insert(index)
    }
    return pending
  }

  /// Whether a mark stands between the bytes of the original text at an offset of that.
  private func isMark(_ index: Int, at offset: Int?) -> Bool {
    guard let offset else { return false }
    let mark = markup.reading.marks[index]
    return (offset == 0 || offsets[offset - 1] < mark.start)
      && (offset == offsets.count || mark.end <= offsets[offset])
  }

  /// Whether a highlight or a comment that stands alone is there still: one of the same text, or with the same comments.
  func hasAnnotation(_ side: ProposedText.Sides) -> Bool {
    changes.contains { other in
      guard other.change.kind == side.change.kind else { return false }
      if !side.comments.isEmpty, other.comments.starts(with: side.comments) { return true }
      // Changes in it may have been settled.
      return side.change.kind == .highlight && (other.new == side.new || other.old == side.old)
    }
  }
}

extension [UInt8] {
  /// How many words have to be the same for them to be the same place.
  private static var width: Int { 4 }

  /// Runs of words, one that begins at each word.
  ///
  /// - Parameter seams: Offsets over which none reaches.
  /// - Returns: Ranges, by where they begin.
  fileprivate func windows(partedAt seams: Set<Int>) -> [Range<Int>] {
    var windows: [Range<Int>] = []
    /// Where the last words began.
    var starts: [Int] = []
    var isInWord = false
    for offset in 0...count {
      if seams.contains(offset) {
        starts = []
        // What is left of a word is none.
        isInWord = true
      }
      let isWord = offset < count && !self[offset].isSpace && !self[offset].isLineBreak
      if isWord, !isInWord { starts.append(offset) }
      if !isWord, isInWord, starts.count == Self.width {
        windows.append(starts.removeFirst()..<offset)
      }
      isInWord = isWord
    }
    return windows
  }
}
