import TestSupport
import Testing

@testable import TrackEngine

@Suite("Sums of parts", .timeLimited) struct SumTreeTests {
  /// Letters in a row: what does not commute.
  struct Letters: Summable, Equatable {
    var text = ""

    mutating func append(_ next: Letters) { text += next.text }
  }

  enum Step: CustomStringConvertible {
    case set(Int, String)
    case replace(Int, Int, [String])

    var description: String {
      switch self {
      case .set(let part, let new): "\(part) becomes \(new)"
      case .replace(let start, let length, let new): "\(length) from \(start) become \(new)"
      }
    }
  }

  private static func step(_ random: inout Seeded) -> Step {
    let letters = "abcdefgh".map(String.init) + [""]
    let part = Int.random(in: 0..<40, using: &random)
    let new = (0..<Int.random(in: 0...5, using: &random)).map { _ in
      letters.randomElement(using: &random) ?? ""
    }
    return Bool.random(using: &random)
      ? .set(part, new.joined()) : .replace(part, Int.random(in: 0...4, using: &random), new)
  }

  @Test("After any changes they are those of the parts in their order")
  func model() {
    forAll(runs(2000), length: 16, step: SumTreeTests.step) { _, steps in
      var parts: [String] = []
      var tree = SumTree<Letters>()
      for step in steps {
        switch step {
        case .set(let part, let new):
          guard !parts.isEmpty else { continue }
          parts[part % parts.count] = new
          tree[part % parts.count] = Letters(text: new)
        case .replace(let start, let length, let new):
          let start = start % (parts.count + 1)
          let range = start..<min(parts.count, start + length)
          parts.replaceSubrange(range, with: new)
          tree.replace(range, with: new.map(Letters.init))
        }
        if let broken = broken(tree, parts) { return "\(step): \(broken)" }
      }
      return nil
    }
  }

  private func broken(_ tree: SumTree<Letters>, _ parts: [String]) -> String? {
    if !tree.checkInvariants() { return "the invariant" }
    if tree.count != parts.count { return "\(tree.count) instead of \(parts.count) parts" }
    if tree.total.text != parts.joined() { return "the total \(tree.total)" }
    for part in parts.indices {
      let sums = (tree.sum(before: part).text, tree[part].text, tree.sum(after: part).text)
      if sums != (parts[..<part].joined(), parts[part], parts[(part + 1)...].joined()) {
        return "the sums around \(part)"
      }
    }
    if tree.sum(before: parts.count).text != parts.joined() { return "the sum before the end" }
    for length in 1...parts.joined().count + 1 {
      let first = parts.indices.first { parts[...$0].joined().count >= length }
      let last = parts.indices.last { parts[$0...].joined().count >= length }
      let found = tree.first { $0.text.count >= length }
      if found?.part != first { return "the first that reaches \(length)" }
      if let found, found.before.text != parts[..<found.part].joined() {
        return "the sum before the first that reaches \(length)"
      }
      let end = tree.last { $0.text.count >= length }
      if end?.part != last { return "the last that reaches \(length)" }
      if let end, end.after.text != parts[(end.part + 1)...].joined() {
        return "the sum after the last that reaches \(length)"
      }
    }
    return nil
  }
}
