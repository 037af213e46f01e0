import TestSupport
import Testing
import TrackEngine

@testable import CriticLSP

@Suite("Sentinels in a text for pandoc", .timeLimited) struct SentinelPlacingTests {
  /// A variant of a text with its sentinels as `‹0` and `0›`.
  private func marked(_ text: String, _ variant: Variant = .clean) -> String {
    let bytes = Array(text.utf8)
    let reading = Reading(of: bytes)
    let stretches = DocxStretch.all(of: bytes, reading, by: "Author")
    let placing = SentinelPlacing(variant, of: bytes, reading, stretches)
    let plain = placing.plain
    #expect(plain == reading.export(variant, of: bytes))
    let parts = Sentinel.parts(of: placing.marked)
    return parts.reduce(into: "") { shown, part in
      switch part {
      case .text(let text): shown += String(decoding: text, as: UTF8.self)
      case .sentinel(.start(let number)): shown += "‹\(number)"
      case .sentinel(.end(let number)): shown += "\(number)›"
      case .sentinel(.escape): shown += "?"
      }
    }
  }

  @Test(
    "They stand in the text of a line, not in what makes it a block",
    arguments: [
      ("a {~~b~>c~~} d", "a ‹0c0› d"),
      ("{++- a++}\n- b", "- ‹0a0›\n- b"),
      ("{++- a\n++}- b", "- ‹0a\n- 0›b"),
      ("{++- [ ] a++}", "- [ ] ‹0a0›"),
      ("{++## a {#id}++}\n", "## ‹0a0› {#id}\n"),
      ("> {++> a++}", "> > ‹0a0›"),
      ("| a |{++\n| b |++}\n", "| a ‹0|\n| b 0›|\n"),
      ("{++[^1]: a++}", "[^1]: ‹0a0›"),
      ("a{++  \nb++}", "a‹0  \nb0›"),
      ("a{++\\\nb++}", "a‹0\\\nb0›"),
    ]
  )
  func prefixes(_ text: String, _ expected: String) {
    #expect(marked(text) == expected)
  }

  @Test(
    "A line that must not be touched leaves them to the next one",
    arguments: [
      ("a\n\n{++\n\n++}b", "a\n\n\n\n‹00›b"),
      ("{++---++}\n\na", "---\n\n‹00›a"),
      ("{++```\na\n```\n\n++}b", "```\n‹0a\n```\n\n0›b"),
      ("- {++```\n  a\n\n  b\n  ```\n- ++}c", "- ```\n  ‹0a\n\n  b\n  ```\n- 0›c"),
      ("| a |\n{++|---|\n++}| b |", "| a |\n|---|\n| ‹00›b |"),
      ("|{++ ++}|  |\n|--|--|\n| b | c |", "| |  |\n|--|--|\n| ‹00›b | c |"),
      ("> |{++ ++}|  |\n> |--|--|\n> | b | c |", "> | |  |\n> |--|--|\n> | ‹00›b | c |"),
      ("{++[a]: b\n++}c", "[a]: b\n‹00›c"),
      ("{++::: x\n++}c", "::: x\n‹00›c"),
      ("---\ntitle: {++a++}\n---\nb", "---\ntitle: a\n---\n‹00›b"),
      ("a\n\n{--b--}\n", "a\n\n\n\n\n‹00›"),
    ]
  )
  func untouched(_ text: String, _ expected: String) {
    #expect(marked(text) == expected)
  }

  @Test("The original text has the same sentinels in the same order")
  func original() {
    #expect(marked("a {~~b~>c~~}{++d++} e", .original) == "a ‹0b0›‹11› e")
  }

  @Test(
    "Our key is left out of the front matter, and front matter that pandoc does not know is left out",
    arguments: [
      ("---\ntitle: a\ncriticmark: {author: x}\n---\nb", "---\ntitle: a\n---\nb"),
      (
        "---\ncriticmark:\n  author: x\n  tracking: true\ntitle: a\n---\nb", "---\ntitle: a\n---\nb"
      ),
      ("---\n\"criticmark\": {author: x}\ntitle: a\n---\nb", "---\ntitle: a\n---\nb"),
      (
        "---\nx: 1\n'criticmark' :\n  author: x\n\n \n# c\n  tracking: true\n\ntitle: a\n---\nb",
        "---\nx: 1\ntitle: a\n---\nb"
      ),
      (
        "---\r\ncriticmark: {\r\n  author: x\r\n}\r\ntitle: a\r\n---\r\nb",
        "---\r\ntitle: a\r\n---\r\nb"
      ),
      ("---\ncriticmark: {author: x\ntitle: a\n---\nb", "---\ntitle: a\n---\nb"),
      ("---\ncriticmark:\n\n  author: x\n---\nb", "b"),
      ("---\ntitle: a\nx:\n  criticmark: b\n---\nb", "---\ntitle: a\nx:\n  criticmark: b\n---\nb"),
      ("---\ncriticmark: {author: x}\n---\nb", "b"), ("+++\ntitle = 'a'\n+++\nb", "b"),
      ("---\ntitle: a\n---\nb", "---\ntitle: a\n---\nb"), ("b", "b"),
    ]
  )
  func frontMatter(_ text: String, _ expected: String) {
    let rest = ExportFrontMatter(of: Array(text.utf8)).withoutOwnKey
    #expect(String(decoding: rest, as: UTF8.self) == expected)
  }
}
