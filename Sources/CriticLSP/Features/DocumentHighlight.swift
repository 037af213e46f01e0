import TrackEngine

/// Answers `textDocument/documentHighlight`: the two sides of a substitution; a change and its thread.
func documentHighlights(
  _ snapshot: Snapshot,
  _ params: TextDocumentPositionParams
) -> [DocumentHighlight] {
  let here = EnclosingMarks(in: snapshot.tracker, at: snapshot.offset(of: params.position))
  guard let change = here.change else { return [] }
  return highlights(of: change).map { range, kind in
    let positions = snapshot.conversions.positions(of: here.inBuffer(range))
    return DocumentHighlight(range: positions, kind: kind)
  }
}

/// The old text is highlighted as read, the new text as written.
private func highlights(of change: Change) -> [(range: Range<Int>, kind: DocumentHighlightKind)] {
  let marks = change.marks.flatMap { mark -> [(range: Range<Int>, kind: DocumentHighlightKind)] in
    switch mark.kind {
    case .addition: [(mark.range, .write)]
    case .deletion: [(mark.range, .read)]
    case .highlight, .comment: [(mark.range, .text)]
    case .substitution:
      [(mark.old, .read), (mark.new, .write)].compactMap { side, kind in
        side.flatMap { $0.isEmpty ? nil : ($0, kind) }
      }
    }
  }
  return marks + change.thread.map { ($0.range, .text) }
}
