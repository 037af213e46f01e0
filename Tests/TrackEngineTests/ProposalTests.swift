import TestSupport
import Testing

@testable import TrackEngine

@Suite("Proposals", .timeLimited) struct ProposalTests {
  /// Proposes to replace the first of each pair by the second, for the reasons `1`, `2` and so on.
  private func proposed(_ text: String, _ edits: [(String, String)]) throws -> String {
    let source = Array(text.utf8)
    let proposals = edits.enumerated().map { index, edit in
      Proposal(Citation(Array(edit.0.utf8)), Array(edit.1.utf8), reason: Array("\(index + 1)".utf8))
    }
    return String(
      decoding: source.applying(try source.edits(proposing: proposals)),
      as: UTF8.self
    )
  }

  @Test(
    "An edit is one change of the words that differ, with its reason",
    arguments: [
      ("The red hen.", "red", "blue", "The {~~red~>blue~~}{>>1<<} hen."),
      ("The red hen.", "The red hen.", "The blue hen.", "The {~~red~>blue~~}{>>1<<} hen."),
      ("The hen.", "hen", "hens", "The {~~hen~>hens~~}{>>1<<}."),
      ("The hen.", "The hen", "The old hen", "The {++old ++}{>>1<<}hen."),
      ("The hen ran.", "hen ran", "hen", "The hen{-- ran--}{>>1<<}."),
      ("Über uns", "Über", "Aber", "{~~Über~>Aber~~}{>>1<<} uns"),
      ("我喜歡紅色的母雞。", "紅色的母雞", "藍色的母雞", "我喜歡{~~紅~>藍~~}{>>1<<}色的母雞。"),
      ("One.\n\nTwo.\n\nThree.\n", "Two.\n\n", "", "One.{--\n\nTwo.--}{>>1<<}\n\nThree.\n"),
      ("One.\n\n# Two\n", "One.\n", "One.\n\nMore.\n", "One.{++\n\nMore.++}{>>1<<}\n\n# Two\n"),
      ("Use `a b`.", "a b", "a c", "Use {~~`a b`~>`a c`~~}{>>1<<}."),
    ]
  )
  func one(_ text: String, _ old: String, _ new: String, _ expected: String) throws {
    #expect(try proposed(text, [(old, new)]) == expected)
  }

  @Test(
    "An edit joins no mark that it only touches, and takes in those that it replaces text of",
    arguments: [
      ("{++new ++}hen", "hen", "fox", "{++new ++}{~~hen~>fox~~}{>>1<<}"),
      (
        "{~~red~>blue~~}{>>@ada: nicer<<}, tall", ", tall", " and tall",
        "{~~red~>blue~~}{>>@ada: nicer<<}{~~,~> and~~}{>>1<<} tall"
      ),
      ("a {++b ++}c", "a b c", "x y", "{~~a c~>x y~~}{>>1<<}"),
      ("a{-- b--} c", "a c", "x", "{~~a b c~>x~~}{>>1<<}"),
      ("a {==b==}{>>why<<} c", "a b c", "x", "{~~a b c~>x~~}{>>why<<}{>>1<<}"),
      ("{++one two++}", "one two", "one three", "{++one three++}{>>1<<}"),
      ("a {++b ++}c", "b ", "", "a {>>1<<}c"),
    ]
  )
  func marks(_ text: String, _ old: String, _ new: String, _ expected: String) throws {
    #expect(try proposed(text, [(old, new)]) == expected)
  }

