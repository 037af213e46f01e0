import JSONRPC
import TrackEngine

/// The answer to `critic.status`: what a status line shows of a document.
struct Status: JSONWritable {
  let isTracking: Bool
  let markingTime: Client.Marking
  let counts: ChangeCounts
  let pending: Int

  init(of snapshot: Snapshot) {
    isTracking = snapshot.isTracking
    markingTime = snapshot.markingTime
    counts = ChangeCounts(snapshot.tracker.counts)
    pending = snapshot.tracker.pending.count
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("tracking", isTracking)
      $0.member("marking", markingTime.rawValue)
      counts.writeMembers(to: &$0)
      $0.member("pending", pending)
      $0.member("summary", summary)
    }
  }

  /// As in “12 changes, 4 uncommented, 1 pending”; zero counts are left out.
  private var summary: String {
    var parts = [counts.changes == 0 ? "no changes" : counted(counts.changes, "change")]
    if counts.uncommented > 0 { parts.append("\(counts.uncommented) uncommented") }
    if pending > 0 { parts.append("\(pending) pending") }
    return parts.joined(separator: ", ")
  }
}
