extension Bytes {
  /// The run of a command at a backslash with which code in LaTeX can begin or end.
  ///
  /// That is `\begin` or `\end` with the name of an environment, or an inline command up to the character that
  /// begins its text.
  func latexRun(at backslash: Int) -> Range<Int>? {
    let name = backslash + 1
    var at = name
    while at < count, self[at].isAsciiLetter { at += 1 }
    func isNamed(_ word: String) -> Bool { word.utf8.elementsEqual(self[name..<at]) }
    if isNamed("begin") || isNamed("end") {
      return environment(at: at).map { backslash..<$0.end }
    }
    let isVerb = isNamed("verb")
    if isVerb {
      if at < count, self[at] == Ascii.star { at += 1 }
    } else if isNamed("lstinline") {
      skipArgument(&at, from: Ascii.bracket, to: Ascii.closeBracket)
    } else if isNamed("mintinline") {
      skipArgument(&at, from: Ascii.bracket, to: Ascii.closeBracket)
      skipArgument(&at, from: Ascii.open, to: Ascii.close)
    } else {
      return nil
    }
    guard at < count, self[at] > Ascii.space, self[at] < 0x7F, !self[at].isAsciiLetter,
      self[at] != Ascii.star, self[at] != Ascii.backslash, self[at] != Ascii.close,
      !isVerb || self[at] != Ascii.open,
      !isDelimiter(at: at)
    else { return nil }
    return backslash..<at + 1
  }

  /// The block of code whose name stands in braces at an offset.
  func environment(at offset: Int) -> (block: Int, end: Int)? {
    guard offset < count, self[offset] == Ascii.open else { return nil }
    var end = offset + 1
    while end < count, self[end].isAsciiLetter || self[end] == Ascii.star { end += 1 }
    guard end < count, self[end] == Ascii.close else { return nil }
    return Language.latex.block(named: self[offset + 1..<end]).map { ($0, end + 1) }
  }

  private func skipArgument(_ at: inout Int, from open: UInt8, to close: UInt8) {
    guard at < count, self[at] == open else { return }
    var end = at
    while !isLineEnd(end), self[end] != close, end - at < Bytes.longestArgument {
      if isDelimiter(at: end) { return }
      end += 1
    }
    if !isLineEnd(end), self[end] == close { at = end + 1 }
  }

  fileprivate func isDelimiter(at offset: Int) -> Bool {
    closer(at: offset) != nil || arrow(at: offset) || openerDelimiter(at: offset) != nil
  }

  /// How far the end of an argument is looked for, to bound the work; in bytes.
  fileprivate static let longestArgument = 1024
}

extension CodeFinder {
  /// The code in LaTeX that begins with a run, if any; none begins in a comment.
  mutating func latexCode(at run: Range<Int>) -> (zone: CodeZone, unclosed: Fence?)? {
    let start = run.lowerBound
    let isComment = isCommented(start) { bytes, offset in
      bytes[offset] == Ascii.percent && !bytes.isEscaped(offset)
        ? bytes.lineEnd(after: offset) : nil
    }
    if isComment { return nil }
    if let block = beginning(run) {
      return self.block(of: Fence(block: block), from: start, after: run.upperBound)
    }
    let sign = bytes[run.upperBound - 1]
    let limit = bytes.lineEnd(after: start)
    let end =
      switch sign {
      case Ascii.close: nil as Int?  // `\end{verbatim}` alone.
      case Ascii.open: braceEnd(from: run.upperBound, before: limit)
      default:
        spanEnd(with: sign, from: run.upperBound, before: limit) { bytes, offset in
          // A sign of a delimiter ends nothing.
          !bytes.isDelimiter(at: offset) && bytes.closer(at: offset - 1) == nil
            && !bytes.arrow(at: offset - 1)
        }
      }
    return end.map { (CodeZone(range: start..<$0, isFenced: false), nil) }
  }

  /// Where a block in LaTeX ends that a run closes.
  func latexBlockEnd(_ run: Range<Int>, of fence: Fence) -> Int? {
    guard bytes[run.upperBound - 1] == Ascii.close, beginning(run) == nil,
      bytes.environment(at: run.lowerBound + 4)?.block == fence.block
    else { return nil }
    return run.upperBound
  }

  /// The block that a run begins; nil for other runs.
  private func beginning(_ run: Range<Int>) -> Int? {
    bytes[run.lowerBound + 1] == UInt8(ascii: "b")
      ? bytes.environment(at: run.lowerBound + 6)?.block : nil
  }

  /// Where the argument ends that begins after a brace.
  private func braceEnd(from start: Int, before limit: Int) -> Int? {
    var depth = 1
    for at in start..<min(limit, start + Bytes.longestArgument) {
      if bytes[at] == Ascii.open { depth += 1 }
      if bytes[at] == Ascii.close { depth -= 1 }
      if depth == 0 { return at + 1 }
    }
    return nil
  }
}
