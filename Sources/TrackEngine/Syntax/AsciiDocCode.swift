extension Bytes {
  /// The run at an offset in AsciiDoc with which code can begin or end, without signs of delimiters: `+` and backticks,
  /// and the lines of blocks.
  func asciiDocRun(at offset: Int, repeatedUpTo end: Int) -> Range<Int>? {
    let start = hasOpenerSigns(at: offset) ? offset + 2 : offset
    let end = closer(at: end - 2) == nil ? end : end - 2
    guard start < end, self[start] == Ascii.plus || self[start] == Ascii.backtick || end - start > 3
    else { return nil }
    return start..<end
  }

  /// The fence that a line of a block is, at an offset.
  func asciiDocFence(at offset: Int) -> Fence? {
    asciiDocRun(at: offset, repeatedUpTo: offset + run(at: offset)).map {
      Fence(block: Int(self[offset]), length: $0.count)
    }
  }

  /// Whether the signs of an opener stand at an offset.
  private func hasOpenerSigns(at offset: Int) -> Bool {
    guard offset > 0 else { return false }
    if opener(at: offset - 1) != nil { return true }
    guard self[offset - 1] == Ascii.quote else { return false }
    var brace = offset - 1
    while brace > 0, self[brace] != Ascii.open, !isLineEnd(brace),
      offset - brace < Bytes.longestMetadata
    { brace -= 1 }
    return openerDelimiter(at: brace)?.end == offset + 2
  }

  /// Whether a run can begin a span: before something, and at the beginning of a line or of the text of a mark, or after
  /// white space or certain characters.
  func isSpanStart(_ run: Range<Int>, after isBorder: (UInt8) -> Bool) -> Bool {
    let (start, end) = (run.lowerBound, run.upperBound)
    guard !isLineEnd(end), !self[end].isSpace, !endsText(at: end) else { return false }
    if start == 0 || isLineEnd(start - 1) || beginsText(at: start) { return true }
    return self[start - 1].isSpace || isBorder(self[start - 1]) || closer(at: start - 3) != nil
  }

  /// Whether a run can end a span: after something, and at the end of a line or of the text of a mark, or before white
  /// space or certain characters.
  func isSpanEnd(_ run: Range<Int>, before isBorder: (UInt8) -> Bool) -> Bool {
    let (start, end) = (run.lowerBound, run.upperBound)
    guard start > 0, !isLineEnd(start - 1), !self[start - 1].isSpace, !beginsText(at: start) else {
      return false
    }
    if isLineEnd(end) || endsText(at: end) { return true }
    return self[end].isSpace || isBorder(self[end]) || openerDelimiter(at: end) != nil
  }
}

extension CodeFinder {
  /// The code in AsciiDoc that begins with a run, if any; none begins in a comment.
  mutating func asciiDocCode(at run: Range<Int>) -> (zone: CodeZone, unclosed: Fence?)? {
    let start = run.lowerBound
    let isComment = isCommented(start) { bytes, offset in
      (offset == 0 || bytes.isLineEnd(offset - 1)) && bytes[offset] == Ascii.slash
        && bytes.run(at: offset) == 2 ? bytes.lineEnd(after: offset) : nil
    }
    if isComment { return nil }
    if let fence = asciiDocOpening(run) {
      return block(of: fence, from: start, after: run.upperBound)
    }
    let sign = bytes[start]
    guard sign == Ascii.plus || sign == Ascii.backtick, run.count < 4, !bytes.isEscaped(start),
      run.count > 1
        || bytes.isSpanStart(run, after: { !$0.isWordSign && !";:\"}`".utf8.contains($0) })
    else { return nil }
    let end = spanEnd(
      with: sign,
      count: run.count,
      from: run.upperBound,
      before: paragraphEnd(after: start)
    ) { bytes, offset in
      guard bytes[offset - 1] != sign || bytes.beginsText(at: offset),
        let closing = bytes.asciiDocRun(at: offset, repeatedUpTo: offset + bytes.run(at: offset)),
        closing == offset..<offset + run.count
      else { return false }
      return run.count > 1
        || bytes.isSpanEnd(closing) { !$0.isWordSign && $0 != Ascii.quote && $0 != Ascii.backtick }
    }
    return end.map { (CodeZone(range: start..<$0, isFenced: false), nil) }
  }

