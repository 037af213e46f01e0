/// A text that is merged, and what of it must stay whole.
struct MergedText {
  /// The text, marks included.
  let bytes: [UInt8]
  private let reading: Reading

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    reading = Reading(of: bytes, as: .markdown)
  }

  /// Marks with their threads, and code: alternatives stand around them.
  var zones: [Range<Int>] {
    let marks = reading.changes.filter { ($0.marks.first ?? $0.thread.first)?.depth == 0 }
      .map(\.range)
    return (marks + reading.zones.map(\.range)).sorted { $0.lowerBound < $1.lowerBound }
      .reduce(into: []) { zones, next in
        if let last = zones.last, next.lowerBound < last.upperBound {
          zones[zones.count - 1] = last.joined(with: next)
        } else {
          zones.append(next)
        }
      }
  }

  /// Its lines, with their line ends.
  var lines: [Range<Int>] {
    bytes.withUnsafeBufferPointer { bytes in
      let starts = bytes.lineStarts(in: bytes.indices)
      return zip(starts, starts.dropFirst()).map { $0..<$1 }
    }
  }

  /// What differs from another text, by words; a mark of which a delimiter is changed is changed as a whole.
  ///
  /// - Parameter other: The other text.
  /// - Returns: The differences, in order and disjoint.
  func differences(to other: MergedText) -> [Difference] {
    var differences = bytes.withUnsafeBufferPointer { old in
      other.bytes.withUnsafeBufferPointer { new in
        textChanges(old, new, as: .markdown, sparing: other.reading.marks.map(\.start))
      }
    }
    while true {
      let widened = differences.coveringBlocks(
        marks(cutBy: differences.map(\.old)),
        other.marks(cutBy: differences.map(\.new))
      )
      if widened == differences { return differences }
      differences = widened
    }
  }

  /// The outermost marks of which ranges, which are in order, hold a part of a delimiter.
  private func marks(cutBy ranges: [Range<Int>]) -> [Range<Int>] {
    func isMet(_ delimiter: Range<Int>) -> Bool {
      let next = ranges.partitioningIndex { $0.upperBound > delimiter.lowerBound }
      return next < ranges.count && ranges[next].lowerBound < delimiter.upperBound
    }
    return reading.topLevel.compactMap { index in
      let mark = reading.marks[index]
      let all = reading.marks[index...index + mark.inner]
      return all.contains { $0.delimiters.contains(where: isMet) } ? mark.range : nil
    }
  }
}
