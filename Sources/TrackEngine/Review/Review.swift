/// Accepting, rejecting, commenting and highlighting: edits of the buffer that the user asked for.
///
/// Pending changes are put into marks first, in the same edits.
public struct Review {
  /// An action of the user's; ranges are UTF-8 offsets of the buffer, and an empty one is a caret.
  public enum Action: Equatable, Sendable {
    /// Accept (`clean`) or reject (`original`) what is in a range or at a caret, including threads; if an
    /// addition or deletion holds the range, only that part.
    case resolve(Range<Int>, Variant)
    /// Accept or reject every addition, deletion and substitution; highlights and lone comments stay.
    case resolveAll(Variant)
    /// Remove all highlights and comments, including comments on changes.
    case removeAnnotations
    /// Comment on the change at a caret, on a selection, or in the text.
    case comment(Range<Int>, [UInt8])
    /// Highlight a selection.
    case highlight(Range<Int>)
    /// Remove the comments at a caret or in a range.
    case removeComment(Range<Int>)
    /// Resolve (true) or reopen the threads at a caret or in a range; nil for what is not the case yet.
    case resolveThread(Range<Int>, Bool?)
    /// Replace the text of the comment at a caret; its author stays.
    case editComment(Range<Int>, [UInt8])
    /// Accept or reject everything of one kind; for comments, including those in threads.
    case resolveKind(MarkKind, Variant)
    /// Accept or reject every addition, deletion and substitution by an author; see ``Change/author(in:_:)``.
    case resolveAuthor(String, Variant)
    /// Join the touching deletion and addition at a caret into a substitution.
    case join(Range<Int>)
    /// Split the substitution at a caret into a deletion and an addition.
    case split(Range<Int>)
    /// Accept the alternatives by an author at a caret, and reject the others that touch them; see ``Review/conflict(at:)``.
    case takeAlternative(Range<Int>, String)
    /// Fix the malformed mark in a range.
    case fix(Range<Int>, Fix)
  }

  /// Why an action cannot be done; a sentence for the user.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The sentence.
    public var description: String

    /// An action on the whole document was asked for before the text changed.
    public static let overtaken = Failure(
      description: "The text has changed meanwhile; ask again."
    )

    /// Edits are not of the text that they are said to be of.
    public static let beyondEnd = Failure(description: "The edits go beyond the end of the text.")

