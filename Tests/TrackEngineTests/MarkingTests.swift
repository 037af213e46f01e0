import TestSupport
import Testing

@testable import TrackEngine

@Suite("Marking changes whose text meets that of others", .timeLimited) struct MarkingTests {
  /// The document after edits that come one after the other.
  private func tracker(_ text: String, _ edits: [(Range<Int>, String)]) -> Tracker {
    var tracker = Tracker(Text(Array(text.utf8)))
    for (range, new) in edits {
      tracker.apply([Edit(range, Array(new.utf8))])
      tracker.arrive()
    }
    return tracker
  }

  @Test("A change that takes text far from it along is written with what is around it")
  func far() {
    let text = "c{++- \n{++a++}a- c{++++}`++}++}{++a++}\n\na"
    var tracker = tracker(
      text,
      [(2..<7, ""), (26..<29, ""), (16..<16, "\n\nword `b`"), (13..<13, "\n\n{++a++}``b`a{++")]
    )
    let marking = tracker.marking()
    tracker.expect(marking)
    tracker.apply(marking.edits)
    #expect(tracker.arrive() == .echo)
    // What could not be written stays pending.
    let marked = tracker.buffer.applying(tracker.hunks.inverted).bytes
    let original = Array(text.utf8)
    #expect(
      Reading(of: marked).text(.original, of: marked)
        == Reading(of: original).text(.original, of: original)
    )
  }

  @Test("What is looked at for a letter is what is around it, in a text of any length")
  func vicinity() {
    let tracker = tracker(
      String(repeating: PromiseTests.long, count: 8),
      [(30_000..<30_000, "x")]
    )
    let vicinities = Vicinity.all(of: tracker.hunks, in: tracker.draft, tracker.options)
    #expect(vicinities.count == 1)
    #expect(vicinities.allSatisfy { $0.old.count < 6 * Cutting.usualGrain })
    #expect(tracker.buffer.count > 60_000)
  }

  @Test("A closer comes back with the character before it, be a mark half typed elsewhere or not")
  func closer() {
    let text = "a {--bb--} c\n\nmore text here\n"
    let alone = tracker(text, [(9..<10, "")]).marking(isForced: false)
    #expect(alone.edits.last?.description == "8..<9 \"-}\"")
    let beside = tracker(text, [(28..<28, "{--x"), (9..<10, "")]).marking(isForced: false)
    #expect(beside.edits == alone.edits)
    #expect(beside.remaining.count == 1)
  }
}
