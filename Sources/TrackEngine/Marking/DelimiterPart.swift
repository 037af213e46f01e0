/// What a change removed of the delimiters of one mark, perhaps with text beside it, by Backspace or Delete.
struct DelimiterPart {
  /// The mark.
  let mark: Mark
  /// The part: signs of delimiters, and not all of the mark.
  let range: Range<Int>
  private let change: Pending
  private let pending: [Pending]

  /// Finds the part; nil if the change removed none, or is meant as the client reports it.
  ///
  /// - Parameters:
  ///   - index: The index of the change.
  ///   - pending: All changes.
  ///   - settled: The settled text.
  init?(removedBy index: Int, of pending: [Pending], in settled: ParsedText) {
    change = pending[index]
    self.pending = pending
    guard change.manner.isBare, !change.old.isEmpty, let mark = settled.markEaten(by: change.old)
    else { return nil }
    self.mark = mark
    range = change.old.clamped(to: mark.range)
    // A whole delimiter that is missing from text inserted anew is taken literally, an arrow too.
    let isPart = range.count < 3 && (mark.kind != .substitution || range != arrow)
    guard range != mark.range, change.manner != .bare || isAll && isPart else { return nil }
    let spans = settled.spans(in: mark.range)
    guard range.allSatisfy({ spans.holding($0).kind == .delimiter }) else { return nil }
  }

  /// What was meant to be removed.
  enum Meaning {
    /// What the client reports; delimiters are not text, and stay.
    case reported
    case nothing
    case mark
    /// As many characters beside a delimiter; only of the mark's text if `isInside`.
    case beside(Removal.Direction, from: Int, isInside: Bool)
  }

  /// What was meant: the first of these that is the case.
  var meaning: Meaning {
    ofEmptyComment ?? ofEmptiedMark ?? ofArrowAtCloser ?? inCloser ?? inOpener ?? inArrow
      ?? .reported
  }
}

// MARK: - The rules

extension DelimiterPart {
  /// With a comment that is empty nothing else could be meant than the comment.
  private var ofEmptyComment: Meaning? {
    mark.kind == .comment && mark.content.isEmpty && isAll ? .mark : nil
  }

  /// The equal signs of the opener and the closer of an emptied mark are beside each other, and a client may report any
  /// of them: it was a Backspace into the opener, which has no effect.
  private var ofEmptiedMark: Meaning? {
    guard mark.isEmptied(by: pending), range.upperBound < closerEnd else { return nil }
    let leavesOpener = mark.start < range.lowerBound || range.upperBound < mark.opener.upperBound
    return leavesOpener ? .nothing : nil
  }

  /// So are those of an arrow and the closer: it was the rest of an arrow that was removed from its other side.
  private var ofArrowAtCloser: Meaning? {
    mark.isArrowBesideCloser(after: pending) && isInCloser && range.upperBound < closerEnd
      ? .nothing : nil
  }

  /// If the closer is not removed to its end, a Delete ran into it.
  ///
  /// Of two equal characters a client may report either. If the client reports whole lines, it may have been `x` on a
  /// character of the closer.
  private var inCloser: Meaning? {
    guard isInCloser else { return nil }
    let isFromLeft = range.lowerBound == mark.closer.lowerBound || change.manner != .erased
    return isFromLeft && range.upperBound < closerEnd
      ? .beside(.forward, from: mark.end, isInside: false)
      : .beside(.back, from: mark.closer.lowerBound, isInside: mark.kind == .comment)
  }

  /// If the opener is not removed from its beginning, a Backspace ran into it.
  private var inOpener: Meaning? {
    guard range.upperBound <= mark.opener.upperBound else { return nil }
    return range.lowerBound > mark.start
      ? .beside(.back, from: mark.start, isInside: false)
      : .beside(.forward, from: mark.opener.upperBound, isInside: mark.kind == .comment)
  }

  private var inArrow: Meaning? {
    guard mark.kind == .substitution, arrow.holds(range), arrow.contains(range.lowerBound) else {
      return nil
    }
    return range.upperBound == arrow.upperBound
      ? .beside(.back, from: mark.arrow, isInside: false)
      : .beside(.forward, from: arrow.upperBound, isInside: false)
  }

  private var arrow: Range<Int> { mark.arrow..<mark.arrow + 2 }

  /// Whether the change removed nothing else.
  private var isAll: Bool { range == change.old }

  private var isInCloser: Bool { range.lowerBound >= mark.closer.lowerBound }

  /// Where the closer ends; before an attribution its three signs are all of it.
  private var closerEnd: Int {
    let signsEnd = mark.end - mark.attributionLength
    return range.upperBound <= signsEnd ? signsEnd : mark.end
  }
}

extension ParsedText {
  /// The mark that a change lies in completely, or whose delimiter it ends in, by fewer than three characters.
  fileprivate func markEaten(by old: Range<Int>) -> Mark? {
    let ends = [mark(at: old.lowerBound), mark(at: old.upperBound - 1)].compactMap { $0 }
    guard let index = ends.first else { return nil }
    let mark = reading.marks[index]
    if ends.count == 2 { return ends[0] == ends[1] ? mark : nil }
    let eaten = old.clamped(to: mark.range)
    let outside =
      old.lowerBound < mark.start ? old.lowerBound..<mark.start : mark.end..<old.upperBound
    // A removal of a whole delimiter and text beside it was a selection of both.
    return eaten.count < 3 && marks(in: outside).isEmpty ? mark : nil
  }
}

extension Mark {
  /// Whether changes have removed all of its content and inserted nothing, so that its delimiters, which use
  /// the same sign, meet.
  fileprivate func isEmptied(by pending: [Pending]) -> Bool {
    guard kind == .addition || kind == .highlight else { return false }
    return pending.contains { $0.old.holds(content) && $0.typed.isEmpty }
  }

  /// Whether changes have removed all that stood between the first character of the arrow and the closer, which are
  /// equal.
  fileprivate func isArrowBesideCloser(after pending: [Pending]) -> Bool {
    guard kind == .substitution else { return false }
    return pending.contains { $0.old.holds(arrow + 1..<closer.lowerBound) && $0.typed.isEmpty }
  }
}
