/// The pending changes of a text, without the text that was put in: whoever has them has the buffer, which holds it.
///
/// A value that shares with earlier states all that is the same. What an edit costs is logarithmic in their number,
/// and linear in the hunks that it meets.
public struct Hunks: Sendable {
  /// A hunk, as long as others around it do not change.
  struct Element: Equatable, Sendable {
    /// How far it is from the one before it, or from the beginning.
    var distance: Int
    var removed: RemovedText
    /// The length of the text that was put in.
    var newCount: Int
    var manner: Hunk.Manner

    var lengths: Lengths { Lengths(old: distance + removed.count, new: distance + newCount) }
  }

  /// The lengths of a stretch of the settled text, and of the same of the buffer.
  struct Lengths: Equatable, Sendable {
    var old = 0
    var new = 0

    static func + (left: Lengths, right: Lengths) -> Lengths {
      Lengths(old: left.old + right.old, new: left.new + right.new)
    }
  }

  /// A hunk and where it is.
  struct Placed: Replacement {
    var old: Range<Int>
    /// The range in the buffer.
    var new: Range<Int>
    var removed: RemovedText
    var manner: Hunk.Manner

    var replaced: Range<Int> { old }
    var newCount: Int { new.count }
  }

  private(set) var tree: HunkTree?

  init(_ tree: HunkTree? = nil) {
    self.tree = tree
  }

  /// The hunks of a list; linear.
  init(_ hunks: [Hunk]) {
    var end = 0
    let elements = hunks.map { hunk in
      defer { end = hunk.old.upperBound }
      return Element(
        distance: hunk.old.lowerBound - end,
        removed: RemovedText(hunk.removed),
        newCount: hunk.new.count,
        manner: hunk.manner
      )
    }
    tree = HunkTree.tree(of: elements[...])
  }

  /// Whether there are none.
  public var isEmpty: Bool { tree == nil }
  /// How many there are.
  public var count: Int { tree.count }
  /// How much longer they make the text.
  var growth: Int { tree.sum.new - tree.sum.old }
  /// From the beginning of the first to the end of the last, in the settled text; nil if there are none.
  var range: Range<Int>? { tree.map { $0.first.distance..<$0.sum.old } }
  /// The number of bytes removed and inserted; linear.
  var weight: Int { placed().reduce(0) { $0 + $1.old.count + $1.new.count } }

  /// Whether each lies in one of some others of the same settled text; linear.
  func isPart(of others: Hunks) -> Bool {
    var rest = others.placed()[...]
    return placed().allSatisfy { hunk in
      rest = rest.drop { $0.old.upperBound < hunk.old.upperBound }
      return rest.first?.old.holds(hunk.old) ?? false
    }
  }

  /// The hunks, with the text that `buffer` has in them; linear.
  func list(in buffer: Text) -> [Hunk] {
    var list: [Hunk] = []
    list.reserveCapacity(count)
    forEach { list.append(Hunk($0, in: buffer)) }
    return list
  }

  /// The edits that turn the buffer into the settled text; linear.
  public var inverted: [Edit] {
    var edits: [Edit] = []
    edits.reserveCapacity(count)
    forEach { edits.append(Edit($0.new, $0.removed.bytes)) }
    return edits
  }

  /// The edits of ``inverted`` that lie in a stretch of the buffer.
  func inverted(within stretch: Range<Int>) -> [Edit] {
    var edits: [Edit] = []
    forEach(touching: stretch) { hunk in
      if stretch.holds(hunk.new) { edits.append(Edit(hunk.new, hunk.removed.bytes)) }
      return true
    }
    return edits
  }

  /// The hunk that holds or touches an offset of the buffer.
  func hunk(at offset: Int) -> Placed? {
    var found: Placed?
    forEach(touching: offset..<offset) { hunk in
      found = hunk
      return false
    }
    return found
  }

  /// The range of the hunk that only inserts and begins at an offset of the buffer.
  func insertion(at offset: Int) -> Range<Int>? {
    hunk(at: offset).flatMap { $0.new.lowerBound == offset && $0.old.isEmpty ? $0.new : nil }
  }