    static let unfinished = Failure(
      description: "A change here cannot be put into marks yet: finish the code fence or the mark"
        + " that is being typed first."
    )
  }

  let tracker: Tracker
  let buffer: Draft
  let marking: Marking
  /// From the buffer to that with everything in marks.
  let toMarked: OffsetMap
  /// The buffer with everything in marks.
  let marked: Draft
  /// Where in it the stretch begins that is looked at.
  let start: Int
  /// The stretch; everything below counts from its beginning.
  let text: Text
  let settled: ParsedText

  /// Prepares a review of a document.
  ///
  /// - Parameters:
  ///   - tracker: The document.
  ///   - range: UTF-8 offsets of the buffer that hold everything the action is about; nil for the whole. The cost
  ///     is linear in the passages around it.
  public init(_ tracker: Tracker, around range: Range<Int>? = nil) {
    self.tracker = tracker
    buffer = tracker.draft
    marking = tracker.marking()
    toMarked = OffsetMap(marking.edits)
    marked = buffer.applying(marking.edits)
    var stretch = 0..<marked.text.count
    if let range { stretch = toMarked.map(selection: range.clamped(to: 0..<tracker.buffer.count)) }
    let excerpt = marked.excerpt(around: stretch)
    start = excerpt.start
    text = Text(excerpt.bytes)
    settled = excerpt.parsed
  }

  /// The language of the document.
  var language: Language { settled.reading.language }

  /// The text of the document with everything in marks that can be.
  public var markedText: Text { marked.text }

  /// The edits of the buffer that mark what is pending and then make edits of ``markedText``.
  ///
  /// - Parameter edits: Sorted, disjoint edits of that text.
  /// - Returns: Sorted, disjoint edits that do not touch.
  /// - Throws: ``Failure`` if something cannot be put into marks yet, or if the edits are not of that text.
  public func edits(making edits: [Edit]) throws(Failure) -> [Edit] {
    guard marking.remaining.isEmpty else { throw Failure.unfinished }
    guard edits.last.map({ $0.range.upperBound <= marked.text.count }) ?? true else {
      throw Failure.beyondEnd
    }
    return marking.edits.followed(by: edits, on: buffer.text).trimmed(on: buffer.text)
  }

  /// The number of changes in the document, including pending ones.
  public var counts: Counts { marked.passages.summary.counts }

  /// The changes of the stretch, including pending ones, in its offsets.
  public var changes: [Change] { settled.reading.changes }

  /// The changes that a selection of the buffer meets, or the one at a caret; in offsets of the stretch.
  public func changes(at range: Range<Int>) -> [Change] { chosen(moved(range)) }

  /// The old and the new text of a change.
  public func texts(of change: Change) -> (old: [UInt8], new: [UInt8]) {
    (change.old(in: settled.reading, settled.bytes), change.new(in: settled.reading, settled.bytes))
  }

  /// The edits of the buffer that carry out an action.
  ///
  /// - Parameter action: The action.
  /// - Returns: Sorted, disjoint edits that do not touch.
  /// - Throws: ``Failure`` if there is nothing to act on, or if the result would not read as meant.
  public func edits(for action: Action) throws(Failure) -> [Edit] {
    if case .fix(let range, let fix) = action, let typed = try fixTyped(range, fix) { return typed }
    // What refers to a footnote of another tool, or is one, is of the whole text.
    if text.count < marked.text.count, settled.reading.mayHaveFootnotes(in: settled.bytes) {
      return try Review(tracker).edits(for: action)
    }
    let edits = try verified(action).edits.map { $0.moved(by: start) }
    guard marking.remaining.isEmpty else { throw Failure.unfinished }
    // Where the stretch would not read by itself afterwards, the whole text is read.
    guard marked.isApart(start..<start + text.count, after: edits) else {
      return try Review(tracker).edits(for: action)
    }
    return marking.edits.followed(by: edits, on: buffer.text).trimmed(on: buffer.text)
  }

  /// The edits that carry out an action, in offsets of the stretch, provided that it reads by itself.
  private func verified(_ action: Action) throws(Failure) -> VerifiedEdits {
    switch action {
    case .resolve(let range, let variant): try resolve(moved(range), variant)
    case .resolveAll(let variant): try resolveAll(variant)
    case .removeAnnotations: try removeAnnotations()
    case .comment(let range, let text): try comment(on: moved(range), text)
    case .highlight(let range): try highlight(moved(range))
    case .removeComment(let range): try removeComment(moved(range))
    case .resolveThread(let range, let isResolved): try resolveThread(moved(range), isResolved)
    case .editComment(let range, let text): try editComment(moved(range), text)
    case .resolveKind(let kind, let variant): try resolve(kind, variant)
    case .resolveAuthor(let author, let variant): try resolve(changesBy: author, variant)
    case .join(let range): try join(moved(range))
    case .split(let range): try split(moved(range))
    case .takeAlternative(let range, let author):
      try take(alternativesBy: author, at: moved(range))
    case .fix(let range, let fix): try self.fix(range, fix)
    }
  }

  /// The end of what accepting or rejecting resolves, in the text after it.
  ///
  /// - Parameters:
  ///   - range: A selection of the buffer, or a caret.
  ///   - variant: The variant to keep.
  /// - Returns: A UTF-8 offset of that text.
  /// - Throws: ``Failure`` if there is nothing to act on.
  public func end(resolving range: Range<Int>, _ variant: Variant) throws(Failure) -> Int {
    let range = moved(range)
    if let part = verified(resolvingPartAt: range, variant) {
      return start + OffsetMap(part.edits).map(range.upperBound, bias: .before)
    }
    let end = chosen(range).map(\.range.upperBound).max() ?? range.upperBound
    return start + OffsetMap(try resolve(range, variant).edits).map(end, bias: .before)
  }

  /// A range of the buffer in the stretch.
  func moved(_ range: Range<Int>) -> Range<Int> {
    let moved = toMarked.map(selection: range.clamped(to: 0..<buffer.text.count))
    let near = moved.clamped(to: start..<start + text.count)
    return near.moved(by: -start)
  }
}

extension Review.Action {
  /// The same action on the text after `edits`.
  public func moved(after edits: [Edit]) -> Review.Action {
    let map = OffsetMap(edits)
    return switch self {
    case .resolve(let range, let variant): .resolve(map.map(selection: range), variant)
    case .resolveAll, .removeAnnotations: self
    case .comment(let range, let text): .comment(map.map(selection: range), text)
    case .highlight(let range): .highlight(map.map(selection: range))
    case .removeComment(let range): .removeComment(map.map(selection: range))
    case .resolveThread(let range, let isResolved):
      .resolveThread(map.map(selection: range), isResolved)
    case .editComment(let range, let text): .editComment(map.map(selection: range), text)
    case .resolveKind, .resolveAuthor: self
    case .join(let range): .join(map.map(selection: range))
    case .split(let range): .split(map.map(selection: range))
    case .takeAlternative(let range, let author):
      .takeAlternative(map.map(selection: range), author)
    case .fix(let range, let fix): .fix(map.map(selection: range), fix)
    }
  }
}

extension OffsetMap {
  /// A selection or caret in the new text; both ends stay before text inserted at them.
  func map(selection: Range<Int>) -> Range<Int> {
    map(selection, start: .before, end: .before)
  }
}

