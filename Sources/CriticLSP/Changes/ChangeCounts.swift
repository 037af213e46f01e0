import JSONRPC
import TrackEngine

/// How many changes there are, highlights and comments that stand alone not counted.
struct ChangeCounts {
  private(set) var changes = 0
  private(set) var uncommented = 0
  var commented: Int { changes - uncommented }

  init() {}

  init(_ counts: Counts) {
    changes = counts.tracked
    uncommented = counts.uncommented
  }

  mutating func add(_ change: ListedChange) {
    guard change.entry.isChange else { return }
    changes += 1
    if change.entry.isUncommented { uncommented += 1 }
  }

  /// Writes the members of an object that tells them.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("changes", changes)
    writer.member("commented", commented)
    writer.member("uncommented", uncommented)
  }
}

extension ChangeCounts: CustomStringConvertible {
  /// As in `5 changes, 1 commented, 4 uncommented`.
  var description: String {
    "\(counted(changes, "change")), \(commented) commented, \(uncommented) uncommented"
  }
}
