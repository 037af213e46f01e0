extension Review {
  /// Whether there is a deletion and an addition that touch, at a caret or in a selection of the
  /// buffer.
  public func canJoin(at range: Range<Int>) -> Bool { pair(at: moved(range)) != nil }

  /// Writes a deletion and an addition that touch each other as one substitution, the comments of
  /// both after it.
  func join(_ range: Range<Int>) throws(Failure) -> VerifiedEdits {
    guard let (deletion, addition) = pair(at: range) else {
      throw Failure(description: "There is no deletion beside an addition here.")
    }
    let first = deletion.range.lowerBound < addition.range.lowerBound ? deletion : addition
    let edits = first == deletion ? joined(deletion, addition) : swapped(addition, deletion)
    let marks = deletion.marks.count + addition.marks.count
    return try written(
      [edits],
      orElse: "A substitution of these texts would end or divide elsewhere."
    ) { reading in
      let made = reading.marks.first { $0.start == first.range.lowerBound }
      return made?.kind == .substitution
        && reading.marks.count == settled.reading.marks.count - marks + 1
    }
  }

  /// Only delimiters are replaced; the texts stay in place.
  private func joined(_ deletion: Change, _ addition: Change) -> [Edit] {
    let (old, new) = (deletion.marks, addition.marks)
    let opener = MarkKind.substitution.opener(like: old[0], in: settled.bytes)
    var edits = [Edit(old[0].opener, opener)]
    edits += seams(of: old)
    let middle = old[old.count - 1].closer.lowerBound..<new[0].opener.upperBound
    edits.append(Edit(middle, MarkKind.arrow))
    edits += seams(of: new)
    let last = new[new.count - 1]
    let thread = deletion.thread.flatMap { settled.bytes[$0.range] }
    let closer = MarkKind.substitution.closer(like: last, in: settled.bytes)
    edits.append(Edit(last.closer, closer + thread))
    return edits
  }

  /// The text between the marks of one change, which is removed.
  private func seams(of marks: [Mark]) -> [Edit] {
    zip(marks, marks.dropFirst()).map { Edit($0.closer.lowerBound..<$1.opener.upperBound, []) }
  }

  private func swapped(_ addition: Change, _ deletion: Change) -> [Edit] {
    let old = deletion.marks.flatMap { settled.bytes[$0.content] }
    let new = addition.marks.flatMap { settled.bytes[$0.content] }
    let thread = addition.thread.flatMap { settled.bytes[$0.range] }
    let mark = deletion.marks[0]
    let substitution =
      MarkKind.substitution.opener(like: mark, in: settled.bytes) + old + MarkKind.arrow + new
      + MarkKind.substitution.closer(like: mark, in: settled.bytes)
    return [
      Edit(addition.range.lowerBound..<deletion.markRange.upperBound, substitution + thread)
    ]
  }

  private func pair(at range: Range<Int>) -> (deletion: Change, addition: Change)? {
    let all = changes
    for change in chosen(range) {
      guard let index = all.firstIndex(of: change) else { continue }
      for (first, second) in [(index, index + 1), (index - 1, index)] {
        guard all.indices.contains(first), all.indices.contains(second),
          all[first].range.upperBound == all[second].range.lowerBound,
          all[first].marks.first?.depth == all[second].marks.first?.depth,
          all[first].marks.first?.metadataHash == all[second].marks.first?.metadataHash
        else { continue }
        switch (all[first].kind, all[second].kind) {
        case (.deletion, .addition): return (all[first], all[second])
        case (.addition, .deletion): return (all[second], all[first])
        default: continue
        }
      }
    }
    return nil
  }

  /// Writes a substitution as a deletion and an addition, with the first strategy that reads back as
  /// meant.
  func split(_ range: Range<Int>) throws(Failure) -> VerifiedEdits {
    guard let change = chosen(range).last(where: { $0.kind == .substitution }) else {
      throw Failure(description: "There is no substitution here.")
    }
    let old = change.marks.flatMap { settled.bytes[$0.old ?? 0..<0] }
    let new = change.marks.flatMap { settled.bytes[$0.new ?? 0..<0] }
    return try written(
      Strategy.allCases.lazy.map { split(change, old, new, $0) },
      orElse: "These texts cannot be written as a deletion and an addition."
    ) { reading in
      let made = reading.marks.first { $0.start == change.range.lowerBound }
      return made?.kind == (old.isEmpty ? .addition : .deletion)
        && reading.marks.count >= settled.reading.marks.count - change.marks.count + 1
    }
  }

  private func split(_ change: Change, _ old: [UInt8], _ new: [UInt8], _ strategy: Strategy)
    -> [Edit]
  {
    let mark = change.marks[0]
    let bytes = settled.bytes
    func printed(_ kind: MarkKind, _ text: [UInt8]) -> [UInt8] {
      text.isEmpty ? [] : kind.printed(around: text, strategy, like: mark, in: bytes, as: language)
    }
    guard strategy == .plain, change.marks.count == 1, !old.isEmpty, !new.isEmpty else {
      return [Edit(change.markRange, printed(.deletion, old) + printed(.addition, new))]
    }
    return [
      Edit(mark.opener, MarkKind.deletion.opener(like: mark, in: bytes)),
      Edit(
        mark.arrow..<mark.arrow + 2,
        MarkKind.deletion.closer(like: mark, in: bytes)
          + MarkKind.addition.opener(like: mark, in: bytes)
      ),
      Edit(mark.closer, MarkKind.addition.closer(like: mark, in: bytes)),
    ]
  }
}
