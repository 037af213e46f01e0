import TrackEngine

/// Documents that were closed a short time ago, so that one that is opened again, under whatever name, goes on as
/// it was.
struct ClosedDocuments {
  /// A document as it was closed.
  struct Closed {
    let key: DocumentKey
    var tracker: Tracker
    /// An edit of ours that was in flight: it can have been made before the document was opened again.
    let inFlight: OwnEdit?
    let choice: Bool?
    /// Whether what was kept of it had been found, and what was changed since is recorded.
    let isRecalled: Bool
    /// The stamp of its file; see ``Record/stamp``.
    let stamp: FileStamp?
    /// The text of its file; see ``Record/fileText``.
    let fileText: TextHash?
    /// The marks that are gone from it.
    let lost: LostMarks?
    /// In milliseconds.
    let closedAt: Int
  }

  private var closed: [Closed] = []
  /// Those that had their marks beside the text, and which text that was, oldest first.
  private var beside: [(key: DocumentKey, text: TextHash, closedAt: Int)] = []
  /// The last of those.
  private(set) var lastBeside: (document: Document, closedAt: Int)?

  /// How long they are kept, in milliseconds.
  static let time = 600_000
  /// The most that are kept.
  static let maxCount = 32
  /// The most that their texts have together, in bytes, but for the one that was closed last.
  static let maxLength = 1 << 26

  /// Keeps a document.
  mutating func add(_ document: Document, at now: Int) {
    let key = document.key
    dropOld(at: now)
    closed.removeAll { $0.key == key }
    // What is beside the text is on the disk, and is read from there.
    guard document.showsMarks else {
      beside.removeAll { $0.key == key }
      beside.append((key, document.text.hash, now))
      lastBeside = (document, now)
      if beside.count > ClosedDocuments.maxCount { beside.removeFirst() }
      return
    }
    closed.append(
      Closed(
        key: key,
        tracker: document.tracker,
        inFlight: document.ourEdits.inFlightEdit?.edit,
        choice: document.trackingChoice,
        isRecalled: document.record.isRecalled,
        stamp: document.record.stamp,
        fileText: document.record.fileText,
        lost: document.record.lost,
        closedAt: now
      )
    )
    var length = closed.reduce(0) { $0 + $1.tracker.buffer.count }
    while closed.count > ClosedDocuments.maxCount
      || length > ClosedDocuments.maxLength && closed.count > 1
    {
      length -= closed.removeFirst().tracker.buffer.count
    }
  }

  /// Takes out the document that was closed last with a text, or with an edit of ours in flight that makes it,
  /// preferably that with a key.
  mutating func take(_ text: Text, _ key: DocumentKey, at now: Int) -> Closed? {
    dropOld(at: now)
    let same = closed.indices.filter {
      closed[$0].tracker.buffer == text || closed[$0].inFlight?.makes(text) == true
    }
    guard let index = same.last(where: { closed[$0].key == key }) ?? same.last else { return nil }
    var found = closed.remove(at: index)
    if found.tracker.buffer != text, let edit = found.inFlight {
      found.tracker.apply(ours: edit.edits)
      found.tracker.land(edit)
    }
    return found
  }

  /// Takes out the document with a key.
  mutating func take(_ key: DocumentKey, at now: Int) -> Closed? {
    dropOld(at: now)
    return closed.firstIndex { $0.key == key }.map { closed.remove(at: $0) }
  }

  /// Takes out the document that was closed last with a text and its marks beside that.
  mutating func takeBeside(_ text: TextHash, at now: Int) -> DocumentKey? {
    dropOld(at: now)
    return beside.lastIndex { $0.text == text }.map { beside.remove(at: $0).key }
  }

  private mutating func dropOld(at now: Int) {
    closed.removeAll { $0.closedAt + ClosedDocuments.time <= now }
    beside.removeAll { $0.closedAt + ClosedDocuments.time <= now }
    if let last = lastBeside, last.closedAt + ClosedDocuments.time <= now { lastBeside = nil }
  }
}