  /// Moves the hunk that only inserts and begins at an offset of the buffer closer to the beginning, if it meets no
  /// other there; the text there must make that equivalent.
  mutating func moveBack(at offset: Int, by count: Int) {
    let parts = parts(at: offset..<offset)
    guard var hunk = parts.touching.tree?.hunk,
      parts.before.isEmpty ? hunk.distance >= count : hunk.distance > count
    else { return }
    hunk.distance -= count
    let after = parts.after.tree.map { $0.with(distance: $0.first.distance + count) }
    tree = HunkTree.join(parts.before.tree, hunk, after)
  }

  /// Whether an edit of the buffer removes only text that a hunk inserted.
  func takesBack(_ edit: Edit) -> Bool {
    guard edit.new.isEmpty, !edit.range.isEmpty else { return false }
    var isTakenBack = false
    forEach(touching: edit.range.upperBound..<edit.range.upperBound) { hunk in
      isTakenBack = hunk.new.holds(edit.range)
      return !isTakenBack
    }
    return isTakenBack
  }

  /// Whether a stretch of the buffer holds nothing that a hunk inserted.
  func isUntouched(_ range: Range<Int>) -> Bool {
    var isUntouched = true
    forEach(touching: range) { hunk in
      isUntouched =
        hunk.new.isEmpty || hunk.new.upperBound <= range.lowerBound
        || range.upperBound <= hunk.new.lowerBound
      return isUntouched
    }
    return isUntouched
  }

  /// The hunks that lie before a stretch of the buffer, those that touch it, and those after it; logarithmic.
  func parts(at stretch: Range<Int>) -> (before: Hunks, touching: Hunks, after: Hunks) {
    guard let tree else { return (self, self, self) }
    let (before, rest) = tree.split(after: Lengths()) { before, hunk in
      before.new + hunk.lengths.new >= stretch.lowerBound
    }
    guard let rest else { return (Hunks(before), Hunks(), Hunks()) }
    let (touching, after) = rest.split(after: before.sum) { before, hunk in
      before.new + hunk.distance > stretch.upperBound
    }
    return (Hunks(before), Hunks(touching), Hunks(after))
  }

  /// The hunks with their places, if they come after others; linear.
  func placed(after before: Lengths = Lengths()) -> [Placed] {
    var placed: [Placed] = []
    forEach(after: before) { placed.append($0) }
    return placed
  }

  private func forEach(after before: Lengths = Lengths(), _ body: (Placed) -> Void) {
    tree?.forEach(after: before) { hunk in
      body(hunk)
      return true
    }
  }

  /// Calls `body` with the hunks that touch a stretch of the buffer, in order, until it returns false.
  private func forEach(touching stretch: Range<Int>, _ body: (Placed) -> Bool) {
    tree?.forEach(touching: stretch, after: Lengths(), body)
  }
}

extension HunkTree {
  var first: Hunks.Element { left?.first ?? hunk }

  /// Calls `body` with the hunks that touch a stretch of the buffer, in order, until it returns false.
  @discardableResult
  fileprivate func forEach(
    touching stretch: Range<Int> = 0..<Int.max,
    after before: Hunks.Lengths,
    _ body: (Hunks.Placed) -> Bool
  ) -> Bool {
    let here = before + left.sum
    let after = here + hunk.lengths
    if let left, here.new >= stretch.lowerBound,
      !left.forEach(touching: stretch, after: before, body)
    {
      return false
    }
    let start = here.new + hunk.distance
    guard start <= stretch.upperBound else { return false }
    if after.new >= stretch.lowerBound {
      let placed = Hunks.Placed(
        old: here.old + hunk.distance..<after.old,
        new: start..<after.new,
        removed: hunk.removed,
        manner: hunk.manner
      )
      guard body(placed) else { return false }
    }
    return right?.forEach(touching: stretch, after: after, body) ?? true
  }
}

extension Hunk {
  /// A hunk with the text that `buffer` has in it.
  init(_ placed: Hunks.Placed, in buffer: Text) {
    old = placed.old
    removed = placed.removed.bytes
    new = Array(buffer[placed.new])
    manner = placed.manner
  }
}
