import TestSupport
import Testing

@testable import TrackEngine

@Suite("Recorded changes and comments as marks", .timeLimited) struct RecordedChangeTests {
  private static let parts = [
    "the fox ", "sat. ", "x", " ", "\n", "\n\n", "`", "``", "`code`", "```\n", "~>", "~~", "++",
    "--", "+", "-",
    "\\", "*", "# head\n", "- item\n", "| a | b |\n", "é", "漢字", "}", "{",
  ]
  .map { Array($0.utf8) }

  /// A part of both texts, or one that was removed or added, perhaps by somebody.
  private struct Step {
    var part: [UInt8]
    var isOld: Bool
    var isNew: Bool
    var author: String?
  }

  private static func step(_ random: inout Seeded, _ language: Language) -> Step {
    let side = Int.random(in: 0..<6, using: &random)
    let isSign = language != .markdown && Bool.random(using: &random)
    let sign = isSign ? LanguageTests.signs(of: language).randomElement(using: &random) : nil
    return Step(
      part: sign.map { Array($0.utf8) } ?? parts.randomElement(using: &random) ?? [],
      isOld: side != 0,
      isNew: side != 1,
      author: ["anna", "bob", nil].randomElement(using: &random) ?? nil
    )
  }

  private static func texts(_ steps: [Step]) -> (
    old: [UInt8], new: [UInt8], changes: [RecordedChange]
  ) {
    var (old, new): ([UInt8], [UInt8]) = ([], [])
    var changes: [RecordedChange] = []
    for step in steps {
      let (oldStart, newStart) = (old.count, new.count)
      if step.isOld { old += step.part }
      if step.isNew { new += step.part }
      if step.isOld != step.isNew {
        changes.append(
          RecordedChange(
            oldStart..<old.count,
            newStart..<new.count,
            attribution: step.author.map { Array("@\($0)".utf8) }
          )
        )
      }
    }
    return (old, new, changes)
  }

  @Test(
    "Accepting all gives the clean text, and rejecting all the original, whatever was changed by whom",
    arguments: Language.allCases
  )
  func exactness(_ language: Language) {
    forAll(
      runs(1000),
      length: 20,
      step: { Self.step(&$0, language) },
      law: { _, steps in
        let (old, new, changes) = Self.texts(steps)
        // A text that has marks of its own is none that an import makes.
        guard [old, new].allSatisfy({ Reading(of: $0, as: language).marks.isEmpty }) else {
          return nil
        }
        let text = marked(changes, from: old, to: new, as: language)
        return text.hasVariants(old, new, as: language)
          ? nil : String(decoding: text, as: UTF8.self)
      }
    )
  }

  @Test(
    "Comments change neither text, and none is lost, wherever they begin and end",
    arguments: Language.allCases
  )
  func comments(_ language: Language) {
    forAll(
      runs(1000),
      length: 20,
      step: { Self.step(&$0, language) },
      law: { seed, steps in
        var random = Seeded(seed: seed)
        let (old, new, changes) = Self.texts(steps)
        guard [old, new].allSatisfy({ Reading(of: $0, as: language).marks.isEmpty }) else {
          return nil
        }
        let text = marked(changes, from: old, to: new, as: language)
        let remarks = (0..<3).map { number in
          func range(_ count: Int) -> Range<Int> {
            let ends = [
              Int.random(in: 0...count, using: &random), Int.random(in: 0...count, using: &random),
            ]
            return ends.min()!..<ends.max()!
          }
          return Remark(range(old.count), range(new.count), [Array("number \(number)".utf8)])
        }
        let (commented, _, left) = remarking(remarks, on: text, as: language)
        if left > 0 { return "\(left) left out" }
        let shown = String(decoding: commented, as: UTF8.self)
        guard commented.hasVariants(old, new, as: language) else { return shown }
        let reading = Reading(of: commented, as: language)
        for number in 0..<3 {
          let count = reading.marks.count { mark in
            mark.kind == .comment && commented[mark.content].elementsEqual("number \(number)".utf8)
          }
          if count != 1 { return "comment \(number) is there \(count) times in \(shown)" }
        }
        return nil
      }
    )
  }

  private func marks(_ old: String, _ new: String, _ changes: RecordedChange...) -> String {
    String(decoding: marked(changes, from: Array(old.utf8), to: Array(new.utf8)), as: UTF8.self)
  }

  private func by(_ name: String, _ old: Range<Int>, _ new: Range<Int>) -> RecordedChange {
    RecordedChange(old, new, attribution: Array("@\(name)".utf8))
  }

