// Room for delimiters. An opener directly behind a backslash or a caret would be text, and what looks like
// another tool's metadata directly behind a closer would be the mark's. Such text goes into the mark, as old and as
// new text: `{~~\alpha~>\beta~~}`.

extension ParsedText {
  /// A range extended by the text on both sides that no delimiter may be beside.
  ///
  /// - Parameters:
  ///   - range: The range.
  ///   - start: Where the text before it that may be taken in begins.
  /// - Returns: The extended range; linear in what is taken in.
  func withRoom(_ range: Range<Int>, from start: Int) -> Range<Int> {
    let first = max(start, lastMark(endingBefore: range.lowerBound))
    let before = bytes[first..<max(first, range.lowerBound)].escapeAtEnd
    guard range.upperBound < bytes.count, mark(at: range.upperBound) == nil else {
      return range.lowerBound - before..<range.upperBound
    }
    let after = bytes.withUnsafeBufferPointer { $0.tails(at: range.upperBound) }
    return range.lowerBound - before..<range.upperBound + after
  }

  /// Where the last outermost mark that ends at or before `offset` ends, or a mark that holds the byte before
  /// it; 0 if there is none.
  private func lastMark(endingBefore offset: Int) -> Int {
    let next = top.partitioningIndex { reading.marks[$0].start >= offset }
    return next > 0 ? min(offset, reading.marks[top[next - 1]].end) : 0
  }

  /// Whether a mark begins at an offset.
  func hasOutermostMark(at offset: Int) -> Bool {
    mark(at: offset).map { reading.marks[$0].start == offset } ?? false
  }
}

extension [Span] {
  /// The spans with room for their delimiters: text that must not be beside one is replaced by itself, in the
  /// same mark where possible.
  ///
  /// - Parameters:
  ///   - texts: The texts that hold their bytes.
  ///   - isBeforeMark: Whether a mark follows.
  /// - Returns: The spans, in writing order.
  func makingRoom(in texts: Texts, isBeforeMark: Bool) -> [Span] {
    guard contains(where: { $0.kind != .original }) || isBeforeMark else { return self }
    var spans: [Span] = []
    var rest = self[...]
    while !rest.isEmpty {
      let text = rest.prefix { $0.kind == .original }
      let marked = rest[text.endIndex...].prefix { $0.kind != .original }
      rest = rest[marked.endIndex...]
      let bytes = texts.bytes(of: text)
      let tail = spans.isEmpty ? 0 : bytes.withUnsafeBufferPointer { $0.tails(at: 0) }
      let isLast = marked.isEmpty && !isBeforeMark
      let escape = isLast ? 0 : bytes[tail...].escapeAtEnd
      let parts = Array(text).divided(at: [tail, bytes.count - escape])
      spans.takeIn(parts[0], signed: texts.signature)
      spans += parts[1]
      spans += parts[2].replaced(signed: texts.signature) + marked
    }
    return spans.ordered { _, _ in true }
  }

  /// Adds text behind the last mark to the mark.
  private mutating func takeIn(_ tail: [Span], signed signature: Signature?) {
    guard let last else { return }
    self +=
      last.kind == .highlighted
      ? tail.map { $0.inside(last) } : tail.replaced(signed: signature)
  }

  /// The spans of original text, deleted and added again.
  private func replaced(signed signature: Signature?) -> [Span] {
    map { $0.asChange(.deleted, signature) } + map { $0.asChange(.added, signature) }
  }
}

extension Span {
  fileprivate func asChange(_ kind: Kind, _ signature: Signature?) -> Span {
    var change = self
    (change.kind, change.mark, change.metadata) = (kind, nil, signature?.own)
    change.highlight = nil
    return change
  }

  fileprivate func inside(_ highlight: Span) -> Span {
    var inside = self
    (inside.kind, inside.mark, inside.metadata, inside.highlight) = (
      highlight.kind, highlight.mark, highlight.metadata, highlight.highlight
    )
    return inside
  }
}

extension ArraySlice<UInt8> {
  /// The length of the backslashes and carets at the end, if an opener behind them would be text; otherwise 0.
  var escapeAtEnd: Int {
    guard let last, last.isEscape else { return 0 }
    let start = lastIndex { !$0.isEscape }.map { $0 + 1 } ?? startIndex
    let opener = Array(self[start...]) + MarkKind.addition.opener
    return opener.delimiters.isEmpty ? endIndex - start : 0
  }
}

extension UInt8 {
  /// Whether it can turn an opener behind it into text.
  var isEscape: Bool { self == Ascii.backslash || self == Ascii.caret }
}