  /// Where the first block in AsciiDoc begins after an offset; nil if none does in the paragraph.
  func asciiDocBlock(after offset: Int, before end: Int) -> Int? {
    var lexer = Lexer(bytes, .asciiDoc, from: offset)
    while let run = lexer.nextRun(), run.lowerBound < end {
      if run.lowerBound > offset, asciiDocOpening(run) != nil { return run.lowerBound }
    }
    return nil
  }

  /// Where a block in AsciiDoc ends that a run closes.
  func asciiDocBlockEnd(_ run: Range<Int>, of fence: Fence) -> Int? {
    let start = run.lowerBound
    guard Int(bytes[start]) == fence.block, run.count == fence.length,
      start == 0 || bytes.isLineEnd(start - 1)
    else { return nil }
    let end = bytes.blankEnd(from: run.upperBound)
    return isDelimiterOrLineEnd(end) ? end : nil
  }

  /// The fence of the block that a run opens, if it does.
  private func asciiDocOpening(_ run: Range<Int>) -> Fence? {
    guard run.count > 2 else { return nil }
    let line = lineStart(of: run.lowerBound)
    var at = line
    skipDelimiters(&at)
    guard at == run.lowerBound else { return nil }
    if bytes[at] == Ascii.backtick {
      let end = bytes.lineEnd(after: at)
      guard !bytes[run.upperBound..<end].contains(Ascii.backtick) else { return nil }
    } else {
      guard run.count > 3, isDelimiterOrLineEnd(bytes.blankEnd(from: run.upperBound)),
        !(bytes[at] == Ascii.minus || bytes[at] == Ascii.plus) || !underlines(line, run.count)
      else { return nil }
    }
    return Fence(block: Int(bytes[at]), length: run.count)
  }

  /// Whether a line of so many signs is under a title: a paragraph of one line that is about as long, with its changes or
  /// without.
  private func underlines(_ line: Int, _ count: Int) -> Bool {
    guard line > lineStart else { return false }
    let title = lineStart(of: line - bytes.lineBreakLength(before: line))
    // Where a block ends, its last line is no title.
    guard title > lineStart || lineStart == 0, title < line, !beginsHead(title) else {
      return false
    }
    if title > 0 {
      let above = lineStart(of: title - bytes.lineBreakLength(before: title))
      let isBlock = lineStart > 0 && above == lineStart
      guard isBlock || bytes.isBlank(lineAt: above) || beginsHead(above) else { return false }
    }
    return bytes.lengths(ofLineAt: title).contains { abs($0 - count) < 2 }
  }

  /// Whether a line is one of those that stand above a title or a block: attributes, anchors, comments.
  private func beginsHead(_ line: Int) -> Bool {
    var at = line
    skipDelimiters(&at)
    return at < bytes.count && "[.:/".utf8.contains(bytes[at])
  }

  /// The beginning of the line of an offset, in what is not code.
  private func lineStart(of offset: Int) -> Int {
    var at = offset
    while at > lineStart, !bytes.isLineEnd(at - 1) { at -= 1 }
    return at
  }
}

extension Bytes {
  /// How many characters a line has with its changes, and without them.
  fileprivate func lengths(ofLineAt line: Int) -> [Int] {
    var (clean, original) = (0, 0)
    var kind: MarkKind?
    var isNew = false
    var at = line
    while !isLineEnd(at) {
      if let opener = openerDelimiter(at: at) {
        (kind, isNew) = (opener.mark, false)
        at = opener.end
      } else if closer(at: at) != nil {
        kind = nil
        at += 3
      } else if kind == .substitution, arrow(at: at) {
        isNew = true
        at += 2
      } else {
        // Those that continue a character do not count.
        let step = self[at] & 0xC0 == 0x80 || kind == .comment ? 0 : 1
        if kind != .addition, !isNew || kind != .substitution { original += step }
        if kind != .deletion, isNew || kind != .substitution { clean += step }
        at += 1
      }
    }
    return [clean, original]
  }
}

extension UInt8 {
  /// Whether it is part of a word beside which no span begins or ends.
  fileprivate var isWordSign: Bool { isLetter || self == UInt8(ascii: "_") }
}
