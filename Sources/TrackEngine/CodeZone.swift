/// A stretch in which delimiters are text: a code span or a fenced block, fences included.
public struct CodeZone: Equatable, Sendable {
  /// From the first backtick or tilde to behind the last.
  public var range: Range<Int>
  /// Whether it is a fenced block.
  public var isFenced: Bool
}

/// A fence that opened a block.
struct Fence: Equatable {
  /// How many backticks or tildes it has; those that close it are at least as many.
  var length: Int
  /// Whether it is of tildes.
  var isTildes: Bool
}

/// Finds code spans and fenced blocks by CommonMark's rules, with fences looked for through marks.
///
/// Delimiters at the beginning of a line before an opening fence, and behind a closing fence, do not
/// hide it; fences may stand in lists and quotes. Looks at runs of backticks and tildes and at what
/// lies around them alone. Linear.
struct CodeFinder {
  let bytes: Bytes
  private let runs: [CodeRun]
  private(set) var zones: [CodeZone] = []
  /// The fence whose block goes on behind the text.
  private(set) var unclosed: Fence?

  init(_ bytes: Bytes, _ runs: [CodeRun]) {
    self.bytes = bytes
    self.runs = runs
  }

  /// Looks for code from `start` on, the text before it having been read already.
  ///
  /// With `known`, the zones of an earlier reading, it stops at the first line from which both
  /// readings must agree and returns where that line begins: a line behind a blank line, outside
  /// every fence of either. Without such a line it reads to the end and returns the length.
  ///
  /// - Parameters:
  ///   - start: Where to begin.
  ///   - fence: The fence of a block that is open there.
  ///   - known: The zones of an earlier reading.
  /// - Returns: Where it stopped.
  mutating func find(from start: Int, in fence: Fence? = nil, known: [CodeZone]? = nil) -> Int {
    var later = known.map { KnownZones(zones: $0) }
    var at = start
    /// Where a line begins for what opens a fence.
    var lineStart = start
    var index = runs.partitioningIndex { $0.range.lowerBound >= start }
    if let fence {
      at = closingFence(of: fence, after: &index, from: start)
      zones.append(CodeZone(range: start..<at, isFenced: true))
      lineStart = at
      at = bytes.lineEnd(after: at)
    }
    while true {
      let next = index < runs.count ? runs[index].range.lowerBound : bytes.count
      if let agreed = later?.agreement(in: bytes, from: at, through: next) { return agreed }
      guard index < runs.count else { return bytes.count }
      if let fence = openingFence(with: index, from: lineStart) {
        let start = runs[index].range.lowerBound
        index += 1
        lineStart = closingFence(of: fence, after: &index, from: start)
        zones.append(CodeZone(range: start..<lineStart, isFenced: true))
      } else {
        index = findSpans(from: index, lineStart)
      }
      at = bytes.lineEnd(after: max(lineStart, runs[index - 1].range.upperBound))
    }
  }

  /// The fence that a run is, if it opens a block; `start` is where a line may begin besides behind
  /// line ends.
  private func openingFence(with index: Int, from start: Int) -> Fence? {
    let run = runs[index].range
    guard run.count >= 3 else { return nil }
    var limit = start
    // What is passed before a fence holds no other run.
    if index > 0, runs[index - 1].range.lowerBound >= start {
      limit = runs[index - 1].range.upperBound
    }
    var at = run.lowerBound
    while at > limit, !bytes.isLineEnd(at - 1) { at -= 1 }
    guard at == start || at > 0 && bytes.isLineEnd(at - 1) else { return nil }
    skipContainers(&at)
    skipDelimiters(&at)
    guard at == run.lowerBound else { return nil }
    if !runs[index].isTildes {
      // An info string holds no backtick, else this is a code span.
      var info = run.upperBound
      while !bytes.isLineEnd(info) {
        if bytes[info] == Ascii.backtick { return nil }
        info += 1
      }
    }
    return Fence(length: run.count, isTildes: runs[index].isTildes)
  }

