import TestSupport
import Testing

@testable import TrackEngine

@Suite("Marking changes whose text meets that of others", .timeLimited) struct MarkingTests {
  /// The document after edits that come one after the other.
  private func tracker(_ text: String, _ edits: [(Range<Int>, String)]) -> Tracker {
    var tracker = Tracker(Text(Array(text.utf8)))
    for (range, new) in edits {
      tracker.report(Edit(range, Array(new.utf8)))
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
    let isKnown = tracker.land(marking)
    #expect(isKnown)
    // What could not be written stays pending.
    let marked = tracker.buffer.applying(tracker.hunks.inverted).bytes
    let original = Array(text.utf8)
    #expect(
      Reading(of: marked).text(.original, of: marked)
        == Reading(of: original).text(.original, of: original)
    )
  }

  @Test(
    "Two different metadata with the same hash are noticed, so that neither is written for the other"
  )
  func collision() {
    let bytes = Array("{++a++}{#s1} {++b++}{#s2} {++c++}{#s1}".utf8)
    var marks = Reading(of: bytes).marks
    var texts = Texts(settled: bytes, buffer: [], .markdown)
    texts.note(marks, in: bytes)
    #expect(!texts.areAmbiguous)
    marks[1].metadataHash = marks[0].metadataHash
    texts.note(marks, in: bytes)
    #expect(texts.areAmbiguous)
  }

  @Test("Small changes of one burst are all in marks after one marking, however far apart they lie")
  func apart() {
    let plain = (0..<2000).map { "Line \($0) has these few words in it.\n" }.joined()
    let code = String(repeating: "```\nlet a = 1\n```\n\n", count: 400)
    let texts = [plain, PromiseTests.long + code + PromiseTests.long + code].map { Array($0.utf8) }
    let places = texts.map { content(of: $0) }
    forAll(
      runs(200),
      // Around the distance up to which changes are worked out together, most of all.
      step: { Int.random(in: Bool.random(using: &$0) ? 6000...10_000 : 2...14_000, using: &$0) },
      law: { seed, gaps in
        let text = Int(seed) % texts.count
        var at = 0
        let offsets = gaps.compactMap { gap in
          defer { at += gap }
          return at < places[text].count ? places[text][at].lowerBound : nil
        }
        return insertion(at: offsets, in: texts[text])
      }
    )
  }

  /// What is wrong with the marks of letters put in at some places in one burst.
  private func insertion(at offsets: [Int], in text: [UInt8]) -> String? {
    var tracker = Tracker(Text(text))
    for offset in offsets.reversed() {
      tracker.report(Edit(offset..<offset, Array("Q".utf8)))
    }
    let reading = Reading(of: text)
    let marking = tracker.marking()
    let marked = tracker.buffer.applying(marking.edits).bytes
    let result = Reading(of: marked)
    if !marking.remaining.isEmpty { return "\(offsets): \(marking.remaining) stay" }
    if result.text(.original, of: marked) != reading.text(.original, of: text) {
      return "\(offsets): the original"
    }
    let length = reading.text(.clean, of: text).count + offsets.count
    return result.text(.clean, of: marked).count == length ? nil : "\(offsets): the clean text"
  }

  @Test(
    "A sign eaten from a mark that has been emptied means nothing, wherever the client tells of it",
    arguments: [8..<9, 9..<10, 10..<11]
  )
  func slid(sign: Range<Int>) {
    var tracker = Tracker(Text(Array("quick {++x++}brown\n".utf8)))
    for range in [9..<10, sign] {
      tracker.report(Edit(range, []), isLast: range == sign)
    }
    let marked = tracker.buffer.applying(tracker.marking().edits)
    #expect(marked.bytes == Array("quick brown\n".utf8))
  }

