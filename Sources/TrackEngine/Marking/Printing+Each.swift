extension Printing {
  /// How often a long text is read back for one list of strategies.
  private static let maxReadings = 24

  /// Prints many dirty ranges, each with the first strategy with which it and what is beside it read as meant, and
  /// leaves out those that have none.
  ///
  /// Linear: one reading back tells of all of them which need another strategy.
  ///
  /// - Parameters:
  ///   - ranges: The dirty ranges.
  ///   - strategies: The strategies, in the order in which they are tried.
  ///   - known: What is printed if this leads to nothing.
  mutating func printEach(
    of ranges: ArraySlice<DirtyRange>,
    _ strategies: [Strategy],
    orElse known: [Printed]
  ) {
    let beside = printed.map { Piece(printed: $0) }
    var tried = [Int](repeating: 0, count: ranges.count)
    // How many ranges are taken for the cause of one stretch that is misread: more and more of them.
    var most = 1
    for _ in 0..<Printing.maxReadings {
      var made: [Piece] = []
      for (index, range) in ranges.enumerated() where tried[index] < strategies.count {
        let strategy = strategies[tried[index]]
        let next = Printed(range, in: texts, strategy, after: made.last?.printed)
        made.append(Piece(printed: next, index: index))
      }
      if made.isEmpty { break }
      let all = (beside + made).sorted {
        $0.printed.range.old.lowerBound < $1.printed.range.old.lowerBound
      }
      printed = all.map(\.printed)
      let causes = all.causes(of: misreadPieces(), atMost: most)
      if causes.isEmpty {
        if readsAsMeant() { return }
        break
      }
      for index in causes { tried[index] += 1 }
      most *= 2
    }
    printed = known
  }

  /// A dirty range as it is printed, and its index; nil if it is to stay so.
  fileprivate struct Piece {
    var printed: Printed
    var index: Int?
  }
}

extension [Printing.Piece] {
  /// The indices of the ranges that are to be printed in another way: the first of each stretch of text that is
  /// misread, and the one before it if the stretch begins with text that stays.
  ///
  /// - Parameters:
  ///   - misread: Whether the text before each range and the range are misread, in turns, and that after the last.
  ///   - most: The most ranges of a stretch.
  /// - Returns: The indices.
  fileprivate func causes(of misread: [Bool], atMost most: Int) -> Set<Int> {
    var causes: Set<Int> = []
    var start = 0
    while let first = misread[start...].firstIndex(of: true) {
      let end = misread[first...].firstIndex(of: false) ?? misread.count
      let near = Swift.max(0, first - 1) / 2..<Swift.min(count, (end + 1) / 2)
      causes.formUnion(self[near].compactMap(\.index).prefix(most))
      start = end
    }
    return causes
  }
}
