/// The changes of a vicinity that are to be put into marks, and the settled text they apply to.
///
/// Some changes become part of the settled text without marks: those in front matter, in iA Writer's
/// annotations, and in comments.
struct Unmarked {
  let buffer: Text
  /// The settled text, including changes already accepted as they are.
  private(set) var settled: ParsedText
  private(set) var hunks: [Hunk]
  private let tracksFrontMatter: Bool
  private let areMeantAsTheyAre: Bool
  private let readsTypedMarks: Bool
  /// What the changes are signed with.
  let signature: Signature?
  private let isLast: Bool

  init(_ vicinity: Vicinity, _ options: Tracker.Options) {
    buffer = vicinity.buffer
    isLast = vicinity.isLast
    // Only the beginning of a text can be front matter.
    tracksFrontMatter = options.tracksFrontMatter || !vicinity.isFirst
    areMeantAsTheyAre = options.areMeantAsTheyAre
    readsTypedMarks = options.readsTypedMarks
    signature = options.attribution.map { Signature($0) }
    let old = buffer.applying(vicinity.hunks.inverted)
    settled = ParsedText(old.bytes, as: options.language, areSigned: signature != nil)
    hunks = vicinity.hunks
    if !areMeantAsTheyAre { hunks = hunks.reflowed(on: old, in: buffer) }
    // First, while the block is where it is in the old text.
    if !options.tracksFrontMatter, isLast { absorbAnnotations(old.annotations) }
    if !tracksFrontMatter { absorbFrontMatter() }
    absorbComments()
    absorbMetadata()
  }

  /// The hunks to put into marks: at the places that are meant, with the marks typed by hand in them.
  ///
  /// - Returns: The changes, and the marks typed by hand, if there can be any.
  func changes() -> (pending: [Pending], typing: HandTyping?) {
    var pending = hunks.pending
    if !tracksFrontMatter { slideAfterFrontMatter(&pending) }
    if !areMeantAsTheyAre { pending.slide(in: settled, buffer, from: textStart) }
    let typing = HandTyping(pending, in: settled, buffer, signed: signature)
    if readsTypedMarks { typing?.spell(&pending) }
    pending.widenOverCode(in: settled, buffer, upTo: textEnd)
    return (pending, typing)
  }

  /// Whether the text must end with a line break: some clients cannot edit after the last one, and insert
  /// another one if it is missing.
  var endsWithLineBreak: Bool {
    guard isLast, !areMeantAsTheyAre else { return false }
    let lineBreak = settled.bytes[...].lineBreakAtEnd
    return !lineBreak.isEmpty
      && buffer[max(0, buffer.count - 2)..<buffer.count].lineBreakAtEnd == lineBreak
  }

  /// Where the text that can be put into marks begins.
  var textStart: Int { tracksFrontMatter ? 0 : frontMatter(of: settled.bytes).upperBound }

  /// Where it ends: before a last line break that has to stay.
  var textEnd: Int {
    settled.bytes.count - (endsWithLineBreak ? settled.bytes[...].lineBreakAtEnd.count : 0)
  }

  /// The part of the settled text that can be put into marks.
  var stretch: Range<Int> { textStart..<max(textStart, textEnd) }

  /// Makes some of the hunks part of the settled text.
  ///
  /// - Parameter isTaken: Whether to take the hunk at an index.
  private mutating func absorb(where isTaken: (Int) -> Bool) {
    var taken: [Hunk] = []
    var left: [Hunk] = []
    for index in hunks.indices {
      if isTaken(index) { taken.append(hunks[index]) } else { left.append(hunks[index]) }
    }
    guard !taken.isEmpty else { return }
    let edits = taken.edits(in: buffer)
    let map = OffsetMap(edits)
    hunks = left.map { $0.moved(along: map) }
    settled = ParsedText(
      settled.bytes.applying(edits),
      as: settled.reading.language,
      areSigned: settled.areSigned
    )
  }

  /// Accepts changes inside comments as they are, in highlights too: a comment's text is not tracked.
  private mutating func absorbComments() {
    absorb(in: Unmarked.isInComment, withComments: false)
  }

  /// Accepts changes of metadata and attributions as they are, unless they turn metadata into text.
  private mutating func absorbMetadata() {
    guard settled.reading.marks.contains(where: \.hasMetadata) else { return }
    // An attribution can become a comment.
    absorb(in: Unmarked.isInMetadata, withComments: !settled.areSigned)
  }

  /// Accepts changes in some places as they are, unless the text says something else then.
  private mutating func absorb(
    in isPlace: (Unmarked) -> (Range<Int>) -> Bool,
    withComments: Bool
  ) {
    let known = self
    absorb { isPlace(known)(known.hunks[$0].old) }
    guard hunks.count < known.hunks.count else { return }
    if Saying(ofBare: settled, withComments: withComments)
      != Saying(ofBare: known.settled, withComments: withComments)
    {
      self = known
    }
  }

  private func isInComment(_ range: Range<Int>) -> Bool {
    guard let mark = settled.inmostMark(at: range.lowerBound) else { return false }
    return mark.kind == .comment && mark.content.lowerBound <= range.lowerBound
      && range.upperBound <= mark.content.upperBound
  }

  private func isInMetadata(_ range: Range<Int>) -> Bool {
    guard let mark = settled.inmostMark(at: range.lowerBound) else { return false }
    return mark.attributesLength > 0 && mark.attributes.holds(range)
      || mark.head.holds(range) && range != mark.content.lowerBound..<mark.content.lowerBound
      || mark.tail.holds(range)
  }
}

// MARK: - Annotations

extension Unmarked {
  /// Accepts changes in the annotations block at the end as they are.
  private mutating func absorbAnnotations(_ old: Range<Int>) {
    let new = buffer.annotations
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
  /// Accepts changes in the front matter as they are.
  private mutating func absorbFrontMatter() {
    let old = 0..<textStart
    let start = byteOrderMarkLength(settled.bytes)
    var pending = hunks.pending
    let new = newFrontMatter(with: pending)
    slideAfterFrontMatter(&pending)
    absorb { index in
      let change = pending[index]
      let isInOld =
        change.old.upperBound <= old.upperBound && change.old.lowerBound < old.upperBound
        && (change.old.lowerBound > start || !new.isEmpty)
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

  /// Whether the front matter is being typed: it has its first line but not its last.
  func isTypingFrontMatter(_ change: Pending) -> Bool {
    let start = byteOrderMarkLength(settled.bytes)
    guard !tracksFrontMatter, change.old == start..<start, change.new.lowerBound == start,
      buffer[0..<change.new.upperBound].withUnsafeBufferPointer(FrontMatter.isBegun)
    else { return false }
    return newFrontMatter(with: hunks.pending).isEmpty
  }

  /// The front matter as the buffer has it: empty if text typed above would turn other text into metadata.
  private func newFrontMatter(with pending: [Pending]) -> Range<Int> {
    let new = buffer.frontMatter
    /// Where its last part that existed before ends.
    var end = new.upperBound - buffer[new].lineBreakAtEnd.count
    for change in pending.reversed() where change.new.upperBound >= end {
      end = min(end, change.new.lowerBound)
    }
    let start = max(textStart, byteOrderMarkLength(settled.bytes))
    return pending.toBuffer.inverted.map(end, bias: .before) <= start ? new : 0..<0
  }
}
