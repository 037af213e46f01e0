import JSONRPC
import TrackEngine

/// The answer to `critic.status`: what a status line shows of a document.
struct Status: JSONWritable {
  let isTracking: Bool
  let markingTime: Client.Marking
  let changes: Int
  let uncommented: Int
  let pending: Int

  init(of snapshot: Snapshot) {
    isTracking = snapshot.isTracking
    markingTime = snapshot.markingTime
    changes = snapshot.tracker.counts.tracked
    uncommented = snapshot.tracker.counts.uncommented
    pending = snapshot.tracker.pending.count
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("tracking", isTracking)
      $0.member("marking", markingTime.rawValue)
      $0.member("changes", changes)
      $0.member("commented", changes - uncommented)
      $0.member("uncommented", uncommented)
      $0.member("pending", pending)
      $0.member("summary", summary)
    }
  }

  /// As in “12 changes, 4 uncommented, 1 pending”; zero counts are left out.
  private var summary: String {
    var parts = [changes == 0 ? "no changes" : counted(changes, "change")]
    if uncommented > 0 { parts.append("\(uncommented) uncommented") }
    if pending > 0 { parts.append("\(pending) pending") }
    return parts.joined(separator: ", ")
  }
}
