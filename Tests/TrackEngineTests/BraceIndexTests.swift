import TestSupport
import Testing

@testable import TrackEngine

@Suite("Looking for texts with braces", .timeLimited) struct BraceIndexTests {
  @Test("They are found wherever they stand, from the beginning on")
  func places() {
    forAll(runs(300), length: 40, step: BraceIndexTests.letter) { _, bytes in
      let index = BraceIndex(bytes)
      for length in 6..<max(7, bytes.count) {
        for start in 0..<max(1, bytes.count - length) where start + length <= bytes.count {
          let text = Array(bytes[start..<start + length])
          guard text.contains(Ascii.open) || text.contains(Ascii.close) else { continue }
          let places = (0...bytes.count - length).map { $0..<$0 + length }
            .filter { Array(bytes[$0]) == text }
          let found = index.places(of: text, atMost: bytes.count)
          if found != places { return "\(found) instead of \(places)" }
          if index.places(of: text, atMost: 1) != [places[0]] { return "no first place" }
        }
      }
      return nil
    }
  }

  @Test("What stands nowhere is not found")
  func nowhere() {
    let index = BraceIndex(Array("one {++two++} three".utf8))
    for text in ["{++two", "o++} t", "{--two--}", "{++two++} three and more"] {
      let isThere = text == "{++two" || text == "o++} t"
      #expect(index.places(of: Array(text.utf8), atMost: 9).isEmpty != isThere)
    }
    #expect(BraceIndex([]).places(of: Array("{++a".utf8), atMost: 1).isEmpty)
  }

  private static func letter(_ random: inout Seeded) -> UInt8 {
    "{}+a".utf8.randomElement(using: &random) ?? Ascii.open
  }
}
