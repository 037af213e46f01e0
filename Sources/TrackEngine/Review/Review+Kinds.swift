extension Review {
  /// Accepts or rejects everything of one kind; for comments, including those in threads.
  ///
  /// Changes inside a removed highlight stay as they are.
  func resolve(_ kind: MarkKind, _ variant: Variant) throws(Failure) -> VerifiedEdits {
    let chosen = changes.filter { $0.kind == kind }
    let gone: [Range<Int>]
    switch kind {
    case .comment: gone = comments(apartFrom: attributions { _ in true }).map(\.range)
    case .highlight:
      gone = chosen.flatMap { $0.marks.flatMap(\.delimiters) + $0.thread.map(\.range) }
    case .addition, .deletion, .substitution: gone = chosen.map(\.range)
    }
    guard !gone.isEmpty else {
      throw Failure(description: "There are no \(kind)s in this document.")
    }
    return try kind.isChange ? resolved(chosen, variant) : removed(gone)
  }

  /// Removes all highlights and comments; other marks stay.
  func removeAnnotations() throws(Failure) -> VerifiedEdits {
    let highlights = settled.reading.marks.filter { $0.kind == .highlight }
    let comments = comments(apartFrom: attributions(of: \.isChange))
    let gone = highlights.flatMap(\.delimiters) + comments.map(\.range)
    guard !gone.isEmpty else {
      throw Failure(description: "There are no highlights and no comments in this document.")
    }
    return try removed(gone)
  }

  /// The number of comments, including those in threads.
  public var commentCount: Int { comments(apartFrom: attributions { _ in true }).count }

  /// Where the attributions begin that belong to marks of some kinds.
  func attributions(of isMeant: (MarkKind) -> Bool) -> Set<Int> {
    let threads = changes.filter { !$0.marks.isEmpty && isMeant($0.kind) }.flatMap(\.thread)
    return Set(threads.filter { $0.isAttribution(in: settled.bytes) }.map(\.start))
  }

  /// The comments that lie in no other, but for those that begin at some offsets.
  private func comments(apartFrom attributions: Set<Int>) -> [Mark] {
    settled.reading.comments(in: settled.bytes.indices)
      .filter { !attributions.contains($0.start) }
  }
}

extension Review.Action {
  /// Where the action is, in offsets of the buffer; nil if it is on the whole document.
  public var range: Range<Int>? {
    switch self {
    case .resolve(let range, _), .comment(let range, _), .highlight(let range),
      .removeComment(let range), .editComment(let range, _), .resolveThread(let range, _),
      .join(let range), .split(let range), .takeAlternative(let range, _), .fix(let range, _):
      range
    case .resolveAll, .resolveKind, .resolveAuthor, .removeAnnotations: nil
    }
  }
}
