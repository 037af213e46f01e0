extension Bytes {
  /// Where the address of a link that begins at `offset` ends: `(page.md "Title")` behind a bracket, or
  /// `https://example.com`; nil if there is none.
  func addressEnd(from offset: Int) -> Int? {
    if self[offset] == UInt8(ascii: "(") {
      return offset > 0 && self[offset - 1] == UInt8(ascii: "]") ? targetEnd(from: offset) : nil
    }
    return self[offset].isLetter && self[offset] < 0x80 ? urlEnd(from: offset) : nil
  }

  /// Where the parentheses at `offset` end, with an address and perhaps a title in them.
  private func targetEnd(from offset: Int) -> Int? {
    var at = offset + 1
    var depth = 1
    while !isLineEnd(at), !self[at].isSpace, self[at] != Ascii.bracket {
      if self[at] == UInt8(ascii: "(") { depth += 1 }
      if self[at] == UInt8(ascii: ")") { depth -= 1 }
      at += 1
      if depth == 0 { return at }
      // Nobody nests them deeper, and so no byte is read often.
      if depth == 4 { return nil }
    }
    at = blankEnd(from: at)
    guard depth == 1, !isLineEnd(at), [Ascii.quote, UInt8(ascii: "'")].contains(self[at]) else {
      return nil
    }
    let quote = self[at]
    at += 1
    while !isLineEnd(at), self[at] != quote { at += 1 }
    guard !isLineEnd(at) else { return nil }
    at = blankEnd(from: at + 1)
    return at < count && self[at] == UInt8(ascii: ")") ? at + 1 : nil
  }

  /// Where an address ends that begins with a scheme at `offset`.
  private func urlEnd(from offset: Int) -> Int? {
    var at = offset
    while at < count, self[at].isLetter, self[at] < 0x80, at - offset < 8 { at += 1 }
    guard at + 3 < count, self[at] == Ascii.colon, self[at + 1] == UInt8(ascii: "/"),
      self[at + 2] == UInt8(ascii: "/")
    else { return nil }
    let start = at + 3
    at = start
    while at < count, self[at] > Ascii.space, self[at] < 0x7F, !self[at].endsAddress { at += 1 }
    while at > start, self[at - 1].isPunctuation { at -= 1 }
    return at > start ? at : nil
  }

  /// The parts of two addresses that differ, from one sign that divides them to another.
  func changedAddress(_ range: Range<Int>, _ other: Bytes, _ otherRange: Range<Int>) -> Difference {
    let old = Bytes(rebasing: self[range])
    let new = Bytes(rebasing: other[otherRange])
    var head = old.commonPrefix(with: new)
    while head > 0, !old[head - 1].dividesAddress { head -= 1 }
    let oldRest = Bytes(rebasing: old[head...])
    let newRest = Bytes(rebasing: new[head...])
    var tail = oldRest.commonSuffix(with: newRest)
    while tail > 0, !oldRest[oldRest.count - tail].dividesAddress { tail -= 1 }
    return Difference(
      range.lowerBound + head..<range.upperBound - tail,
      otherRange.lowerBound + head..<otherRange.upperBound - tail
    )
  }
}

extension UInt8 {
  fileprivate var endsAddress: Bool {
    isBrace
      || [
        Ascii.less, Ascii.greater, Ascii.quote, Ascii.backtick, Ascii.bar, Ascii.bracket,
        UInt8(ascii: "]"), UInt8(ascii: "("), UInt8(ascii: ")"),
      ].contains(self)
  }

  fileprivate var isPunctuation: Bool {
    [
      UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), Ascii.colon, UInt8(ascii: "!"),
      UInt8(ascii: "?"), UInt8(ascii: "'"), Ascii.star, UInt8(ascii: "_"), Ascii.tilde,
    ].contains(self)
  }

  fileprivate var dividesAddress: Bool {
    [
      UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"), Ascii.equals,
      UInt8(ascii: "("), UInt8(ascii: ")"), Ascii.quote, Ascii.space,
    ].contains(self)
  }
}
