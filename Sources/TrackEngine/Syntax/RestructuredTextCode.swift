extension Bytes {
  /// The run in reStructuredText with which an indented block of code can begin: `::` at the end of a line, or a
  /// directive up to its `::`.
  func restructuredTextRun(at offset: Int, repeatedUpTo end: Int) -> Range<Int>? {
    guard end >= offset + 2 else { return nil }
    if self[offset] == Ascii.colon {
      return isLineEnd(blankEnd(from: end)) ? end - 2..<end : nil
    }
    let name = blankEnd(from: end)
    guard end == offset + 2, name > end else { return nil }
    var at = name
    while at < count, self[at].isAsciiLetter || self[at] == Ascii.minus { at += 1 }
    let isCode = Bytes.codeDirectives.contains { $0.utf8.elementsEqual(self[name..<at]) }
    guard isCode, at + 1 < count, self[at] == Ascii.colon, self[at + 1] == Ascii.colon,
      isLineEnd(at + 2) || self[at + 2].isSpace
    else { return nil }
    return offset..<at + 2
  }

  private static let codeDirectives = ["code-block", "code", "sourcecode", "math", "raw"]

  /// The indented block of code that begins with a run.
  ///
  /// - Parameter run: A run, see ``restructuredTextRun(at:repeatedUpTo:)``.
  /// - Returns: Where the block ends, after its last line, nil if nothing is indented there; and where the line ends that shows
  ///   this, which is after the text if no line does. Nil if no block can begin with the run.
  func indentedCode(at run: Range<Int>) -> (end: Int?, reach: Int)? {
    guard self[run.lowerBound] != Ascii.backtick else { return nil }
    let isDirective = self[run.lowerBound] == Ascii.period
    let (margin, text) = self.margin(of: run.lowerBound)
    guard isDirective ? text == run.lowerBound : !isExplicit(at: text) else { return nil }
    var line = lineEnd(after: run.lowerBound)
    if !isDirective, line < count, !isLineEnd(blankEnd(from: line)) {
      return (nil, lineEnd(after: line))
    }
    var end: Int?
    while line < count {
      let next = lineEnd(after: line)
      let (column, text) = indentation(from: line)
      if !isLineEnd(text) {
        if column <= margin { return (end, next) }
        end = next
      }
      line = next
    }
    return (end, count + 1)
  }

  /// The column where the text begins on the line of an offset, after delimiters and the markers of lists, and its offset.
  private func margin(of offset: Int) -> (column: Int, text: Int) {
    var at = lineStart(in: 0..<offset)
    var column = 0
    while at < offset {
      if self[at].isSpace {
        (column, at) = indentation(from: at, in: column)
      } else if let opener = openerDelimiter(at: at) {
        at = opener.end
      } else if closer(at: at) != nil {
        at += 3
      } else if arrow(at: at) {
        at += 2
      } else {
        let isNumbered = self[at] == Ascii.hash && at + 1 < count && self[at + 1] == Ascii.period
        guard let marker = isNumbered ? at + 2 : listMarkerEnd(from: at), marker < count,
          self[marker].isSpace
        else { break }
        column += marker - at
        at = marker
      }
    }
    return (column, at)
  }

  /// The column after the white space at an offset that is in a column, and its offset.
  private func indentation(from offset: Int, in column: Int = 0) -> (column: Int, text: Int) {
    var (column, at) = (column, offset)
    while at < count, self[at].isSpace {
      column += self[at] == Ascii.tab ? 8 - column % 8 : 1
      at += 1
    }
    return (column, at)
  }

  /// Whether a directive, a comment or the like begins at an offset; its text begins no block.
  private func isExplicit(at offset: Int) -> Bool {
    offset + 1 < count && self[offset] == Ascii.period && self[offset + 1] == Ascii.period
      && (isLineEnd(offset + 2) || self[offset + 2].isSpace)
  }
}

extension CodeFinder {
  /// The code in reStructuredText that begins with a run, if any.
  mutating func restructuredTextCode(
    at run: Range<Int>
  ) -> (zone: CodeZone, unclosed: Fence?)? {
    let start = run.lowerBound
    if let block = bytes.indentedCode(at: run) {
      return block.end.map { (CodeZone(range: start..<$0, isFenced: true), nil) }
    }
    guard bytes[start] == Ascii.backtick, run.count > 1, !bytes.isEscaped(start),
      bytes.isSpanStart(run, after: { "-:/'\"<([{".utf8.contains($0) })
    else { return nil }
    let end = spanEnd(
      with: Ascii.backtick,
      count: 2,
      from: run.upperBound,
      before: paragraphEnd(after: start)
    ) { bytes, offset in
      // Of more backticks, the last two.
      let end = offset + 2
      guard end <= bytes.count, bytes[offset + 1] == Ascii.backtick,
        end == bytes.count || bytes[end] != Ascii.backtick
      else { return false }
      return bytes.isSpanEnd(offset..<end) { "-:/'\")]}>.,;!?\\".utf8.contains($0) }
    }
    return end.map { (CodeZone(range: start..<$0, isFenced: false), nil) }
  }
}
