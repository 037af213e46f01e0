/// Applies changes to the spans of a stretch of the settled text.
///
/// Removed original text becomes a deletion, removed added text disappears, and deleted text always stays.
/// Typed text is inserted where it was typed, or where the next visible text begins.
struct Rewriting {
  private let settled: ParsedText
  /// What new changes are signed with; nil if they are not.
  private let signature: Signature?
  /// The changes whose typed text has not been inserted yet.
  private var changes: ArraySlice<Pending>
  /// The removed ranges of the settled text; sorted and disjoint.
  private let gone: [Range<Int>]
  /// The ranges removed together with the marks in them, from opener to closer.
  private let removed: [Range<Int>]
  /// The offsets at which spans are split.
  private let cuts: [Int]
  /// The end of the old text of the last change that accounts for all of it.
  private var spelledEnd = 0
  private var content: [Span] = []
  /// The mark of the last delimiter.
  private var last: Mark?
  /// What was typed at the end of somebody else's change, and comes behind the comments on that.
  private var held: [Span] = []
  /// Where those comments end so far.
  private var threadEnd = 0
  /// What was typed in place of text, from the first comment in it: it comes behind the text that was removed.
  private var behind: (typed: ArraySlice<Span>, metadata: Metadata?, removedEnd: Int)?

  /// Prepares to apply changes.
  ///
  /// - Parameters:
  ///   - changes: The changes in the stretch.
  ///   - removals: What each of the changes removes.
  ///   - settled: The settled text.
  ///   - signature: What new changes are signed with.
  init(
    of changes: ArraySlice<Pending>,
    removing removals: ArraySlice<Removal>,
    from settled: ParsedText,
    signed signature: Signature?
  ) {
    self.settled = settled
    self.signature = signature
    self.changes = changes
    removed = removals.map(\.removed)
    gone = removals.flatMap(\.gone).sorted { $0.lowerBound < $1.lowerBound }
      .reduce(into: []) { $0.add($1) }
    cuts = (gone + changes.map(\.old)).flatMap { [$0.lowerBound, $0.upperBound] }.sorted()
  }

  /// The new content of a stretch, without delimiters.
  mutating func content(of stretch: Range<Int>) -> [Span] {
    for span in settled.spans(in: stretch) { put(span) }
    release()
    putTyped(upTo: stretch.upperBound)
    return content
  }

  private mutating func put(_ span: Span) {
    let mark = span.mark.map { settled.reading.marks[$0] }
    var span = span
    if let signature { span.metadata = signature.renewed(span.metadata) }
    if let mark, mark.kind == .comment, mark.start == threadEnd || mark.end == threadEnd {
      threadEnd = mark.end
    } else {
      release()
    }
    switch span.kind {
    case .original, .highlighted:
      for part in parts(of: span) {
        putTyped(upTo: part.range.lowerBound)
        if !isSpelled(part) { add(part, as: isGone(part) ? .deleted : part.kind) }
      }
    case _ where isSpelled(span): break
    case .delimiter:
      if let mark, mark.kind == .comment, !isRemoved(mark) {
        put(delimiter: span, of: mark)
      } else {
        let joined = mark.flatMap { whatJoins($0, at: span) }
        let isEnd = mark.map { $0.kind.isChange && $0.end == span.range.upperBound } ?? false
        if isEnd { threadEnd = span.range.upperBound }
        putTyped(
          upTo: span.range.upperBound - 1,
          joining: joined,
          isHeld: isEnd && joined == nil && signature != nil
        )
        last = mark
      }
    case .comment:
      if let mark, mark.kind == .comment, isRemoved(mark) { break }
      put(comment: span)
    case .deleted: for part in parts(of: span) { add(part, as: .deleted) }
    case .added where span.isHidden:
      if let index = span.mark { put(hidden: span, ofMarkAt: index) }
    case .added:
      for part in parts(of: span) {
        putTyped(upTo: part.range.lowerBound, joining: joined(span.metadata))
        if !isGone(part) { add(part, as: .added) }
      }
    }
  }

  private mutating func put(delimiter span: Span, of comment: Mark) {
    var text = span
    text.kind = .comment
    if span.range.lowerBound == comment.start {
      let isOnOthers = signature != nil && last?.end == comment.start
      putTyped(upTo: comment.start, isHeld: isOnOthers && whatJoins(at: comment.start) == nil)
      // The comment stays even if it has no text.
      text.source = .settled(comment.content.lowerBound..<comment.content.lowerBound)
      content.append(text)
    } else {
      putTyped(upTo: comment.end - 1, in: text)
    }
  }

  /// Text typed in a comment becomes part of the comment.
  private mutating func put(comment span: Span) {
    var text = span
    // Comments inside an addition are kept in it.
    if span.isHidden { text.kind = .added }
    for part in parts(of: text) {
      putTyped(upTo: part.range.lowerBound, in: text)
      if !isGone(part) { content.add(part) }
    }
    putTyped(upTo: span.range.upperBound, in: text)
  }

