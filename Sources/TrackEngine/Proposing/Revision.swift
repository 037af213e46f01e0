/// A change that its author takes back and proposes anew, with another text.
public struct Revision {
  /// Edits that take the change back.
  public let withdrawal: [Edit]
  /// Edits of the text without the change, which propose it anew.
  public let proposal: [Edit]
}

extension [UInt8] {
  /// Revises a change; what it replaces stays what it was.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - change: An addition, a deletion or a substitution of the text.
  ///   - reading: The reading of the text.
  ///   - new: What is to stand in the place of its new text; empty to delete its old text.
  ///   - reason: The reason.
  ///   - author: Who proposes.
  /// - Returns: The edits; nothing is proposed if the new text is the old one.
  /// - Throws: ``Review/Failure`` if the change cannot be taken back alone, ``Proposal/Failure`` if the new text cannot be
  ///   written.
  public func revising(
    _ change: Change,
    in reading: Reading,
    to new: [UInt8],
    because reason: [UInt8]?,
    by author: AuthorName
  ) throws -> Revision {
    let withdrawal = try reading.edits(resolving: [change], .original, of: self)
    let text = applying(withdrawal)
    let clean = VariantText(.clean, of: text, as: reading.language)
    let start = clean.offset(
      ofMarkup: OffsetMap(withdrawal).map(change.range.lowerBound, bias: .before)
    )
    let old = change.old(in: reading, self)
    // All of the text around it is cited, so that no other place is meant.
    let before = Array(clean.bytes[..<start])
    let after = Array(clean.bytes[(start + old.count)...])
    let proposal =
      if !old.isEmpty {
        Proposal(Citation(old, after: before, before: after), new, reason: reason)
      } else if !before.isEmpty {
        Proposal(Citation(before, before: after), new, .followed, reason: reason)
      } else {
        Proposal(Citation(after), new, .preceded, reason: reason)
      }
    let outcome = try text.proposing([proposal], as: reading.language, by: author)
    return Revision(withdrawal: withdrawal, proposal: outcome.edits)
  }
}
