/// The passages of a text, in order, found by offset.
///
/// Invariants, checked by ``checkInvariants(of:)``: passages are those that cutting the text from
/// scratch could make; no opener that a passage leaves open is reached by what later ones hold.
struct Passages {
  /// Where a passage is, and where in the text it begins.
  struct Place: Equatable {
    var index: Rope<Passage>.Index
    var start: Int
  }

  /// What is known of several passages.
  struct Sum: Equatable, Summable {
    var length = 0
    var summary = Passage.Summary()

    mutating func append(_ next: Sum) {
      length += next.length
      summary.append(next.summary)
    }
  }

  private var rope: Rope<Passage>
  /// Where the last edit was, because the next one is usually there too.
  private var hint: Place?

  init(_ passages: [Passage]) {
    rope = Rope(passages)
  }

  /// What is known of all of them.
  var summary: Passage.Summary { rope.sum.summary }

  /// After the last passage.
  var end: Place { Place(index: rope.endIndex, start: rope.sum.length) }

  subscript(place: Place) -> Passage { rope[place.index] }

  /// The passage that holds an offset; the last one for the end of the text.
  func place(of offset: Int) -> Place {
    if let hint, hint.start <= offset, offset - hint.start < self[hint].length { return hint }
    guard let (index, before) = rope.first(where: { $0.length > offset }) else {
      return place(before: end) ?? end
    }
    return Place(index: index, start: before.length)
  }

  func place(after place: Place) -> Place {
    Place(index: rope.index(after: place.index), start: place.start + self[place].length)
  }

  func place(before place: Place) -> Place? {
    guard place.index > rope.startIndex else { return nil }
    let index = rope.index(before: place.index)
    return Place(index: index, start: place.start - rope[index].length)
  }

  /// The changes in the passages before the one that begins at an offset.
  func counts(before offset: Int) -> Counts {
    rope.sum(before: place(of: offset).index).summary.counts
  }

  /// The summary of the passages before a place.
  func effect(before place: Place) -> Passage.Effect {
    rope.sum(before: place.index).summary.effect
  }

  /// The summary of the passages from a place on.
  func effect(from place: Place) -> Passage.Effect {
    rope.sum(from: place.index).summary.effect
  }

  /// The first passage that meets a condition, which must hold for a sum exactly if it holds for one of its
  /// passages.
  func first(where condition: (Passage.Effect) -> Bool) -> Place? {
    guard let (index, before) = rope.first(where: { condition($0.summary.effect) }) else {
      return nil
    }
    return Place(index: index, start: before.length)
  }

  /// The first passage that has to be cut again.
  func firstStale() -> Place? {
    guard let (index, before) = rope.first(where: \.summary.isStale) else { return nil }
    return Place(index: index, start: before.length)
  }

  /// The last one; see ``first(where:)``.
  func last(where condition: (Passage.Effect) -> Bool) -> Place? {
    guard let index = rope.last(where: { condition($0.summary.effect) }) else { return nil }
    return Place(index: index, start: rope.sum(before: index).length)
  }

  /// Changes the length of a passage.
  mutating func grow(_ place: Place, by count: Int) {
    var sum = rope.sums[place.index.block]
    sum.length += count
    rope.update(place.index) {
      $0.length += count
      return sum
    }
    hint = place
  }

  /// Replaces the passages from `first` up to `end`.
  mutating func replace(_ first: Place, _ end: Place, with passages: [Passage]) {
    hint = nil
    rope.replaceSubrange(first.index..<end.index, with: passages)
  }
}

extension Passages {
  /// What is wrong with the invariants; nil if they hold.
  func checkInvariants(of text: Text, _ language: Language) -> String? {
    let all = Array(rope)
    if all.reduce(0, { $0 + $1.length }) != text.count { return "the passages' lengths" }
    var before = Passage.Effect()
    var counts = Counts()
    var start = 0
    for (index, passage) in all.enumerated() {
      if passage.length <= 0 { return "an empty passage" }
      var later = Passage.Effect()
      for next in all[index...] { later.append(next.summary.effect) }
      if !before.reaches(into: later).isEmpty { return "an opener's reach" }
      let bytes = Array(text[start..<start + passage.length])
      let alone = bytes.withUnsafeBufferPointer { Cutting($0, language, in: passage.fence).summary }
      if !alone.effect.isCovered(by: passage.summary.effect)
        || alone.counts != passage.summary.counts
      {
        return "the summary of the passage at \(start)"
      }
      before.append(passage.summary.effect)
      counts.append(passage.summary.counts)
      start += passage.length
    }
    if before != summary.effect || counts != summary.counts { return "the summary" }
    return rope.checkInvariants()
  }
}
