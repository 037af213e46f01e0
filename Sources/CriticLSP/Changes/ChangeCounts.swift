import JSONRPC
import TrackEngine

/// How many changes there are, highlights and comments that stand alone not counted; and how many threads.
struct ChangeCounts {
  private(set) var changes = 0
  private(set) var uncommented = 0
  var commented: Int { changes - uncommented }
  /// Threads that are not resolved, those of highlights and those that stand alone too.
  private(set) var open = 0
  private(set) var resolved = 0

  init() {}

  init(of changes: [ListedChange]) {
    for change in changes { add(change) }
  }

  init(_ counts: Counts) {
    changes = counts.tracked
    uncommented = counts.uncommented
    open = counts.open
    resolved = counts.resolved
  }

  mutating func add(_ change: ListedChange) {
    if change.entry.isResolved {
      resolved += 1
    } else if !change.entry.comments.isEmpty {
      open += 1
    }
    guard change.entry.isChange else { return }
    changes += 1
    if change.entry.isUncommented { uncommented += 1 }
  }

  /// Writes the members of an object that tells them.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("changes", changes)
    writer.member("commented", commented)
    writer.member("uncommented", uncommented)
    writer.member("open", open)
    writer.member("resolved", resolved)
  }
}

extension ChangeCounts: CustomStringConvertible {
  /// As in `5 changes, 1 commented, 4 uncommented`.
  var description: String {
    "\(counted(changes, "change")), \(commented) commented, \(uncommented) uncommented"
      + (resolved == 0 ? "" : ", \(counted(resolved, "thread")) resolved")
  }
}