// MARK: - Accept and reject

extension Review {
  private func resolve(_ range: Range<Int>, _ variant: Variant) throws(Failure) -> VerifiedEdits {
    if let part = verified(resolvingPartAt: range, variant) { return part }
    let chosen = chosen(range)
    guard !chosen.isEmpty else {
      throw Failure(
        description: range.isEmpty
          ? "There is no change at the caret." : "There is no change in the selection."
      )
    }
    return try resolved(chosen, variant)
  }

  private func resolveAll(_ variant: Variant) throws(Failure) -> VerifiedEdits {
    let tracked = changes.filter(\.kind.isChange)
    guard !tracked.isEmpty else {
      throw Failure(description: "There are no changes in this document.")
    }
    return try resolved(tracked.map { ($0, variant) }, isEverything: true)
  }

  /// Removes what the variant does not show of changes, and their threads.
  func resolved(_ changes: [Change], _ variant: Variant) throws(Failure) -> VerifiedEdits {
    try resolved(changes.map { ($0, variant) })
  }

  /// The same for changes of each of which a variant is kept, in their order.
  func resolved(
    _ changes: [(change: Change, variant: Variant)],
    isEverything: Bool = false
  ) throws(Failure) -> VerifiedEdits {
    let decided = changes.flatMap { change, variant in change.marks.map { ($0, variant) } }
    let gone =
      decided.flatMap { settled.reading.removed($1, from: $0) }
      + changes.flatMap { $0.change.thread.map(\.range) }
    return try removed(gone, deciding: decided, isEverything: isEverything)
  }

  /// Removes ranges of the stretch.
  func removed(
    _ gone: [Range<Int>],
    deciding decided: [(mark: Mark, variant: Variant)] = [],
    isEverything: Bool = false
  ) throws(Failure) -> VerifiedEdits {
    let (bytes, reading) = (settled.bytes, settled.reading)
    do throws(Obstacle) {
      let removed = try VerifiedEdits(
        removing: gone,
        from: bytes,
        reading,
        deciding: decided,
        isEverything: isEverything
      )
      guard removed.edits.contains(where: { bytes[$0.range] != $0.new[...] }) else {
        throw Obstacle(range: removed.edits.first?.range ?? 0..<0)
      }
      return removed
    } catch {
      throw error.failure(in: marked.text, from: start)
    }
  }

  /// Makes the first of several forms of edits that leaves both texts as they are.
  ///
  /// - Parameters:
  ///   - forms: Edits of the stretch.
  ///   - refusal: What to say if none of them does.
  ///   - isMeant: Whether the marks are those that are meant.
  /// - Returns: The edits.
  /// - Throws: ``Failure`` if none of the forms does.
  func written(
    _ forms: some Sequence<[Edit]>,
    orElse refusal: String,
    where isMeant: (Reading) -> Bool = { _ in true }
  ) throws(Failure) -> VerifiedEdits {
    let bytes = settled.bytes
    let claim = settled.reading.claim(of: bytes)
    guard let written = VerifiedEdits(forms, of: bytes, as: language, claim, where: isMeant) else {
      throw Failure(description: refusal)
    }
    return written
  }

  /// The first of several forms of a remark that leaves both texts and all changes as they are.
  ///
  /// What is in another tool's footnote is in neither text, so that a mark which came to be there would not be seen.
  func remarked(
    _ forms: some Sequence<[Edit]>,
    orElse refusal: String,
    where isMeant: (Reading) -> Bool = { _ in true }
  ) throws(Failure) -> VerifiedEdits {
    // Of marks that touch, which are one change, a remark between them makes two.
    func count(_ reading: Reading) -> Int {
      reading.changes.reduce(0) { $0 + ($1.kind.isChange ? $1.marks.count : 0) }
    }
    let known = count(settled.reading)
    return try written(forms, orElse: refusal) { isMeant($0) && count($0) == known }
  }

  /// The changes that a selection meets, or the one at a caret: the innermost, and preferably one that holds the
  /// caret rather than touches it.
  func chosen(_ range: Range<Int>) -> [Change] {
    let near = settled.reading.changes.filter { $0.range.touches(range) }
    guard range.isEmpty else {
      // Resolving a highlight resolves what is in it too.
      var end = 0
      return near.filter { change in
        guard change.range.overlaps(range), end <= change.range.upperBound else { return false }
        end = max(end, change.markRange.upperBound)
        return true
      }
    }
    let inside = near.filter {
      $0.range.lowerBound < range.lowerBound && range.lowerBound < $0.range.upperBound
    }
    guard
      let inmost = inside.last ?? near.last(where: { $0.range.lowerBound == range.lowerBound })
        ?? near.last
    else { return [] }
    return [inmost]
  }
}
