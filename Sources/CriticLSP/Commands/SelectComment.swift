import JSONRPC
import TrackEngine

extension Server {
  /// Selects the text of the comment at a place, for the user to edit.
  func selectComment(at range: Range<Int>, in snapshot: Snapshot) throws(ResponseError) {
    guard client.showsDocuments else {
      throw .requestFailed("This editor cannot be asked to select the comment; give its new text.")
    }
    let excerpt = snapshot.tracker.excerpt(around: range)
    let here = range.lowerBound - excerpt.start
    guard let comment = comment(at: here, in: excerpt) else {
      throw .requestFailed("There is no comment here.")
    }
    let head = CommentHead(of: excerpt.bytes[comment.content])
    show(excerpt.inBuffer(head.body), of: snapshot)
  }

  /// The innermost comment that holds or touches an offset of the excerpt; else the last one of the
  /// thread there.
  private func comment(at offset: Int, in excerpt: Excerpt) -> Mark? {
    let comments = excerpt.reading.marks.filter { $0.kind == .comment }
    return comments.last { $0.start < offset && offset < $0.end }
      ?? comments.last { $0.start == offset || $0.end == offset }
      ?? excerpt.reading.changes.last {
        $0.range.lowerBound <= offset && offset <= $0.range.upperBound
          && $0.isCommented(in: excerpt.bytes)
      }?.remarks(in: excerpt.bytes).last
  }
}
