import TrackEngine

/// Answers `textDocument/documentLink`: the links in comments, which other Markdown servers do not find.
///
/// - Parameters:
///   - snapshot: The document.
///   - params: The params.
///   - known: The links found last; updated.
/// - Returns: The links to show.
func documentLinks(
  _ snapshot: Snapshot,
  _ params: TextDocumentParams,
  _ known: inout Kept<Link>
) -> [DocumentLink] {
  let links = known.update(snapshot.tracker) { excerpt in
    excerpt.reading.outermostComments.flatMap { comment in
      Link.links(in: excerpt.bytes, comment.content, of: snapshot.uri).map {
        Link(range: excerpt.inBuffer($0.range), target: $0.target)
      }
    }
  }
  return snapshot.shown(links, \.range.lowerBound).map { link in
    DocumentLink(range: snapshot.conversions.positions(of: link.range), target: link.target)
  }
}

extension Reading {
  /// The comments that are not inside another comment.
  var outermostComments: [Mark] {
    var comments: [Mark] = []
    var index = 0
    while index < marks.count {
      let mark = marks[index]
      index += 1
      guard mark.kind == .comment else { continue }
      comments.append(mark)
      index += mark.inner
    }
    return comments
  }
}
