import JSONRPC
import TrackEngine

extension Server {
  /// From a comment to the change, the highlight or the mark that it is about.
  func definition(_ params: JSON?) throws(ResponseError) -> Answer {
    guard let (document, offset) = try openPlace(params) else { return { $0.array { _ in } } }
    let place = Place(in: document.tracker, at: offset)
    guard let comment = place.mark, comment.kind == .comment,
      let target = target(of: comment, at: place)
    else { return { $0.array { _ in } } }
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    let isLink = client.linksDefinitions
    return { writer in
      writer.array {
        $0.object {
          guard isLink else {
            $0.member("uri", document.uri)
            $0.key("range")
            conversions.write(place.inBuffer(target), to: &$0)
            return
          }
          $0.key("originSelectionRange")
          conversions.write(place.inBuffer(comment.range), to: &$0)
          $0.member("targetUri", document.uri)
          $0.key("targetRange")
          conversions.write(place.inBuffer(target), to: &$0)
          $0.key("targetSelectionRange")
          conversions.write(place.inBuffer(target), to: &$0)
        }
      }
    }
  }

  /// From a change to its comments, and from a comment to the others of its thread.
  func references(_ params: JSON?) throws(ResponseError) -> Answer {
    guard let (document, offset) = try openPlace(params) else { return { $0.array { _ in } } }
    let place = Place(in: document.tracker, at: offset)
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    var ranges: [Range<Int>] = []
    if let change = place.change {
      let isIncluded = params?["context"]?["includeDeclaration"]?.bool ?? false
      if isIncluded, !change.marks.isEmpty { ranges.append(change.markRange) }
      ranges += (comments(in: change, at: place) + change.thread).map(\.range)
    }
    return { [ranges] writer in
      writer.array {
        for range in ranges {
          $0.object {
            $0.member("uri", document.uri)
            $0.key("range")
            conversions.write(place.inBuffer(range), to: &$0)
          }
        }
      }
    }
  }

  /// What a comment is about; nil if it stands alone.
  private func target(of comment: Mark, at place: Place) -> Range<Int>? {
    guard let change = place.change else { return nil }
    if change.thread.contains(comment), change.marks.isEmpty {
      return place.enclosing(nil).first?.range
    }
    return change.marks.isEmpty ? nil : change.markRange
  }

  /// The comments that stand in a change and touch nothing there.
  private func comments(in change: Change, at place: Place) -> [Mark] {
    let comments = place.children(of: change.marks).filter { $0.kind == .comment }
    guard !comments.isEmpty else { return [] }
    let others = place.excerpt.reading.changes.filter { !$0.marks.isEmpty }
    return comments.filter { comment in !others.contains { $0.thread.contains(comment) } }
  }
}
