import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Folding", .timeLimited) struct FoldingRangeTests {
  private func wire(_ text: String, _ announced: String = "") -> Wire {
    let wire = Wire(capabilities: Wire.announcing(#""foldingRange":{\#(announced)}"#))
    wire.open(text)
    return wire
  }

  /// The folds of a text, as in `0.4-2.1 region`.
  private func folds(_ text: String, _ announced: String = "") throws -> [String] {
    try wire(text, announced).ask("foldingRange").elements.map { fold in
      func number(_ name: String) -> String { fold[name]?.description ?? "?" }
      return "\(number("startLine")).\(number("startCharacter"))-"
        + "\(number("endLine")).\(number("endCharacter")) \(fold["kind"]?.string ?? "?")"
    }
  }

  private static let lines = #""lineFoldingOnly":true"#

  @Test(
    "Deletions, old text, threads and comments of several lines are folded between the delimiters",
    arguments: [
      ("a {--b\nc--} d", ["0.5-1.1 region"]), ("{--b\nc\n--}{--d--}\n", ["0.3-2.7 region"]),
      ("{~~b\nc~>d\ne~~}", ["0.3-1.1 region"]), ("x{>>b\nc<<}", ["0.4-1.1 comment"]),
      ("{++a++}{>>b<<}{>>c\nd<<}", ["0.10-1.1 comment"]),
      ("{++a++}{>>b\n<<}{>>c\nd<<}", ["0.10-2.1 comment", "1.6-2.1 comment"]),
      ("{==a {--b\nc--}==}", ["0.8-1.1 region"]),
      ("{--b\nc--}{>>d\ne<<}", ["0.3-1.1 region", "1.7-2.1 comment"]),
      ("𝄞{--b\r\nc--}", ["0.5-1.1 region"]),
    ]
  )
  func several(_ text: String, _ expected: [String]) throws {
    #expect(try folds(text) == expected)
  }

  @Test(
    "What is on one line, and what is not to be folded away, is not",
    arguments: [
      "{--b--}", "{>>b<<}{>>c<<}", "{++b\nc++}", "{==b\nc==}", "```\n{--b\nc--}\n```", "",
    ]
  )
  func none(_ text: String) throws {
    #expect(try folds(text).isEmpty)
    #expect(try folds(text, FoldingRangeTests.lines).isEmpty)
  }

  @Test(
    "Where lines are folded whole, no other text is folded away with them",
    arguments: [
      ("a {--b\nc\nd--}\ne", ["0.5-2.1 region"]), ("a {--b\nc\nd--} e\n", ["0.5-1.1 region"]),
      ("a {--b\nc--} e\n", []), ("{--b\nc--}  \t\n", ["0.3-1.1 region"]),
      ("{~~b\nc\nd~>e~~}\n", ["0.3-1.1 region"]), ("{--b\nc--}{>>d\ne<<}\n", ["1.7-2.1 comment"]),
      ("{--b\nc\nd--}{>>d\ne<<}\n", ["0.3-1.1 region", "2.7-3.1 comment"]),
      ("{--b\r\nc\r\nd--} e\r\n", ["0.3-1.1 region"]),
    ]
  )
  func wholeLines(_ text: String, _ expected: [String]) throws {
    #expect(try folds(text, FoldingRangeTests.lines) == expected)
  }

  @Test("No more folds are given than the client wants")
  func limit() throws {
    let text = String(repeating: "{--a\nb--}\n\n", count: 10)
    #expect(try folds(text, #""rangeLimit":3"#).count == 3)
    #expect(try folds(text, #""rangeLimit":-1"#).isEmpty)
    #expect(try folds(text).count == 10)
  }

  @Test("Clients that show a text in the place of a fold get one, others do not")
  func collapsedText() throws {
    let text = "{--one\ntwo--}\n{>>a\nb<<}\n\n{>>c\nd<<}{>>e<<}\n"
    let shown = #""foldingRange":{"collapsedText":true}"#
    let texts = try wire(text, shown).ask("foldingRange").elements.map {
      $0["collapsedText"]?.string
    }
    #expect(
      texts == ["Deleted “one⏎two”, 2 lines", "Comment “a⏎b”, 2 lines", "2 comments, 2 lines"]
    )
    #expect(try wire(text).ask("foldingRange").elements.allSatisfy { $0["collapsedText"] == nil })
  }

  @Test("A document that is not open has no folds")
  func closed() throws {
    let wire = Wire(capabilities: Wire.announcing(#""foldingRange":{}"#))
    #expect(try wire.ask("foldingRange").description == "[]")
  }
}
