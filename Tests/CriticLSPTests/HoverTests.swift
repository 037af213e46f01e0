import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Hover", .timeLimited) struct HoverTests {
  private static let settle = "A code action accepts or rejects it."

  private func wire(_ format: String = "plaintext", _ settings: String = #"{"tracking":"on"}"#)
    -> Wire
  {
    Wire(
      capabilities: Wire.announcing(#""hover":{"contentFormat":["\#(format)"]}"#),
      settings: settings
    )
  }

  /// What is said at the caret of a text, and the text of the range that it is about.
  private func hover(_ text: String, _ format: String = "plaintext") throws -> [String]? {
    let wire = wire(format)
    let hover = try wire.ask("hover", at: try wire.open(caretIn: text))
    guard !hover.isNull else { return nil }
    #expect(hover["contents"]?["kind"]?.string == format)
    let value = try #require(hover["contents"]?["value"]?.string)
    return [try wire.text(in: hover["range"]), value]
  }

  @Test(
    "It says what happened, in words",
    arguments: [
      ("{++‸very ++}", "Added “very ”"), ("{--‸very --}", "Deleted “very ”"),
      ("{~~la‸zy~>sleepy~~}", "Replaced “lazy” by “sleepy”"),
      ("{~~‸~>sleepy~~}", "Replaced nothing by “sleepy”"),
      ("{++a++}{++‸b++}", "Added “ab”"), ("{++‸++}", "Added nothing"),
      ("{++‸\n++}", "Added a line break"), ("{--\r\n‸\r\n--}", "Deleted 2 line breaks"),
      ("{++a\r\n‸b++}", "Added “a\nb”"),
    ]
  )
  func changes(_ text: String, _ words: String) throws {
    let mark = text.replacing("‸", with: "")
    #expect(try hover("one \(text) two\n") == [mark, "\(words)\n\(HoverTests.settle)"])
  }

  @Test("Highlights and comments are told apart from changes")
  func highlights() throws {
    #expect(
      try hover("a {==b‸==}{>>why?<<} c") == [
        "{==b==}",
        "Highlighted “b”\nComment “why?”\nA code action removes the highlight.",
      ]
    )
    #expect(
      try hover("a {>>wh‸y?<<} c") == [
        "{>>why?<<}",
        "Comment “why?”\nA code action removes or resolves the comment.",
      ]
    )
  }

  @Test("Every part of a mark says the same, delimiters too, and so does its end")
  func parts() throws {
    let text = "a {~~é b~>c~~}{>>why<<} d\n"
    let wire = wire()
    wire.open(text)
    let mark = try wire.offsets(of: "{~~é b~>c~~}")
    let comment = try wire.offsets(of: "{>>why<<}")
    for at in 0...text.utf8.count {
      let hover = try wire.ask("hover", at: at)
      guard mark.lowerBound <= at, at <= comment.upperBound else {
        #expect(hover.isNull, "\(at)")
        continue
      }
      let value = try #require(hover["contents"]?["value"]?.string)
      #expect(value.hasPrefix("Replaced “é b” by “c”\nComment “why”\n"), "\(at)")
      let range = at < mark.upperBound ? mark : comment
      #expect(hover["range"]?.description == wire.range(range), "\(at)")
    }
  }

  @Test(
    "Who says something, when and about what is said in words",
    arguments: [
      ("{++a‸++}{>>@jonas: she counts<<}", "jonas: she counts"),
      ("{++a‸++}{>>@jonas | 2026-11-20: she counts<<}", "jonas, 20 Nov 2026: she counts"),
      (
        "{++a‸++}{>>@Ada_B | 2026-11-20T10:00:00Z | [tone] no<<}",
        "Ada B, 20 Nov 2026 (tone): no"
      ),
      ("{++a‸++}{>>[tone] flat<<}", "Comment (tone): flat"),
      (
        "{++a‸++}{>>@anna | 2026-11-01<<}{>>@jonas: [resolved] why?<<}",
        "By “anna, 1 Nov 2026”\njonas (resolved): why?\nThe comments are resolved."
      ),
    ]
  )
  func remarks(_ text: String, _ words: String) throws {
    for format in ["plaintext", "markdown"] {
      let end = format == "markdown" ? "\n\n" : "\n"
      let told = words.replacing("\n", with: end)
      let expected = "Added “a”\(end)\(told)\(end)\(HoverTests.settle)"
      #expect(try hover("one \(text) two\n", format)?.last == expected)
    }
  }

  @Test("Of lines, as in code, only those that differ are shown")
  func lines() throws {
    let text =
      "{~~let a = 1\r\nlet‸ b = 2\nlet c = 3\nend~>let a = 1\nlet b = 3\nlet c = 3\nstop~~}"
    let lines = "-let b = 2\n+let b = 3\n-end\n+stop"
    #expect(try hover(text)?.last == "Replaced:\n\(lines)\n\(HoverTests.settle)")
    #expect(
      try hover(text, "markdown")?.last
        == "Replaced:\n\n```diff\n\(lines)\n```\n\n\(HoverTests.settle)"
    )
    // Beyond a hundred lines, from the first that differs to the last.
    for (count, told) in [(98, 4), (99, 200)] {
      let middle = (0..<count).map { "\($0)\n" }.joined()
      let hover = try hover("{~~same\na\n‸\(middle)b\nsame~>same\nc\n\(middle)d\nsame~~}")
      let shown = hover?.last?.split(separator: "\n").dropFirst().dropLast().count
      #expect(shown == min(told, 21))
    }
  }

  @Test("The keys are the editor's own")
  func keys() throws {
    func last(
      _ client: String,
      _ settings: String = "{}",
      _ text: String = "{++a++}"
    ) throws -> String? {
      let wire = Wire(
        client: client,
        capabilities: Wire.announcing(#""hover":{"contentFormat":["plaintext"]}"#),
        settings: settings
      )
      wire.open(text)
      let hover = try wire.ask("hover", at: 1)["contents"]?["value"]?.string
      return hover?.split(separator: "\n").last.map(String.init)
    }
    #expect(try last("helix") == "“space a” accepts or rejects it.")
    #expect(try last("helix", "{}", "{==a==}") == "“space a” removes the highlight.")
    let keys = #"{"acceptKey":":Yes","rejectKey":":No"}"#
    #expect(try last("Neovim", keys) == "“:Yes” accepts it, “:No” rejects it.")
  }

  @Test("The thread is shown comment by comment, and a long one is cut")
  func thread() throws {
    let comments = try hover("{++a‸++}{>>why?<<}{>>so\nthat<<}")
    #expect(comments?.last?.hasPrefix("Added “a”\nComment “why?”\nComment “so\nthat”\n") == true)
    let many = try hover("{++a‸++}" + String(repeating: "{>>why?<<}", count: 30))
    #expect(many?.last?.split(separator: "\n").count == 23)
    #expect(many?.last?.contains("And 10 more comments.") == true)
  }

  @Test(
    "Marks in marks are described from inside to outside",
    arguments: [
      ("{++a {--b‸--} c++}", "{--b--}", "Deleted “b”\nIt lies in an addition."),
      ("{++‸a {--b--} c++}", "{++a {--b--} c++}", "Added “a  c”\nIn it: deleted “b”"),
      ("{--a {>>‸x<<} b--}", "{>>x<<}", "Comment “x”\nIt lies in a deletion."),
      ("{--a ‸{~~b~>c~~} b--}", "{~~b~>c~~}", "Replaced “b” by “c”\nIt lies in a deletion."),
      (
        "{==a {++b++}{>>‸x<<} c==}", "{>>x<<}",
        "Added “b”\nComment “x”\nIt lies in a highlight."
      ),
      (
        "{==a ‸c {++b++}{>>x<<}==}", "{==a c {++b++}{>>x<<}==}",
        "Highlighted “a c b”\nIn it: added “b”\nIn it: comment “x”"
      ),
    ]
  )
  func nested(_ text: String, _ range: String, _ words: String) throws {
    let hover = try #require(try hover(text))
    #expect(hover.first == range)
    #expect(hover.last?.hasPrefix("\(words)\n") == true, "\(hover)")
  }

  @Test(
    "What is pending is said with when it is put into marks",
    arguments: [
      ("idle", "after a pause"), ("save", "when you save"),
      ("command", "when you ask for it"),
    ]
  )
  func pending(_ marking: String, _ time: String) throws {
    let wire = wire("plaintext", #"{"tracking":"on","marking":"\#(marking)"}"#)
    wire.open("one two three\n")
    try wire.replace("two", with: "zwei")
    let hover = try wire.ask("hover", at: 6)
    #expect(
      hover["contents"]?["value"]?.string
        == "Not in marks yet: replaced “two” by “zwei”\n"
        + "It is put into marks \(time).\n\(HoverTests.settle)"
    )
    #expect(try wire.text(in: hover["range"]) == "zwei")
  }

  @Test("A pending deletion is told where it was, without a range")
  func pendingDeletion() throws {
    let wire = wire()
    wire.open("one two three\n")
    try wire.replace("two ", with: "")
    let hover = try wire.ask("hover", at: 4)
    let value = hover["contents"]?["value"]?.string
    #expect(value?.hasPrefix("Not in marks yet: deleted “two ”\n") == true)
    #expect(hover["range"] == nil)
    #expect(try wire.ask("hover", at: 5).isNull)
  }

  @Test("Typing in an addition is no news; a deletion in a highlight is")
  func pendingInMarks() throws {
    let wire = wire()
    wire.open("{++one++} {==two three==}\n")
    try wire.replace("one", with: "owne")
    let addition = try wire.ask("hover", at: 5)["contents"]?["value"]?.string
    #expect(addition == "Added “owne”\n\(HoverTests.settle)")
    try wire.replace("two ", with: "")
    let place = try wire.offsets(of: "three").lowerBound
    let highlight = try wire.ask("hover", at: place)["contents"]?["value"]?.string
    #expect(highlight?.hasPrefix("Highlighted “three”\nNot in marks yet: deleted “two ”") == true)
  }

  @Test("What came back by undo is put into marks with the next change")
  func held() throws {
    let wire = wire()
    wire.open("one two\n")
    try wire.type("x", before: "two")
    try wire.pause()
    wire.travel(to: "one xtwo\n")
    let value = try wire.ask("hover", at: 5)["contents"]?["value"]?.string
    #expect(value?.contains("marks with your next change, or when you save.") == true)
  }

  @Test(
    "A malformed mark says what is wrong and how to fix it",
    arguments: [
      ("a {+‸+b\n", "{++", "This addition is never closed."),
      ("a b+‸+} c\n", "++}", "“++}” closes nothing."),
      ("a {~~b ‸c~~} d\n", "{~~b c~~}", "A substitution needs “~>”"),
      ("a {\u{2014}‸\u{2014}b--}\n", "{\u{2014}\u{2014}", "These dashes only look like hyphens."),
    ]
  )
  func malformed(_ text: String, _ range: String, _ words: String) throws {
    let plain = try #require(try hover(text))
    #expect(plain.first == range)
    #expect(plain.last?.hasPrefix(words) == true)
    #expect(plain.last?.contains("\n") == false)
    let markdown = try #require(try hover(text, "markdown")?.last)
    #expect(markdown == plain[1].replacing("“", with: "`").replacing("”", with: "`"))
  }

  @Test("Marks that overlap are said to, with what holds them")
  func overlapping() throws {
    let hover = try #require(try hover("{++a {-‸-b++} c--}\n"))
    #expect(hover.first == "{--")
    #expect(
      hover.last?.hasPrefix("This deletion begins in another mark and ends outside it.") == true
    )
    #expect(hover.last?.contains("\nAdded “a {--b”\n") == true)
  }

  @Test(
    "There is nothing to say beside marks, in code, and in escaped marks",
    arguments: [
      "a ‸b {++c++}", "`{++‸c++}`", "\\{++‸c\n", "‸", "```\n{++‸a++}\n```\n", "{++a++} ‸b}",
    ]
  )
  func nothing(_ text: String) throws {
    #expect(try hover(text) == nil)
  }

  @Test("A document that is not open has nothing to say; a position must be there")
  func wrong() throws {
    let wire = wire()
    #expect(try wire.ask("hover", at: 0).isNull)
    wire.open("{++a++}")
    let answer = try wire.request(
      "textDocument/hover",
      #"{"textDocument":{"uri":"file:///draft.md"}}"#
    )
    #expect(answer.code == -32602)
  }

  @Test(
    "Plain words stand in the sentence, in Markdown too",
    arguments: ["lazy dog, “old” é (x)", "See: so."]
  )
  func plainWords(_ text: String) throws {
    let value = try hover("{++‸\(text)++}", "markdown")?.last
    #expect(value == "Added “\(text)”\n\n\(HoverTests.settle)")
  }

  @Test(
    "What means something to Markdown stands in a block of code whose fence it cannot close",
    arguments: [
      ("*a*", "```"), ("<b>x</b>", "```"), ("[a](b)", "```"), ("a\nb", "```"), ("***", "```"),
      ("a  b", "```"), ("www.example.org", "```"), (":smile:", "```"), ("`a`", "```"),
      ("``a``", "```"), ("&amp;", "```"), ("x\n```\n# y", "````"), ("``````", "```````"),
    ]
  )
  func fenced(_ text: String, _ fence: String) throws {
    // In a comment, in which code hides no closer.
    let value = try hover("{++ab++}{>>‸\(text)<<}", "markdown")?.last
    #expect(
      value?.contains("Comment:\n\n\(fence)text\n\(text)\n\(fence)\n\n") == true,
      "\(value ?? "")"
    )
  }

  @Test("Both sides of a substitution are blocks where one has to be")
  func fencedSides() throws {
    let value = try hover("{~~a‸~>*b*~~}", "markdown")?.last
    #expect(
      value?.hasPrefix("Replaced:\n\n```text\na\n```\n\nby:\n\n```text\n*b*\n```\n\n") == true
    )
  }

  @Test("No text of the document ever becomes Markdown")
  func hostile() {
    let bits = [
      "`", "``", "```", "~~~", "\n", "\r\n", "*", "_", "<a>", "[x](y)", "#", " ", "é", "a.b",
      "http://x.y", "|", "&lt;", "\\", "{", "$", "-", ">", "1. ", "\u{0}", "\t",
    ]
    forAll(
      runs(200),
      step: { bits[Int.random(in: bits.indices, using: &$0)] },
      law: { _, bits in
        guard let value = try? hover("{>>‸\(bits.joined())<<}", "markdown")?.last else {
          return nil
        }
        let advice = "Close it with `<<}`, or write `\\{>>` for the characters themselves."
        let said = outsideFences(value.replacing(advice, with: ""))
        let live = said.filter { "`*_<>[]#&|\\{}$~\t".contains($0) }
        return live.isEmpty ? nil : "live: \(live) in \(value.debugDescription)"
      }
    )
  }

  /// The lines of a Markdown text that are in no fenced block.
  private func outsideFences(_ markdown: String) -> String {
    var fence: Int?
    var lines: [Substring] = []
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      let run = line.drop { $0 == " " }.prefix { $0 == "`" }.count
      if let length = fence {
        if run >= length, line.allSatisfy({ $0 == "`" || $0 == " " }) { fence = nil }
      } else if run >= 3 {
        fence = run
      } else {
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n") + (fence == nil ? "" : "`")
  }

  @Test("A long text is cut, at a character's end")
  func long() throws {
    for text in [String(repeating: "字", count: 5000), String(repeating: "ab", count: 9000)] {
      let value = try #require(try hover("{++‸\(text)++}")?.last)
      #expect(value.utf8.count < 1300)
      #expect(value.contains("…”"))
      #expect(!value.contains("\u{FFFD}"))
    }
    let lines = try #require(try hover("{++‸\(String(repeating: "x\n", count: 99))++}")?.last)
    #expect(lines.split(separator: "\n").count < 24)
  }

  @Test("What stands elsewhere in the document changes nothing")
  func elsewhere() throws {
    let around = "\n\n{++one++} `{--two--}` {>>three<<} {==four\n\n```\n{~~\n```\n\n"
    for text in ["{++a‸++}{>>b<<}", "a {++‸b", "a ‸b", "{==a {--‸b--}==}", "a ‸", "‸{>>a<<}"] {
      #expect(try hover(around + text + around) == hover(text), "\(text)")
    }
  }

  @Test("The format that a client prefers is taken; without any it is plain text")
  func formats() throws {
    for (format, kind) in [
      (#"{"contentFormat":["plaintext","markdown"]}"#, "plaintext"),
      (#"{"contentFormat":["markdown","plaintext"]}"#, "markdown"),
      (#"{"contentFormat":["html","markdown"]}"#, "markdown"), ("{}", "plaintext"),
    ] {
      let wire = Wire(capabilities: Wire.announcing(#""hover":\#(format)"#))
      let hover = try wire.ask("hover", at: try wire.open(caretIn: "{++a‸++}"))
      #expect(hover["contents"]?["kind"]?.string == kind)
    }
  }

  @Test("A text of twenty lines is shown whole, a longer one not", arguments: [20, 21])
  func lines(_ count: Int) throws {
    let text = (1...count).map(String.init).joined(separator: "\n")
    let hover = try #require(try hover("{++‸\(text)++}"))
    #expect(hover.last?.contains("\n20") == true)
    #expect(hover.last?.contains("…") == (count > 20))
  }

  @Test(
    "Twenty comments are shown; how many more there are is said",
    arguments: [(20, ""), (21, "And 1 more comment."), (22, "And 2 more comments.")]
  )
  func comments(_ count: Int, _ more: String) throws {
    let thread = (1...count).map { "{>>c\($0)<<}" }.joined()
    let words = try #require(try hover("{++‸a++}\(thread)")?.last)
    #expect(words.contains("c20"))
    #expect(words.contains("more comment") == !more.isEmpty)
    #expect(more.isEmpty || words.contains(more))
  }
}
