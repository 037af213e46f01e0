/// A hunk being put into marks: the settled text it removes, and the buffer's text in its place.
struct Pending {
  /// The range of the settled text.
  var old: Range<Int>
  /// The range of the buffer.
  var new: Range<Int>
  /// How the old text was changed.
  var manner: Hunk.Manner
  /// The typed text, in order, split into the marks spelled in it.
  var typed: [Span]
  /// Whether `typed` also accounts for the old text, so that none of that is added.
  var isSpelled = false
  /// The indices of the tracker's hunks it stands for.
  var hunks: Range<Int>

  init(old: Range<Int>, new: Range<Int>, hunks: Range<Int>, manner: Hunk.Manner = .other) {
    self.old = old
    self.new = new
    self.hunks = hunks
    self.manner = manner
    typed = new.isEmpty ? [] : [Span(typed: new)]
  }
}

extension Sequence<Pending> {
  /// Maps offsets of the settled text to offsets of the buffer.
  var toBuffer: OffsetMap { OffsetMap(lazy.map { Difference($0.old, $0.new) }) }
}

extension Pending {
  /// The same without some of the typed characters; its range in the buffer is unchanged.
  func without(_ untyped: [Range<Int>]) -> Pending {
    var pending = self
    for range in untyped {
      pending.typed = pending.typed.flatMap { part in
        guard part.range.overlaps(range) else { return [part] }
        let before = part.range.lowerBound..<max(part.range.lowerBound, range.lowerBound)
        let after = min(part.range.upperBound, range.upperBound)..<part.range.upperBound
        return [before, after].filter { !$0.isEmpty }.map { range in
          var part = part
          part.source = .typed(range)
          return part
        }
      }
    }
    return pending
  }
}

extension [Hunk] {
  var pending: [Pending] {
    zip(indices, self).map { index, hunk in
      Pending(old: hunk.old, new: hunk.new, hunks: index..<index + 1, manner: hunk.manner)
    }
  }
}

extension [Span] {
  /// The same with all of the old text deleted: what was kept of it is typed anew.
  var anew: [Span] {
    compactMap { part in
      var part = part
      if part.kind == .deleted { return nil }
      if part.kind != .comment { (part.kind, part.mark, part.metadata) = (.added, nil, nil) }
      return part
    }
  }
}

extension ArraySlice<Pending> {
  /// What was typed, with the rest of a range of the buffer as if it had been typed too: one span if no mark
  /// was typed by hand.
  fileprivate func asTyped(in range: Range<Int>) -> [Span] {
    var typed: [Span] = []
    var at = range.lowerBound
    for change in self {
      typed.add(Span(typed: at..<change.new.lowerBound))
      for span in change.typed.anew { typed.add(span) }
      at = change.new.upperBound
    }
    typed.add(Span(typed: at..<range.upperBound))
    return typed
  }
}

extension [Pending] {
  /// Joins the changes with the given indices, together with the text between them.
  mutating func join(_ range: Range<Int>) {
    let first = self[range.lowerBound]
    let last = self[range.upperBound - 1]
    var joined = Pending(
      old: first.old.lowerBound..<last.old.upperBound,
      new: first.new.lowerBound..<last.new.upperBound,
      hunks: first.hunks.lowerBound..<last.hunks.upperBound
    )
    joined.typed = self[range].asTyped(in: joined.new)
    replaceSubrange(range, with: [joined])
  }

  /// Widens the change at `index` by settled text beside it that is unchanged in the buffer.
  mutating func widen(_ index: Int, to old: Range<Int>) {
    let new = self[index...index].toBuffer.map(old, start: .before, end: .after)
    var widened = Pending(old: old, new: new, hunks: self[index].hunks)
    widened.typed = self[index...index].asTyped(in: widened.new)
    self[index] = widened
  }

  /// The indices of the changes that overlap or touch a range.
  ///
  /// Logarithmic.
  ///
  /// - Parameters:
  ///   - range: A range of the settled text, or of the buffer.
  ///   - side: The range of a change in that text.
  /// - Returns: A range of indices, possibly empty.
  func touching(
    _ range: Range<Int>,
    _ side: (Pending) -> Range<Int> = { $0.old }
  ) -> Range<Int> {
    let first = partitioningIndex { side($0).upperBound >= range.lowerBound }
    return first..<Swift.max(first, partitioningIndex { side($0).lowerBound > range.upperBound })
  }
}
