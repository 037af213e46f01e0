import TestSupport
import Testing

@testable import TrackEngine

@Suite("A tracked document", .timeLimited) struct TrackerTests {
  private func tracker(_ text: String) -> Tracker { Tracker(Text(Array(text.utf8))) }

  private func inserted(_ text: String, at offset: Int) -> Edit {
    Edit(offset..<offset, Array(text.utf8))
  }

  @Test("Undo leads to a text that was passed through only if it has persisted")
  func rest() {
    var rested = tracker("one")
    rested.apply(rested.meaning(of: inserted(" two", at: 3)))
    rested.arrive(orElse: .passing)
    rested.endReport()
    #expect(!rested.isAtRest)
    var passing = rested
    rested.rest()
    #expect(rested.isAtRest)
    rested.report(inserted("!", at: 7))
    passing.report(inserted("!", at: 7))
    let undo = Edit(7..<8, [])
    #expect(rested.report(undo) == .known)
    #expect(passing.report(undo) == .edit)
  }

  @Test("Backspace pressed twice deletes two letters, also if a mark came between the keys")
  func backspaceAfterOurs() {
    var tracker = tracker("fox{~~ ~>x~~}jumps")
    tracker.report(Edit(9..<10, []))
    let marking = tracker.marking(isForced: true)
    #expect(marking.edits == [Edit(4..<6, Array("--".utf8)), Edit(7..<11, Array("--".utf8))])
    _ = tracker.land(marking)
    #expect(String(decoding: tracker.buffer.bytes, as: UTF8.self) == "fox{-- --}jumps")
    // The caret is inside of the closer now.
    for (removal, text) in [(8..<9, "fo{--x --}jumps"), (7..<8, "fox{-- j--}umps")] {
      var after = tracker
      after.report(Edit(removal, []))
      let marked = after.buffer.applying(after.marking().edits)
      #expect(String(decoding: marked.bytes, as: UTF8.self) == text)
    }
  }

  @Test(
    "A word deleted from the end of an addition into the comment behind it is no text",
    arguments: ["++}{>>@anna", "++}{>>@anna | 2026-11-27", "++}{>>why"]
  )
  func wordIntoComment(_ word: String) throws {
    for rest in ["<<}one two three", "er<<}one two three"] {
      let text = Array("{++old \(word)\(rest)\n".utf8)
      var tracker = Tracker(Text(text))
      let start = try #require(text.firstRange(of: Array(word.utf8))).lowerBound
      tracker.report(Edit(start..<start + word.utf8.count, []))
      let marked = tracker.buffer.applying(tracker.marking(isForced: true).edits)
      let reading = Reading(of: marked.bytes)
      let (clean, original) = (Array("old one two three\n".utf8), Array("one two three\n".utf8))
      #expect(reading.export(.clean, of: marked.bytes) == clean)
      #expect(reading.export(.original, of: marked.bytes) == original)
    }
  }

  @Test("Recording that is turned on where it is on goes on with what is pending")
  func sameTracking() {
    var tracker = tracker("one")
    tracker.report(inserted(" two", at: 3))
    tracker.setTracking(true)
    #expect(tracker.hunks.count == 1)
    tracker.setTracking(false)
    #expect(tracker.isSettled)
    tracker.setTracking(true)
    #expect(tracker.isSettled)
  }

  @Test(
    "What is applied of an edit of ours is taken back, and nothing that was typed beside it",
    arguments: [
      // What is there now, with the marks around `new ` as far as they came, and what is left without them.
      ("one {++new two", "one new two"), ("one {++new ++}two", "one new two"),
      ("one x{++new two", "one xnew two"), ("one {++xnew two", "one xnew two"),
      ("one {++nzw two", "one nzw two"),
    ]
  )
  func takingBack(_ found: String, _ expected: String) {
    let base = Text(Array("one new two".utf8))
    let buffer = Text(Array(found.utf8))
    var own = OwnEdit([inserted("{++", at: 4), inserted("++}", at: 8)], on: base)
    own.note(wordDiff(0..<base.count, buffer.bytes, in: base), on: base)
    let left = buffer.applying(own.showing(in: buffer).takingBack)
    #expect(String(decoding: left.bytes, as: UTF8.self) == expected)
  }
}
