/// The pending changes of consecutive states, stored as differences from the previous state.
///
/// Invariant: every 64th state is kept whole.
struct HunkHistory: Sendable {
  /// A hunk without its new text: whoever returns to a state has the buffer, which holds it.
  private struct Kept: Equatable, Replacement {
    var old: Range<Int>
    var removed: [UInt8]
    var newCount: Int
    var manner: Hunk.Manner
    var replaced: Range<Int> { old }

    init(_ hunk: Hunk) {
      old = hunk.old
      removed = hunk.removed
      newCount = hunk.new.count
      manner = hunk.manner
    }

    func keeps(_ hunk: Hunk) -> Bool {
      old == hunk.old && newCount == hunk.new.count && manner == hunk.manner
        && removed == hunk.removed
    }
  }

  /// Which hunks of the previous state are replaced, and by what.
  private struct Step {
    var range: Range<Int>
    var new: [Kept]

    init(from known: [Kept], to hunks: [Hunk]) {
      self.init(from: known, to: hunks, isSame: { $0.keeps($1) }, Kept.init)
    }

    init(from known: [Kept], to hunks: [Kept]) {
      self.init(from: known, to: hunks, isSame: ==) { $0 }
    }

    private init<Other>(
      from known: [Kept],
      to hunks: [Other],
      isSame: (Kept, Other) -> Bool,
      _ kept: (Other) -> Kept
    ) {
      let least = min(known.count, hunks.count)
      var start = 0
      while start < least, isSame(known[start], hunks[start]) { start += 1 }
      var end = 0
      while end < least - start,
        isSame(known[known.count - 1 - end], hunks[hunks.count - 1 - end])
      { end += 1 }
      range = start..<known.count - end
      new = hunks[start..<hunks.count - end].map(kept)
    }
  }

  private var steps: [Step] = []
  private var last: [Kept] = []

  static let interval = 64

  /// Adds a state; linear in its hunks.
  mutating func append(_ hunks: [Hunk]) {
    let step = Step(from: last, to: hunks)
    last.replaceSubrange(step.range, with: step.new)
    steps.append(isKeptWhole(steps.count) ? Step(from: [], to: last) : step)
  }

  /// Replaces a state.
  mutating func replace(_ index: Int, with hunks: [Hunk]) {
    let next = index + 1
    let later = next < steps.count && !isKeptWhole(next) ? kept(next) : nil
    steps[index] = Step(from: isKeptWhole(index) ? [] : kept(index - 1), to: hunks)
    if let later { steps[next] = Step(from: kept(index), to: later) }
    if next == steps.count { last = kept(index) }
  }

  /// Forgets the first states; `count` is a multiple of ``interval``.
  mutating func removeFirst(_ count: Int) {
    precondition(isKeptWhole(count))
    steps.removeFirst(count)
  }

  /// The hunks of a state; `buffer` is its text.
  func hunks(_ index: Int, in buffer: Text) -> [Hunk] {
    let kept = kept(index)
    return zip(kept, kept.differences).map { kept, place in
      var hunk = Hunk(Edit(kept.old, Array(buffer[place.new])), removed: kept.removed)
      hunk.manner = kept.manner
      return hunk
    }
  }

  /// The number of hunks stored for all states together.
  var size: Int { steps.reduce(0) { $0 + $1.new.count } }

  private func kept(_ index: Int) -> [Kept] {
    let whole = index - index % HunkHistory.interval
    var hunks = steps[whole].new
    for step in steps[(whole + 1)..<max(whole + 1, index + 1)] {
      hunks.replaceSubrange(step.range, with: step.new)
    }
    return hunks
  }

  private func isKeptWhole(_ index: Int) -> Bool { index % HunkHistory.interval == 0 }
}
