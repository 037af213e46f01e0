/// A summary that can be added; addition need not be commutative.
protocol Summable: Sendable {
  /// The sum of nothing.
  init()

  /// Adds what comes after.
  mutating func append(_ next: Self)

  /// Adds the part of what comes after that searches use.
  mutating func count(_ next: Self)
}

extension Summable {
  mutating func count(_ next: Self) { append(next) }
}

/// A tree of sums over parts in order, for sums of prefixes and suffixes.
///
/// Changing and finding a part is logarithmic; adding or removing parts is linear in their number.
///
/// Invariant: a node is the sum of the two below it.
struct SumTree<Sum: Summable>: Sendable {
  /// The root at 1, those below `node` at `2 * node` and `2 * node + 1`, the parts' in the second half.
  private var nodes: [Sum]
  private let width: Int
  let count: Int

  init(_ sums: [Sum] = []) {
    var width = 1
    while width < sums.count { width *= 2 }
    nodes = Array(repeating: Sum(), count: width) + sums
    nodes += Array(repeating: Sum(), count: 2 * width - nodes.count)
    self.width = width
    count = sums.count
    for node in (1..<width).reversed() { join(node) }
  }

  private mutating func join(_ node: Int) {
    nodes[node] = nodes[2 * node]
    nodes[node].append(nodes[2 * node + 1])
  }

  /// The sum of all parts.
  var total: Sum { nodes[1] }

  /// The sum of one part.
  subscript(part: Int) -> Sum {
    get { nodes[width + part] }
    set {
      var node = width + part
      nodes[node] = newValue
      while node > 1 {
        node /= 2
        join(node)
      }
    }
  }

  /// Replaces a range of parts.
  mutating func replace(_ range: Range<Int>, with sums: [Sum]) {
    guard range.count != sums.count else {
      for (part, sum) in zip(range, sums) { self[part] = sum }
      return
    }
    var all = Array(nodes[width..<width + count])
    all.replaceSubrange(range, with: sums)
    self = SumTree(all)
  }

  /// The sum of the parts before one.
  func sum(before part: Int) -> Sum {
    guard part < count else { return total }
    var sum = Sum()
    var node = width + part
    while node > 1 {
      if node % 2 == 1 {
        var left = nodes[node - 1]
        left.append(sum)
        sum = left
      }
      node /= 2
    }
    return sum
  }

  /// The sum of the parts after one.
  func sum(after part: Int) -> Sum {
    var sum = Sum()
    var node = width + part
    while node > 1 {
      if node % 2 == 0 { sum.append(nodes[node + 1]) }
      node /= 2
    }
    return sum
  }

  /// Finds the first part up to which the sum from the beginning meets a condition.
  ///
  /// - Parameter condition: A condition that stays true as the sum grows.
  /// - Returns: The part and the sum before it; nil if the sum of all parts does not meet it.
  func first(where condition: (Sum) -> Bool) -> (part: Int, before: Sum)? {
    guard condition(total) else { return nil }
    var before = Sum()
    var node = 1
    while node < width {
      node *= 2
      var through = before
      through.count(nodes[node])
      if !condition(through) {
        before = through
        node += 1
      }
    }
    return (node - width, before)
  }

  /// The last part from which the sum to the end meets a condition, and the sum after it; see ``first(where:)``.
  func last(where condition: (Sum) -> Bool) -> (part: Int, after: Sum)? {
    guard condition(total) else { return nil }
    var after = Sum()
    var node = 1
    while node < width {
      node = 2 * node + 1
      var from = nodes[node]
      from.append(after)
      if !condition(from) {
        after = from
        node -= 1
      }
    }
    return (node - width, after)
  }

  /// Whether the invariant holds.
  func checkInvariants() -> Bool where Sum: Equatable {
    (1..<width).allSatisfy { node in
      var sum = nodes[2 * node]
      sum.append(nodes[2 * node + 1])
      return sum == nodes[node]
    }
  }
}
