import JSONRPC
import TrackEngine

extension Server {
  /// What a status line tells of a document.
  func status(of document: Document) -> Answer {
    let counts = document.tracker.counts
    let (changes, uncommented) = (counts.tracked, counts.uncommented)
    let pending = document.tracker.hunks.count
    let summary = summary(changes, uncommented, pending)
    let marking = marking(of: document).rawValue
    let isRecording = isRecording(document)
    return { writer in
      writer.object {
        $0.member("tracking", isRecording)
        $0.member("marking", marking)
        $0.member("changes", changes)
        $0.member("commented", changes - uncommented)
        $0.member("uncommented", uncommented)
        $0.member("pending", pending)
        $0.member("summary", summary)
      }
    }
  }

  /// As in “12 changes, 4 uncommented, 1 pending”; what is none is not told.
  private func summary(_ changes: Int, _ uncommented: Int, _ pending: Int) -> String {
    var parts = [changes == 0 ? "no changes" : changes == 1 ? "1 change" : "\(changes) changes"]
    if uncommented > 0 { parts.append("\(uncommented) uncommented") }
    if pending > 0 { parts.append("\(pending) pending") }
    return parts.joined(separator: ", ")
  }
}
