/// What became of the marks of a text that comes back from other hands.
public enum MarkLoss: Sendable {
  /// There were none, or many are there still.
  case none
  /// Few are left or none, and that may be meant: the others were accepted or rejected, and nothing else was changed.
  case unclear
  /// None is left, and the text is another one: somebody, or some program, wrote it without them.
  case lost

  /// Longer texts are not compared, in bytes.
  public static let longest = 1 << 18

  /// Compares two texts; linear, except for a bounded factor.
  ///
  /// - Parameters:
  ///   - old: The text that had the marks.
  ///   - new: The text that came back.
  ///   - language: The language of both.
  public init(of old: [UInt8], in new: [UInt8], as language: Language) {
    guard max(old.count, new.count) <= MarkLoss.longest else {
      self = .none
      return
    }
    let reading = Reading(of: old, as: language)
    let (all, left) = (reading.changes.count, Reading(of: new, as: language).changes.count)
    if all == 0 || !MarkLoss.isFew(left, of: all) {
      self = .none
    } else if left > 0 || isDecided(old, as: new, in: language) {
      self = .unclear
    } else {
      self = .lost
    }
  }
}

extension MarkLoss {
  /// Whether few of a text's marks are in another one as they were, or none; linear.
  ///
  /// - Parameters:
  ///   - old: The text that had the marks.
  ///   - new: The other one, which may have marks of its own.
  ///   - language: The language of both.
  /// - Returns: Whether at most one in ten is there.
  public static func isLost(_ old: [UInt8], in new: [UInt8], as language: Language) -> Bool {
    let before = Reading(of: old, as: language).changes
    let now = Reading(of: new, as: language).changes
    var there: [ArraySlice<UInt8>: Int] = [:]
    for change in now { there[new[change.range], default: 0] += 1 }
    let kept = before.count { change in
      guard let count = there[old[change.range]], count > 0 else { return false }
      there[old[change.range]] = count - 1
      return true
    }
    return isFew(kept, of: before.count)
  }

  /// How many ways of deciding are gone together.
  fileprivate static let mostEnds = 64

  private static func isFew(_ kept: Int, of all: Int) -> Bool { 10 * kept <= all }
}

/// Whether a text is what decisions leave of another one: each change accepted, rejected or left as it is, with or
/// without its comments, and all other text the same, but for front matter, line ends and line breaks at the end.
///
/// If too many ways lead there to try them all, it counts as one.
private func isDecided(_ old: [UInt8], as new: [UInt8], in language: Language) -> Bool {
  let old = old.withLineEnds(of: new).withoutLastLineBreaks
  let new = new.withoutLastLineBreaks
  let reading = Reading(of: old, as: language)
  if [Variant.clean, .original].contains(where: { reading.export($0, of: old) == new }) {
    return true
  }
  var at = old.headLength
  // Where in the new text what was read so far can end.
  var ends: Set<Int> = [new.headLength]
  func go(on pieces: [ArraySlice<UInt8>]) {
    ends = ends.reduce(into: []) { next, end in
      for piece in pieces where new[end...].starts(with: piece) { next.insert(end + piece.count) }
    }
  }
  for change in reading.changes where change.range.lowerBound >= at {
    go(on: [old[at..<change.range.lowerBound]])
    go(on: [
      change.new(in: reading, old)[...], change.old(in: reading, old)[...],
      old[change.range], change.marks.isEmpty ? [] : old[change.markRange],
    ])
    guard !ends.isEmpty else { return false }
    guard ends.count <= MarkLoss.mostEnds else { return true }
    at = change.range.upperBound
  }
  return ends.contains { new[$0...] == old[at...] }
}

extension [UInt8] {
  /// The text without the line breaks at its end.
  var withoutLastLineBreaks: [UInt8] {
    Array(self[..<(lastIndex { !$0.isLineBreak }.map { $0 + 1 } ?? 0)])
  }
}
