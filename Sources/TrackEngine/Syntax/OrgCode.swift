extension Bytes {
  /// The run at an offset with which code in Org can begin or end: a sign beside a word, or the head of a block.
  func orgRun(at offset: Int, repeatedUpTo end: Int) -> Range<Int>? {
    guard end == offset + 1 else { return nil }
    if self[offset] == Ascii.hash { return orgBlock(at: offset).map { offset..<$0.end } }
    if arrow(at: offset) { return nil }
    return opensOrgSpan(at: offset) || closesOrgSpan(at: offset) ? offset..<end : nil
  }

  /// What `#+begin_` or `#+end_` stands at an offset, with the name of a block of code.
  func orgBlock(at offset: Int) -> (block: Int, isBeginning: Bool, end: Int)? {
    func spells(_ word: StaticString, at offset: Int) -> Bool {
      let word = Bytes(start: word.utf8Start, count: word.utf8CodeUnitCount)
      guard offset + word.count <= count else { return false }
      return word.indices.allSatisfy { word[$0] == self[offset + $0] | 0x20 }
    }
    guard offset + 1 < count, self[offset] == Ascii.hash, self[offset + 1] == Ascii.plus else {
      return nil
    }
    // This bit turns `_` into DEL.
    let isBeginning = spells("begin\u{7F}", at: offset + 2)
    guard isBeginning || spells("end\u{7F}", at: offset + 2) else { return nil }
    let start = offset + (isBeginning ? 8 : 6)
    var end = start
    while end < count, self[end].isAsciiLetter { end += 1 }
    return Language.org.block(named: self[start..<end]).map { ($0, isBeginning, end) }
  }

  /// Whether a sign can begin a span: after white space or an opening bracket, before something else.
  func opensOrgSpan(at offset: Int) -> Bool {
    isSpanStart(offset..<offset + 1) { "-({'\"".utf8.contains($0) }
  }

  /// Whether a sign can end a span: before white space or punctuation, after something else.
  func closesOrgSpan(at offset: Int) -> Bool {
    isSpanEnd(offset..<offset + 1) { "-.,;:!?'\")}\\[".utf8.contains($0) }
  }

  /// Whether a closer or an arrow stands at an offset.
  func endsText(at offset: Int) -> Bool { closer(at: offset) != nil || arrow(at: offset) }

  /// Whether an opener or an arrow stands before an offset.
  func beginsText(at offset: Int) -> Bool {
    offset >= 3 && opener(at: offset - 3) != nil || offset >= 2 && arrow(at: offset - 2)
  }
}

extension CodeFinder {
  /// The code in Org that begins with a run, if any.
  mutating func orgCode(at run: Range<Int>) -> (zone: CodeZone, unclosed: Fence?)? {
    let start = run.lowerBound
    if let block = bytes.orgBlock(at: start) {
      guard block.isBeginning, isFirstOnLine(start) else { return nil }
      return self.block(of: Fence(block: block.block), from: start, after: run.upperBound)
    }
    guard bytes.opensOrgSpan(at: start) else { return nil }
    // A span has no more than one line break, and no blank line.
    var limit = bytes.lineEnd(after: start)
    if limit < bytes.count, !bytes.isBlank(lineAt: limit) { limit = bytes.lineEnd(after: limit) }
    let end = spanEnd(with: bytes[start], from: run.upperBound, before: limit) { bytes, offset in
      bytes.run(at: offset) == 1 && bytes[offset - 1] != bytes[offset]
        && !bytes.arrow(at: offset) && bytes.closesOrgSpan(at: offset)
    }
    return end.map { (CodeZone(range: start..<$0, isFenced: false), nil) }
  }

  /// Where a block in Org ends that a run closes.
  func orgBlockEnd(_ run: Range<Int>, of fence: Fence, from start: Int) -> Int? {
    guard let block = bytes.orgBlock(at: run.lowerBound), !block.isBeginning,
      block.block == fence.block
    else { return nil }
    var at = run.lowerBound
    while at > start, bytes[at - 1].isSpace { at -= 1 }
    guard at == 0 || bytes.isLineEnd(at - 1) else { return nil }
    let end = bytes.blankEnd(from: run.upperBound)
    return isDelimiterOrLineEnd(end) ? end : nil
  }
}
