import TrackEngine

/// What is to be found out about documents and to be kept of them.
struct BaselineStore {
  /// Oldest first.
  private var wanted: [Effect] = []
  /// Baselines of documents that were closed, and when to keep that they are, in milliseconds.
  private var closing: [(baseline: Baseline, at: Int)] = []

  mutating func want(_ effect: Effect) { wanted.append(effect) }

  /// Notes what is to be gone on with.
  mutating func wantAgain(_ effect: Effect) { wanted.insert(effect, at: 0) }

  /// Notes what to keep; of one document only the last counts, with the original that was to be kept.
  mutating func keep(_ baseline: Baseline, isOpen: Bool, original: [UInt8]? = nil) {
    var kept = Effect.Kept(baseline: baseline, isOpen: isOpen, original: original)
    let earlier = wanted.firstIndex {
      if case .keep(let kept) = $0 { kept.baseline.document == baseline.document } else { false }
    }
    if let earlier, case .keep(let replaced) = wanted.remove(at: earlier), original == nil,
      replaced.baseline.original == baseline.original
    {
      kept.original = replaced.original
    }
    want(.keep(kept))
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

  /// Whether something is to be done before anything is sent.
  var hasUrgent: Bool { wanted.contains(where: \.isUrgent) }

  /// Whether something is to be done for which events wait.
  var hasHolding: Bool { wanted.contains(where: \.isHolding) }

  /// Takes out what to do next; at the end of the session only what is to be kept.
  mutating func next(isEnding: Bool) -> Effect? {
    guard let index = wanted.indices.min(by: { wanted[$0].rank < wanted[$1].rank }),
      !isEnding || wanted[index].isKept
    else { return nil }
    return wanted.remove(at: index)
  }
}

extension Effect {
  /// Whether it writes what would be lost otherwise.
  fileprivate var isKept: Bool { rank < 2 }

  /// Which is done first of those that are wanted for documents.
  fileprivate var rank: Int {
    switch self {
    case .writeRecord: 0
    case .keep: 1
    // A document that is opened under its new name is to be found with its sidecar.
    case .moveSidecar: 2
    case .recall: 3
    case .findMarks: 4
    case .findOrphan: 5
    case .readBeside, .recordBeside: 6
    case .compare: 7
    default: 8
    }
  }
}
