/// Hunks in order, in a tree that never changes: what is made of it shares all that is the same.
///
/// An AVL tree built by joining, after Blelloch, Ferizovic and Sun ("Just Join for Parallel Ordered Sets", 2016).
/// A hunk's place is the distance from the one before it, so that edits before it leave it as it is.
///
/// Invariant, checked by ``isBalanced``: the heights of two siblings differ by at most one.
final class HunkTree: Sendable {
  let left: HunkTree?
  let right: HunkTree?
  let hunk: Hunks.Element
  let count: Int
  let sum: Hunks.Lengths
  fileprivate let height: Int

  private init(_ left: HunkTree?, _ hunk: Hunks.Element, _ right: HunkTree?) {
    self.left = left
    self.hunk = hunk
    self.right = right
    count = left.count + 1 + right.count
    sum = left.sum + hunk.lengths + right.sum
    height = max(left.height, right.height) + 1
  }

  /// A tree of hunks; linear.
  static func tree(of hunks: ArraySlice<Hunks.Element>) -> HunkTree? {
    guard !hunks.isEmpty else { return nil }
    let middle = hunks.startIndex + hunks.count / 2
    return HunkTree(
      tree(of: hunks[..<middle]),
      hunks[middle],
      tree(of: hunks[(middle + 1)...])
    )
  }

  /// The hunks of one tree, another, and those of a third; logarithmic.
  static func join(_ left: HunkTree?, _ hunk: Hunks.Element, _ right: HunkTree?) -> HunkTree {
    if let left, left.height > right.height + 1 {
      return balanced(left.left, left.hunk, join(left.right, hunk, right))
    }
    if let right, right.height > left.height + 1 {
      return balanced(join(left, hunk, right.left), right.hunk, right.right)
    }
    return HunkTree(left, hunk, right)
  }

  /// The hunks of two trees; logarithmic.
  static func join(_ left: HunkTree?, _ right: HunkTree?) -> HunkTree? {
    guard let left else { return right }
    let (rest, last) = left.withoutLast
    return join(rest, last, right)
  }

  private var withoutLast: (HunkTree?, Hunks.Element) {
    guard let right else { return (left, hunk) }
    let (rest, last) = right.withoutLast
    return (HunkTree.join(left, hunk, rest), last)
  }

  /// A tree of two whose heights differ by at most two, and a hunk between them.
  private static func balanced(
    _ left: HunkTree?,
    _ hunk: Hunks.Element,
    _ right: HunkTree?
  ) -> HunkTree {
    if let left, left.height > right.height + 1 {
      guard let inner = left.right, inner.height > left.left.height else {
        return HunkTree(left.left, left.hunk, HunkTree(left.right, hunk, right))
      }
      let first = HunkTree(left.left, left.hunk, inner.left)
      return HunkTree(first, inner.hunk, HunkTree(inner.right, hunk, right))
    }
    if let right, right.height > left.height + 1 {
      guard let inner = right.left, inner.height > right.right.height else {
        return HunkTree(HunkTree(left, hunk, right.left), right.hunk, right.right)
      }
      let last = HunkTree(inner.right, right.hunk, right.right)
      return HunkTree(HunkTree(left, hunk, inner.left), inner.hunk, last)
    }
    return HunkTree(left, hunk, right)
  }

  /// The hunks before the first one that belongs to the second part, and the others; logarithmic.
  ///
  /// - Parameters:
  ///   - before: What comes before the tree.
  ///   - belongsInSecond: Whether a hunk belongs there, by what comes before it; so do all after it then.
  /// - Returns: Two trees.
  func split(
    after before: Hunks.Lengths,
    where belongsInSecond: (Hunks.Lengths, Hunks.Element) -> Bool
  ) -> (HunkTree?, HunkTree?) {
    let here = before + left.sum
    if belongsInSecond(here, hunk) {
      let (first, second) = left?.split(after: before, where: belongsInSecond) ?? (nil, nil)
      return (first, HunkTree.join(second, hunk, right))
    }
    let after = here + hunk.lengths
    let (first, second) = right?.split(after: after, where: belongsInSecond) ?? (nil, nil)
    return (HunkTree.join(left, hunk, first), second)
  }

  /// The same with another distance of the first hunk from what comes before it.
  func with(distance: Int) -> HunkTree {
    if let left { return HunkTree(left.with(distance: distance), hunk, right) }
    var hunk = hunk
    hunk.distance = distance
    return HunkTree(nil, hunk, right)
  }

  /// Whether the invariant holds.
  var isBalanced: Bool {
    abs(left.height - right.height) <= 1 && left?.isBalanced ?? true && right?.isBalanced ?? true
  }
}

extension HunkTree? {
  var count: Int { self?.count ?? 0 }
  var sum: Hunks.Lengths { self?.sum ?? Hunks.Lengths() }
  fileprivate var height: Int { self?.height ?? 0 }
}
