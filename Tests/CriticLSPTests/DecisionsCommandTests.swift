import JSONRPC
import TestSupport
import Testing

@Suite("Command line: decisions", .timeLimited) struct DecisionsCommandTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(
      "proposed.md",
      "# One\n\nThe {~~red~>blue~~}{>>@ai: why<<} hen{++ ran++}.\n\nA {--very --}old {==fox==}, and {~~he~>it~~} sat.\n"
    )
    try folder.write(
      "final.md",
      "# One\n\nNew.\n\nThe blue hen.\n\nA {--very --}old fox, and she sat.\n"
    )
  }

  @Test("Each change is told with what became of it, and the sums at the end")
  func text() throws {
    let outcome = try folder.run("decisions", "proposed.md", "final.md")
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.output == """
        proposed.md:3:5: 1 substitution “red” → “blue”: accepted
        proposed.md:3:38: 2 addition “ ran”: rejected
        proposed.md:5:3: 3 deletion “very ”: pending
        proposed.md:5:18: 4 highlight “fox”: settled
        proposed.md:5:33: 5 substitution “he” → “it”: edited to “she”
        4 changes, 1 accepted, 1 rejected, 1 edited, 1 pending

        """
    )
  }

  @Test("jsonl has what changes has, the decision and the text that stands there")
  func jsonLines() throws {
    let outcome = try folder.run("decisions", "--format", "jsonl", "proposed.md", "final.md")
    let changes = try folder.run("changes", "--format", "jsonl", "proposed.md")
    let lines = outcome.output.split(separator: "\n")
    let known = changes.output.split(separator: "\n")
    #expect(lines.count == 5)
    for (line, change) in zip(lines, known) { #expect(line.hasPrefix(change.dropLast())) }
    let told = try lines.map { line in
      let json = try JSON(parsing: Array(line.utf8))
      return "\(json["decision"]?.string ?? "") \(json["final"]?.description ?? "")"
    }
    #expect(
      told == [
        #"accepted "blue""#, #"rejected """#, "pending null", "settled null", #"edited "she""#,
      ]
    )
  }

  @Test("A file is as good from standard input, and every change of the same file is pending")
  func standardInput() throws {
    let text = try folder.text("proposed.md")
    let outcome = try folder.run(["decisions", "proposed.md", "-"], input: text)
    #expect(outcome.code == 0)
    #expect(outcome.output.hasSuffix("4 changes, 0 accepted, 0 rejected, 0 edited, 4 pending\n"))
  }

  @Test(
    "A wrong command line is told",
    arguments: [
      (["decisions", "proposed.md"], "Name two files"),
      (["decisions", "-", "-"], "standard input"),
      (["decisions", "proposed.md", "none.md"], "none.md"),
      (["decisions", "--format", "sarif", "proposed.md", "final.md"], "--format"),
    ]
  )
  func wrongUse(_ arguments: [String], _ message: String) throws {
    let outcome = try folder.run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(message))
  }
}
