extension Difference {
  /// The difference without the spaces and line breaks that both sides begin or end with, and without the sign
  /// after the number of a list item.
  ///
  /// A line break for a space stays as it is, whatever is indented: `{~~ ~>⏎  ~~}`.
  func withoutSharedEnds(_ oldText: Bytes, _ newText: Bytes) -> Difference {
    guard !old.isEmpty, !new.isEmpty else { return self }
    let (before, after) = (Bytes(rebasing: oldText[old]), Bytes(rebasing: newText[new]))
    let isOfSpace = before.isOnlySpace && after.isOnlySpace
    if isOfSpace, before.contains(where: \.isLineBreak) != after.contains(where: \.isLineBreak) {
      return self
    }
    if let last = before.last, last == after.last, before.isNumber, after.isNumber {
      return Difference(old.lowerBound..<old.upperBound - 1, new.lowerBound..<new.upperBound - 1)
    }
    let shorter = min(before.count, after.count)
    var head = 0
    while head < shorter, before[head] == after[head], before[head].isWhiteSpace { head += 1 }
    if before.isInsideLineBreak(head) || after.isInsideLineBreak(head) { head -= 1 }
    var tail = 0
    while tail < shorter - head,
      before[before.count - 1 - tail] == after[after.count - 1 - tail],
      before[before.count - 1 - tail].isWhiteSpace
    { tail += 1 }
    if before.isInsideLineBreak(before.count - tail) || after.isInsideLineBreak(after.count - tail)
    {
      tail -= 1
    }
    return Difference(
      old.lowerBound + head..<old.upperBound - tail,
      new.lowerBound + head..<new.upperBound - tail
    )
  }
}

extension Bytes {
  fileprivate var isOnlySpace: Bool { allSatisfy(\.isWhiteSpace) }

  /// Whether it is the number of a list item, such as `2.`.
  fileprivate var isNumber: Bool {
    count > 1 && !self[count - 1].isLetter
      && self[..<(count - 1)].allSatisfy(\.isDigit)
  }

  /// Whether a CRLF is cut at `offset`.
  fileprivate func isInsideLineBreak(_ offset: Int) -> Bool {
    offset > 0 && offset < count && self[offset - 1] == Ascii.carriageReturn
      && self[offset] == Ascii.newline
  }
}
