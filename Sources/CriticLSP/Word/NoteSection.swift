import TrackEngine

/// A section of both sides of a Word document: text, or definitions of footnotes that only one of them has.
///
/// pandoc puts the definitions at the end. Those that both sides have are text, each by itself; so no change
/// reaches from one definition into another one.
struct NoteSection {
  /// Where it is in the original side, and in the clean one.
  let old: Range<Int>
  let new: Range<Int>
  /// The changes that its definitions are, in order; none if it is text.
  let definitions: [WordMerge.Piece]
  let isText: Bool

  private init(text old: Range<Int>, _ new: Range<Int>) {
    (self.old, self.new, definitions, isText) = (old, new, [], true)
  }

  private init(_ old: Range<Int>, _ new: Range<Int>, _ definitions: [WordMerge.Piece]) {
    (self.old, self.new, self.definitions, isText) = (old, new, definitions, false)
  }

  /// The sections of two sides, which together are all of them.
  ///
  /// Linear, but for a factor that is bounded.
  static func all(_ original: PandocVariant, _ clean: PandocVariant) -> [NoteSection] {
    let (old, new) = (original.definitions, clean.definitions)
    let (oldText, newText) = (original.text, clean.text)
    guard !old.isEmpty || !new.isEmpty else {
      return [NoteSection(text: 0..<oldText.count, 0..<newText.count)]
    }
    let body = NoteSection(
      text: 0..<oldText.endOfText(before: old.first?.range.lowerBound ?? oldText.count),
      0..<newText.endOfText(before: new.first?.range.lowerBound ?? newText.count)
    )
    var sections = [body]
    var (oldAt, newAt) = (body.old.upperBound, body.new.upperBound)
    var (oldNext, newNext) = (0, 0)
    let pairs = commonPairs(old.map(\.note), new.map(\.note)) ?? []
    for pair in pairs + [(old.count, new.count)] {
      let isEnd = pair.old == old.count
      let gap = NoteGap(
        old: oldAt..<(isEnd ? oldText.count : old[pair.old].range.lowerBound),
        new: newAt..<(isEnd ? newText.count : new[pair.new].range.lowerBound),
        deleted: old[oldNext..<pair.old],
        added: new[newNext..<pair.new]
      )
      sections.append(NoteSection(gap.old, gap.new, gap.pieces(isEnd: isEnd)))
      guard !isEnd else { break }
      sections.append(NoteSection(text: old[pair.old].range, new[pair.new].range))
      (oldAt, newAt) = (old[pair.old].range.upperBound, new[pair.new].range.upperBound)
      (oldNext, newNext) = (pair.old + 1, pair.new + 1)
    }
    return sections
  }

  /// Whether two sections are the same of two versions of a document.
  func isSame(as other: NoteSection) -> Bool {
    isText == other.isText && definitions.map(\.note) == other.definitions.map(\.note)
  }
}

/// What lies between two definitions of footnotes that both sides have, with the line ends around it.
private struct NoteGap {
  let old: Range<Int>
  let new: Range<Int>
  let deleted: ArraySlice<PandocVariant.NotePlace>
  let added: ArraySlice<PandocVariant.NotePlace>

  /// A change for each definition, which can be decided by itself.
  ///
  /// - Parameter isEnd: Whether it lies behind all definitions that both sides have.
  /// - Returns: The changes, in the order of the notes.
  func pieces(isEnd: Bool) -> [WordMerge.Piece] {
    // The line ends behind a definition go with it, or those before it if nothing follows.
    func stretches(
      _ gap: Range<Int>,
      _ definitions: ArraySlice<PandocVariant.NotePlace>
    ) -> [PandocVariant.NotePlace] {
      let bounds =
        isEnd
        ? [gap.lowerBound] + definitions.map(\.range.upperBound)
        : definitions.map(\.range.lowerBound) + [gap.upperBound]
      return zip(definitions, zip(bounds, bounds.dropFirst())).map { ($0.note, $1.0..<$1.1) }
    }
    var (old, new) = (stretches(old, deleted)[...], stretches(new, added)[...])
    var oldAt = old.first?.range.lowerBound ?? (isEnd ? self.old.lowerBound : self.old.upperBound)
    var newAt = new.first?.range.lowerBound ?? (isEnd ? self.new.lowerBound : self.new.upperBound)
    var pieces: [WordMerge.Piece] = []
    while let note = [old.first?.note, new.first?.note].compactMap(\.self).min() {
      let isDeleted = old.first?.note == note
      guard let range = isDeleted ? old.popFirst()?.range : new.popFirst()?.range else { break }
      if isDeleted { oldAt = range.upperBound } else { newAt = range.upperBound }
      var change =
        isDeleted ? RecordedChange(range, newAt..<newAt) : RecordedChange(oldAt..<oldAt, range)
      change.joining = .none
      pieces.append(WordMerge.Piece(change: change, number: nil, note: note))
    }
    let (oldRest, newRest) = (oldAt..<self.old.upperBound, newAt..<self.new.upperBound)
    // A side without any text has no line end, either.
    if isEnd, oldRest.count != newRest.count, var last = pieces.popLast() {
      last.change.old = last.change.old.lowerBound..<oldRest.upperBound
      last.change.new = last.change.new.lowerBound..<newRest.upperBound
      pieces.append(last)
    }
    return pieces
  }
}

extension [UInt8] {
  /// Where it ends, without the line ends behind it.
  var endOfText: Int { endOfText(before: count) }

  /// Where the text before an offset ends, without the line ends behind it.
  func endOfText(before offset: Int) -> Int {
    var end = offset
    while end > 0, self[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    return end
  }
}
