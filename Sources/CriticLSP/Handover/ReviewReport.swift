import TrackEngine

/// What became of proposed changes, and what the writer changed and said beside.
struct ReviewReport {
  /// A change, and its name among all that the text had; see ``Array/named``.
  typealias Named = (id: String, change: ListedChange)

  struct Settled {
    let id: String
    let change: ListedChange
    let decision: Decision
  }

  struct Remark {
    let comment: [UInt8]
    /// What it is on, and the name of that.
    let id: String
    let change: ListedChange
  }

  /// The changes that are not pending, as they were proposed.
  private(set) var settled: [Settled] = []
  /// The changes that were not among the proposals.
  private(set) var added: [Named] = []
  /// The comments that were not among the proposals.
  private(set) var remarks: [Remark] = []
  /// How many changes are still in marks.
  private(set) var left = 0

  /// Makes a report.
  ///
  /// Linear in the texts, as far as ``Decision/all(of:in:as:)`` is.
  ///
  /// - Parameters:
  ///   - texts: The text with each proposal, and what was made of it before the next.
  ///   - language: Their language.
  init(of texts: [[UInt8]], as language: Language) {
    let final = texts.last ?? []
    let finalChanges = ListedChange.all(of: final, as: language).named
    left = finalChanges.count { $0.change.entry.isChange }
    for start in stride(from: 0, to: texts.count - 1, by: 2) {
      let (proposed, later) = (texts[start], texts[start + 1])
      if proposed == later { continue }
      let changes = ListedChange.all(of: proposed, as: language).named
      let decisions = Decision.all(of: proposed, in: later, as: language)
      for ((id, change), decision) in zip(changes, decisions)
      where decision.outcome != .pending {
        settled.append(Settled(id: id, change: change, decision: decision))
      }
      let isLast = start + 2 >= texts.count
      add(
        isLast ? finalChanges : ListedChange.all(of: later, as: language).named,
        besides: changes,
        stillIn: isLast ? nil : Contents(of: finalChanges)
      )
    }
  }

  /// Adds what was not among the proposals, if it is still there.
  private mutating func add(
    _ later: [Named],
    besides proposed: [Named],
    stillIn final: Contents?
  ) {
    var known = Contents(of: proposed)
    for (name, change) in later {
      let isStill = final.map { $0.has(change) } ?? true
      // Who comments on a change that nobody has signed changes its name.
      let proposed = known.take(change, preferring: name)
      let id = proposed ?? name
      if proposed == nil, change.entry.code != .mark(.comment), isStill {
        added.append((id, change))
      }
      for comment in change.entry.comments where !known.take(comment) {
        guard final.map({ $0.has(comment) }) ?? true else { continue }
        remarks.append(Remark(comment: comment, id: id, change: change))
      }
    }
  }

  /// How many of the changes were settled in a way.
  func count(_ outcome: Decision.Outcome) -> Int {
    settled.count { $0.decision.outcome == outcome && $0.change.entry.isChange }
  }

  /// As in `2 accepted, 1 rejected, 14 left`.
  var counts: String {
    let outcomes: [Decision.Outcome] = [.accepted, .rejected, .edited]
    let parts = outcomes.filter { $0 != .edited || count($0) > 0 }.map { "\(count($0)) \($0)" }
    return (parts + ["\(left) left"]).joined(separator: ", ")
  }
}

/// The changes and the comments of a text, wherever they are.
private struct Contents {
  private struct Key: Hashable {
    let kind: MarkKind
    let old: [UInt8]
    let new: [UInt8]

    init(_ change: ListedChange) {
      (kind, old, new) = (change.entry.kind, change.entry.old, change.entry.new)
    }
  }

  /// By what they say: their names.
  private var changes: [Key: [String]] = [:]
  private var comments: [[UInt8]: Int] = [:]

  init(of list: [ReviewReport.Named]) {
    for (id, change) in list {
      changes[Key(change), default: []].append(id)
      for comment in change.entry.comments { comments[comment, default: 0] += 1 }
    }
  }

  func has(_ change: ListedChange) -> Bool { changes[Key(change)] != nil }
  func has(_ comment: [UInt8]) -> Bool { comments[comment] != nil }

  /// Takes a change out that says the same, the one with a name if there is one; returns its name, nil if it is not there.
  mutating func take(_ change: ListedChange, preferring id: String) -> String? {
    let key = Key(change)
    guard let ids = changes[key], !ids.isEmpty else { return nil }
    return changes[key]?.remove(at: ids.firstIndex(of: id) ?? 0)
  }

  /// Takes a comment out; returns false if it is not there.
  mutating func take(_ comment: [UInt8]) -> Bool {
    guard let count = comments[comment], count > 0 else { return false }
    comments[comment] = count - 1
    return true
  }
}
