import TrackEngine

/// A hint, in offsets of the buffer.
private struct Hint {
  var offset: Int
  var label: String
  var tooltip: String
}

/// Answers `textDocument/inlayHint`: pending deletions, which the text does not show, and the category or
/// author of the comments on each change.
func inlayHints(_ snapshot: Snapshot, _ params: InlayHintParams) -> [InlayHint] {
  guard snapshot.settings.inlayHints else { return [] }
  let range = snapshot.conversions.offsets(of: params.range)
  let hints = snapshot.pendingHints + snapshot.commentHints(around: range)
  let inRange = hints.filter { range.lowerBound <= $0.offset && $0.offset <= range.upperBound }
    .sorted { $0.offset < $1.offset }
  return snapshot.shown(inRange, \.offset).map { hint in
    InlayHint(
      position: snapshot.conversions.position(of: hint.offset),
      label: hint.label,
      tooltip: hint.tooltip,
      paddingRight: true
    )
  }
}

extension Snapshot {
  fileprivate var pendingHints: [Hint] {
    let hunks = tracker.hunks
    return zip(hunks, OffsetMap(hunks).differences).compactMap { hunk, place in
      guard !hunk.removed.isEmpty else { return nil }
      return Hint(
        offset: place.new.lowerBound,
        label: ChangeWords(.deletion, hunk.removed, []).clause,
        tooltip: "This is not in marks yet."
      )
    }
  }

  /// The category of each comment, or else its author, at the change that it belongs to.
  fileprivate func commentHints(around range: Range<Int>) -> [Hint] {
    let excerpt = tracker.excerpt(around: range)
    let footnotes = tracker.footnotes(for: excerpt)
    return excerpt.reading.changes.compactMap { change in
      var labels: [String] = []
      var bodies: [String] = []
      let made = change.attribution(in: excerpt.bytes, footnotes)
      if let author = made.author, let byline = change.byline(made, in: excerpt.bytes) {
        labels.append("@\(CommentHead.written(author))")
        bodies.append(byline)
      }
      for comment in change.remarks(in: excerpt.bytes) {
        let head = CommentHead(of: excerpt.bytes[comment.content])
        guard let label = head.category ?? head.author.map({ "@\(CommentHead.written($0))" }) else {
          continue
        }
        if !labels.contains(label) { labels.append(label) }
        bodies.append(String(decoding: excerpt.bytes[comment.content], as: UTF8.self))
      }
      guard !labels.isEmpty else { return nil }
      return Hint(
        offset: excerpt.inBuffer(change.range).lowerBound,
        label: labels.joined(separator: ", "),
        tooltip: bodies.joined(separator: "\n")
      )
    }
  }
}
