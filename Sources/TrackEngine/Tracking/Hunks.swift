/// The pending changes of a text.
///
/// A value that shares with earlier states all that is the same. What an edit costs is logarithmic in their number,
/// and linear in the hunks that it meets.
public struct Hunks: Sendable {
  private(set) var tree: HunkTree?

  private init(tree: HunkTree?) {
    self.tree = tree
  }

  /// The hunks of a list; linear.
  init(_ hunks: [Hunk] = []) {
    tree = HunkTree.tree(of: hunks)
  }

  /// Whether there are none.
  public var isEmpty: Bool { tree == nil }
  /// How many there are.
  public var count: Int { tree.count }
  /// How much longer they make the text.
  var growth: Int { tree.sum.growth }
  /// All of them; linear.
  public var list: [Hunk] {
    var list: [Hunk] = []
    list.reserveCapacity(count)
    tree?.append(to: &list, touching: 0..<Int.max, after: Hunk.Lengths())
    return list
  }

  /// Those that touch a stretch of the buffer; logarithmic, and linear in them.
  func touching(_ stretch: Range<Int>) -> [Hunk] {
    var list: [Hunk] = []
    tree?.append(to: &list, touching: stretch, after: Hunk.Lengths())
    return list
  }

  /// Whether each lies in one of some others of the same settled text; linear.
  func isPart(of others: Hunks) -> Bool {
    var rest = others.list[...]
    return list.allSatisfy { hunk in
      rest = rest.drop { $0.old.upperBound < hunk.old.upperBound }
      return rest.first?.old.holds(hunk.old) ?? false
    }
  }

  /// The hunk that holds or touches an offset of the buffer.
  func hunk(at offset: Int) -> Hunk? { touching(offset..<offset).first }

  /// The range of the hunk that only inserts and begins at an offset of the buffer.
  func insertion(at offset: Int) -> Range<Int>? {
    hunk(at: offset).flatMap { $0.new.lowerBound == offset && $0.old.isEmpty ? $0.new : nil }
  }

  /// Whether an edit of the buffer removes only text that a hunk inserted.
  func takesBack(_ edit: Edit) -> Bool {
    edit.new.isEmpty && !edit.range.isEmpty
      && hunk(at: edit.range.upperBound)?.new.holds(edit.range) ?? false
  }

  /// Whether a stretch of the buffer holds nothing that a hunk inserted.
  func isUntouched(_ range: Range<Int>) -> Bool {
    touching(range).allSatisfy { hunk in
      hunk.new.isEmpty || hunk.new.upperBound <= range.lowerBound
        || range.upperBound <= hunk.new.lowerBound
    }
  }
}

// MARK: - Changing them

extension Hunks {
  /// Moves the hunk that only inserts and begins at an offset of the buffer closer to the beginning, if it meets no
  /// other there; the text there must make that equivalent.
  mutating func moveBack(at offset: Int, by count: Int) {
    change(at: offset - count..<offset) { hunks, _ in
      hunks.count == 1 ? [hunks[0].moved(old: -count, new: -count)] : hunks
    }
  }

  /// Composes edits of the buffer onto the hunks; `buffer` is the text before all of them.
  ///
  /// An edit is joined with the hunks that it touches; a hunk that changes nothing is dropped. It is as if the edits
  /// were made one at a time, from the last: what some of them undo leaves nothing for earlier ones to touch. Linear
  /// in the edits and in the hunks between the first and the last of them.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - buffer: The text before all of them.
  ///   - manner: The manner of those that only remove text.
  mutating func compose(_ edits: [Edit], on buffer: Text, deleting manner: Hunk.Manner = .bare) {
    assert(edits.areEdits(ofLength: buffer.count), "edits of another text")
    assert(tree.sum.new <= buffer.count, "hunks of another text")
    guard let first = edits.first, let last = edits.last else { return }
    let stretch = first.range.lowerBound..<last.range.upperBound
    change(at: stretch, growth: edits.growth) { hunks, shift in
      var before = hunks
      // The last one first. Edits move all of them but the one added last, the only one that the next edit can touch.
      var after: [Hunk] = []
      var text = buffer
      for index in edits.indices.reversed() {
        let edit = edits[index]
        while let last = before.last, last.new.lowerBound > edit.range.upperBound {
          after.append(before.removeLast())
        }
        let start = before.partitioningIndex { $0.new.upperBound >= edit.range.lowerBound }
        var met = Array(before[start...])
        before.removeSubrange(start...)
        if let next = after.last, next.new.lowerBound <= edit.range.upperBound {
          met.append(after.removeLast())
        }
        let joined = Joined(edit, met, text)
        if joined.isChange {
          let shift = before.last?.end.growth ?? shift
          after.append(joined.hunk(after: shift, deleting: manner))
        }
        if index > 0 { text.replace(edit.range, with: edit.new) }
      }
      return (before + after.reversed()).placed(after: shift)
    }
  }

