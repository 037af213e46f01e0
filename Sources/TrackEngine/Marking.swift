/// How pending changes are put into marks: what to do to the buffer, and what is still pending then.
public struct Marking: Equatable, Sendable {
  /// Small, sorted, disjoint edits of the buffer that do not touch and replace nothing that was typed.
  public internal(set) var edits: [Edit] = []
  /// The hunks that stay pending, on the text that is settled once the edits are made.
  public internal(set) var remaining: [Hunk] = []
}

extension Marking {
  /// Works out the marks for all hunks of a burst together.
  ///
  /// Every form is read back before it is taken; a change for which no form reads as it is meant
  /// stays pending. Linear in the text.
  ///
  /// - Parameters:
  ///   - hunks: What the user has changed since the text was settled.
  ///   - buffer: The text as it is now.
  ///   - options: How the document is tracked.
  ///   - isForced: Whether a mark that is still being typed is marked too.
  init(_ hunks: [Hunk], in buffer: Text, options: Tracker.Options, isForced: Bool) {
    guard !hunks.isEmpty else { return }
    var settling = Settling(hunks, buffer, options)
    settling.prepare(isForced: isForced)
    settling.write()
    edits = settling.edits()
    remaining = settling.remaining()
  }
}
