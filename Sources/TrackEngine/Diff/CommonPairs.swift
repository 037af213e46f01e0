/// The indices of a longest common subsequence, by Myers' greedy algorithm ("An O(ND) Difference Algorithm
/// and Its Variations", 1986); nil if more differs than is worth the search.
///
/// Linear, but for a factor that is bounded.
public func commonPairs<Number: Equatable>(
  _ old: [Number],
  _ new: [Number]
) -> [(old: Int, new: Int)]? {
  let head = zip(old, new).prefix { $0 == $1 }.count
  let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed())
    .prefix { $0 == $1 }.count
  let (oldEnd, newEnd) = (old.count - tail, new.count - tail)
  let limit = min(oldEnd + newEnd - 2 * head, 1000)
  var stepsLeft = 1 << 20 + 64 * (old.count + new.count)
  // The furthest place in the old text on each diagonal, from -limit - 1 on.
  let middle = limit + 1
  var furthest = [Int](repeating: head - 1, count: 2 * limit + 3)
  furthest[middle + 1] = head
  /// What `furthest` was before each cost, as far as that reads it.
  var trace: [[Int]] = []
  var reached: Int?
  search: for cost in 0...limit {
    trace.append(Array(furthest[middle - cost - 1...middle + cost + 1]))
    for diagonal in stride(from: -cost, through: cost, by: 2) {
      let (start, _) = step(furthest, middle, diagonal, cost)
      var x = start
      var y = x - diagonal
      while x < oldEnd, y < newEnd, old[x] == new[y] {
        x += 1
        y += 1
      }
      stepsLeft -= x - start + 1
      furthest[middle + diagonal] = x
      if x >= oldEnd, y >= newEnd {
        reached = cost
        break search
      }
    }
    if stepsLeft < 0 { return nil }
  }
  guard let reached else { return nil }
  var pairs: [(old: Int, new: Int)] = []
  var (x, y) = (oldEnd, newEnd)
  for cost in stride(from: reached, through: 1, by: -1) {
    let (start, isDown) = step(trace[cost], cost + 1, x - y, cost)
    while x > start {
      x -= 1
      y -= 1
      pairs.append((x, y))
    }
    if isDown { y -= 1 } else { x -= 1 }
  }
  while x > head, y > head {
    x -= 1
    y -= 1
    pairs.append((x, y))
  }
  let suffix = (0..<tail).map { (oldEnd + $0, newEnd + $0) }
  return (0..<head).map { ($0, $0) } + pairs.reversed() + suffix
}

/// Where a path of one more difference begins on a diagonal, and whether it comes down, from an insertion.
private func step(_ furthest: [Int], _ middle: Int, _ diagonal: Int, _ cost: Int) -> (
  start: Int, isDown: Bool
) {
  let down = furthest[middle + diagonal + 1]
  let right = furthest[middle + diagonal - 1] + 1
  let isDown = diagonal == -cost || diagonal != cost && right <= down
  return (isDown ? down : right, isDown)
}

/// The indices of what two texts have in common around the tokens that each has once, as in Bram Cohen's
/// patience diff.
func anchoredPairs(_ old: [UInt64], _ new: [UInt64]) -> [(old: Int, new: Int)] {
  var pairs: [(old: Int, new: Int)] = []
  var atOld = 0
  var atNew = 0
  for (oldIndex, newIndex) in commonOnce(old, new) + [(old.count, new.count)] {
    let gap = commonPairs(Array(old[atOld..<oldIndex]), Array(new[atNew..<newIndex])) ?? []
    pairs += gap.map { (atOld + $0, atNew + $1) }
    if oldIndex < old.count { pairs.append((oldIndex, newIndex)) }
    atOld = oldIndex + 1
    atNew = newIndex + 1
  }
  return pairs
}

/// What lies between common pairs, of two sequences with so many elements.
public func differences(
  between pairs: some Sequence<(old: Int, new: Int)>,
  _ oldCount: Int,
  _ newCount: Int
) -> [Difference] {
  var differences: [Difference] = []
  var (oldAt, newAt) = (0, 0)
  func end(_ oldNext: Int, _ newNext: Int) {
    if oldNext > oldAt || newNext > newAt {
      differences.append(Difference(oldAt..<oldNext, newAt..<newNext))
    }
    (oldAt, newAt) = (oldNext + 1, newNext + 1)
  }
  for pair in pairs { end(pair.old, pair.new) }
  end(oldCount, newCount)
  return differences
}
