extension Review {
  /// Accepts or rejects everything of one kind; for comments, including those in threads.
  ///
  /// Changes inside a removed highlight stay as they are.
  func resolve(_ kind: MarkKind, _ variant: Variant) throws(Failure) -> [Edit] {
    let edits: [Edit]
    switch kind {
    case .comment:
      edits = comments(apartFrom: attributions { _ in true }).map { Edit($0.range, []) }
    case .highlight:
      edits = changes.filter { $0.kind == kind }.flatMap { change in
        change.marks.flatMap(uncovered) + change.thread.map { Edit($0.range, []) }
      }
    case .addition, .deletion, .substitution:
      let chosen = changes.filter { $0.kind == kind }
      edits = chosen.isEmpty ? [] : try resolved(chosen, variant)
    }
    guard !edits.isEmpty else {
      throw Failure(description: "There are no \(kind)s in this document.")
    }
    guard !kind.isChange else { return edits }
    let sorted = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    guard keepsVariants(sorted) else {
      throw Failure(description: "The text would read as a mark without the \(kind)s.")
    }
    return sorted
  }

  /// Removes all highlights and comments; other marks stay.
  func removeAnnotations() throws(Failure) -> [Edit] {
    let highlights = settled.reading.marks.filter { $0.kind == .highlight }
    let comments = comments(apartFrom: attributions(of: \.isChange))
    let edits = highlights.flatMap(uncovered) + comments.map { Edit($0.range, []) }
    guard !edits.isEmpty else {
      throw Failure(description: "There are no highlights and no comments in this document.")
    }
    let sorted = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    guard keepsVariants(sorted) else {
      throw Failure(
        description: "The text would read as a mark without the highlights and comments."
      )
    }
    return sorted
  }

  /// The number of comments, including those in threads.
  public var commentCount: Int { comments(apartFrom: attributions { _ in true }).count }

  /// Removes a mark, but not its text.
  private func uncovered(_ mark: Mark) -> [Edit] {
    [Edit(mark.opener, []), Edit(mark.closer, [])]
  }

  /// Where the attributions begin that belong to marks of some kinds.
  func attributions(of isMeant: (MarkKind) -> Bool) -> Set<Int> {
    let threads = changes.filter { !$0.marks.isEmpty && isMeant($0.kind) }.flatMap(\.thread)
    return Set(threads.filter { $0.isAttribution(in: settled.bytes) }.map(\.start))
  }

  /// The comments that lie in no other, but for those that begin at some offsets.
  private func comments(apartFrom attributions: Set<Int>) -> [Mark] {
    var found: [Mark] = []
    var index = 0
    while index < settled.reading.marks.count {
      let mark = settled.reading.marks[index]
      if mark.kind == .comment, !attributions.contains(mark.start) { found.append(mark) }
      index += mark.kind == .comment ? 1 + mark.inner : 1
    }
    return found
  }

  /// Whether the clean text and the original stay the same.
  func keepsVariants(_ edits: [Edit]) -> Bool {
    let result = text.applying(edits).bytes
    return keepsVariants(Reading(of: result, as: language), of: result)
  }

  /// Whether the clean text and the original are what they are now.
  func keepsVariants(_ reading: Reading, of bytes: [UInt8]) -> Bool {
    let (old, known) = (settled.bytes, settled.reading)
    return reading.text(.clean, of: bytes) == known.text(.clean, of: old)
      && reading.text(.original, of: bytes) == known.text(.original, of: old)
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
