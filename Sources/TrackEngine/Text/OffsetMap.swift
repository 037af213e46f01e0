/// Where the offsets of a text are in the text that edits have made of it.
///
/// Offsets are UTF-8, from 0 to the length of a text. A value. After `StepMap` of prosemirror-transform and
/// `map_pos` of helix-core.
///
/// Invariant, checked by ``checkInvariants()``: the differences are in order and disjoint in both texts, and
/// what lies between two of them is as long in both. They may touch, as edits may. Where they are those of a part
/// of the texts, the map is right in that part.
public struct OffsetMap: Equatable, Sendable {
  /// Where an offset stays at which something was put in.
  public enum Bias: Sendable {
    /// Before that, with the character that it stands after.
    case before
    /// After that, with the character that it stands before.
    case after
  }

  /// What differs between the texts, in order.
  public let differences: [Difference]

  init(_ differences: some Sequence<Difference>) {
    self.differences = Array(differences)
  }

  /// From a text to the one that a list of replacements makes of it.
  init<Replacements: Sequence>(_ replacements: Replacements)
  where Replacements.Element: Replacement {
    self.init(replacements.differences)
  }

  /// From the text before edits to the one after them.
  public init(_ edits: [Edit]) {
    self.init(edits.differences)
  }

  /// From the settled text to the buffer.
  public init(_ hunks: [Hunk]) {
    self.init(hunks.differences)
  }

  /// Where an offset is in the new text.
  ///
  /// In text that was replaced it is as far after the beginning as before, if what took its place goes so far.
  /// Logarithmic.
  ///
  /// - Parameters:
  ///   - offset: An offset of the old text.
  ///   - bias: Where it stays if something was put in there.
  /// - Returns: An offset of the new text.
  public func map(_ offset: Int, bias: Bias) -> Int {
    let next = differences.partitioningIndex {
      $0.old.lowerBound >= offset && (bias == .before || $0.old.upperBound > offset)
    }
    guard next > 0 else {
      return offset + (differences.first.map { $0.new.lowerBound - $0.old.lowerBound } ?? 0)
    }
    let last = differences[next - 1]
    return offset < last.old.upperBound
      ? last.new.lowerBound + min(offset - last.old.lowerBound, last.new.count)
      : last.new.upperBound + (offset - last.old.upperBound)
  }

  /// Where a range is in the new text; logarithmic.
  ///
  /// - Parameters:
  ///   - range: A range of the old text.
  ///   - start: Where its beginning stays.
  ///   - end: Where its end stays. What was put in at the ends is not in the range if nothing else is said.
  /// - Returns: A range of the new text; an empty one is where its beginning is.
  func map(_ range: Range<Int>, start: Bias = .after, end: Bias = .before) -> Range<Int> {
    let lower = map(range.lowerBound, bias: start)
    return lower..<max(lower, map(range.upperBound, bias: end))
  }

  /// Where a range is in the new text that nothing was put into and nothing taken out of; nil for any other one.
  ///
  /// An empty one stays before what was put in there. Logarithmic.
  func mapWhole(_ range: Range<Int>) -> Range<Int>? {
    let next = differences.partitioningIndex { $0.old.upperBound > range.lowerBound }
    guard next == differences.count || differences[next].old.lowerBound >= range.upperBound else {
      return nil
    }
    let start = map(range.lowerBound, bias: range.isEmpty ? .before : .after)
    return start..<start + range.count
  }

  /// The way back; linear.
  var inverted: OffsetMap {
    OffsetMap(differences.lazy.map { Difference($0.new, $0.old) })
  }

  /// The map to a still later text; linear.
  ///
  /// Differences that touch are one, and what was put in and taken out again is none.
  ///
  /// - Parameter later: The map from the text that this one leads to.
  /// - Returns: One map for both.
  func composed(with later: OffsetMap) -> OffsetMap {
    var composed: [Difference] = []
    // From the text between to the two others.
    var (toOld, toNew) = (0, 0)
    for meeting in Meetings(differences.lazy.map(\.new), later.differences.lazy.map(\.old)) {
      let (start, end) = (meeting.range.lowerBound, meeting.range.upperBound)
      let (oldStart, newStart) = (start + toOld, start + toNew)
      toOld -= differences[meeting.first].reduce(0) { $0 + $1.growth }
      toNew += later.differences[meeting.second].reduce(0) { $0 + $1.growth }
      let difference = Difference(oldStart..<end + toOld, newStart..<end + toNew)
      if difference.old.isEmpty, difference.new.isEmpty { continue }
      composed.append(difference)
    }
    return OffsetMap(composed)
  }

  /// What is wrong with the invariant; nil if it holds.
  func checkInvariants() -> String? {
    for (last, next) in zip(differences, differences.dropFirst()) {
      let between = next.old.lowerBound - last.old.upperBound
      if between < 0 || next.new.lowerBound - last.new.upperBound != between {
        return "\(last) and \(next) do not belong together"
      }
    }
    return nil
  }
}
