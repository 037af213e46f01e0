import JSONRPC
import TrackEngine

extension Server {
  /// One step of a pass through the changes that have no comment: comments on the one at or after
  /// a position, and answers which is next.
  ///
  /// What is answered is where it will be once the comment is there; without a text nothing is
  /// written, and the answer is the change at or after the position.
  func annotate(
    _ document: Document,
    with text: String,
    from start: Int
  ) throws(ResponseError) -> UncommentedChange? {
    let list = document.tracker.numberedChanges
    let first = list.uncommented(from: start)
    guard !text.isEmpty else { return answer(first, of: list, in: document.tracker, document.uri) }
    guard let first else { throw .requestFailed("Every change has a comment.") }

    let range = list[first].range
    let edits = try perform(.comment(list[first].inside, settings.newComment(text)), on: document)
    guard let edits else {
      // The comment waits for our edit; until then the list is what it is, but for that change.
      let rest = list.indices.filter { $0 != first && list[$0].isUncommented }
      let next = rest.first { list[$0].range.lowerBound >= range.lowerBound } ?? rest.first
      return answer(next, of: list, left: rest.count, in: document.tracker, document.uri)
    }
    let after = document.tracker.after(edits)
    let new = after.numberedChanges
    let next = new.uncommented(from: OffsetMap(edits).map(range.lowerBound, bias: .before))
    return answer(next, of: new, in: after, document.uri)
  }

  private func answer(
    _ index: Int?,
    of list: [ChangeEntry],
    left: Int? = nil,
    in tracker: Tracker,
    _ uri: String
  ) -> UncommentedChange? {
    guard let index else { return nil }
    return UncommentedChange(
      location: location(of: list[index], in: tracker, uri),
      number: index + 1,
      old: list[index].old,
      new: list[index].new,
      left: left ?? list.count(where: \.isUncommented)
    )
  }
}

/// A change that has no comment, and how many there are.
struct UncommentedChange: JSONWritable {
  let location: Location
  /// In the list of changes, from 1.
  let number: Int
  let old: [UInt8]
  let new: [UInt8]
  let left: Int

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("uri", location.uri)
      $0.member("range", location.range)
      $0.member("change", number)
      $0.member("old", utf8: old)
      $0.member("new", utf8: new)
      $0.member("left", left)
    }
  }
}

extension [ChangeEntry] {
  /// The first change without a comment that holds an offset or lies after it, and around at the
  /// end of the document.
  fileprivate func uncommented(from offset: Int) -> Int? {
    firstIndex {
      $0.isUncommented && Swift.max($0.range.upperBound, $0.range.lowerBound + 1) > offset
    }
      ?? firstIndex(where: \.isUncommented)
  }
}
