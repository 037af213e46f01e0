import JSONRPC
import TrackEngine

extension Server {
  /// The links in comments, which a Markdown server takes for plain text or knows nothing of.
  func documentLink(_ params: JSON?) throws(ResponseError) -> Answer {
    guard let document = try openDocument(params) else { return { $0.array { _ in } } }
    let links = document.links.update(document.tracker) { excerpt in
      excerpt.reading.outermostComments.flatMap { comment in
        Link.links(in: excerpt.bytes, comment.content, of: document.uri).map {
          Link(range: excerpt.place(of: $0.range), target: $0.target)
        }
      }
    }
    let shown = shown(links, of: document, \.range.lowerBound)
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    return { writer in
      writer.array {
        for link in shown {
          $0.object {
            $0.key("range")
            conversions.write(link.range, to: &$0)
            $0.member("target", link.target)
          }
        }
      }
    }
  }
}

extension Reading {
  /// The comments that lie in no other comment.
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
