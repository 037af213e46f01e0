/// A document's text: UTF-8 bytes, any bytes, that know their lines and their hash.
///
/// Offsets are UTF-8 offsets in `0...count`. A value; copies share storage until one of them changes.
public struct Text: Equatable, Sendable {
  /// The whole text.
  public private(set) var bytes: [UInt8]
  /// Where each line begins; the first entry is 0.
  ///
  /// LF, CRLF and CR end lines, nothing else does.
  private var lineStarts: [Int]

  /// A text of the given bytes.
  ///
  /// Linear.
  public init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
    lineStarts = [0] + Text.lineStarts(in: bytes, from: 0, to: bytes.count)
  }

  /// The number of bytes.
  public var count: Int { bytes.count }
  /// The number of lines; what stands behind the last line break is one, even when it is empty.
  public var lineCount: Int { lineStarts.count }

  /// The byte at an offset below `count`.
  public subscript(offset: Int) -> UInt8 { bytes[offset] }
  /// The bytes of a range within `0..<count`.
  public subscript(range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

  /// Where a line begins; `line` is in `0..<lineCount`.
  public func start(ofLine line: Int) -> Int { lineStarts[line] }

  /// Where a line's text ends, its line break not included; `line` is in `0..<lineCount`.
  public func end(ofLine line: Int) -> Int {
    guard line + 1 < lineStarts.count else { return count }
    let next = lineStarts[line + 1]
    return next >= 2 && bytes[next - 1] == Ascii.newline && bytes[next - 2] == Ascii.carriageReturn
      ? next - 2 : next - 1
  }

  /// The line that holds an offset.
  ///
  /// Logarithmic.
  public func line(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Puts `new` in the place of a range.
  public mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
    // A line break at either end can join or part with its neighbour (CR and LF), so the lines are
    // looked for from one byte before the change to one byte behind it.
    let first = line(at: max(0, range.lowerBound - 1))
    let stop = min(count, range.upperBound + 1)
    let shift = new.count - range.count
    let last = lineStarts[first...].firstIndex { $0 > stop } ?? lineStarts.count
    bytes.replaceSubrange(range, with: new)
    let found = Text.lineStarts(in: bytes, from: lineStarts[first], to: stop + shift)
    if shift != 0 {
      for index in last..<lineStarts.count { lineStarts[index] += shift }
    }
    lineStarts.replaceSubrange(first + 1..<last, with: found)
  }

  private static func lineStarts(in bytes: [UInt8], from start: Int, to end: Int) -> [Int] {
    bytes.withUnsafeBufferPointer { bytes in
      var starts: [Int] = []
      var at = start
      while at < end {
        let byte = bytes[at]
        at += 1
        if byte == Ascii.newline {
          starts.append(at)
        } else if byte == Ascii.carriageReturn, at == bytes.count || bytes[at] != Ascii.newline {
          starts.append(at)
        }
      }
      return starts
    }
  }
}

extension Text {
  /// The hash of the whole text; equal texts have equal hashes.
  public var hash: TextHash { TextHash(of: bytes[...]) }

  /// The hash that the text would have with `edits` made.
  ///
  /// Linear.
  public func hash(after edits: [Edit]) -> TextHash {
    var hash = TextHash()
    var at = 0
    for edit in edits {
      hash.append(TextHash(of: bytes[at..<edit.range.lowerBound]))
      hash.append(TextHash(of: edit.new[...]))
      at = edit.range.upperBound
    }
    hash.append(TextHash(of: bytes[at...]))
    return hash
  }

  /// The text with `edits` made.
  public func applying(_ edits: [Edit]) -> Text {
    var text = self
    for edit in edits.reversed() { text.replace(edit.range, with: edit.new) }
    return text
  }
}
