/// A change of the clean text that is written as one change: a proposal, or several that cannot be told apart.
struct ProposedChange: Equatable {
  /// A comment on a change.
  struct Comment: Equatable {
    /// The index of the proposal.
    let index: Int
    /// The text; nil if there is nothing to say.
    let text: [UInt8]?
    /// Whether it says more than who proposes the edit.
    let hasReason: Bool
  }

  /// The range of the clean text that is replaced.
  var range: Range<Int>
  /// The replacement.
  var new: [UInt8]
  /// The comments of the proposals.
  var comments: [Comment]

  /// The comments as marks.
  func writtenComments(as language: Language) -> [UInt8] { written(as: language) { _ in true } }
  /// The comments that say more than a name.
  func writtenReasons(as language: Language) -> [UInt8] {
    written(as: language, where: \.hasReason)
  }

  private func written(as language: Language, where isMeant: (Comment) -> Bool) -> [UInt8] {
    comments.filter(isMeant).compactMap(\.text).flatMap {
      MarkKind.comment.printed(around: $0, .plain, as: language)
    }
  }

  /// The change with more of the clean text around it.
  func widened(to wide: Range<Int>, in clean: [UInt8]) -> ProposedChange {
    let (start, end) = (
      min(wide.lowerBound, range.lowerBound), max(wide.upperBound, range.upperBound)
    )
    let new = clean[start..<range.lowerBound] + new[...] + clean[range.upperBound..<end]
    return ProposedChange(range: start..<end, new: Array(new), comments: comments)
  }

  /// This change and one after it, with the text between them, as one.
  func joined(with next: ProposedChange, in clean: [UInt8]) -> ProposedChange {
    ProposedChange(
      range: range.lowerBound..<next.range.upperBound,
      new: Array(new[...] + clean[range.upperBound..<next.range.lowerBound] + next.new[...]),
      comments: comments + next.comments
    )
  }
}
