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

  @Test(
    "With a folder each Markdown file that was changed, added or removed is written",
    .enabled(if: Shell.has("git"))
  )
  func gitFolder() throws {
    for name in ["a.md", "b/c.md", "d.md", "e.txt"] { try folder.write("book/\(name)", "one\n") }
    try folder.write(".gitignore", "ignored.md\n")
    let commit = "git add . && git -c user.name=a -c user.email=a@b commit -qm a"
    #expect(try Shell.run("git init -q && \(commit)", in: folder).code == 0)
    #expect(try folder.run("diff", "--git", "book").code == 0)
    for name in ["b/c.md", "e.txt", "new.md", "ignored.md", ".h/x.md"] {
      try folder.write("book/\(name)", "one two\n")
    }
    try FileManager.default.removeItem(atPath: folder.path("book/d.md"))
    let shown = "one{++ two++}\n"
    for arguments in [["book"], ["HEAD", "book/"]] {
      let outcome = try folder.run(["diff", "--git"] + arguments)
      #expect(outcome.code == 1)
      #expect(
        outcome.output
          == "<!-- b/c.md -->\n\(shown)<!-- d.md -->\n{--one\n--}<!-- new.md -->\n{++one two\n++}"
      )
    }
    #expect(try folder.run("diff", "--git", "book", "-o", "out").code == 1)
    #expect(
      folder.names.filter { $0.hasPrefix("out/") } == [
        "out/b", "out/b/c.md", "out/d.md", "out/new.md",
      ]
    )
    #expect(try folder.text("out/b/c.md") == shown)
    #expect(try folder.run("diff", "--git", "book", "-o", "out.md").code == 2)
  }

  @Test("That the new text has none of the old one's marks is said, and what else may be meant")
  func oldMarks() throws {
    try folder.write("old.md", "The {++red ++}{>>why?<<}hen sat on the old wooden fence.\n")
    try folder.write("new.md", "The red hen sat on the new wooden fence.\n")
    let plain = try folder.run("diff", "old.md", "new.md")
    #expect(plain.output == "The {++red ++}hen sat on the {~~old~>new~~} wooden fence.\n")
    #expect(
      plain.errors.contains("old.md: 1 mark of the old text rejected or left out; --accepted")
    )
    let accepted = try folder.run("diff", "--accepted", "old.md", "new.md")
    #expect(accepted.output == "The red hen sat on the {~~old~>new~~} wooden fence.\n")
    let carried = try folder.run("diff", "--carry", "old.md", "new.md")
    #expect(
      carried.output == "The {++red ++}{>>why?<<}hen sat on the {~~old~>new~~} wooden fence.\n"
    )
    #expect(accepted.errors.isEmpty && carried.errors.isEmpty)
    #expect([plain, accepted, carried].allSatisfy { $0.code == 1 })
    #expect(try folder.run("diff", "--accepted", "--carry", "old.md", "new.md").code == 2)
    let kept = try folder.run("diff", "old.md", "old.md")
    #expect(kept.errors.isEmpty)
  }

  @Test("No filter of a repository is run", .enabled(if: Shell.has("git")))
  func gitFilters() throws {
    try folder.write("a.md", "one\n")
    try folder.write(".gitattributes", "*.md filter=own\n")
    let commit = "git add . && git -c user.name=a -c user.email=a@b commit -qm a"
    #expect(try Shell.run("git init -q && \(commit)", in: folder).code == 0)
    for kind in ["smudge", "clean", "process"] {
      #expect(try Shell.run("git config filter.own.\(kind) 'touch ran; cat'", in: folder).code == 0)
    }
    try folder.write("a.md", "one two\n")
    #expect(try folder.run("diff", "--git", "a.md").output == "one{++ two++}\n")
    #expect(try folder.run("diff", "--git", ".").code == 1)
    _ = try folder.run("check", "--staged", "a.md")
    #expect(!folder.names.contains("ran"))
  }

  @Test(
    "Line ends are those that git would give the file",
    .enabled(if: Shell.has("git")),
    arguments: [
      ("", "", false), ("core.autocrlf true", "", true), ("core.autocrlf input", "", false),
      ("core.eol crlf", "", false), ("core.eol crlf", "*.md text", true),
      ("core.eol crlf", "*.md text=auto", true), ("core.autocrlf true", "*.md -text", false),
      ("core.autocrlf true", "*.md eol=lf", false), ("", "*.md eol=crlf", true),
      ("core.eol lf", "*.md text eol=crlf", true), ("core.autocrlf true", "*.md text", true),
    ]
  )
  func gitLineEnds(_ setting: String, _ attributes: String, _ isCRLF: Bool) throws {
    try folder.write("a.md", "one\ntwo\n")
    try folder.write(".gitattributes", attributes + "\n")
    let commit = "git add . && git -c user.name=a -c user.email=a@b commit -qm a"
    let start = "git init -q && git config core.autocrlf false && \(commit)"
    #expect(try Shell.run(start, in: folder).code == 0)
    if !setting.isEmpty { #expect(try Shell.run("git config \(setting)", in: folder).code == 0) }
    // What git itself writes decides.
    #expect(try Shell.run("rm a.md && git checkout -q a.md", in: folder).code == 0)
    #expect(try folder.text("a.md") == (isCRLF ? "one\r\ntwo\r\n" : "one\ntwo\n"))
    #expect(try folder.run("diff", "--git", "a.md").code == 0)
  }

  @Test(
    "In a hook of a linked worktree git's own variables lead nowhere else",
    .enabled(if: Shell.has("git"))
  )
  func gitHook() throws {
    let program = try #require(Program.url).path
    try folder.write("main/sub/d.md", "one\n")
    try folder.write("main/.gitignore", "ignored.md\n")
    try folder.write(
      "main/.git-hooks/pre-commit",
      """
      #!/bin/sh
      exec >"\(folder.path("said"))" 2>&1
      "\(program)" changes .
      "\(program)" diff --git sub/d.md
      "\(program)" check --staged; echo $?
      "\(program)" check --staged sub; echo $?
      """
    )
    let identity = "git config user.name a && git config user.email a@b"
    let lines = [
      "chmod +x main/.git-hooks/pre-commit", "cd main", "git init -q", identity, "git add .",
      "git commit -qm a", "git worktree add -q ../linked", "git config core.hooksPath .git-hooks",
    ]
    #expect(try Shell.run(lines.joined(separator: " && "), in: folder).code == 0)
    try folder.write("linked/ignored.md", "{++ignored++}\n")
    try folder.write("linked/sub/d.md", "one {++staged++}\n")
    #expect(try Shell.run("cd linked && git add sub", in: folder).code == 0)
    try folder.write("linked/sub/d.md", "one two\n")
    #expect(try Shell.run("cd linked && git commit -qm b", in: folder).code == 0)
    #expect(
      try folder.text("said")
        == """
        0 changes, 0 commented, 0 uncommented
        one{++ two++}
        sub/d.md:1:5: added “staged” is not settled
        1
        sub/d.md:1:5: added “staged” is not settled
        1

        """
    )
    // git commit FILE has an index of its own for it.
    #expect(try Shell.run("cd linked && git commit -qm c sub/d.md", in: folder).code == 0)
    let said = try folder.text("said")
    #expect(said.hasSuffix("\n0\n0\n"), "\(said)")
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
