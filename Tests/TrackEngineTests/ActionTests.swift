import TestSupport
import Testing
import TrackEngine

@Suite("An action at a place", .timeLimited) struct ActionTests {
  private func result(_ action: Review.Action, _ text: String) throws -> String {
    let text = Text(Array(text.utf8))
    let edits = try Review(Tracker(text)).edits(for: action)
    return String(decoding: text.applying(edits).bytes, as: UTF8.self)
  }

  private static let why = Array("why".utf8)

  @Test(
    "is refused in a sentence where there is nothing to act on",
    arguments: [
      ("a b", .resolve(1..<1, .clean), "There is no change at the caret."),
      ("a b", .resolve(0..<2, .clean), "There is no change in the selection."),
      (
        "{++a++}{>>@bo<<}", .resolveAuthor("ada", .clean),
        "There are no changes by @ada in this document."
      ),
      ("a b", .removeComment(1..<1), "There is no comment here."),
      ("a b", .resolveThread(1..<1, nil), "There is no comment here."),
      (
        "---\nt: a\n---\nb\n", .comment(5..<6, why),
        "This is front matter, metadata that must stay valid: it can hold no comment and no highlight."
      ),
    ] as [(String, Review.Action, String)]
  )
  func refused(_ text: String, _ action: Review.Action, _ sentence: String) {
    #expect { try result(action, text) } throws: {
      ($0 as? Review.Failure)?.description == sentence
    }
  }

  @Test(
    "removes the comments that are selected, or else the one that the caret is at, or else the last on the change",
    arguments: [
      ("a {>>b<<} c{>>d<<}", 1..<4, "a  c{>>d<<}"), ("a {>>b<<} c{>>d<<}", 2..<18, "a  c"),
      ("{++a++}{>>b<<}{>>c<<}", 7..<7, "{++a++}{>>c<<}"),
      ("{++a++}{>>b<<}{>>c<<}", 9..<9, "{++a++}{>>c<<}"),
      ("{++a++}{>>b<<}{>>c<<}", 4..<4, "{++a++}{>>b<<}"),
      ("{++a++}{>>b<<}{>>c<<}", 21..<21, "{++a++}{>>b<<}"),
    ]
  )
  func removed(_ text: String, _ range: Range<Int>, _ expected: String) throws {
    #expect(try result(.removeComment(range), text) == expected)
  }
}
