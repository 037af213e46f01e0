extension Settling {
  /// Whether the new settled text reads as it is meant: the windows as their pieces say, everything
  /// else as before, the last line break too.
  mutating func readsAsMeant() -> Bool {
    readings += 1
    var text: [UInt8] = []
    var stretches: [Range<Int>] = []
    var at = 0
    for piece in written {
      text += settled.bytes[at..<piece.window.old.lowerBound]
      let start = text.count
      text += piece.bytes
      stretches.append(start..<text.count)
      at = piece.window.old.upperBound
    }
    text += settled.bytes[at...]
    if endsWithLineBreak, text[...].lineBreakAtEnd.isEmpty { return false }
    let result = Settled(text)
    guard
      marksOutside(written.map(\.window.old), of: settled, as: stretches)
        == marksOutside(stretches, of: result, as: stretches)
    else { return false }
    return zip(written, stretches).allSatisfy { piece, stretch in
      settled.text(.original, in: piece.window.old) == piece.window.pieces.text(.original)
        && result.text(.original, in: stretch) == piece.window.pieces.text(.original)
        && result.text(.clean, in: stretch) == piece.window.pieces.text(.clean)
    }
  }

  /// The marks that do not lie in one of `ranges`, in offsets of a text that has `stretches` there.
  func marksOutside(
    _ ranges: [Range<Int>],
    of settled: Settled,
    as stretches: [Range<Int>]
  ) -> [Mark] {
    var outside: [Mark] = []
    var next = 0
    var shift = 0
    for mark in settled.reading.marks {
      while next < ranges.count, ranges[next].upperBound <= mark.start {
        shift = stretches[next].upperBound - ranges[next].upperBound
        next += 1
      }
      if next < ranges.count, ranges[next].lowerBound <= mark.start,
        mark.end <= ranges[next].upperBound, !ranges[next].isEmpty
      {
        continue
      }
      func moved(_ offset: Int) -> Int {
        var index = next
        var shift = shift
        while index < ranges.count, ranges[index].upperBound < offset {
          shift = stretches[index].upperBound - ranges[index].upperBound
          index += 1
        }
        return offset + shift
      }
      var mark = mark
      mark.start += shift
      mark.end = moved(mark.end)
      if mark.arrow >= 0 { mark.arrow = moved(mark.arrow) }
      mark.depth = 0
      mark.inner = 0
      outside.append(mark)
    }
    return outside
  }
}
