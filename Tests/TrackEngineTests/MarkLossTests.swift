import TestSupport
import Testing

@testable import TrackEngine

@Suite("Marks that are gone", .timeLimited) struct MarkLossTests {
  private let old =
    "The {~~red~>blue~~}{>>@anna: bluer<<} hen {++really ++}walks{--, or runs--}, {==they say==}.{>>who?<<}\n"

  private func loss(in new: String, of old: String? = nil) -> MarkLoss {
    MarkLoss(of: Array((old ?? self.old).utf8), in: Array(new.utf8))
  }

  @Test("A text that somebody wrote without the marks, and changed besides, has lost them")
  func lost() {
    #expect(loss(in: "The blue hen really strolls, they say.\n") == .lost)
    #expect(loss(in: "The blue hen really walks, they say. Late.\n") == .lost)
  }

  @Test(
    "A text that is what any decisions leave may have lost them on purpose",
    arguments: [
      "The blue hen really walks, they say.\n", "The red hen walks, or runs, they say.\n",
      "The red hen really walks, they say.\n", "The blue hen walks, they say.",
      "The blue hen really walks, or runs, they say.\r\n\r\n",
    ]
  )
  func decided(new: String) { #expect(loss(in: new) == .unclear) }

  @Test("New front matter alone does not make it another text")
  func frontMatter() {
    let new = "The blue hen really walks, they say.\n"
    #expect(loss(in: "---\nlang: en\n---\n\(new)", of: "---\nlang: de\n---\n\(old)") == .unclear)
  }

  @Test("A text that had no marks, or has some of them still, or others, has lost none")
  func none() {
    #expect(loss(in: "The hen.\n", of: "The hen walks.\n") == .none)
    #expect(loss(in: old) == .none)
    #expect(loss(in: "The blue hen {++really ++}strolls.\n") == .none)
    #expect(loss(in: "The blue hen {++now ++}strolls.\n") == .none)
  }

  @Test("Of many marks one that is left does not tell what was meant with the others")
  func few() {
    let old = (0..<20).map { "Hen \($0) {++really ++}walks.\n" }.joined()
    let new = old.replacing("{++really ++}", with: "really ").replacing("walks.", with: "runs.")
    #expect(loss(in: new, of: old) == .lost)
    let marked = new.replacing("0 really", with: "0 {++really ++}")
    // Hens 0 and 10.
    #expect(loss(in: marked, of: old) == .unclear)
    let more = marked.replacing("1 really", with: "1 {++really ++}")
    #expect(loss(in: more, of: old) == .none)
  }

  @Test("Decisions that lead to the same text in many ways count as decisions")
  func manyWays() {
    let old = String(repeating: "{~~a~>aa~~}{--aaa--}", count: 70)
    let new = String(repeating: "a", count: 250)
    #expect(loss(in: new, of: old) == .unclear)
    #expect(loss(in: new + "b", of: old) == .unclear)
    #expect(loss(in: new + "b", of: "{~~a~>aa~~}{--aaa--}") == .lost)
  }

  @Test("A text of the longest length is looked at, and one that is longer is not")
  func bound() {
    let lead = "The {++really ++}old hen.\n"
    let fill = String(repeating: "x", count: MarkLoss.longest - lead.utf8.count)
    #expect(loss(in: "The really new hen.\n" + fill, of: lead + fill) == .lost)
    #expect(loss(in: "The really new hen.\n" + fill, of: lead + fill + "x") == .none)
  }

  @Test("Marks that are in a text as they were are not gone, whatever marks it has besides")
  func kept() {
    func isLost(_ new: String) -> Bool { MarkLoss.isLost(Array(old.utf8), in: Array(new.utf8)) }
    #expect(isLost("The blue hen {++now ++}strolls.\n"))
    #expect(!isLost("The blue hen {++really ++}strolls.\n"))
    #expect(!isLost(old))
  }
}
