import Foundation
import JSONRPC
import TestSupport
import Testing
import TrackEngine

@testable import CriticLSP

@Suite("Command line: accept and reject", .timeLimited) struct ResolveCommandTests {
  private let draft = "a {++b++} {--c--}{>>@ada: [tone] f<<} {~~d~>e~~} {==g==} {>>h<<}\n"
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test(
    "What is asked for is resolved, and everything without a question",
    arguments: [
      (["accept"], "a b  e g \n"), (["reject", "--all"], "a  c d g \n"),
      (
        ["accept", "--change", "1"], "a b {--c--}{>>@ada: [tone] f<<} {~~d~>e~~} {==g==} {>>h<<}\n"
      ),
      (
        ["reject", "--change=5", "--change=4"],
        "a {++b++} {--c--}{>>@ada: [tone] f<<} {~~d~>e~~} g \n"
      ),
      (
        ["accept", "--kind", "deletion", "--kind", "addition", "--author", "@ada"],
        "a {++b++}  {~~d~>e~~} {==g==} {>>h<<}\n"
      ), (["reject", "--comment", "tone"], "a {++b++} c {~~d~>e~~} {==g==} {>>h<<}\n"),
      (
        ["accept", "--uncommented"], "a b {--c--}{>>@ada: [tone] f<<} e {==g==} {>>h<<}\n"
      ),
      (["accept", "--open"], "a {++b++}  {~~d~>e~~} {==g==} \n"),
      (["accept", "--lines", "1:9"], "a b  e g \n"),
      (
        ["accept", "--commented-by", "ada"], "a {++b++}  {~~d~>e~~} {==g==} {>>h<<}\n"
      ),
    ]
  )
  func chosen(_ arguments: [String], _ text: String) throws {
    try folder.write("x.md", draft)
    let outcome = try folder.run(arguments + ["x.md"])
    #expect(outcome.code == 0)
    #expect(outcome.output == text)
    #expect(outcome.errors.isEmpty)
    #expect(try folder.text("x.md") == draft)
  }

