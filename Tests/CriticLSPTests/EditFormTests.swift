import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("The form of our edits", .timeLimited) struct EditFormTests {
  /// The edits that put `{++` before and `++}` after a letter that was typed in front of `cd`, and then others.
  private func formed(_ others: [Edit]) -> [Edit] {
    let text = Text(Array("abcd\n".utf8))
    let hunk = Hunk(Difference(0..<0, 0..<1), replacing: [], by: text[0..<1])
    let edits = [Edit(0..<0, Array("{++".utf8)), Edit(1..<1, Array("++}".utf8))] + others
    return EditForm.takingNext.formed(edits, in: text, for: [hunk])
  }

  @Test("An insert after what was typed takes the next character in, for the caret to stay inside")
  func taking() {
    #expect(formed([])[1] == Edit(1..<2, Array("++}b".utf8)))
    #expect(formed([Edit(3..<3, [0x78])])[1] == Edit(1..<2, Array("++}b".utf8)))
  }

  @Test("It takes nothing in where the next edit would touch it")
  func touching() {
    #expect(formed([Edit(2..<2, [0x78])])[1] == Edit(1..<1, Array("++}".utf8)))
  }
}
