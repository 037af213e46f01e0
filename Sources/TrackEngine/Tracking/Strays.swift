/// Edits of the buffer that undo whatever was applied at a wrong place; sorted and disjoint.
///
/// A value that shares with earlier states all that is the same. What an edit of the buffer costs is logarithmic in
/// their number, and linear in those that it meets.
struct Strays: Sendable {
  /// What was applied at a wrong place, as hunks of the text without it.
  private(set) var hunks = Hunks()

  init(_ edits: [Edit] = []) {
    change(at: 0..<0) { $0 = edits }
  }

  var isEmpty: Bool { hunks.isEmpty }

  /// The edits; linear.
  var edits: [Edit] { hunks.list.inverted }

  /// Adds those edits that touch none that is there already.
  mutating func add(_ edits: [Edit]) {
    for edit in edits {
      change(at: edit.range) { if $0.isEmpty { $0 = [edit] } }
    }
  }

  /// Maps them over edits of the buffer; those that these cut are dropped, and those that touch without the text
  /// between them are joined.
  mutating func follow(_ edits: [Edit]) {
    guard !isEmpty, let first = edits.first, let last = edits.last else { return }
    change(at: first.range.lowerBound..<last.range.upperBound, growth: edits.growth) {
      $0.follow(edits)
    }
  }

  /// Changes those that touch a stretch of the buffer, which becomes so much longer.
  private mutating func change(
    at stretch: Range<Int>,
    growth: Int = 0,
    _ body: (inout [Edit]) -> Void
  ) {
    hunks.change(at: stretch, growth: growth) { hunks, shift in
      var edits = hunks.inverted
      body(&edits)
      return zip(edits, edits.differences(after: -shift)).map { edit, place in
        Hunk(place.new, place.old, RemovedText(edit.new), .bare)
      }
    }
  }
}
