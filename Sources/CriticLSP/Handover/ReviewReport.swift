import TrackEngine

/// What became of proposed changes, and what the writer changed and said beside.
struct ReviewReport {
  struct Settled {
    let change: ListedChange
    let decision: Decision
  }

  struct Remark {
    let comment: [UInt8]
    /// What it is on.
    let change: ListedChange
  }

  /// The changes that are not pending, as they were proposed.
  private(set) var settled: [Settled] = []
  /// The changes that were not among the proposals.
  private(set) var added: [ListedChange] = []
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
    let finalChanges = ListedChange.all(of: final, as: language)
    left = finalChanges.count { $0.entry.isChange }
    for start in stride(from: 0, to: texts.count - 1, by: 2) {
      let (proposed, later) = (texts[start], texts[start + 1])
      if proposed == later { continue }
      let changes = ListedChange.all(of: proposed, as: language)
      let decisions = Decision.all(of: proposed, in: later, as: language)
      for (change, decision) in zip(changes, decisions)
      where decision.outcome != .pending {
        settled.append(Settled(change: change, decision: decision))
      }
      let isLast = start + 2 >= texts.count
      add(
        isLast ? finalChanges : ListedChange.all(of: later, as: language),
        besides: changes,
        stillIn: isLast ? nil : Contents(of: finalChanges)
      )
    }
  }

  /// Adds what was not among the proposals, if it is still there.
  private mutating func add(
    _ later: [ListedChange],
    besides proposed: [ListedChange],
    stillIn final: Contents?
  ) {
    var known = Contents(of: proposed)
    for change in later {
      let isStill = final.map { $0.has(change) } ?? true
      if !known.take(change), change.entry.code != .mark(.comment), isStill { added.append(change) }
      for comment in change.entry.comments where !known.take(comment) {
        guard final.map({ $0.has(comment) }) ?? true else { continue }
        remarks.append(Remark(comment: comment, change: change))
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

  private var changes: [Key: Int] = [:]
  private var comments: [[UInt8]: Int] = [:]

  init(of list: [ListedChange]) {
    for change in list {
      changes[Key(change), default: 0] += 1
      for comment in change.entry.comments { comments[comment, default: 0] += 1 }
    }
  }

  func has(_ change: ListedChange) -> Bool { changes[Key(change)] != nil }
  func has(_ comment: [UInt8]) -> Bool { comments[comment] != nil }

  /// Takes a change out; returns false if it is not there.
  mutating func take(_ change: ListedChange) -> Bool { changes.take(Key(change)) }
  mutating func take(_ comment: [UInt8]) -> Bool { comments.take(comment) }
}

extension Dictionary where Value == Int {
  /// Takes one out; returns false if there is none.
  fileprivate mutating func take(_ key: Key) -> Bool {
    guard let count = self[key], count > 0 else { return false }
    self[key] = count - 1
    return true
  }
}