  /// Passes quote marks, indentation and one list marker.
  private func skipContainers(_ at: inout Int) {
    while at < bytes.count,
      bytes[at].isSpace || bytes[at] == Ascii.greater
    { at += 1 }
    var marker = at
    if marker < bytes.count,
      bytes[marker] == Ascii.minus || bytes[marker] == Ascii.star || bytes[marker] == Ascii.plus
    {
      marker += 1
    } else {
      while marker < bytes.count, isDigit(bytes[marker]) { marker += 1 }
      guard marker > at, marker < bytes.count,
        bytes[marker] == UInt8(ascii: ".") || bytes[marker] == UInt8(ascii: ")")
      else { return }
      marker += 1
    }
    let end = bytes.blankEnd(from: marker)
    if end > marker { at = end }
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private func skipDelimiters(_ at: inout Int) {
    while true {
      if let opener = bytes.opener(at: at) {
        // `{~~~` is a brace and a fence of tildes rather than an opener and a tilde.
        if opener == .substitution, at + 3 < bytes.count, bytes[at + 3] == Ascii.tilde { return }
        at += 3
      } else if bytes.closer(at: at) != nil {
        at += 3
      } else if bytes.arrow(at: at) {
        at += 2
      } else {
        return
      }
    }
  }

  /// Where the block that `fence` opens ends: behind its closing fence, or with the text.
  ///
  /// - Parameters:
  ///   - fence: The fence.
  ///   - index: The first run behind it; then the first run behind the block.
  ///   - start: Where the block begins.
  /// - Returns: The end of the block.
  private mutating func closingFence(of fence: Fence, after index: inout Int, from start: Int)
    -> Int
  {
    while index < runs.count {
      let run = runs[index]
      index += 1
      guard run.isTildes == fence.isTildes, run.range.count >= fence.length else { continue }
      var at = run.range.lowerBound
      while at > start,
        bytes[at - 1].isSpace || bytes[at - 1] == Ascii.greater
      { at -= 1 }
      guard at == 0 || bytes.isLineEnd(at - 1) else { continue }
      if let end = fenceEnd(run: run.range, fence: fence) { return end }
    }
    unclosed = fence
    return bytes.count
  }

  /// Where a closing fence that is spelled by `run` ends, white space behind it included.
  private func fenceEnd(run: Range<Int>, fence: Fence) -> Int? {
    let end = bytes.blankEnd(from: run.upperBound)
    if isDelimiterOrLineEnd(end) { return end }
    guard fence.isTildes else { return nil }
    // The last tildes of the run can belong to a delimiter: `~~~~~}` is a fence and a closer.
    for spare in 1...2 where run.count - spare >= fence.length {
      let end = run.upperBound - spare
      if isDelimiterOrLineEnd(end) { return end }
    }
    return nil
  }

  private func isDelimiterOrLineEnd(_ offset: Int) -> Bool {
    if bytes.isLineEnd(offset) || bytes.closer(at: offset) != nil || bytes.arrow(at: offset) {
      return true
    }
    guard let opener = bytes.opener(at: offset) else { return false }
    return opener != .substitution || offset + 3 >= bytes.count
      || bytes[offset + 3] != Ascii.tilde
  }
}

// MARK: - Code spans

extension CodeFinder {
  /// Adds the code spans of the paragraph that the run at `first` lies in, from that run on; a span
  /// does not reach over a blank line or a fence.
  ///
  /// - Parameters:
  ///   - first: The index of the run.
  ///   - start: Where a line may begin besides behind line ends.
  /// - Returns: The index of the first run behind the paragraph.
  private mutating func findSpans(from first: Int, _ start: Int) -> Int {
    var last = first + 1
    while last < runs.count,
      !bytes.hasBlankLine(runs[last - 1].range.upperBound..<runs[last].range.lowerBound),
      openingFence(with: last, from: start) == nil
    { last += 1 }
    if last - first > 1 { pair(first..<last) }
    return last
  }

  /// Adds the spans that the runs of one paragraph make.
  private mutating func pair(_ paragraph: Range<Int>) {
    /// Lengths of which there is no run any more.
    var missing: Set<Int> = []
    var index = paragraph.lowerBound
    while index < paragraph.upperBound {
      var opening = runs[index].range
      if bytes.isEscaped(opening.lowerBound) {
        opening = opening.lowerBound + 1..<opening.upperBound
      }
      let rest = index + 1..<paragraph.upperBound
      index += 1
      guard !opening.isEmpty, !runs[rest.lowerBound - 1].isTildes,
        missing.isEmpty || !missing.contains(opening.count)
      else { continue }
      let closing = rest.first { !runs[$0].isTildes && runs[$0].range.count == opening.count }
      if let closing {
        let end = runs[closing].range.upperBound
        zones.append(CodeZone(range: opening.lowerBound..<end, isFenced: false))
        index = closing + 1
      } else {
        missing.insert(opening.count)
      }
    }
  }
}

/// Answers, for rising offsets, whether one lies inside a zone.
private struct KnownZones {
  let zones: [CodeZone]
  var next = 0

  /// The first line that begins between `start` and `end`, behind a blank line and in no zone.
  mutating func agreement(in bytes: Bytes, from start: Int, through end: Int) -> Int? {
    var at = start
    while at < end {
      let isBlank = bytes.isBlank(lineAt: at)
      at = bytes.lineEnd(after: at)
      if isBlank, at <= end, at < bytes.count, !covers(at) { return at }
    }
    return nil
  }

  private mutating func covers(_ offset: Int) -> Bool {
    while next < zones.count, zones[next].range.upperBound <= offset { next += 1 }
    return next < zones.count && zones[next].range.lowerBound < offset
  }
}
