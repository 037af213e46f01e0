/// The unit of a length.
public enum TextUnit: Sendable {
  /// Bytes.
  case utf8
  /// UTF-16 code units.
  case utf16
  /// Unicode scalars, which are UTF-32 code units.
  case scalar
}

extension Text {
  /// The start of a line; `line` is in `0..<lineCount`.
  public func start(ofLine line: Int) -> Int {
    guard line > 0 else { return 0 }
    let place = place { $0.lineBreaks >= line }
    let chunk = chunks[place.index].bytes
    return place.before.bytes
      + chunk.withUnsafeBufferPointer { bytes in
        var at = 0
        for _ in place.before.lineBreaks..<line { at = bytes.lineEnd(after: at) }
        return at
      }
  }

  /// The end of a line without its line break; `line` is in `0..<lineCount`.
  public func end(ofLine line: Int) -> Int {
    guard line + 1 < lineCount else { return count }
    let next = start(ofLine: line + 1)
    return next >= 2 && self[next - 1] == Ascii.newline && self[next - 2] == Ascii.carriageReturn
      ? next - 2 : next - 1
  }

  /// The line that holds an offset; between a CR and its LF it is the line that they end.
  public func line(at offset: Int) -> Int {
    guard offset < count else { return lineCount - 1 }
    let place = place(of: offset)
    let chunk = chunks[place.index].bytes
    return place.before.lineBreaks
      + chunk.withUnsafeBufferPointer { bytes in
        var lines = 0
        var at = bytes.lineEnd(after: 0)
        while at <= offset - place.before.bytes {
          lines += 1
          at = bytes.lineEnd(after: at)
        }
        return lines
      }
  }

  /// The length of a range that does not split a character.
  public func length(of range: Range<Int>, in unit: TextUnit) -> Int {
    units(before: range.upperBound, unit) - units(before: range.lowerBound, unit)
  }

  private func units(before offset: Int, _ unit: TextUnit) -> Int {
    guard unit != .utf8 else { return offset }
    guard offset < count else { return summary.units(unit) }
    let place = place(of: offset)
    let chunk = chunks[place.index]
    let length = offset - place.before.bytes
    if chunk.summary.utf16 == chunk.summary.bytes { return place.before.units(unit) + length }
    let part = chunk.bytes.withUnsafeBufferPointer { $0.units(unit, in: 0..<length) }
    return place.before.units(unit) + part
  }

  func place(of offset: Int) -> Place {
    // Most queries are about the place of the last edit.
    if let focus, offset >= focus.start,
      offset - focus.start < chunks[focus.place.index].bytes.count
    {
      return focus.place
    }
    return place { $0.bytes > offset }
  }

  /// The first chunk with which what is summed up reaches far enough; there must be one.
  func place(where reaches: (Summary) -> Bool) -> Place {
    guard let (index, before) = chunks.first(where: reaches) else {
      preconditionFailure("beyond the text")
    }
    return Place(index: index, before: before)
  }
}

extension Text.Summary {
  /// Adds everything except the hash, which searches do not use.
  mutating func count(_ next: Text.Summary) {
    bytes += next.bytes
    lineBreaks += next.lineBreaks
    utf16 += next.utf16
    scalars += next.scalars
  }
}
