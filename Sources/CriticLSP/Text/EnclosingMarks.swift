import TrackEngine

/// The marks at one place of a document, found without reading the rest of it.
///
/// Offsets are in the excerpt unless stated otherwise.
struct EnclosingMarks {
  let excerpt: Excerpt
  let offset: Int
  /// The indices of the marks that hold the place, outermost first.
  ///
  /// A mark that ends at the place counts if no other holds it.
  let holders: [Int]

  private var marks: [Mark] { excerpt.reading.marks }

  /// Finds the marks at an offset of the buffer.
  ///
  /// - Parameters:
  ///   - tracker: The document.
  ///   - offset: The offset.
  ///   - stretch: The part of the buffer to read; if nil, as much as a delimiter can span.
  init(in tracker: Tracker, at offset: Int, within stretch: Range<Int>? = nil) {
    let reach = EnclosingMarks.maxDelimiterLength
    let near = max(0, offset - reach)..<min(tracker.buffer.count, offset + reach)
    excerpt = tracker.excerpt(around: stretch ?? near)
    self.offset = offset - excerpt.start
    holders = EnclosingMarks.holders(of: self.offset, in: excerpt.reading.marks)
  }

  private static func holders(of offset: Int, in marks: [Mark]) -> [Int] {
    var holders: [Int] = []
    var touching: Int?
    var index = 0
    while index < marks.count, marks[index].start <= offset {
      if offset < marks[index].end {
        holders.append(index)
        index += 1
      } else {
        if holders.isEmpty, marks[index].end == offset { touching = index }
        index += 1 + marks[index].inner
      }
    }
    return holders.isEmpty ? touching.map { [$0] } ?? [] : holders
  }

  /// The innermost mark that holds the place.
  var mark: Mark? { holders.last.map { marks[$0] } }

  /// The innermost change with a mark or comment that holds the place.
  var change: Change? {
    guard !holders.isEmpty else { return nil }
    let changes = excerpt.reading.changes
    for index in holders.reversed() {
      let mark = marks[index]
      let found = changes.first { $0.marks.contains(mark) || $0.thread.contains(mark) }
      if let found { return found }
    }
    return nil
  }

  /// The marks that hold the place, except the innermost and those of `change`, from the innermost outwards.
  func enclosing(_ change: Change?) -> [Mark] {
    holders.dropLast().reversed().map { marks[$0] }.filter {
      change?.marks.contains($0) != true
    }
  }

  /// The marks directly inside the given ones.
  func children(of parents: [Mark]) -> [Mark] {
    marks.filter { mark in
      parents.contains {
        mark.depth == $0.depth + 1 && $0.start < mark.start && mark.end <= $0.end
      }
    }
  }

  /// The bytes of a range.
  subscript(range: Range<Int>) -> ArraySlice<UInt8> { excerpt.bytes[range] }

  /// A range of the excerpt as a range of the buffer.
  func inBuffer(_ range: Range<Int>) -> Range<Int> {
    excerpt.inBuffer(range)
  }

  /// The malformed mark at the place, if the document can have one.
  ///
  /// Cheap if all braces nearby belong to marks.
  func malformed(in snapshot: Snapshot) -> Malformed? {
    guard isNearLooseBrace else { return nil }
    return snapshot.malformed(in: excerpt).first {
      $0.range.lowerBound <= offset && offset <= $0.range.upperBound
    }
  }

  /// Whether a brace that belongs to no mark may be part of a delimiter at the place, or an opener before it.
  private var isNearLooseBrace: Bool {
    let marks = marks
    return excerpt.bytes.withUnsafeBufferPointer { bytes in
      var at = offset
      let start = max(0, offset - EnclosingMarks.maxLookLength)
      while at > start {
        if at - 8 >= start, !bytes.mayHaveBrace(inWordAt: at - 8) {
          at -= 8
          continue
        }
        at -= 1
        if bytes[at] == UInt8(ascii: "{") {
          if !marks.contains(where: { $0.start == at }) { return true }
        } else if bytes[at] == UInt8(ascii: "}") {
          if let mark = marks.last(where: { $0.end == at + 1 }) {
            at = mark.start
          } else if offset - at <= EnclosingMarks.maxDelimiterLength {
            return true
          }
        }
      }
      return (offset..<min(bytes.count, offset + EnclosingMarks.maxDelimiterLength)).contains {
        at in
        bytes[at] == UInt8(ascii: "{") && !marks.contains { $0.start == at }
          || bytes[at] == UInt8(ascii: "}") && !marks.contains { $0.end == at + 1 }
      }
    }
  }

  /// In bytes: a brace and two look-alike dashes.
  private static let maxDelimiterLength = 7
  /// How far back to look for an opener, in bytes.
  private static let maxLookLength = 1024
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether one of the eight bytes from an offset on, which must be there, may be a brace; some others look like one.
  fileprivate func mayHaveBrace(inWordAt offset: Int) -> Bool {
    let word = UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    // A brace reaches the highest bit, whatever the byte before it carries over.
    let above = 0x80 - UInt64(UInt8(ascii: "{"))
    return (word &+ above &* 0x0101_0101_0101_0101) & 0x8080_8080_8080_8080 != 0
  }
}

extension Text {
  /// The line at an offset, without its line break.
  func line(around offset: Int) -> Range<Int> {
    let line = line(at: offset)
    return start(ofLine: line)..<end(ofLine: line)
  }

  /// The lines around a range up to the next blank lines; nil if there are too many.
  func paragraph(around range: Range<Int>) -> Range<Int>? {
    var first = line(at: range.lowerBound)
    var last = line(at: range.upperBound)
    let most = last - first + Text.maxLines
    while first > 0, !isBlank(line: first - 1), !isBlank(line: first) {
      first -= 1
      if last - first > most { return nil }
    }
    while last + 1 < lineCount, !isBlank(line: last + 1), !isBlank(line: last) {
      last += 1
      if last - first > most { return nil }
    }
    return start(ofLine: first)..<end(ofLine: last)
  }

  /// The longest paragraph, in lines.
  private static let maxLines = 1000

  private func isBlank(line: Int) -> Bool {
    self[start(ofLine: line)..<end(ofLine: line)].allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }
}
