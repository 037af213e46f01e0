import TestSupport
import Testing
import TrackEngine

@testable import CriticLSP

@Suite("Where a change of a Word document is cut", .timeLimited) struct EqualCutsTests {
  private func cut(_ text: String, _ change: Range<Int>, by new: String = "") -> String {
    let original = Array(text.utf8)
    let clean = original[..<change.lowerBound] + Array(new.utf8) + original[change.upperBound...]
    let end = change.lowerBound + new.utf8.count
    let changes = [RecordedChange(change, change.lowerBound..<end)]
    let result = changes.cutEqually(original, Array(clean))
    let marked = marked(result, from: original, to: Array(clean))
    return String(decoding: marked, as: UTF8.self)
  }

  @Test("Line ends that are deleted with a paragraph are those behind it, wherever they are cut")
  func lineEnds() {
    for start in 3...5 {
      #expect(cut("One\n\nTwo\n\nEnd\n", start..<start + 5) == "One\n\n{--Two\n\n--}End\n")
    }
  }

  @Test("At the end of a text they are those before it")
  func lastLineEnds() {
    for start in 3...4 {
      #expect(cut("One\n\nTwo\n", start..<start + 5) == "One{--\n\nTwo--}\n")
    }
  }

  @Test("A figure is added or deleted with the beginning of its own, not with that of the next")
  func figures() {
    let text = "<figure>\nA\n</figure>\n\n<figure>\nB\n</figure>\n"
    for start in [0, 9] {
      #expect(
        cut(text, start..<start + 22) == "{--<figure>\nA\n</figure>\n\n--}<figure>\nB\n</figure>\n"
      )
    }
  }

  @Test("What replaces all of an emphasized text replaces its signs, too")
  func emphasis() {
    #expect(cut("a *red* hen", 3..<6, by: "blue") == "a {~~*red*~>*blue*~~} hen")
    #expect(cut("a *red hen*", 3..<6, by: "blue") == "a *{~~red~>blue~~} hen*")
    #expect(cut(#"a \\*red* hen"#, 5..<8, by: "blue") == #"a \\{~~*red*~>*blue*~~} hen"#)
  }

  @Test("What was deleted with a reference to a footnote stays apart from another reference")
  func references() {
    var changes = [
      RecordedChange(0..<4, 0..<0), RecordedChange(4..<8, 0..<0), RecordedChange(8..<8, 0..<4),
    ]
    (changes[1].joining, changes[2].joining) = (.ownKind, .ownKind)
    let cut = changes.cutEqually(Array("word[^1]\n".utf8), Array("[^2]\n".utf8))
    #expect(cut.map(\.old) == [0..<8, 8..<8])
  }

  @Test("Links are found, and formulas, and no signs behind a backslash")
  func units() {
    let text = #"a \[b\] [c *d*](e) \$1 $x$ $$y$$ [f] (g)"#
    let units = WordUnit.all(in: Array(text.utf8)).map { unit in
      String(decoding: Array(text.utf8)[unit.range], as: UTF8.self)
    }
    #expect(units == ["[c *d*](e)", "$x$", "$$y$$"])
  }
}
