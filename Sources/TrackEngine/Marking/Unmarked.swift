/// The changes of a vicinity that are to be put into marks, and the settled text that they are changes of.
///
/// Some changes are part of the settled text as they are: those of front matter and of iA Writer's annotations, and
/// those in comments.
struct Unmarked {
  let buffer: Text
  /// The settled text, with what is taken as it is in it already.
  private(set) var settled: ParsedText
  private(set) var hunks: [Hunk]
  /// Whether the hunks are one change; see ``Tracker/Options``.
  let isOneChange: Bool
  private let tracksFrontMatter: Bool
  private let areMeantAsTheyAre: Bool
  private let isLast: Bool

  init(_ vicinity: Vicinity, _ options: Tracker.Options) {
    buffer = vicinity.buffer
    isLast = vicinity.isLast
    isOneChange = options.isOneChange
    // Only the beginning of a text can be front matter.
    tracksFrontMatter = options.tracksFrontMatter || !vicinity.isFirst
    areMeantAsTheyAre = options.areMeantAsTheyAre
    settled = ParsedText(buffer.applying(vicinity.hunks.inverted).bytes)
    hunks = areMeantAsTheyAre ? vicinity.hunks : vicinity.hunks.reflowed(on: settled.bytes)
    if !tracksFrontMatter { absorbFrontMatter() }
    if !options.tracksFrontMatter, isLast { absorbAnnotations() }
    absorbComments()
    absorbMetadata()
  }

  /// The hunks on their way into marks: where they are meant, with the marks in them that were typed by hand.
  ///
  /// - Returns: The changes; the hunks with a mark or code that is still being typed; and the code that is seen in
  ///   the buffer, if some was typed.
  func changes() -> (pending: [Pending], halfTyped: Set<Int>, seenCode: SeenCode?) {
    var pending = hunks.pending
    if !tracksFrontMatter { slideAfterFrontMatter(&pending) }
    if !areMeantAsTheyAre { pending.slide(in: settled, buffer, from: textStart) }
    let typing = HandTyping(pending, in: settled, buffer)
    if !isOneChange { typing?.spell(&pending) }
    pending.widenOverCode(in: settled, buffer)
    var halfTyped = typing?.halfTyped ?? []
    for change in pending where isTypingFrontMatter(change) { halfTyped.formUnion(change.hunks) }
    return (pending, halfTyped, typing?.seenCode)
  }

  /// Whether the text must end with a line break: some clients can't edit after the last one, and put in
  /// another where they don't find it.
  var endsWithLineBreak: Bool {
    guard isLast, !areMeantAsTheyAre else { return false }
    let lineBreak = settled.bytes[...].lineBreakAtEnd
    return !lineBreak.isEmpty
      && buffer[max(0, buffer.count - 2)..<buffer.count].lineBreakAtEnd == lineBreak
  }

  /// Where the text begins that can be put into marks.
  var textStart: Int { tracksFrontMatter ? 0 : frontMatter(of: settled.bytes).upperBound }

  /// Makes some of the hunks part of the settled text.
  ///
  /// - Parameter isTaken: Whether the hunk with an index is meant.
  private mutating func absorb(where isTaken: (Int) -> Bool) {
    var taken: [Hunk] = []
    var left: [Hunk] = []
    for index in hunks.indices {
      if isTaken(index) { taken.append(hunks[index]) } else { left.append(hunks[index]) }
    }
    guard !taken.isEmpty else { return }
    let map = OffsetMap(taken)
    hunks = left.map { $0.moved(along: map) }
    settled = ParsedText(Text(settled.bytes).applying(taken.edits).bytes)
  }

  /// Takes changes inside comments as they are: a comment's text is its own, also in a highlight.
  private mutating func absorbComments() {
    let known = self
    absorb { known.isInComment(known.hunks[$0].old) }
    guard hunks.count < known.hunks.count else { return }
    if Saying(ofBare: settled, withComments: false)
      != Saying(ofBare: known.settled, withComments: false)
    {
      self = known
    }
  }

