/// Puts proposals into marks one at a time, from the last to the first.
///
/// Each becomes a change of its own: it joins no mark that it only touches.
struct ProposalWriting {
  /// The edits so far, relative to the initial text.
  private(set) var edits: [Edit] = []
  private let source: VariantText
  /// The present text, and the mapping of its clean text, which is valid before `end`.
  private var clean: VariantText
  private var end = Int.max
  /// Does not track: it is given the final edits.
  private var document: Tracker

  private static let options: Tracker.Options = {
    var options = Tracker.Options()
    options.isOneChange = true
    return options
  }()

  init(_ source: VariantText) {
    self.source = source
    clean = source
    document = Tracker(Text(source.markup), isTracking: false)
  }

  /// Writes a proposal that is before all those written; returns false, and writes nothing, if that is not
  /// possible.
  mutating func write(_ proposal: PlacedProposal) -> Bool {
    let known = document
    guard let step = step(proposal) else {
      document = known
      return false
    }
    end = min(end, step.first?.range.lowerBound ?? end)
    if let first = edits.first, let last = step.last,
      first.range.lowerBound <= last.range.upperBound
    {
      edits = edits.followed(by: step, on: Text(source.markup))
    } else {
      edits = step + edits
    }
    return true
  }

  /// Makes the edits that put a proposal into marks; nil if that is not possible.
  private mutating func step(_ proposal: PlacedProposal) -> [Edit]? {
    let before = document.buffer
    let replaced = replacements(proposal.edit)
    let hunks = replaced.map { edit in
      var hunk = Hunk(edit, on: before)
      // A proposal is taken literally, even if it removes part of a delimiter.
      hunk.manner = .other
      return hunk
    }
    document.apply(replaced)
    let marking = Marking(
      hunks,
      in: document.draft,
      options: ProposalWriting.options,
      isForced: true
    )
    guard marking.remaining.isEmpty else { return nil }
    document.apply(marking.edits)
    let marked = replaced.followed(by: marking.edits, on: before)
    guard proposal.comment != nil else { return marked }
    guard let comment = edits(commenting: proposal, on: replaced, marking) else { return nil }
    document.apply(comment)
    return marked.followed(by: comment, on: before)
  }

  /// The edits of the marked-up text that apply an edit of the clean text.
  private mutating func replacements(_ edit: Edit) -> [Edit] {
    var stretches = clean.stretches(of: edit.range)
    if stretches.last.map({ $0.upperBound > end }) ?? (clean.place(of: edit.range.lowerBound) > end)
    {
      // A written proposal reaches further back than its own text, because the text around it had to be
      // rewritten.
      clean = VariantText(.clean, of: document.buffer.bytes)
      end = Int.max
      stretches = clean.stretches(of: edit.range)
    }
    guard !stretches.isEmpty else {
      let place = clean.place(of: edit.range.lowerBound)
      return [Edit(place..<place, edit.new)]
    }
    return zip(stretches.indices, stretches).map { Edit($1, $0 == 0 ? edit.new : []) }
  }

  /// The edits that comment on the change that a marking made, or at its place if it left no change; nil if no
  /// comment can be written there.
  private func edits(
    commenting proposal: PlacedProposal,
    on replaced: [Edit],
    _ marking: Marking
  ) -> [Edit]? {
    let typed = replaced[0].range.lowerBound..<replaced[0].range.lowerBound + replaced[0].new.count
    let map = OffsetMap(marking.edits)
    let inside = map.map(typed.lowerBound, bias: .after)
    let region = marking.edits.differences.map(\.new)
      .reduce(map.map(typed, start: .before, end: .after)) { $0.joined(with: $1) }
    let excerpt = document.excerpt(around: region)
    let place = region.moved(by: -excerpt.start)
    let at = inside - excerpt.start
    let changes = excerpt.reading.changes.filter(\.kind.isChange)
    let change =
      changes.last {
        !typed.isEmpty && $0.markRange.lowerBound < at && at < $0.markRange.upperBound
      }
      ?? changes.last {
        $0.markRange.lowerBound < place.upperBound && place.lowerBound < $0.markRange.upperBound
      }
    // Removing somebody's own addition leaves no change, and then a name alone would say nothing.
    guard let comment = proposal.comment, change != nil || proposal.hasReason else { return [] }
    let end = change?.end(ofMarksIn: place) ?? place.lowerBound
    return try? Review(document, around: region).edits(writing: comment, at: excerpt.start + end)
  }

  /// Whether the result says exactly what was proposed and leaves all other marks alone.
  func isRight(_ proposals: [PlacedProposal]) -> Bool {
    let bytes = source.markup.applying(edits)
    let reading = Reading(of: bytes)
    return reading.text(.clean, of: bytes) == source.bytes.applying(proposals.map(\.edit))
      && reading.text(.original, of: bytes)
        == source.reading.text(.original, of: source.markup)
      && keepsMarks(reading, beside: proposals)
  }

  /// Whether every mark that holds no replaced text is unchanged.
  private func keepsMarks(_ reading: Reading, beside proposals: [PlacedProposal]) -> Bool {
    let map = OffsetMap(edits)
    let replaced = proposals.map { proposal in
      let range = proposal.edit.range
      let place = source.place(of: range.lowerBound)
      return range.isEmpty ? place..<place : source.hull(of: range)
    }
    return source.reading.topLevel.allSatisfy { index in
      let mark = source.reading.marks[index]
      let next = replaced.partitioningIndex { $0.upperBound > mark.start }
      if next < replaced.count, replaced[next].lowerBound < mark.end { return true }
      guard let place = map.mapWhole(mark.range) else { return false }
      let found = reading.marks.partitioningIndex { $0.start >= place.lowerBound }
      return found < reading.marks.count && reading.marks[found].kind == mark.kind
        && reading.marks[found].range == place
    }
  }
}

extension Change {
  /// Where to put a comment on those of its marks that lie in a range: after their thread, but before adjacent
  /// marks of another proposal.
  fileprivate func end(ofMarksIn place: Range<Int>) -> Int {
    let next = marks.first { $0.start >= place.upperBound && $0.start > markRange.lowerBound }
    return next?.start ?? range.upperBound
  }
}
