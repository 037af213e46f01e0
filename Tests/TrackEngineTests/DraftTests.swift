import TestSupport
import Testing

@testable import TrackEngine

@Suite("A text read piece by piece", .timeLimited) struct DraftTests {
  /// An edit that makes sense in any text: offsets wrap around its end.
  struct Step: CustomStringConvertible {
    var offset: Int
    var length: Int
    var new: [UInt8]

    var description: String {
      "replace \(length) at \(offset) with \(String(decoding: new, as: UTF8.self).debugDescription)"
    }

    func edit(of text: Text) -> Edit {
      let start = offset % (text.count + 1)
      return Edit(start..<min(text.count, start + length), new)
    }
  }

  private static let hostile: [[UInt8]] =
    [
      "{++", "++}", "{--", "--}", "{~~", "~>", "~~}", "{==", "==}", "{>>", "<<}", "`", "``", "```",
      "~~~", "~~~~", "\n", "\n\n", "\r\n", "\r", "\\", "{", "}", "> ", "- ", "1. ", "a", "é", "|",
      "\n```\n", "\n~~~\n", "\\a{++", "{---}", "{++}", "{~~}", "{>>}", "^", "{author=\"x\"++",
      "}[^cn-1]",
      "\n[^cn-1]: b\n",
      "\n- > ```\n",
    ].map { Array($0.utf8) } + [[0xFF], [0x80]]
  private static let usual: [[UInt8]] =
    [
      "{++a++}", "{--b--}", "{~~a~>b~~}", "{==h==}", "{>>c<<}", "{++a++}{>>@a<<}", "@a", ": ",
      "word ", "\n", "\n\n", "\n\n",
    ].map { Array($0.utf8) }

  private static func piece(_ hostility: Int, _ random: inout Seeded) -> [UInt8] {
    let isHostile = Int.random(in: 0..<10, using: &random) < hostility
    return (isHostile ? hostile : usual).randomElement(using: &random) ?? []
  }

  private static func step(_ random: inout Seeded) -> Step {
    let hostility = Int.random(in: 0...10, using: &random)
    // The first step of a list makes most of the text.
    let pieces = [0, 1, 1, 2, 30].randomElement(using: &random) ?? 0
    return Step(
      offset: Int.random(in: 0..<200, using: &random),
      length: [0, 0, 1, 2, 5, 30].randomElement(using: &random) ?? 0,
      new: (0..<pieces).flatMap { _ in piece(hostility, &random) }
    )
  }

  /// What the steps make, in passages that are short, so that there are many in a short text.
  private static func draft(_ steps: [Step], _ seed: UInt64) -> Draft {
    var draft = empty(seed)
    for step in steps { draft.replace(step) }
    return draft
  }

  private static func empty(_ seed: UInt64) -> Draft {
    Draft(Text(), grain: [0, 1, 5, 20][Int(seed % 4)])
  }

  @Test("Kept up to date edit by edit, it reads as it does from scratch")
  func incremental() {
    forAll(runs(3000), length: 16, step: DraftTests.step, law: DraftTests.readsAfresh)
  }

  /// What is broken after one of the steps; nil if a draft reads as it does from scratch after each.
  private static func readsAfresh(_ seed: UInt64, _ steps: [Step]) -> String? {
    var draft = DraftTests.empty(seed)
    for step in steps {
      draft.replace(step)
      let bytes = draft.text.bytes
      let text = String(decoding: bytes, as: UTF8.self).debugDescription
      if draft.reading() != Reading(of: bytes) { return "\(step): another reading of \(text)" }
      if let broken = draft.checkInvariants() { return "\(step): \(broken) in \(text)" }
    }
    return nil
  }

  @Test(
    "A letter can make a comment of who made a change, and the other way round",
    arguments: [("@an<na", " b"), ("@anna b<c", nil), ("@anna<bob", "_")]
  )
  func delicate(name: String, new: String?) throws {
    let place = try #require(name.firstIndex(of: "<"))
    let known = name.replacing("<", with: "")
    var draft = Draft(Text(Array("word {++new++}{>>\(known)<<} and more\n".utf8)))
    let at = "word {++new++}{>>".utf8.count + name.distance(from: name.startIndex, to: place)
    draft.replace(new == nil ? at - 2..<at : at..<at, with: Array((new ?? "").utf8))
    #expect(draft.checkInvariants() == nil)
    #expect(draft.passages.summary.counts == Draft(draft.text).passages.summary.counts)
  }

