/// How long the stretches of a record are, and their clean text: the mapping between the two, found by sums.
///
/// Invariant: the stretches are passages of the record, in order, and cover it.
struct ProjectedStretches: Sendable {
  /// A passage of the record.
  struct Stretch: Summed {
    /// The number of its bytes.
    let record: Int
    /// The number of bytes of its clean text.
    let clean: Int

    var sum: Lengths { Lengths(record: record, clean: clean) }
  }

  /// How long several of them are together; also a place in both texts.
  struct Lengths: Summable, Equatable {
    var record = 0
    var clean = 0

    mutating func append(_ next: Lengths) {
      record += next.record
      clean += next.clean
    }
  }

  private var rope: Rope<Stretch>

  /// The stretches of a record; linear.
  init(of draft: Draft) {
    rope = Rope(draft.stretches(of: 0..<draft.text.count))
  }

  /// How long both texts are.
  var lengths: Lengths { rope.sum }

  /// Where the stretches begin that hold or touch a range of the clean text, and where they end; logarithmic.
  func places(ofClean range: Range<Int>) -> (start: Lengths, end: Lengths) {
    guard lengths.record > 0 else { return (Lengths(), Lengths()) }
    let start = rope.first { $0.clean >= range.lowerBound }?.before ?? Lengths()
    guard let (index, before) = rope.first(where: { $0.clean > range.upperBound }) else {
      return (start, lengths)
    }
    var end = before
    end.append(rope[index].sum)
    return (start, end)
  }

  /// Where the stretches begin that hold or touch a range of the record, and where they end; logarithmic.
  func places(ofRecord range: Range<Int>) -> (start: Lengths, end: Lengths) {
    let (first, end) = indices(around: range)
    return (rope.sum(before: first), rope.sum(before: end))
  }

  /// Takes the stretches of a record in which a part was replaced.
  ///
  /// - Parameters:
  ///   - difference: What may read differently; it begins and ends where passages do.
  ///   - draft: The new record.
  /// - Returns: What was taken anew, whole stretches.
  mutating func replace(_ difference: Difference, in draft: Draft) -> Replaced {
    let (first, last) = indices(around: difference.old)
    let start = rope.sum(before: first)
    let end = rope.sum(before: last)
    let old = start.record..<end.record
    let new = old.lowerBound..<old.upperBound + difference.growth
    let fresh = draft.stretches(of: new)
    rope.replaceSubrange(first..<last, with: fresh)
    let clean = start.clean..<fresh.reduce(start.clean) { $0 + $1.clean }
    return Replaced(
      record: Difference(old, new),
      clean: Difference(start.clean..<end.clean, clean)
    )
  }

  /// Some stretches and those that replace them, in both texts.
  struct Replaced {
    let record: Difference
    let clean: Difference
  }

  private func indices(
    around range: Range<Int>
  ) -> (first: Rope<Stretch>.Index, end: Rope<Stretch>.Index) {
    guard lengths.record > 0 else { return (rope.startIndex, rope.endIndex) }
    let first = rope.first { $0.record >= range.lowerBound }?.index ?? rope.startIndex
    guard let last = rope.first(where: { $0.record > range.upperBound })?.index else {
      return (min(first, rope.endIndex), rope.endIndex)
    }
    return (min(first, last), rope.index(after: last))
  }
}

extension Draft {
  /// The passages of a range of whole passages, with the lengths of their clean texts; linear in them.
  fileprivate func stretches(of range: Range<Int>) -> [ProjectedStretches.Stretch] {
    guard !range.isEmpty else { return [] }
    let excerpt = excerpt(holding: range)
    let clean = VariantText(.clean, of: excerpt.bytes, excerpt.reading)
    let passages = passages
    var stretches: [ProjectedStretches.Stretch] = []
    var start = range.lowerBound
    var before = clean.offset(ofMarkup: start - excerpt.start)
    while start < range.upperBound {
      let place = passages.place(of: start)
      let end = min(range.upperBound, place.start + passages[place].length)
      let after = clean.offset(ofMarkup: end - excerpt.start)
      stretches.append(ProjectedStretches.Stretch(record: end - start, clean: after - before))
      (start, before) = (end, after)
    }
    return stretches
  }

  /// The passages that a range lies in, read by themselves.
  func excerpt(holding range: Range<Int>) -> Excerpt {
    let stretch = stretch(holding: range)
    return Excerpt(start: stretch.lowerBound, bytes: Array(text[stretch]), language)
  }
}
