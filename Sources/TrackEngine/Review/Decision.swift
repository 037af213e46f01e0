/// What became of a proposed change.
public struct Decision: Equatable, Sendable {
  /// How the change was settled, if it was.
  public enum Outcome: String, CaseIterable, Sendable {
    /// Its new text is in the document.
    case accepted
    /// Its old text is in the document.
    case rejected
    /// Another text is in the document.
    case edited
    /// It is still in marks, unchanged or with another text.
    case pending
    /// A highlight or a comment that stands alone has been removed.
    case settled
  }

  /// How the change was settled.
  public let outcome: Outcome
  /// The text now in the document; nil if the change is pending, and for a highlight or a comment.
  public let final: [UInt8]?

  init(_ outcome: Outcome, _ final: [UInt8]? = nil) {
    self.outcome = outcome
    self.final = final
  }

  /// What became of each change of a text.
  ///
  /// The later text may have other edits and other changes. A settled change is judged by what is between the
  /// texts around it; if several decisions lead to the same text, one of them is returned. Linear in both
  /// texts, except for stretches without four unchanged words in a row, which take the product of their
  /// lengths, within bounds.
  /// - Parameters:
  ///   - proposed: The text with the changes.
  ///   - final: The later text.
  ///   - language: The language of both.
  /// - Returns: One decision for each of ``Reading/changes``, in order.
  public static func all(
    of proposed: [UInt8],
    in final: [UInt8],
    as language: Language
  ) -> [Decision] {
    let first = ProposedText(of: proposed, as: language)
    let second = FinalText(of: final, as: language)
    let places = second.places(of: first)
    let pending = second.pendingAdditions(first, at: places)
    let annotations = Annotations(of: second.changes)
    return first.changes.indices.map { index in
      guard let place = places[index] else {
        return Decision(annotations.has(first.changes[index]) ? .pending : .settled)
      }
      if pending.contains(index) { return Decision(.pending) }
      return second.decision(first.changes[index], at: place)
    }
  }
}

/// A text with changes, split into the text outside changes and the two sides of each change.
struct ProposedText {
  /// A change with both its texts.
  struct Sides {
    let change: Change
    let old: [UInt8]
    let new: [UInt8]
    /// The new text of each mark.
    let texts: [[UInt8]]
    let comments: [[UInt8]]
    /// The offset of the change in ``ProposedText/settled``.
    let place: Int
  }

  /// The text outside additions, deletions and substitutions.
  private(set) var settled: [UInt8] = []
  /// The offsets of the changes in it.
  private(set) var seams: Set<Int> = []
  private(set) var changes: [Sides] = []