  @Test(
    "A letter can make a group of a mark, and the other way round",
    arguments: ["\\a1a{++b} c {d++}", "\\a{++b} c {d++}\n\n", "{++}a\nb{++}\n\n"]
  )
  func groups(_ text: String) {
    let bytes = Array("word {--old--} \(text)word\n".utf8)
    for at in 1..<bytes.count {
      for new in [[], Array("a".utf8), Array(" ".utf8), Array("\n".utf8)] {
        var draft = Draft(Text(bytes))
        draft.replace(new.isEmpty ? at - 1..<at : at..<at, with: new)
        #expect(draft.reading() == Reading(of: draft.text.bytes))
        #expect(draft.checkInvariants() == nil)
      }
    }
  }

  @Test(
    "Cut only after several edits, it reads as it does from scratch, also when asked before that"
  )
  func late() {
    forAll(runs(3000), length: 16, step: DraftTests.step) { seed, steps in
      var draft = DraftTests.empty(seed)
      for (index, step) in steps.enumerated() {
        let edit = step.edit(of: draft.text)
        draft.change(edit.range, with: edit.new)
        if index % 5 == 4 { draft.settle() }
        let bytes = draft.text.bytes
        let text = String(decoding: bytes, as: UTF8.self).debugDescription
        if draft.reading() != Reading(of: bytes) { return "\(step): another reading of \(text)" }
        if let broken = draft.checkInvariants() { return "\(step): \(broken) in \(text)" }
      }
      return nil
    }
  }

  /// How many bytes are cut when a backtick is put into each line of a paragraph, by one report.
  private func cost(lines: Int) -> Int {
    let line = Array("Some words here.\n".utf8)
    var draft = Draft(Text(Array(repeating: line, count: lines).flatMap { $0 }))
    for number in (0..<lines).reversed() {
      let place = number * line.count + 5
      draft.change(place..<place, with: [Ascii.backtick])
    }
    draft.settle()
    return draft.cost
  }

  @Test("Edits of four times as many lines of one paragraph cost four times as much")
  func cost() {
    #expect(cost(lines: 400) > 0)
    #expect(cost(lines: 1600) <= 5 * cost(lines: 400))
  }

  @Test("Beside code, a letter behind a letter of its line has nothing cut again")
  func plainText() {
    let text = Array("Some `code` and words.\n\n``` swift\n{++a\n```\nNo more.\n".utf8)
    /// How much is cut, and whether it reads as from scratch, when a text takes the place of as many bytes at an offset.
    func cost(_ new: String, at offset: Int, over count: Int = 0) -> Int {
      var draft = Draft(Text(text))
      draft.replace(offset..<offset + count, with: Array(new.utf8))
      #expect(draft.reading() == Reading(of: draft.text.bytes))
      #expect(draft.checkInvariants() == nil)
      return draft.cost
    }
    let (words, swift, more) = (16, 28, 46)
    #expect(text[words...].starts(with: "words".utf8))
    #expect(text[swift...].starts(with: "swift".utf8))
    #expect(text[more...].starts(with: "more".utf8))
    #expect(cost("x", at: words + 2) == 0)
    #expect(cost("", at: words + 2, over: 2) == 0)
    #expect(cost("x", at: swift + 2) == 0)
    #expect(cost("and ", at: more) == 0)
    #expect(cost("\n", at: words + 2) > 0)
    #expect(cost(" ", at: 22, over: 1) > 0)
    #expect(cost("x", at: swift - 1) > 0)
    #expect(cost("x", at: more - 3) > 0)
    #expect(cost("`", at: words + 2) > 0)
  }

  @Test("When a blank line goes, what comes after it decides about code before it")
  func blankLineGone() {
    var draft = Draft(Text(Array("{~~\n\n~~~\n~>~~}\n~~~\nb~~}\n\n~>x\n".utf8)), grain: 1)
    draft.replace(23..<24, with: [])
    #expect(draft.reading() == Reading(of: draft.text.bytes))
  }

  @Test("A stretch of it reads by itself as it reads in the whole")
  func excerpts() {
    forAll(runs(1000), length: 16, step: DraftTests.step) { seed, steps in
      let draft = DraftTests.draft(steps, seed)
      let whole = Reading(of: draft.text.bytes)
      for offset in stride(from: 0, through: draft.text.count, by: 3) {
        let excerpt = draft.excerpt(around: offset..<offset)
        let marks = excerpt.reading.marks.map { $0.moved(by: excerpt.start) }
        let expected = whole.marks.filter {
          $0.start < excerpt.range.upperBound && $0.end > excerpt.range.lowerBound
        }
        if marks != expected { return "\(offset): \(marks), not \(expected)" }
      }
      return nil
    }
  }

