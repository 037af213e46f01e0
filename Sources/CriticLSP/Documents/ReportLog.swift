import JSONRPC
import TrackEngine

/// The last reports of a document, which can be undone when an earlier version arrives late.
///
/// Invariant: each was applied to the result of the one before it, the oldest first. Whoever changes otherwise what
/// is recorded calls ``forget()``, since the reports undo to states of the tracker before that.
struct ReportLog {
  /// A didChange that was applied.
  struct Report {
    let version: Int
    let changes: [TextDocumentContentChangeEvent]
    /// What the editor showed before it.
    let shown: TextHash
    /// The text before it.
    let before: TextCheckpoint
    /// The edits that undo it, in the order to apply them.
    let inverse: [Edit]
  }

  private var reports: [Report] = []
  /// The last didChange that led to a new version, by its hash.
  private var last: Int?

  /// How many reports can be undone: more than any client was seen to send out of order.
  private static let maxCount = 32

  /// The version that the last report led to; nil if there is none.
  var version: Int? { reports.last?.version }

  /// Notes that a didChange has come.
  ///
  /// - Returns: False if it is the last one again: Eglot 1.9 sends long lists of changes twice.
  mutating func receive(_ changes: JSON, to version: Int, from known: Int) -> Bool {
    var hasher = Hasher()
    changes.rawBytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    let report = hasher.finalize()
    if version == known, report == last { return false }
    // A client that does not count versions can mean the same change twice.
    last = version > known ? report : nil
    return true
  }

  /// Adds a report that was applied.
  mutating func append(_ report: Report) {
    if reports.count == ReportLog.maxCount { reports.removeFirst() }
    reports.append(report)
  }

  /// Whether the editor showed a text before one of the reports.
  func hasPassed(_ text: TextHash) -> Bool { reports.contains { $0.shown == text } }

  /// Takes out the last report, to be undone, if it led to a higher version.
  mutating func removeLast(above version: Int) -> Report? {
    self.version ?? version > version ? reports.removeLast() : nil
  }

  /// Forgets what could be undone.
  mutating func forget() { reports = [] }
}
