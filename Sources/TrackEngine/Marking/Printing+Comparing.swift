extension Printing {
  /// How many ways to divide the changes are tried for each kind of surroundings.
  private static let maxDivisions = 32

  /// Prints what no form prints so that it reads as meant, as the old text and the new text, broken into marks in
  /// which nothing reads as anything else; with as little text around the changes as suffices, in the end with
  /// all of it.
  ///
  /// This is the last resort, since it is ugly. It is exact for any text.
  mutating func compare() {
    triesLeft = Printing.maxDivisions
    compareSome(of: dirty.filter { !isPrinted($0) }[...], [.broken])
    compareRest([.broken]) { $0.stretch(.line, around: $1) }
    compareRest([.broken]) { $0.stretch(.paragraph, around: $1) }
    // Only now with marks that no change touches.
    compareRest(Strategy.withLastResort) {
      $0.stretch(.paragraph, around: $1.old, within: $0.unmarked.textStart..<$0.settled.bytes.count)
    }
    if let first = dirty.first(where: { !isPrinted($0) }) { compareAll(around: first) }
  }

  /// Prints what is not printed yet, each change with a stretch around it.
  mutating func compareRest(
    _ strategies: [Strategy],
    with stretch: (Printing, DirtyRange) -> Range<Int>
  ) {
    var wide: [DirtyRange] = []
    for range in dirty where !isPrinted(range) {
      if let last = wide.last, range.changes.upperBound <= last.changes.upperBound { continue }
      guard var next = substitution(of: stretch(self, range), around: range) else { continue }
      while let met = printed.first(overlapping: next.old, \.range.old),
        !next.changes.holds(met.range.changes),
        let both = substitution(of: met.range.old, around: next),
        both.changes.count > next.changes.count
      {
        next = both
      }
      while let last = wide.last, last.old.upperBound >= next.old.lowerBound {
        wide.removeLast()
        next = substitution(of: last.old, around: next) ?? next
      }
      wide.append(next)
    }
    triesLeft = Printing.maxDivisions
    compareSome(of: wide[...], strategies)
  }

  /// Prints dirty ranges, halving the list where it cannot be printed together.
  mutating func compareSome(of ranges: ArraySlice<DirtyRange>, _ strategies: [Strategy]) {
    if ranges.isEmpty { return }
    let known = printed
    printed.removeAll { printed in
      ranges.first(overlapping: printed.range.changes, \.changes) != nil
        || ranges.first(overlapping: printed.range.old, \.old) != nil
    }
    if write(Array(ranges), with: isLong ? Array(strategies.prefix(1)) : strategies) != nil {
      return
    }
    if isLong { return printEach(of: ranges, strategies, orElse: known) }
    printed = known
    guard ranges.count > 1 else { return }
    let middle = ranges.startIndex + ranges.count / 2
    compareSome(of: ranges[..<middle], strategies)
    compareSome(of: ranges[middle...], strategies)
  }

  /// Prints everything; if a comment cannot be printed beside the rest, without the comments.
  private mutating func compareAll(around range: DirtyRange) {
    guard var all = substitution(of: unmarked.stretch, around: range) else { return }
    let known = printed
    printed = []
    triesLeft = Printing.maxDivisions
    if write([all], with: Strategy.withLastResort) != nil { return }
    for keepsComments in [true, false] {
      if !keepsComments { all.content.removeAll { $0.kind == .comment } }
      printed = [Printed(all, in: texts, .broken)]
      if isExact() { return }
    }
    printed = known
  }
}
