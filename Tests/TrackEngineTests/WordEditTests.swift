import TestSupport
import Testing

@testable import TrackEngine

@Suite("Lessons: edits as words", .timeLimited) struct WordEditTests {
  /// The wordings of the changes of a text, as in `red → blue`; `…` for what is too long.
  private func wordings(_ text: String) -> [String] {
    TaughtText.standing(in: Array(text.utf8)).edits.map { edit in
      guard let wording = edit.wording else { return "…" }
      return [wording.old, wording.new].map { String(decoding: $0, as: UTF8.self) }
        .joined(separator: " → ")
    }
  }

  @Test(
    "An edit is cut down to the words that differ, and these are whole",
    arguments: [
      ("We {~~utilize~>use~~} it.", "utilize → use"),
      ("We {~~utilize it~>use it~~}.", "utilize → use"),
      ("Two hen{++s++} ran.", "hen → hens"),
      ("A {~~re~>unre~~}lated hen.", "related → unrelated"),
      ("She is {++very ++}old.", " → very"),
      ("She{-- really--} ran.", "really → "),
      ("It is {~~in\norder to~>to~~} run.", "in order → "),
      ("It {~~does not~>doesn't~~} run.", "does not → doesn't"),
      ("An {~~e.g.~>for example~~} hen.", "e.g. → for example"),
      ("A state{~~ of~>-of~~}-the-art hen.", "state of-the-art → state-of-the-art"),
      ("Die {~~Straße~>Gasse~~} dort.", "Straße → Gasse"),
      ("We {~~*utilize*~>*use*~~} it.", "utilize → use"),
    ]
  )
  func words(_ text: String, _ expected: String) {
    #expect(wordings(text) == [expected])
  }

  @Test(
    "A sign goes with the word that it is about",
    arguments: [
      ("However{++,++} the hen ran.", "However → However,"),
      ("It ran. Then{--,--} it sat.", "Then, → Then"),
      ("All red{++,++} and blue.", "and → , and"),
      ("A hen{~~ - ~>—~~}red.", "- → —"),
      ("* A hen{++.++}", " → ."),
      ("It {~~isn't~>isn’t~~} red.", "' → ’"),
      ("A {~~\"red\"~>“red”~~} hen.", "\" → “"),
      ("It {~~isn't~>is not~~} red.", "isn't → is not"),
    ]
  )
  func signs(_ text: String, _ expected: String) {
    #expect(wordings(text) == [expected])
  }

  @Test(
    "What is no language teaches nothing",
    arguments: [
      "A {~~3~>4~~} hen.", "See <https://a.b/{~~red~>blue~~}>.", "See [a](b{++c++}.md).",
      "`{~~a~>b~~}` {~~`red`~>`blue`~~}", "| a | {~~red~>blue~~} |", "A hen{++ ++} ran.",
      "A {~~hen~>*hen*~~} ran.", "<a title=\"{~~red~>blue~~}\">",
      "---\ntitle: {~~red~>blue~~}\n---\n",
      "See [hens][{~~red~>blue~~}].", "See src/{~~red~>blue~~}/x.", "A {~~read.md~>file.md~~} ran.",
      "{++A.\n\nB.++}",
      "A {~~red_hen~>blue_hen~~}.", "A {~~in-one-or-two-hens~>in-one-or-more-hens~~}.",
    ]
  )
  func noise(_ text: String) {
    #expect(wordings(text) == [])
  }

  @Test("Capital letters count where they are all that differs, but not at the start of a sentence")
  func cases() {
    #expect(wordings("Some {~~javascript~>JavaScript~~} here.") == ["javascript → JavaScript"])
    #expect(wordings("It ran. {~~the~>The~~} hen.") == [])
  }

  @Test("An edit of many words is kept, but is no wording; a much longer one is not kept")
  func long() {
    let words = Array(repeating: "hen", count: 7).joined(separator: " ")
    #expect(wordings("A {++\(words)++}.") == ["…"])
    #expect(wordings("A {++\(words.dropLast(4))++}.") == [" → hen hen hen hen hen hen"])
    let longest = String(repeating: "hen ", count: 512)
    #expect(wordings("A {++\(longest)++}.") == ["…"])
    #expect(wordings("A {++\(longest)x++}.") == [])
  }

  @Test("One half of a pair of quotation marks or brackets is no wording")
  func pairs() {
    #expect(wordings("The {++\"++}hen\" ran{--)--}.") == ["…", "…"])
  }

  @Test("What is told of an edit is the line, with the space beside what was added or deleted")
  func line() {
    let text = "One.\n\nShe {--really --}ran {++far++} and {~~sat~>stood~~}.\n"
    let edits = TaughtText.standing(in: Array(text.utf8)).edits
    let told = edits.map { edit in
      [edit.before, edit.draft, edit.revised, edit.after]
        .map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(
      told == [
        ["She ", "really ", "", "ran far and stood."], ["She ran ", "", "far ", "and stood."],
        ["She ran far and ", "sat", "stood", "."],
      ]
    )
  }

  @Test("Of any bytes, what is told of an edit stands in the text, whole characters near it")
  func anyBytes() {
    let parts: [[UInt8]] =
      [
        "{++", "++}", "{--", "--}", "{~~", "~>", "~~}", "{>>[x] ", "<<}", "hen", " ", "\n", "é",
        "`",
      ]
      .map { Array($0.utf8) } + [
        [0xFF], [0xE2, 0x80], Array(repeating: UInt8(ascii: "a"), count: 90),
      ]
    forAll(runs(300), length: 40) { random in
      parts[Int.random(in: parts.indices, using: &random)]
    } law: { _, parts in
      let text = TaughtText.standing(in: parts.flatMap(\.self))
      for edit in text.edits {
        if edit.before.count > 80 || edit.after.count > 80 { return "too much is told" }
        if !text.bytes.contains(edit.before + edit.revised + edit.after) {
          return "it is not there"
        }
        if edit.draft == edit.revised { return "nothing differs" }
      }
      return nil
    }
  }
}
