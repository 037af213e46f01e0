import TestSupport
import Testing

@testable import CriticLSP

@Suite("Command line: carry", .timeLimited) struct CarryCommandTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write("old.md", old)
    try folder.write("new.md", new)
  }

  private let old =
    "The {++quick ++}{>>@anna<<}fox{>>@bo: which?<<} jumps over the {==dog==}{>>whose?<<}. It was late.\n"
  private let new = "The quick fox leaps over the dog. It was late.\n"
  private let carried =
    "The {++quick ++}{>>@anna<<}fox{>>@bo: which?<<} {~~jumps~>leaps~~} over the {==dog==}{>>whose?<<}. It was late.\n"

  @Test("The marks are on the new text, what it changes is recorded, and the code is 0")
  func all() throws {
    let outcome = try folder.run("carry", "old.md", "new.md")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output == carried)
    #expect(outcome.code == 0)
    try folder.write("carried.md", carried)
    #expect(try folder.run("export", "carried.md").output == new)
    let originals = try ["old.md", "carried.md"].map {
      try folder.run("export", "--original", $0).output
    }
    #expect(originals[0] == originals[1])
  }

  @Test("With --plain only the marks are carried, with --author what is recorded is signed")
  func options() throws {
    let plain = try folder.run("carry", "--plain", "old.md", "new.md")
    #expect(plain.output == carried.replacing("{~~jumps~>leaps~~}", with: "leaps"))
    let signed = try folder.run("carry", "--author", "ai:model", "old.md", "new.md")
    #expect(signed.output == carried.replacing("leaps~~}", with: "leaps~~}{>>@ai:model<<}"))
  }

  @Test("What is not carried is listed with its line, text and author, and the code is 1")
  func left() throws {
    try folder.write("new.md", "The quick hen jumps over the cat. It was late.\n")
    let outcome = try folder.run("carry", "old.md", "new.md")
    #expect(outcome.code == 1)
    #expect(
      outcome.errors == """
        critic-lsp: old.md:1:31: 2 comment “@bo: which?”: not carried, its text or what was around it has changed
        critic-lsp: old.md:1:64: 3 highlight “dog”: not carried, its text or what was around it has changed
            whose?
        critic-lsp: old.md: 2 of 3 marks not carried

        """
    )
    #expect(
      outcome.output
        == "The {++quick ++}{>>@anna<<}{~~fox~>hen~~} jumps over the {~~dog~>cat~~}. It was late.\n"
    )
    let appended = try folder.run("carry", "--append", "old.md", "new.md")
    #expect(appended.code == 1)
    #expect(
      appended.output == outcome.output + """
        {>>Not carried:
        - comment behind “The quick fox” (line 1): <<}{>>@bo: which?<<}{>>
        - highlight “dog” (line 1): <<}{>>whose?<<}
        """
    )
  }

  @Test("Standard input is one of them, and -o or --in-place takes what is written")
  func streams() throws {
    #expect(try folder.run("carry", "-", "new.md", input: old).output == carried)
    #expect(try folder.run("carry", "old.md", "-", input: new).output == carried)
    #expect(try folder.run("carry", "old.md", "new.md", "-o", "old.md").output.isEmpty)
    #expect(try folder.text("old.md") == carried)
    try folder.write("old.md", old)
    #expect(try folder.run("carry", "old.md", "new.md", "--in-place").code == 0)
    #expect(try folder.text("new.md") == carried)
    #expect(try folder.text("old.md") == old)
    // What has the marks already stays as it is.
    #expect(try folder.run("carry", "old.md", "new.md").output == carried)
  }

  @Test("--dry-run shows the lines that would change, and writes nothing")
  func dryRun() throws {
    let outcome = try folder.run("carry", "old.md", "new.md", "--in-place", "--dry-run")
    #expect(outcome.output == "new.md:1\n-\(new)+\(carried)")
    #expect(try folder.text("new.md") == new)
  }

  @Test("Line ends, a byte order mark, front matter and code are the new text's")
  func kinds() throws {
    let head = "---\r\ntitle: x\r\n---\r\n"
    let code = "\r\n```\r\n{++code++}\r\n```\r\n"
    try folder.write("old.md", "\u{FEFF}\(head)A {++red ++}{>>@anna<<}hen sat.\r\n\(code)")
    try folder.write("new.md", "\(head)A red hen sat down.\r\n\(code)")
    let outcome = try folder.run("carry", "old.md", "new.md")
    #expect(
      outcome.output == "\(head)A {++red ++}{>>@anna<<}hen sat{++ down++}.\r\n\(code)"
    )
    #expect(outcome.code == 0)
  }

  @Test(
    "A command line that lacks something says what",
    arguments: [
      (["carry", "old.md"], "Name two documents"), (["carry", "old.md", "."], ". is a folder"),
      (["carry", "-", "-"], "Only one document can be standard input"),
      (["carry", "old.md", "-", "--in-place"], "Standard input cannot be replaced"),
      (["carry", "old.md", "none.md"], "none.md"), (["carry", "none.md", "new.md"], "none.md"),
    ]
  )
  func usage(_ arguments: [String], _ problem: String) throws {
    let outcome = try folder.run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(problem), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }
}
