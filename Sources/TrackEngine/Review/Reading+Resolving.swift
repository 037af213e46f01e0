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
  /// - Returns: Sorted, disjoint edits that only remove text, but for empty comments where the text would read as a mark.
  /// - Throws: ``Review/Failure`` if the remaining text would make another mark read differently.
  public func edits(
    resolving chosen: [Change],
    _ variant: Variant,
    of bytes: [UInt8]
  ) throws(Review.Failure) -> [Edit] {
    let decided = chosen.filter(\.kind.isChange).flatMap(\.marks)
      .map { (mark: $0, variant: variant) }
    do throws(Obstacle) {
      let gone = removed(by: chosen, variant)
      return try VerifiedEdits(
        removing: gone,
        from: bytes,
        self,
        deciding: decided,
        isEverything: chosen.count == changes.count
      ).edits
    } catch {
      throw error.failure(in: Text(bytes))
    }
  }

  /// The text in which some of the changes are accepted, and all others rejected.
  ///
  /// - Parameters:
  ///   - bytes: The text that was read.
  ///   - chosen: Some of ``changes``, in their order.
  /// - Returns: The text.
  func text(of bytes: [UInt8], accepting chosen: [Change]) -> [UInt8] {
    var rest = chosen[...]
    var gone: [Range<Int>] = []
    for change in changes {
      let isChosen = rest.first == change
      if isChosen { rest.removeFirst() }
      gone += removed(by: [change], isChosen ? .clean : .original)
    }
    let kept = [bytes.indices].without(gone.sorted { $0.lowerBound < $1.lowerBound })
    return kept.flatMap { bytes[$0] }
  }

  /// The disjoint ranges that are removed when changes are resolved.
  private func removed(by chosen: [Change], _ variant: Variant) -> [Range<Int>] {
    var gone: [Range<Int>] = []
    for change in chosen {
      for mark in change.marks {
        gone += change.kind == .highlight ? mark.delimiters : removed(variant, from: mark)
      }
      gone += change.thread.map(\.range)
    }
    return gone
  }

  /// The parts of a mark that a variant does not show.
  func removed(_ variant: Variant, from mark: Mark) -> [Range<Int>] {
    let kept = ranges(variant, in: mark.range, from: index(of: mark))
    let starts = [mark.start] + kept.map(\.upperBound)
    let ends = kept.map(\.lowerBound) + [mark.end]
    return zip(starts, ends).filter { $0 < $1 }.map { $0..<$1 }
  }
}

/// What would read differently after some marks are resolved, so that they cannot be resolved alone.
struct Obstacle: Error {
  /// A range of the text before.
  var range: Range<Int>
  /// The mark; nil if only the text would read differently.
  var kind: MarkKind?
  /// Whether the mark is there before and not after; otherwise text would become one.
  var isLost = false

  /// Says what is in the way.
  ///
  /// - Parameters:
  ///   - text: The text before.
  ///   - start: Where what was read begins in it.
  /// - Returns: Why it cannot be done.
  func failure(in text: Text, from start: Int = 0) -> Review.Failure {
    let place = range.moved(by: start)
    let line = text.line(at: place.lowerBound) + 1
    let longest = 60
    let all = String(decoding: text[place].prefix(4 * longest), as: UTF8.self)
    let first = all.prefix(while: { !$0.isNewline })
    let shown = first.count > longest ? first.prefix(longest) + "…" : first
    guard let kind else {
      return Review.Failure(
        description:
          "On line \(line) the text would read otherwise without “\(shown)”: what is beside it would be read as a mark;"
          + " change that text, or put it in code."
      )
    }
    return Review.Failure(
      description: isLost
        ? "On line \(line) “\(shown)” would no longer be read as \(kind.withArticle); resolve that first."
        : "On line \(line) the remaining text would be read as \(kind.withArticle); resolve what is beside"
          + " it, too: “\(shown)”."
    )
  }
}

extension Reading {
  /// What keeps edits from being made: a mark that they do not remove and that a later reading lacks, or one
  /// that only the later reading has.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - edits: Sorted, disjoint edits that only remove text, or put an empty comment in its place.
  ///   - later: The reading of the text after them.
  /// - Returns: The first obstacle; nil if there is none.
  func obstacle(to edits: [Edit], _ later: Reading) -> Obstacle? {
    let map = OffsetMap(edits)
    let seams = Set(map.differences.filter { !$0.new.isEmpty }.map(\.new.lowerBound))
    let found = seams.isEmpty ? later.marks : later.marks.filter { !seams.contains($0.start) }
    var next = 0
    let kept = marks.filter { mark in
      while next < edits.count, edits[next].range.upperBound <= mark.start { next += 1 }
      return next == edits.count || mark.start < edits[next].range.lowerBound
    }
    for (mark, found) in zip(kept, found) {
      let start = map.map(mark.start, bias: .after)
      let end = map.map(mark.end, bias: .before)
      if mark.kind == found.kind, start == found.start, end == found.end { continue }
      return start <= found.start ? Obstacle(losing: mark) : Obstacle(making: found, after: map)
    }
    if let mark = kept.dropFirst(found.count).first { return Obstacle(losing: mark) }
    return found.dropFirst(kept.count).first.map { Obstacle(making: $0, after: map) }
  }
}

extension Obstacle {
  fileprivate init(losing mark: Mark) {
    self.init(range: mark.range, kind: mark.kind, isLost: true)
  }

  fileprivate init(making mark: Mark, after map: OffsetMap) {
    let range = map.inverted.map(mark.range, start: .before, end: .after)
    self.init(range: range, kind: mark.kind, isLost: false)
  }
}

extension MarkKind {
  /// As in `an addition`.
  fileprivate var withArticle: String { self == .addition ? "an addition" : "a \(self)" }
}
