import TestSupport
import Testing

@testable import TrackEngine

@Suite("Reviews of random texts", .timeLimited) struct ReviewPropertyTests {
  private static let parts = [
    "{++a++}", "{--b--}", "{~~c~>d~~}", "{==e==}", "{>>f<<}", "{--g--}{++h++}", "{++", "++}", "{--",
    "--}", "{~~", "~~}", "~>", "{==", "==}", "{>>", "<<}", "`", "\n", "\n\n", "x", " ", "{", "}",
    "\u{2014}\u{2014}", "{\u{2014}\u{2014}", "\u{2014}\u{2014}}", "@ada: ", "é", "```\n",
    "{++{\"author\":\"x\"}@@a++}", "{--b--}{#s1}", "{#s2}", "{>>@ada<<}",
  ]

  /// Does everything that can be done at every place, each time on the text as it was.
  private func tryAll(
    _ steps: [String],
    _ actions: (Tracker) -> [Review.Action],
    _ law: (Review.Action, _ old: Tracker, _ new: Tracker) -> String?
  ) -> String? {
    let tracker = Tracker(Text(Array(steps.joined().utf8)))
    for action in actions(tracker) {
      guard let edits = try? Review(tracker).edits(for: action) else { continue }
      var after = tracker
      let own = after.ownEdit(edits)
      after.apply(ours: edits)
      after.land(own)
      let text = String(decoding: after.buffer.bytes, as: UTF8.self)
      if !after.hunks.isEmpty || !after.marking().edits.isEmpty {
        return "\(action): \(text) is not settled"
      }
      if zip(edits, edits.dropFirst()).contains(where: {
        $0.range.upperBound >= $1.range.lowerBound
      }) {
        return "\(action): \(edits) touch"
      }
      if let broken = law(action, tracker, after) { return "\(action): \(text) \(broken)" }
    }
    return nil
  }

  private func variant(_ variant: Variant, _ tracker: Tracker) -> [UInt8] {
    let bytes = tracker.buffer.bytes
    return Reading(of: bytes).text(variant, of: bytes)
  }

  /// How many changes are commented on.
  private func commented(_ tracker: Tracker) -> Int {
    let bytes = tracker.buffer.bytes
    return Reading(of: bytes).changes.count { $0.isCommented(in: bytes) }
  }

  private func places(_ tracker: Tracker) -> [Range<Int>] {
    Reading(of: tracker.buffer.bytes).marks.map { $0.start + 1..<$0.start + 1 }
  }

  @Test("Converting changes, and writing or removing comments, changes neither text")
  func sameTexts() {
    forAll(
      runs(500),
      step: { Self.parts.randomElement(using: &$0) ?? "" },
      law: { _, steps in
        tryAll(steps) { tracker in
          places(tracker).flatMap { place -> [Review.Action] in
            [
              .join(place), .split(place), .editComment(place, Array("a <<} {++b".utf8)),
              .editComment(place, []), .resolveThread(place, nil),
            ]
          } + [
            .resolveKind(.comment, .clean), .resolveKind(.highlight, .original), .removeAnnotations,
          ]
        } _: { _, old, new in
          if variant(.clean, old) != variant(.clean, new) { return "has another clean text" }
          return variant(.original, old) == variant(.original, new) ? nil : "has another original"
        }
      }
    )
  }

  @Test("Accepting a kind leaves the clean text, rejecting it the original, and none of it is left")
  func kinds() {
    forAll(
      runs(500),
      step: { Self.parts.randomElement(using: &$0) ?? "" },
      law: { _, steps in
        tryAll(steps) { _ in
          MarkKind.allCases.flatMap { kind -> [Review.Action] in
            [.resolveKind(kind, .clean), .resolveKind(kind, .original)]
          }
        } _: { action, old, new in
          guard case .resolveKind(let kind, let chosen) = action else { return nil }
          if variant(chosen, old) != variant(chosen, new) { return "has another \(chosen) text" }
          let left = Reading(of: new.buffer.bytes).changes.filter { $0.kind == kind }
          return left.isEmpty ? nil : "still has \(left)"
        }
      }
    )
  }

