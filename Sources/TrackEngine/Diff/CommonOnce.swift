/// The indices of the keys that occur once in each of two sequences and in the same order in both, with the
/// greatest total weight, as in Bram Cohen's patience diff.
///
/// Linear; by a logarithmic factor more if the order differs.
///
/// - Parameters:
///   - old: The keys of the old sequence.
///   - new: The keys of the new one.
///   - weight: The weight of a key, by its index in the old sequence.
/// - Returns: Pairs of indices; both indices ascend.
public func commonOnce(
  _ old: [UInt64],
  _ new: [UInt64],
  weight: (Int) -> Int = { _ in 1 }
) -> [(old: Int, new: Int)] {
  var places = OncePlaces()
  return places.common(old, new, weight: weight)
}

/// The places of keys that occur once in each of two sequences; a table with open addressing, whose memory serves
/// for many pairs of sequences.
struct OncePlaces {
  private struct Slot {
    var key: UInt64 = 0
    /// The index in the new sequence: -1 for a free slot, -2 for a key that occurs twice in one of them.
    var place: Int32 = -1
    /// Whether the old sequence has the key too.
    var isInBoth = false
  }

  private var slots: [Slot] = []
  /// The slot of each key of the old sequence.
  private var found: [Int32] = []

  /// What ``commonOnce(_:_:weight:)`` finds.
  mutating func common(
    _ old: [UInt64],
    _ new: [UInt64],
    weight: (Int) -> Int = { _ in 1 }
  ) -> [(old: Int, new: Int)] {
    guard !old.isEmpty, !new.isEmpty else { return [] }
    let mask = clear(for: new.count)
    return slots.withUnsafeMutableBufferPointer { slots in
      func slot(of key: UInt64) -> Int {
        var slot = Int(truncatingIfNeeded: key.mixed(with: 0x2545_F491_4F6C_DD1D)) & mask
        while slots[slot].place != -1, slots[slot].key != key { slot = (slot + 1) & mask }
        return slot
      }
      for index in new.indices {
        let slot = slot(of: new[index])
        slots[slot].place = slots[slot].place == -1 ? Int32(index) : -2
        slots[slot].key = new[index]
      }
      for key in old {
        let slot = slot(of: key)
        found.append(Int32(slot))
        guard slots[slot].place >= 0 else { continue }
        if slots[slot].isInBoth { slots[slot].place = -2 }
        slots[slot].isInBoth = true
      }
      var once: [(old: Int, new: Int)] = []
      var isRising = true
      for index in old.indices {
        let place = Int(slots[Int(found[index])].place)
        guard place >= 0 else { continue }
        if let last = once.last, last.new > place { isRising = false }
        once.append((index, place))
      }
      return isRising ? once : once.heaviestRise(in: new.count, weight)
    }
  }

  /// Makes room for so many keys, instead of those before.
  ///
  /// - Returns: One less than the number of slots in use, which is a power of two.
  private mutating func clear(for capacity: Int) -> Int {
    found.removeAll(keepingCapacity: true)
    var size = 16
    while size < capacity * 4 { size *= 2 }
    if slots.count < size {
      slots = Array(repeating: Slot(), count: size)
    } else {
      slots.withUnsafeMutableBufferPointer {
        UnsafeMutableBufferPointer(rebasing: $0[..<size]).update(repeating: Slot())
      }
    }
    return size - 1
  }
}

extension [(old: Int, new: Int)] {
  /// The pairs with ascending new indices that weigh most; uses a Fenwick tree of the best sequence that ends
  /// before each index.
  fileprivate func heaviestRise(in length: Int, _ weight: (Int) -> Int) -> [(old: Int, new: Int)] {
    var best = [Int](repeating: -1, count: length + 1)
    var weights: [Int] = []
    var before: [Int] = []
    for (index, pair) in enumerated() {
      var last = -1
      var at = pair.new
      while at > 0 {
        if best[at] >= 0, last < 0 || weights[best[at]] > weights[last] { last = best[at] }
        at &= at - 1
      }
      before.append(last)
      weights.append((last < 0 ? 0 : weights[last]) + weight(pair.old))
      at = pair.new + 1
      while at <= length {
        if best[at] < 0 || weights[best[at]] < weights[index] { best[at] = index }
        at += at & -at
      }
    }
    var rising: [(old: Int, new: Int)] = []
    var index = weights.indices.max { weights[$0] < weights[$1] } ?? -1
    while index >= 0 {
      rising.append(self[index])
      index = before[index]
    }
    return rising.reversed()
  }
}
