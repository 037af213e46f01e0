import TrackEngine

/// Where a caret can be in a plain text, and what commands of editors do from there.
extension [UInt8] {
  /// The nearest place before an offset, or there, where a caret can be.
  func caret(near offset: Int) -> Int {
    var place = Swift.max(0, Swift.min(offset, count))
    while !isBoundary(place) { place -= 1 }
    return place
  }

  /// The place of the caret one character before.
  func boundary(before offset: Int) -> Int { caret(near: offset - 1) }

  /// The place of the caret one character further.
  func boundary(after offset: Int) -> Int {
    var place = Swift.min(count, offset + 1)
    while !isBoundary(place) { place += 1 }
    return place
  }

  /// The place of the caret so many characters further.
  func end(of characters: Int, from offset: Int) -> Int {
    (0..<characters).reduce(offset) { place, _ in boundary(after: place) }
  }

  /// So many lines with their line breaks, from that of an offset on.
  func lines(_ number: Int, from offset: Int) -> Range<Int> {
    var start = offset
    while start > 0, self[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    var end = start
    for _ in 0..<number {
      while end < count, self[end] != UInt8(ascii: "\n") { end += 1 }
      if end < count { end += 1 }
    }
    return start..<end
  }

  /// Edits that put line breaks where there were spaces in so many lines, and the other way round; in order, each of
  /// one byte.
  func filling(_ number: Int, from offset: Int) -> [Edit] {
    var edits: [Edit] = []
    var column = 0
    for place in lines(number, from: offset).dropLast() {
      column += 1
      let isSpace = self[place] == UInt8(ascii: " ")
      guard isSpace || self[place] == UInt8(ascii: "\n") else { continue }
      let wraps = column > 60
      if wraps { column = 0 }
      let isOfCRLF = place > 0 && self[place - 1] == UInt8(ascii: "\r")
      if wraps == isSpace, !isOfCRLF {
        edits.append(Edit(place..<place + 1, [UInt8(ascii: wraps ? "\n" : " ")]))
      }
    }
    return edits
  }

  /// The line of an offset, and where it is moved by so many lines.
  func moving(by number: Int, from offset: Int) -> (line: Range<Int>, target: Int) {
    let line = lines(1, from: offset)
    var target = number < 0 ? line.lowerBound : line.upperBound
    for _ in 0..<abs(number) {
      target =
        number < 0
        ? lines(1, from: Swift.max(0, target - 1)).lowerBound : lines(1, from: target).upperBound
    }
    return (line, target)
  }

  private func isBoundary(_ offset: Int) -> Bool {
    guard offset > 0, offset < count else { return true }
    if self[offset] & 0xC0 == 0x80 { return false }
    return !(self[offset] == UInt8(ascii: "\n") && self[offset - 1] == UInt8(ascii: "\r"))
  }
}