  @Test(
    "Accepting everything leaves the clean text, rejecting it the original; what stays is no change"
  )
  func everything() {
    forAll(
      runs(500),
      step: { Self.parts.randomElement(using: &$0) ?? "" },
      law: { _, steps in
        tryAll(steps) { _ in
          [.resolveAll(.clean), .resolveAll(.original)]
        } _: { action, old, new in
          guard case .resolveAll(let chosen) = action else { return nil }
          let stays = Reading(of: old.buffer.bytes).changes.filter { !$0.kind.isChange }
          // A text that spells marks is what it is where nothing else was in marks.
          guard !stays.isEmpty else { return nil }
          if variant(chosen, old) != variant(chosen, new) { return "has another \(chosen) text" }
          // An empty comment may keep text apart that would be code without it.
          func said(_ changes: [Change], in text: Text) -> [Change] {
            changes.filter { !text[$0.range].elementsEqual("{>><<}".utf8) }
          }
          let left = said(Reading(of: new.buffer.bytes).changes, in: new.buffer)
          return left.count == said(stays, in: old.buffer).count
            && left.allSatisfy { !$0.kind.isChange }
            ? nil : "has \(left) after \(chosen)"
        }
      }
    )
  }

  @Test("Of a part that is settled the variant is what it was, and little is written for it")
  func parts() {
    forAll(
      runs(500),
      step: { Self.parts.randomElement(using: &$0) ?? "" },
      law: { seed, steps in
        var random = Seeded(seed: seed)
        return tryAll([steps.joined(separator: "yz")]) { tracker in
          Reading(of: tracker.buffer.bytes).marks.filter { $0.kind != .comment }
            .flatMap { mark -> [Review.Action] in
              let start = Int.random(
                in: mark.content.lowerBound...mark.content.upperBound,
                using: &random
              )
              let end = Int.random(in: start...mark.content.upperBound, using: &random)
              return [.resolve(start..<end, .clean), .resolve(start..<end, .original)]
            }
        } _: { action, old, new in
          guard case .resolve(let range, let chosen) = action else { return nil }
          if variant(chosen, old) != variant(chosen, new) { return "has another \(chosen) text" }
          guard Review(old).textOfPart(at: range, chosen) != nil else { return nil }
          if commented(old) != commented(new) { return "has a comment that belongs elsewhere" }
          let other: Variant = chosen == .clean ? .original : .clean
          let growth = variant(other, new).count - variant(other, old).count
          return abs(growth) == range.count ? nil : "has \(growth) bytes more, for \(range)"
        }
      }
    )
  }

  @Test("What is fixed is a mark or malformed no more, and every mark around it stays")
  func fixing() {
    forAll(
      runs(500),
      step: { Self.parts.randomElement(using: &$0) ?? "" },
      law: { _, steps in
        tryAll(steps) { tracker in
          let bytes = tracker.buffer.bytes
          return Reading(of: bytes).malformed(in: bytes).flatMap { malformed in
            malformed.kind.fixes.map { .fix(malformed.range, $0) }
          }
        } _: { action, old, new in
          let (before, after) = (old.buffer.bytes, new.buffer.bytes)
          let (marks, left) = (Reading(of: before).marks, Reading(of: after).marks)
          if left.count != marks.count { return left.count < marks.count ? "lost a mark" : nil }
          // A mark that is fixed can uncover what code hid, and a comment cover halves of others.
          let isPlain = !steps.contains { $0.contains("`") || $0 == "{>>" }
          guard case .fix(let range, _) = action, isPlain else { return nil }
          let wrong = Reading(of: before).malformed(in: before)
          let still = Reading(of: after).malformed(in: after)
          // A deletion whose other half is missing is malformed in another way; and in `{=={--{--==}--}` the
          // outer deletion overlaps in place of the inner one.
          let kind = wrong.first { $0.range == range }?.kind
          let isBetter =
            still.count < wrong.count
            || still.count { $0.kind == kind } < wrong.count { $0.kind == kind }
          return isBetter ? nil : "is no better"
        }
      }
    )
  }

