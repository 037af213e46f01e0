import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("What is told of a review of proposals", .timeLimited)
struct ReviewRoundTests {
  private func report(_ texts: String...) -> ReviewReport {
    ReviewReport(of: texts.map { Array($0.utf8) }, as: .markdown)
  }

  private func told(_ report: ReviewReport) -> [String] {
    report.text(in: "a.md", ChangesText(isColored: false), isDone: true)
      .split(separator: "\n").map(String.init)
  }

  @Test("Decisions, the writer's own changes and comments are told, and what is left is counted")
  func telling() {
    let report = report(
      "{~~a~>b~~}{>>@ai: why<<} and {++c++} and {--d--} and {~~e~>f~~}{>>@ai: so<<}.\n",
      "b and  and {--d--} and {~~e~>f~~}{>>@ai: so<<}{>>@jo: no<<}. {++New.++}{==Here==}{>>@jo: look<<}\n"
    )
    #expect(
      told(report) == [
        "a.md:1:1: 1 substitution “a” → “b”: accepted",
        "a.md:1:30: 2 addition “c”: rejected",
        "a.md:1:62: 3 addition “New.”: new",
        "a.md:1:72: 4 highlight “Here”: new",
        "a.md:1:24: 2 substitution “e” → “f”: commented: @jo: no",
        "a.md:1:72: 4 highlight “Here”: commented: @jo: look",
        "done: 1 accepted, 1 rejected, 3 left",
      ]
    )
  }

  @Test(
    "What was decided before another proposal came is told, and what is pending then is told once"
  )
  func severalProposals() {
    let report = report(
      "{++one ++}a {++two ++}three\n",
      "one a {++two ++}three{++ x++}\n",
      "one a {++two ++}three{++ x++} {++four++}\n",
      "one a three {++four++}\n"
    )
    #expect(
      told(report) == [
        "a.md:1:1: 1 addition “one ”: accepted",
        "a.md:1:7: 1 addition “two ”: rejected",
        "a.md:1:22: 2 addition “ x”: rejected",
        "done: 1 accepted, 2 rejected, 1 left",
      ]
    )
  }

  @Test("Each change is told by the name that it had when it was proposed, whatever came and went")
  func ids() throws {
    let proposed = "{~~a~>b~~} and {++c++} and {~~a~>b~~} and {--d--}.\n"
    let names = ListedChange.all(of: Array(proposed.utf8), as: .markdown).named.map(\.id)
    #expect(Set(names).count == 4)
    let report = report(proposed, "{++New++}a and {++c++}{>>@jo: so?<<} and b and .\n")
    var writer = JSONWriter()
    writer.object { report.writeMembers(to: &$0, isDone: true) }
    let told = try JSON(parsing: writer.bytes)
    func ids(_ list: JSON?) -> [String?] { list?.elements.map { $0["id"]?.string } ?? [] }
    #expect(ids(told["decisions"]) == [names[0], names[2], names[3]])
    #expect(ids(told["changes"]).count == 1 && !names.contains(ids(told["changes"])[0] ?? ""))
    let remarks = told["comments"]?.elements.map { $0["change"]?["id"]?.string } ?? []
    #expect(remarks == [names[1]])
  }

  @Test("Nothing is told of a text that was left alone")
  func nothing() {
    #expect(told(report("{++a++}\n", "{++a++}\n")) == ["done: 0 accepted, 0 rejected, 1 left"])
    #expect(told(report("a\n")) == ["done: 0 accepted, 0 rejected, 0 left"])
  }

  @Test("Texts are kept as what differs, and are what they were", arguments: 0..<200)
  func sequence(_ seed: Int) throws {
    var random = Seeded(seed: UInt64(seed))
    var texts: [[UInt8]] = [Array("Grüße, €uro 🙂\r\nand more\n".utf8)]
    for _ in 0..<6 {
      let last = texts[texts.count - 1]
      let start = Int.random(in: 0...last.count, using: &random)
      let end = Int.random(in: start...last.count, using: &random)
      let new = ["", "é", "\r", "\n", "so🙂"].randomElement(using: &random) ?? ""
      texts.append(last.applying([Edit(start..<end, Array(new.utf8))]))
    }
    var sequence = TextSequence()
    for text in texts { sequence.append(text) }
    #expect(sequence.all == texts, "seed \(seed)")
    let read = try #require(TextSequence(texts[0], sequence.steps))
    #expect(read.all == texts, "seed \(seed)")
  }

  @Test("Steps that do not fit their text are refused")
  func misfit() {
    #expect(TextSequence(Array("ab".utf8), [Edit(1..<3, [])]) == nil)
  }
}
