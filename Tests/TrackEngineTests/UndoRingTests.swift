import TestSupport
import Testing

@testable import TrackEngine

@Suite("Recent states", .timeLimited) struct UndoRingTests {
  /// More than are remembered.
  private static let many = 10_000
  /// How many are remembered at least.
  private static let capacity = 4096

  /// A document in which a number has been counted up, each number a state.
  private func counted(isOneReport: Bool) -> Tracker {
    var tracker = Tracker(Text(Array("No. \(digits(0)) of these.\n".utf8)))
    for number in 1...Self.many {
      show(number, in: &tracker, isLast: !isOneReport || number == Self.many)
    }
    return tracker
  }

  @discardableResult
  private func show(_ number: Int, in tracker: inout Tracker, isLast: Bool = true)
    -> Tracker.Arrival
  {
    tracker.report(Edit(4..<9, Array(digits(number).utf8)), isLast: isLast)
  }

  private func digits(_ number: Int) -> String { "\(10_000 + number)" }

  @Test(
    "Of ten thousand the last thousands are known again with their changes, and the others are forgotten"
  )
  func forgetting() {
    var tracker = counted(isOneReport: false)
    let settled = Array("No. \(digits(0)) of these.\n".utf8)
    var number = Self.many - 1
    while number >= 0, show(number, in: &tracker) == .known {
      #expect(tracker.buffer.applying(tracker.hunks.inverted).bytes == settled)
      number -= 1
    }
    #expect(number > 0)
    #expect(Self.many - number > Self.capacity)
    // What is forgotten is new, and known from then on.
    #expect(show(number - 1, in: &tracker) == .edit)
    #expect(show(number, in: &tracker) == .known)
  }

  @Test("A report can have more of them than are remembered")
  func longReport() {
    var tracker = counted(isOneReport: true)
    #expect(show(Self.many - 1, in: &tracker) == .known)
    #expect(show(Self.many, in: &tracker) == .known)
  }

  @Test("A state can be gone back to by its number as long as it is remembered and had the text")
  func numbers() {
    let capacity = 64
    var ring = UndoRing(capacity: capacity)
    let texts = (0...2 * capacity).map { Text(Array("\($0)".utf8)) }
    let states = texts.map { Tracker($0).state }
    for (state, text) in zip(states, texts) { ring.add(state, text.hash, from: ring.here) }
    let here = ring.here
    var fresh = ring
    #expect(fresh.go(backTo: here - 1, texts[here - 1]) != nil)
    #expect(fresh.here == here - 1)
    #expect(ring.go(backTo: here, texts[here]) == nil)
    #expect(ring.go(backTo: here - 1, texts[here - 2]) == nil)
    #expect(ring.go(backTo: 0, texts[0]) == nil)
    #expect(ring.here == here)
  }

  @Test("A deletion and what put it into its mark are undone as one, told by its letters too")
  func deletionWithItsMark() {
    var tracker = Tracker(Text(Array("The {--lazy --}dog\n".utf8)))
    tracker.report(Edit(15..<16, []))
    let isKnown = tracker.land(tracker.marking())
    #expect(isKnown)
    tracker.report(Edit(16..<16, Array("d".utf8)), isLast: false)
    let arrival = tracker.report(Edit(12..<13, []))
    #expect(arrival == .known)
    #expect(tracker.isSettled)
  }

  @Test(
    "A text with changes on both sides of a substitution is known again behind marks made since"
  )
  func bothSides() {
    var tracker = Tracker(Text(Array("It {~~runs~>jumps~~}.".utf8)))
    for range in [20..<21, 16..<17] {
      tracker.report(Edit(range, []))
    }
    tracker.report(Edit(16..<16, Array("s".utf8)))
    let isKnown = tracker.land(tracker.marking())
    #expect(isKnown)
    #expect(tracker.buffer.bytes == Array("It {~~runs.~>jumps~~}".utf8))
    let arrival = tracker.report(Edit(10..<18, Array("~>jump".utf8)))
    #expect(arrival == .known)
    #expect(tracker.isHeld)
  }
}
