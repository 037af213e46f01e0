import TestSupport
import Testing

@testable import TrackEngine

@Suite("What two hands made of one text", .timeLimited) struct TwoHandsTests {
  private func hands(_ old: String, _ writer: String, _ program: String) -> TwoHands {
    TwoHands(Array(writer.utf8), Array(program.utf8), of: Array(old.utf8))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("What each changed is told apart, and both are together in one text")
  func apart() {
    let hands = hands(
      "One two.\n\nThree four.\n",
      "One 2 two.\n\nThree four.\n",
      "One two.\n\nThree 4.\n"
    )
    #expect(text(hands.own) == "One 2 two.\n\nThree four.\n")
    #expect(text(hands.all) == "One 2 two.\n\nThree 4.\n")
    #expect(!hands.isRead)
  }

  @Test("Where both changed the same words the program's stand in the place of the writer's")
  func meeting() {
    let hands = hands("One two three.\n", "One zwei three.\n", "One deux three.\n")
    #expect(text(hands.own) == "One zwei three.\n")
    #expect(text(hands.all) == "One deux three.\n")
  }

  @Test("What both put in at one place is there twice, the writer's first")
  func insertions() {
    let hands = hands("One.\n", "One.\nMine.\n", "One.\nTheirs.\n")
    #expect(text(hands.all) == "One.\nMine.\nTheirs.\n")
    #expect(text(hands.own) == "One.\nMine.\n")
  }

  @Test("A text that has what the program changed keeps what the writer changed since")
  func read() {
    let hands = hands("One two.\n\nThree four.\n", "1 two.\n\nThree 4.\n", "One two.\n\nThree 4.\n")
    #expect(hands.isRead)
    #expect(text(hands.own) == "1 two.\n\nThree four.\n")
    #expect(text(hands.all) == "1 two.\n\nThree 4.\n")
  }

  @Test("What the program changed can be in marks in the writer's text, which are not cut")
  func marks() {
    let (old, new) = ("One two three.\n", "One 2 three.\n")
    let read = hands(old, "One {~~two~>2~~}{>>@jo<<} {++and ++}three.\n", new)
    #expect(read.isRead)
    #expect(text(read.own) == "One two {++and ++}three.\n")
    #expect(text(read.all) == "One 2 {++and ++}three.\n")
    let other = hands(old, "One {~~two~>zwei~~} three.\n", new)
    #expect(text(other.own) == "One {~~two~>zwei~~} three.\n")
    #expect(text(other.all) == new)
    #expect(!other.isRead)
    // What the writer said of it is not the program's to change.
    let said = hands(old, "One {~~two~>2~~}{>>@jo: hm<<} three.\n", new)
    #expect(text(said.own) == "One {~~two~>2~~}{>>@jo: hm<<} three.\n")
    #expect(!said.isRead)
    let marked = hands(
      "A {~~red~>blue~~} hen.\n",
      "A {~~red~>light blue~~} hen.\n",
      "A blue hen.\n"
    )
    #expect(text(marked.own) == "A {~~red~>light blue~~} hen.\n")
    #expect(text(marked.all) == "A blue hen.\n")
  }

  @Test(
    "One hand alone makes its text, and no byte of either is lost",
    arguments: 0..<runs(300),
    Language.allCases
  )
  func laws(_ seed: Int, _ language: Language) {
    var random = Seeded(seed: UInt64(seed))
    let plain = ["one ", "two ", "é", "\r\n", "\n\n", "{++x++}", ". ", "so ", "🙂", "{>>@a: b<<}"]
    let words = language == .markdown ? plain : plain + LanguageTests.signs(of: language)
    func hands(_ writer: [UInt8], _ program: [UInt8], of old: [UInt8]) -> TwoHands {
      TwoHands(writer, program, of: old, as: language)
    }
    func text() -> [[UInt8]] {
      (0..<Int.random(in: 0...30, using: &random)).map { _ in
        Array((words.randomElement(using: &random) ?? "").utf8)
      }
    }
    func changed(_ text: [[UInt8]], _ mark: String) -> [UInt8] {
      var text = text
      for number in 0..<Int.random(in: 0...4, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        let end = Int.random(in: place...min(text.count, place + 2), using: &random)
        text.replaceSubrange(place..<end, with: [Array("\(mark)\(number) ".utf8)])
      }
      return text.flatMap { $0 }
    }
    let parts = text()
    let old = parts.flatMap { $0 }
    let (writer, program) = (changed(parts, "W"), changed(parts, "P"))
    let both = hands(writer, program, of: old)
    for number in 0..<4 {
      let (mine, theirs) = (Array("W\(number) ".utf8), Array("P\(number) ".utf8))
      #expect(
        (both.own.firstRange(of: mine) != nil) == (writer.firstRange(of: mine) != nil),
        "seed \(seed)"
      )
      #expect(
        (both.all.firstRange(of: theirs) != nil) == (program.firstRange(of: theirs) != nil),
        "seed \(seed)"
      )
    }
    #expect(hands(writer, old, of: old).all == writer, "seed \(seed)")
    #expect(hands(writer, old, of: old).own == writer, "seed \(seed)")
    #expect(hands(old, program, of: old).all == program, "seed \(seed)")
    #expect(hands(old, program, of: old).own == old, "seed \(seed)")
    let read = hands(program, program, of: old)
    #expect(read.own == old && read.all == program && read.isRead, "seed \(seed)")
  }
}
