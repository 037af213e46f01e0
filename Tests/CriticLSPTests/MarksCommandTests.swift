import Foundation
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Command line: marks", .timeLimited) struct MarksCommandTests {
  private let folder: Folder
  private let marked =
    "The {++quick ++}brown fox {--suddenly --}jumps.{>>@jo: ok?<<}\n\n{~~Old~>New~~} end.\n"
  private let clean = "The quick brown fox jumps.\n\nNew end.\n"

  init() throws {
    folder = try Folder()
    try folder.write("draft.md", marked)
  }

  @Test("The marks go into a record, and come back byte for byte")
  func thereAndBack() throws {
    let outcome = try folder.run("marks", "beside", "draft.md")
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty && outcome.errors.isEmpty)
    #expect(try folder.text("draft.md") == clean)
    #expect(try folder.text("draft.md.critic") == marked)
    #expect(try folder.run("marks", "inline", "draft.md").code == 0)
    #expect(try folder.text("draft.md") == marked)
    #expect(folder.names == ["draft.md"])
  }

  @Test("The record has the mode of the file")
  func mode() throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640],
      ofItemAtPath: folder.path("draft.md")
    )
    _ = try folder.run("marks", "beside", "draft.md")
    for name in ["draft.md", "draft.md.critic"] {
      #expect(try folder.attributes(name)[.posixPermissions] as? Int == 0o640, "\(name)")
    }
  }

  @Test("Commands read the marks from the record, and change both")
  func commands() throws {
    _ = try folder.run("marks", "beside", "draft.md")
    #expect(try folder.run("check", "draft.md").code == 1)
    #expect(try folder.run("export", "draft.md").output == clean)
    let original = try folder.run("export", "--original", "draft.md").output
    #expect(original == "The brown fox suddenly jumps.\n\nOld end.\n")
    let listed = try folder.run("changes", "draft.md").output
    #expect(listed.hasPrefix("draft.md.critic:1:5: 1 addition “quick ”"))
    _ = try folder.run("accept", "--kind", "addition", "--in-place", "draft.md")
    #expect(try folder.text("draft.md") == clean)
    #expect(try folder.text("draft.md.critic") == marked.replacing("{++quick ++}", with: "quick "))
    _ = try folder.run("reject", "--kind", "substitution", "--in-place", "draft.md")
    #expect(try folder.text("draft.md") == clean.replacing("New", with: "Old"))
    let record = try folder.text("draft.md.critic")
    #expect(record.hasSuffix("\n\nOld end.\n"))
  }

  @Test("What only looks like a mark in a text with a record is not malformed")
  func looksLikeMarks() throws {
    try folder.write("signs.md", "The opener {++ and the closer <<}.\n")
    #expect(try folder.run("check", "--malformed", "signs.md").code == 1)
    try folder.write("signs.md.critic", "The opener {++ and the {++old ++}closer <<}.\n")
    try folder.write("signs.md", "The opener {++ and the old closer <<}.\n")
    #expect(try folder.run("check", "--malformed", "signs.md").code == 0)
    let outcome = try folder.run("check", "signs.md")
    #expect(outcome.code == 1)
    #expect(outcome.output.hasPrefix("signs.md.critic:1:24: "))
    #expect(outcome.output.split(separator: "\n").count == 1)
  }

  @Test("So do those that bring texts together or compare them")
  func others() throws {
    try folder.write("new.md", "The quick brown fox leaps.\n\nNew end.\n")
    try folder.write("draft-anna.md", marked)
    let commands = [
      ["carry", "draft.md", "new.md"], ["decisions", "draft.md", "new.md"],
      ["combine", "draft.md", "draft-anna.md"], ["diff", "draft.md", "new.md"],
      ["diff", "new.md", "draft.md"], ["diff", "--carry", "draft.md", "new.md"],
    ]
    let before = try commands.map { try folder.run($0) }
    _ = try folder.run("marks", "beside", "draft.md")
    for (command, known) in zip(commands, before) {
      #expect(try folder.run(command).output == known.output, "\(command)")
    }
  }

  @Test("A proposal is in the clean text and in the record")
  func proposes() throws {
    _ = try folder.run("marks", "beside", "draft.md")
    let edits = #"[{"old":"brown","new":"red"}]"#
    let outcome = try folder.run(
      "propose",
      "--author",
      "ai",
      "--in-place",
      "draft.md",
      input: edits
    )
    #expect(outcome.code == 0)
    #expect(try folder.text("draft.md") == clean.replacing("brown", with: "red"))
    let record = try folder.text("draft.md.critic")
    #expect(record.contains("{~~brown~>red~~}{>>@ai<<}"))
  }

  @Test("What was changed in the file meanwhile is recorded, and nothing is written unasked")
  func meanwhile() throws {
    _ = try folder.run("marks", "beside", "draft.md")
    try folder.write("draft.md", clean.replacing("fox", with: "cat"))
    #expect(try folder.run("changes", "draft.md").output.contains("“fox” → “cat”"))
    #expect(try folder.text("draft.md.critic") == marked)
    _ = try folder.run("accept", "--kind", "addition", "--in-place", "draft.md")
    #expect(try folder.text("draft.md.critic").contains("{~~fox~>cat~~}"))
    #expect(try folder.text("draft.md") == clean.replacing("fox", with: "cat"))
  }

  @Test("A record of another text is told and left alone")
  func foreign() throws {
    try folder.write("draft.md.critic", "0123456789 0123456789 0123456789\n")
    for command in [["changes", "draft.md"], ["marks", "beside", "draft.md"]] {
      let outcome = try folder.run(command)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("draft.md.critic"))
    }
    #expect(try folder.text("draft.md") == marked)
    #expect(try folder.text("draft.md.critic") == "0123456789 0123456789 0123456789\n")
  }

  @Test("Whoever was stopped while moving the marks finds them in the file, and moves them again")
  func stopped() throws {
    try folder.write("draft.md.critic", marked)
    #expect(try folder.run("export", "draft.md").output == clean)
    #expect(try folder.run("marks", "beside", "draft.md").code == 0)
    #expect(try folder.text("draft.md") == clean)
    #expect(try folder.text("draft.md.critic") == marked)
  }

  @Test(
    "Wrong command lines are told what to say",
    arguments: [[], ["besides", "draft.md"], ["beside"]]
  )
  func usage(_ operands: [String]) throws {
    let outcome = try folder.run(["marks"] + operands)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("help marks"))
  }

  @Test("There is nothing to move back where there is no record")
  func none() throws {
    let outcome = try folder.run("marks", "inline", "draft.md")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("there is no draft.md.critic"))
  }
}
