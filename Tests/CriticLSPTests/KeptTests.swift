import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("What is kept from answer to answer", .timeLimited) struct KeptTests {
  /// Edits at one time, each at a fraction of the text.
  struct Step: CustomStringConvertible {
    var edits: [(at: Double, length: Int, new: String)]
    /// Whether the editor asks after it.
    var isAsked: Bool

    var description: String {
      edits.map { "\($0.length) at \($0.at) become \($0.new.debugDescription)" }
        .joined(separator: ", ") + (isAsked ? "; asked" : "")
    }

    static func random(_ random: inout Seeded) -> Step {
      let pieces = [
        "{++", "++}", "{--", "--}", "{~~", "~>", "~~}", "{>>", "<<}", "`", "```", "\n```\n",
        "\n~~~\n",
        "\n", "\n\n", "\r\n", "\r", "{++a++}", "{--b\nc--}", "{>>see b.md\nor c.md<<}", "word ",
        "é👍",
        "{~~d\ne~>f~~}", "",
      ]
      return Step(
        edits: (0..<Int.random(in: 1...2, using: &random)).map { _ in
          (
            at: Double.random(in: 0...1, using: &random),
            length: [0, 0, 1, 5, 300, 3000].randomElement(using: &random) ?? 0,
            new: (0..<([1, 1, 2, 60].randomElement(using: &random) ?? 1)).map { _ in
              pieces.randomElement(using: &random) ?? ""
            }.joined()
          )
        },
        isAsked: Bool.random(using: &random)
      )
    }
  }

  /// Long enough for several passages.
  private static let text = (0..<24).map { number in
    """
    Paragraph \(number) has {++an addition++}, {--a deletion
    of lines--} and {~~old~>new~~} words with `code`.{>>see page\(number).md
    or page.md<<}{>>yes<<}

    ```
    {++code++} \(number)
    ```

    """
  }.joined()

  private static let capabilities = Wire.announcing(
    #""foldingRange":{},"documentLink":{},"#
      + #""semanticTokens":{"formats":["relative"],"requests":{"full":{"delta":true}}}"#
  )

  private static func wire(_ text: [UInt8]) -> Wire {
    let wire = Wire(capabilities: capabilities)
    wire.open(String(decoding: text, as: UTF8.self))
    return wire
  }

  @Test("Colours, folds and links after any edits are those of the document opened anew")
  func anew() {
    forAll(runs(60), length: 6, step: Step.random) { _, steps in
      do {
        return try broken(by: steps)
      } catch {
        return "\(error)"
      }
    }
  }

  private func broken(by steps: [Step]) throws -> String? {
    let wire = KeptTests.wire(Array(KeptTests.text.utf8))
    var told = Told()
    for step in steps {
      for edit in step.edits {
        let start = place(Int(edit.at * Double(wire.text.count)), in: wire.text)
        let end = max(start, place(min(wire.text.count, start + edit.length), in: wire.text))
        wire.change([Edit(start..<end, Array(edit.new.utf8))])
      }
      guard step.isAsked else { continue }
      let anew = KeptTests.wire(wire.text.bytes)
      try told.ask(wire)
      var expected = Told()
      try expected.ask(anew)
      if told.tokens != expected.tokens { return "\(step): other colours" }
      for method in ["foldingRange", "documentLink"] {
        let (kept, fresh) = (try wire.ask(method), try anew.ask(method))
        if kept.description != fresh.description { return "\(step): \(kept) for \(fresh)" }
      }
    }
    return nil
  }

  /// A place near an offset: an editor cuts no character and no line break.
  private func place(_ offset: Int, in text: Text) -> Int {
    var start = offset
    while !isBoundary(text[0..<text.count], start) { start -= 1 }
    return start
  }

  /// The tokens as a client has them that asks for differences.
  private struct Told {
    var tokens: [Int] = []
    var id = "none"

    mutating func ask(_ wire: Wire) throws {
      let answer = try wire.ask("semanticTokens/full/delta", #""previousResultId":"\#(id)""#)
      id = try #require(answer["resultId"]?.string)
      if let data = answer["data"] { tokens = data.elements.compactMap(\.integer) }
      for edit in answer["edits"]?.elements.reversed() ?? [] {
        let start = try #require(edit["start"]?.integer)
        let count = try #require(edit["deleteCount"]?.integer)
        let new = try #require(edit["data"]).elements.compactMap(\.integer)
        tokens.replaceSubrange(start..<start + count, with: new)
      }
    }
  }
}
