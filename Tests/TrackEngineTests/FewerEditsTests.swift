import TestSupport
import Testing

@testable import TrackEngine

@Suite("Edits of everything are few", .timeLimited) struct FewerEditsTests {
  /// A text of lines, and an edit in each of some words.
  private func edits(_ random: inout Seeded, _ share: Int) -> (text: Text, edits: [Edit]) {
    var bytes: [UInt8] = []
    var edits: [Edit] = []
    for _ in 0..<Int.random(in: 1...6000, using: &random) {
      let word = Array(
        ["word ", "é", "line\n", "👍🏽 "].randomElement(using: &random)?.utf8 ?? "".utf8
      )
      if Int.random(in: 0..<share, using: &random) == 0 {
        let end = bytes.count + (Bool.random(using: &random) ? word.count : 0)
        edits.append(Edit(bytes.count..<end, Array("{++".utf8)))
        bytes += word
      }
      bytes += word
    }
    return (Text(bytes), edits)
  }

  @Test("They do the same, in hundreds at most, and those of the caret's line stay by themselves")
  func property() {
    for seed in 0..<UInt64(runs(60)) {
      var random = Seeded(seed: seed)
      let (text, edits) = edits(&random, Int.random(in: 1...8, using: &random))
      let at = Int.random(in: 0...text.count, using: &random)
      let fewer = edits.fewer(in: text, sparing: at..<at)
      #expect(text.applying(fewer).bytes == text.applying(edits).bytes, "seed \(seed)")
      let line = text.line(at: at)
      let here = text.start(ofLine: line)..<text.end(ofLine: line)
      let spared = edits.filter {
        $0.range.clamped(to: here) == $0.range && here.contains($0.range.lowerBound)
      }
      #expect(spared.allSatisfy(fewer.contains), "seed \(seed)")
      #expect(fewer.count <= 400 + spared.count, "seed \(seed): \(fewer.count) of \(edits.count)")
      #expect(
        zip(fewer, fewer.dropFirst()).allSatisfy { $0.range.upperBound < $1.range.lowerBound },
        "seed \(seed)"
      )
    }
  }

  @Test("A few edits stay as they are")
  func few() {
    let text = Text(Array(repeating: UInt8(ascii: "x"), count: 1000))
    let edits = (0..<300).map { Edit($0 * 3..<$0 * 3, [UInt8(ascii: "{")]) }
    #expect(edits.fewer(in: text) == edits)
  }
}
