import TestSupport
import Testing

@testable import CriticLSP

@Suite("Command line: through", .timeLimited) struct ThroughCommandTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private let draft =
    "---\na:  b\n---\n\nThe {++quick ++}{>>@anna<<}{--red --}fox{>>which?<<} jumps.\n"

  @Test(
    "What a program makes of the clean text is recorded, and marks beside it stay",
    arguments: [
      ("cat", "---\na:  b\n---\n\nThe {++quick ++}{>>@anna<<}{--red --}fox{>>which?<<} jumps.\n"),
      (
        "sed s/jumps/leaps/",
        "---\na:  b\n---\n\nThe {++quick ++}{>>@anna<<}{--red --}fox{>>which?<<} {~~jumps~>leaps~~}.\n"
      ),
      (
        "sed s/quick/slow/",
        "---\na:  b\n---\n\nThe {++slow ++}{>>@anna<<}{--red --}fox{>>which?<<} jumps.\n"
      ),
      (
        "sed s/quick.fox/hen/",
        "---\na:  b\n---\n\nThe {++hen++}{>>@anna<<}{--red fox--}{>>which?<<} jumps.\n"
      ),
      (
        "sed s/:../:_/",
        "---\na:_b\n---\n\nThe {++quick ++}{>>@anna<<}{--red --}fox{>>which?<<} jumps.\n"
      ),
    ]
  )
  func recorded(_ program: String, _ text: String) throws {
    try folder.write("draft.md", draft)
    let words = program.split(separator: " ").map(String.init)
    let outcome = try folder.run(["through", "draft.md", "--"] + words)
    #expect(outcome.errors == "")
    #expect(outcome.code == 0)
    #expect(outcome.output == text)
    #expect(try folder.text("draft.md") == draft)
    #expect(try folder.run(["through", "-", "--"] + words, input: draft).output == text)
  }

  @Test("The file is replaced in place, and each change can be signed")
  func inPlace() throws {
    try folder.write("draft.md", "The fox jumps.\n")
    let outcome = try folder.run(
      "through",
      "draft.md",
      "--in-place",
      "--author",
      "fmt",
      "--",
      "sed",
      "s/fox/hen/"
    )
    #expect(outcome.code == 0)
    #expect(try folder.text("draft.md") == "The {~~fox~>hen~~}{>>@fmt<<} jumps.\n")
  }

  @Test(
    "Nothing is written where the program fails, writes nothing, or is not there",
    arguments: [
      (["false"], "it failed"), (["sh", "-c", "echo so >&2; exit 3"], "sh: so"),
      (["true"], "true wrote nothing"), (["no-such-program"], "cannot run no-such-program"),
    ]
  )
  func failing(_ program: [String], _ problem: String) throws {
    try folder.write("draft.md", draft)
    let outcome = try folder.run(["through", "draft.md", "--in-place", "--"] + program)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(problem), "\(outcome.errors)")
    #expect(try folder.text("draft.md") == draft)
  }

  @Test(
    "A command line that lacks something says what",
    arguments: [
      (["through"], "Name one file"), (["through", "--", "cat"], "Name one file"),
      (["through", "draft.md"], "Name the program after"),
      (["through", ".", "--", "cat"], "folder"),
    ]
  )
  func usage(_ arguments: [String], _ problem: String) throws {
    let outcome = try folder.run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(problem), "\(outcome.errors)")
  }
}
