extension Settling {
  /// Whether the new settled text reads as it is meant: the windows as their pieces say, everything
  /// else as before, the last line break too.
  mutating func readsAsMeant() -> Bool {
    readings += 1
    var text: [UInt8] = []
    var at = 0
    for piece in written {
      text += settled.bytes[at..<piece.window.old.lowerBound]
      text += piece.bytes
      at = piece.window.old.upperBound
    }
    text += settled.bytes[at...]
    if endsWithLineBreak, text[...].lineBreakAtEnd.isEmpty { return false }
    let result = Settled(text)
    let map = OffsetMap(written)
    guard keepsMarks(of: settled, in: result, map) else { return false }
    return zip(written, map.differences).allSatisfy { piece, place in
      settled.text(.original, in: place.old) == piece.window.pieces.text(.original)
        && result.text(.original, in: place.new) == piece.window.pieces.text(.original)
        && result.text(.clean, in: place.new) == piece.window.pieces.text(.clean)
    }
  }

  /// Whether the marks are the same in two texts but for those that lie in what differs.
  func keepsMarks(of old: Settled, in new: Settled, _ map: OffsetMap) -> Bool {
    let kept = old.marks(outside: map.differences.map(\.old)).map { mark in
      var mark = mark
      let range = map.map(mark.range)
      (mark.start, mark.end) = (range.lowerBound, range.upperBound)
      if mark.arrow >= 0 { mark.arrow = map.map(mark.arrow, bias: .before) }
      return mark
    }
    return kept == new.marks(outside: map.differences.map(\.new))
  }
}

extension Settled {
  /// The marks that do not lie in one of some ranges, wherever they are nested.
  fileprivate func marks(outside ranges: [Range<Int>]) -> [Mark] {
    var next = 0
    return reading.marks.compactMap { mark in
      while next < ranges.count, ranges[next].upperBound <= mark.start { next += 1 }
      guard next == ranges.count || ranges[next].isEmpty || !ranges[next].holds(mark.range) else {
        return nil
      }
      var mark = mark
      mark.depth = 0
      mark.inner = 0
      return mark
    }
  }
}
