import TrackEngine

/// What is to be found out about documents and to be kept of them.
struct BaselineStore {
  private var toKeep: [Effect.Kept] = []
  private var toWrite: [SidecarFile.Writing] = []
  /// Baselines of documents that were closed, and when to keep that they are, in milliseconds.
  private var closing: [(baseline: Baseline, at: Int)] = []
  private var toMove: [(old: Path, new: Path)] = []
  private var deleted: [Path] = []
  private var toRecall: [(key: DocumentKey, text: TextHash)] = []
  private var toFindMarks: [DocumentKey] = []
  private var toCompare: [Effect.Comparing] = []
  private var toLookAt: [(key: DocumentKey, stamp: FileStamp?)] = []

  /// Notes what to keep; of one document only the last counts, with the original that was to be kept.
  mutating func keep(_ baseline: Baseline, isOpen: Bool, original: [UInt8]? = nil) {
    var kept = Effect.Kept(baseline: baseline, isOpen: isOpen, original: original)
    if let index = toKeep.firstIndex(where: { $0.baseline.document == baseline.document }) {
      if original == nil, toKeep[index].baseline.original == baseline.original {
        kept.original = toKeep[index].original
      }
      toKeep.remove(at: index)
    }
    toKeep.append(kept)
  }

  /// Notes that a document was closed.
  ///
  /// Editors close a document and open it again at once, to reload it; who is killed in between has not closed it.
  mutating func close(_ baseline: Baseline, at now: Int) {
    closing.append((baseline, now + BaselineStore.closingTime))
  }

  /// Notes that a document that may have been closed is open.
  mutating func reopen(_ key: DocumentKey) { closing.removeAll { $0.baseline.document == key } }

  /// Keeps which documents are closed, if it is time.
  mutating func keepClosed(at now: Int) {
    for document in closing where document.at <= now { keep(document.baseline, isOpen: false) }
    closing.removeAll { $0.at <= now }
  }

  /// When to call ``keepClosed(at:)``, in milliseconds; nil if no document was closed.
  var deadline: Int? { closing.first?.at }

  /// How long a document that was closed may be opened again as if it had not been, in milliseconds.
  static let closingTime = 1000

  /// Notes a record to write, or to remove.
  mutating func write(_ record: SidecarFile.Writing) { toWrite.append(record) }

  /// Notes a text that has been renamed, whose sidecar is to follow it.
  mutating func move(_ old: Path, to new: Path) { toMove.append((old, new)) }

  /// Notes a text that has been deleted.
  mutating func noteDeleted(_ path: Path) { deleted.append(path) }

  mutating func recall(_ key: DocumentKey, _ text: TextHash) { toRecall.append((key, text)) }

  mutating func findMarks(_ key: DocumentKey) { toFindMarks.append(key) }

  mutating func compare(_ comparing: Effect.Comparing) { toCompare.append(comparing) }

  mutating func look(_ key: DocumentKey, unless stamp: FileStamp?) { toLookAt.append((key, stamp)) }

  /// Whether something is to be done before anything is sent.
  var hasUrgent: Bool {
    !toKeep.isEmpty || !toWrite.isEmpty || !toMove.isEmpty || !toRecall.isEmpty
      || !toFindMarks.isEmpty
  }

  /// Takes out what to keep next.
  mutating func nextToKeep() -> Effect? {
    if !toWrite.isEmpty { return .writeRecord(toWrite.removeFirst()) }
    return toKeep.isEmpty ? nil : .keep(toKeep.removeFirst())
  }

  /// Takes out what to find out next.
  mutating func nextToFind() -> Effect? {
    // A document that is opened under its new name is to be found with its sidecar.
    if !toMove.isEmpty {
      let next = toMove.removeFirst()
      return .moveSidecar(from: next.old, to: next.new)
    }
    if !toRecall.isEmpty {
      let next = toRecall.removeFirst()
      return .recall(next.key, next.text)
    }
    if !toFindMarks.isEmpty { return .findMarks(toFindMarks.removeFirst()) }
    if !deleted.isEmpty { return .findOrphan(deleted.removeFirst()) }
    if !toCompare.isEmpty { return .compare(toCompare.removeFirst()) }
    guard !toLookAt.isEmpty else { return nil }
    let next = toLookAt.removeFirst()
    return .look(next.key, next.stamp)
  }
}
