import Foundation
import TestSupport
import Testing

@testable import TrackEngine

/// A case of `Tests/Spec/reading.json`: a text, what it says, and its marks in UTF-16 offsets.
struct ReadingCase: Decodable, CustomTestStringConvertible {
  var id: String
  var markup: String
  var accepted: String
  var rejected: String
  var marks: [[MarkField]]

  var testDescription: String { id }

  static func all() throws -> [ReadingCase] {
    let data = try Data(contentsOf: specFolder.appending(path: "reading.json"))
    return try JSONDecoder().decode([ReadingCase].self, from: data)
  }
}

/// A mark's kind, its offsets, its texts, and its depth where that is not 0.
enum MarkField: Decodable, Equatable {
  case number(Int)
  case text(String)
  case depth(Int)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .depth(try container.decode([String: Int].self)["depth"] ?? 0)
    }
  }
}

@Suite("Reading CriticMarkup", .timeLimited) struct ReadingTests {
  @Test("Every case of the corpus reads as it should", arguments: try ReadingCase.all())
  func corpus(_ reading: ReadingCase) {
    let bytes = Array(reading.markup.utf8)
    let result = Reading(of: bytes)
    #expect(String(decoding: result.text(.clean, of: bytes), as: UTF8.self) == reading.accepted)
    #expect(String(decoding: result.text(.original, of: bytes), as: UTF8.self) == reading.rejected)
    // The corpus lists an addition inside a comment as a mark. In a comment only comments open, by the
    // rule that it states itself, so it is none; what is accepted and rejected is the same.
    let expected = reading.id == "x-com-nest-ins" ? [reading.marks[0]] : reading.marks
    #expect(result.marks.map { fields(of: $0, in: bytes) } == expected)
  }

  private func fields(of mark: Mark, in bytes: [UInt8]) -> [MarkField] {
    let names: [MarkKind: String] = [
      .addition: "ins", .deletion: "del", .substitution: "sub", .highlight: "hl", .comment: "com",
    ]
    func text(_ range: Range<Int>) -> MarkField {
      .text(String(decoding: bytes[range], as: UTF8.self))
    }
    func utf16(_ offset: Int) -> MarkField {
      .number(String(decoding: bytes[..<offset], as: UTF8.self).utf16.count)
    }
    var fields = [MarkField.text(names[mark.kind] ?? ""), utf16(mark.start), utf16(mark.end)]
    if mark.kind == .substitution {
      fields += [text(mark.old ?? 0..<0), text(mark.new ?? 0..<0)]
    } else {
      fields.append(text(mark.content))
    }
    if mark.depth > 0 { fields.append(.depth(mark.depth)) }
    return fields
  }