  @Test(
    "What cannot be fixed without another mark becoming a different one is refused",
    arguments: [
      // The closer that is written would be that of the deletion inside, and the other way round.
      ("{--x {~~a {-- b~~} y--}", Review.Fix.delete), ("{--x {~~a -> {-- b~~} y--}", .arrow),
      // What is written is in the other mark.
      ("{++x {~~a {++ b~~} y++}", .divide), ("a {~~b{--c~~} d--}", .divide),
    ]
  )
  func otherMarks(_ text: String, _ fix: Review.Fix) throws {
    let tracker = Tracker(Text(Array(text.utf8)))
    let bytes = tracker.buffer.bytes
    let malformed = Reading(of: bytes).malformed(in: bytes)
    let found = try #require(malformed.first { $0.kind.fixes.contains(fix) })
    let failure = #expect(throws: Review.Failure.self) {
      try Review(tracker).edits(for: .fix(found.range, fix))
    }
    #expect(failure?.description.contains("what is around it") == true)
  }

  @Test("A review of one place of a long text does what a review of all of it does")
  func near() {
    let filler = String(repeating: "Words and words and words. ", count: 200) + "\n\n"
    forAll(
      runs(60),
      step: { Self.parts.randomElement(using: &$0) ?? "" },
      law: { _, steps in
        let text = steps.joined(separator: "y") + "\n\n" + filler
        let tracker = Tracker(Text(Array((filler + text + text).utf8)))
        let bytes = tracker.buffer.bytes
        let malformed = Reading(of: bytes).malformed(in: bytes)
        let actions =
          places(tracker).flatMap { place -> [Review.Action] in
            [
              .join(place), .split(place), .editComment(place, [0x61]), .removeComment(place),
              .resolveThread(place, true),
              .resolve(place, .clean), .comment(place, []),
            ]
          }
          + malformed.flatMap { malformed in
            malformed.kind.fixes.map { .fix(malformed.range, $0) }
          }
        for action in actions {
          // Together with text far away it may mean something else; then it is refused.
          guard let near = try? Review(tracker, around: action.range).edits(for: action) else {
            continue
          }
          let far = try? Review(tracker).edits(for: action)
          if near != far { return "\(action): \(near), and with all of it \(far ?? [])" }
        }
        return nil
      }
    )
  }

  @Test("What would be read as a mark together with text far away is refused, and it is said where")
  func farAway() throws {
    let filler = String(repeating: "Words and words and words.\n\n", count: 400)
    func edits(_ far: String, _ variant: Variant) throws(Review.Failure) -> [Edit] {
      let tracker = Tracker(Text(Array("x {++{--++} y\n\n\(filler)\(far)\n".utf8)))
      return try Review(tracker, around: 4..<4).edits(for: .resolve(4..<4, variant))
    }
    let failure = #expect(throws: Review.Failure.self) { try edits("z --} w", .clean) }
    #expect(failure?.description.hasPrefix("On line 1 ") == true)
    #expect(failure?.description.contains("a deletion") == true)
    #expect(try edits("z --} w", .original).count == 1)
    #expect(try edits("z {--f--} w", .clean).count == 2)
  }

  @Test("Any text can be commented on and highlighted, which changes neither text")
  func annotating() {
    for seed in 0..<UInt64(runs(60)) {
      let manuscript = Manuscript(of: 512 << Int(seed % 5), mostComments: 3, seed: seed).text
      let tracker = Tracker(Text(Array(manuscript.utf8)))
      let bytes = tracker.buffer.bytes
      var random = Seeded(seed: seed)
      for _ in 0..<20 {
        var places = (0..<2).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
        if Bool.random(using: &random) {
          places[1] = min(bytes.count, places[0] + Int.random(in: 0...40, using: &random))
        }
        for index in places.indices {
          while !isBoundary(bytes[...], places[index]) { places[index] -= 1 }
        }
        let range = places[0]..<places[1]
        let action: Review.Action =
          Bool.random(using: &random) ? .comment(range, Array("why?".utf8)) : .highlight(range)
        if let broken = broken(action, tracker) {
          let selected = String(decoding: bytes[range], as: UTF8.self)
          Issue.record("seed \(seed), \(action) on “\(selected)”: \(broken)")
          return
        }
      }
    }
  }

  private func broken(_ action: Review.Action, _ tracker: Tracker) -> String? {
    do {
      let edits = try Review(tracker, around: action.range).edits(for: action)
      let (old, new) = (tracker.buffer.bytes, tracker.buffer.applying(edits).bytes)
      let (before, after) = (Reading(of: old), Reading(of: new))
      for variant in [Variant.clean, .original]
      where before.text(variant, of: old) != after.text(variant, of: new) {
        return "has another \(variant) text: \(String(decoding: new, as: UTF8.self))"
      }
      return after.marks.count > before.marks.count ? nil : "wrote nothing"
    } catch {
      // Of a selection that is in marks, and of a caret that is in no word, nothing can be highlighted.
      guard case .highlight = action else { return error.description }
      let isExpected = error.description.contains("already") || error.description.contains("Select")
      return isExpected ? nil : error.description
    }
  }
}
