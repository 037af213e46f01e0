import TrackEngine

/// The lines in which two texts differ, each with `-` or `+` before it, as `diff` shows them.
struct ChangedLines {
  /// Longer texts, in lines, are not compared but where they begin and end.
  private static let most = 100

  let bytes: [UInt8]

  /// Compares two texts.
  ///
  /// - Returns: nil if one of them has a single line, or no line is in both.
  init?(_ old: [UInt8], _ new: [UInt8]) {
    let (old, new) = (lines(of: old), lines(of: new))
    guard old.count > 1, new.count > 1 else { return nil }
    let start = zip(old, new).prefix { $0 == $1 }.count
    let (oldRest, newRest) = (old.dropFirst(start), new.dropFirst(start))
    let end = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
    let (from, to) = (Array(oldRest.dropLast(end)), Array(newRest.dropLast(end)))
    let isShort = from.count <= ChangedLines.most && to.count <= ChangedLines.most
    let difference = isShort ? to.difference(from: from) : nil
    let kept = difference.map { from.count - $0.removals.count } ?? 0
    guard start + end + kept > 0 else { return nil }
    bytes = Array(ChangedLines.told(from, to, difference).joined(separator: "\n".utf8))
  }

  private static func told(
    _ old: [ArraySlice<UInt8>],
    _ new: [ArraySlice<UInt8>],
    _ difference: CollectionDifference<ArraySlice<UInt8>>?
  ) -> [[UInt8]] {
    func line(_ sign: String, _ text: ArraySlice<UInt8>) -> [UInt8] { Array(sign.utf8) + text }
    guard let difference else { return old.map { line("-", $0) } + new.map { line("+", $0) } }
    let removed = Set(difference.removals.map(\.offset))
    let inserted = Set(difference.insertions.map(\.offset))
    var told: [[UInt8]] = []
    var (at, newAt) = (0, 0)
    while at < old.count || newAt < new.count {
      if removed.contains(at) {
        told.append(line("-", old[at]))
        at += 1
      } else if inserted.contains(newAt) {
        told.append(line("+", new[newAt]))
        newAt += 1
      } else {
        at += 1
        newAt += 1
      }
    }
    return told
  }
}

/// The lines of a text without their line breaks.
private func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
  text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
