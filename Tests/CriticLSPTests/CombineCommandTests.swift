import TestSupport
import Testing

@testable import CriticLSP

@Suite("Command line: combine", .timeLimited) struct CombineCommandTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write("draft.md", "The quick fox jumps.\n")
    try folder.write("draft-anna.md", "The slow fox jumps.\n")
    try folder.write("ben.draft.md", "The {~~quick~>brown~~} fox leaps.\n")
    try folder.write("cleo.md", "The quick fox jumps!\n")
  }

  @Test("The copies' changes stand in the text, with the names of their files")
  func names() throws {
    let outcome = try folder.run("combine", "draft.md", "draft-anna.md", "cleo.md")
    #expect(
      outcome.output == "The {~~quick~>slow~~}{>>@anna<<} fox jumps{~~.~>!~~}{>>@cleo<<}\n"
    )
    #expect(outcome.errors.isEmpty)
    #expect(outcome.code == 0)
    let other = try folder.run("combine", "--author", "Ada Byron=cleo.md", "draft.md", "cleo.md")
    #expect(other.output == "The quick fox jumps{~~.~>!~~}{>>@Ada_Byron<<}\n")
    #expect(try folder.run("combine", "draft.md", "ben.draft.md", "-o", "out.md").code == 0)
    #expect(
      try folder.text("out.md")
        == "The {~~quick~>brown~~}{>>@ben<<} fox {~~jumps~>leaps~~}{>>@ben<<}.\n"
    )
  }

  @Test("Footnotes that several copies add under one label have several, and references too")
  func labels() throws {
    try folder.write("text.md", "One day it rained. Nobody came out. Three[^9].\n\n[^9]: Kept.\n")
    try folder.write(
      "anna.md",
      "One day it rained[^1]. Nobody came out[^2]. Three[^9].\n"
        + "\n[^9]: Kept.\n\n[^1]: Hers.\n\n[^2]: Both.\n"
    )
    // The other way round, one with a label that she has for another one, and one in marks.
    try folder.write(
      "ben.md",
      "One day it rained. Nobody came out[^1]. Three[^9]{++[^2] `[^2]`++}.\n"
        + "\n[^9]: Kept.\n\n[^1]: Both.{++\n\n[^2]: His.++}\n"
    )
    let outcome = try folder.run("combine", "text.md", "anna.md", "ben.md")
    #expect(
      outcome.output
        == "One day it rained{++[^1]++}{>>@anna<<}. Nobody came out{++[^2]++}{>>@anna<<}{>>@ben<<}."
        + " Three[^9]{++[^3] `[^2]`++}{>>@ben<<}."
        + "\n\n[^9]: Kept.{++\n\n[^1]: Hers.++}{>>@anna<<}"
        + "{++\n\n[^2]: Both.++}{>>@anna<<}{>>@ben<<}{++\n\n[^3]: His.++}{>>@ben<<}\n"
    )
    #expect(outcome.code == 0)
  }

  @Test("Alternatives are told, listed, checked and settled by their authors")
  func conflicts() throws {
    let outcome = try folder.run(
      "combine",
      "draft.md",
      "draft-anna.md",
      "ben.draft.md",
      "-o",
      "all.md"
    )
    #expect(outcome.code == 1)
    #expect(outcome.errors == "critic-lsp: 1 conflict, told by [conflict]\n")
    let listed = try folder.run("changes", "--conflicts", "all.md").output
    #expect(listed.contains("2 addition “slow”"))
    #expect(listed.contains("3 changes"))
    let checked = try folder.run("check", "all.md").output
    #expect(
      checked.contains("all.md:1:61: added “slow” is one of several alternatives\n"),
      "\(checked)"
    )
    #expect(checked.contains("replaced “jumps” by “leaps” is not settled"))
    for (name, text) in [("anna", "The slow fox jumps.\n"), ("ben", "The brown fox leaps.\n")] {
      let accepted = try folder.run("accept", "--author", name, "all.md")
      try folder.write("one.md", accepted.output)
      #expect(try folder.run("reject", "one.md").output == text)
    }
  }

  @Test("A Word document is imported on the way", .enabled(if: Shell.has("pandoc")))
  func word() throws {
    #expect(try folder.run("export", "--to", "docx", "-o", "anna.docx", "draft-anna.md").code == 0)
    let outcome = try folder.run("combine", "draft.md", "anna.docx")
    #expect(outcome.output == "The {~~quick~>slow~~}{>>@anna<<} fox jumps.\n", "\(outcome.errors)")
  }

  @Test(
    "How pandoc lays out a copy that comes back from Word is no change",
    .enabled(if: Shell.has("pandoc"))
  )
  func layout() throws {
    let text = """
      The light turned over the water, as it had turned every night for sixty
      years, and nobody looked at it, for there was nothing to be seen from the houses.

      - Oil for nine days
      - Bread for twelve
          1. Salt

      In the morning a boat came around the rocks. {--It was grey.--}{>>@bo: is it?<<}

      """
    try folder.write("long.md", text)
    try folder.write("edited.md", text.replacing("sixty", with: "seventy"))
    #expect(try folder.run("export", "--to", "docx", "-o", "clara.docx", "edited.md").code == 0)
    let outcome = try folder.run("combine", "long.md", "clara.docx")
    let combined = text.replacing("sixty", with: "{~~sixty~>seventy~~}{>>@clara<<}")
    #expect(outcome.output == combined, "\(outcome.errors)")
  }

  @Test(
    "A command line that lacks something says what",
    arguments: [
      (["draft.md"], "Name the document that was copied"),
      (["draft.md", "none.md"], "none.md"),
      (["draft.md", "-"], "Say whose copy - is"),
      (["--author", "anna", "draft.md", "cleo.md"], "--author is a name and a copy"),
      (["--author", "anna=x.md", "draft.md", "cleo.md"], "x.md is none of the copies"),
    ]
  )
  func usage(_ arguments: [String], _ problem: String) throws {
    let outcome = try folder.run(["combine"] + arguments)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(problem), "\(outcome.errors)")
  }
}
