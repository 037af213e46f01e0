import Foundation
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Command line: diff", .timeLimited) struct DiffCommandTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write("old.md", "The red hen sat.\r\nShe slept.")
    try folder.write("new.md", "The blue hen sat down.\r\nShe slept.")
  }

  private let marked = "The {~~red~>blue~~} hen sat{++ down++}.\r\nShe slept."

  @Test("What differs is in marks, and the code is 1")
  func different() throws {
    let outcome = try folder.run("diff", "old.md", "new.md")
    #expect(outcome.code == 1)
    #expect(outcome.output == marked)
    #expect(outcome.errors.isEmpty)
    try folder.write("marked.md", marked)
    #expect(try folder.run("export", "marked.md").output == folder.text("new.md"))
    #expect(try folder.run("export", "--original", "marked.md").output == folder.text("old.md"))
  }

  @Test("Equal texts are the new one, and the code is 0")
  func equal() throws {
    try folder.write("marked.md", marked)
    for name in ["old.md", "marked.md"] {
      let outcome = try folder.run("diff", name, name)
      #expect(outcome.code == 0)
      #expect(outcome.output == (try folder.text(name)))
    }
    #expect(try folder.run("diff", "new.md", "marked.md").code == 0, "accepted it is the same")
  }

  @Test("Standard input is one of them, and -o takes what is written")
  func streams() throws {
    let new = try folder.text("new.md")
    #expect(try folder.run("diff", "old.md", "-", input: new).output == marked)
    #expect(try folder.run("diff", "-", "old.md", input: new).code == 1)
    let outcome = try folder.run("diff", "old.md", "new.md", "-o", "out/m.md")
    #expect(outcome.code == 1)
    #expect(outcome.output.isEmpty)
    #expect(try folder.text("out/m.md") == marked)
  }

  @Test("An author is named on each change")
  func author() throws {
    let output = try folder.run("diff", "--author", "ai:model", "old.md", "new.md").output
    #expect(
      output
        == "The {~~red~>blue~~}{>>@ai:model<<} hen sat{++ down++}{>>@ai:model<<}.\r\nShe slept."
    )
  }

  @Test(
    "A file is compared with a revision, HEAD by default, from any folder",
    .enabled(if: Shell.has("git"))
  )
  func git() throws {
    let name = "ein ordner/ü.md"
    try folder.write(name, "one\n")
    let commit = "git add . && git -c user.name=a -c user.email=a@b commit -qm a"
    #expect(try Shell.run("git init -q && \(commit)", in: folder).code == 0)
    try folder.write(name, "one two\n")
    #expect(try Shell.run(commit, in: folder).code == 0)
    try folder.write(name, "one two three\n")
    #expect(try folder.run("diff", "--git", name).output == "one two{++ three++}\n")
    #expect(try folder.run("diff", "--git", "HEAD~1", name).output == "one{++ two three++}\n")
    #expect(try folder.run("diff", "--git", folder.path(name)).code == 1)
    for (arguments, part) in [
      (["no", name], "no"), (["HEAD~5", name], "HEAD~5"), (["--", "-x", name], "-x"),
    ] {
      let outcome = try folder.run(["diff", "--git"] + arguments)
      #expect(outcome.code == 2)
      #expect(outcome.output.isEmpty)
      #expect(outcome.errors.contains(part), "\(outcome.errors)")
    }
  }

  @Test("git's own commands show it, as docs/ci.md says", .enabled(if: Shell.has("git")))
  func gitConfiguration() throws {
    let guide = try Repository.text("docs/ci.md")
    let lines = guide.split(separator: "\n").filter { $0.hasPrefix("git config ") }
    #expect(lines.count == 2)
    let program = try #require(Program.url).deletingLastPathComponent().path
    try folder.write("a.md", "The {++red ++}hen\n")
    try folder.write(".gitattributes", "a.md diff=critic\nb.md diff=markdown\n")
    try folder.write("b.md", "The {++red ++}hen\n")
    let commit = "git add . && git -c user.name=a -c user.email=a@b commit -qm a"
    #expect(try Shell.run("git init -q && \(commit)", in: folder).code == 0)
    for line in lines { #expect(try Shell.run(String(line), in: folder).code == 0) }
    try folder.write("a.md", "The {++red ++}hen sat\n")
    try folder.write("b.md", "The red hen\n")
    let shown = try Shell.run("PATH=\"\(program):$PATH\" git --no-pager diff", in: folder)
    #expect(shown.code == 0)
    #expect(shown.output.contains("The {++red ++}hen{++ sat++}\n"), "\(shown.output)")
    #expect(!shown.output.contains("+The red hen"), "b.md reads the same")
    let tool = try Shell.run(
      "PATH=\"\(program):$PATH\" git difftool --no-prompt --extcmd='critic-lsp diff' HEAD a.md",
      in: folder
    )
    #expect(tool.output == "The {++red ++}hen{++ sat++}\n")
  }

  @Test(
    "A wrong command line is told",
    arguments: [
      [], ["old.md"], ["-", "-"], ["old.md", "new.md", "x"], ["--git"], ["--git", "-"],
    ]
  )
  func wrongUse(_ arguments: [String]) throws {
    let outcome = try folder.run(["diff"] + arguments)
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasSuffix("Try \"critic-lsp help diff\".\n"))
  }
}
