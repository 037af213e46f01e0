extension Review {
  /// Alternatives that touch, of which only one can stay.
  public struct Conflict: Equatable, Sendable {
    /// The changes, in offsets of the stretch.
    public let changes: [Change]
    /// From the first mark to the end of the last thread, in the buffer; nil if some of it is not in marks yet.
    public let range: Range<Int>?
    /// Who made them.
    public let names: [String]
  }

  /// The alternatives at a caret or in a selection of the buffer; nil if there are none.
  public func conflict(at range: Range<Int>) -> Conflict? {
    guard let found = alternatives(at: moved(range)),
      let (first, last) = found.first.flatMap({ first in found.last.map { (first, $0) } })
    else { return nil }
    let all = first.range.joined(with: last.range).moved(by: start)
    return Conflict(
      changes: found,
      range: toMarked.inverted.mapWhole(all),
      names: found.flatMap(makers).unique
    )
  }

  /// Accepts the alternatives that somebody made, and rejects the others.
  func take(alternativesBy name: String, at range: Range<Int>) throws(Failure) -> VerifiedEdits {
    let name = CommentHead.shown(name)
    guard let found = alternatives(at: range) else {
      throw Failure(description: "There are no alternatives here.")
    }
    let taken = found.filter { makers(of: $0).contains(name) }
    guard !taken.isEmpty else {
      throw Failure(description: "None of the alternatives is by @\(CommentHead.written(name)).")
    }
    return try resolved(found.map { ($0, taken.contains($0) ? .clean : .original) })
  }

  private func makers(of change: Change) -> [String] {
    let footnotes = marked.footnotes(for: settled.reading, in: settled.bytes)
    return change.makers(in: settled.bytes, footnotes)
  }

  /// The alternatives of which one is at a place of the stretch.
  private func alternatives(at range: Range<Int>) -> [Change]? {
    let chosen = chosen(range)
    let all = changes.filter(\.kind.isChange)
    guard let here = all.firstIndex(where: { chosen.contains($0) && isAlternative($0) }) else {
      return nil
    }
    /// Whether a change belongs to the alternatives before it: the old text, or the only new one, comes first.
    func continues(_ index: Int) -> Bool {
      index > 0 && all.indices.contains(index) && all[index].kind == .addition
        && isAlternative(all[index]) && isAlternative(all[index - 1])
        && all[index - 1].range.upperBound == all[index].range.lowerBound
    }
    var (first, last) = (here, here)
    while continues(first) { first -= 1 }
    while continues(last + 1) { last += 1 }
    return Array(all[first...last])
  }

  private func isAlternative(_ change: Change) -> Bool { change.isConflict(in: settled.bytes) }
}
