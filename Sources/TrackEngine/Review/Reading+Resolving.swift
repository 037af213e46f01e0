extension Reading {
  /// The edits that accept or reject some of the changes and remove their threads; resolving a highlight leaves
  /// the changes in it as they are.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - chosen: Some of ``changes``, in their order.
  ///   - variant: `clean` to accept, `original` to reject.
  ///   - bytes: The text that was read.
  /// - Returns: Sorted, disjoint edits that only remove text.
  /// - Throws: ``Review/Failure`` if one of the other marks would read differently beside the remaining text.
  public func edits(
    resolving chosen: [Change],
    _ variant: Variant,
    of bytes: [UInt8]
  ) throws(Review.Failure) -> [Edit] {
    let isAll = chosen.count == changes.count
    let edits = droppingFootnotes(
      removed(by: chosen, variant).map { Edit($0, []) },
      of: bytes,
      isAll: isAll
    )
    // In the remaining text of a document without marks, nothing is a mark, whatever it spells.
    guard isAll || keepsMarks(Reading(of: bytes.applying(edits)), edits)
    else {
      throw Review.Failure(
        description:
          "The text would read as another mark beside its neighbours; resolve those with it."
      )
    }
    return edits
  }

  /// The sorted, disjoint ranges that are removed when changes are resolved.
  private func removed(by chosen: [Change], _ variant: Variant) -> [Range<Int>] {
    var gone: [Range<Int>] = []
    for change in chosen {
      for mark in change.marks {
        gone += change.kind == .highlight ? mark.delimiters : removed(variant, from: mark)
      }
      gone += change.thread.map(\.range)
    }
    return gone.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// The parts of a mark that a variant does not show.
  func removed(_ variant: Variant, from mark: Mark) -> [Range<Int>] {
    let kept = ranges(variant, in: mark.range, from: index(of: mark))
    let starts = [mark.start] + kept.map(\.upperBound)
    let ends = kept.map(\.lowerBound) + [mark.end]
    return zip(starts, ends).filter { $0 < $1 }.map { $0..<$1 }
  }

  /// Whether all marks that edits do not remove are the marks of a later reading.
  private func keepsMarks(_ later: Reading, _ edits: [Edit]) -> Bool {
    let map = OffsetMap(edits)
    var next = 0
    let kept = marks.filter { mark in
      while next < edits.count, edits[next].range.upperBound <= mark.start { next += 1 }
      return next == edits.count || mark.start < edits[next].range.lowerBound
    }
    guard kept.count == later.marks.count else { return false }
    return zip(kept, later.marks).allSatisfy { mark, found in
      mark.kind == found.kind && map.map(mark.start, bias: .after) == found.start
        && map.map(mark.end, bias: .before) == found.end
    }
  }
}
