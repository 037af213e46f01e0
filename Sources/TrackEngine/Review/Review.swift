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

    static let farAway = Failure(
      description: "The text would read as a different mark together with text far from it."
    )

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
    let edits: [Edit]
    switch action {
    case .resolve(let range, let variant):
      edits = try resolve(moved(range), variant)
    case .resolveAll(let variant):
      edits = try resolveAll(variant)
    case .removeAnnotations:
      edits = try removeAnnotations()
    case .comment(let range, let text):
      edits = try comment(on: moved(range), text)
    case .highlight(let range):
      edits = try highlight(moved(range))
    case .removeComment(let range):
      edits = try removeComment(moved(range))
    case .editComment(let range, let text):
      edits = try editComment(moved(range), text)
    case .resolveKind(let kind, let variant):
      edits = try resolve(kind, variant)
    case .resolveAuthor(let author, let variant):
      edits = try resolve(changesBy: author, variant)
    case .join(let range):
      edits = try join(moved(range))
    case .split(let range):
      edits = try split(moved(range))
    case .fix(let range, let fix):
      if let typed = try fixTyped(range, fix) { return typed }
      edits = try self.fix(range, fix)
    }
    guard marking.remaining.isEmpty else { throw Failure.unfinished }
    let all = edits.map { $0.moved(by: start) }
    guard marked.isApart(start..<start + text.count, with: all) else {
      throw Failure.farAway
    }
    return marking.edits.followed(by: droppingFootnotes(all), on: buffer.text)
      .trimmed(on: buffer.text)
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
    if let edits = edits(resolvingPartAt: range, variant) {
      return start + OffsetMap(edits).map(range.upperBound, bias: .before)
    }
    let end = chosen(range).map(\.range.upperBound).max() ?? range.upperBound
    return start + OffsetMap(try resolve(range, variant)).map(end, bias: .before)
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
    case .editComment(let range, let text): .editComment(map.map(selection: range), text)
    case .resolveKind, .resolveAuthor: self
    case .join(let range): .join(map.map(selection: range))
    case .split(let range): .split(map.map(selection: range))
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
  private func resolve(_ range: Range<Int>, _ variant: Variant) throws(Failure) -> [Edit] {
    if let edits = edits(resolvingPartAt: range, variant) { return edits }
    let chosen = chosen(range)
    guard !chosen.isEmpty else {
      throw Failure(
        description: range.isEmpty
          ? "There is no change at the caret." : "There is no change in the selection."
      )
    }
    return try resolved(chosen.flatMap { $0.marks + $0.thread }, variant)
  }

  /// Removes what the variant does not show of marks, if other marks still read the same.
  func resolved(_ marks: [Mark], _ variant: Variant) throws(Failure) -> [Edit] {
    let edits = edits(resolving: marks, variant)
    guard keeps(variant, edits) else {
      throw Failure(
        description: "The text would read as a different mark beside its neighbours; resolve those"
          + " first."
      )
    }
    return edits
  }

  private func resolveAll(_ variant: Variant) throws(Failure) -> [Edit] {
    let changes = changes
    let tracked = changes.filter(\.kind.isChange)
    guard !tracked.isEmpty else {
      throw Failure(description: "There are no changes in this document.")
    }
    let edits = edits(resolving: tracked.flatMap { $0.marks + $0.thread }, variant)
    // If there are no other marks, the rest is the text, whatever it spells.
    guard tracked.count == changes.count || keeps(variant, edits) else {
      throw Failure(
        description: "The text would read as a different mark beside the highlights and comments;"
          + " remove those first."
      )
    }
    return edits
  }

  private func edits(resolving marks: [Mark], _ variant: Variant) -> [Edit] {
    marks.flatMap { resolved($0, variant) }.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Whether a variant stays the same.
  private func keeps(_ variant: Variant, _ edits: [Edit]) -> Bool {
    let result = text.applying(edits).bytes
    return Reading(of: result).text(variant, of: result)
      == settled.reading.text(variant, of: settled.bytes)
  }

  /// Removes what the variant does not show; the rest is not touched, nor a caret in it.
  private func resolved(_ mark: Mark, _ variant: Variant) -> [Edit] {
    settled.reading.removed(variant, from: mark).map { Edit($0, []) }
  }

  /// The changes that a selection meets, or the one at a caret: the innermost, and preferably one that holds the
  /// caret rather than touches it.
  func chosen(_ range: Range<Int>) -> [Change] {
    let near = settled.reading.changes.filter {
      $0.range.lowerBound <= range.upperBound && range.lowerBound <= $0.range.upperBound
    }
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

// MARK: - Comments and highlights

extension Review {
  private func comment(on range: Range<Int>, _ content: [UInt8]) throws(Failure) -> [Edit] {
    let change = chosen(range.isEmpty ? range : range.lowerBound..<range.lowerBound + 1).last
    let isOnChange = change.map { $0.range.holds(range) }
    if let change, isOnChange == true {
      return try written(comment: content, highlighting: [], at: change.range.upperBound)
    }
    if range.isEmpty {
      return try written(comment: content, highlighting: [], at: outsideCode(range.lowerBound))
    }
    let selection = settled.whole(wholeCode(range))
    let plain = plainStretches(of: selection)
    var end = selection.upperBound
    // A comment after a mark belongs to it, after the comments that it has.
    while let next = settled.mark(at: end), settled.reading.marks[next].start == end,
      settled.reading.marks[next].kind == .comment
    { end = settled.reading.marks[next].end }
    return try written(comment: content, highlighting: plain, at: end)
  }

  /// The edits of the buffer that write a comment right at an offset of it, where nothing is pending.
  func edits(writing comment: [UInt8], at offset: Int) throws(Failure) -> [Edit] {
    let edits = try written(comment: comment, highlighting: [], at: outsideCode(offset - start))
    guard marked.isApart(start..<start + text.count, with: edits.map { $0.moved(by: start) }) else {
      throw Failure.farAway
    }
    return edits.map { $0.moved(by: start) }
  }

  private func highlight(_ range: Range<Int>) throws(Failure) -> [Edit] {
    guard !range.isEmpty else {
      throw Failure(description: "Select the text to highlight first.")
    }
    let plain = plainStretches(of: wholeCode(range))
    guard !plain.isEmpty else {
      throw Failure(description: "All of the selection is in marks already.")
    }
    return try written(comment: nil, highlighting: plain, at: plain[0].upperBound)
  }

  private func removeComment(_ range: Range<Int>) throws(Failure) -> [Edit] {
    let chosen = comments(at: range)
    guard !chosen.isEmpty else { throw Failure(description: "There is no comment here.") }
    // A comment inside a comment is removed with it.
    var end = 0
    return chosen.filter { mark in
      defer { end = max(end, mark.end) }
      return end < mark.end
    }.map { Edit($0.range, []) }
  }

  /// The comments that a selection meets, or the one at a caret; else the last one of the thread
  /// there.
  ///
  /// An attribution is none unless the caret is in it.
  func comments(at range: Range<Int>) -> [Mark] {
    let all = settled.reading.marks.filter { $0.kind == .comment }
    let inside = all.filter { $0.start < range.lowerBound && range.lowerBound < $0.end }
    if range.isEmpty, !inside.isEmpty { return inside }
    let attributions = attributions { _ in true }
    let comments = all.filter { !attributions.contains($0.start) }
    var chosen = comments.filter { $0.range.overlaps(range) }
    if chosen.isEmpty {
      chosen = comments.filter { $0.start == range.lowerBound || $0.end == range.lowerBound }
    }
    if chosen.isEmpty {
      chosen = self.chosen(range).last?.remarks(in: settled.bytes).suffix(1) ?? []
    }
    return chosen
  }

  /// The parts of a range that are in no mark.
  private func plainStretches(of range: Range<Int>) -> [Range<Int>] {
    var stretches: [Range<Int>] = []
    var at = range.lowerBound
    while at < range.upperBound {
      let position = settled.firstMark(endingAfter: at)
      let next = position < settled.top.count ? settled.reading.marks[settled.top[position]] : nil
      let end = min(range.upperBound, max(at, next?.start ?? range.upperBound))
      if end > at { stretches.append(at..<end) }
      at = max(end, min(range.upperBound, next?.end ?? range.upperBound))
    }
    return stretches
  }

  /// A range extended over code that it would split.
  private func wholeCode(_ range: Range<Int>) -> Range<Int> {
    var wide = range
    for zone in settled.reading.zones
    where zone.range.overlaps(wide) && settled.mark(at: zone.range.lowerBound) == nil {
      wide = wide.joined(with: zone.range)
    }
    return wide
  }

  /// The next place for a mark: after a code span, on the line after a fenced block.
  private func outsideCode(_ offset: Int) -> Int {
    let zone = settled.reading.zones.first {
      $0.range.lowerBound < offset && offset < $0.range.upperBound
        || $0.isFenced && offset == $0.range.upperBound
    }
    guard let zone else { return offset }
    guard zone.isFenced else { return zone.range.upperBound }
    return settled.bytes.withUnsafeBufferPointer { $0.lineEnd(after: zone.range.upperBound) }
  }

  /// Writes highlights and a comment with the first strategy that reads back as meant.
  private func written(
    comment: [UInt8]?,
    highlighting plain: [Range<Int>],
    at offset: Int
  ) throws(Failure) -> [Edit] {
    let bytes = settled.bytes
    for strategy in Strategy.allCases {
      var edits: [Edit] = plain.map { range in
        Edit(range, MarkKind.highlight.printed(around: Array(bytes[range]), strategy))
      }
      if let comment {
        let mark = MarkKind.comment.printed(around: comment, strategy)
        if let last = edits.indices.last, edits[last].range.upperBound == offset {
          edits[last].new += mark
        } else {
          let place = edits.firstIndex { $0.range.lowerBound >= offset } ?? edits.count
          edits.insert(Edit(offset..<offset, mark), at: place)
        }
      }
      let result = text.applying(edits).bytes
      let reading = Reading(of: result)
      let added = reading.marks.count - settled.reading.marks.count
      if added >= plain.count + (comment == nil ? 0 : 1), keepsVariants(reading, of: result) {
        return separated(edits)
      }
    }
    throw Failure(description: "A mark cannot be written here: code around it would hide it.")
  }

  /// Highlights as insertions before and after the text, which stays.
  private func separated(_ edits: [Edit]) -> [Edit] {
    edits.flatMap { edit -> [Edit] in
      guard edit.range.count > 1, let found = edit.new[...].firstRange(of: text[edit.range]) else {
        return [edit]
      }
      return [
        Edit(edit.range.lowerBound..<edit.range.lowerBound, Array(edit.new[..<found.lowerBound])),
        Edit(edit.range.upperBound..<edit.range.upperBound, Array(edit.new[found.upperBound...])),
      ]
    }
  }
}
