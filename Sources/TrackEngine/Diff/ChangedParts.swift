/// The parts of two stretches in which they differ, each with some words around it that are the same.
///
/// In order and disjoint; what lies between need not be split into words. They begin and end with words that no code,
/// emphasis, link or parentheses seem to go across. Linear, except for a logarithmic factor.
func changedParts(of stretch: Difference, _ old: Bytes, _ new: Bytes) -> [Difference] {
  var finder = PartFinder(stretch, old, new)
  for core in changedSentences(of: stretch, old, new) {
    let core = core.withoutCommonEnds(old, new)
    finder.passCommon(upTo: core.old.lowerBound)
    finder.pass(core)
  }
  finder.passCommon(upTo: stretch.old.upperBound)
  return finder.finished()
}

/// The stretches of whole sentences that differ; all of it if it is short.
private func changedSentences(of stretch: Difference, _ old: Bytes, _ new: Bytes) -> [Difference] {
  let short = 512
  guard min(stretch.old.count, stretch.new.count) > short else { return [stretch] }
  return changedLines(
    old,
    old.sentenceStarts(in: stretch.old),
    new,
    new.sentenceStarts(in: stretch.new)
  )
  .map(\.stretch)
}

extension Difference {
  /// The difference without the bytes that both sides begin or end with.
  fileprivate func withoutCommonEnds(_ oldText: Bytes, _ newText: Bytes) -> Difference {
    let (before, after) = (Bytes(rebasing: oldText[old]), Bytes(rebasing: newText[new]))
    let head = before.commonPrefix(with: after)
    let tail = Bytes(rebasing: before[head...]).commonSuffix(with: Bytes(rebasing: after[head...]))
    return Difference(
      old.lowerBound + head..<old.upperBound - tail,
      new.lowerBound + head..<new.upperBound - tail
    )
  }
}

extension Bytes {
  /// Where the sentences and lines of a stretch begin, and its end.
  fileprivate func sentenceStarts(in range: Range<Int>) -> [Int] {
    var starts = [range.lowerBound]
    for at in range.lowerBound + 1..<range.upperBound where self[at - 1] <= Ascii.space {
      let isEnd =
        self[at - 1] == Ascii.newline
        || self[at - 1] == Ascii.space && at - 2 >= range.lowerBound && self[at - 2].endsSentence
      if isEnd { starts.append(at) }
    }
    starts.append(range.upperBound)
    return starts
  }
}

extension UInt8 {
  fileprivate var endsSentence: Bool {
    self == UInt8(ascii: ".") || self == UInt8(ascii: "!") || self == UInt8(ascii: "?")
  }
}

/// Finds where parts can begin and end, going over both texts from beginning to end.
private struct PartFinder {
  /// How much of the same text there is around what differs, at least, in bytes.
  private static let margin = 32

  private let stretch: Difference
  private let old: Bytes
  private let new: Bytes
  private var oldBorders = OpenBorders()
  private var newBorders = OpenBorders()
  /// How far the texts have been passed.
  private var (oldAt, newAt): (Int, Int)
  private var parts: [Difference] = []
  /// Where the next part begins.
  private var start: (old: Int, new: Int)
  /// Whether something differs since then.
  private var isChanged = false

  init(_ stretch: Difference, _ old: Bytes, _ new: Bytes) {
    (self.stretch, self.old, self.new) = (stretch, old, new)
    start = (stretch.old.lowerBound, stretch.new.lowerBound)
    (oldAt, newAt) = start
  }

  /// Passes what differs.
  mutating func pass(_ core: Difference) {
    oldBorders.pass(old, core.old)
    newBorders.pass(new, core.new)
    (oldAt, newAt) = (core.old.upperBound, core.new.upperBound)
    isChanged = true
  }

  /// Passes what both texts have up to a place of the old one, in which a part can end and the next one begin.
  mutating func passCommon(upTo end: Int) {
    let first = isChanged ? oldAt + PartFinder.margin : oldAt
    let last = end < stretch.old.upperBound ? end - PartFinder.margin : end - 1
    guard oldAt < end else { return }
    var before = oldAt > stretch.old.lowerBound ? old[oldAt - 1] : 0
    for at in oldAt..<end {
      let byte = old[at]
      if before <= Ascii.space, at >= first, at <= last, oldBorders.areClosed, newBorders.areClosed,
        old.isWordStart(at, in: stretch.old)
      {
        if isChanged { endPart(at) }
        start = (at, newAt + at - oldAt)
      }
      if byte.isBorder {
        oldBorders.pass(byte, after: before)
        newBorders.pass(byte, after: before)
      }
      before = byte
    }
    newAt += end - oldAt
    oldAt = end
  }

  private mutating func endPart(_ end: Int) {
    parts.append(Difference(start.old..<end, start.new..<newAt + end - oldAt))
    isChanged = false
  }

  /// All parts, when both texts have been passed.
  mutating func finished() -> [Difference] {
    if isChanged { endPart(oldAt) }
    return parts
  }
}

extension Bytes {
  /// Whether a word begins at an offset of a stretch, on a line behind another word or behind a blank line.
  @inline(__always)
  fileprivate func isWordStart(_ offset: Int, in stretch: Range<Int>) -> Bool {
    guard offset > stretch.lowerBound + 1, self[offset].isASCIILetter else { return false }
    return self[offset - 1] == Ascii.space && self[offset - 2].isASCIILetter
      || self[offset - 1] == Ascii.newline && self[offset - 2] == Ascii.newline
  }
}

extension UInt8 {
  /// Whether it may be one of the signs that borders are made of, which nearly all letters and spaces are not.
  @inline(__always)
  fileprivate var isBorder: Bool {
    !(self > Ascii.backtick && self < Ascii.tilde) && self != Ascii.space
  }

  fileprivate var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
}

/// Whether code, emphasis, links or parentheses seem to be open in a paragraph, from the signs alone.
private struct OpenBorders {
  /// A bit for each kind of sign of which an odd number of runs was passed.
  private var odd: UInt8 = 0
  private var depth = 0

  var areClosed: Bool { odd == 0 && depth == 0 }

  mutating func pass(_ text: Bytes, _ range: Range<Int>) {
    for at in range where text[at].isBorder { pass(text[at], after: at > 0 ? text[at - 1] : 0) }
  }

  mutating func pass(_ byte: UInt8, after last: UInt8) {
    switch byte {
    case Ascii.newline where last == Ascii.newline: self = OpenBorders()
    case Ascii.bracket, UInt8(ascii: "("): depth += 1
    case UInt8(ascii: "]"), UInt8(ascii: ")"): depth -= 1
    case last: return
    case Ascii.star: odd ^= 1
    case UInt8(ascii: "_"): odd ^= 2
    case Ascii.tilde: odd ^= 4
    case Ascii.backtick: odd ^= 8
    default: return
    }
  }
}
