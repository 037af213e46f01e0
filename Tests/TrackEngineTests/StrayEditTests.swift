import TestSupport
import Testing

@testable import TrackEngine

/// Marks around `new ` in `one new two`, or around a line break in it, put in while the user types: the client
/// tells all of it as one change.
@Suite("An edit put into a newer text and told with what was typed", .timeLimited)
struct StrayEditTests {
  /// What takes the marks out again, done; nil if they are where they belong, or not there.
  private func fixed(
    _ found: String,
    from base: String = "one new two",
    told: Edit? = nil
  ) -> String? {
    let text = Text(Array(base.utf8))
    let buffer = Text(Array(found.utf8))
    let marks =
      base.contains("\n") ? [(0, 4, "{++"), (1, 2, "++}")] : [(0, 4, "{++"), (0, 8, "++}")]
    func put(in text: Text) -> [Edit] {
      let lines = String(decoding: text.bytes, as: UTF8.self).split(
        separator: "\n",
        omittingEmptySubsequences: false
      )
      return marks.map { line, column, mark in
        let start = lines[..<line].reduce(0) { $0 + $1.utf8.count + 1 }
        let place = start + min(column, lines[line].utf8.count)
        return Edit(place..<place, Array(mark.utf8))
      }
    }
    var own = OwnEdit(put(in: text), on: text)
    own.note([told ?? Edit(0..<text.count, buffer.bytes)], on: text)
    let edits = own.takingBackStray(in: buffer, put)
    return edits.map { String(decoding: buffer.applying($0).bytes, as: UTF8.self) }
  }

  @Test(
    "It is taken back, and nothing that was typed",
    arguments: [
      // Typed before it came; before and after; with the caret after the mark that came to it.
      ("one {++neab++}w two", "one neabw two"),
      ("one {++neab++}cw two", "one neabcw two"),
      ("one {++neabc++}w two", "one neabcw two"),
      // At the beginning; where it slides along equal letters.
      ("ab o{++ne n++}ew two", "ab one new two"),
      ("one {++neee++}cw two", "one neeecw two"),
    ]
  )
  func takenBack(_ found: String, _ text: String) {
    #expect(fixed(found) == text)
  }

  @Test("It is taken back also where what was typed could have been typed further on")
  func slidAlong() {
    // Enter, then the marks, then three letters: the same as three letters and Enter, but for the lines.
    #expect(fixed("one {++ne\nxyz++}\nw two", from: "one ne\nw two") == "one ne\nxyz\nw two")
  }

  @Test("It is taken back where the client tells it before a sign that it ends with")
  func toldBeside() {
    let told = Edit(4..<4, Array("{++abc}++".utf8))
    #expect(fixed("one {++abc}++}new two", from: "one }new two", told: told) == "one abc}new two")
  }

  @Test(
    "It is taken back also where it removes text, as an addition that becomes a substitution",
    arguments: [
      // Typed behind all that it removes: before it came; before and after; with an insertion in what was typed.
      ("a {~~cd~>b cx~~}d e", "a {++b ++}cxd e"), ("a {~~cd~>b cxy~~}d e", "a {++b ++}cxyd e"),
      ("a {~~cd~>b cx~~}yzd e", "a {++b ++}cxyzd e"),
      // Typed before that.
      ("ax ~~cd~>+b}c~~}d e", "ax {++b ++}cd e"), ("axy~~cd~>+++}~~}cd e", "axy {++b ++}cd e"),
      // Where it belongs.
      ("a {~~cd~>b cxd~~} e", nil), ("ax {~~cd~>b cd~~} e", nil), ("a {~~cd~>b cd~~}x e", nil),
    ]
  )
  func removing(_ found: String, _ text: String?) {
    let base = Text(Array("a {++b ++}cd e".utf8))
    let edits = [(3..<5, "~~cd~>"), (7..<10, ""), (12..<12, "~~}")]
      .map { Edit($0, Array($1.utf8)) }
    let buffer = Text(Array(found.utf8))
    var own = OwnEdit(edits, on: base)
    own.note([Edit(0..<base.count, buffer.bytes)], on: base)
    let taken = own.takingBackStray(in: buffer) { $0.count < 12 ? nil : edits }
    #expect(taken.map { String(decoding: buffer.applying($0).bytes, as: UTF8.self) } == text)
  }

  @Test("It is taken back where a line has got shorter, so that two of its parts are put in as one")
  func joined() {
    let base = Text(Array("one new two".utf8))
    let marks = [Edit(4..<4, Array("{++".utf8)), Edit(8..<8, Array("++}".utf8))]
    let buffer = Text(Array("on{++++}\ne new two".utf8))
    var own = OwnEdit(marks, on: base)
    own.note([Edit(2..<2, Array("{++++}\n".utf8))], on: base)
    let taken = own.takingBackStray(in: buffer) {
      $0.bytes[2] == 0x0A ? [Edit(2..<2, Array("{++++}".utf8))] : marks
    }
    #expect(taken.map { buffer.applying($0).bytes } == Array("on\ne new two".utf8))
  }

  @Test("One of which two parts touch is where it belongs also if it is put in as one")
  func touching() {
    let base = Text(Array("one new two".utf8))
    let edits = [Edit(4..<7, []), Edit(7..<7, Array("old".utf8))]
    let buffer = Text(Array("one oldab two".utf8))
    var own = OwnEdit(edits, on: base)
    own.note([Edit(4..<7, Array("oldab".utf8))], on: base)
    let taken = own.takingBackStray(in: buffer) { _ in [Edit(4..<7, Array("old".utf8))] }
    #expect(taken == nil)
  }

  @Test(
    "One that is where it belongs is none, nor are the user's own signs",
    arguments: [
      "one {++new ++}two", "one {++new ++}atwo", "one {++xyz ++}two",
      "one {++nea++}bw two", "one {++n++}ew two",
      "one new two three",
    ]
  )
  func leftAlone(_ found: String) {
    #expect(fixed(found) == nil)
  }

  @Test(
    "What came to a wrong place is still taken back when the edit lands, unless it was part of it"
  )
  func landing() {
    var tracker = Tracker(Text(Array("one two\n".utf8)))
    tracker.report(Edit(4..<4, Array("new ".utf8)))
    let own = tracker.ownEdit(tracker.marking())
    tracker.apply(ours: [Edit(4..<4, Array("{++".utf8)), Edit(8..<8, Array("++}".utf8))])
    let opener = Edit(0..<0, Array("{++".utf8))
    tracker.apply(ours: [opener])
    let isPart = tracker
    // The first opener is astray.
    tracker.stray([Edit(0..<3, [])])
    tracker.land(own, beside: [opener])
    #expect(tracker.hasStrays)
    let text = tracker.buffer.applying(tracker.marking().edits)
    #expect(text.bytes == Array("one {++new ++}two\n".utf8))
    // The opener of the mark was taken for one.
    tracker = isPart
    tracker.stray([Edit(7..<10, [])])
    tracker.land(own, beside: [opener])
    #expect(!tracker.hasStrays)
  }
}
