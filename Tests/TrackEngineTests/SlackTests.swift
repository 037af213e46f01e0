import TestSupport
import Testing

@testable import TrackEngine

@Suite("How far an edit can be moved", .timeLimited) struct SlackTests {
  private static func letter(_ random: inout Seeded) -> UInt8 {
    Bool.random(using: &random) ? UInt8(ascii: "a") : UInt8(ascii: "b")
  }

  @Test("What is inserted or deleted has the same result as far as its slack reaches, no further")
  func shifts() {
    forAll(runs(2000), length: 14, step: SlackTests.letter) { seed, text in
      var random = Seeded(seed: seed)
      let start = Int.random(in: 0...text.count, using: &random)
      let count = Int.random(in: 1...4, using: &random)
      let isDeletion = start + count <= text.count && Bool.random(using: &random)
      let new = isDeletion ? [] : (0..<count).map { _ in SlackTests.letter(&random) }
      let edit = Edit(start..<(isDeletion ? start + count : start), new)
      let slack = edit.slack(within: text.indices) { text[$0] }
      for shift in -edit.range.lowerBound...text.count - edit.range.upperBound {
        let moved = edit.moved(by: shift) { text[$0] }
        if slack.contains(shift) != (text.applying([moved]) == text.applying([edit])) {
          return "\(edit) and \(moved), \(slack)"
        }
      }
      return nil
    }
  }
}
