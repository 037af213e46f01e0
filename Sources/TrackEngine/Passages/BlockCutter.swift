/// Cuts a text into blocks, a window at a time: stretches of whole lines that read by themselves as in the whole text,
/// and the clean text of each does, too.
///
/// A value: from the same place on it cuts the same text in the same way.
struct BlockCutter {
  /// Where the next block begins.
  private(set) var start = 0
  /// How much of the text to read from there, in bytes.
  var length: Int
  /// Whether it is known that nothing in a block changes how one before it reads.
  var isSure = false
  /// What the blocks so far have that later ones could reach.
  private(set) var open = Reach()
  private let count: Int
  private let language: Language
  private let findsMalformed: Bool
  private let usualLength: Int
  private let grain: Int
  private var fence: Fence?
  private var cleanFence: Fence?

  /// What blocks have that is reached by what is in others, or could be.
  struct Reach {
    var text: MarkKinds = []
    var clean: MarkKinds = []
    /// Whether the last delimiter of a substitution that is in no mark is an opener: with the next one, if that is a closer,
    /// it is one malformed mark, however far away.
    var isUndivided = false

    var isEmpty: Bool { !hasKinds && !isUndivided }
    var hasKinds: Bool { !text.isEmpty || !clean.isEmpty }
  }

  /// A block.
  struct Cut {
    /// The length of the block.
    var end: Int
    /// Its marks and its code.
    var reading: Reading
    /// The fenced code of its clean text.
    var cleanFences: [Range<Int>]
    /// The footnotes of other tools that begin in it, outside code and marks; the last one may end after it.
    var footnotes: [Footnote]
    /// Whether the last delimiter of a substitution that is in no mark, if the block has one, is an opener.
    var isUndivided: Bool
  }

  /// What a window yields.
  enum Outcome {
    case cut(Cut)
    /// The window is too short; the next one is longer.
    case tooShort
    /// Something in the window changes how blocks before it read.
    case reached(Reach)
  }

  /// Begins a text.
  ///
  /// - Parameters:
  ///   - count: The length of the text, in bytes.
  ///   - language: Its language.
  ///   - findsMalformed: Whether what is malformed in a block has to be found in it alone.
  ///   - window: How much to read at a time, in bytes, unless no block ends in it.
  ///   - grain: The minimum length of a passage, in bytes.
  init(
    count: Int,
    language: Language,
    findsMalformed: Bool,
    window: Int,
    grain: Int
  ) {
    self.count = count
    self.language = language
    self.findsMalformed = findsMalformed
    usualLength = window
    length = window
    self.grain = grain
  }

  /// The stretch of the text to read next; nil at its end.
  var window: Range<Int>? { start < count ? start..<start + min(length, count - start) : nil }

  /// Cuts the next block off the window.
  mutating func cut(_ window: Bytes) -> Outcome {
    let isAtEnd = start + window.count == count
    let lines = isAtEnd ? window : window.wholeLines
    let before = Passage.Effect(loose: open.text)
    let cutting = Cutting(lines, language, in: fence, before: before, grain: grain)
    let reached = before.reaches(into: cutting.summary.effect)
    if !reached.isEmpty, !isSure { return .reached(Reach(text: reached)) }
    let ends = BlockEnds(cutting.reading, lines, isAtEnd: isAtEnd, findsMalformed)
    var end = lines.count
    var tries = BlockCutter.mostTries
    for (index, passage) in cutting.passages.enumerated().reversed() where tries > 0 {
      defer { end -= passage.length }
      let isLast = index + 1 == cutting.passages.count
      // Only the end of the text shows where the last passage of a window ends.
      guard isLast ? isAtEnd : ends.allow(end) else { continue }
      tries -= 1
      let after = isLast ? nil : cutting.passages[index + 1].fence
      var effect = Passage.Effect()
      for passage in cutting.passages[...index] { effect.append(passage.summary.effect) }
      let reading = cutting.reading.before(end)
      guard
        let clean = CleanCut(
          of: Bytes(rebasing: lines[..<end]),
          reading,
          (cleanFence, fence),
          (after, effect),
          open.clean,
          isLast,
          grain
        )
      else { continue }
      let undivided = ends.undivided(before: end)
      let reached = Reach(
        clean: Passage.Effect(loose: open.clean).reaches(into: clean.effect),
        isUndivided: open.isUndivided && undivided.beginsWithCloser
      )
      if !reached.isEmpty, !isSure { return .reached(reached) }
      open.text.formUnion(effect.loose)
      open.clean.formUnion(clean.effect.loose)
      open.isUndivided = undivided.endsWithOpener ?? open.isUndivided
      start += end
      length = usualLength
      (fence, cleanFence) = (after, clean.fence)
      return .cut(
        Cut(
          end: end,
          reading: reading,
          cleanFences: clean.fences,
          footnotes: ends.footnotes(before: end),
          isUndivided: undivided.endsWithOpener == true
        )
      )
    }
    length = 2 * window.count
    return .tooShort
  }