  @Test("Edits beside each other are changes of their own, in any order")
  func beside() throws {
    let edits = [(" hen", " fox"), ("red", "blue"), (".", "!")]
    #expect(
      try proposed("The red hen.", edits)
        == "The {~~red~>blue~~}{>>2<<} {~~hen~>fox~~}{>>1<<}{~~.~>!~~}{>>3<<}"
    )
  }

  @Test("What is put in means itself, whatever it spells, and so does a reason")
  func literal() throws {
    let text = try proposed("a b c", [("b", "{++x++} ~> <<} {--")])
    let bytes = Array(text.utf8)
    let reading = Reading(of: bytes)
    #expect(
      String(decoding: reading.text(.clean, of: bytes), as: UTF8.self) == "a {++x++} ~> <<} {-- c"
    )
    #expect(String(decoding: reading.text(.original, of: bytes), as: UTF8.self) == "a b c")
  }

  @Test(
    "An author is the head of the reason, or of a comment without a text; a reason is on one line"
  )
  func authors() throws {
    let source = Array("one two three".utf8)
    let proposals = [
      Proposal(
        Citation(Array("one".utf8)),
        Array("1".utf8),
        reason: Array("digits,\r\n  all".utf8)
      ),
      Proposal(Citation(Array("two".utf8)), Array("2".utf8)),
    ]
    let author = try #require(AuthorName("@Ada Byron"))
    let text = source.applying(try source.edits(proposing: proposals, by: author))
    #expect(
      String(decoding: text, as: UTF8.self)
        == "{~~one~>1~~}{>>@Ada_Byron: digits, all<<} {~~two~>2~~}{>>@Ada_Byron<<} three"
    )
    for name in ["", "@", "a|b", "a\nb", "a:", "{a", "<<}"] { #expect(AuthorName(name) == nil) }
    #expect(AuthorName("ai:model")?.name == "ai:model")
  }

  @Test(
    "What cannot be made is told with the lines of the file",
    arguments: [
      (
        "hen\n{--x--}\nhen", "hen", "fox",
        #"edit 1 ("hen"): "old" is at 2 places, on lines 1 and 3"#
      ),
      ("{--a\n--}b", "a", "c", #"is not in the clean text; on line 1 of the file it is deleted"#),
      (
        "one\n\ntwo\nthree", "two three", "4",
        "not in the clean text; on line 3 it has other spaces"
      ),
      ("one", "two", "3", "not in the clean text; compare"),
      ("one", "", "3", "is empty; to add text"), ("one", "one", "one", "are the same"),
      ("---\ntitle: one\n---\n\nText", "one", "two", "in the front matter"),
    ]
  )
  func failures(_ text: String, _ old: String, _ new: String, _ message: String) throws {
    #expect {
      try proposed(text, [(old, new)])
    } throws: {
      "\($0)".contains(message)
    }
  }

  @Test("What stands beside it says which of several places is meant")
  func context() throws {
    let source = Array("a hen, the hen, one hen".utf8)
    func place(_ after: String, _ before: String) throws -> Int? {
      let old = Citation(Array("hen".utf8), after: Array(after.utf8), before: Array(before.utf8))
      return try source.edits(proposing: [Proposal(old, [])]).first?.range.lowerBound
    }
    #expect(try place("the ", "") == 11)
    #expect(try place("", ", the") == 2)
    #expect(try place("one ", "") == 20)
    #expect { try place(" ", "") } throws: { "\($0)".contains("make longer \"after\"") }
    #expect { try place("two ", "") } throws: {
      "\($0)".contains("but nowhere with that \"after\"")
    }
  }

  @Test("Edits that overlap are refused, and every edit with which something is wrong is told")
  func overlaps() {
    #expect {
      try proposed("one two three", [("two three", "2 3"), ("one two", "1 2"), ("four", "4")])
    } throws: { error in
      let lines = "\(error)".split(separator: "\n")
      return lines.count == 1 && lines[0].hasPrefix(#"edit 3 ("four")"#)
        || lines.count == 2 && lines[0].contains("edit 2 (\"one two\"): it overlaps edit 1")
    }
  }
}

@Suite("Proposals for random texts", .timeLimited) struct ProposalPropertyTests {
  private static let plain = [
    "{++a b++}", "{--c d--}", "{~~e~>f g~~}", "{==h==}", "{>>@ada: i<<}", "word", "\n\n", "x", " ",
    " ", "é", "語", ".",
    "{--g--}{++h++}", "\n", "- ", "\r\n",
  ]
  private static let hostile =
    plain + ["{++", "++}", "--}", "{~~", "~>", "`", "<<}", "{>>", "}", "```\n", "{", "`x`"]

