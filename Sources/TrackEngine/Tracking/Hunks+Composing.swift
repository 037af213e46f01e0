extension Hunks {
  /// Composes edits of the buffer onto the hunks; `buffer` is the text before all of them.
  ///
  /// Hunks and edits that touch are joined; a hunk that changes nothing is dropped. Logarithmic in the hunks, and
  /// linear in the edits and in the hunks between the first and the last of them.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - buffer: The text before all of them.
  ///   - deleting: The manner of a single edit that only removes text.
  mutating func compose(_ edits: [Edit], on buffer: Text, deleting: Hunk.Manner = .bare) {
    guard let first = edits.first, let last = edits.last else { return }
    let parts = parts(at: first.range.lowerBound..<last.range.upperBound)
    let before = parts.before.tree.sum
    let met = Met(
      hunks: parts.touching.placed(after: before),
      before: before,
      edits: edits,
      buffer: buffer,
      deleting: edits.count == 1 ? deleting : .bare
    )
    var end = before.old
    let composed = met.composed.map { hunk in
      defer { end = hunk.old.upperBound }
      return Element(
        distance: hunk.old.lowerBound - end,
        removed: hunk.removed,
        newCount: hunk.newCount,
        manner: hunk.manner
      )
    }
    var after = parts.after.tree
    if let first = after?.first {
      let start = before.old + parts.touching.tree.sum.old + first.distance
      after = after?.with(distance: start - end)
    }
    let made = HunkTree.join(parts.before.tree, HunkTree.tree(of: composed[...]))
    self = Hunks(HunkTree.join(made, after))
  }
}

/// Edits, and the hunks between the first and the last of them.
private struct Met {
  let hunks: [Hunks.Placed]
  /// What comes before the hunks.
  let before: Hunks.Lengths
  let edits: [Edit]
  /// The text before the edits.
  let buffer: Text
  let deleting: Hunk.Manner

  /// A hunk as the edits leave it.
  struct Composed {
    var old: Range<Int>
    var removed: RemovedText
    var newCount: Int
    var manner: Hunk.Manner
  }

  /// The hunks with the edits composed onto them.
  var composed: [Composed] { composed(edits[...], onto: hunks.indices) }

  private func composed(_ edits: ArraySlice<Edit>, onto range: Range<Int>) -> [Composed] {
    var composed: [Composed] = []
    for meeting in Meetings(hunks[range].lazy.map(\.new), edits.lazy.map(\.range)) {
      if meeting.second.isEmpty {
        composed += hunks[meeting.first].map {
          Composed(old: $0.old, removed: $0.removed, newCount: $0.newCount, manner: $0.manner)
        }
      } else {
        composed += joined(edits[meeting.second], onto: meeting.first)
      }
    }
    return composed
  }

  /// The same for edits and hunks of which each touches one before it.
  ///
  /// The result is as if the edits were made one at a time, from the last: what some of them undo leaves nothing for
  /// earlier ones to touch.
  private func joined(_ edits: ArraySlice<Edit>, onto range: Range<Int>) -> [Composed] {
    var first = range.upperBound
    var growth = 0
    for index in edits.indices.dropFirst().reversed() {
      let edit = edits[index]
      growth += edit.growth
      while first > range.lowerBound, hunks[first - 1].new.upperBound >= edit.range.lowerBound {
        first -= 1
        growth += hunks[first].growth
      }
      if growth == 0, !Joined(self, edits[index...], first..<range.upperBound).isChange {
        return composed(edits[..<index], onto: range.lowerBound..<first)
      }
    }
    let all = Joined(self, edits, range)
    return all.isChange ? [all.hunk] : []
  }

  /// Edits and the hunks that they meet; each of them touches one before it.
  private struct Joined {
    let met: Met
    /// At least one.
    let edits: ArraySlice<Edit>
    let range: Range<Int>
    var hunks: ArraySlice<Hunks.Placed> { met.hunks[range] }
    /// What they cover, in the text before the edits.
    let stretch: Range<Int>

    init(_ met: Met, _ edits: ArraySlice<Edit>, _ range: Range<Int>) {
      self.met = met
      self.edits = edits
      self.range = range
      let hunks = met.hunks[range]
      let all =
        edits[edits.startIndex].range.lowerBound..<edits[edits.endIndex - 1].range.upperBound
      stretch =
        min(
          all.lowerBound,
          hunks.first?.new.lowerBound ?? Int.max
        )..<max(
          all.upperBound,
          hunks.last?.new.upperBound ?? 0
        )
    }

    var newCount: Int { stretch.count + edits.growth }
    private var oldCount: Int { stretch.count - hunks.growth }

    /// Whether the settled text is another one than the text after the edits.
    var isChange: Bool {
      guard newCount == oldCount else { return true }
      let old = removed.bytes
      var at = 0
      func isSame(_ new: ArraySlice<UInt8>) -> Bool {
        defer { at += new.count }
        return new == old[at..<at + new.count]
      }
      /// A little at a time: nearly always the first bytes tell.
      func isSame(_ range: Range<Int>) -> Bool {
        stride(from: range.lowerBound, to: range.upperBound, by: 256).allSatisfy {
          isSame(met.buffer[$0..<min($0 + 256, range.upperBound)])
        }
      }
      var start = stretch.lowerBound
      for edit in edits {
        guard isSame(start..<edit.range.lowerBound), isSame(edit.new[...]) else { return true }
        start = edit.range.upperBound
      }
      return !isSame(start..<stretch.upperBound)
    }

    var hunk: Composed {
      let last = range.lowerBound > 0 ? met.hunks[range.lowerBound - 1] : nil
      let end =
        last.map { ($0.old.upperBound, $0.new.upperBound) } ?? (met.before.old, met.before.new)
      let start = end.0 + stretch.lowerBound - end.1
      return Composed(
        old: start..<start + oldCount,
        removed: removed,
        newCount: newCount,
        manner: manner
      )
    }

    /// The settled text there.
    private var removed: RemovedText {
      var removed = RemovedText()
      var at = stretch.lowerBound
      for hunk in hunks {
        removed.append(Array(met.buffer[at..<hunk.new.lowerBound]))
        removed.append(hunk.removed)
        at = hunk.new.upperBound
      }
      removed.append(Array(met.buffer[at..<stretch.upperBound]))
      return removed
    }

    /// How settled text was changed; an edit that also replaces typed text is taken literally.
    private var manner: Hunk.Manner {
      var manners = hunks.map(\.manner)
      var eatsTyped = false
      var next = range.lowerBound
      for edit in edits {
        manners.append(edit.new.isEmpty ? met.deleting : Hunk(edit, on: met.buffer).manner)
        while next < range.upperBound, hunks[next].new.upperBound <= edit.range.lowerBound {
          next += 1
        }
        var met = next
        var typed = 0
        while met < range.upperBound, hunks[met].new.lowerBound < edit.range.upperBound {
          eatsTyped = true
          typed += hunks[met].new.clamped(to: edit.range).count
          met += 1
        }
        if met > next, typed < edit.range.count { return .other }
      }
      let manner = manners.dropFirst().reduce(manners[0]) { $0.joined(with: $1) }
      return eatsTyped && manner == .overtyped ? .other : manner
    }
  }
}
