/// The recent states of a document in the order of their making, found again by the text they had.
///
/// An entry holds a hash and a few hunks, never a copy of the text. The oldest go first.
///
/// One text can be that of several states: typing a word and accepting its addition both end in the
/// plain word. Which of them the user came back to is told by where they are and where they go: undo
/// goes on to the nearest state before, redo to the nearest behind.
struct UndoRing: Sendable {
  private struct Entry {
    var hash: TextHash
    var state: Tracker.State
  }

  private var entries: [Entry] = []
  /// The number that the first of `entries` has.
  private var first = 0
  private var numbers: [TextHash: [Int]] = [:]
  private var here = 0
  private var isGoingBack = true
  private let capacity: Int

  init(capacity: Int = 4096) {
    self.capacity = capacity
  }

  /// Adds a new state, which is then the present one.
  mutating func add(_ state: Tracker.State, _ hash: TextHash) {
    here = first + entries.count
    isGoingBack = true
    numbers[hash, default: []].append(here)
    entries.append(Entry(hash: hash, state: state))
    guard entries.count > 2 * capacity else { return }
    // Half at a time, so that adding stays cheap.
    for (index, entry) in entries.prefix(capacity).enumerated() {
      numbers[entry.hash]?.removeAll { $0 == first + index }
      if numbers[entry.hash]?.isEmpty == true { numbers[entry.hash] = nil }
    }
    entries.removeFirst(capacity)
    first += capacity
  }

  /// Goes to the state that had the text with `hash`; nil if there is none.
  mutating func go(to hash: TextHash) -> Tracker.State? {
    guard let known = numbers[hash] else { return nil }
    let back = known.last { $0 < here }
    let onward = known.first { $0 > here }
    guard let next = (isGoingBack ? back ?? onward : onward ?? back) ?? known.last else {
      return nil
    }
    if next != here { isGoingBack = next < here }
    here = next
    return entries[next - first].state
  }

  /// Replaces the present state.
  mutating func update(_ state: Tracker.State) {
    guard here >= first, here - first < entries.count else { return }
    entries[here - first].state = state
  }
}
