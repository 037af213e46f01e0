/// Converts between offsets of a text and lines and columns.
///
/// Queries may come in any order. With rising offsets the text between two of them is scanned once, and whole
/// chunks between them are skipped.
public struct TextCursor {
  private let text: Text
  private let unit: TextUnit
  /// The chunk last used, and where it is.
  private var place: Text.Place
  private var bytes: [UInt8] = []
  private var summary = Text.Summary()
  /// How much of the chunk is counted, and what is in that.
  private var counted = 0
  private var lineBreaks = 0
  private var units = 0
  /// The line that was last found, and the units before it.
  private var line = 0
  private var lineStart = 0

  /// Starts at the beginning of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - unit: The unit of columns.
  public init(_ text: Text, in unit: TextUnit) {
    self.text = text
    self.unit = unit
    place = Text.Place(index: text.chunks.startIndex, before: Text.Summary())
    if text.count > 0 { look(at: place) }
  }

  /// Finds the line and the column of an offset.
  ///
  /// An offset between a CR and its LF is at the end of the line that they end.
  ///
  /// - Parameter offset: An offset not inside a character; beyond the text it counts as its end.
  /// - Returns: Line and column, from 0.
  public mutating func find(_ offset: Int) -> (line: Int, column: Int) {
    guard text.count > 0 else { return (0, 0) }
    let offset = max(0, min(offset, text.count))
    move(to: min(offset, text.count - 1))
    count(to: offset - place.before.bytes)
    let found = place.before.lineBreaks + lineBreaks
    if found != line {
      line = found
      lineStart = unitsBeforeLine()
    }
    return (line, place.before.units(unit) + units - lineStart)
  }

  /// Finds the offset of a line and a column.
  ///
  /// - Parameters:
  ///   - line: One in `0..<lineCount`.
  ///   - column: From 0.
  /// - Returns: The offset; the line's end for a column beyond it, and the character's start for one inside a
  ///   character.
  public mutating func offset(line: Int, column: Int) -> Int {
    guard text.count > 0 else { return 0 }
    if !hasBreak(before: line) { look(at: chunk { $0.lineBreaks >= line }) }
    var at = bytes.withUnsafeBufferPointer {
      $0.end(ofLineBreak: line - place.before.lineBreaks)
    }
    var left = column
    while true {
      let isDone = bytes.withUnsafeBufferPointer {
        $0.advance(&at, by: &left, unit, isASCII: summary.isASCII)
      }
      if isDone { return place.before.bytes + at }
      guard lookAtNext(skipping: &left) else { return text.count }
      at = 0
    }
  }

  /// The contiguous bytes around an offset.
  ///
  /// - Parameter offset: Below `count`.
  /// - Returns: The bytes, and the offset of the first one.
  public mutating func piece(around offset: Int) -> (bytes: [UInt8], start: Int) {
    move(to: offset)
    return (bytes, place.before.bytes)
  }
}

// Chunks.
extension TextCursor {
  /// Goes to the chunk with an offset below `count`.
  private mutating func move(to offset: Int) {
    let start = place.before.bytes
    guard offset < start || offset >= start + bytes.count else { return }
    look(at: chunk { $0.bytes > offset })
  }

  /// Whether the line break before a line is in the chunk, or the chunk is the text's first one and the
  /// line too.
  private func hasBreak(before line: Int) -> Bool {
    let before = place.before.lineBreaks
    return line == 0
      ? place.before.bytes == 0 : before < line && line <= before + summary.lineBreaks
  }

  /// The first chunk with which what is summed up reaches far enough; there must be one.
  private func chunk(where reaches: (Text.Summary) -> Bool) -> Text.Place {
    // From here, if it lies ahead and near.
    if !reaches(place.before),
      let (index, before) = text.chunks.first(
        from: place.index,
        before: place.before,
        where: reaches
      )
    {
      return Text.Place(index: index, before: before)
    }
    return text.place(where: reaches)
  }

  /// Goes on to the next chunk that holds a line break or more than some units, which go down by those
  /// of the chunks that are passed over; returns false if there is none.
  private mutating func lookAtNext(skipping units: inout Int) -> Bool {
    var next = place
    next.before.count(summary)
    next.index = text.chunks.index(after: next.index)
    while next.index < text.chunks.endIndex {
      var passed = text.chunks.sums[next.index.block]
      if next.index.offset == 0, passed.lineBreaks == 0, passed.units(unit) < units {
        next.index.block += 1
      } else {
        passed = text.chunks[next.index].summary
        if passed.lineBreaks > 0 || passed.units(unit) >= units {
          look(at: next)
          return true
        }
        next.index = text.chunks.index(after: next.index)
      }
      units -= passed.units(unit)
      next.before.count(passed)
    }
    return false
  }

  private mutating func look(at place: Text.Place) {
    self.place = place
    let chunk = text.chunks[place.index]
    bytes = chunk.bytes
    summary = chunk.summary
    counted = 0
    lineBreaks = 0
    units = 0
  }
}

// Counting.
extension TextCursor {
  /// Counts from the chunk's beginning, or from where it was counted last, to an offset in the chunk.
  private mutating func count(to offset: Int) {
    bytes.withUnsafeBufferPointer { bytes in
      let end = bytes.isInLineBreak(offset) ? offset - 1 : offset
      if end < counted {
        counted = 0
        lineBreaks = 0
        units = 0
      }
      lineBreaks += bytes.lineBreaks(in: counted..<end)
      units += summary.isASCII ? end - counted : bytes.units(unit, in: counted..<end)
      counted = end
    }
  }

  /// The units before the line that holds what is counted.
  private func unitsBeforeLine() -> Int {
    if lineBreaks > 0 {
      return bytes.withUnsafeBufferPointer { bytes in
        let start = bytes.lineStart(in: 0..<counted)
        let after = summary.isASCII ? counted - start : bytes.units(unit, in: start..<counted)
        return place.before.units(unit) + units - after
      }
    }
    var before = place.before.units(unit)
    var index = place.index
    while index > text.chunks.startIndex {
      if index.offset == 0 {
        let block = text.chunks.sums[index.block - 1]
        guard block.lineBreaks > 0 else {
          before -= block.units(unit)
          index.block -= 1
          continue
        }
      }
      index = text.chunks.index(before: index)
      let last = text.chunks[index]
      before -= last.summary.units(unit)
      guard last.summary.lineBreaks > 0 else { continue }
      return last.bytes.withUnsafeBufferPointer { bytes in
        let start = bytes.lineStart(in: 0..<bytes.count)
        return before + (last.summary.isASCII ? start : bytes.units(unit, in: 0..<start))
      }
    }
    return 0
  }
}

extension Text.Summary {
  /// Whether every byte is a character, as in ASCII.
  fileprivate var isASCII: Bool { scalars == bytes && utf16 == bytes }
}