  /// How many places in a window to try; the work stays linear.
  private static let mostTries = 4
}

/// The clean text of a block, as far as how it reads is needed.
private struct CleanCut {
  /// Its fenced code.
  var fences: [Range<Int>]
  /// The fence of the block of code that is open at its end.
  var fence: Fence?
  var effect: Passage.Effect

  /// Reads the clean text; nil if it cannot be cut at its end.
  ///
  /// - Parameters:
  ///   - bytes: The block.
  ///   - reading: Its marks and its code.
  ///   - before: The fences of the blocks of code that are open where it begins: of the clean text, and of the text.
  ///   - after: The fence that is open in the text where it ends, and what it can do to text around it.
  ///   - open: The openers of the clean text before it that could be closed.
  ///   - isLast: Whether the text ends with it.
  ///   - grain: The minimum length of a passage, in bytes.
  init?(
    of bytes: Bytes,
    _ reading: Reading,
    _ before: (clean: Fence?, text: Fence?),
    _ after: (fence: Fence?, effect: Passage.Effect),
    _ open: MarkKinds,
    _ isLast: Bool,
    _ grain: Int
  ) {
    if reading.marks.isEmpty, before.clean == before.text {
      // It is the text itself.
      fences = reading.fences
      (fence, effect) = after
      return
    }
    let ranges = reading.ranges(.clean, in: bytes.indices, from: 0)
    var clean: [UInt8] = []
    clean.reserveCapacity(bytes.count)
    for range in ranges { clean.append(contentsOf: bytes[range]) }
    let cutting = clean.withUnsafeBufferPointer {
      Cutting(
        $0,
        reading.language,
        in: before.clean,
        before: Passage.Effect(loose: open),
        grain: grain
      )
    }
    guard isLast || cutting.canEndHere else { return nil }
    fences = cutting.reading.fences
    fence = cutting.unclosed
    effect = cutting.summary.effect
  }
}

extension Reading {
  /// The fenced code.
  fileprivate var fences: [Range<Int>] { zones.filter(\.isFenced).map(\.range) }

  /// What is read of the text up to an offset, which no mark crosses.
  fileprivate func before(_ end: Int) -> Reading {
    var part = self
    part.marks.removeSubrange(marks.partitioningIndex { $0.start >= end }...)
    part.zones.removeSubrange(zones.partitioningIndex { $0.range.lowerBound >= end }...)
    if let last = part.zones.last, last.range.upperBound > end {
      part.zones[part.zones.count - 1].range = last.range.lowerBound..<end
    }
    return part
  }
}

extension Bytes {
  /// The lines of a part of a text, without one that may go on behind it.
  fileprivate var wholeLines: Bytes {
    // The LF of a CRLF may come behind it.
    let isHalf = last == Ascii.carriageReturn
    let end = lineStart(in: 0..<(isHalf ? count - 1 : count))
    return Bytes(rebasing: self[..<end])
  }
}
