import JSONRPC
import TrackEngine

extension Server {
  /// One step of a pass through the uncommented changes: comments on the one at or after an offset, and
  /// returns the next.
  ///
  /// Its location is that in the text with the comment. With an empty text nothing is written, and the
  /// change at or after the offset is returned.
  func annotate(
    _ document: Document,
    with text: String,
    from start: Int
  ) throws(ResponseError) -> UncommentedChange? {
    let list = document.tracker.numberedChanges
    let first = list.uncommented(from: start)
    guard !text.isEmpty else { return answer(first, of: list, in: document.tracker, document) }
    guard let first else { throw .requestFailed("Every change has a comment.") }

    let range = list[first].range
    let comment = document.settings.newComment(text)
    let edits = try perform(.comment(list[first].inside, comment), on: document)
    guard let edits else {
      // The comment waits for our edit in flight; until then only this change leaves the list.
      let rest = list.indices.filter { $0 != first && list[$0].isUncommented }
      let next = rest.first { list[$0].range.lowerBound >= range.lowerBound } ?? rest.first
      return answer(next, of: list, left: rest.count, in: document.tracker, document)
    }
    let after = document.tracker.after(edits)
    let new = after.numberedChanges
    let next = new.uncommented(from: OffsetMap(edits).map(range.lowerBound, bias: .before))
    return answer(next, of: new, in: after, document)
  }

  private func answer(
    _ index: Int?,
    of list: [ChangeEntry],
    left: Int? = nil,
    in tracker: Tracker,
    _ document: Document
  ) -> UncommentedChange? {
    guard let index else { return nil }
    return UncommentedChange(
      location: location(of: list[index], in: tracker, document),
      number: index + 1,
      old: list[index].old,
      new: list[index].new,
      left: left ?? list.count(where: \.isUncommented)
    )
  }
}

/// An uncommented change, and how many are left.
struct UncommentedChange: JSONWritable {
  let location: Location
  /// The number in the list of changes, from 1.
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
  /// The first uncommented change that holds an offset or comes after it; wraps around at the end of the
  /// document.
  fileprivate func uncommented(from offset: Int) -> Int? {
    firstIndex {
      $0.isUncommented && Swift.max($0.range.upperBound, $0.range.lowerBound + 1) > offset
    }
      ?? firstIndex(where: \.isUncommented)
  }
}
