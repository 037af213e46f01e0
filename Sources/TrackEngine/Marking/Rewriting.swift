/// Applies changes to the spans of a stretch of the settled text.
///
/// Removed original text becomes a deletion, removed added text disappears, and deleted text always stays.
/// Typed text is inserted where it was typed, or where the next visible text begins.
struct Rewriting {
  private let settled: ParsedText
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

  /// Prepares to apply changes.
  ///
  /// - Parameters:
  ///   - changes: The changes in the stretch.
  ///   - removals: What each of the changes removes.
  ///   - settled: The settled text.
  init(
    of changes: ArraySlice<Pending>,
    removing removals: ArraySlice<Removal>,
    from settled: ParsedText
  ) {
    self.settled = settled
    self.changes = changes
    removed = removals.map(\.removed)
    gone = removals.flatMap(\.gone).sorted { $0.lowerBound < $1.lowerBound }
      .reduce(into: []) { $0.add($1) }
    cuts = (gone + changes.map(\.old)).flatMap { [$0.lowerBound, $0.upperBound] }.sorted()
  }

  /// The new content of a stretch, without delimiters.
  mutating func content(of stretch: Range<Int>) -> [Span] {
    for span in settled.spans(in: stretch) { put(span) }
    putTyped(upTo: stretch.upperBound)
    return content
  }

  private mutating func put(_ span: Span) {
    let mark = span.mark.map { settled.reading.marks[$0] }
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
        putTyped(upTo: span.range.upperBound - 1, joining: mark.flatMap { whatJoins($0, at: span) })
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
        putTyped(upTo: part.range.lowerBound, joining: span.metadata)
        if !isGone(part) { add(part, as: .added) }
      }
    }
  }

  private mutating func put(delimiter span: Span, of comment: Mark) {
    var text = span
    text.kind = .comment
    if span.range.lowerBound == comment.start {
      putTyped(upTo: comment.start)
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
    case .addition: delimiter.metadata
    case .substitution: delimiter.range.lowerBound > mark.start ? delimiter.metadata : nil
    case .deletion, .highlight, .comment: nil
    }
  }

  private mutating func add(_ span: Span, as kind: Span.Kind) {
    var span = span
    if kind == .deleted, span.kind != .deleted { span.metadata = nil }
    span.kind = kind
    content.add(span)
  }

  /// Inserts what was typed at or before `offset`, as part of a comment if one is given; it gets the metadata
  /// of an addition that it joins.
  private mutating func putTyped(
    upTo offset: Int,
    in comment: Span? = nil,
    joining metadata: Metadata? = nil
  ) {
    while let change = changes.first, change.old.lowerBound <= offset {
      changes = changes.dropFirst()
      if var comment {
        comment.source = .typed(change.new)
        content.add(comment)
      } else {
        let joined = metadata ?? (change.old.isEmpty ? whatJoins(at: change.old.lowerBound) : nil)
        for var span in change.typed {
          if let joined, span.kind == .added, !change.isSpelled, span.metadata == nil {
            span.metadata = joined
          }
          content.add(span)
        }
        if change.isSpelled { spelledEnd = max(spelledEnd, change.old.upperBound) }
      }
    }
  }

  /// The metadata of the mark that ends at an offset, if text typed there joins the mark: never after a tail.
  private func whatJoins(at offset: Int) -> Metadata? {
    guard let last, last.end == offset, last.kind == .addition || last.kind == .substitution,
      last.tail.isEmpty
    else { return nil }
    return last.metadata
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