  /// Proposes replacements at random places of the clean text, each told by all that stands around it.
  private func propose(_ parts: [String], _ seed: UInt64, _ words: [String]) -> (
    source: [UInt8], old: [(range: Range<Int>, new: [UInt8])], result: Result<[UInt8], any Error>
  ) {
    var random = Seeded(seed: seed)
    let source = Array(parts.joined().utf8)
    let clean = Reading(of: source).text(.clean, of: source)
    var edits: [(range: Range<Int>, new: [UInt8])] = []
    var at = 0
    while let start = (at..<max(at, clean.count)).randomElement(using: &random), edits.count < 4 {
      var range = start..<min(clean.count, start + Int.random(in: 1...6, using: &random))
      while !isBoundary(clean[...], range.lowerBound) {
        range = range.lowerBound - 1..<range.upperBound
      }
      while !isBoundary(clean[...], range.upperBound) {
        range = range.lowerBound..<range.upperBound + 1
      }
      guard range.lowerBound >= at else { break }
      let new = Array((words.randomElement(using: &random) ?? "").utf8)
      if new != Array(clean[range]) { edits.append((range, new)) }
      at = range.upperBound
    }
    let proposals = edits.enumerated().map { index, edit in
      let (start, end) = (edit.range.lowerBound, edit.range.upperBound)
      let old = Citation(
        Array(clean[edit.range]),
        after: Array(clean[..<start]),
        before: Array(clean[end...])
      )
      return Proposal(old, edit.new, reason: Array("reason \(index)".utf8))
    }
    let result = Result { () throws -> [UInt8] in
      source.applying(try source.edits(proposing: proposals.shuffled(using: &random)))
    }
    return (source, edits, result)
  }

  private func broken(_ parts: [String], _ seed: UInt64, _ words: [String], mayFail: Bool)
    -> String?
  {
    let (source, edits, result) = propose(parts, seed, words)
    guard case .success(let bytes) = result else {
      return mayFail ? nil : "\(String(decoding: source, as: UTF8.self)): \(edits) \(result)"
    }
    let (old, new) = (Reading(of: source), Reading(of: bytes))
    let text = String(decoding: bytes, as: UTF8.self)
    let meant = old.text(.clean, of: source).applying(edits.map { Edit($0.range, $0.new) })
    if new.text(.clean, of: bytes) != meant { return "\(text) has another clean text" }
    if new.text(.original, of: bytes) != old.text(.original, of: source) {
      return "\(text) has another original"
    }
    let comments = new.marks.filter { $0.kind == .comment }.map { bytes[$0.content] }
    for index in edits.indices {
      guard comments.count(where: { $0.elementsEqual("reason \(index)".utf8) }) == 1 else {
        return "\(text) does not have reason \(index) once"
      }
    }
    // Marks that no edit reaches into are there still, in their order.
    let content = content(of: source)
    var places: [Int: Int] = [:]
    var inClean = 0
    for character in content {
      for offset in character { places[offset] = inClean + offset - character.lowerBound }
      inClean += character.count
    }
    var rest = bytes[...]
    for index in old.topLevel {
      let mark = old.marks[index]
      let held = mark.range.compactMap { places[$0] }
      let before = (0..<mark.start).compactMap { places[$0] }.max() ?? -1
      let isReached = edits.contains { edit in
        held.contains(where: edit.range.contains)
          || held.isEmpty && edit.range.contains(before) && edit.range.contains(before + 1)
      }
      if isReached { continue }
      guard let place = rest.firstRange(of: source[mark.range]) else {
        return "\(text) has lost \(String(decoding: source[mark.range], as: UTF8.self))"
      }
      rest = rest[place.upperBound...]
    }
    return nil
  }

  @Test(
    "Accepting gives the edits, rejecting what it gave before, and other marks keep their bytes"
  )
  func exact() {
    let words = ["", "new", "two words", "é", "\n", " ", "\n\nmore\n\n"]
    forAll(
      runs(1500),
      step: { Self.plain.randomElement(using: &$0) ?? "" },
      law: { seed, parts in broken(parts, seed, words, mayFail: false) }
    )
  }

  @Test("So it is in texts full of delimiters and code, or nothing is written")
  func hostile() {
    let words = ["", "{++x++}", "~>", "`", "new", "--}", "{>>y<<}", "```\n"]
    forAll(
      runs(1500),
      step: { Self.hostile.randomElement(using: &$0) ?? "" },
      law: { seed, parts in broken(parts, seed, words, mayFail: true) }
    )
  }
}
