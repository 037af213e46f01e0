extension [Hunk] {
  /// The hunks, with those that only move line breaks split into small ones.
  ///
  /// A join, a split or a reflow is often reported line by line: words disappear at the end of one line and
  /// appear at the beginning of another. If several hunks together change only white space, only the white
  /// space counts as changed.
  ///
  /// Linear in the hunks and the text between them, which is bounded.
  ///
  /// - Parameters:
  ///   - settled: The settled text.
  ///   - buffer: The buffer.
  /// - Returns: Hunks that result in the same buffer.
  func reflowed(on settled: Text, in buffer: Text) -> [Hunk] {
    var hunks: [Hunk] = []
    var next = startIndex
    while next < endIndex {
      if let end = endOfReflow(from: next, on: settled, in: buffer) {
        let (first, last) = (self[next], self[end - 1])
        let new = buffer[first.new.joined(with: last.new)]
        hunks += [Edit](spacing: first.old.joined(with: last.old), of: settled, like: new)
          .hunks(on: settled, after: first.new.lowerBound - first.old.lowerBound)
        next = end
      } else {
        hunks.append(self[next])
        next += 1
      }
    }
    return hunks
  }

  /// The most hunks, and the longest text from the first to the last, that are searched for one reflow.
  private static let maxReflowHunks = 64
  private static let maxReflowLength = 16 * 1024

  /// The end of the shortest run of hunks from `first` on that together change only white space, although some
  /// of them change words.
  private func endOfReflow(from first: Int, on settled: Text, in buffer: Text) -> Int? {
    var old: [UInt8] = []
    var new: [UInt8] = []
    var same = 0
    var at = self[first].old.lowerBound
    for index in first..<Swift.min(endIndex, first + Self.maxReflowHunks) {
      let hunk = self[index]
      guard hunk.old.upperBound - self[first].old.lowerBound <= Self.maxReflowLength else {
        return nil
      }
      let between = settled[at..<hunk.old.lowerBound].letters
      let (removed, added) = (settled[hunk.old], buffer[hunk.new])
      old += between + removed.letters
      new += between + added.letters
      at = hunk.old.upperBound
      let known = Swift.min(old.count, new.count)
      // Once letters differ, further hunks cannot make them equal; and without letters there is no reflow.
      guard old.count + new.count > 0, old[same..<known] == new[same..<known] else { return nil }
      same = known
      // A single replacement within a line was typed that way.
      let isTyped = index == first && !removed.hasLineBreak && !added.hasLineBreak
      if old.count == new.count, !isTyped { return index + 1 }
    }
    return nil
  }
}

extension [Edit] {
  /// The edits that give a text the white space of another one with the same letters; linear.
  fileprivate init(spacing range: Range<Int>, of text: Text, like other: ArraySlice<UInt8>) {
    self = []
    let old = text[range]
    var (at, place) = (old.startIndex, other.startIndex)
    while true {
      let removed = old[at...].prefix { $0.isWhiteSpace }
      let added = other[place...].prefix { $0.isWhiteSpace }
      if removed != added {
        let start = range.lowerBound + at - old.startIndex
        append(Edit(start..<start + removed.count, [UInt8](added)))
      }
      (at, place) = (removed.endIndex + 1, added.endIndex + 1)
      if at > old.endIndex || place > other.endIndex { return }
    }
  }
}

extension Collection<UInt8> {
  fileprivate var hasLineBreak: Bool { contains(where: \.isLineBreak) }

  /// The text without its white space.
  fileprivate var letters: [UInt8] { filter { !$0.isWhiteSpace } }
}
