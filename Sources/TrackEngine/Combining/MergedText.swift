/// A text that is merged, and what of it must stay whole.
struct MergedText {
  /// The text, marks included.
  let bytes: [UInt8]
  private let reading: Reading

  init(_ bytes: [UInt8], as language: Language) {
    self.bytes = bytes
    reading = Reading(of: bytes, as: language)
  }

  /// Marks with their threads, and code: alternatives stand around them.
  var zones: [Range<Int>] {
    let marks = reading.changes.filter { ($0.marks.first ?? $0.thread.first)?.depth == 0 }
      .map(\.range)
    return (marks + reading.zones.map(\.range)).disjoint
  }

  /// Its lines, with their line ends.
  var lines: [Range<Int>] { bytes[...].lines.map(\.indices) }

  /// What differs from another text, by words; a mark of which a delimiter is changed is changed as a whole, and so is a
  /// code span.
  ///
  /// - Parameter other: The other text.
  /// - Returns: The differences, in order and disjoint.
  func differences(to other: MergedText) -> [Difference] {
    let marks = other.reading.marks.map(\.start)
    var differences = textChanges(bytes, other.bytes, as: reading.language, sparing: marks)
    while true {
      let widened = differences.coveringBlocks(
        wholes(cutBy: differences.map(\.old)),
        other.wholes(cutBy: differences.map(\.new))
      )
      if widened == differences { return differences }
      differences = widened
    }
  }

  /// The code spans, and the outermost marks of which ranges, which are in order, hold a part of a delimiter.
  private func wholes(cutBy ranges: [Range<Int>]) -> [Range<Int>] {
    func isMet(_ delimiter: Range<Int>) -> Bool {
      let next = ranges.partitioningIndex { $0.upperBound > delimiter.lowerBound }
      return next < ranges.count && ranges[next].lowerBound < delimiter.upperBound
    }
    let marks = reading.topLevel.compactMap { index -> Range<Int>? in
      let mark = reading.marks[index]
      let all = reading.marks[index...index + mark.inner]
      return all.contains { $0.delimiters.contains(where: isMet) } ? mark.range : nil
    }
    return (marks + reading.zones.filter { !$0.isFenced }.map(\.range)).disjoint
  }
}

extension [Range<Int>] {
  /// The ranges in order, those that overlap as one.
  fileprivate var disjoint: [Range<Int>] {
    sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { all, next in
      if let last = all.last, next.lowerBound < last.upperBound {
        all[all.count - 1] = last.joined(with: next)
      } else {
        all.append(next)
      }
    }
  }
}
