import TestSupport
import Testing

@testable import TrackEngine

@Suite("Decisions", .timeLimited) struct DecisionTests {
  /// What became of each change, as in `accepted "blue"`.
  private func decisions(_ proposed: String, _ final: String) -> [String] {
    Decision.all(of: Array(proposed.utf8), in: Array(final.utf8)).map { decision in
      let text = decision.final.map { " \"\(String(decoding: $0, as: UTF8.self))\"" } ?? ""
      return "\(decision.outcome)\(text)"
    }
  }

  @Test(
    "What stands in the place of a change says what became of it",
    arguments: [
      ("The {~~red~>blue~~} hen.", "The blue hen.", ["accepted \"blue\""]),
      ("The {~~red~>blue~~} hen.", "The red hen.", ["rejected \"red\""]),
      ("The {~~red~>blue~~} hen.", "The green hen.", ["edited \"green\""]),
      ("The {~~red~>blue~~} hen.", "The hen.", ["edited \"\""]),
      ("The {~~red~>blue~~}{>>why<<} hen.", "The {~~red~>blue~~} hen.", ["pending"]),
      ("The {~~red~>blue~~} hen.", "The {~~red~>navy~~} hen.", ["pending"]),
      ("The {++old ++}hen.", "The old hen.", ["accepted \"old \""]),
      ("The {++old ++}hen.", "The hen.", ["rejected \"\""]),
      ("The {++old ++}hen.", "The young hen.", ["edited \"young \""]),
      ("The {++old ++}hen.", "The {++old ++}hen.", ["pending"]),
      ("The {++old ++}hen.", "The {++young ++}hen.", ["pending"]),
      ("The {--old --}hen.", "The hen.", ["accepted \"\""]),
      ("The {--old --}hen.", "The old hen.", ["rejected \"old \""]),
      ("The {--old --}hen.", "The {--old --}hen.", ["pending"]),
      ("hen{++s++} ran", "hens ran", ["accepted \"s\""]),
      ("x{++ x++} y", "x x y", ["accepted \" x\""]),
      ("{++a++}{>>1<<}{++b++}", "{++b++}", ["rejected \"\"", "pending"]),
      ("{++ab++}{--ab--}", "{++ab++}{--ab--}", ["pending", "pending"]),
    ]
  )
  func outcomes(_ proposed: String, _ final: String, _ expected: [String]) {
    #expect(decisions(proposed, final) == expected)
  }

  @Test(
    "Later edits and later changes beside it are none of its business",
    arguments: [
      ("The {~~red~>blue~~} hen ran.", "A very blue hen walked.", ["accepted \"blue\""]),
      ("The {~~red~>blue~~} hen ran.", "The blue {~~hen~>fox~~} ran.", ["accepted \"blue\""]),
      ("The {~~red~>blue~~} hen ran.", "The red {~~hen~>fox~~} ran.", ["rejected \"red\""]),
      ("The {~~red~>blue~~} hen.", "The {~~blue~>navy~~} hen.", ["accepted \"navy\""]),
      ("One {++two ++}three.", "Zero.\n\nOne two three{++, four++}.", ["accepted \"two \""]),
      (
        "A {++b ++}c.\n\nD {--e --}f.", "New.\n\nA b c.\n\nMore of it.\n\nD e f.",
        ["accepted \"b \"", "rejected \"e \""]
      ),
    ]
  )
  func beside(_ proposed: String, _ final: String, _ expected: [String]) {
    #expect(decisions(proposed, final) == expected)
  }

  @Test(
    "Of a highlight and of a comment that stands alone it is told whether it is there",
    arguments: [
      ("a {==b==}{>>c<<} d {>>e<<}", "a {==b==}{>>c<<} d {>>e<<}", ["pending", "pending"]),
      ("a {==b==}{>>c<<} d {>>e<<}", "a b d", ["settled", "settled"]),
      ("a {==b==}{>>c<<} d", "a {==b==} d", ["pending"]),
      ("a {==b==}{>>c<<} d", "a {==bb==}{>>c<<}{>>yes<<} d", ["pending"]),
      ("a {==b {++c ++}==} d", "a {==b c ==} d", ["pending", "accepted \"c \""]),
      ("a {====} d {>>e<<}", "a  d {>>e<<}", ["settled", "pending"]),
    ]
  )
  func annotations(_ proposed: String, _ final: String, _ expected: [String]) {
    #expect(decisions(proposed, final) == expected)
  }