  /// Marks inside an addition that were removed completely are removed with their delimiters.
  private mutating func put(hidden span: Span, ofMarkAt index: Int) {
    let inner = settled.reading.marks[(index + 1)...].prefix(settled.reading.marks[index].inner)
    let dropped = inner.filter(isRemoved).map(\.range)
    for part in parts(of: span, alsoAt: dropped.flatMap { [$0.lowerBound, $0.upperBound] })
    where !dropped.contains(where: { $0.holds(part.range) }) {
      content.add(part)
    }
  }

  /// The metadata for text typed in a delimiter: inside the delimiters of an addition, that of the addition.
  private func whatJoins(_ mark: Mark, at delimiter: Span) -> Metadata? {
    switch mark.kind {
    case .addition: joined(delimiter.metadata)
    case .substitution: delimiter.range.lowerBound > mark.start ? joined(delimiter.metadata) : nil
    case .deletion, .highlight, .comment: nil
    }
  }

  private mutating func add(_ span: Span, as kind: Span.Kind) {
    var span = span
    if kind == .deleted, span.kind != .deleted { span.metadata = metadata(ofNew: .deleted) }
    span.kind = kind
    content.add(span)
  }

  /// Inserts what was typed at or before `offset`, as part of a comment if one is given; it gets the metadata
  /// of an addition that it joins.
  private mutating func putTyped(
    upTo offset: Int,
    in comment: Span? = nil,
    joining metadata: Metadata? = nil,
    isHeld: Bool = false
  ) {
    putBehind(removedUpTo: offset)
    while let change = changes.first, change.old.lowerBound <= offset {
      changes = changes.dropFirst()
      if var comment {
        comment.source = .typed(change.new)
        content.add(comment)
      } else {
        let joined = metadata ?? (change.old.isEmpty ? whatJoins(at: change.old.lowerBound) : nil)
        let typed = change.typed.partedAtComment(if: !change.isSpelled && !change.old.isEmpty)
        for span in typed.first {
          let span = change.isSpelled ? span : signed(span, joining: joined)
          if isHeld { held.add(span) } else { content.add(span) }
        }
        if !typed.rest.isEmpty { behind = (typed.rest, joined, change.old.upperBound) }
        if change.isSpelled { spelledEnd = max(spelledEnd, change.old.upperBound) }
        putBehind(removedUpTo: offset)
      }
    }
  }

  /// Inserts what was typed behind a text that was removed, if that ends at or before `offset`.
  private mutating func putBehind(removedUpTo offset: Int) {
    guard let (typed, metadata, end) = behind, end <= offset else { return }
    behind = nil
    for span in typed { content.add(signed(span, joining: metadata)) }
  }

  /// A typed span with the metadata of the addition that it joins, or of a new one.
  private func signed(_ span: Span, joining metadata: Metadata?) -> Span {
    guard span.kind == .added, span.metadata == nil else { return span }
    var span = span
    span.metadata = metadata ?? self.metadata(ofNew: .added)
    return span
  }

  /// The metadata of what is added or deleted now: what goes on in a change that nobody has signed is a part of it.
  private func metadata(ofNew kind: Span.Kind) -> Metadata? {
    guard let signature, held.isEmpty, let before = content.last, before.kind == kind,
      before.metadata == nil, !before.isHidden
    else { return signature?.own }
    // With a comment on it, it is as good as signed.
    let isCommented = before.mark.map { !settled.reading.thread(behind: $0).isEmpty } ?? false
    return isCommented ? signature.own : nil
  }

  /// Adds what was held back until the comments were there.
  private mutating func release() {
    for span in held { content.add(span) }
    held = []
  }

  /// The metadata of the mark that ends at an offset, if text typed there joins the mark: never after another tool's
  /// tail.
  private func whatJoins(at offset: Int) -> Metadata? {
    guard let last, last.end == offset, last.kind == .addition || last.kind == .substitution,
      last.tailLength == last.attributionLength
    else { return nil }
    return joined(signature?.renewed(last.metadata) ?? last.metadata)
  }

  /// The metadata of a mark, if what is typed in it becomes part of it: of those with a signature only one's own.
  private func joined(_ metadata: Metadata?) -> Metadata? {
    signature == nil || metadata == signature?.own ? metadata : nil
  }

  private func isSpelled(_ span: Span) -> Bool { span.range.lowerBound < spelledEnd }

  private func isRemoved(_ mark: Mark) -> Bool { removed.contains { $0.holds(mark.range) } }

  private func isGone(_ span: Span) -> Bool {
    gone.first(overlapping: span.range) { $0 } != nil
  }

  /// A span, split where a change or a removed range begins or ends.
  private func parts(of span: Span, alsoAt others: [Int] = []) -> [Span] {
    let first = cuts.partitioningIndex { $0 > span.range.lowerBound }
    let places = cuts[first...].prefix { $0 < span.range.upperBound }
    return span.parts(at: others.isEmpty ? Array(places) : (places + others).sorted())
  }
}

extension [Span] {
  /// The spans, parted at the first comment behind text, if that is wanted.
  fileprivate func partedAtComment(
    if isWanted: Bool
  ) -> (first: ArraySlice<Span>, rest: ArraySlice<Span>) {
    let text = isWanted ? firstIndex { $0.kind != .comment } : nil
    let comment = text.flatMap { self[$0...].firstIndex { $0.kind == .comment } } ?? endIndex
    return (self[..<comment], self[comment...])
  }
}
