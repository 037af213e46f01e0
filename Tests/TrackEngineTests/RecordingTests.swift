import TestSupport
import Testing

@testable import TrackEngine

@Suite("What was changed while nobody recorded it", .timeLimited) struct RecordingTests {
  /// What a text with marks becomes in which words were put in, replaced and taken away outside of them.
  private static func changed(_ text: String, _ random: inout Seeded) -> String {
    let bytes = Array(text.utf8)
    let reading = Reading(of: bytes)
    var words: [Range<Int>] = []
    var at = 0
    for word in text.split(whereSeparator: \.isWhitespace) {
      let start = text.utf8.distance(from: text.startIndex, to: word.startIndex)
      let range = start..<start + word.utf8.count
      let isPlain = !reading.marks.contains { $0.range.overlaps(range) } && range.lowerBound >= at
      if isPlain, word.allSatisfy({ $0.isLetter || $0 == "." }) { words.append(range) }
      at = range.upperBound
    }
    var edits: [Edit] = []
    // What touches a mark is changed too: letters beside deleted text.
    for mark in reading.marks where Int.random(in: 0..<4, using: &random) == 0 {
      let next = mark.end..<mark.end + 1
      guard next.upperBound <= bytes.count, bytes[mark.end].isLetter,
        !reading.marks.contains(where: { $0.range.overlaps(next) }),
        !words.contains(where: { $0.overlaps(next) })
      else { continue }
      words.append(next)
    }
    words.sort { $0.lowerBound < $1.lowerBound }
    for word in words where Int.random(in: 0..<6, using: &random) == 0 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: edits.append(Edit(word, []))
      case 1: edits.append(Edit(word.upperBound..<word.upperBound, Array(" put in".utf8)))
      case 2: edits.append(Edit(word.lowerBound..<word.lowerBound, Array("new\n\n".utf8)))
      default: edits.append(Edit(word, Array("other".utf8)))
      }
    }
    return String(decoding: bytes.applying(edits), as: UTF8.self)
  }

  @Test(
    "is marked, with the marks there were, and the original is as it was",
    arguments: [200, 2000, 20_000]
  )
  func random(length: Int) {
    for seed in 0..<UInt64(runs(length > 10_000 ? 4 : 40)) {
      var random = Seeded(seed: seed)
      let text = Manuscript(of: length, seed: seed).text
      let original = Tracker(Text(Array(text.utf8))).original
      let later = Self.changed(text, &random)
      var tracker = Tracker(Text(Array(later.utf8)))
      let clean = Reading(of: Array(later.utf8)).export(.clean, of: Array(later.utf8))
      guard let found = tracker.record(since: original) else {
        Issue.record("seed \(seed): nothing recorded")
        continue
      }
      #expect(found.isEmpty == (later == text), "seed \(seed)")
      #expect(tracker.original == original, "seed \(seed)")
      let marked = tracker.buffer.applying(tracker.marking().edits).bytes
      let reading = Reading(of: marked)
      #expect(reading.export(.original, of: marked) == original, "seed \(seed)")
      #expect(reading.export(.clean, of: marked) == clean, "seed \(seed)")
      // The marks there were are still there, but for those beside which text was changed.
      let marks = Reading(of: Array(text.utf8)).changes.count
      #expect(reading.changes.count >= marks / 2, "seed \(seed)")
    }
  }

  @Test(
    "is taken back where a program that knows no marks has edited deleted text",
    arguments: [
      ("One {--recieve--} two.\n", "{--recieve--}"),
      ("One {--recieve--}{>>why<<} two.\n", "{--recieve--}"),
      ("One {~~recieve~>got~~}{>>why<<} two.\n", "{~~recieve~>got~~}{>>why<<}"),
      ("One {--to recieve it--}{>>why<<}{>>Yes.<<} two {--or recieve--}.\n", ""),
      ("{--recieve\n\n--}{>>why<<}Two {==three==}{>>who?<<}.\n", ""),
    ]
  )
  func deletedText(_ text: String, _ part: String) {
    let bytes = Array(text.utf8)
    let original = Tracker(Text(bytes)).original
    let later = Array(text.replacing("recieve", with: "receive").utf8)
    var tracker = Tracker(Text(later))
    #expect(tracker.record(since: original) != nil)
    let marked = tracker.buffer.applying(tracker.marking().edits).bytes
    let (before, after) = (Reading(of: bytes), Reading(of: marked))
    #expect(after.text(.original, of: marked) == original, "\(shown(marked))")
    #expect(after.text(.clean, of: marked) == before.text(.clean, of: bytes), "\(shown(marked))")
    func comments(_ reading: Reading, _ bytes: [UInt8]) -> [[UInt8]] {
      reading.marks.filter { $0.kind == .comment }.map { Array(bytes[$0.content]) }
    }
    #expect(comments(after, marked) == comments(before, bytes), "\(shown(marked))")
    #expect(String(decoding: marked, as: UTF8.self).contains(part), "\(shown(marked))")
  }

  @Test("is recorded together with what is pending already")
  func pending() {
    let original = Array("One two three.\n".utf8)
    var tracker = Tracker(Text(Array("One three.\n".utf8)))
    tracker.report(Edit(9..<9, Array(" four".utf8)))
    let found = tracker.record(since: original)
    #expect(found?.count == 1)
    let marked = tracker.buffer.applying(tracker.marking().edits)
    #expect(String(decoding: marked.bytes, as: UTF8.self) == "One {--two --}three{++ four++}.\n")
  }

  @Test(
    "is the letters that were typed into a word or deleted from it, and not another word",
    arguments: [
      ("One two.\n", "One twos.\n", "One two{++s++}.\n"),
      ("One twos.\n", "One two.\n", "One two{--s--}.\n"),
      ("One two.\n", "One six.\n", "One {~~two~>six~~}.\n"),
    ]
  )
  func letters(original: String, text: String, expected: String) {
    var tracker = Tracker(Text(Array(text.utf8)))
    let found = tracker.record(since: Array(original.utf8))
    #expect(found?.count == 1)
    let bytes = tracker.buffer.applying(tracker.marking().edits).bytes
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }

  @Test(
    "leaves deleted text what it was, and what is not shown unseen",
    arguments: [
      (" geresi.\n", "{-- g--}resi.\n"), ("fanase.\n", "{~~fa~>FA~~}Nase.\n"),
      ("One two three four.\n", "One {--two--} four.\n"),
    ]
  )
  func hidden(original: String, text: String) {
    var tracker = Tracker(Text(Array(text.utf8)))
    let found = tracker.record(since: Array(original.utf8))
    #expect(found?.isEmpty == false)
    let bytes = tracker.buffer.applying(tracker.marking().edits).bytes
    #expect(Reading(of: bytes).export(.original, of: bytes) == Array(original.utf8))
    let clean = Reading(of: Array(text.utf8)).export(.clean, of: Array(text.utf8))
    #expect(Reading(of: bytes).export(.clean, of: bytes) == clean)
  }

  @Test("is taken as original on request, and what was typed since stays pending")
  func taken() {
    var tracker = Tracker(Text(Array("One three.\n".utf8)))
    tracker.report(Edit(9..<9, Array(" four".utf8)))
    let found = tracker.record(since: Array("One two three.\n".utf8))
    tracker.takeAsOriginal(found ?? [])
    let marked = tracker.buffer.applying(tracker.marking().edits)
    #expect(String(decoding: marked.bytes, as: UTF8.self) == "One three{++ four++}.\n")
    #expect(tracker.original == Array("One three.\n".utf8))
  }

  @Test("is taken with its marks where no text with these marks had that original")
  func marksToo() {
    var tracker = Tracker(Text(Array("`a {++b++}` c\n".utf8)))
    let original = Array("x `y\n".utf8)
    let found = tracker.record(since: original)
    #expect(found?.count == 1)
    let marked = tracker.buffer.applying(tracker.marking().edits).bytes
    #expect(Reading(of: marked).export(.original, of: marked) == original)
  }

  @Test("is the same where it is known only by what undoes it, as a transcript has it")
  func undone() throws {
    let original = Array("One two three.\n".utf8)
    let text = Text(Array("One{++ more++} three five.\n".utf8))
    let missed = try #require(text.missedChanges(since: original, as: .markdown))
    var trackers = [Tracker(text), Tracker(text)]
    for index in trackers.indices { trackers[index].report(Edit(0..<0, Array("So ".utf8))) }
    let found = trackers[0].record(missed)
    #expect(!found.isEmpty)
    #expect(trackers[1].record(MissedChanges(undoneBy: missed.back)) == found)
    #expect(trackers[0].hunks == trackers[1].hunks)
    #expect(trackers.map(\.original) == [original, original])
  }

  @Test("is nothing that was done to a text of which the original had marks")
  func marked() {
    #expect(Text().missedChanges(since: Array("{++x++}".utf8), as: .markdown) == nil)
  }

  @Test("is nothing where tracking is off")
  func off() {
    var tracker = Tracker(Text(Array("One.\n".utf8)), isTracking: false)
    let found = tracker.record(since: [])
    #expect(found == [])
    #expect(tracker.isSettled)
  }
}
