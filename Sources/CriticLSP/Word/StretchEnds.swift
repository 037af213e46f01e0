/// Where the stretches of a text with tracked changes begin and end, while it is read a second time.
///
/// A sentinel may be in each of the two texts at another place. Then a stretch is where the clean text has it, or else
/// where the original text has both ends, or else as long as it can be.
struct StretchEnds {
  /// What happens at a sentinel.
  enum Event {
    case nothing
    case start
    case end
    case startAndEnd
  }

  /// In which of the texts a stretch has its ends.
  private struct Sides {
    var hasStart = (clean: false, original: false)
    var hasEnd = (clean: false, original: false)
    var isBegun = false
    /// How many ends are still to come: in both texts, in the clean one only, in the original one only.
    var ends = (both: 0, clean: 0, original: 0)
  }

  private var stretches: [Int: Sides] = [:]

  /// Notes a sentinel while the text is read the first time.
  mutating func note(_ sentinel: Sentinel, _ state: MergedToken.State) {
    var sides = stretches[sentinel.number] ?? Sides()
    let (isClean, isOriginal) = (state.isIn(clean: true), state.isIn(clean: false))
    if sentinel.isStart {
      sides.hasStart.clean = sides.hasStart.clean || isClean
      sides.hasStart.original = sides.hasStart.original || isOriginal
    } else {
      sides.hasEnd.clean = sides.hasEnd.clean || isClean
      sides.hasEnd.original = sides.hasEnd.original || isOriginal
      switch state {
      case .both: sides.ends.both += 1
      case .inserted: sides.ends.clean += 1
      case .deleted: sides.ends.original += 1
      }
    }
    stretches[sentinel.number] = sides
  }

  /// What happens at a sentinel when the text is read the second time.
  mutating func meet(_ sentinel: Sentinel, _ state: MergedToken.State) -> Event {
    guard var sides = stretches[sentinel.number] else { return .nothing }
    defer { stretches[sentinel.number] = sides }
    let isOfClean = sides.hasStart.clean && sides.hasEnd.clean
    let isOfOriginal = !isOfClean && sides.hasStart.original && sides.hasEnd.original
    if isOfClean, !state.isIn(clean: true) { return .nothing }
    if isOfOriginal, !state.isIn(clean: false) { return .nothing }
    let wasBegun = sides.isBegun
    sides.isBegun = true
    guard !sentinel.isStart else {
      let hasEnd = sides.hasEnd.clean || sides.hasEnd.original
      return wasBegun ? .nothing : hasEnd ? .start : .startAndEnd
    }
    switch state {
    case .both: sides.ends.both -= 1
    case .inserted: sides.ends.clean -= 1
    case .deleted: sides.ends.original -= 1
    }
    var left = sides.ends.both
    if !isOfOriginal { left += sides.ends.clean }
    if !isOfClean { left += sides.ends.original }
    guard left == 0 else { return .nothing }
    return wasBegun ? .end : .startAndEnd
  }
}
