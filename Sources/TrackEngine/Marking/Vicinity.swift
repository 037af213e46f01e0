/// A stretch of the text that reads independently of the rest, before and after the changes in it: what marking
/// has to look at.
struct Vicinity {
  /// The stretch in the settled text.
  var old: Range<Int>
  /// The stretch in the buffer.
  var new: Range<Int>
  /// The text of the stretch in the buffer.
  var buffer: Text
  /// The changes in it, with offsets relative to it.
  var hunks: [Hunk]
  /// Whether it is at the beginning of the text.
  var isFirst: Bool
  /// Whether it is at the end of the text.
  var isLast: Bool

  /// All of a text.
  init(_ hunks: [Hunk], in buffer: Text) {
    new = 0..<buffer.count
    old = 0..<buffer.count - hunks.growth
    self.buffer = buffer
    self.hunks = hunks
    isFirst = true
    isLast = true
  }

  private init(_ bounds: Bounds, _ hunks: ArraySlice<Hunk>, in buffer: Draft, _ map: OffsetMap) {
    old = bounds.range
    new = map.map(old, start: .before, end: .after)
    self.buffer = Text(Array(buffer.text[new]))
    let (oldStart, newStart) = (old.lowerBound, new.lowerBound)
    self.hunks = hunks.map { $0.moved(old: -oldStart, new: -newStart) }
    isFirst = new.lowerBound == 0
    isLast = new.upperBound == buffer.text.count
  }
}

extension Vicinity {
  /// The hunks of a vicinity, and its stretch of the settled text.
  private struct Bounds {
    var hunks: Range<Int>
    var range: Range<Int>
  }

  /// Changes closer together than this many bytes are handled together.
  private static let nearness = 8192

  /// The vicinities of all hunks, in order.
  static func all(
    of hunks: [Hunk],
    in buffer: Draft,
    _ options: Tracker.Options
  ) -> [Vicinity] {
    let search = Search(hunks, in: buffer, options)
    var all: [Bounds] = []
    while var next = search.bounds(after: all.last) {
      // A vicinity that reaches back includes all it meets, since that may hold more before it.
      while let last = all.last, search.meets(last, next) {
        all.removeLast()
        next = search.joined(last, next)
      }
      all.append(next)
    }
    return all.map { bounds in
      Vicinity(bounds, hunks[bounds.hunks], in: buffer, search.toBuffer)
    }
  }

  /// Finds stretches that begin and end with passages in both the settled text and the buffer.
  private struct Search {
    let hunks: [Hunk]
    let buffer: Draft
    let settled: Draft
    /// Maps offsets of the settled text to offsets of the buffer.
    let toBuffer: OffsetMap
    private let toSettled: OffsetMap
    private var frontMatter = 0..<0
    private var annotations = 0..<0

    init(_ hunks: [Hunk], in buffer: Draft, _ options: Tracker.Options) {
      self.hunks = hunks
      self.buffer = buffer
      settled = buffer.applying(hunks.inverted)
      toBuffer = OffsetMap(hunks)
      toSettled = toBuffer.inverted
      guard !options.tracksFrontMatter else { return }
      let old = settled.text.frontMatter.upperBound
      let new = buffer.text.frontMatter.upperBound
      frontMatter = 0..<max(old, toSettled.map(new, bias: .after))
      let known = settled.text.annotations.lowerBound
      let now = toSettled.map(buffer.text.annotations.lowerBound, bias: .before)
      annotations = min(known, now)..<settled.text.count
    }

    func bounds(after last: Bounds?) -> Bounds? {
      let first = last?.hunks.upperBound ?? 0
      guard first < hunks.count else { return nil }
      var bounds = Bounds(hunks: first..<first + 1, range: hunks[first].old)
      widen(&bounds)
      // The meaning of a change can depend on the text before and after it.
      let range = bounds.range
      bounds.range = max(0, range.lowerBound - 1)..<min(settled.text.count, range.upperBound + 1)
      widen(&bounds)
      return bounds
    }

    /// Whether the second bounds reach back into the first.
    func meets(_ first: Bounds, _ second: Bounds) -> Bool {
      first.hunks.upperBound > second.hunks.lowerBound
        || first.range.upperBound > second.range.lowerBound
    }

    /// The bounds of two vicinities and all between them.
    func joined(_ first: Bounds, _ second: Bounds) -> Bounds {
      var bounds = Bounds(
        hunks: first.hunks.joined(with: second.hunks),
        range: first.range.joined(with: second.range)
      )
      widen(&bounds)
      return bounds
    }

    /// Widens bounds until they cut nothing and nothing else is near.
    private func widen(_ bounds: inout Bounds) {
      while true {
        let known = bounds.range
        addNearHunks(&bounds)
        let old = settled.stretch(holding: bounds.range)
        let new = buffer.stretch(
          holding: toBuffer.map(bounds.range, start: .before, end: .after)
        )
        bounds.range = old.joined(with: toSettled.map(new, start: .before, end: .after))
        if !frontMatter.isEmpty, bounds.range.lowerBound <= frontMatter.upperBound {
          bounds.range = 0..<max(bounds.range.upperBound, frontMatter.upperBound)
        }
        if !annotations.isEmpty, bounds.range.upperBound >= annotations.lowerBound {
          bounds.range = bounds.range.joined(with: annotations)
        }
        if bounds.range == known { return }
      }
    }

    private func addNearHunks(_ bounds: inout Bounds) {
      var (first, end) = (bounds.hunks.lowerBound, bounds.hunks.upperBound)
      var (low, high) = (bounds.range.lowerBound, bounds.range.upperBound)
      while first > 0, isNear(hunks[first - 1], low - hunks[first - 1].old.upperBound) {
        first -= 1
        low = min(low, hunks[first].old.lowerBound)
      }
      while end < hunks.count, isNear(hunks[end], hunks[end].old.lowerBound - high) {
        high = max(high, hunks[end].old.upperBound)
        end += 1
      }
      bounds = Bounds(hunks: first..<end, range: low..<high)
    }

    /// Stretches that only the client's report separates are no further apart than they are long.
    private func isNear(_ hunk: Hunk, _ distance: Int) -> Bool {
      distance <= max(Vicinity.nearness, hunk.new.count, hunk.old.count)
    }
  }
}
