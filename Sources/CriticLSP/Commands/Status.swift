import JSONRPC
import TrackEngine

/// The answer to `critic.status`: what a status line shows of a document.
struct Status: JSONWritable {
  let isTracking: Bool
  let isSourceCode: Bool
  let place: MarksPlace
  let markingTime: Client.Marking
  let counts: ChangeCounts
  let pending: Int
  /// How many changes begin where the user is or before; nil if that is not known.
  let at: Int?
  let authors: [AuthorCount]
  let waiting: Int

  /// - Parameters:
  ///   - snapshot: The document.
  ///   - caret: Where the user is, as an offset of the text.
  ///   - authors: Who made how many changes.
  ///   - waiting: How many programs wait for the review.
  init(of snapshot: Snapshot, caret: Int?, authors: [AuthorCount], waiting: Int) {
    let tracker = snapshot.tracker
    isTracking = snapshot.isTracking
    isSourceCode = snapshot.isSourceCode
    place = snapshot.content.place
    markingTime = snapshot.markingTime
    counts = ChangeCounts(tracker.counts)
    pending = tracker.pending.count
    at = caret.map { tracker.counts(through: $0).tracked }
    self.authors = authors
    self.waiting = waiting
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("tracking", isTracking)
      $0.member("marking", markingTime.rawValue)
      $0.member("marks", place.rawValue)
      counts.writeMembers(to: &$0)
      $0.member("pending", pending)
      $0.member("at", at)
      $0.member("authors", authors)
      $0.member("waiting", waiting)
      $0.member("summary", summary)
    }
  }

  /// As in “12 changes, 4 uncommented, 3 threads, 1 pending”; zero counts, and resolved threads, are left out.
  ///
  /// Source code, which is not tracked, is called so.
  private var summary: String {
    if isSourceCode { return "source code" }
    var parts = [counts.changes == 0 ? "no changes" : counted(counts.changes, "change")]
    if counts.uncommented > 0 { parts.append("\(counts.uncommented) uncommented") }
    if counts.open > 0 { parts.append(counted(counts.open, "thread")) }
    if pending > 0 { parts.append("\(pending) pending") }
    return parts.joined(separator: ", ")
  }
}

extension Server {
  /// Who made how many changes of a document; read once for each state of it, for a status line asks wherever the caret
  /// rests.
  func authors(of document: Document, _ snapshot: Snapshot) -> [AuthorCount] {
    if let known = document.caches.authors, known.revision == document.revision {
      return known.counts
    }
    let counts = AuthorCount.all(in: snapshot)
    document.caches.authors = (document.revision, counts)
    return counts
  }
}

/// How many changes of a document somebody has made.
struct AuthorCount: JSONWritable {
  let author: String
  let changes: Int

  /// A longer text is not read for it, in bytes: a status line asks after every pause.
  static let longestText = 1 << 20

  /// Who has made changes that say so: who has made most comes first; linear.
  static func all(in snapshot: Snapshot) -> [AuthorCount] {
    guard snapshot.tracker.counts.tracked > 0, snapshot.text.count <= longestText else { return [] }
    let whole = snapshot.whole
    let footnotes = snapshot.tracker.footnotes(for: whole)
    var counts: [String: Int] = [:]
    for change in whole.reading.changes where change.kind.isChange {
      guard let author = change.attribution(in: whole.bytes, footnotes).author else { continue }
      counts[author, default: 0] += 1
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { AuthorCount(author: $0.key, changes: $0.value) }
  }

  func write(to writer: inout JSONWriter) {
    writer.object {
      $0.member("author", author)
      $0.member("changes", changes)
    }
  }
}
