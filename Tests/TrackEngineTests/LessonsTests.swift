import TestSupport
import Testing

@testable import TrackEngine

@Suite("Lessons", .timeLimited) struct LessonsTests {
  /// The lessons of what became of texts, from each to the next; each list is a file.
  private func lessons(_ files: [String]..., upTo most: Int = 100) -> [Lesson] {
    var lessons = Lessons()
    for (number, versions) in files.enumerated() {
      for (earlier, later) in zip(versions, versions.dropFirst()) {
        for text in TaughtText.between(Array(earlier.utf8), Array(later.utf8), by: "ada") {
          for edit in text.edits { lessons.add(edit, in: number) }
        }
      }
      for edit in TaughtText.standing(in: Array((versions.last ?? "").utf8)).edits {
        lessons.add(edit, in: number)
      }
    }
    return lessons.lessons(upTo: most).lessons
  }

  /// As in `red → blue: 2 made, 1 undone`.
  private func told(_ lesson: Lesson) -> String {
    let words = [lesson.wording.old, lesson.wording.new].map { String(decoding: $0, as: UTF8.self) }
    var counts = TaughtEdit.Outcome.allCases.filter { lesson.outcomes[$0] > 0 }
      .map { "\(lesson.outcomes[$0]) \($0)" }
    if lesson.undone > 0 { counts.append("\(lesson.undone) undone") }
    return "\(words.joined(separator: " → ")): \(counts.joined(separator: ", "))"
  }

  @Test("Edits without marks recur over files and versions, in whatever case sentences have them")
  func made() {
    let found = lessons(
      ["We utilize a hen.\n\nUtilize it.\n", "We use a hen.\n\nUse it.\n"],
      ["One can utilize red.\n", "One can use red.\n", "One can use blue.\n"]
    )
    #expect(found.map(told) == ["utilize → use: 3 made"])
    #expect(found.map(\.files) == [2])
    #expect(found.first?.authors.map(\.name) == ["ada"])
    #expect(found.first?.examples.map(\.file) == [0, 0, 1])
  }

  @Test("What became of marks counts, and each once: those that stand, when they are decided")
  func decided() {
    let marked = "We {~~utilize~>use~~}{>>@bo: [clarity] plain<<} it.\n\nA {~~red~>blue~~} hen.\n"
    let found = lessons(
      [
        "We utilize it.\n\nA red hen.\n", marked, marked + "\nMore.\n",
        "We use it.\n\nA red hen.\n",
      ],
      ["All {~~utilize~>use~~} red.\n", "All employ red.\n"],
      ["None {~~utilize~>use~~}.\n"]
    )
    #expect(found.map(told) == ["utilize → use: 1 accepted, 1 edited, 1 pending"])
    #expect(found.first?.reasons.map(\.text) == ["plain"])
    #expect(found.first?.categories.map(\.tag) == ["clarity"])
    // Whoever made the commit did not make the change.
    #expect(found.first?.authors.map(\.name) == ["bo"])
    #expect(found.first?.outcomes.decided == 2)
  }

  @Test("What is rejected more often than accepted is refused, and what is undone is no rule")
  func refused() {
    let proposed = "A {~~color~>colour~~} here.\n\nThe {~~color~>colour~~} there.\n"
    let refused = lessons([proposed, "A color here.\n\nThe color there.\n"])
    #expect(refused.map(told) == ["color → colour: 2 rejected"])
    #expect(refused.map(\.verdict) == [.refused])
    let undone = lessons(
      [
        "A big hen.\n\nThat big fox.\n", "A large hen.\n\nThat large fox.\n",
        "A big hen.\n\nThat big fox.\n",
      ]
    )
    #expect(undone.map(told) == ["big → large: 2 made, 2 undone", "large → big: 2 made, 2 undone"])
    #expect(undone.map(\.verdict) == [.habit, .habit])
  }

  @Test("Edits between the marks count as made, and not again with the marks")
  func between() {
    let found = lessons(
      [
        "A {~~red~>blue~~} hen utilized it.\n\nHe utilized that.\n",
        "A blue hen used it.\n\nHe used that.\n",
      ]
    )
    #expect(found.map(told) == ["utilized → used: 2 made"])
  }

  @Test("An edit in a copy of a text counts once")
  func copies() {
    let versions = ["We utilize a hen.\n", "We use a hen.\n"]
    #expect(lessons(versions, versions).map(told) == [])
    #expect(lessons(versions, ["You utilize it.\n", "You use it.\n"]).count == 1)
  }

  @Test("What happened once is a lesson only with a reason")
  func once() {
    #expect(lessons(["A {~~red~>blue~~} hen.\n"]).isEmpty)
    let found = lessons(["A {~~red~>blue~~}{>>she is blue<<} hen.\n"])
    #expect(found.map(told) == ["red → blue: 1 pending"])
    #expect(found.map(\.isTaught) == [true])
    #expect(lessons(["A {~~red~>blue~~}{>>@ada<<} hen.\n"]).isEmpty)
  }