  @Test(
    "However little of a hostile text can be written, it is read back so often and no oftener",
    arguments: [UInt64(1), 5]
  )
  func work(seed: UInt64) {
    let words =
      PromiseTests.hostileWords + [
        "word ", "\n", "{++a++}", "{~~c~>d~~}", "`x`", "\n```\nlet\n```\n",
      ]
    var random = Seeded(seed: seed)
    let text = (0..<2400).map { _ in words.randomElement(using: &random) ?? "" }.joined()
    var tracker = Tracker(Text(Array(text.utf8)))
    for _ in 0..<150 {
      let at = Int.random(in: 0...tracker.buffer.count, using: &random)
      let end = min(tracker.buffer.count, at + Int.random(in: 0...4, using: &random))
      let new = words.randomElement(using: &random) ?? ""
      tracker.report(Edit(at..<end, Array(new.utf8)))
    }
    let marking = tracker.marking()
    #expect(marking.readings < 700)
    // In the end all of it can be written, if need be without the comments.
    #expect(marking.remaining.isEmpty)
    let marked = tracker.buffer.applying(marking.edits).bytes
    #expect(
      Reading(of: marked).text(.original, of: marked)
        == Reading(of: Array(text.utf8)).text(.original, of: Array(text.utf8))
    )
  }

  @Test(
    "Changes that need another form are all marked in a passage of any length, one by one if it is short",
    arguments: [10, 100, 1000]
  )
  func oneByOne(count: Int) {
    // A backtick in deleted text meets the next one, wherever that is.
    let text = String(repeating: "so `a` and b` or {c d\n", count: count)
    let line = text.utf8.count / count
    let starts = stride(from: count - 1, through: 0, by: -max(1, count / 20)).map { $0 * line }
    let tracker = tracker(
      text,
      starts.flatMap { [($0 + 11..<$0 + 13, "`c"), ($0 + 4..<$0 + 5, "x`y")] }
    )
    let marking = tracker.marking()
    #expect(marking.remaining.isEmpty)
    #expect(marking.readings < 100)
    let marked = tracker.buffer.applying(marking.edits).bytes
    let reading = Reading(of: marked)
    #expect(reading.text(.original, of: marked) == Array(text.utf8))
    let clean = tracker.buffer.bytes
    #expect(reading.text(.clean, of: marked) == Reading(of: clean).text(.clean, of: clean))
  }

  @Test(
    "However many words are renamed behind backslashes, one reading tells that their marks read right",
    arguments: [1, 60, 600]
  )
  func renames(count: Int) {
    let text = String(
      repeating: "We define $\\alpha$ and Ca^2+ as 5\\% of {==it==}{>>note<<}.\n",
      count: count
    )
    let length = text.utf8.count / count
    let starts = (0..<count).reversed().map { $0 * length + "We define $\\".utf8.count }
    let tracker = tracker(text, starts.map { ($0..<$0 + "alpha".utf8.count, "beta") })
    let marking = tracker.marking()
    #expect(marking.readings == 1)
    #expect(marking.remaining.isEmpty)
    let marked = String(decoding: tracker.buffer.applying(marking.edits).bytes, as: UTF8.self)
    #expect(marked == text.replacing("\\alpha", with: "{~~\\alpha~>\\beta~~}"))
  }

  @Test(
    "What no form can mark is broken into marks when it is asked for, be it one change or hundreds",
    arguments: [1, 20, 40, 400]
  )
  func lastResort(count: Int) {
    let text = String(repeating: "a\n\n", count: count)
    let starts = (0..<count).reversed().map { $0 * 3 }
    let tracker = tracker(text, starts.map { ($0..<$0, "```x``y\n{++```\n") })
    let marking = tracker.marking()
    #expect(marking.remaining.isEmpty)
    #expect(marking.readings < 2000)
    let marked = tracker.buffer.applying(marking.edits).bytes
    let reading = Reading(of: marked)
    #expect(reading.text(.original, of: marked) == Array(text.utf8))
    #expect(
      reading.text(.clean, of: marked)
        == Array(text.replacing("a\n", with: "```x``y\n{++```\na\n").utf8)
    )
  }

  @Test("Where a passage begins or ends, changes are marked as anywhere else")
  func bordersOfPassages() {
    let lines = (0..<150).map { "{--b--}Line \($0) has these few words in it.\n" }
    let text = lines.joined()
    var starts: [Int] = []
    var at = 0
    for line in lines {
      starts.append(at)
      at += line.utf8.count
    }
    let draft = Draft(Text(Array(text.utf8)))
    #expect(draft.passages.place(of: 0) != draft.passages.place(of: text.utf8.count - 1))
    for (line, start) in zip(lines, starts).dropFirst() {
      let head = String(decoding: Array(text.utf8)[..<(start - 1)], as: UTF8.self)
      let tail = String(decoding: Array(text.utf8)[start...], as: UTF8.self)
      let joined = tracker(text, [(start - 1..<start, "")])
      #expect(
        joined.buffer.applying(joined.marking().edits).bytes
          == Array("\(head){--\nb--}\(tail.dropFirst(7))".utf8),
        "\(line)"
      )
      // Below plain lines, a new line takes the line break before it along.
      let plain = text.replacing("{--b--}", with: "")
      let place = start - 7 * starts.filter { $0 < start }.count
      let added = tracker(plain, [(place..<place, "New.\n")])
      let bytes = Array(plain.utf8)
      #expect(
        added.buffer.applying(added.marking().edits).bytes
          == bytes[..<(place - 1)] + Array("{++\nNew.++}".utf8) + bytes[(place - 1)...],
        "\(line)"
      )
    }
  }

  @Test("A line with half a mark put in the place of deleted text is taken back once")
  func movedOverDeletedText() {
    var tracker = Tracker(Text(Array("One.{++\nnew words++}\nTwo {--deleted text--} here.\n".utf8)))
    for _ in 0..<3 {
      tracker.report(Edit(28..<34, Array("new words++}".utf8)))
      let marked = tracker.buffer.applying(tracker.marking().edits)
      #expect(
        Reading(of: marked.bytes).text(.original, of: marked.bytes)
          == Array("One.\nTwo deleted text here.\n".utf8)
      )
    }
  }

  @Test("What is typed over a delimiter sign by sign is meant for the text after it")
  func overtyped() {
    var tracker = Tracker(Text(Array("The {~~qui~>abc~~}ck fox\n".utf8)))
    for (offset, letter) in "def".enumerated() {
      tracker.report(
        Edit(15 + offset..<16 + offset, Array(String(letter).utf8)),
        isLast: letter == "f"
      )
    }
    let marked = tracker.buffer.applying(tracker.marking().edits)
    #expect(marked.bytes == Array("The {~~quick ~>abcdef~~}fox\n".utf8))
  }

  @Test("Letters of deleted text that were typed over are put back by one edit where they meet")
  func typedOver() {
    let tracker = tracker(
      "The {--lazy --}dog",
      [(7..<8, "X"), (8..<8, "o"), (9..<10, "Y"), (8..<9, "")]
    )
    #expect(tracker.marking().edits == [Edit(7..<9, Array("la".utf8))])
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

  @Test("No delimiter that is written closes an opener far before it")
  func farOpener() {
    let plain = String(repeating: "One two three four five six.\n\n", count: 330)
    let text = "a {++ b\n\n\(plain)a {>> b\n"
    var tracker = tracker(text, [(text.utf8.count - 2..<text.utf8.count - 2, "--}")])
    let isKnown = tracker.land(tracker.marking())
    #expect(isKnown)
    #expect(tracker.hunks.isEmpty)
    let marked = tracker.buffer.bytes
    let reading = Reading(of: marked)
    #expect(reading.text(.original, of: marked) == Array(text.utf8))
    #expect(reading.text(.clean, of: marked) == Array("\(text.dropLast(2))--}b\n".utf8))
  }

  @Test("Changes are worked out together as far as a report can have parted what was put in")
  func near() {
    let unit = "one two three four five six seven eight.\n\n"
    let text = String(repeating: unit, count: 400)
    for (distance, together) in [(4000, true), (12_000, false)] {
      let tracker = tracker(text, [(distance..<distance, "x"), (0..<0, "x")])
      let vicinities = Vicinity.all(of: tracker.hunks, in: tracker.draft, tracker.options)
      #expect(vicinities.count == (together ? 1 : 2))
    }
    // What is long itself can be parted by as much.
    let long = String(repeating: unit, count: 350)
    for edit in [(12_000..<12_000, long), (0..<12_000, "")] {
      let tracker = tracker(text + text, [(24_000..<24_000, "x"), edit])
      #expect(Vicinity.all(of: tracker.hunks, in: tracker.draft, tracker.options).count == 1)
    }
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

  @Test("The text before a closer that was eaten whole is not put in anew with it")
  func wholeCloser() {
    // Of a character of several bytes the last is none, and a sign of the text's own touches what is put in before it.
    for text in ["word {--é--} c\n", "word {-----} c\n"] {
      let end = text.utf8.count - 3
      let signs = (end - 3..<end).reversed().map { ($0..<$0 + 1, "") }
      let tracker = tracker(text, signs)
      let edits = tracker.marking().edits
      #expect(edits.allSatisfy { tracker.buffer[$0.range.lowerBound] & 0xC0 != 0x80 })
      #expect(
        zip(edits, edits.dropFirst()).allSatisfy { $0.range.upperBound < $1.range.lowerBound }
      )
    }
  }

  @Test("Text that goes in one burst with front matter typed above it is kept")
  func belowFrontMatter() {
    let front = "---\ntitle: x\n---\n"
    let start = front.utf8.count
    var tracker = tracker("One two.\n", [(0..<0, front), (start..<start + 4, "")])
    let isKnown = tracker.land(tracker.marking())
    #expect(isKnown)
    let marked = tracker.buffer.bytes
    #expect(Reading(of: marked).text(.original, of: marked) == Array("One two.\n".utf8))
  }

  @Test("An empty comment that stays where it is does not part the edits on both sides of it")
  func emptyComment() {
    var tracker = tracker(
      "é{>>why<<}",
      [(0..<3, "\n\n"), (9..<10, ""), (5..<5, "{>>how<<}")]
    )
    let marking = tracker.marking()
    #expect(
      zip(marking.edits, marking.edits.dropFirst())
        .allSatisfy { $0.range.upperBound < $1.range.lowerBound }
    )
    let isKnown = tracker.land(marking)
    #expect(isKnown)
    #expect(tracker.buffer.bytes == Array("{~~é~>\n\n~~}{>>w{>>how<<}h<<}".utf8))
  }
}
