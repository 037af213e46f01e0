import JSONRPC
import TrackEngine

extension Server {
  /// What belongs together at a place: the two sides of a substitution, a change and its thread.
  func documentHighlight(_ params: JSON?) throws(ResponseError) -> Answer {
    guard let (document, offset) = try openPlace(params) else { return { $0.array { _ in } } }
    let place = Place(in: document.tracker, at: offset)
    let highlights = place.change.map(Server.highlights) ?? []
    let conversions = Conversions(text: document.tracker.buffer, encoding: client.encoding)
    return { writer in
      writer.array {
        for highlight in highlights {
          $0.object {
            $0.key("range")
            conversions.write(place.inBuffer(highlight.range), to: &$0)
            $0.member("kind", highlight.kind.rawValue)
          }
        }
      }
    }
  }

  /// LSP's `DocumentHighlightKind`.
  private enum HighlightKind: Int {
    case text = 1
    case read = 2
    case write = 3
  }

  /// The old text is read, the new one written.
  private static func highlights(
    of change: Change
  ) -> [(range: Range<Int>, kind: HighlightKind)] {
    let marks = change.marks.flatMap { mark -> [(range: Range<Int>, kind: HighlightKind)] in
      switch mark.kind {
      case .addition: [(mark.range, .write)]
      case .deletion: [(mark.range, .read)]
      case .highlight, .comment: [(mark.range, .text)]
      case .substitution:
        [(mark.old, .read), (mark.new, .write)].compactMap { side, kind in
          side.flatMap { $0.isEmpty ? nil : ($0, kind) }
        }
      }
    }
    return marks + change.thread.map { ($0.range, .text) }
  }
}