  @Test(
    "changes lists what accept would accept of the same options",
    arguments: [
      ["--change", "1", "--change", "3"], ["--kind", "deletion"], ["--author", "ada"],
      ["--commented-by", "@ada"], ["--comment", "[tone]"], ["--uncommented"], ["--open"],
      ["--lines", "2:9"],
    ]
  )
  func listed(_ options: [String]) throws {
    let draft = self.draft + "{++i++}{>>@bo<<}\n"
    try folder.write("x.md", draft)
    let list = try folder.run(["changes", "--format", "jsonl"] + options + ["x.md"])
    let numbers = try list.output.split(separator: "\n").map {
      try #require(try JSON(parsing: Array($0.utf8))["number"]?.integer)
    }
    #expect(!numbers.isEmpty && numbers.count < 6)
    let byNumber = numbers.flatMap { ["--change", "\($0)"] }
    #expect(
      try folder.run(["accept"] + options + ["x.md"]).output
        == folder.run(["accept"] + byNumber + ["x.md"]).output
    )
  }

  @Test("--since takes what is dated that day or later, and a day is a day")
  func since() throws {
    try folder.write(
      "x.md",
      "{++a++}{>>@ada | 2026-11-21<<} {++b++}{>>@ada | 2026-11-22: why<<} {++c++} {++d++}{>>@bo | 2027-01-01<<}\n"
    )
    #expect(
      try folder.run("changes", "--since", "2026-11-22", "--format", "jsonl", "x.md").output
        .split(separator: "\n").count == 2
    )
    let accepted = try folder.run("accept", "--since=2026-11-22", "--author", "bo", "x.md")
    #expect(accepted.output.hasSuffix("{++c++} d\n"))
    for day in ["yesterday", "2026-11-2", "2026-11-222", "²026-11-22"] {
      let outcome = try folder.run("changes", "--since", day, "x.md")
      #expect(outcome.code == 2 && outcome.errors.contains("--since"))
    }
  }

  @Test("Every change by its number, one after the other, is all of them")
  func oneByOne() throws {
    for command in ["accept", "reject"] {
      try folder.write("x.md", draft)
      let all = try folder.run(command, "--all", "x.md").output
      for _ in 0..<5 {
        #expect(try folder.run(command, "--change", "1", "--in-place", "x.md").code == 0)
      }
      #expect(try folder.text("x.md") == all)
    }
  }

  @Test("A number that there is not is told with how many there are, and nothing is written")
  func numberOutOfRange() throws {
    try folder.write("x.md", draft)
    let outcome = try folder.run("accept", "--change", "6", "--in-place", "x.md")
    #expect(outcome.code == 2)
    #expect(outcome.errors == "critic-lsp: x.md: there is no change 6; it has 5 changes\n")
    #expect(try folder.text("x.md") == draft)
  }

  @Test(
    "What no change has is told with what there is instead, and nothing is written",
    arguments: [
      (["--author", "ruth"], #"no change is by "ruth"; changes are by ada; ruth wrote comments"#),
      (["--author", "eve"], #"no change is by "eve"; changes are by ada"#),
      (["--commented-by", "eve"], #"no comment is by "eve"; comments are by ada and ruth"#),
      (["--comment", "[Style]"], #"no comment is about "style"; the tags are tone"#),
      (["--kind", "addition"], "there is no addition; there are deletions and comments"),
      (["--lines", "2:9"], "no change begins on the lines 2 to 9; one begins on line 1"),
      (["--author", "ada", "--kind", "comment"], "no change has all that the options ask for"),
      (["--author", "ada", "--author", "eve"], #"no change is by "eve""#),
    ]
  )
  func notThere(_ arguments: [String], _ message: String) throws {
    let text = "a {--c--}{>>@ada: [tone] f<<} {>>@ruth: h<<}\n"
    try folder.write("x.md", text)
    let outcome = try folder.run(["reject", "--in-place"] + arguments + ["x.md"])
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("critic-lsp: x.md: \(message)"), "\(outcome.errors)")
    #expect(try folder.text("x.md") == text)
  }

  @Test("Of several files one must have what is asked for, or none is written")
  func several() throws {
    try folder.write("x.md", draft)
    try folder.write("y.md", "one {++two++}\n")
    let none = try folder.run("accept", "--author", "eve", "--in-place", "x.md", "y.md")
    #expect(none.code == 2)
    #expect(none.errors.hasPrefix(#"critic-lsp: no change is by "eve"; changes are by ada"#))
    #expect(try folder.text("x.md") == draft)
    let one = try folder.run("accept", "--author", "ada", "--in-place", "x.md", "y.md")
    #expect(one.code == 0)
    #expect(one.errors.isEmpty)
    #expect(try folder.text("x.md") == "a {++b++}  {~~d~>e~~} {==g==} {>>h<<}\n")
    #expect(try folder.text("y.md") == "one {++two++}\n")
  }

  @Test(
    "A dry run shows the lines before and after, and writes nothing, in place or not",
    arguments: [["--dry-run"], ["-n", "--in-place"]]
  )
  func dryRun(_ options: [String]) throws {
    try folder.write("x.md", "one\n" + draft)
    let outcome = try folder.run(["accept", "--change", "1"] + options + ["x.md"])
    #expect(outcome.code == 0)
    #expect(outcome.output == "x.md:2\n-\(draft)+\(draft.replacing("{++b++}", with: "b"))")
    #expect(try folder.text("x.md") == "one\n" + draft)
    let colored = try folder.run(["accept", "--color", "always"] + options + ["x.md"])
    #expect(colored.output.contains("\u{1B}[31m-a {++b++}"))
  }

  @Test("A read-only file is left alone, and the others are written")
  func readOnly() throws {
    for name in ["x.md", "y.md"] { try folder.write(name, draft) }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444],
      ofItemAtPath: folder.path("x.md")
    )
    let outcome = try folder.run("accept", "--in-place", "x.md", "y.md")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("x.md is read-only"))
    #expect(outcome.errors.contains("chmod u+w"))
    #expect(try folder.text("x.md") == draft)
    #expect(try folder.text("y.md") == "a b  e g \n")
  }

  @Test("What would read as another mark is told with its place, and nothing is written")
  func refused() throws {
    let text = "x\n {++`++} {==a`==} b\n"
    try folder.write("x.md", text)
    let outcome = try folder.run("accept", "--change", "1", "--in-place", "x.md")
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("critic-lsp: x.md:2:2: "))
    #expect(try folder.text("x.md") == text)
  }

  @Test(
    "-o takes the new text, of several documents in a folder, and the documents stay",
    arguments: [("accept", "a b"), ("reject", "a ")]
  )
  func output(_ command: String, _ text: String) throws {
    let draft = "a {++b++}"
    try folder.write("x.md", draft)
    try folder.write("book/y.md", draft)
    let outcome = try folder.run(command, "x.md", "--output", "new/out.md")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(try folder.text("new/out.md") == text)
    #expect(try folder.run(command, "-o", "out", "x.md", "book").code == 0)
    #expect(try folder.text("out/x.md") == text)
    #expect(try folder.text("out/y.md") == text)
    #expect(try folder.text("x.md") == draft)
    #expect(try folder.text("book/y.md") == draft)
    #expect(try folder.run(command, "-o", "x.md", "x.md").code == 0)
    #expect(try folder.text("x.md") == text)
  }

  @Test("-o with a dash is standard output, and is not given with --in-place")
  func outputUse() throws {
    try folder.write("x.md", draft)
    #expect(try folder.run("accept", "-o", "-", "x.md").output == "a b  e g \n")
    for output in ["-", "y.md"] {
      let outcome = try folder.run("reject", "--in-place", "-o", output, "x.md")
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("Use either -o or --in-place, not both."))
    }
    #expect(folder.names == ["x.md"])
    #expect(try folder.text("x.md") == draft)
  }

  @Test(
    "A wrong command line does nothing",
    arguments: [
      ["--change", "0"], ["--change", "x"], ["--kind", "edit"], ["--lines", "3:2"],
      ["--lines", "a:b"], ["--all", "--change", "1"], ["--in-place", "-"], ["--dry-run=yes"],
    ]
  )
  func wrongUse(_ arguments: [String]) throws {
    try folder.write("x.md", draft)
    let outcome = try folder.run(["accept"] + arguments + ["x.md"])
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(arguments[0].prefix { $0 != "=" }) || arguments.contains("-"))
    #expect(outcome.errors.hasSuffix("Try \"critic-lsp help accept\".\n"))
    #expect(try folder.text("x.md") == draft)
  }
}

