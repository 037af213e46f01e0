extension [Hunk] {
  /// Composes edits of the buffer onto the hunks; `buffer` is the text before all of them.
  ///
  /// Hunks and edits that touch are joined; a hunk that changes nothing is dropped. Linear in the edits, the
  /// hunks, and the text of the hunks that an edit meets.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - buffer: The text before all of them.
  ///   - deleting: The manner of a single edit that only removes text.
  mutating func compose(_ edits: [Edit], on buffer: Text, deleting: Hunk.Manner = .bare) {
    if edits.count == 1 { return compose(edits[0], on: buffer, deleting: deleting) }
    self = composed(edits[...], onto: indices, at: differences.map(\.new), on: buffer)
  }

  /// Some of the hunks, at the ranges `known` of the buffer, with edits composed onto them.
  private func composed(
    _ edits: ArraySlice<Edit>,
    onto hunks: Range<Int>,
    at known: [Range<Int>],
    on buffer: Text
  ) -> [Hunk] {
    var composed: [Hunk] = []
    for meeting in Meetings(known[hunks], edits.lazy.map(\.range)) {
      if meeting.second.isEmpty {
        composed += self[meeting.first]
      } else {
        composed += joined(edits[meeting.second], onto: meeting.first, at: known, on: buffer)
      }
    }
    return composed
  }

  /// The same for edits and hunks of which each touches one before it.
  ///
  /// The result is as if the edits were made one at a time, from the last: what some of them undo leaves
  /// nothing for earlier ones to touch.
  private func joined(
    _ edits: ArraySlice<Edit>,
    onto hunks: Range<Int>,
    at known: [Range<Int>],
    on buffer: Text
  ) -> [Hunk] {
    func hunk(_ edits: ArraySlice<Edit>, from first: Int) -> Hunk {
      let shift = first == 0 ? 0 : known[first - 1].upperBound - self[first - 1].old.upperBound
      let met = self[first..<hunks.upperBound]
      return Hunk(composing: edits, onto: met, shift: shift, on: buffer, deleting: .bare)
    }
    var first = hunks.upperBound
    var growth = 0
    for index in edits.indices.dropFirst().reversed() {
      let edit = edits[index]
      growth += edit.growth
      while first > hunks.lowerBound, known[first - 1].upperBound >= edit.range.lowerBound {
        first -= 1
        growth += self[first].growth
      }
      if growth == 0, !hunk(edits[index...], from: first).isChange {
        return composed(edits[..<index], onto: hunks.lowerBound..<first, at: known, on: buffer)
      }
    }
    let all = hunk(edits, from: hunks.lowerBound)
    return all.isChange ? [all] : []
  }

  /// Composes one edit of the buffer onto the hunks; those it does not meet are not moved.
  private mutating func compose(_ edit: Edit, on buffer: Text, deleting: Hunk.Manner) {
    var shift = 0  // from settled to buffer offsets, before the hunk at hand
    var first = 0
    while first < count,
      self[first].old.lowerBound + shift + self[first].new.count < edit.range.lowerBound
    {
      shift += self[first].growth
      first += 1
    }
    var last = first
    var inside = shift
    while last < count, self[last].old.lowerBound + inside <= edit.range.upperBound {
      inside += self[last].growth
      last += 1
    }
    let met = self[first..<last]
    let hunk = Hunk(composing: [edit], onto: met, shift: shift, on: buffer, deleting: deleting)
    replaceSubrange(first..<last, with: hunk.isChange ? [hunk] : [])
  }
}

extension Hunk {
  /// Joins edits and the hunks that they meet; each of them touches one before it.
  ///
  /// - Parameters:
  ///   - edits: Edits of the buffer, at least one.
  ///   - hunks: The hunks.
  ///   - shift: The first hunk's offset in the buffer less its offset in the settled text.
  ///   - buffer: The text before the edits.
  ///   - deleting: The manner of an edit that only removes text.
  fileprivate init(
    composing edits: ArraySlice<Edit>,
    onto hunks: ArraySlice<Hunk>,
    shift: Int,
    on buffer: Text,
    deleting: Manner
  ) {
    let known = hunks.differences(after: shift).map(\.new)
    let start = min(edits[edits.startIndex].range.lowerBound, known.first?.lowerBound ?? Int.max)
    removed = []
    var at = start
    for (hunk, range) in zip(hunks, known) {
      if at < range.lowerBound { removed += buffer[at..<range.lowerBound] }
      // The removed text can be long, and is shared by the states that hold it.
      if removed.isEmpty { removed = hunk.removed } else { removed += hunk.removed }
      at = max(at, range.upperBound)
    }
    if let last = edits.last, at < last.range.upperBound {
      removed += buffer[at..<last.range.upperBound]
    }
    let first = min(start - shift, hunks.first?.old.lowerBound ?? Int.max)
    old = first..<first + removed.count
    new = hunks.replaced(known, by: edits)
    manner = .bare
    manner = self.manner(of: edits, deleting, onto: hunks, known, on: buffer)
  }

  /// How the edits and the hunks changed settled text; an edit that also replaces typed text is taken
  /// literally.
  private func manner(
    of edits: ArraySlice<Edit>,
    _ deleting: Manner,
    onto hunks: ArraySlice<Hunk>,
    _ known: [Range<Int>],
    on buffer: Text
  ) -> Manner {
    var manners = hunks.map(\.manner)
    var eatsTyped = false
    var next = 0
    for edit in edits {
      manners.append(edit.new.isEmpty ? deleting : Hunk(edit, on: buffer).manner)
      while next < known.count, known[next].upperBound <= edit.range.lowerBound { next += 1 }
      var met = next
      var typed = 0
      while met < known.count, known[met].lowerBound < edit.range.upperBound {
        eatsTyped = true
        typed += known[met].clamped(to: edit.range).count
        met += 1
      }
      if met > next, typed < edit.range.count { return .other }
    }
    let manner = manners.dropFirst().reduce(manners[0]) { $0.joined(with: $1) }
    return eatsTyped && manner == .overtyped ? .other : manner
  }
}

extension ArraySlice<Hunk> {
  /// The text of the hunks, at `known`, after the edits.
  fileprivate func replaced(_ known: [Range<Int>], by edits: ArraySlice<Edit>) -> [UInt8] {
    var result: [UInt8] = []
    var next = 0
    func keep(_ range: Range<Int>) {
      while next < known.count, known[next].lowerBound < range.upperBound {
        let kept = known[next].clamped(to: range)
        if !kept.isEmpty {
          let new = self[startIndex + next].new
          let start = known[next].lowerBound
          result += new[kept.lowerBound - start..<kept.upperBound - start]
        }
        if known[next].upperBound > range.upperBound { return }
        next += 1
      }
    }
    var at = 0
    for edit in edits {
      keep(at..<edit.range.lowerBound)
      result += edit.new
      at = edit.range.upperBound
    }
    keep(at..<Int.max)
    return result
  }
}
