import TestSupport
import Testing

@testable import TrackEngine

@Suite("Elements in order", .timeLimited) struct RopeTests {
  struct Letter: Summed {
    var text: String
    var sum: SumTreeTests.Letters { SumTreeTests.Letters(text: text) }
  }

  enum Step: CustomStringConvertible {
    case update(Int, Int)
    case replace(Int, Int, Int, from: Int)

    var description: String {
      switch self {
      case .update(let place, let letter): "\(place) becomes letter \(letter)"
      case .replace(let start, let length, let count, let letter):
        "\(length) from \(start) become \(count) from letter \(letter) on"
      }
    }
  }

  private static func step(_ random: inout Seeded) -> Step {
    let place = Int.random(in: 0..<400, using: &random)
    let letter = Int.random(in: 0..<26, using: &random)
    if Int.random(in: 0..<3, using: &random) == 0 { return .update(place, letter) }
    let counts = [0, 1, 1, 2, 30, 64, 65, 200]
    return .replace(
      place,
      counts.randomElement(using: &random) ?? 0,
      counts.randomElement(using: &random) ?? 0,
      from: letter
    )
  }

  private static func letter(_ number: Int) -> Letter {
    Letter(text: String(UnicodeScalar(UInt8(ascii: "a") + UInt8(number % 26))))
  }

  @Test("After any changes they are those of an array, and so are their sums")
  func model() {
    forAll(runs(300), length: 12, step: RopeTests.step) { _, steps in
      var array: [Letter] = []
      var rope = Rope<Letter>()
      for step in steps {
        switch step {
        case .update(let place, let letter):
          guard !array.isEmpty else { continue }
          array[place % array.count] = RopeTests.letter(letter)
          rope.update(index(place % array.count, in: rope)) {
            $0 = RopeTests.letter(letter)
            return nil
          }
        case .replace(let start, let length, let count, let letter):
          let start = start % (array.count + 1)
          let range = start..<min(array.count, start + length)
          let new = (letter..<letter + count).map(RopeTests.letter)
          rope.replaceSubrange(
            index(range.lowerBound, in: rope)..<index(range.upperBound, in: rope),
            with: new
          )
          array.replaceSubrange(range, with: new)
        }
        if let broken = broken(rope, array) { return "\(step): \(broken)" }
      }
      return nil
    }
  }

  private func index(_ offset: Int, in rope: Rope<Letter>) -> Rope<Letter>.Index {
    rope.index(rope.startIndex, offsetBy: offset)
  }

  private func broken(_ rope: Rope<Letter>, _ array: [Letter]) -> String? {
    if let broken = rope.checkInvariants() { return broken }
    if Array(rope) != array { return "the elements" }
    if Array(rope.reversed()) != array.reversed() { return "the elements from the end" }
    let text = array.map(\.text).joined()
    if rope.sum.text != text { return "the sum" }
    for offset in stride(from: 0, through: array.count, by: 7) {
      let index = index(offset, in: rope)
      if rope.sum(before: index).text != String(text.prefix(offset)) {
        return "the sum before \(offset)"
      }
      if rope.sum(from: index).text != String(text.dropFirst(offset)) {
        return "the sum from \(offset)"
      }
      guard offset < array.count else { continue }
      let found = rope.first { $0.text.count > offset }
      if found?.index != index || found?.before.text.count != offset {
        return "the first that reaches \(offset)"
      }
      if rope.last(where: { $0.text.count >= array.count - offset }) != index {
        return "the last that reaches \(offset)"
      }
    }
    return nil
  }
}
