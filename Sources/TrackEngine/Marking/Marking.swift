/// The result of putting pending changes into marks: the edits of the buffer, and what is still pending after
/// them.
public struct Marking: Equatable, Sendable {
  /// Small, sorted, disjoint edits of the buffer that do not touch each other and replace no typed text.
  public internal(set) var edits: [Edit] = []
  /// The hunks that remain pending, relative to the settled text after the edits.
  public internal(set) var remaining: [Hunk] = []
  /// How often the text of a vicinity was read back, which is most of the cost.
  private(set) var readings = 0

  private static let maxRounds = 4
}

extension Marking {
  /// The same marking with a few hundred edits at most; `text` is the buffer.
  public func withFewerEdits(of text: Text) -> Marking {
    var marking = self
    marking.edits = edits.fewer(in: text)
    return marking
  }

  /// Computes the marks for all hunks of a burst, hunks near each other together.
  ///
  /// The result of every strategy is read back before it is accepted; a change that no strategy prints so that
  /// it reads as meant stays pending. Changes already in marks can make others printable, so this is repeated
  /// while it helps, at most four times. Linear in the hunks and the passages around them; where adjacent hunks
  /// each need another strategy, they are read back repeatedly, up to a fixed number of times.
  ///
  /// - Parameters:
  ///   - hunks: The user's changes since the text was settled.
  ///   - buffer: The present text.
  ///   - options: How the document is tracked.
  ///   - isForced: Whether to mark even a mark that is still being typed.
  init(_ hunks: [Hunk], in buffer: Draft, options: Tracker.Options, isForced: Bool) {
    remaining = hunks
    var draft = buffer
    var round = 0
    while !remaining.isEmpty, round < Marking.maxRounds {
      round += 1
      let count = remaining.count
      mark(from: buffer, in: &draft, options, .searching(isForced: isForced))
      if remaining.count == count { break }
    }
    if isForced, !remaining.isEmpty { mark(from: buffer, in: &draft, options, .comparing) }
  }

  /// How changes are put into marks.
  private enum Manner {
    /// By trying the forms that marks can have.
    case searching(isForced: Bool)
    /// As old and new text, broken into as many marks as that takes.
    case comparing
  }

  /// Marks what remains in a draft, to which the edits so far led from the buffer.
  private mutating func mark(
    from buffer: Draft,
    in draft: inout Draft,
    _ options: Tracker.Options,
    _ manner: Manner
  ) {
    let next = Marking(once: remaining, in: draft, options, manner)
    readings += next.readings
    remaining = next.remaining
    edits = edits.isEmpty ? next.edits : edits.followed(by: next.edits, on: buffer.text)
    if !remaining.isEmpty { draft = draft.applying(next.edits) }
  }

  private init(
    once hunks: [Hunk],
    in buffer: Draft,
    _ options: Tracker.Options,
    _ manner: Manner
  ) {
    let vicinities = Vicinity.all(of: hunks, in: buffer, options)
    var stretches: [Range<Int>] = []
    // How many bytes longer the buffer has become before the vicinity.
    var growth = 0
    for vicinity in vicinities {
      let part = Marking(of: vicinity, options, manner)
      readings += part.readings
      let start = vicinity.new.lowerBound + growth
      let settledStart = start - remaining.growth
      remaining += part.remaining.map { $0.moved(old: settledStart, new: start) }
      edits += part.edits
      growth += part.edits.growth
      stretches.append(start..<vicinity.new.upperBound + growth)
    }
    // The whole text always reads independently, and its edits may be many.
    if edits.isEmpty || stretches == [0..<buffer.text.count + growth] { return }
    let marked = buffer.applying(edits)
    guard stretches.allSatisfy(marked.isApart) else {
      // The new text does not read independently of text far away.
      self = Marking(of: Vicinity(hunks, in: buffer.text), options, manner)
      return
    }
  }

  private init(of vicinity: Vicinity, _ options: Tracker.Options, _ manner: Manner) {
    let unmarked = Unmarked(vicinity, options)
    var printing: Printing
    switch manner {
    case .searching(let isForced):
      printing = Printing(unmarked, isForced: isForced)
      printing.search()
    case .comparing:
      printing = Printing(unmarked, isForced: true)
      printing.compare()
    }
    readings = printing.readings
    edits = printing.edits().map { $0.moved(by: vicinity.new.lowerBound) }
    remaining = printing.remaining()
  }
}