  @Test("Words that are only ever deleted before the same word belong to it, and a space with them")
  func neighbours() {
    func deleted(_ words: String, _ nexts: [String]) -> [String] {
      let text = nexts.map { "Then \($0) {--\(words) --}\($0) ran.\n" }.joined(separator: "\n")
      let same = nexts.indices.map { "Hen \($0) sat {--\(words) --}to see.\n" }
      let asked = nexts.allSatisfy { $0 == "to" } ? same.joined(separator: "\n") : text
      return lessons([asked.replacing(" 0 ", with: " o ")]).map(told)
    }
    #expect(deleted("in order", ["to", "to", "to"]) == ["in order to → to: 3 pending"])
    #expect(deleted("very", ["old", "red", "big"]) == ["very → : 3 pending"])
    let names = (0..<3).map { "\($0) hens: Red{-- Hens--}. More.\n" }.joined(separator: "\n")
    #expect(lessons([names]).map(told) == ["Red Hens → Red: 3 pending"])
    #expect(lessons([names + "\nOur red{-- Hens--}.\n"]).map(told) == ["red Hens → red: 4 pending"])
    #expect(deleted("in order", ["to", "to"]) == ["in order → : 2 pending"])
  }

  @Test("Of lessons that are as frequent, the one with a reason comes first, and then by words")
  func order() {
    let marks = ["b~>x", "a~>y"].map { "One {~~\($0)~~} hen.\n\nTwo {~~\($0)~~} hens.\n" }
    let reason = "One {~~c~>z~~}{>>why<<} hen.\n\nTwo {~~c~>z~~} hens.\n"
    let text = (marks + [reason]).joined(separator: "\n")
    #expect(
      lessons([text]).map { String(decoding: $0.wording.old, as: UTF8.self) } == ["c", "a", "b"]
    )
    #expect(lessons([text], upTo: 2).count == 2)
  }

  @Test("A rule is one whose old words hardly stand any more; in the new words they do not count")
  func standing() throws {
    let before =
      "One can utilize it.\n\nAll red and blue.\n\nTwo can utilize it.\n\nAll big and old.\n"
    let after = "One can use it.\n\nAll red, and blue.\n\nTwo can use it.\n\nAll big, and old.\n"
    let found = lessons([before, after])
    #expect(found.map(told) == ["and → , and: 2 made", "utilize → use: 2 made"])
    let words = StandingWords(of: found)
    let now = after + "Fox and hen, {--and--}Utilize.\n\n`utilize`\n\n{--utilize--}\n"
    #expect(words.counts(in: Array(now.utf8)) == [1, 1])
    var rule = try #require(found.last)
    rule.standing = 1
    #expect(rule.verdict == .rule)
    rule.standing = 2
    #expect(rule.verdict == .habit)
  }

  @Test(
    "Nothing is learned from code, and no word is counted there, in any language",
    arguments: [
      (Language.markdown, "`", "`"), (.latex, "\\verb|", "|"), (.org, "=", "="),
      (.asciiDoc, "+", "+"), (.restructuredText, "``", "``"), (.typst, "```c ", "```"),
      (.latex, "\n\\begin{verbatim}\n", "\n\\end{verbatim}\n"),
      (.restructuredText, "\n\n.. code::\n\n  ", "\n\n"),
    ]
  )
  func code(_ language: Language, _ opener: String, _ closer: String) throws {
    func text(_ word: String) -> [UInt8] {
      let code = [opener + "x" + closer, opener + word + closer]
      return Array("They \(word) it, \(code[0]) so.\n\nIt is \(code[1]) here.\n".utf8)
    }
    let made = TaughtText.between(text("utilize"), text("use"), as: language, by: nil)
    #expect(made.flatMap(\.edits).count == 1)
    let standing = TaughtText.standing(in: text("{~~utilize~>use~~}{>>why<<}"), as: language)
    #expect(standing.edits.count == 1)
    var lessons = Lessons()
    for edit in standing.edits { lessons.add(edit, in: 0) }
    let words = StandingWords(of: lessons.lessons(upTo: 1).lessons)
    #expect(words.counts(in: text("utilize"), as: language) == [1])
  }

  @Test("A straight apostrophe is counted in words, too")
  func apostrophes() {
    let found = lessons(["It isn't.\n\nWe don't.\n", "It isn’t.\n\nWe don’t.\n"])
    #expect(found.map(told) == ["' → ’: 2 made"])
    let text = "She isn't 'red', is she? It isn’t.\n"
    #expect(StandingWords(of: found).counts(in: Array(text.utf8)) == [3])
  }

  @Test("Words are counted across lines, and in a text of many parts")
  func manyParts() throws {
    let text = String(repeating: "She has in\norder to run.\n\n", count: 6000)
    var lesson = try #require(lessons(["A {--in order --}{>>why<<}to.\n"]).first)
    #expect(StandingWords(of: [lesson]).counts(in: Array(text.utf8)) == [6000])
    lesson.standing = 6000
    #expect(lesson.verdict == .habit)
  }
}
