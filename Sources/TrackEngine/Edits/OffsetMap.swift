/// A map from the offsets of a text to those of the text after edits.
///
/// Offsets are UTF-8, from 0 to the length of a text. A value. After `StepMap` of prosemirror-transform and
/// `map_pos` of helix-core.
///
/// Invariant, checked by ``checkInvariants()``: the differences are in order and disjoint in both texts, and
/// what lies between two of them is as long in both. They may touch, as edits may. A map of the differences in
/// one part of the texts is valid in that part.
public struct OffsetMap: Equatable, Sendable {
  /// Where an offset goes if text is inserted at it.
  public enum Bias: Sendable {
    /// Before the insertion: stays with the character before it.
    case before
    /// After the insertion: stays with the character after it.
    case after
  }

  /// What differs between the texts, in order.
  public let differences: [Difference]

  /// The map of any differences; those of changes that are being put into marks can overlap.
  init(_ differences: some Sequence<Difference>) {
    self.differences = Array(differences)
  }

  /// The map of a list of edits.
  public init(_ edits: [Edit]) {
    self.init(edits.differences)
    assert(checkInvariants() == nil, checkInvariants() ?? "")
  }

  /// The map from the settled text to the buffer.
  public init(_ hunks: [Hunk]) {
    self.init(hunks.lazy.map { Difference($0.old, $0.new) })
    assert(checkInvariants() == nil, checkInvariants() ?? "")
  }

  /// The offset in the new text.
  ///
  /// In replaced text it keeps its distance from the start, up to the end of the replacement. Logarithmic.
  ///
  /// - Parameters:
  ///   - offset: An offset of the old text.
  ///   - bias: Where it goes if text was inserted there.
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

  /// The range in the new text; logarithmic.
  ///
  /// - Parameters:
  ///   - range: A range of the old text.
  ///   - start: The bias of its start.
  ///   - end: The bias of its end. By default text inserted at the ends is not in the range.
  /// - Returns: A range of the new text; an empty one is at its start.
  public func map(_ range: Range<Int>, start: Bias = .after, end: Bias = .before) -> Range<Int> {
    let lower = map(range.lowerBound, bias: start)
    return lower..<max(lower, map(range.upperBound, bias: end))
  }

  /// The range in the new text, if nothing was inserted into it or removed from it; else nil.
  ///
  /// An empty one stays before text inserted there. Logarithmic.
  func mapWhole(_ range: Range<Int>) -> Range<Int>? {
    let next = differences.partitioningIndex { $0.old.upperBound > range.lowerBound }
    guard next == differences.count || differences[next].old.lowerBound >= range.upperBound else {
      return nil
    }
    let start = map(range.lowerBound, bias: range.isEmpty ? .before : .after)
    return start..<start + range.count
  }

  /// The inverse map; linear.
  public var inverted: OffsetMap {
    OffsetMap(differences.lazy.map { Difference($0.new, $0.old) })
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
