import TestSupport
import Testing

@testable import CriticLSP

@Suite("Command line: check --original", .enabled(if: Shell.has("git")), .timeLimited)
struct CheckOriginalTests {
  private let folder: Folder
  private let text = "The red hen sat.\n\nShe {++never ++}slept{>>Why?<<}.\n"
  private let commit = "git add . && git -c user.name=a -c user.email=a@b commit -qm a"

  init() throws {
    folder = try Folder()
    try folder.write("a.md", text)
    try folder.write("old.md", text)
    try folder.write("sub/b.md", "One.\n")
    try git("git init -q && git config core.autocrlf false && \(commit)")
  }

  private func git(_ line: String) throws {
    #expect(try Shell.run(line, in: folder).code == 0)
  }

  @Test("What was recorded, accepted and rejected since is right")
  func recorded() throws {
    try folder.write("a.md", "The {~~red~>blue~~} hen sat.\n\nShe never slept.\n{++More.\n++}")
    try folder.write("sub/b.md", "{--One.--}\n")
    for base in ["HEAD", "old.md"] {
      let outcome = try folder.run("check", "--original", base, "a.md")
      #expect(outcome == Outcome(code: 0, output: "", errors: ""))
    }
    #expect(try folder.run("check", "--original", "HEAD", ".").output.isEmpty)
  }

  @Test("What was edited without a mark is told with its place, what it was and what it is")
  func unrecorded() throws {
    try folder.write("a.md", "The {--re--}d hen sits.\n\nShe {++never ++}slept.\n")
    try folder.write("sub/b.md", "{++Zero. ++}One.\nTwo.\n")
    try folder.write("sub/c.md", "New.\n")
    let outcome = try folder.run("check", "--original", "HEAD", ".")
    #expect(outcome.code == 1)
    #expect(
      outcome.output == """
        ./a.md:1:19: rejecting gives “sits”, and HEAD has “sat”
        ./sub/b.md:1:17: rejecting gives “⏎Two.”, which HEAD does not have

        """
    )
    #expect(outcome.errors == "critic-lsp: ./sub/c.md: not in HEAD, and not compared\n")
    let lost = try folder.run("check", "--original", "old.md", "-", input: "The hen sat.\n")
    #expect(lost.code == 1)
    #expect(lost.output.hasPrefix("-:1:5: rejecting loses “red ”, which old.md has\n"))
    let sarif = try folder.run("check", "--format", "sarif", "--original", "HEAD", "a.md")
    #expect(sarif.code == 1)
    #expect(sarif.output.contains(#""ruleId":"changed-original","level":"warning""#))
    #expect(sarif.output.contains(#""startLine":1,"startColumn":19,"endLine":1,"endColumn":23"#))
  }

  @Test("Marks beside the text count, in the files, in the revision and in what is staged")
  func beside() throws {
    _ = try folder.run("marks", "beside", "a.md")
    #expect(try folder.run("check", "--original", "HEAD", "a.md").code == 0)
    try folder.write("a.md", "The red hen never sat.\n\nShe never slept.\n")
    #expect(try folder.run("check", "--original", "HEAD", "a.md").code == 0, "it is recorded")
    try git(commit)
    #expect(try folder.run("check", "--original", "HEAD", "a.md").code == 0)
    try folder.write("a.md.critic", "The red hen never sat.\n\nShe {++never ++}slept.\n")
    let told = "a.md.critic:1:13: rejecting gives “never ”, which HEAD~ does not have\n"
    #expect(try folder.run("check", "--original", "HEAD~", "a.md").output == told)
    #expect(try folder.run("check", "--original", "HEAD~", "--staged").output.isEmpty)
    try git("git add .")
    let staged = try folder.run("check", "--original", "HEAD~", "--staged")
    #expect(staged.output == told && staged.code == 1)
    #expect(try folder.run("check", "--original", "HEAD~", "--staged", "a.md").output == told)
  }

  @Test("What is staged beside a text is not settled either")
  func stagedBeside() throws {
    _ = try folder.run("marks", "beside", "a.md")
    try git("git add .")
    for operand in [[], ["."], ["a.md"]] {
      let outcome = try folder.run(["check", "--staged"] + operand)
      #expect(outcome.code == 1)
      #expect(outcome.output.contains("a.md.critic:3:5: added “never ” is not settled\n"))
    }
    try git(commit)
    try folder.write("a.md.critic", "The red hen sat.\n\nShe never slept{>>Why?<<}.\n")
    try git("git add .")
    // The text itself is as it was.
    let told = "a.md.critic:3:16: comment “Why?” is not settled\n"
    #expect(try folder.run("check", "--staged").output == told)
  }

  @Test(
    "A wrong use says what is wrong",
    arguments: [
      (["nix", "a.md"], "nix is neither a file nor a revision: git: fatal: "),
      (["old.md", "."], "old.md is a file, the earlier version of one document"),
      (["HEAD", "-"], "Standard input is in no revision."),
      (["HEAD", "--malformed", "a.md"], "Either --malformed or --original."),
      (["--output=x", "a.md"], "--output=x is neither a file nor a revision: "),
      (["HEAD", "gone.md"], "gone.md"),
    ]
  )
  func wrong(_ arguments: [String], _ message: String) throws {
    let outcome = try folder.run(["check", "--original"] + arguments)
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(message))
  }
}
