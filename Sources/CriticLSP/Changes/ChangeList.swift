import JSONRPC
import TrackEngine

/// The answer to `critic.changes`; each change is made when it is written.
struct ChangeList: JSONWritable {
  private let snapshot: Snapshot
  private let whole: Excerpt
  private let entries: [ChangeEntry]

  init(of snapshot: Snapshot) {
    self.snapshot = snapshot
    whole = snapshot.whole
    entries = ChangeEntry.changes(of: snapshot.tracker, in: whole)
  }

  func write(to writer: inout JSONWriter) {
    var surroundings = ChangeSurroundings(of: whole.bytes, whole.reading)
    writer.array {
      for (index, entry) in entries.enumerated() {
        let around = surroundings.next(entry)
        ListedChange(number: index + 1, entry: entry, around: around).write(to: &$0) {
          $0.member("range", snapshot.conversions.shownPositions(of: entry.range))
        }
      }
    }
  }
}
