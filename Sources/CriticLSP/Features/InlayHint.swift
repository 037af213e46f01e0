import TrackEngine

/// A hint on what is at an offset of the buffer.
private struct Hint {
  var offset: Int
  /// Whether it stands at the offset, and not at the end of the line.
  var isInText = false
  var label: String
  var tooltip: String
}

/// Answers `textDocument/inlayHint`: deletions that the text does not show, since they are pending or the marks are beside
/// the text, and the category or author of the comments on each change that are not resolved.
///
/// They stand at the end of the line, for inside a sentence they would be read as part of it; only what is deleted from a
/// text without marks stands where it was, in the delimiters that say so.
func inlayHints(_ snapshot: Snapshot, _ params: TextDocumentRangeParams) -> [InlayHint] {
  guard snapshot.settings.inlayHints else { return [] }
  let asked = snapshot.conversions.offsets(of: params.range)
  let range = asked.lowerBound..<snapshot.conversions.lineEnd(after: asked.upperBound)
  let hints =
    snapshot.pendingHints + snapshot.commentHints(around: range)
    + snapshot.deletionHints(around: range)
  let inRange = hints.filter { range.lowerBound <= $0.offset && $0.offset <= range.upperBound }
    .sorted { $0.offset < $1.offset }
  return snapshot.shown(inRange, \.offset).map { hint in
    let conversions = snapshot.conversions
    let offset = hint.isInText ? hint.offset : conversions.lineEnd(after: hint.offset)
    return InlayHint(
      position: conversions.position(of: offset),
      label: hint.label,
      tooltip: hint.tooltip,
      paddingLeft: !hint.isInText
    )
  }
}

extension Snapshot {
  fileprivate var pendingHints: [Hint] {
    tracker.hunks.filter { !$0.old.isEmpty }.map { hunk in
      Hint(
        offset: hunk.new.upperBound,
        label: ChangeWords(.deletion, hunk.removed, []).clause,
        tooltip: "This is not in marks yet."
      )
    }
  }

  /// How much of a deletion a hint shows, in characters.
  private static let longestHint = 60

  /// What is deleted from a text that has its marks beside it.
  fileprivate func deletionHints(around range: Range<Int>) -> [Hint] {
    guard !showsMarks else { return [] }
    let entries = ChangeEntry.changes(of: tracker, in: tracker.excerpt(around: range))
    return entries.filter { !$0.old.isEmpty && $0.isChange }.map { entry in
      let old = String(decoding: entry.old, as: UTF8.self).replacing("\n", with: "¶")
      let shown = old.prefix(Snapshot.longestHint)
      return Hint(
        offset: entry.range.lowerBound,
        isInText: true,
        label: "{--\(shown)\(shown.count < old.count ? "…" : "")--}",
        tooltip: entry.words.sentence
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
