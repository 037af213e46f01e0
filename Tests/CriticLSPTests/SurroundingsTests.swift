import TestSupport
import Testing
import TrackEngine

@testable import CriticLSP

@Suite("Where changes of a text are", .timeLimited) struct SurroundingsTests {
  /// On both sides of where the cursor begins to look ahead.
  @Test("Marks in one another end where counting afresh says", arguments: [3, 90, 340, 1500])
  func nestedEnds(depth: Int) {
    let text =
      (0..<depth).map { "{==é\($0 % 3 == 0 ? "\r\n" : "")" }.joined() + "b"
      + (0..<depth).map { "\($0 % 5 == 0 ? "\r" : "\n")ü==}" }.joined()
    let bytes = Array((text + text).utf8)
    let changes = ListedChange.all(of: bytes, as: .markdown)
    let reading = Reading(of: bytes)
    var ends: [Int] = []
    reading.eachChange { ends.append($0.markRange.upperBound) }
    #expect(changes.count == 2 * depth && ends.count == changes.count)
    for (change, end) in zip(changes, ends) {
      var cursor = LineCursor(bytes)
      let place = cursor.place(of: end)
      #expect(
        [change.around.region.endLine, change.around.region.endColumn] == [
          place.line, place.column,
        ]
      )
    }
  }

  @Test("What stands after a mark that others stand in is what follows it in the clean text")
  func afterNested() {
    let bytes = Array(("{==" + "a {++b++} {--c--} " * 200 + "==} and {++then++} more").utf8)
    let first = ListedChange.all(of: bytes, as: .markdown).first
    #expect(first?.around.after == Array(" and then more".utf8))
  }
}

extension String {
  fileprivate static func * (text: String, count: Int) -> String {
    String(repeating: text, count: count)
  }
}
