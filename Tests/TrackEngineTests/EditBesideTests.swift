import TestSupport
import Testing

@testable import TrackEngine

@Suite("Edits of somebody else's beside what is pending", .timeLimited) struct EditBesideTests {
  @Test("What is pending stays so, and both readings have the edit", arguments: 0..<400)
  func beside(_ seed: UInt64) {
    var chance = Seeded(seed: seed)
    let words = (0..<40).map { "word\($0)" }
    var tracker = Tracker(Text(Array((words.joined(separator: " ") + "\n").utf8)))
    for _ in 0..<Int.random(in: 0...6, using: &chance) {
      let start = Int.random(in: 0..<tracker.buffer.count - 4, using: &chance)
      let length = Int.random(in: 0...3, using: &chance)
      let new = Bool.random(using: &chance) ? Array("xy".utf8) : []
      guard length > 0 || !new.isEmpty else { continue }
      tracker.report(Edit(start..<start + length, new))
    }
    let hunks = tracker.hunks
    let (original, buffer) = (tracker.original, tracker.buffer)
    var edits: [Edit] = []
    var place = 0
    for _ in 0..<Int.random(in: 1...4, using: &chance) {
      let start = place + Int.random(in: 0...40, using: &chance)
      let end = start + Int.random(in: 1...3, using: &chance)
      guard end < buffer.count else { break }
      edits.append(Edit(start..<end, Array("OTHER".utf8)))
      place = end + 1
    }
    let touches = edits.contains { edit in
      hunks.contains {
        edit.range.lowerBound <= $0.new.upperBound && $0.new.lowerBound <= edit.range.upperBound
      }
    }
    guard let own = tracker.ownEdit(beside: edits) else {
      #expect(touches, "\(edits) beside \(hunks), seed \(seed)")
      return
    }
    #expect(!touches, "\(edits) beside \(hunks), seed \(seed)")
    tracker.apply(ours: edits)
    tracker.land(own)
    #expect(tracker.hunks.count == hunks.count, "seed \(seed)")
    #expect(tracker.hunks.map(\.removed) == hunks.map(\.removed), "seed \(seed)")
    let settled = edits.map { edit in
      edit.moved(by: -hunks.filter { $0.new.upperBound < edit.range.lowerBound }.growth)
    }
    #expect(tracker.original == original.applying(settled), "seed \(seed)")
  }

  @Test("What undo brought back stays unmarked")
  func held() throws {
    var tracker = Tracker(Text(Array("one two three".utf8)))
    tracker.report(Edit(4..<7, Array("2".utf8)))
    _ = tracker.land(tracker.marking())
    let undo = Edit(0..<tracker.buffer.count, Array("one 2 three".utf8))
    #expect(tracker.report(undo) == .known)
    #expect(tracker.isHeld)
    let own = try #require(tracker.ownEdit(beside: [Edit(0..<1, Array("O".utf8))]))
    tracker.apply(ours: own.edits)
    tracker.land(own)
    #expect(tracker.isHeld)
    #expect(!tracker.isSettled)
  }
}
