/// The indices of a longest common subsequence, by Myers' greedy algorithm ("An O(ND) Difference Algorithm
/// and Its Variations", 1986); nil if more differs than is worth the search.
func commonPairs(_ old: [Int], _ new: [Int]) -> [(Int, Int)]? {
  let head = zip(old, new).prefix { $0 == $1 }.count
  let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed())
    .prefix { $0 == $1 }.count
  let old = old[head..<old.count - tail]
  let new = new[head..<new.count - tail]
  let limit = min(old.count + new.count, 1000)
  var furthest = [1: head]
  var trace: [[Int: Int]] = []
  var reached: Int?
  search: for cost in 0...limit {
    trace.append(furthest)
    for diagonal in stride(from: -cost, through: cost, by: 2) {
      let down = furthest[diagonal + 1, default: head - 1]
      let right = furthest[diagonal - 1, default: head - 1] + 1
      var x = diagonal == -cost || diagonal != cost && right <= down ? down : right
      var y = x - diagonal
      while x < old.endIndex, y < new.endIndex, old[x] == new[y] {
        x += 1
        y += 1
      }
      furthest[diagonal] = x
      if x >= old.endIndex, y >= new.endIndex {
        reached = cost
        break search
      }
    }
  }
  guard let reached else { return nil }
  var pairs: [(Int, Int)] = []
  var x = old.endIndex
  var y = new.endIndex
  for cost in stride(from: reached, through: 1, by: -1) {
    let before = trace[cost]
    let diagonal = x - y
    let down = before[diagonal + 1, default: head - 1]
    let right = before[diagonal - 1, default: head - 1] + 1
    let isDown = diagonal == -cost || diagonal != cost && right <= down
    let start = isDown ? down : right
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
  let suffix = (0..<tail).map { (old.endIndex + $0, new.endIndex + $0) }
  return (0..<head).map { ($0, $0) } + pairs.reversed() + suffix
}

/// The indices of what two texts have in common around the tokens that each has once, as in Bram Cohen's
/// patience diff.
func anchoredPairs(_ old: [Int], _ new: [Int]) -> [(Int, Int)] {
  var pairs: [(Int, Int)] = []
  var atOld = 0
  var atNew = 0
  for (oldIndex, newIndex) in anchors(old, new) + [(old.count, new.count)] {
    let gap = commonPairs(Array(old[atOld..<oldIndex]), Array(new[atNew..<newIndex])) ?? []
    pairs += gap.map { (atOld + $0, atNew + $1) }
    if oldIndex < old.count { pairs.append((oldIndex, newIndex)) }
    atOld = oldIndex + 1
    atNew = newIndex + 1
  }
  return pairs
}

/// The most tokens that both have once, in one order.
private func anchors(_ old: [Int], _ new: [Int]) -> [(Int, Int)] {
  var places: [Int: (old: Int, new: Int)] = [:]
  for (index, number) in new.enumerated() {
    places[number] = places[number] == nil ? (-1, index) : (-1, -1)
  }
  for (index, number) in old.enumerated() {
    guard let place = places[number], place.new >= 0 else { continue }
    places[number] = place.old < 0 ? (index, place.new) : (-1, -1)
  }
  let once = places.values.filter { $0.old >= 0 && $0.new >= 0 }.sorted { $0.old < $1.old }
  // The longest rising run of places in the new text: of each length, the one that ends first.
  var ends: [Int] = []
  var before: [Int] = []
  for (index, place) in once.enumerated() {
    let length = ends.partitioningIndex { once[$0].new > place.new }
    before.append(length > 0 ? ends[length - 1] : -1)
    if length == ends.count { ends.append(index) } else { ends[length] = index }
  }
  var rising: [(Int, Int)] = []
  var index = ends.last ?? -1
  while index >= 0 {
    rising.append((once[index].old, once[index].new))
    index = before[index]
  }
  return rising.reversed()
}