  @Test("Words that come again right behind a change are not taken for those before it")
  func repeated() {
    let (before, after) = (
      "And so the runs runs the runs fox ", " the runs fox over brown rain brown jumps quick rain."
    )
    for (text, expected) in [("{~~over~>new~~}", "pending"), ("over", "rejected \"over\"")] {
      #expect(decisions("\(before){~~over~>new~~}\(after)", before + text + after) == [expected])
    }
  }

  @Test("A section written anew around a change, and another put before it, are told in a moment")
  func rewritten() {
    let filler = String(repeating: "Words and more words, all of them new. ", count: 400)
    let proposed =
      "First.\n\nThe {~~red~>blue~~} hen ran over the road to see the world.\n\nLast.\n"
    #expect(
      decisions(proposed, "First.\n\n" + filler + "\n\nLast.\n").first?.hasPrefix("edited") == true
    )
    #expect(
      decisions(proposed, filler + "\n\n" + proposed.replacing("{~~red~>blue~~}", with: "blue"))
        == ["accepted \"blue\""]
    )
  }

  private static let parts = [
    "{++a b++}", "{--c d--}", "{~~e~>f g~~}", "{==h==}", "{>>i<<}", "word", "\n\n", "x", " ", " ",
    "é",
    "{--g--}{++h++}", "The quick brown fox jumps over the dog. ", "{++x++}", "{--x--}",
    "{++é++}{>>j<<}",
    "{==k {++l ++}m==}",
  ]

  @Test("Of changes that were left, accepted and rejected it is told which were")
  func which() {
    forAll(
      runs(2000),
      step: { random in
        // Letters are numbered, so that no two changes have one text.
        let number = Int.random(in: 0..<1_000_000, using: &random)
        let part = Self.parts.randomElement(using: &random) ?? ""
        return part.count < 20
          ? part.map { $0.isLetter ? "\($0)\(number)" : "\($0)" }.joined() : part
      },
      law: { seed, parts in
        var random = Seeded(seed: seed)
        let proposed = Array(parts.joined().utf8)
        let changes = Reading(of: proposed).changes
        let ways = changes.map { _ in Int.random(in: 0..<3, using: &random) }
        guard let final = proposed.settling(ways) else { return nil }
        let told = Decision.all(of: proposed, in: final).map(\.outcome)
        let meant = zip(changes, ways).map { change, way -> Decision.Outcome in
          way == 0 ? .pending : !change.kind.isChange ? .settled : way == 1 ? .accepted : .rejected
        }
        return told == meant ? nil : "\(shown(proposed)) → \(shown(final)): \(told)"
      }
    )
  }

  @Test("Where several decisions lead to one text, one of those that do is told")
  func same() {
    forAll(
      runs(2000),
      step: { Self.parts.randomElement(using: &$0) ?? "" },
      law: { seed, parts in
        var random = Seeded(seed: seed)
        let proposed = Array(parts.joined().utf8)
        let ways = Reading(of: proposed).changes.map { _ in Int.random(in: 1...2, using: &random) }
        guard let final = proposed.settling(ways) else { return nil }
        let told = Decision.all(of: proposed, in: final).map(\.outcome)
        let again = proposed.settling(told.map { $0 == .rejected ? 2 : 1 })
        let isOne = told.allSatisfy { $0 != .edited && $0 != .pending } && again == final
        return isOne ? nil : "\(shown(proposed)) → \(shown(final)): \(told)"
      }
    )
  }
}

/// A text as a literal.
func shown(_ bytes: [UInt8]) -> String {
  String(decoding: bytes, as: UTF8.self).debugDescription
}

extension [UInt8] {
  /// The text with its changes left (0), accepted (1) or rejected (2); nil where others would read differently then.
  func settling(_ ways: [Int]) -> [UInt8]? {
    let reading = Reading(of: self)
    let changes = reading.changes
    func chosen(_ way: Int) -> [Change] { zip(changes, ways).filter { $1 == way }.map(\.0) }
    guard let accepted = try? reading.edits(resolving: chosen(1), .clean, of: self),
      let rejected = try? reading.edits(resolving: chosen(2), .original, of: self)
    else { return nil }
    let edits = (accepted + rejected).sorted { $0.range.lowerBound < $1.range.lowerBound }
    let result = applying(edits)
    return Reading(of: result).changes.count == changes.count - chosen(1).count - chosen(2).count
      ? result : nil
  }
}
