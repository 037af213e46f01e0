import TestSupport
import Testing

@testable import TrackEngine

@Suite("What a client tells in one change of many lines", .timeLimited) struct WordDiffTests {
  private let lines = (0..<2000).map { "In the \($0)th morning the river was low.\n" }

  @Test("However many words have changed, each is a change of its own", arguments: [1, 3])
  func manyWords(_ step: Int) {
    var changed = lines
    let touched = Array(stride(from: 0, to: lines.count, by: step))
    for line in touched {
      changed[line] = lines[line].replacing("river", with: "lake")
    }
    let edits = edits(to: changed)
    #expect(edits.count == touched.count)
    #expect(edits.allSatisfy { $0.range.count == 5 && $0.new == Array("lake".utf8) })
  }

  @Test("So it is where lines have come and gone among them")
  func linesToo() {
    var changed = lines.map { $0.replacing("river", with: "lake") }
    for line in stride(from: 0, to: lines.count, by: 3) { changed[line] = lines[line] }
    changed.insert("A new line.\n", at: 1500)
    changed.removeSubrange(300..<303)
    let edits = edits(to: changed)
    #expect(edits.filter { $0.new == Array("lake".utf8) }.count > 1000)
    #expect(edits.allSatisfy { $0.range.count < 200 })
  }

  @Test("Lines that were written anew are one change, whatever words they share")
  func writtenAnew() {
    let changed = (0..<2000).map { "Later the \($0 * 7)nd evening was a warm and quiet one.\n" }
    #expect(edits(to: changed).count == 1)
  }

  @Test("What two sequences have in common around what each has once is in both, in one order")
  func anchored() {
    forAll(
      runs(3000),
      length: 40,
      step: { (UInt64.random(in: 0..<30, using: &$0), UInt64.random(in: 0..<30, using: &$0)) },
      law: { _, steps in
        let (old, new) = (steps.map(\.0), steps.map(\.1))
        let pairs = anchoredPairs(old, new)
        if pairs.contains(where: { old[$0] != new[$1] }) { return "\(pairs) are not equal" }
        let isRising = zip(pairs, pairs.dropFirst()).allSatisfy { $0.0 < $1.0 && $0.1 < $1.1 }
        return isRising ? nil : "\(pairs) of \(old) and \(new)"
      }
    )
  }

  /// The edits that turn the lines into others; they do.
  private func edits(to changed: [String]) -> [Edit] {
    let text = Text(Array(lines.joined().utf8))
    let new = Array(changed.joined().utf8)
    let edits = wordDiff(0..<text.count, new, in: text)
    #expect(text.applying(edits).bytes == new)
    return edits
  }
}