  @Test(
    "Passages hold together what is told apart by looking at all of it",
    arguments: [
      // Far away a fence could close, and what follows could close the mark.
      "{--\n```\n--}\n\nword\n\n{--a\n```x\ncode\n```\nb--}\n",
      "{--\n```\n--}\n\nword\n\n{--a\n```x\ncode\n\ncode\n```\nb--}\n",
      // Without the opener in front it would be code.
      "{>>x\n\n```\n`{++` {>>b ++} <<}\n",
      // A block on the way to the blank line.
      "{--{++a `++}` b--}\n~~~\nx\nx\n~~~\n++}\n",
      "{++a `b\nc` d\n\n`e\nf` {++g++}\n",
      // The closer is not there in what a block is found to be instead.
      "{--}a\n\n~~~~\n\n```{~~b\nc~>d\n```\n\n{--e{>>f<<}~~}g\n--}\n",
      "{--a\n\n~~~~\n\n```{~~b\nc~>d\n```\n\n{--e{>>f<<}~~}g\n--}\n",
      // What tells that braces are a group's.
      "a{++}\nb\nc{++}\n\nd\n", "\\a{++b}\nc\nd{e++}\n\n{--f--}\n", "\\a{++b\nc}\nd++}\n\ne\n",
      "{---}\na\nb{--}\n{--c--}\n",
      // A comment's opener that is none in a comment.
      "{>>a\n\n```\n{~~b{>>}c~>d~~}\n",
      // Code that hides what would close the mark, and goes on in a block.
      "{>>a\n~~~\nb<<}c\n~~~\n`d<<}\ne\nf`\n\ng\n",
      "~~~\nx\n~~~\n{--{++a `++}` b--}\n~~~\nx\nx\n~~~\n++}\n",
    ]
  )
  func together(_ text: String) {
    let bytes = Array(text.utf8)
    let whole = Reading(of: bytes)
    #expect(Draft(Text(bytes), grain: 1).reading() == whole)
    // The same, typed from the beginning and from the end.
    var (there, back) = (Draft(Text(), grain: 1), Draft(Text(), grain: 1))
    for (index, byte) in bytes.enumerated() {
      there.replace(index..<index, with: [byte])
      back.replace(0..<0, with: [bytes[bytes.count - 1 - index]])
      #expect(there.reading() == Reading(of: Array(bytes[...index])))
    }
    #expect(there.reading() == whole)
    #expect(back.reading() == whole)
  }

  @Test("A closer that comes after a block makes code of what was none before it")
  func closerAfterBlock() {
    var draft = Draft(Text(Array("{++a `++}` b\n~~~\nx\nx\n~~~\nc\n".utf8)), grain: 1)
    draft.replace(draft.text.count - 1..<draft.text.count - 1, with: Array("++}".utf8))
    #expect(draft.reading() == Reading(of: draft.text.bytes))
    #expect(draft.reading().marks.first?.end == draft.text.count - 1)
  }

  @Test("A lone backtick in a mark reaches no further than its paragraph")
  func loneBacktick() {
    let paragraph = String(repeating: "word {==h==} ", count: 100) + "\n\n"
    for mark in ["{++a ` b++} ` c", "{~~`a~>`b`~~} c", "{--a {++`--} b` c"] {
      let text = mark + "\n\n" + String(repeating: paragraph, count: 100) + "c++} d--} e~~}"
      let draft = Draft(Text(Array(text.utf8)))
      #expect(draft.stretch(around: 1..<1).count < 4 * paragraph.utf8.count, "\(mark)")
    }
  }

  @Test("Its counts are those of the list of changes")
  func counts() {
    forAll(runs(1000), length: 16, step: DraftTests.step) { seed, steps in
      let draft = DraftTests.draft(steps, seed)
      let changes = Reading(of: draft.text.bytes).changes
      let counts = draft.passages.summary.counts
      if counts.entries != changes.count { return "\(counts.entries), not \(changes.count)" }
      let commented = changes.count { $0.isCommented(in: draft.text.bytes) }
      return counts.commented == commented ? nil : "\(counts.commented), not \(commented)"
    }
  }

  @Test("What says who made a change is kept up to date, whatever letter comes or goes")
  func metadata() {
    let pieces = [
      "{++a++}", "{++", "++}", "{==b==}", "{>>", "<<}", "@", "a", " ", ": ", " | ", "2026-11-22",
      "{>>@a<<}",
      "{\"author\":\"x\"}@@", "{#s1}", "{id=\"a1\"}", "[^cn-1]", "{", "}", "\"", "[", "^", "\n",
      "\n\n", "++}{#s", "++}[^cn-1]", "[^cn-1]: ", "[^cn-1]: @a | 2", "c", "1", "{author=\"a\"++",
      "{author=\"a",
      "\"++", "=", "{date=\"a", "\\", "```\n",
    ].map { Array($0.utf8) }
    forAll(
      runs(2000),
      length: 16,
      step: { random in
        DraftTests.Step(
          offset: Int.random(in: 0..<200, using: &random),
          length: [0, 0, 0, 1, 2, 5].randomElement(using: &random) ?? 0,
          new: (0..<([0, 1, 1, 12].randomElement(using: &random) ?? 0))
            .flatMap { _ in pieces.randomElement(using: &random) ?? [] }
        )
      },
      law: DraftTests.readsAfresh
    )
  }

