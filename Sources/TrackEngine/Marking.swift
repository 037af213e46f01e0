/// How pending changes are put into marks: what to do to the buffer, and what is still pending then.
public struct Marking: Equatable, Sendable {
  /// Small, sorted, disjoint edits of the buffer that do not touch and replace nothing that was typed.
  public internal(set) var edits: [Edit] = []
  /// The hunks that stay pending, on the text that is settled once the edits are made.
  public internal(set) var remaining: [Hunk] = []
}

extension Marking {
  /// Works out the marks for all hunks of a burst, those that are near each other together.
  ///
  /// Every form is read back before it is taken; a change for which no form reads as it is meant
  /// stays pending. What is in marks can make others readable, so it goes on for as long as that
  /// helps. Linear in the hunks and the passages around them, but for hunks near each other that each
  /// need another form: those are read back again and again.
  ///
  /// - Parameters:
  ///   - hunks: What the user has changed since the text was settled.
  ///   - buffer: The text as it is now.
  ///   - options: How the document is tracked.
  ///   - isForced: Whether a mark that is still being typed is marked too.
  init(_ hunks: [Hunk], in buffer: Draft, options: Tracker.Options, isForced: Bool) {
    remaining = hunks
    var draft = buffer
    while !remaining.isEmpty {
      let next = Marking(once: remaining, in: draft, options, isForced: isForced)
      let isOver = next.remaining.isEmpty || next.remaining.count == remaining.count
      remaining = next.remaining
      if edits.isEmpty {
        edits = next.edits
      } else if !next.edits.isEmpty {
        edits = edits.followed(by: next.edits, on: buffer.text)
      }
      if isOver { return }
      draft = draft.applying(next.edits)
    }
  }

  private init(
    once hunks: [Hunk],
    in buffer: Draft,
    _ options: Tracker.Options,
    isForced: Bool
  ) {
    for vicinity in Vicinity.all(of: hunks, in: buffer, options) {
      let part = Marking(of: vicinity, options, isForced: isForced)
      guard buffer.isApart(vicinity.new, with: part.edits) else {
        // What would be written reads together with text far away.
        self = Marking(of: Vicinity(hunks, in: buffer.text), options, isForced: isForced)
        return
      }
      // How much longer the settled text has become before the vicinity.
      let growth = edits.growth - remaining.growth
      remaining += part.remaining.map { $0.moved(by: growth + vicinity.growth) }
      edits += part.edits
    }
  }

  private init(of vicinity: Vicinity, _ options: Tracker.Options, isForced: Bool) {
    var settling = Settling(vicinity, options)
    settling.prepare(isForced: isForced)
    settling.write()
    edits = settling.edits().map { $0.moved(by: vicinity.new.lowerBound) }
    remaining = settling.remaining().map { $0.moved(by: vicinity.old.lowerBound) }
  }
}
