/// A stretch in which delimiters are text: a code span or a fenced block, fences included.
public struct CodeZone: Equatable, Sendable {
  /// From the first backtick or tilde to behind the last.
  public var range: Range<Int>
  /// Whether it is a fenced block.
  public var isFenced: Bool
}

/// Finds code spans and fenced blocks by CommonMark's rules, with fences looked for through marks.
///
/// Delimiters at the beginning of a line before an opening fence, and behind a closing fence, do not
/// hide it; fences may stand in lists and quotes. Linear.
struct CodeFinder {
  let bytes: Bytes
  private(set) var zones: [CodeZone] = []

  init(_ bytes: Bytes) {
    self.bytes = bytes
  }

  /// Looks for code from `start` on, the text before it having been read already.
  ///
  /// With `known`, the zones of an earlier reading, it stops at the first line from which both
  /// readings must agree and returns where that line begins: a line behind a blank line, outside
  /// every fence of either. Without such a line it reads to the end and returns the length.
  mutating func find(from start: Int, known: [CodeZone]? = nil) -> Int {
    var at = start
    var paragraph = start
    var afterBlank = false
    var later = known.map { KnownZones(zones: $0) }
    while at < bytes.count {
      if afterBlank, later?.covers(at) == false {
        findSpans(in: paragraph..<at)
        return at
      }
      if let fence = openingFence(at: at) {
        findSpans(in: paragraph..<fence.start)
        at = closingFence(of: fence)
        zones.append(CodeZone(range: fence.start..<at, isFenced: true))
        paragraph = at
        afterBlank = false
        // Behind a closing fence and the delimiters after it another fence can open at once.
        if at < bytes.count, !bytes.isLineEnd(at), openingFence(at: at) != nil { continue }
        at = bytes.lineEnd(after: at)
        continue
      }
      afterBlank = isBlank(lineAt: at)
      at = bytes.lineEnd(after: at)
    }
    findSpans(in: paragraph..<bytes.count)
    return bytes.count
  }

  private struct Fence {
    var start: Int
    var length: Int
    var character: UInt8
  }

  private func isBlank(lineAt offset: Int) -> Bool {
    var at = offset
    while at < bytes.count, bytes[at] == Ascii.space || bytes[at] == Ascii.tab { at += 1 }
    return at < bytes.count && bytes.isLineEnd(at)
  }

  private func openingFence(at offset: Int) -> Fence? {
    var at = offset
    skipContainers(&at)
    skipDelimiters(&at)
    guard at + 3 <= bytes.count else { return nil }
    let character = bytes[at]
    guard character == Ascii.backtick || character == Ascii.tilde else { return nil }
    var end = at
    while end < bytes.count, bytes[end] == character { end += 1 }
    guard end - at >= 3 else { return nil }
    if character == Ascii.backtick {
      // An info string holds no backtick, else this is a code span.
      var info = end
      while !bytes.isLineEnd(info) {
        if bytes[info] == Ascii.backtick { return nil }
        info += 1
      }
    }
    return Fence(start: at, length: end - at, character: character)
  }

  /// Passes quote marks, indentation and one list marker.
  private func skipContainers(_ at: inout Int) {
    while at < bytes.count,
      bytes[at] == Ascii.space || bytes[at] == Ascii.tab || bytes[at] == Ascii.greater
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
    var end = marker
    while end < bytes.count, bytes[end] == Ascii.space || bytes[end] == Ascii.tab { end += 1 }
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
  private func closingFence(of fence: Fence) -> Int {
    var line = bytes.lineEnd(after: fence.start)
    while line < bytes.count {
      var at = line
      while at < bytes.count,
        bytes[at] == Ascii.space || bytes[at] == Ascii.tab || bytes[at] == Ascii.greater
      { at += 1 }
      let start = at
      while at < bytes.count, bytes[at] == fence.character { at += 1 }
      if at - start >= fence.length, let end = fenceEnd(run: start..<at, fence: fence) {
        return end
      }
      line = bytes.lineEnd(after: at)
    }
    return bytes.count
  }

  /// Where a closing fence that is spelled by `run` ends, white space behind it included.
  private func fenceEnd(run: Range<Int>, fence: Fence) -> Int? {
    var end = run.upperBound
    while end < bytes.count, bytes[end] == Ascii.space || bytes[end] == Ascii.tab { end += 1 }
    if isDelimiterOrLineEnd(end) { return end }
    guard fence.character == Ascii.tilde else { return nil }
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
  /// Adds the code spans of `stretch`; a span does not reach over a blank line.
  private mutating func findSpans(in stretch: Range<Int>) {
    guard stretch.contains(where: { bytes[$0] == Ascii.backtick }) else { return }
    var start = stretch.lowerBound
    var at = start
    while at < stretch.upperBound {
      guard bytes[at] == Ascii.newline || bytes[at] == Ascii.carriageReturn else {
        at += 1
        continue
      }
      if let separator = blankLine(at: at, before: stretch.upperBound) {
        findSpans(inParagraph: start..<at)
        start = separator
        at = separator
      } else {
        at += 1
      }
    }
    findSpans(inParagraph: start..<stretch.upperBound)
  }

  /// Where the blank line behind the line break at `offset` ends, if there is one.
  private func blankLine(at offset: Int, before end: Int) -> Int? {
    func newline(at offset: Int) -> Int? {
      var at = offset
      if at < end, bytes[at] == Ascii.carriageReturn { at += 1 }
      return at < end && bytes[at] == Ascii.newline ? at + 1 : nil
    }
    guard var at = newline(at: offset) else { return nil }
    while at < end, bytes[at] == Ascii.space || bytes[at] == Ascii.tab { at += 1 }
    return newline(at: at) == nil ? nil : at
  }

  private mutating func findSpans(inParagraph paragraph: Range<Int>) {
    var runs: [Range<Int>] = []
    var at = paragraph.lowerBound
    while at < paragraph.upperBound {
      guard bytes[at] == Ascii.backtick else {
        at += 1
        continue
      }
      let start = at
      while at < paragraph.upperBound, bytes[at] == Ascii.backtick { at += 1 }
      runs.append(start..<at)
    }
    guard runs.count > 1 else { return }
    var runsOfLength: [Int: [Int]] = [:]  // later runs first, so that passed ones are popped
    for index in runs.indices.reversed() {
      runsOfLength[runs[index].count, default: []].append(index)
    }
    var index = 0
    while index < runs.count {
      var opening = runs[index]
      if opening.lowerBound > 0, bytes[opening.lowerBound - 1] == Ascii.backslash {
        opening = opening.lowerBound + 1..<opening.upperBound
      }
      var closing: Int?
      if !opening.isEmpty {
        while let next = runsOfLength[opening.count]?.last, next <= index {
          runsOfLength[opening.count]?.removeLast()
        }
        closing = runsOfLength[opening.count]?.last
      }
      if let closing {
        zones.append(
          CodeZone(range: opening.lowerBound..<runs[closing].upperBound, isFenced: false)
        )
        index = closing + 1
      } else {
        index += 1
      }
    }
  }
}

/// Answers, for rising offsets, whether one lies inside a zone.
private struct KnownZones {
  let zones: [CodeZone]
  var next = 0

  mutating func covers(_ offset: Int) -> Bool {
    while next < zones.count, zones[next].range.upperBound <= offset { next += 1 }
    return next < zones.count && zones[next].range.lowerBound < offset
  }
}
