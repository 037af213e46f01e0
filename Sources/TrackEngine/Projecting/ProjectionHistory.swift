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
    /// Whether undo leads to no state before it: the record was changed and the clean text was not, by a decision or a
    /// comment; or tracking was switched.
    var isBorder: Bool
    /// What was decided since the last border, as it is in the clean text.
    var decided: [DecidedText]
  }

  private var entries: [Entry]
  /// The number of the first of `entries`.
  private var first = 0
  /// At least as many states are kept once there are that many, and at most twice as many.
  private let capacity: Int

  private static let mostStates = 4096

  /// A history that begins with a state.
  init(_ hash: TextHash, capacity: Int = mostStates) {
    entries = [Entry(hash: hash, back: [], isBorder: true, decided: [])]
    self.capacity = capacity
  }

  /// The number of the present state.
  var here: Int { first + entries.count - 1 }

  /// Whether a state is not forgotten.
  func isKept(_ state: Int) -> Bool { first <= state && state <= here }

  /// What was decided since the last border, as it is in the present clean text.
  var decided: [DecidedText] { entries[entries.count - 1].decided }

  /// The number of the nearest earlier state with a clean text; nil if there is none since the last border, or if what
  /// was decided since was made undone by hand.
  ///
  /// Linear in the states since then, at most twice the capacity.
  ///
  /// - Parameters:
  ///   - hash: The hash of the clean text.
  ///   - decided: What was decided, as it is in that text.
  /// - Returns: The number of the state.
  func state(with hash: TextHash, _ decided: [DecidedText]) -> Int? {
    var index = entries.count - 1
    while index > 0, !entries[index].isBorder {
      index -= 1
      guard entries[index].hash == hash else { continue }
      let known = entries[index].decided
      let isUndo = decided.allSatisfy { one in
        !one.isEditedByHand || known.contains { $0.state == one.state }
      }
      if isUndo { return first + index }
    }
    return nil
  }

  /// What was decided before a state, as it is in the clean text of that.
  func decided(at state: Int) -> [DecidedText] { entries[state - first].decided }

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
  ///   - decided: What was decided, as it is in its clean text; nil to make it a border.
  mutating func add(_ hash: TextHash, back: [Edit], _ decided: [DecidedText]?) {
    entries.append(
      Entry(hash: hash, back: back, isBorder: decided == nil, decided: decided ?? [])
    )
    guard entries.count > 2 * capacity else { return }
    entries.removeFirst(capacity)
    first += capacity
  }

  /// Says what was decided, as it is in the present clean text.
  mutating func setDecided(_ decided: [DecidedText]) {
    entries[entries.count - 1].decided = decided
  }

  /// Makes the present state a border: undo leads to none before it.
  mutating func addBorder() {
    entries[entries.count - 1].isBorder = true
    entries[entries.count - 1].decided = []
  }
}
