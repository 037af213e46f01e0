extension CodeFinder {
  /// The raw text in Typst that begins with a run of backticks, if any; no block begins in a comment.
  mutating func typstCode(at run: Range<Int>) -> (zone: CodeZone, unclosed: Fence?)? {
    let start = run.lowerBound + (bytes.isEscaped(run.lowerBound) ? 1 : 0)
    let count = run.upperBound - start
    // Two backticks are empty.
    guard count == 1 || count > 2 && !isCommented(start, { $0.typstCommentEnd(from: $1) }) else {
      return nil
    }
    // A single one that nothing closes is a mistake; it is not for the rest of the text.
    let limit = count == 1 ? paragraphEnd(after: start) : bytes.lineEnd(after: start)
    let end = spanEnd(
      with: Ascii.backtick,
      count: count,
      from: run.upperBound,
      before: limit
    ) { bytes, offset in
      count == 1 || bytes[offset - 1] != Ascii.backtick && bytes.run(at: offset) >= count
    }
    if let end { return (CodeZone(range: start..<end, isFenced: false), nil) }
    if count == 1 { return nil }
    return block(of: Fence(length: count, isTildes: false), from: start, after: run.upperBound)
  }
}

extension Bytes {
  /// Where the comment ends that begins at an offset, at the latest with its line; nil if none does.
  fileprivate func typstCommentEnd(from offset: Int) -> Int? {
    guard offset + 1 < count, self[offset] == Ascii.slash, !isEscaped(offset) else { return nil }
    let end = lineEnd(after: offset)
    // `https://` begins none.
    if self[offset + 1] == Ascii.slash {
      return offset > 0 && self[offset - 1] == Ascii.colon ? nil : end
    }
    guard self[offset + 1] == Ascii.star else { return nil }
    var at = offset + 2
    while at + 1 < end {
      if self[at] == Ascii.star, self[at + 1] == Ascii.slash { return at + 2 }
      at += 1
    }
    return end
  }
}
