import TestSupport
import Testing

@testable import TrackEngine

@Suite("Decisions taken back where the marks are beside the text", .timeLimited)
struct ReopeningTests {
  private static let draft = "The {++quick ++}fox {--slowly --}jumps {~~over~>under~~} it.\n"

  @Test("An accepted change is one again, and what was typed since stays")
  func accepted() {
    var projection = Projection(record: Text(Array(Self.draft.utf8)))
    decide(0, .clean, in: &projection)
    projection.change(Edit(0..<0, Array("Now: ".utf8)))
    projection.change(Edit(Text(projection.text.bytes).count - 1..<projection.text.count - 1, [33]))
    reopen(&projection)
    #expect(
      shown(projection)
        == "{++Now: ++}The {++quick ++}fox {--slowly --}jumps {~~over~>under~~} it.{++!++}\n"
    )
    #expect(!projection.hasDecision)
  }

  @Test("A rejected change comes back with its text")
  func rejected() {
    var projection = Projection(record: Text(Array(Self.draft.utf8)))
    decide(2, .original, in: &projection)
    #expect(projection.text.bytes == Array("The quick fox jumps over it.\n".utf8))
    reopen(&projection)
    #expect(shown(projection) == Self.draft)
    #expect(projection.text.bytes == Array("The quick fox jumps under it.\n".utf8))
  }

  @Test("Several decisions are taken back one after the other, the last one first")
  func several() {
    var projection = Projection(record: Text(Array(Self.draft.utf8)))
    decide(0, .clean, in: &projection)
    decide(0, .original, in: &projection)
    decide(0, .clean, in: &projection)
    #expect(shown(projection) == "The quick fox slowly jumps under it.\n")
    for _ in 0..<3 { reopen(&projection) }
    #expect(shown(projection) == Self.draft)
    #expect(projection.reopening() == nil)
  }

  @Test("A rejection that undo has taken back is none any more")
  func undone() {
    var projection = Projection(record: Text(Array(Self.draft.utf8)))
    decide(0, .original, in: &projection)
    projection.change(Edit(4..<4, Array("quick ".utf8)))
    #expect(shown(projection) == Self.draft)
    #expect(!projection.hasDecision)
  }

  @Test("A decision stays where what was decided has been edited since")
  func edited() {
    var projection = Projection(record: Text(Array(Self.draft.utf8)))
    decide(0, .original, in: &projection)
    projection.change(Edit(2..<8, []))
    #expect(projection.hasDecision)
    #expect(projection.reopening() == nil)
  }

  @Test(
    "What was accepted and has been changed since does not become a change in a change",
    arguments: [4..<9, 6..<7, 5..<5]
  )
  func changedWithin(_ range: Range<Int>) {
    var projection = Projection(record: Text(Array(Self.draft.utf8)))
    decide(0, .clean, in: &projection)
    projection.change(Edit(range, Array("x".utf8)))
    #expect(projection.hasDecision)
    #expect(projection.reopening() == nil)
  }

  @Test("Both promises hold after a decision was taken back, whatever was typed before and since")
  func sessions() {
    let words = PromiseTests.plainWords + PromiseTests.hostileWords
    forAll(
      runs(400),
      length: 12,
      step: { CleanStep.random(&$0, words: words) },
      law: { seed, steps in
        var writer = CleanWriter(PromiseTests.crossed)
        let half = steps.count / 2
        for step in steps[..<half] {
          if let broken = writer.perform(step) { return broken }
        }
        var projection = writer.projection
        let before = projection
        let count = changes(of: projection).count
        guard count > 0 else { return nil }
        let isAccepted = half % 2 == 0
        decide(half % count, isAccepted ? .clean : .original, in: &projection)
        let decided = projection
        if projection.record.bytes == before.record.bytes { return nil }
        for (index, step) in steps[half...].enumerated() {
          if case .replace(let at, let length, let new) = step {
            let start = Int(at * Double(projection.text.count))
            let end = min(start + (index % 2 == 0 ? 0 : length), projection.text.count)
            let text = projection.text.bytes
            let isWhole = [start, end].allSatisfy { $0 == text.count || text[$0] & 0xC0 != 0x80 }
            guard isWhole else { continue }
            projection.change(Edit(start..<end, Array(new.utf8)))
          }
        }
        let text = projection.text
        guard let plan = projection.reopening() else {
          let isEdited = projection.text.hash != decided.text.hash
          return isEdited ? nil : "not taken back: \(shown(projection))"
        }
        if isAccepted, !plan.cleanEdits.isEmpty { return "the text is changed" }
        for edit in plan.cleanEdits.reversed() { projection.change(edit) }
        projection.carryOut(plan)
        let told = "\(shown(before))\n\(shown(decided))\n\(shown(projection))"
        let expected = text.applying(plan.cleanEdits).bytes
        if projection.text.bytes != expected { return "the text\n\(told)" }
        let original = { (of: Projection) in
          Reading(of: of.record.bytes).text(.original, of: of.record.bytes)
        }
        if original(projection) != original(before) { return "the original\n\(told)" }
        return projection.checkInvariants().map { "\($0)\n\(told)" }
      }
    )
  }

  private func changes(of projection: Projection) -> [Change] {
    Reading(of: projection.record.bytes).changes.filter(\.kind.isChange)
  }

  private func decide(_ index: Int, _ variant: Variant, in projection: inout Projection) {
    let bytes = projection.record.bytes
    let change = changes(of: projection)[index]
    let edits = try? Reading(of: bytes).edits(resolving: [change], variant, of: bytes)
    carryOut(projection.plan(edits ?? [], decides: true), in: &projection)
  }

  private func reopen(_ projection: inout Projection) {
    guard let plan = projection.reopening() else {
      Issue.record("nothing to take back")
      return
    }
    carryOut(plan, in: &projection)
  }

  /// As an editor that is asked for the edits of the text first.
  private func carryOut(_ plan: Projection.Plan, in projection: inout Projection) {
    for edit in plan.cleanEdits.reversed() { projection.change(edit) }
    projection.carryOut(plan)
  }

  private func shown(_ projection: Projection) -> String {
    String(decoding: projection.record.bytes, as: UTF8.self)
  }
}