  @Test(
    "What the rules say where implementations differ",
    arguments: [
      // A closer pairs with the nearest open mark of its kind.
      ("{++a {--b++} c--}", "a {--b c--}", " c--}"),
      ("{++a {>>b ++} c<<}", "a {>>b  c<<}", " c<<}"),
      ("{--{++a--}b++}", "b++}", "{++ab++}"),
      // Unclosed openers are text, and stand in nobody's way.
      ("{>>a {++b++}", "{>>a b", "{>>a "),
      ("{~~a {++b++}", "{~~a b", "{~~a "),
      // A brace and a closer, inside a mark of the kind only.
      ("{++{++}", "{", ""), ("{++}", "{++}", "{++}"), ("{--a{--}", "", "a{"),
      ("{==a{==}b", "a{b", "a{b"), ("{~~a~>b{~~}", "b{", "a"),
      // A substitution without its arrow is none yet.
      ("{~~x{~~}a~>b~~}", "{~~xb", "{~~x}a"),
      // The first arrow divides; one inside an inner mark is that mark's.
      ("{~~a~>b~>c~~}", "b~>c", "a"), ("{~~{~~a~>b~~}~>c~~}", "c", "a"),
      ("{~~a~~}", "{~~a~~}", "{~~a~~}"), ("{++a~>b++}", "a~>b", ""),
      // In a comment only comments open.
      ("{>>a {++b<<} c++}", " c++}", " c++}"), ("x{>>a {>>b<<} c<<}y", "xy", "xy"),
      // Escapes.
      ("\\{++a++}", "\\{++a++}", "\\{++a++}"), ("{++\\{++a++}", "\\{++a", ""),
      ("{++\\{++}a++}", "\\{++}a", ""),
      // An even number of backslashes escapes nothing.
      ("\\\\{++a++}", "\\\\a", "\\\\"), ("\\\\\\{++a++}", "\\\\\\{++a++}", "\\\\\\{++a++}"),
      ("\\\\\\\\{--a--}", "\\\\\\\\", "\\\\\\\\a"), ("{++a\\\\++}", "a\\\\", ""),
      ("\\\\`{++a++}`", "\\\\`{++a++}`", "\\\\`{++a++}`"),
      ("\\\\\\`{++a++}`", "\\\\\\`a`", "\\\\\\``"),
      // An opener right behind a caret is text, and no closer is part of it.
      ("a^{++}", "a^{++}", "a^{++}"), ("a^{++b++}", "a^{++b++}", "a^{++b++}"),
      ("{++a^{++}b++}", "a^{++}b", ""), ("{++a^++}", "a^", ""), ("a^ {++b++}", "a^ b", "a^ "),
      ("a\\^{++b++}", "a\\^{++b++}", "a\\^{++b++}"),
      // So is one whose brace closes before a closer that is the end of another group, in nothing but signs ...
      ("a{++} b{++}", "a{++} b{++}", "a{++} b{++}"),
      ("1{--}2, {---} 3", "1{--}2, {---} 3", "1{--}2, {---} 3"),
      ("a{==} {b==}", "a{==} {b==}", "a{==} {b==}"), ("{>>} a {<<}", "{>>} a {<<}", "{>>} a {<<}"),
      ("{~~} a~>b{~~}", "{~~} a~>b{~~}", "{~~} a~>b{~~}"),
      ("{++}\n\na++}", "{++}\n\na++}", "{++}\n\na++}"),
      // ... or right behind a LaTeX command.
      ("\\a{++b} c{d++}", "\\a{++b} c{d++}", "\\a{++b} c{d++}"),
      ("\\a{--b} c", "\\a{--b} c", "\\a{--b} c"),
      ("\\a{--b}\n\n--}", "\\a{--b}\n\n--}", "\\a{--b}\n\n--}"),
      // Where the closer is not, it is a mark, and anywhere else.
      ("{++}++}", "}", ""), ("{--}}--}", "", "}}"), ("{++} {a}++}", "} {a}", ""),
      ("{++}{--}--}", "{++}", "{++}}"),
      ("\\a{++ b++}", "\\a b", "\\a"), ("\\a{++b} c++}", "\\ab} c", "\\a"),
      ("\\a{++b{c++}", "\\ab{c", "\\a"),
      ("\\a{++b\\} {c++}", "\\ab\\} {c", "\\a"), ("a{++b} {c++}", "ab} {c", "a"),
      ("\\\\a{++b} {c++}", "\\\\ab} {c", "\\\\a"),
      ("\\a{++b\n\n} {c++}", "\\ab\n\n} {c", "\\a"), ("{-----}", "", "-"), ("{----}", "", ""),
      // In a mark of its kind it is still a brace and a closer.
      ("{++a{++}b{++}", "a{b{++}", "b{++}"),
      // Code masks.
      ("`{++a++}`{++b++}", "`{++a++}`b", "`{++a++}`"),
      ("``{++a`++}``", "``{++a`++}``", "``{++a`++}``"),
      ("\\`{++a++}`", "\\`a`", "\\``"), ("`a\n\n{++b++}`", "`a\n\nb`", "`a\n\n`"),
      ("~~~\n{++a++}\n~~~\n{++b++}", "~~~\n{++a++}\n~~~\nb", "~~~\n{++a++}\n~~~\n"),
      (
        "> ```\n> {++a++}\n> ```\n{++b++}", "> ```\n> {++a++}\n> ```\nb",
        "> ```\n> {++a++}\n> ```\n"
      ),
      (
        "1. ```\n   {++a++}\n   ```\n{++b++}", "1. ```\n   {++a++}\n   ```\nb",
        "1. ```\n   {++a++}\n   ```\n"
      ),
      ("```x`\n{++a++}", "```x`\na", "```x`\n"),
      ("````\n```\n{++a++}", "````\n```\n{++a++}", "````\n```\n{++a++}"),
      ("    {++a++}", "    a", "    "),
      // Fences are looked for through marks.
      ("{++a\n```\n++}b\n```\n{++c++}", "a\n```\nb\n```\n{++c++}", "b\n```\n{++c++}"),
      ("{--```\na\n```--}{++```\nb\n```++}\n{++c++}", "```\nb\n```\nc", "```\na\n```\n"),
      // Inside an open mark code masks only as long as that mark closes.
      ("{++a ` b++} c ` {++d++}", "a ` b c ` d", " c ` "),
      ("{++a\n```\n++}\n{++b++}", "a\n```\n\nb", "\n"),
      ("{++`++}` b++}", "`++}` b", ""),
      // ... before the first blank line after the code.
      ("{++`++}`\n\nb++}", "``\n\nb++}", "`\n\nb++}"),
      ("{++`++}` {++}", "`++}` {", ""),
      // ... and other code in it stays code.
      ("{--a `{--` b ` c--} d ` e", " d ` e", "a `{--` b ` c d ` e"),
      // So it goes for the arrow, where the mark closes without another.
      ("{~~`a~>`b`~~} c", "`b` c", "`a c"), ("{~~a `~>` b~>c~~}", "c", "a `~>` b"),
      ("{~~a `~>` b\n\n~~}", "{~~a `~>` b\n\n~~}", "{~~a `~>` b\n\n~~}"),
      // A mark in a comment can be of the kind of the mark around.
      ("{++a {>>b {++c++} d<<} e++}", "a  e", ""),
      // What other tools hang on marks is no text.
      (#"{++{"author":"a","time":1}@@b++}c"#, "bc", "c"),
      (#"{--{"a":{"b":[1,-2.5e3]}}@@b--}"#, "", "b"),
      (#"{~~{"a":"b\"c"}@@d~>e~~}"#, "e", "d"), (#"{=={}@@b==}{>>{"a":null}@@c<<}d"#, "bd", "bd"),
      (#"{++{"a":1}@b++}"#, #"{"a":1}@b"#, ""), (#"{++ {"a":1}@@b++}"#, #" {"a":1}@@b"#, ""),
      (#"{++{a:1}@@b++}"#, "{a:1}@@b", ""), (#"{++{"a":1,}@@b++}"#, #"{"a":1,}@@b"#, ""),
      (#"{++{"a":"`"}@@b++}"#, #"{"a":"`"}@@b"#, ""),
      (#"{++{"a":"x++}@@b++}"#, #"{"a":"x@@b++}"#, "@@b++}"),
      (#"{++{"a":"{--b--}"}@@c++}"#, #"{"a":""}@@c"#, ""),
      (#"a{"b":1}@@c"#, #"a{"b":1}@@c"#, #"a{"b":1}@@c"#),
      ("{++a++}{#s1}b", "ab", "b"), ("{--a--}[^cn-1.2]b", "b", "ab"),
      ("{++a++}[^cn-1]{#id}", "a{#id}", "{#id}"), ("{++a++}[^cn-1]{#a1}", "a", ""),
      ("{++a++}{#fig-x}", "a{#fig-x}", "{#fig-x}"), ("{++a++}{#sec}", "a{#sec}", "{#sec}"),
      ("{++a++}{#h1b}", "a{#h1b}", "{#h1b}"), ("{++a++}{#12}", "a{#12}", "{#12}"),
      (#"{++a++}{id="sec" by="b"}"#, #"a{id="sec" by="b"}"#, #"{id="sec" by="b"}"#),
      ("{++a++}[^cn-map]", "a[^cn-map]", "[^cn-map]"), ("{++a++}[^cn-]", "a[^cn-]", "[^cn-]"),
      ("{++a++}[^cn-1.]", "a[^cn-1.]", "[^cn-1.]"), ("{++a++}[^cn-1a]", "a[^cn-1a]", "[^cn-1a]"),
      // A reference to a footnote of the writer's own is text, wherever that is defined.
      ("{++a++}[^cn-1]\n\n[^cn-1]: b", "a[^cn-1]\n\n[^cn-1]: b", "[^cn-1]\n\n[^cn-1]: b"),
      ("[^cn-1]: b\n\n{++a++}[^cn-1]", "[^cn-1]: b\n\na[^cn-1]", "[^cn-1]: b\n\n[^cn-1]"),
      ("{++a++}[^cn-1]\n\n[^cn-2]: b", "a\n\n[^cn-2]: b", "\n\n[^cn-2]: b"),
      (
        "{++a++}{#s1}[^cn-1]{#s2}\n[^cn-1]: b", "a[^cn-1]{#s2}\n[^cn-1]: b",
        "[^cn-1]{#s2}\n[^cn-1]: b"
      ),
      ("{++a++}[^cn-1]\n\n[^cn-1]: @b | 2026", "a\n\n[^cn-1]: @b | 2026", "\n\n[^cn-1]: @b | 2026"),
      ("{++a++}[^cn-1]\n\n[^cn-1]: @b", "a[^cn-1]\n\n[^cn-1]: @b", "[^cn-1]\n\n[^cn-1]: @b"),
      ("{++a++}[^cn-1]\n```\n[^cn-1]: b\n```", "a\n```\n[^cn-1]: b\n```", "\n```\n[^cn-1]: b\n```"),
      ("{++a++}[^cn-1]\r\n  [^cn-1]: b", "a[^cn-1]\r\n  [^cn-1]: b", "[^cn-1]\r\n  [^cn-1]: b"),
      ("{++a++}[^cn-1]\n    [^cn-1]: b", "a\n    [^cn-1]: b", "\n    [^cn-1]: b"),
      ("{++a++}[^cn-1] {--\n[^cn-1]: b--}", "a ", " \n[^cn-1]: b"),
      ("{--[^cn-1]:--}.{----}", ".", "[^cn-1]:."),
      // Attributes before the signs.
      (#"{author="A B" date="2026-06-14"++new++}"#, "new", ""),
      (#"{date="2026"--old--}"#, "", "old"), (#"{author="a"~~b~>c~~}"#, "c", "b"),
      (#"{author="a"==b==}{author="c">>d<<}e"#, "be", "be"),
      (#"{id="1" author="a"++{"time":1}@@b++}{#s1}"#, "b", ""),
      (#"{author="a"++}++}"#, "}", ""), (#"{++{author="a"++}"#, #"{author="a""#, ""),
      (#"{author="a"++}"#, #"{author="a"++}"#, #"{author="a"++}"#),
      (#"\{author="a"++b++}"#, #"\{author="a"++b++}"#, #"\{author="a"++b++}"#),
      (#"{--{author="a"++b++}--}"#, "", ""), (#"{author="a"++b {--c--}++}"#, "b ", ""),
      (#"{author="a" ++b++}"#, #"{author="a" ++b++}"#, #"{author="a" ++b++}"#),
      (#"{author=a++b++}"#, #"{author=a++b++}"#, #"{author=a++b++}"#),
      (#"{by="a"++b++}"#, #"{by="a"++b++}"#, #"{by="a"++b++}"#),
      ("{author=\"a\nb\"++c++}", "{author=\"a\nb\"++c++}", "{author=\"a\nb\"++c++}"),
      // A fence in a quote in a list, and so on.
      (
        "- > ```\n  > {++a++}\n  > ```\n{++b++}", "- > ```\n  > {++a++}\n  > ```\nb",
        "- > ```\n  > {++a++}\n  > ```\n"
      ),
      (
        "> - ~~~\r\n>   {++a++}\r\n>   ~~~\r\n{++b++}", "> - ~~~\r\n>   {++a++}\r\n>   ~~~\r\nb",
        "> - ~~~\r\n>   {++a++}\r\n>   ~~~\r\n"
      ),
      ("- 1.\t> * ```\n{++a++}\n```", "- 1.\t> * ```\n{++a++}\n```", "- 1.\t> * ```\n{++a++}\n```"),
      ("- > {++```\n{--a--}\n```++}{++b++}", "- > ```\n{--a--}\n```b", "- > "),
      ("-```\n{++a++}", "-```\na", "-```\n"),
      ("1234567890. ```\n{++a++}", "1234567890. ```\na", "1234567890. ```\n"),
      (#"{++a++}{id="s1" by="Anna B." at="2026-11-22T09:30:00Z"}b"#, "ab", "b"),
      ("{++a++}{id=s1 by=anna}", "a", ""),
      (#"{>>a<<}{#c1}b"#, "b", "b"), ("{++a++} {#s1}", "a {#s1}", " {#s1}"),
      ("{++a++}{#}", "a{#}", "{#}"),
      ("{++a++}{#b--}", "a{#b--}", "{#b--}"), (#"{++a++}{by="b"}"#, #"a{by="b"}"#, #"{by="b"}"#),
      ("{++a++}[^1]", "a[^1]", "[^1]"), ("{++a++}{#a b}", "a{#a b}", "{#a b}"),
      ("{++a++}{#s1}{--b--}{#s2}c", "ac", "bc"),
      // Nothing is tidied, and what is no mark is left alone.
      ("a {--b--} c", "a  c", "a b c"), ("{++a++}[^1]{.id}", "a[^1]{.id}", "[^1]{.id}"),
      ("{~~a~b~>~~}", "", "a~b"), ("{~~~~>b~~}", "b", "~"), ("{~~a~>b~~~}", "b~", "a"),
    ]
  )
  func rules(_ text: String, _ clean: String, _ original: String) {
    let bytes = Array(text.utf8)
    let reading = Reading(of: bytes)
    #expect(String(decoding: reading.text(.clean, of: bytes), as: UTF8.self) == clean)
    #expect(String(decoding: reading.text(.original, of: bytes), as: UTF8.self) == original)
  }

  @Test("Any bytes are read, and marks lie in each other or apart")
  func anyBytes() {
    let parts: [[UInt8]] =
      [
        "{++", "++}", "{--", "--}", "{~~", "~>", "~~}", "{==", "==}", "{>>", "<<}", "`", "```",
        "~~~",
        "\n", "\n\n", "\r\n", "\r", "\\", "{", "}", "> ", "- ", "1. ", "a", " ", "é", "{#a}",
        "{\"a\":1}@@",
      ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0x80], [0]]
    forAll(
      runs(4000),
      length: 40,
      step: { Int.random(in: 0..<parts.count, using: &$0) },
      law: { _, steps in
        let bytes = steps.flatMap { parts[$0] }
        let reading = Reading(of: bytes)
        var open: [Mark] = []
        for mark in reading.marks {
          while let last = open.last, last.end <= mark.start { open.removeLast() }
          if mark.end > open.last?.content.upperBound ?? bytes.count { return "\(mark) overlaps" }
          if mark.depth != open.count { return "\(mark) has the wrong depth" }
          let opener = bytes[mark.opener].dropLast(mark.head.count)
          if opener.prefix(1) + opener.suffix(2) != mark.kind.opener[...] {
            return "\(mark) opener"
          }
          if Array(bytes[mark.closer.prefix(3)]) != mark.kind.closer { return "\(mark) closer" }
          open.append(mark)
        }
        let inner = reading.topLevel.reduce(0) { $0 + 1 + reading.marks[$1].inner }
        if inner != reading.marks.count { return "the marks inside are not counted right" }
        if reading.text(.markup, of: bytes) != bytes { return "the markup is not the text" }
        return nil
      }
    )
  }

  @Test("A text reads as the rules say, taken one by one")
  func ruleByRule() {
    let parts = [
      "{++", "++}", "{++", "++}", "{--", "--}", "{~~", "~>", "~~}", "{>>", "<<}", "`", "``",
      "\n```\n", "\n~~~\n",
      "\n", "\n\n", "\n \n", "\r\n\r\n", "}", "a", " ", "\\", "^", "{author=\"x\"++", "> ", "- ",
      "2) ", "{++}", "{--}", "{---}", "\\a{++", "\\a", "{",
    ].map { Array($0.utf8) }
    forAllTexts(of: parts, 4000, length: 30)
  }

  /// Compares the reading of random texts with that of the plain reader.
  private func forAllTexts(
    of parts: [[UInt8]],
    _ count: Int,
    length: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    forAll(
      runs(count),
      length: length,
      step: { Int.random(in: 0..<parts.count, using: &$0) },
      sourceLocation: sourceLocation,
      law: { _, steps in
        let bytes = steps.flatMap { parts[$0] }
        let reading = Reading(of: bytes)
        let plain = bytes.withUnsafeBufferPointer { PlainReader($0) }
        let text = String(decoding: bytes, as: UTF8.self).debugDescription
        let marks = reading.marks.map { mark in
          var mark = mark
          // It follows from the bytes.
          mark.metadataHash = 0
          return mark
        }
        if marks != plain.marks { return "\(text): \(marks), not \(plain.marks)" }
        return reading.zones == plain.zones
          ? nil : "\(text): \(reading.zones), not \(plain.zones)"
      }
    )
  }

  @Test("What other tools hang on marks reads as the rules say, taken one by one")
  func metadataRuleByRule() {
    let parts = [
      "{++", "++}", "{--", "--}", "{~~", "~>", "~~}", "{>>", "<<}", "a", " ", "1", "-", "{", "}",
      "{#", "[^cn-", "]",
      "{#a1}", "{id=", "id=", "a1", "\"", "@", "@@", "{\"a\":", "\"b\"", ",", "{\"a\":1}@@",
      "{\"a\":\"b\"}@@", "`", "\n",
      "++}{#a1}", "++}{#a}", "++}[^cn-1]", "{++{\"a\":", "{author=", "{author=\"b\"",
      "{date=\"1\"--", "\n[^cn-1]: ",
      "\n  [^cn-1]:@a | 1", "[^cn-2.1]", "\n```\n",
    ].map { Array($0.utf8) }
    forAllTexts(of: parts, 8000, length: 24)
  }

  @Test(
    "A hostile text is read: a reader that is not linear would not come back",
    arguments: [
      "{++", "{~~", "{--{++{=={>>", "{~~a~>b ", "{>>", "{++}", "{~~}", "++}", "`", "` `` ``` ",
      "{++ `++}` \n\n", "{++\n```\n++}\n{--\n```\n--}\n", "{++{>>", "{>>}<<}", "{++ ` ",
      "{++a {--b++} c--}", "~~~\n```\n", "\\{++", "{== `a` {++ x++} ",
      "{++ ```x\n", "{++ ```x\n++}\n\n", "{-- `{--` ```x\n", "{++ `++}` ", "{~~ `~>` ",
      "{++{\"a", "{++{\"a\":[", "{++{\"\":\"", "++}{id=\"", "{++{\"a\":1}@@", "{++a++}{#a}[^cn-1]",
      "{>>@a<<}", "{---}", "\\a{++", "\\a{++b} ", "\\a{++b}{c++}\n\n", "{--}{", "a++}", "{++}++}",
    ]
  )
  func hostile(_ part: String) {
    read(String(repeating: part, count: (1 << 18) / part.utf8.count))
  }

  @Test("So is one of marks that close in code, and all again at its end")
  func hostileClosers() {
    let count = (1 << 18) / 14
    read(
      String(repeating: "{++`++}`\n\n", count: count) + String(repeating: "++}", count: count)
    )
  }

  private func read(_ text: String) {
    let bytes = Array(text.utf8)
    let reading = Reading(of: bytes)
    #expect(reading.text(.clean, of: bytes).count <= bytes.count)
    #expect(reading.text(.original, of: bytes).count <= bytes.count)
  }
}