  @Test("What two people changed side by side stays apart, what one did is one change")
  func authors() {
    #expect(
      marks("red hen", "blue hen", by("anna", 0..<3, 0..<0), by("bob", 3..<3, 0..<4))
        == "{--red--}{>>@anna<<}{++blue++}{>>@bob<<} hen"
    )
    #expect(
      marks("red hen", "blue hen", by("anna", 0..<3, 0..<0), by("anna", 3..<3, 0..<4))
        == "{~~red~>blue~~}{>>@anna<<} hen"
    )
  }

  @Test("What one did side by side stays apart where that is asked for")
  func joining() {
    func marks(_ first: RecordedChange.Joining, _ second: RecordedChange.Joining) -> [String] {
      var changes = [RecordedChange(0..<3, 0..<0), RecordedChange(3..<3, 0..<4)]
      (changes[0].joining, changes[1].joining) = (first, second)
      var deletions = [RecordedChange(0..<2, 0..<0), RecordedChange(2..<4, 0..<0)]
      (deletions[0].joining, deletions[1].joining) = (first, second)
      return [
        self.marks("red hen", "blue hen", changes[0], changes[1]),
        self.marks("a b hen", "hen", deletions[0], deletions[1]),
      ]
    }
    let (one, both) = ("{~~red~>blue~~} hen", "{--red--}{++blue++} hen")
    let (whole, parts) = ("{--a b --}hen", "{--a --}{--b --}hen")
    #expect(marks(.all, .all) == [one, whole])
    #expect(marks(.all, .ownKind) == [one, whole])
    #expect(marks(.ownKind, .ownKind) == [both, whole])
    #expect(marks(.none, .ownKind) == [both, parts])
    #expect(marks(.all, .none) == [both, parts])
    var changes = [
      RecordedChange(0..<1, 0..<0), RecordedChange(1..<2, 0..<0), RecordedChange(2..<2, 0..<1),
    ]
    (changes[1].joining, changes[2].joining) = (.ownKind, .ownKind)
    let marked = self.marks("ab hen", "c hen", changes[0], changes[1], changes[2])
    #expect(marked == "{--ab--}{++c++} hen")
  }

  @Test("Where one paragraph has to be compared, the others keep their authors")
  func comparedAlone() {
    let original = Array("x} and \\emph{ b.\n\nOne two.\n".utf8)
    let clean = Array("x b.\n\nOne.\n".utf8)
    let changes = [
      RecordedChange(1..<13, 1..<1, attribution: Array("@ada".utf8)),
      RecordedChange(21..<25, 9..<9, attribution: Array("@bo".utf8)),
    ]
    let text = marked(changes, from: original, to: clean)
    #expect(
      String(decoding: text, as: UTF8.self)
        == "x{--}--}{-- and \\emph{--} b.\n\nOne{-- two--}{>>@bo<<}.\n"
    )
  }

  @Test("Whether changes read as meant is known before they are written")
  func readable() {
    func isReadable(_ old: String, _ new: String, _ changes: RecordedChange...) -> Bool {
      areReadable(changes, from: Array(old.utf8), to: Array(new.utf8), as: .markdown)
    }
    #expect(isReadable("red hen", "hen", by("ada", 0..<4, 0..<0)))
    #expect(isReadable("red hen", "red hen"))
    #expect(!isReadable("x} and {b.", "x b.", by("ada", 1..<9, 1..<2)))
    #expect(!isReadable("red hen", "blue hens", by("ada", 0..<3, 0..<4)))
  }

  @Test("Nobody is named for a change of nothing")
  func unchanged() {
    #expect(marks("a hen", "a hen", by("anna", 0..<1, 0..<1)) == "a hen")
  }

  @Test("A change in code takes in the code span")
  func code() {
    #expect(
      marks("call `foo` now", "call `fob` now", RecordedChange(8..<9, 8..<9))
        == "call {~~`foo`~>`fob`~~} now"
    )
  }

  @Test("A comment on plain and changed text highlights the plain parts, and stands behind all")
  func overChanges() {
    let text = Array("a {~~red~>blue~~}{>>@anna<<} hen sat".utf8)
    let (commented, narrowed, _) = remarking([Remark(0..<9, 0..<10, [Array("why".utf8)])], on: text)
    #expect(
      String(decoding: commented, as: UTF8.self)
        == "{==a ==}{~~red~>blue~~}{>>@anna<<}{== hen==}{>>why<<} sat"
    )
    #expect(narrowed == 0)
  }

  @Test("Spaces at the ends of what a comment is about are not highlighted")
  func spaces() {
    let text = Array("{~~a~>b~~} hen\u{A0} sat".utf8)
    let (commented, _, _) = remarking([Remark(0..<7, 0..<7, [Array("why".utf8)])], on: text)
    #expect(
      String(decoding: commented, as: UTF8.self) == "{~~a~>b~~} {==hen==}{>>why<<}\u{A0} sat"
    )
  }

  @Test("A comment that overlaps another is narrowed to what the other leaves")
  func overlapping() {
    let remarks = [
      Remark(0..<7, 0..<7, [Array("one".utf8)]), Remark(4..<11, 4..<11, [Array("two".utf8)]),
    ]
    let (commented, narrowed, _) = remarking(remarks, on: Array("red hen sat".utf8))
    #expect(
      String(decoding: commented, as: UTF8.self) == "{==red hen==}{>>one<<}{== sat==}{>>two<<}"
    )
    #expect(narrowed == 1)
  }

  @Test("What a comment says cannot end it")
  func delimiters() {
    let (commented, _, _) = remarking(
      [Remark(0..<1, 0..<1, [Array("a <<} b {++c++}\nd\\".utf8)])],
      on: Array("x".utf8)
    )
    #expect(
      String(decoding: commented, as: UTF8.self) == "{==x==}{>>a << } b { ++c++ } d\\ <<}"
    )
  }
}
