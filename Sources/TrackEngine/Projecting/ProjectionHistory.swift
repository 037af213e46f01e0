/// The earlier states of a projection, oldest first, found again by their clean text: where undo and redo lead.
///
/// An entry holds a hash, and the edits that lead back from its record to that of the entry before: never a copy of a
/// text. Going back is written down as a step like any other, so the way forth is in here too, whatever the editor's
/// undo does: trees, rings, parts.
struct ProjectionHistory: Sendable {
  private struct Entry {
    let hash: TextHash
    /// The edits of this entry's record that lead to the record of the entry before it.
    let back: [Edit]
    /// Whether the record was changed and the clean text was not: a decision or a comment, which undo does not
    /// take back.
    let isDecision: Bool
  }

  private var entries: [Entry]
  /// The number of the first of `entries`.
  private var first = 0
  /// At least as many states are kept once there are that many, and at most twice as many.
  private let capacity: Int

  private static let mostStates = 4096

  /// A history that begins with a state.
  init(_ hash: TextHash, capacity: Int = mostStates) {
    entries = [Entry(hash: hash, back: [], isDecision: true)]
    self.capacity = capacity
  }

  /// The number of the present state.
  var here: Int { first + entries.count - 1 }

  /// Whether a state is not forgotten.
  func isKept(_ state: Int) -> Bool { first <= state && state <= here }

  /// The number of the nearest earlier state with a clean text; nil if there is none since the last decision.
  ///
  /// Linear in the states since then, at most twice the capacity.
  func state(with hash: TextHash) -> Int? {
    var index = entries.count - 1
    while index > 0, !entries[index].isDecision {
      index -= 1
      if entries[index].hash == hash { return first + index }
    }
    return nil
  }

  /// The edits that lead from the present record back to that of a state, in the order in which they are to be made;
  /// nil if the state is forgotten.
  func way(backTo state: Int) -> [[Edit]]? {
    guard isKept(state) else { return nil }
    return entries[(state - first + 1)...].reversed().map(\.back)
  }

  /// Adds a state.
  ///
  /// - Parameters:
  ///   - hash: The hash of its clean text.
  ///   - back: The edits of its record that lead to the present one.
  ///   - isDecision: Whether the record was changed and the clean text was not.
  mutating func add(_ hash: TextHash, back: [Edit], isDecision: Bool = false) {
    entries.append(Entry(hash: hash, back: back, isDecision: isDecision))
    guard entries.count > 2 * capacity else { return }
    entries.removeFirst(capacity)
    first += capacity
  }
}
