extension Settling {
  /// Edits in order; where two windows meet, theirs become one.
  func edits() -> [Edit] {
    written.sorted { $0.window.old.lowerBound < $1.window.old.lowerBound }
      .flatMap { edits(of: $0) }
      .reduce(into: []) { joined, edit in
        if joined.last?.range.upperBound == edit.range.lowerBound {
          joined[joined.count - 1].join(edit, in: buffer)
        } else {
          joined.append(edit)
        }
      }
  }

  /// The edits that turn a window of the buffer into its new text: what was added stays, and of the
  /// rest all that need not move.
  private func edits(of written: Written) -> [Edit] {
    var limits: [Int] = []
    var limit = written.window.new.upperBound
    for run in written.runs.reversed() {
      limits.append(limit)
      if run.stays, let origin = run.origin { limit = min(limit, origin) }
    }
    limits.reverse()
    var edits: [Edit] = []
    var at = written.window.new.lowerBound
    var new: [UInt8] = []
    for (run, limit) in zip(written.runs, limits) {
      if let origin = run.origin, origin >= at, origin + run.bytes.count <= limit {
        edits.append(Edit(at..<origin, new))
        new = []
        at = origin + run.bytes.count
      } else {
        new += run.bytes
      }
    }
    edits.append(Edit(at..<written.window.new.upperBound, new))
    return edits.trimmed(on: buffer).map { restoringCloser($0, in: written.window) }
  }

  /// Where a Backspace ate the end of a closer, the edit that puts it back takes in the character
  /// before, so that the caret comes to stand after the closer again.
  private func restoringCloser(_ edit: Edit, in window: Window) -> Edit {
    let at = edit.range.lowerBound
    guard edit.range.isEmpty, at > window.new.lowerBound,
      rebuilding.pending[window.changes].contains(where: { change in
        change.manner.isBare && change.new == at..<at
          && settled.mark(at: max(0, change.old.upperBound - 1))
            .map { settled.reading.marks[$0].end == change.old.upperBound } ?? false
      }),
      "+-~=<".utf8.contains(buffer[at - 1])
    else { return edit }
    return Edit(at - 1..<at, [buffer[at - 1]] + edit.new)
  }

  func remaining() -> [Hunk] {
    let done = written.sorted { $0.window.old.lowerBound < $1.window.old.lowerBound }
    let taken = Set(
      done.flatMap { rebuilding.pending[$0.window.changes].flatMap { Array($0.hunks) } }
    )
    let map = OffsetMap(done)
    return hunks.indices.filter { !taken.contains($0) }.map { hunks[$0].moved(along: map) }
  }
}
