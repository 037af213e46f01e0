import JSONRPC
import TrackEngine

extension Server {
  /// A word between the words of the text.
  private struct InlayHint {
    var offset: Int
    var label: String
    var tooltip: String
  }

  /// What the text of a range does not show: what was deleted and is not in marks yet, and at each
  /// change with comments what they are about.
  func inlayHints(_ params: JSON?) throws(ResponseError) -> Answer {
    let document = try document(params)
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    guard let range = conversions.range(of: params?["range"]) else {
      throw .invalidParams("The range is missing.")
    }
    guard settings.inlayHints else { return { $0.array { _ in } } }
    let hints = pendingHints(document.tracker) + commentHints(document.tracker, around: range)
    let inRange = hints.filter { range.lowerBound <= $0.offset && $0.offset <= range.upperBound }
      .sorted { $0.offset < $1.offset }
    let shown = shown(inRange, of: document, \.offset)
    return { writer in
      writer.array {
        for hint in shown {
          $0.object {
            $0.member("position", conversions.position(of: hint.offset))
            $0.member("label", hint.label)
            $0.member("tooltip", hint.tooltip)
            $0.member("paddingRight", true)
          }
        }
      }
    }
  }

  private func pendingHints(_ tracker: Tracker) -> [InlayHint] {
    zip(tracker.hunks, OffsetMap(tracker.hunks).differences).compactMap { hunk, place in
      guard !hunk.removed.isEmpty else { return nil }
      return InlayHint(
        offset: place.new.lowerBound,
        label: "deleted \(quoted(hunk.removed))",
        tooltip: "This is not in marks yet."
      )
    }
  }

  /// The category of each comment, or else its author, at the change that it is about.
  private func commentHints(_ tracker: Tracker, around range: Range<Int>) -> [InlayHint] {
    let excerpt = tracker.excerpt(around: range)
    return excerpt.reading.changes.compactMap { change in
      var labels: [String] = []
      var bodies: [String] = []
      for comment in change.thread {
        let head = CommentHead(of: excerpt.bytes[comment.content])
        guard let label = head.category ?? head.author.map({ "@\($0)" }) else { continue }
        if !labels.contains(label) { labels.append(label) }
        bodies.append(String(decoding: excerpt.bytes[comment.content], as: UTF8.self))
      }
      guard !labels.isEmpty else { return nil }
      return InlayHint(
        offset: excerpt.place(of: change.range).lowerBound,
        label: labels.joined(separator: ", "),
        tooltip: bodies.joined(separator: "\n")
      )
    }
  }
}
