import TestSupport
import Testing

@testable import CriticLSP

@Suite("Command line: convert", .timeLimited) struct ConvertCommandTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write("draft.md", "The {++new++}{>>@anna | 2026-11-22 | why<<} hen.\n")
  }

  private let obsidian =
    "The {author=\"anna\" date=\"2026-11-22\"++new++}{author=\"anna\" date=\"2026-11-22\">>why<<} hen.\n"

  @Test("The text is written in the dialect, and the code is 0")
  func converted() throws {
    let outcome = try folder.run("convert", "--to", "obsidian", "draft.md")
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output == obsidian)
    #expect(outcome.code == 0)
  }

  @Test("The file is replaced, or another one written, and shown first with --dry-run")
  func written() throws {
    let shown = try folder.run("convert", "--to", "obsidian", "--dry-run", "draft.md")
    #expect(shown.output.contains("author="))
    #expect(try folder.text("draft.md").contains("@anna"))
    _ = try folder.run("convert", "--to", "obsidian", "-o", "other.md", "draft.md")
    #expect(try folder.text("other.md") == obsidian)
    #expect(try folder.run("convert", "--to", "obsidian", "--in-place", "draft.md").code == 0)
    #expect(try folder.text("draft.md") == obsidian)
    #expect(try folder.run("convert", "--to", "criticmark", "--in-place", "draft.md").code == 0)
    #expect(try folder.text("draft.md").contains("{>>@anna | 2026-11-22 | why<<}"))
  }

  @Test("What is not said is told with its line, and the code is 1 if it names somebody")
  func told() throws {
    try folder.write(
      "draft.md",
      "{++a++}[^cn-1]\n{author=\"x|y\"++b++}\n\n[^cn-1]: @bo | 2026-11-22 | ins | accepted\n    approved: @eve\n"
    )
    let outcome = try folder.run("convert", "--to", "criticmark", "draft.md")
    #expect(outcome.output == "{++a++}{>>@bo | 2026-11-22<<}\n{author=\"x|y\"++b++}\n")
    #expect(
      outcome.errors == """
        critic-lsp: draft.md:1: not said: “approved: @eve”
        critic-lsp: draft.md:1: not said: that this is “accepted”
        critic-lsp: draft.md:2: left as it is, criticmark cannot name “x|y”

        """
    )
    #expect(outcome.code == 1)
    try folder.write("draft.md", "{++a++}{>>@bo | 2026-11-22T10:00:00+01:00<<}\n")
    let inUTC = try folder.run("convert", "--to", "commentator", "draft.md")
    #expect(
      inUTC.errors.contains("draft.md:1: the date “2026-11-22T10:00:00+01:00” is written in UTC")
    )
    #expect(inUTC.code == 0)
  }

  @Test("All files of a folder are converted, and what is not said is told of each")
  func several() throws {
    try folder.write("vault/b.md", "{author=\"x|y\"++b++}\n")
    try folder.write("vault/a.md", "{author=\"anna\"++a++}\n")
    let outcome = try folder.run("convert", "--to", "criticmark", "--in-place", "vault")
    #expect(try folder.text("vault/a.md") == "{++a++}{>>@anna<<}\n")
    #expect(
      outcome.errors == """
        critic-lsp: vault/b.md:1: left as it is, criticmark cannot name “x|y”

        """
    )
    #expect(outcome.code == 1)
  }

  @Test("Without a dialect, or with one that it does not know, it says which there are")
  func usage() throws {
    for arguments in [["draft.md"], ["--to", "word", "draft.md"]] {
      let outcome = try folder.run(["convert"] + arguments)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("criticmark"))
    }
  }
}
