/// Hunks in order, in a tree that never changes: what is made of it shares all that is the same.
///
/// An AVL tree built by joining, after Blelloch, Ferizovic and Sun ("Just Join for Parallel Ordered Sets", 2016).
/// Both texts of a hunk begin at the end of the one before it, so that edits before it leave it as it is.
///
/// Invariant, checked by ``isBalanced``: the heights of two siblings differ by at most one.
final class HunkTree: Sendable {
  let left: HunkTree?
  let right: HunkTree?
  let hunk: Hunk
  let count: Int
  let sum: Hunk.Lengths
  fileprivate let height: Int

  private init(_ left: HunkTree?, _ hunk: Hunk, _ right: HunkTree?) {
    self.left = left
    self.hunk = hunk
    self.right = right
    count = left.count + 1 + right.count
    sum = left.sum + hunk.end + right.sum
    height = max(left.height, right.height) + 1
  }

  /// A tree of hunks that come after others; linear.
  static func tree(of hunks: [Hunk], after before: Hunk.Lengths = Hunk.Lengths()) -> HunkTree? {
    var end = before
    let inTree = hunks.map { hunk in
      defer { end = hunk.end }
      return hunk.moved(old: -end.old, new: -end.new)
    }
    return tree(of: inTree[...])
  }

  private static func tree(of hunks: ArraySlice<Hunk>) -> HunkTree? {
    guard !hunks.isEmpty else { return nil }
    let middle = hunks.startIndex + hunks.count / 2
    return HunkTree(
      tree(of: hunks[..<middle]),
      hunks[middle],
      tree(of: hunks[(middle + 1)...])
    )
  }

  /// The hunks of one tree, another, and those of a third; logarithmic.
  static func join(_ left: HunkTree?, _ hunk: Hunk, _ right: HunkTree?) -> HunkTree {
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

  private var withoutLast: (HunkTree?, Hunk) {
    guard let right else { return (left, hunk) }
    let (rest, last) = right.withoutLast
    return (HunkTree.join(left, hunk, rest), last)
  }

  /// A tree of two whose heights differ by at most two, and a hunk between them.
  private static func balanced(
    _ left: HunkTree?,
    _ hunk: Hunk,
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
    after before: Hunk.Lengths,
    where belongsInSecond: (Hunk.Lengths, Hunk) -> Bool
  ) -> (HunkTree?, HunkTree?) {
    let here = before + left.sum
    if belongsInSecond(here, hunk) {
      let (first, second) = left?.split(after: before, where: belongsInSecond) ?? (nil, nil)
      return (first, HunkTree.join(second, hunk, right))
    }
    let after = here + hunk.end
    let (first, second) = right?.split(after: after, where: belongsInSecond) ?? (nil, nil)
    return (HunkTree.join(left, hunk, first), second)
  }

  /// The same hunks, further from what comes before them.
  func moved(by shift: Int) -> HunkTree {
    if let left { return HunkTree(left.moved(by: shift), hunk, right) }
    return HunkTree(nil, hunk.moved(old: shift, new: shift), right)
  }

  /// The same hunks but for one, from whose end the next one keeps its distance; logarithmic.
  func replacing(
    _ known: Hunk,
    by new: Hunk,
    after before: Hunk.Lengths = Hunk.Lengths()
  ) -> HunkTree {
    let here = before + left.sum
    let place = here.new + hunk.new.lowerBound
    if let left, known.new.lowerBound < place {
      return HunkTree(left.replacing(known, by: new, after: before), hunk, right)
    }
    if let right, known.new.lowerBound > place {
      return HunkTree(left, hunk, right.replacing(known, by: new, after: here + hunk.end))
    }
    return HunkTree(left, new.moved(old: -here.old, new: -here.new), right)
  }

  /// Adds to a list the hunks that touch a stretch of the buffer; logarithmic, and linear in those.
  func append(to list: inout [Hunk], touching stretch: Range<Int>, after before: Hunk.Lengths) {
    let here = before + left.sum
    if here.new >= stretch.lowerBound {
      left?.append(to: &list, touching: stretch, after: before)
    }
    let placed = hunk.moved(old: here.old, new: here.new)
    guard placed.new.lowerBound <= stretch.upperBound else { return }
    if placed.new.upperBound >= stretch.lowerBound { list.append(placed) }
    right?.append(to: &list, touching: stretch, after: placed.end)
  }

  /// Whether the invariant holds.
  var isBalanced: Bool {
    abs(left.height - right.height) <= 1 && left?.isBalanced ?? true && right?.isBalanced ?? true
  }
}

extension HunkTree? {
  var count: Int { self?.count ?? 0 }
  var sum: Hunk.Lengths { self?.sum ?? Hunk.Lengths() }
  fileprivate var height: Int { self?.height ?? 0 }
}