  init(of bytes: [UInt8], as language: Language) {
    let reading = Reading(of: bytes, as: language)
    let kept = reading.ranges(.clean, of: bytes)
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

/// The later text with every change rejected, since later changes have left that as it was.
struct FinalText {
  let markup: ParsedText
  let changes: [ProposedText.Sides]
  /// The original text.
  let bytes: [UInt8]
  /// The ranges of the marked-up text that make up the original text, in order.
  private let kept: [Range<Int>]
  /// The offset in the marked-up text of each byte.
  private let offsets: [Int]
  /// For each byte, whether a change would remove it.
  let isMarked: [Bool]

  init(of text: [UInt8], as language: Language) {
    markup = ParsedText(text, as: language)
    changes = ProposedText(of: text, as: language).changes
    kept = markup.reading.ranges(.clean, of: text)
    offsets = markup.reading.ranges(.original, of: text).flatMap { Array($0) }
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

  /// Where both texts have the same run of words, with no change inside it.
  private func commonWords(_ proposed: ProposedText) -> [(old: Int, new: Int)] {
    let old = proposed.settled.windows(partedAt: proposed.seams)
    let new = bytes.windows(partedAt: [])
    var numbering = Numbering(capacity: old.count + new.count)
    let pairs = proposed.settled.withUnsafeBufferPointer { oldBytes in
      bytes.withUnsafeBufferPointer { newBytes in
        anchoredPairs(
          numbering.numbers(of: oldBytes, in: old),
          numbering.numbers(of: newBytes, in: new)
        )
      }
    }
    let places = pairs.map { (old: old[$0].lowerBound, new: new[$1].lowerBound) }
    // If words recur close together, those of one place can be mistaken for those of the next.
    return places.indices.filter { index in
      [index - 1, index + 1].allSatisfy { other in
        !places.indices.contains(other)
          || places[other].new - places[other].old == places[index].new - places[index].old
      }
    }.map { places[$0] }
  }

  /// A stretch of the original text with every change accepted.
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

  /// The decision on a change that is not an addition in marks.
  func decision(_ side: ProposedText.Sides, at place: ChangePlace) -> Decision {
    if !place.isNew, place.range.contains(where: { isMarked[$0] }) { return Decision(.pending) }
    // Text inserted beside it later does not matter.
    if let matched = place.matched {
      return Decision(place.isNew ? .accepted : .rejected, clean(matched))
    }
    return Decision(.edited, clean(place.range))
  }

  /// The indices of the additions of an earlier text that are still in marks.
  ///
  /// Of several at one place, these are the ones whose text is there; if an addition there has another text,
  /// all the remaining ones. Linear.
  func pendingAdditions(_ proposed: ProposedText, at places: [Int: ChangePlace]) -> Set<Int> {
    var free = additions
    var pending: Set<Int> = []
    var left: [(index: Int, place: Int)] = []
    for index in proposed.changes.indices where proposed.changes[index].old.isEmpty {
      guard let place = places[index], !place.isNew, place.range.isEmpty else { continue }
      let at = place.range.lowerBound
      left.append((index, at))
      for text in proposed.changes[index].texts {
        let isThere = free[at]?.take(text) ?? false
        if isThere { pending.insert(index) }
      }
    }
    for (index, place) in left where free[place].map({ $0.count > 0 }) ?? false {
      pending.insert(index)
    }
    return pending
  }

  /// Texts that are added at one place.
  private struct Additions {
    private var counts: [[UInt8]: Int] = [:]
    private(set) var count = 0

    mutating func put(_ text: [UInt8]) {
      counts[text, default: 0] += 1
      count += 1
    }

    /// Takes one out, if it is there.
    mutating func take(_ text: [UInt8]) -> Bool {
      guard let known = counts[text], known > 0 else { return false }
      counts[text] = known - 1
      count -= 1
      return true
    }
  }

  /// What is added between two bytes of the original text, by the offset of the second.
  private var additions: [Int: Additions] {
    var additions: [Int: Additions] = [:]
    for side in changes where side.change.kind == .addition {
      for (mark, text) in zip(side.change.marks, side.texts) {
        let place = offsets.partitioningIndex { $0 >= mark.start }
        guard place == offsets.count || mark.end <= offsets[place] else { continue }
        additions[place, default: Additions()].put(text)
      }
    }
    return additions
  }
}

/// The highlights and the threads of a text.
struct Annotations {
  /// A thread up to a comment, and the next comment.
  private struct Step: Hashable {
    var thread: Int
    var comment: [UInt8]
  }

  private var old: Set<[UInt8]> = []
  private var new: Set<[UInt8]> = []
  /// The number of each beginning of a thread; those of a highlight are apart from those that stand alone.
  private var threads: [Step: Int] = [:]

  /// Linear.
  init(of changes: [ProposedText.Sides]) {
    for side in changes where !side.change.kind.isChange {
      if side.change.kind == .highlight {
        old.insert(side.old)
        new.insert(side.new)
      }
      var thread = Annotations.root(of: side)
      for comment in side.comments {
        let step = Step(thread: thread, comment: comment)
        thread = threads[step] ?? threads.count
        threads[step] = thread
      }
    }
  }

  private static func root(of side: ProposedText.Sides) -> Int {
    side.change.kind == .highlight ? -1 : -2
  }

  /// Whether a highlight or a comment that stands alone is still there: with the same text, or with the same
  /// comments.
  func has(_ side: ProposedText.Sides) -> Bool {
    // Changes in a highlight may have been settled.
    if side.change.kind == .highlight, new.contains(side.new) || old.contains(side.old) {
      return true
    }
    guard !side.comments.isEmpty else { return false }
    var thread = Annotations.root(of: side)
    for comment in side.comments {
      guard let next = threads[Step(thread: thread, comment: comment)] else { return false }
      thread = next
    }
    return true
  }
}

extension [UInt8] {
  /// How many equal words in a row identify a place.
  private static var width: Int { 4 }

  /// Runs of consecutive words, one beginning at each word.
  ///
  /// - Parameter seams: Offsets that no run may span.
  /// - Returns: Ranges, by where they begin.
  fileprivate func windows(partedAt seams: Set<Int>) -> [Range<Int>] {
    var windows: [Range<Int>] = []
    /// The starts of the last words.
    var starts: [Int] = []
    var isInWord = false
    for offset in 0...count {
      if seams.contains(offset) {
        starts = []
        // The rest of a word is not a word.
        isInWord = true
      }
      let isWord = offset < count && !self[offset].isWhiteSpace
      if isWord, !isInWord { starts.append(offset) }
      if !isWord, isInWord, starts.count == Self.width {
        windows.append(starts.removeFirst()..<offset)
      }
      isInWord = isWord
    }
    return windows
  }
}
