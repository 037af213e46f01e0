/// How pending changes are put into marks: what to do to the buffer, and what is still pending then.
public struct Marking: Equatable, Sendable {
  /// Small, sorted, disjoint edits of the buffer that do not touch and replace nothing that was typed.
  public internal(set) var edits: [Edit] = []
  /// The hunks that stay pending, on the text that is settled once the edits are made.
  public internal(set) var remaining: [Hunk] = []
  /// How often the text of a vicinity was read back, which is the work.
  private(set) var readings = 0

  /// How many strategies are tried in a vicinity the first time where its changes can't be written plainly.
  private static let maxTries = 256
  private static let maxRounds = 4
}

extension Marking {
  /// The same with edits in hundreds at most; `text` is the buffer.
  public func withFewerEdits(of text: Text) -> Marking {
    var marking = self
    marking.edits = edits.fewer(in: text)
    return marking
  }

  /// Works out the marks for all hunks of a burst, those that are near each other together.
  ///
  /// Every strategy is read back before it is taken; a change that no strategy can print so that it reads as it is meant
  /// stays pending. What is in marks can make others readable, so it goes on for as long as that
  /// helps, four times at most. Linear in the hunks and the passages around them: hunks near each other
  /// that each need another strategy are read back again and again, but only so often.
  ///
  /// - Parameters:
  ///   - hunks: What the user has changed since the text was settled.
  ///   - buffer: The text as it is now.
  ///   - options: How the document is tracked.
  ///   - isForced: Whether a mark that is still being typed is marked too.
  init(_ hunks: [Hunk], in buffer: Draft, options: Tracker.Options, isForced: Bool) {
    remaining = hunks
    var draft = buffer
    var round = 0
    while !remaining.isEmpty {
      round += 1
      let most = Marking.maxTries / round
      let next = Marking(once: remaining, in: draft, options, isForced: isForced, trying: most)
      readings += next.readings
      let isDone =
        next.remaining.isEmpty || next.remaining.count == remaining.count
        || round == Marking.maxRounds
      remaining = next.remaining
      if edits.isEmpty {
        edits = next.edits
      } else if !next.edits.isEmpty {
        edits = edits.followed(by: next.edits, on: buffer.text)
      }
      if isDone { return }
      draft = draft.applying(next.edits)
    }
  }

  private init(
    once hunks: [Hunk],
    in buffer: Draft,
    _ options: Tracker.Options,
    isForced: Bool,
    trying most: Int
  ) {
    let vicinities = Vicinity.all(of: hunks, in: buffer, options)
    var stretches: [Range<Int>] = []
    // How much longer the buffer has become before the vicinity.
    var growth = 0
    for vicinity in vicinities {
      let part = Marking(of: vicinity, options, isForced: isForced, trying: most)
      readings += part.readings
      // How much longer the settled text has become before it.
      let shift = growth - remaining.growth
      remaining += part.remaining.map { $0.moved(by: shift + vicinity.growth) }
      let start = vicinity.new.lowerBound + growth
      edits += part.edits
      growth += part.edits.growth
      stretches.append(start..<vicinity.new.upperBound + growth)
    }
    // The whole text always reads by itself, and its edits can be many.
    if edits.isEmpty || stretches == [0..<buffer.text.count + growth] { return }
    let marked = buffer.applying(edits)
    guard stretches.allSatisfy(marked.isApart) else {
      // What would be written reads together with text far away.
      let all = Vicinity(hunks, in: buffer.text)
      self = Marking(of: all, options, isForced: isForced, trying: most)
      return
    }
  }

  private init(
    of vicinity: Vicinity,
    _ options: Tracker.Options,
    isForced: Bool,
    trying most: Int
  ) {
    var printing = Printing(Unmarked(vicinity, options), isForced: isForced)
    printing.search(trying: most)
    readings = printing.readings
    edits = printing.edits().map { $0.moved(by: vicinity.new.lowerBound) }
    remaining = printing.remaining().map { $0.moved(by: vicinity.old.lowerBound) }
  }
}
