/// The recent states of a document, found again by the text they had.
///
/// An entry holds a hash and a few hunks, never a copy of the text. The oldest go first.
struct UndoRing: Sendable {
  private var states: [TextHash: Tracker.State] = [:]
  private var order: [TextHash] = []
  private var oldest = 0
  private let capacity: Int

  init(capacity: Int = 4096) {
    self.capacity = capacity
  }

  subscript(hash: TextHash) -> Tracker.State? { states[hash] }

  mutating func remember(_ state: Tracker.State, as hash: TextHash) {
    if states.updateValue(state, forKey: hash) != nil { return }
    if order.count < capacity {
      order.append(hash)
    } else {
      states[order[oldest]] = nil
      order[oldest] = hash
      oldest = (oldest + 1) % capacity
    }
  }
}