  /// Changes the hunks that touch a stretch of the buffer, which becomes so much longer.
  ///
  /// - Parameters:
  ///   - stretch: The stretch.
  ///   - growth: How much longer it becomes.
  ///   - body: Returns what becomes of the hunks, by these, and by how much longer those before them make the text.
  mutating func change(
    at stretch: Range<Int>,
    growth: Int = 0,
    _ body: ([Hunk], _ shift: Int) -> [Hunk]
  ) {
    let met = touching(stretch)
    let changed = met.first.map { body(met, $0.new.lowerBound - $0.old.lowerBound) }
    // While a word is typed, one hunk changes, and the others keep their distance from it.
    if let tree, let changed, met.count == 1, changed.count == 1,
      changed[0].end.new == met[0].end.new + growth
    {
      self = Hunks(tree: tree.replacing(met[0], by: changed[0]))
      return
    }
    let (before, rest) =
      tree?.split(after: Hunk.Lengths()) { $0.new + $1.new.upperBound >= stretch.lowerBound }
      ?? (nil, nil)
    let after =
      rest?.split(after: before.sum) { $0.new + $1.new.lowerBound > stretch.upperBound }.1
    let hunks = changed ?? body([], before.sum.growth)
    let (known, end) = (met.last?.end ?? before.sum, hunks.last?.end ?? before.sum)
    let made = HunkTree.join(before, HunkTree.tree(of: hunks, after: before.sum))
    self = Hunks(tree: HunkTree.join(made, after?.moved(by: known.new + growth - end.new)))
  }
}

/// An edit of the buffer, and the hunks that it touches.
private struct Joined {
  let edit: Edit
  let hunks: [Hunk]
  /// The text before the edit.
  let buffer: Text
  /// What they cover in it.
  let stretch: Range<Int>
  /// The settled text there.
  let removed: RemovedText

  init(_ edit: Edit, _ hunks: [Hunk], _ buffer: Text) {
    (self.edit, self.hunks, self.buffer) = (edit, hunks, buffer)
    let stretch = hunks.reduce(edit.range) { $0.joined(with: $1.new) }
    var removed = RemovedText()
    var at = stretch.lowerBound
    for hunk in hunks {
      removed.append(Array(buffer[at..<hunk.new.lowerBound]))
      removed.append(hunk.removedText)
      at = hunk.new.upperBound
    }
    removed.append(Array(buffer[at..<stretch.upperBound]))
    (self.stretch, self.removed) = (stretch, removed)
  }

  /// How long the text there becomes.
  private var newCount: Int { stretch.count + edit.growth }

  /// Whether the settled text is another one than the text after the edit.
  var isChange: Bool {
    guard newCount == removed.count else { return true }
    let old = removed.bytes
    let head = edit.range.lowerBound - stretch.lowerBound
    let tail = head + edit.new.count
    /// A little at a time: nearly always the first bytes tell.
    func isSame(_ range: Range<Int>, at start: Int) -> Bool {
      stride(from: range.lowerBound, to: range.upperBound, by: 256).allSatisfy {
        let part = $0..<min($0 + 256, range.upperBound)
        return buffer[part] == old[part.moved(by: start - range.lowerBound)]
      }
    }
    return
      !(isSame(stretch.lowerBound..<edit.range.lowerBound, at: 0)
      && edit.new[...] == old[head..<tail]
      && isSame(edit.range.upperBound..<stretch.upperBound, at: tail))
  }

  /// All of them as one, before which other hunks make the text so much longer.
  func hunk(after shift: Int, deleting: Hunk.Manner) -> Hunk {
    let (old, new) = (stretch.lowerBound - shift, stretch.lowerBound)
    return Hunk(old..<old + removed.count, new..<new + newCount, removed, manner(deleting))
  }

  /// How settled text was changed; an edit that also replaces typed text is taken literally.
  private func manner(_ deleting: Hunk.Manner) -> Hunk.Manner {
    let own =
      edit.new.isEmpty ? deleting : Hunk.Manner(replacing: buffer[edit.range], by: edit.new)
    let manner = hunks.reduce(own) { $0.joined(with: $1.manner) }
    let typed = hunks.map(\.new).filter {
      edit.range.lowerBound < $0.upperBound && $0.lowerBound < edit.range.upperBound
    }
    guard !typed.isEmpty else { return manner }
    let isTyped = typed.reduce(0) { $0 + $1.clamped(to: edit.range).count } == edit.range.count
    return isTyped && manner != .overtyped ? manner : .other
  }
}
