import TestSupport
import Testing

@testable import TrackEngine

@Suite("The comparison of two texts", .timeLimited) struct ComparisonTests {
  private static let parts =
    [
      "{++a++}", "{--b--}", "{~~c~>d~~}", "{==e==}", "{>>f<<}", "{++", "++}", "{--", "--}", "{~~",
      "~~}", "~>", "{==", "==}", "{>>", "<<}", "`", "``", "```\n", "~~~\n", "\n", "\r\n", "\n\n",
      "\r",
      "the fox ", "sat. ", "x", " ", "{", "}", "\\", "| a | b |\n", "- item\n", "# head\n", "---\n",
      "key: value\n", "\u{FEFF}", "é", "漢字", "かな", "👩‍👩‍👧", "e\u{301}",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0x80, 0xE2]]

  /// A part of a text, and which of the texts have it.
  private struct Step {
    var part: [UInt8]
    var isOld: Bool
    var isNew: Bool
  }

  @Test("Every picture shows how two texts are marked up", arguments: try specBlocks("compare"))
  func picture(_ block: SpecBlock) throws {
    let texts = block.frames.map { Array($0.picture.utf8) }
    try #require(block.frames.flatMap(\.actions).map(\.text) == ["new", "marked"])
    let marked = String(decoding: comparison(of: texts[0], and: texts[1]), as: UTF8.self)
    #expect(marked == block.frames[2].picture, sourceLocation: block.location(block.frames[2].line))
    let broken = broken(texts[0], texts[1])
    #expect(broken == nil, sourceLocation: block.location(block.line))
  }

  @Test("Accepting all of it gives the new text, and rejecting all of it the old one, of any bytes")
  func exactness() {
    forAll(
      runs(1000),
      length: 30,
      step: { random -> Step in
        let side = Int.random(in: 0..<5, using: &random)
        let part = Self.parts.randomElement(using: &random) ?? []
        return Step(part: part, isOld: side != 0, isNew: side != 1)
      },
      law: { _, steps in broken(steps) }
    )
  }

  @Test("The same is true of long and mostly plain texts, which are marked stretch by stretch")
  func exactnessOfLongTexts() {
    let words = ["the fox ", "sat. ", "A red hen ", "ran ", "\n\n"].map { Array($0.utf8) }
    forAll(
      runs(100),
      length: 600,
      step: { random -> Step in
        let side = Int.random(in: 0..<8, using: &random)
        let isPlain = Int.random(in: 0..<8, using: &random) != 0
        let part = (isPlain ? words : Self.parts).randomElement(using: &random) ?? []
        return Step(part: part, isOld: side != 0, isNew: side != 1)
      },
      law: { _, steps in broken(steps) }
    )
  }

  @Test("A text compared with itself, or with what it is without its marks, is itself")
  func equalTexts() {
    forAll(
      runs(500),
      length: 30,
      step: { Self.parts.randomElement(using: &$0) ?? [] },
      law: { _, steps in
        let text = Array(steps.joined())
        let original = Reading(of: text).text(.original, of: text)
        if comparison(of: text, and: text) != text { return "it is not itself" }
        let isBare = Reading(of: original).text(.original, of: original) == original
        return !isBare || comparison(of: original, and: text) == text ? nil : "its marks are gone"
      }
    )
  }

  @Test("Who made the changes stands behind each of them, and behind none that was there")
  func author() {
    let (old, new) = ("The red fox ran. It was late.", "The blue fox ran{++ off++}. It was dark.")
    let marked = comparison(
      of: Array(old.utf8),
      and: Array(new.utf8),
      author: AuthorName("Ada Byron")
    )
    #expect(
      String(decoding: marked, as: UTF8.self)
        == "The {~~red~>blue~~}{>>@Ada_Byron<<} fox ran{++ off++}. It was {~~late~>dark~~}{>>@Ada_Byron<<}."
    )
  }

  @Test(
    "Texts four times as long, in which next to nothing can be marked plainly, take far less than sixteen times the work",
    arguments: [
      ["`a ", "`b\n\n", "`c\n"], ["a ", "b ", "c ", "\n\n"], ["{++", "++}", "a ", "\n\n"],
      ["```\n", "a\n", "\n"], ["| a | b |\n", "| b | c |\n", "\n"],
      ["- a\n", "1. b\n", "*c* [d](e)\n"],
    ]
  )
  func growth(_ parts: [String]) {
    /// The bytes that are read to mark up two random texts of so many parts.
    func steps(_ count: Int) -> Int {
      var random = Seeded(seed: 1)
      let texts = (0..<2).map { _ in
        (0..<count).flatMap { _ in Array((parts.randomElement(using: &random) ?? "").utf8) }
      }
      return Comparison(texts[0], texts[1]).marking().steps
    }
    // What is read again where many changes cannot be marked plainly adds to it; it is sixteen times as much where
    // each change is read with all others.
    #expect(steps(4000) < 12 * max(steps(1000), 50_000))
  }

  @Test(
    "In long hostile texts of one paragraph they do not take more than the text has grown, and stay exact"
  )
  func hostile() {
    func steps(_ count: Int) -> Int {
      let (old, new) = hostileTexts(count, seed: 1)
      #expect(broken(old, new) == nil)
      return Comparison(old, new).marking().steps
    }
    let (few, many) = (steps(20_000), steps(80_000))
    #expect(many < 6 * few, "\(few), then \(many)")
  }

  @Test("However long a hostile text is, it is read a limited number of times")
  func hostileTextsAreReadSoOften() {
    for (count, seeds) in [(5_000, 2...9), (20_000, 2...7), (80_000, 2...3)] {
      for seed in seeds {
        let (old, new) = hostileTexts(count, seed: UInt64(seed))
        let steps = Comparison(old, new).marking().steps
        #expect(steps <= 128 * (old.count + new.count), "\(count) bytes, seed \(seed): \(steps)")
      }
    }
  }

  /// Two texts of so many bytes: nearly every tenth byte of the old one is gone, or has another one behind it.
  private func hostileTexts(_ count: Int, seed: UInt64) -> (old: [UInt8], new: [UInt8]) {
    let signs = Array("{}+-~>`\\=< ab\n".utf8)
    var random = Seeded(seed: seed)
    let old = (0..<count).map { _ in signs.randomElement(using: &random) ?? 0 }
    let new = old.flatMap { byte -> [UInt8] in
      switch Int.random(in: 0..<20, using: &random) {
      case 0: []
      case 1: [byte, signs.randomElement(using: &random) ?? 0]
      default: [byte]
      }
    }
    return (old, new)
  }

  /// What is wrong with the comparison of the texts that have the parts; nil if nothing is.
  private func broken(_ steps: [Step]) -> String? {
    broken(steps.filter(\.isOld).flatMap(\.part), steps.filter(\.isNew).flatMap(\.part))
  }

  /// What is wrong with the comparison of two texts; nil if nothing is.
  private func broken(_ old: [UInt8], _ new: [UInt8]) -> String? {
    let marked = comparison(of: old, and: new)
    let reading = Reading(of: marked)
    let text = String(decoding: marked, as: UTF8.self)
    if reading.text(.original, of: marked) != Reading(of: old).text(.original, of: old) {
      return "rejected, \(text) is not the old text"
    }
    if reading.text(.clean, of: marked) != Reading(of: new).text(.clean, of: new) {
      return "accepted, \(text) is not the new text"
    }
    return nil
  }
}