@Suite("Command line: export to folders", .timeLimited) struct ExportFoldersTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test("A suffix stands before the extension, beside the document or in the folder of -o")
  func suffix() throws {
    try folder.write("book/a.md", "{++a++}")
    try folder.write("book/b/c.markdown", "{++c++}")
    #expect(try folder.run("export", "--suffix", ".clean", "-o", "out", "book").code == 0)
    #expect(try folder.text("out/a.clean.md") == "a")
    #expect(try folder.text("out/b/c.clean.markdown") == "c")
    for _ in 0..<2 { #expect(try folder.run("export", "--suffix=.clean", "book").code == 0) }
    #expect(try folder.text("book/a.clean.md") == "a")
    #expect(!folder.names.contains("book/a.clean.clean.md"))
  }

  @Test("The folder of -o is made")
  func newFolder() throws {
    try folder.write("a.md", "{++a++}")
    try folder.write("b.md", "{++b++}")
    #expect(try folder.run("export", "a.md", "b.md", "-o", "new/deep").code == 0)
    #expect(try folder.text("new/deep/b.md") == "b")
  }

  @Test("What git ignores is left out, and what it does not know is not")
  func ignored() throws {
    for name in ["a.md", "drafts/b.md", "c.md", "d/e.md"] {
      try folder.write("book/\(name)", "{++\(name)++}\n")
    }
    try folder.write("book/.gitignore", "drafts/\nc.md\n")
    let all = try folder.run("export", "book")
    #expect(all.output == "a.md\nc.md\nd/e.md\ndrafts/b.md\n")
    let git = Process()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = ["git", "init", "-q", folder.path("book")]
    try Program.start.withLock { try git.run() }
    git.waitUntilExit()
    #expect(try folder.run("export", "book").output == "a.md\nd/e.md\n")
    #expect(
      try folder.run("export", "book/drafts").output == "b.md\n".replacing("b", with: "drafts/b")
    )
    #expect(try folder.run("export", "book/c.md").output == "c.md\n", "what is named is read")
  }

  @Test("The record of changes goes into the front matter, with the day that is asked for")
  func record() throws {
    try folder.write("x.md", "{++a++}{>>why<<}\n")
    let program = try folder.run(
      ["export", "--front-matter", "--in-place", "x.md"],
      environment: ["SOURCE_DATE_EPOCH": "86400"]
    )
    #expect(program.code == 0)
    let text = """
      ---
      criticmark:
        edit_date: 1970-01-02
        changes_total: 1
        changes_commented: 1
        changes_uncommented: 0
      ---
      a

      """
    #expect(try folder.text("x.md") == text)
    #expect(try folder.run("export", "--front-matter", "--in-place", "x.md").code == 0)
    #expect(try folder.text("x.md") == text)
  }

  @Test("A record that cannot be written names the file, and the others are written")
  func noRecord() throws {
    try folder.write("x.md", "---\ncriticmark: yes\n---\n{++a++}\n")
    try folder.write("y.md", "{++a++}\n")
    let outcome = try folder.run("export", "--front-matter", "--in-place", "x.md", "y.md")
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("critic-lsp: x.md: criticmark: "))
    #expect(try folder.text("y.md").contains("changes_total: 1"))
  }
}
