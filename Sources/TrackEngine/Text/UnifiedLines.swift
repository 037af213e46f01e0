/// A text in which each line end is a line feed, and what the line ends were.
struct UnifiedLines {
  /// The text.
  let bytes: [UInt8]
  /// Where a line feed stands for CRLF, in this text.
  private let pairs: [Int]
  /// The line ends where they are not all the same; otherwise the first.
  private let ends: [(offset: Int, end: [UInt8])]

  init(_ text: [UInt8]) {
    var bytes: [UInt8] = []
    var pairs: [Int] = []
    var ends: [(offset: Int, end: [UInt8])] = []
    var isMixed = false
    bytes.reserveCapacity(text.count)
    text.withUnsafeBufferPointer { text in
      var at = 0
      while at < text.count {
        let length = text.lineBreak(at: at)
        if length > 0 {
          let end = Array(text[at..<at + length])
          isMixed = isMixed || ends.first.map { $0.end != end } ?? false
          ends.append((bytes.count, end))
        }
        if length == 2 { pairs.append(bytes.count) }
        bytes.append(length > 0 ? Ascii.newline : text[at])
        at += max(1, length)
      }
    }
    self.bytes = bytes
    self.pairs = pairs
    self.ends = isMixed ? ends : Array(ends.prefix(1))
  }

  /// The offset in the text as it was of one in this text; logarithmic.
  func origin(of offset: Int) -> Int { offset + pairs.partitioningIndex { $0 >= offset } }

  /// A text with line feeds, with the line ends of what it replaces: those in turn, then that of the line there.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - range: What it replaces, in this text.
  /// - Returns: The text; as it is, if this one has no line ends.
  func spelled(_ text: [UInt8], replacing range: Range<Int>) -> [UInt8] {
    guard !ends.isEmpty, text.contains(Ascii.newline) else { return text }
    var next = ends.count == 1 ? 0 : ends.partitioningIndex { $0.offset >= range.lowerBound }
    var spelled: [UInt8] = []
    for byte in text {
      if byte != Ascii.newline {
        spelled.append(byte)
        continue
      }
      spelled += ends[min(next, ends.count - 1)].end
      if next < ends.count, ends[next].offset < range.upperBound { next += 1 }
    }
    return spelled
  }
}

extension [UInt8] {
  /// The text with a line feed for each line end.
  var unified: [UInt8] { contains(Ascii.carriageReturn) ? UnifiedLines(self).bytes : self }
}
