/// The three texts that a document with marks holds.
public enum Variant: String, CaseIterable, Sendable {
  /// Every change accepted; highlights and comments removed.
  case clean
  /// Every change rejected; highlights and comments removed.
  case original
  /// The text with its marks.
  case markup
}

extension Reading {
  /// Writes a variant of the text that was read, resolving nested marks.
  ///
  /// Linear.
  public func text(_ variant: Variant, of bytes: [UInt8]) -> [UInt8] {
    if marks.isEmpty { return bytes }
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for range in ranges(variant, of: bytes) {
      text.append(contentsOf: bytes[range])
    }
    return text
  }

  /// The ranges of the text that was read that a variant keeps: sorted, disjoint, not empty.
  func ranges(_ variant: Variant, of bytes: [UInt8]) -> [Range<Int>] {
    ranges(variant, in: bytes.indices, from: 0)
  }

  /// The ranges of a stretch that a variant keeps, in order.
  ///
  /// - Parameters:
  ///   - variant: The variant.
  ///   - stretch: UTF-8 offsets; no mark may cross its ends.
  ///   - first: The index of the first mark that starts in the stretch.
  /// - Returns: Sorted, disjoint, non-empty ranges.
  public func ranges(_ variant: Variant, in stretch: Range<Int>, from first: Int) -> [Range<Int>] {
    guard variant != .markup else { return stretch.isEmpty ? [] : [stretch] }
    var kept: [Range<Int>] = []
    // For each mark open at `at`, the part of it that is kept and still to come, and where the mark ends.
    var open: [(keeps: Range<Int>, end: Int)] = []
    var at = stretch.lowerBound
    func advance(to offset: Int) {
      while at < offset {
        guard let inmost = open.last else {
          kept.add(at..<offset)
          at = offset
          return
        }
        let until = min(offset, inmost.end)
        kept.add(inmost.keeps.clamped(to: at..<max(at, until)))
        at = until
        if at == inmost.end { open.removeLast() }
      }
    }
    var index = first
    while index < marks.count, marks[index].start < stretch.upperBound {
      let mark = marks[index]
      if open.isEmpty, mark.inner == 0 {
        // Nearly all marks are neither nested nor hold others.
        kept.add(at..<mark.start)
        if let side = variant == .clean ? mark.new : mark.old { kept.add(side) }
        at = mark.end
        index += 1
        continue
      }
      advance(to: mark.start)
      if let inmost = open.last, !inmost.keeps.contains(mark.start) {
        // Everything inside removed text is removed.
        index += 1 + mark.inner
        continue
      }
      let side = variant == .clean ? mark.new : mark.old
      open.append((side ?? mark.end..<mark.end, mark.end))
      index += 1
    }
    advance(to: stretch.upperBound)
    return kept
  }
}
