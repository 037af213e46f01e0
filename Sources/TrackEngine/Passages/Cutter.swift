/// Cuts a text of any length into passages, a window at a time.
struct Cutter {
  private(set) var passages: [Passage] = []
  private var effect = Passage.Effect()
  private var fence: Fence?
  private var start = 0
  private var length = Cutter.longest
  private var isAtEnd = false
  private let language: Language
  private let grain: Int

  private static let longest = 1 << 18

  /// Begins a text; passages have at least `grain` bytes.
  init(_ language: Language, in fence: Fence? = nil, grain: Int) {
    self.language = language
    self.fence = fence
    self.grain = grain
  }

  /// The next window of a text of `count` bytes; nil at its end.
  mutating func window(in count: Int) -> Range<Int>? {
    guard start < count else { return nil }
    let end = min(count, start + length)
    isAtEnd = end == count
    return start..<end
  }

  /// Cuts the next window.
  mutating func cut(_ window: Bytes) {
    let cut = Cutting(window, language, in: fence, before: effect, grain: grain)
    let reached = effect.reaches(into: cut.summary.effect)
    guard reached.isEmpty else { return goBack(to: reached, window.count) }
    // Only the end of the text shows where the last passage of a window ends.
    let known = isAtEnd ? cut.passages[...] : cut.passages.dropLast()
    guard let last = cut.passages.last, !known.isEmpty else {
      length = window.count * 2
      return
    }
    for passage in known {
      effect.append(passage.summary.effect)
      start += passage.length
    }
    passages += known
    fence = last.fence
    length = Cutter.longest
  }

  /// Begins again at the first opener that is reached, with a window twice as long, so that the work stays
  /// linear.
  private mutating func goBack(to kinds: MarkKinds, _ count: Int) {
    let end = start + count
    guard
      let first = passages.firstIndex(where: { !$0.summary.effect.loose.isDisjoint(with: kinds) })
    else { preconditionFailure("an opener was seen") }
    fence = passages[first].fence
    for passage in passages[first...] { start -= passage.length }
    passages.removeSubrange(first...)
    effect = Passage.Effect()
    for passage in passages { effect.append(passage.summary.effect) }
    length = 2 * (end - start)
  }
}
