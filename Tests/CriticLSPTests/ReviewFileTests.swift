import Foundation
import TestSupport
import Testing

@testable import CriticLSP

@Suite("A review that comes back", .timeLimited) struct ReviewFileTests {
  private let folder: Folder
  private let draft = """
    # Hens

    The {~~red~>blue~~}{>>@ada: why<<} **hen** sat. A [link](http://example.org/hen) and *more words* of text.

    {++A new paragraph.

    ++}The hen sat. {>>alone<<}

    """

  init() throws {
    folder = try Folder()
    try folder.write("draft.md", draft)
  }

  /// A review of some items, by Eve.
  private func review(_ items: String...) -> String {
    #"{"review": 1, "file": "draft.md", "author": "Eve B", "items": [\#(items.joined(separator: ","))]}"#
  }

  private func change(_ number: Int, _ more: String) -> String {
    let known = [
      #""kind": "substitution", "old": "red", "new": "blue""#,
      #""kind": "addition", "old": "", "new": "A new paragraph.\n\n""#,
      #""kind": "comment", "old": "", "new": """#,
    ]
    return #"{"change": \#(number), \#(known[number - 1]), \#(more)}"#
  }

  @Test("Comments are put in, by the reader; yes and no are listed, and nothing is settled")
  func comments() throws {
    let outcome = try folder.run(
      ["propose", "draft.md"],
      input: review(
        change(1, #""decision": "yes", "comment": "because""#),
        change(2, #""decision": "no""#),
        change(3, #""comment": "not\nalone""#),
        #"{"text": "The hen sat.", "before": "A new paragraph. ", "after": "", "comment": "again"}"#
      )
    )
    #expect(outcome.code == 0)
    #expect(
      outcome.output
        == draft.replacing("why<<}", with: "why<<}{>>@Eve_B: because<<}")
        .replacing("++}The hen sat.", with: "++}{==The hen sat.==}{>>@Eve_B: again<<}")
        .replacing("alone<<}", with: "alone<<}{>>@Eve_B: not alone<<}")
    )
    #expect(
      outcome.errors == """
        critic-lsp: draft.md: yes to change 1: “red” → “blue”
        critic-lsp: draft.md: no to change 2: Added “A new paragraph.⏎⏎”

        """
    )
  }

  @Test("--apply carries out yes and no, and what was said of a settled change stays")
  func apply() throws {
    let outcome = try folder.run(
      ["propose", "--apply", "--in-place", "--author", "eve", "draft.md"],
      input: review(
        change(1, #""decision": "no", "comment": "red it is""#),
        change(2, #""decision": "no""#)
      )
    )
    #expect(outcome.code == 0)
    #expect(
      try folder.text("draft.md")
        == draft.replacing("{~~red~>blue~~}{>>@ada: why<<}", with: "red{>>@eve: red it is<<}")
        .replacing("{++A new paragraph.\n\n++}", with: "")
    )
  }

  @Test(
    "What was selected on the page is found in the text, whatever signs Markdown has in it",
    arguments: [
      ("hen", "The blue ", " sat. A", "**{==hen==}{>>@Eve_B: x<<}** sat"),
      ("hen sat", "The blue ", ". A", "{==**hen** sat==}{>>@Eve_B: x<<}. A"),
      ("words of text.", "and more ", "", "{==*more words* of text.==}{>>@Eve_B: x<<}"),
      ("A link", "sat. ", " and", "{==A [link](http://example.org/hen)==}{>>@Eve_B: x<<} and"),
      ("link and more", "A ", " words", "{==[link](http://example.org/hen) and *more words*==}"),
      ("blue", "The ", " hen", "{~~red~>blue~~}{>>@ada: why<<}{>>@Eve_B: x<<} **hen**"),
      ("Hens", "", "The", "# {==Hens==}{>>@Eve_B: x<<}"),
      ("hen sat", "new paragraph. The ", ".", "++}The {==hen sat==}{>>@Eve_B: x<<}."),
    ]
  )
  func selections(_ text: String, _ before: String, _ after: String, _ wanted: String) throws {
    let item =
      #"{"text": "\#(text)", "before": "\#(before)", "after": "\#(after)", "comment": "x"}"#
    let outcome = try folder.run(["propose", "draft.md"], input: review(item))
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.contains(wanted), "\(outcome.output)")
  }

  @Test("A change is known again after the document has changed, by what it is")
  func moved() throws {
    try folder.write("draft.md", "{++More. ++}{--Less. --}" + draft)
    let outcome = try folder.run(
      ["propose", "--apply", "draft.md"],
      input: review(change(1, #""decision": "yes""#))
    )
    #expect(outcome.code == 0)
    #expect(outcome.output.contains("The blue **hen**"))
    #expect(outcome.output.hasPrefix("{++More. ++}{--Less. --}# Hens"))
    #expect(outcome.errors.contains("yes to change 3: "))
  }

  /// Three hens that turn blue, of which one may be settled.
  private func twins(settled: Int?, as word: String = "") -> String {
    ["One", "Two", "Six"].enumerated().map { index, place in
      "\(place) \(index == settled ? word : "{~~red~>blue~~}") hen.\n\n"
    }.joined()
  }

  @Test(
    "Of changes that are alike, a yes falls on the one that it was said of, or on none",
    arguments: [nil, 0, 1, 2],
    ["blue", "red"]
  )
  func twins(_ settled: Int?, _ word: String) throws {
    try folder.write("draft.md", twins(settled: nil))
    #expect(try folder.run("export", "--to", "html", "-o", "page.html", "draft.md").code == 0)
    let page = try folder.text("page.html")
    let item = try #require(page.firstMatch(of: #/\{"change":2,[^}]*\}/#)).output
    let text = twins(settled: settled, as: word)
    try folder.write("draft.md", text)
    let outcome = try folder.run(
      ["propose", "--apply", "draft.md"],
      input: review("\(item.dropLast()), \"decision\": \"yes\"}")
    )
    // What is rejected is other text around the others.
    if settled == 1 || settled != nil && word == "red" {
      #expect(outcome.code == 2)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.contains("not there any more, or not to be told from others: yes"))
    } else {
      let wanted = text.replacing("Two {~~red~>blue~~}", with: "Two blue")
      #expect(outcome.output == wanted, "\(outcome.errors)")
    }
  }

  @Test(
    "Between changes that are alike, with the same text around them, nothing is guessed",
    arguments: [0, 1]
  )
  func sameAround(_ settled: Int) throws {
    let around = String(repeating: "The same words again. ", count: 8)
    let twin = "\(around){~~red~>blue~~}\(around)"
    try folder.write("draft.md", twin + twin)
    #expect(try folder.run("export", "--to", "html", "-o", "page.html", "draft.md").code == 0)
    let page = try folder.text("page.html")
    let known = try #require(page.firstMatch(of: #/\{"change":1,[^}]*\}/#)).output
    let item = review("\(known.dropLast()), \"decision\": \"yes\"}")
    let decided = "\(around)blue\(around)"
    #expect(
      try folder.run(["propose", "--apply", "draft.md"], input: item).output == decided + twin
    )
    try folder.write("draft.md", settled == 0 ? decided + twin : twin + decided)
    #expect(try folder.run(["propose", "--apply", "draft.md"], input: item).code == 2)
  }

  @Test(
    "A place that no page gives is none",
    arguments: ["0", "2", "-9223372036854775808", "9223372036854775807"]
  )
  func wrongPlace(_ nth: String) throws {
    let members = #""nth": \#(nth), "of": 1, "alike": 1, "decision": "yes""#
    let outcome = try folder.run(
      ["propose", "--apply", "draft.md"],
      input: review(change(1, members))
    )
    #expect(outcome.errors.contains("yes") && outcome.code != 132)
  }

  @Test(
    "A text that is at several places has to have what is around it",
    arguments: [("", "", 0), ("One red", "", 1), ("", "Six", 2), ("Four", "Five", 0)]
  )
  func severalPlaces(_ before: String, _ after: String, _ place: Int) throws {
    try folder.write("draft.md", "One red hen sat. Two red hen Six.\n")
    let item = #"{"text": "hen", "before": "\#(before)", "after": "\#(after)", "comment": "x"}"#
    let outcome = try folder.run(["propose", "draft.md"], input: review(item))
    let texts = [
      "", "One red {==hen==}{>>@Eve_B: x<<} sat. Two red hen Six.\n",
      "One red hen sat. Two red {==hen==}{>>@Eve_B: x<<} Six.\n",
    ]
    #expect(outcome.output == texts[place], "\(outcome.errors)")
    #expect(outcome.errors.contains("“hen” is at 2 places") == (place == 0))
  }

  @Test("What has no place any more is told, and nothing is written")
  func lost() throws {
    try folder.write("draft.md", "The blue hen.\n")
    let outcome = try folder.run(
      ["propose", "--in-place", "draft.md"],
      input: review(
        change(1, #""decision": "yes", "comment": "nice""#),
        #"{"text": "the fox", "comment": "who?"}"#
      )
    )
    #expect(outcome.code == 2)
    #expect(
      outcome.errors == """
        critic-lsp: draft.md: change 1 (substitution “red” → “blue”) is not there any more, or not to be told from others: yes: nice
        draft.md: “the fox” is not in the document any more, of which it says: who?
        Nothing was written.

        """
    )
    #expect(try folder.text("draft.md") == "The blue hen.\n")
  }

  @Test(
    "What is no review is told",
    arguments: [
      (#"{"review": 2, "items": []}"#, "only version 1 is known"),
      (#"{"review": 1}"#, "review.items: missing"),
      (#"{"review": 1, "items": [{"comment": "x"}]}"#, "review.items[0].text: missing"),
      (#"{"review": 1, "author": "a{b", "items": []}"#, "give one: --author NAME"),
      (
        #"{"review": 1, "items": [{"text": "x", "decision": "maybe"}]}"#,
        "decision: expected yes or no, not \"maybe\""
      ),
    ]
  )
  func wrong(_ file: String, _ sentence: String) throws {
    let outcome = try folder.run(["propose", "draft.md"], input: file)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
  }

  @Test("Only a review has decisions to apply")
  func applyEdits() throws {
    let outcome = try folder.run(["propose", "--apply", "draft.md"], input: "[]")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("--apply is for a review"))
  }
}