  /// Takes changes of what other tools have hung on marks as they are, as long as nothing becomes text by them.
  private mutating func absorbMetadata() {
    guard settled.reading.marks.contains(where: \.hasMetadata) else { return }
    let known = self
    absorb { known.isInMetadata(known.hunks[$0].old) }
    guard hunks.count < known.hunks.count else { return }
    if Saying(ofBare: settled) != Saying(ofBare: known.settled) { self = known }
  }

  private func isInComment(_ range: Range<Int>) -> Bool {
    guard let mark = inmostMark(at: range.lowerBound) else { return false }
    return mark.kind == .comment && mark.content.lowerBound <= range.lowerBound
      && range.upperBound <= mark.content.upperBound
  }

  private func isInMetadata(_ range: Range<Int>) -> Bool {
    guard let mark = inmostMark(at: range.lowerBound), mark.hasMetadata else { return false }
    return mark.head.holds(range) && range != mark.content.lowerBound..<mark.content.lowerBound
      || mark.tail.holds(range)
  }

  /// The mark at an offset; of those in a highlight, which are changes by themselves, the one that is there.
  private func inmostMark(at offset: Int) -> Mark? {
    guard let mark = settled.mark(at: offset) else { return nil }
    let marks = settled.reading.marks
    var inmost = mark
    while marks[inmost].kind == .highlight,
      let child = settled.children(of: inmost).first(where: { marks[$0].range.contains(offset) })
    { inmost = child }
    return marks[inmost]
  }
}

// MARK: - Annotations

extension Unmarked {
  /// Takes changes of the block of annotations at the end as they are.
  private mutating func absorbAnnotations() {
    let new = buffer.annotations
    let old = Text(settled.bytes).annotations
    guard !old.isEmpty || !new.isEmpty else { return }
    let pending = hunks.pending
    absorb { index in
      let change = pending[index]
      let isInOld =
        change.old.lowerBound > old.lowerBound
        || change.old.lowerBound == old.lowerBound && !change.old.isEmpty
      let isInNew =
        change.new.lowerBound >= new.lowerBound && !change.new.isEmpty
        && (change.old.isEmpty || change.old.lowerBound >= old.lowerBound)
      return isInOld || isInNew
    }
  }
}

// MARK: - Front matter

extension Unmarked {
  /// Takes changes of the front matter as they are.
  private mutating func absorbFrontMatter() {
    let old = 0..<textStart
    var pending = hunks.pending
    let new = newFrontMatter(with: pending)
    slideAfterFrontMatter(&pending)
    absorb { index in
      let change = pending[index]
      let isInOld =
        change.old.upperBound <= old.upperBound && change.old.lowerBound < old.upperBound
        && (change.old.lowerBound > 0 || !new.isEmpty)
      let isInNew =
        change.new.upperBound <= new.upperBound && change.new.lowerBound < new.upperBound
        && change.old.upperBound <= max(old.upperBound, change.old.lowerBound)
      return isInOld || isInNew
    }
  }

  private func slideAfterFrontMatter(_ pending: inout [Pending]) {
    let end = textStart
    for index in pending.indices { pending[index].slideAfter(end, in: settled.bytes) }
  }

  /// Whether the front matter is being typed: it has its first line, and not its last.
  private func isTypingFrontMatter(_ change: Pending) -> Bool {
    guard !tracksFrontMatter, change.old == 0..<0, change.new.lowerBound == 0,
      buffer.count >= 3, buffer[0..<3].allSatisfy({ $0 == Ascii.minus }),
      buffer.lineCount > 1 ? buffer.end(ofLine: 0) == 3 : buffer.count == 3
    else { return false }
    return newFrontMatter(with: hunks.pending).isEmpty
  }

  /// The front matter as the buffer has it: none where text would become metadata because of what was typed
  /// above it.
  private func newFrontMatter(with pending: [Pending]) -> Range<Int> {
    let new = buffer.frontMatter
    /// Where the last of it ends that was there before.
    var end = new.upperBound - buffer[new].lineBreakAtEnd.count
    for change in pending.reversed() where change.new.upperBound >= end {
      end = min(end, change.new.lowerBound)
    }
    return pending.toBuffer.inverted.map(end, bias: .before) <= textStart ? new : 0..<0
  }
}
