import TrackEngine

/// A hint on what is at an offset of the buffer.
private struct Hint {
  var offset: Int
  var label: String
  var tooltip: String
}

/// Answers `textDocument/inlayHint`: pending deletions, which the text does not show, and the category or
/// author of the comments on each change that are not resolved.
///
/// They stand at the end of the line: inside a sentence they would be read as part of it.
func inlayHints(_ snapshot: Snapshot, _ params: TextDocumentRangeParams) -> [InlayHint] {
  guard snapshot.settings.inlayHints else { return [] }
  let asked = snapshot.conversions.offsets(of: params.range)
  let range = asked.lowerBound..<snapshot.lineEnd(after: asked.upperBound)
  let hints = snapshot.pendingHints + snapshot.commentHints(around: range)
  let inRange = hints.filter { range.lowerBound <= $0.offset && $0.offset <= range.upperBound }
    .sorted { $0.offset < $1.offset }
  return snapshot.shown(inRange, \.offset).map { hint in
    InlayHint(
      position: snapshot.conversions.position(of: snapshot.lineEnd(after: hint.offset)),
      label: hint.label,
      tooltip: hint.tooltip,
      paddingLeft: true
    )
  }
}

extension Snapshot {
  /// The end of the line that an offset is on, before its line break.
  fileprivate func lineEnd(after offset: Int) -> Int {
    text.end(ofLine: conversions.position(of: offset).line)
  }

  fileprivate var pendingHints: [Hint] {
    tracker.hunks.filter { !$0.old.isEmpty }.map { hunk in
      Hint(
        offset: hunk.new.upperBound,
        label: ChangeWords(.deletion, hunk.removed, []).clause,
        tooltip: "This is not in marks yet."
      )
    }
  }

  /// The category of each comment, or else its author, at the change that it belongs to.
  fileprivate func commentHints(around range: Range<Int>) -> [Hint] {
    let entries = ChangeEntry.changes(of: tracker, in: tracker.excerpt(around: range))
    return entries.compactMap { entry in
      var labels: [String] = []
      var bodies: [String] = []
      if let author = entry.attribution.author, let byline = entry.bylineInWords {
        labels.append(author)
        bodies.append(byline)
      }
      for comment in entry.isResolved ? [] : entry.comments {
        let head = CommentHead(of: comment[...])
        guard let label = head.category ?? head.author else { continue }
        if !labels.contains(label) { labels.append(label) }
        bodies.append(String(decoding: comment, as: UTF8.self))
      }
      guard !labels.isEmpty else { return nil }
      return Hint(
        offset: entry.end,
        label: labels.joined(separator: ", "),
        tooltip: bodies.joined(separator: "\n")
      )
    }
  }
}