  @Test("A variant that is written as the text is read is that of the whole")
  func streaming() {
    forAll(runs(2000), length: 6, step: DraftTests.step) { seed, steps in
      var bytes = DraftTests.draft(steps, 0).text.bytes
      if seed.isMultiple(of: 2) {
        let footnotes =
          "\n\n[^cn-1]: @a | 1\n  b\n\n    c\n\nd[^cn-3]\n[^cn-2]: @b | 1 {++a++}[^cn-1]\n[^1]: b\n[^cn-3]: c"
        bytes += Array((footnotes + "{--e--}[^cn-2]\n").utf8) + bytes
      }
      if seed.isMultiple(of: 3) {
        bytes += Array("\n{--f--}[^cn-4]\n\n[^cn-4]: @a | 1 b\n".utf8)
      }
      for variant in Variant.allCases {
        var streamed: [UInt8] = []
        bytes.withUnsafeBufferPointer {
          let (window, grain) = ([1, 8, 40][Int(seed % 3)], Int(seed % 5))
          variant.stream($0, as: .markdown, window: window, grain: grain) {
            streamed += $0
          }
        }
        if streamed != Reading(of: bytes).export(variant, of: bytes) {
          return "\(variant) of \(String(decoding: bytes, as: UTF8.self).debugDescription)"
        }
      }
      return nil
    }
  }

  @Test("The blocks that a text is read in have its marks, its clean text and its front matter")
  func blocks() {
    let fronts = ["", "---\na: b\n---\n", "{\n\"a\": {\n}\n}\n", "{\n\"a\"\n", "+++\r\na\r\n"]
    let footnotes =
      "{++a++}[^cn-1]\n\n[^cn-1]: @a | 1\n  b\n\n    c\n\nd[^cn-2]\n\n[^cn-2]: @b | 1\n"
    forAll(runs(400), length: 6, step: DraftTests.step) { seed, steps in
      var bytes = Array(fronts[Int(seed % 5)].utf8) + DraftTests.draft(steps, 0).text.bytes
      if seed.isMultiple(of: 2) { bytes += Array(footnotes.utf8) + bytes }
      let text = String(decoding: bytes, as: UTF8.self).debugDescription
      var survey = TextSurvey(
        count: bytes.count,
        language: .markdown,
        findsMalformed: seed.isMultiple(of: 4),
        window: [1, 8, 40][Int(seed % 3)],
        grain: 1 + Int(seed % 7)
      )
      var windows = 0
      while let window = survey.window {
        survey.read(Array(bytes[window]))
        windows += 1
        if windows > 100 * bytes.count { return "no end of the survey of \(text)" }
      }
      var reader = BlockReader(survey)
      var (marks, clean): ([Mark], [UInt8]) = ([], [])
      var search = FrontMatterSearch()
      while let window = reader.window {
        guard let block = reader.read(Array(bytes[window])) else { continue }
        marks += block.reading.marks.map { $0.moved(by: block.start) }
        clean += block.kept.flatMap { block.bytes[$0] }
        search.add(block.reading.text(.clean, of: block.bytes))
      }
      let whole = Reading(of: bytes)
      if marks != whole.marks { return "other marks in \(text)" }
      if clean != whole.export(.clean, of: bytes) { return "another clean text of \(text)" }
      let front = frontMatter(of: whole.text(.clean, of: bytes))
      return search.end == front.upperBound ? nil : "other front matter of \(text)"
    }
  }

  @Test("Long texts are cut at places that make no difference")
  func long() {
    var random = Seeded(seed: 1)
    for hostility in [0, 1, 3, 10] {
      let bytes = (0..<20_000).flatMap { _ in DraftTests.piece(hostility, &random) }
      var draft = Draft(Text(bytes))
      #expect(draft.reading() == Reading(of: bytes))
      for _ in 0..<40 {
        let start = Int.random(in: 0...draft.text.count, using: &random)
        let end = min(draft.text.count, start + Int.random(in: 0...3, using: &random))
        draft.replace(start..<end, with: DraftTests.piece(10, &random))
      }
      #expect(draft.reading() == Reading(of: draft.text.bytes))
    }
  }
}

extension Draft {
  fileprivate mutating func replace(_ step: DraftTests.Step) {
    let edit = step.edit(of: text)
    replace(edit.range, with: edit.new)
  }
}
