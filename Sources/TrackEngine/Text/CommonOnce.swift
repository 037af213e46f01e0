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
  guard !old.isEmpty, !new.isEmpty else { return [] }
  var places = OncePlaces(capacity: new.count)
  for (index, key) in new.enumerated() { places.note(key, index, isNew: true) }
  for (index, key) in old.enumerated() { places.note(key, index, isNew: false) }
  let once = old.enumerated().compactMap { index, key -> (old: Int, new: Int)? in
    places.place(of: key).map { (index, $0) }
  }
  let isRising = zip(once, once.dropFirst()).allSatisfy { $0.new < $1.new }
  return isRising ? once : once.heaviestRise(in: new.count, weight)
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

/// The places of keys that occur once in each of two sequences; a table with open addressing.
private struct OncePlaces {
  private var keys: [UInt64]
  /// The index in the new sequence: -1 for a free slot, -2 for a key that occurs twice in one of them.
  private var places: [Int32]
  /// Whether the old sequence has the key too.
  private var isInBoth: [Bool]
  private let mask: Int

  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    keys = Array(repeating: 0, count: size)
    places = Array(repeating: -1, count: size)
    isInBoth = Array(repeating: false, count: size)
    mask = size - 1
  }

  private func slot(of key: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: key.mixed(with: 0x2545_F491_4F6C_DD1D)) & mask
    while places[slot] != -1, keys[slot] != key { slot = (slot + 1) & mask }
    return slot
  }

  mutating func note(_ key: UInt64, _ index: Int, isNew: Bool) {
    let slot = slot(of: key)
    if isNew {
      places[slot] = places[slot] == -1 ? Int32(index) : -2
      keys[slot] = key
    } else if places[slot] >= 0 {
      if isInBoth[slot] { places[slot] = -2 }
      isInBoth[slot] = true
    }
  }

  func place(of key: UInt64) -> Int? {
    let place = places[slot(of: key)]
    return place >= 0 ? Int(place) : nil
  }
}
