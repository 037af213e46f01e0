import Foundation
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Command line: merge-driver", .timeLimited) struct MergeDriverTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write("base.md", "The quick fox jumps over the dog.\n")
    try folder.write("ours.md", "The slow fox jumps over the dog.\n")
    try folder.write("theirs.md", "The quick fox jumps over the cat.\n")
  }

  @Test("The result is written to the second file, or where it is said")
  func output() throws {
    let shown = try folder.run("merge-driver", "base.md", "ours.md", "theirs.md", "-o", "-")
    #expect(shown.output == "The slow fox jumps over the cat.\n")
    #expect(try folder.text("ours.md") == "The slow fox jumps over the dog.\n")
    let outcome = try folder.run("merge-driver", "base.md", "ours.md", "theirs.md")
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty && outcome.errors.isEmpty)
    #expect(try folder.text("ours.md") == "The slow fox jumps over the cat.\n")
    #expect(try folder.run("merge-driver", "base.md", "ours.md").code == 2)
    #expect(try folder.run("merge-driver", "base.md", "none.md", "theirs.md").code == 2)
  }

  @Test("Alternatives are called as the options say, and the code is 1")
  func conflict() throws {
    try folder.write("theirs.md", "The red fox jumps over the dog.\n")
    let outcome = try folder.run(
      "merge-driver",
      "--ours",
      "HEAD",
      "--theirs",
      "1a2b3c (Make it red)",
      "base.md",
      "ours.md",
      "theirs.md"
    )
    #expect(outcome.code == 1)
    #expect(outcome.errors == "critic-lsp: ours.md: 1 conflict, told by [conflict]\n")
    let text = try folder.text("ours.md")
    #expect(text.contains("{++slow++}{>>@HEAD: [conflict]<<}"))
    #expect(text.contains("{++red++}{>>@1a2b3c"), "\(text)")
  }

  /// A repository with a draft, in which git merges with the program, and a branch that changes it.
  private func makeRepository(_ theirs: String) throws {
    let program = try #require(Program.url).path
    try folder.write(".gitattributes", "*.md merge=critic\n")
    try folder.write("draft.md", try folder.text("base.md"))
    try git("init -q -b main")
    try git("config user.name a")
    try git("config user.email a@b")
    try git("config merge.critic.driver '\(program) merge-driver %O %A %B'")
    try git("add .gitattributes draft.md")
    try git("commit -qm base")
    try git("checkout -qb other")
    try folder.write("draft.md", theirs)
    try git("commit -qam theirs")
    try git("checkout -q main")
    try folder.write("draft.md", try folder.text("ours.md"))
    try git("commit -qam ours")
  }

  @discardableResult
  private func git(_ line: String, code: Int32 = 0) throws -> String {
    let outcome = try Shell.run("git \(line)", in: folder)
    #expect(outcome.code == code, "git \(line): \(outcome.output)")
    return outcome.output
  }

  @Test(
    "git merges, rebases and picks two edits of one line",
    .enabled(if: Shell.has("git")),
    arguments: ["merge -q other -m merged", "rebase -q other", "cherry-pick other"]
  )
  func merge(_ line: String) throws {
    try makeRepository(try folder.text("theirs.md"))
    try git(line)
    #expect(try folder.text("draft.md") == "The slow fox jumps over the cat.\n")
    #expect(try git("status --porcelain -uno").isEmpty)
  }

  @Test(
    "git stops at alternatives, and goes on when they are settled",
    .enabled(if: Shell.has("git")),
    arguments: [
      ("merge other", "commit -qm merged", "theirs"), ("rebase other", "rebase --continue", "ours"),
      ("cherry-pick other", "cherry-pick --continue", "theirs"),
    ]
  )
  func stops(_ line: String, _ further: String, _ name: String) throws {
    try makeRepository("The red fox jumps over the cat.\n")
    try git(line, code: 1)
    #expect(try git("status --porcelain -uno") == "UU draft.md\n")
    let text = try folder.text("draft.md")
    #expect(text.hasPrefix("The {--quick--}") && text.hasSuffix("over the cat.\n"), "\(text)")
    try #require(try folder.run("accept", "--author", name, "--in-place", "draft.md").code == 0)
    try #require(try folder.run("reject", "--in-place", "draft.md").code == 0)
    // In a rebase, ours is the branch on which the commits are put.
    let settled = "The red fox jumps over the cat.\n"
    #expect(try folder.text("draft.md") == settled)
    try git("add draft.md")
    try git("-c core.editor=true \(further)")
    #expect(try git("status --porcelain -uno").isEmpty)
    #expect(try folder.text("draft.md") == settled)
  }
}
