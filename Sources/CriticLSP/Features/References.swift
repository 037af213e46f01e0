import TrackEngine

/// Answers `textDocument/definition`: from a comment to the change, highlight or mark that it belongs to.
func definition(_ snapshot: Snapshot, _ params: TextDocumentPositionParams) -> Definition {
  let here = EnclosingMarks(in: snapshot.tracker, at: snapshot.offset(of: params.position))
  guard let comment = here.mark, comment.kind == .comment,
    let target = target(of: comment, at: here)
  else { return .locations([]) }
  let location = snapshot.location(of: here.inBuffer(target))
  guard snapshot.client.linksDefinitions else { return .locations([location]) }
  let link = LocationLink(
    originSelectionRange: snapshot.conversions.positions(of: here.inBuffer(comment.range)),
    targetUri: location.uri,
    targetRange: location.range,
    targetSelectionRange: location.range
  )
  return .links([link])
}

/// Answers `textDocument/references`: from a change to its comments, and from a comment to its thread.
func references(_ snapshot: Snapshot, _ params: ReferenceParams) -> [Location] {
  let here = EnclosingMarks(in: snapshot.tracker, at: snapshot.offset(of: params.position))
  guard let change = here.change else { return [] }
  var ranges: [Range<Int>] = []
  if params.includeDeclaration, !change.marks.isEmpty { ranges.append(change.markRange) }
  ranges += (comments(in: change, at: here) + change.thread).map(\.range)
  return ranges.map { snapshot.location(of: here.inBuffer($0)) }
}

/// The range that a comment belongs to; nil if it stands alone.
private func target(of comment: Mark, at here: EnclosingMarks) -> Range<Int>? {
  guard let change = here.change else { return nil }
  if change.thread.contains(comment), change.marks.isEmpty {
    return here.enclosing(nil).first?.range
  }
  return change.marks.isEmpty ? nil : change.markRange
}

/// The comments inside a change that belong to no other mark there.
private func comments(in change: Change, at here: EnclosingMarks) -> [Mark] {
  let comments = here.children(of: change.marks).filter { $0.kind == .comment }
  guard !comments.isEmpty else { return [] }
  let others = here.excerpt.reading.changes.filter { !$0.marks.isEmpty }
  return comments.filter { comment in !others.contains { $0.thread.contains(comment) } }
}
