import TestSupport
import Testing

@testable import TrackEngine

@Suite("Differences of the original", .timeLimited) struct OriginalDifferenceTests {
  /// Each as in `6..<9 "red" is "blue"`, with the place in the text with its marks.
  private func differences(_ earlier: String, _ now: String) -> [String] {
    OriginalDifference.all(in: Array(now.utf8), since: Array(earlier.utf8), as: .markdown).map {
      let (expected, found) = (
        String(decoding: $0.expected, as: UTF8.self), String(decoding: $0.found, as: UTF8.self)
      )
      return "\($0.range) \"\(expected)\" is \"\(found)\""
    }
  }

  @Test(
    "What was edited without a mark is a difference, and what was recorded is none",
    arguments: [
      ("The red hen.", "The red hen.", []),
      ("The red hen.", "The {~~red~>blue~~} hen{++ sat++}.", []),
      ("The red hen.", "The blue hen.", [#"4..<8 "red" is "blue""#]),
      ("The red hen.", "{++Oh. ++}The {--blue --}hen.", [#"17..<21 "red" is "blue""#]),
      ("The red hen.", "The {==blue==}{>>Why?<<} hen.", [#"7..<11 "red" is "blue""#]),
      ("The red hen.", "The hen.", [#"4..<4 "red " is """#]),
      ("The hen.", "The {++old ++}red hen.", [#"14..<18 "" is "red ""#]),
      ("The hen.", "The hen.\n", ["8..<9 \"\" is \"\n\""]),
      ("The hen.\n", "The hen.", ["8..<8 \"\n\" is \"\""]),
      ("", "{++The hen.++}", []), ("The hen.", "{--The hen.--}", []),
      (
        "One.\n\nTwo.\n\nThree.\n", "Won.\n\n{--Two.\n\n--}Tree.\n",
        [#"0..<3 "One" is "Won""#, #"18..<22 "Three" is "Tree""#]
      ),
    ]
  )
  func untracked(_ earlier: String, _ now: String, _ expected: [String]) {
    #expect(differences(earlier, now) == expected)
  }

  @Test(
    "Changes of the earlier version may have been accepted or rejected since, and not edited",
    arguments: [
      ("The {~~red~>blue~~} hen.", "The {~~red~>blue~~} hen.", []),
      ("The {~~red~>blue~~} hen.", "The {~~red~>green~~} hen.", []),
      ("The {~~red~>blue~~} hen.", "The blue hen.", []),
      ("The {~~red~>blue~~} hen.", "The red hen.", []),
      ("The {~~red~>blue~~} hen.", "The {--blue --}hen.", []),
      ("The {~~red~>blue~~} hen.", "The green hen.", [#"4..<9 "red" is "green""#]),
      ("The {++old ++}hen{++s++}.", "The old hen.", []),
      ("The {++old ++}hen{++s++}.", "The old {++hens++}.", [#"8..<8 "hen" is """#]),
      ("The {==old==}{>>Is it?<<} hen.", "The old hen.", []),
      ("The {==old {++red ++}==}{>>Is it?<<}hen.", "The old red hen.", []),
      ("The {--{==old==} --}hen.", "The hen.", []),
    ]
  )
  func decided(_ earlier: String, _ now: String, _ expected: [String]) {
    #expect(differences(earlier, now) == expected)
  }

  private static let parts = [
    "{++a b++}", "{--c d--}", "{~~e~>f g~~}", "{==h==}", "{>>i<<}", "word", "\n\n", "x", " ", " ",
    "é", "`co{++de`", "{--g--}{++h++}", "The quick brown fox jumps over the dog. ", "{++x++}",
    "{==k {++l ++}m==}{>>why<<}", "{--n {==o==}--}", "\r\n", "```\n{--p--}\n```\n",
  ]

  @Test("Decisions alone make no difference")
  func decisions() {
    forAll(
      runs(2000),
      step: { Self.parts.randomElement(using: &$0) ?? "" },
      law: { seed, parts in
        var random = Seeded(seed: seed)
        let earlier = Array(parts.joined().utf8)
        let ways = Reading(of: earlier).changes.map { _ in Int.random(in: 0...2, using: &random) }
        guard let bytes = earlier.settling(ways) else { return nil }
        let told = OriginalDifference.all(in: bytes, since: earlier, as: .markdown)
        return told.isEmpty ? nil : "\(shown(earlier)) → \(shown(bytes)): \(told)"
      }
    )
  }

  @Test(
    "What rejecting gives is at the place that is told, and with what was expected it is the earlier version"
  )
  func places() {
    forAll(
      runs(2000),
      step: { random in
        let part = Self.parts.randomElement(using: &random) ?? ""
        return (part, Int.random(in: 0..<6, using: &random))
      },
      law: { _, steps in
        let bytes = Array(steps.map(\.0).joined().utf8)
        let reading = Reading(of: bytes)
        let original = reading.text(.original, of: bytes)
        // Some parts are gone or replaced.
        let earlier = Array(
          steps.map { part, way in way == 0 ? "" : way == 1 ? "other" : part }.joined().utf8
        )
        let expected = Reading(of: earlier).text(.original, of: earlier)
        // What was code in one of both is a mark in the other.
        guard Reading(of: expected).changes.isEmpty else { return nil }
        let places = OriginalDifference.all(in: bytes, since: expected, as: .markdown)
        func given(_ range: Range<Int>) -> [UInt8] {
          reading.ranges(.original, of: bytes).map { $0.clamped(to: range) }.flatMap { bytes[$0] }
        }
        var text: [UInt8] = []
        var at = 0
        for place in places {
          if given(place.range) != place.found { return "\(shown(bytes)): \(place)" }
          text += given(at..<place.range.lowerBound) + place.expected
          at = place.range.upperBound
        }
        let isRight = text + given(at..<bytes.count) == expected
        let isTold = places.isEmpty == (original == expected)
        return isRight && isTold ? nil : "\(shown(expected)) → \(shown(bytes)): \(places)"
      }
    )
  }
}
