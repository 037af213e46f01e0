import Foundation
import TestSupport
import Testing

@testable import CriticLSP

@Suite("The README", .timeLimited) struct ReadmeTests {
  /// The command lines under "Command line", without what is said of them.
  private static func examples() throws -> [String] {
    let readme = try String(
      contentsOf: Repository.root.appending(path: "README.md"),
      encoding: .utf8
    )
    let section = readme.split(separator: "\n## ").first { $0.hasPrefix("Command line\n") }
    return try #require(section).split(separator: "\n")
      .filter { $0.hasPrefix("    critic-lsp ") }
      .map { line in
        let end = line.range(of: "  #")?.lowerBound ?? line.endIndex
        return line[..<end].split(separator: " ").dropFirst().joined(separator: " ")
      }
  }

  @Test(
    "Every example does something, as printed, one after the other",
    .enabled(if: Shell.has("git"))
  )
  func examples() throws {
    let folder = try Folder()
    let draft = "# Hens\n\nThe {~~red~>blue~~}{>>@claude: clearer<<} hen{++ and her chicks++}.\n"
    for name in ["draft.md", "chapters/one.md"] { try folder.write(name, draft) }
    try folder.write("draft-1.md", "The red hen.\n")
    try folder.write("edits.json", #"[{"old": "blue", "new": "black", "reason": "she is"}]"#)
    try folder.write("draft-2.md", "The blue hen.\n")
    let setUp = try Shell.run(
      "git init -q && git add draft.md && git -c user.name=a -c user.email=a@b commit -qm a",
      in: folder
    )
    #expect(setUp.code == 0, "\(setUp.output)")
    let examples = try Self.examples()
    #expect(examples.count > 8)
    for example in examples {
      let parts = example.split(separator: " < ")
      let outcome = try folder.run(
        parts[0].split(separator: " ").map(String.init),
        input: parts.count > 1 ? try folder.text(String(parts[1])) : ""
      )
      let hasFound = ["check", "diff"].contains { example.hasPrefix($0) }
      #expect(outcome.code == (hasFound ? 1 : 0), "\(example): \(outcome.errors)")
      #expect(outcome.errors.isEmpty, "\(example): \(outcome.errors)")
    }
    #expect(try folder.text("old.md") == "# Hens\n\nThe red hen.\n")
    #expect(try folder.text("out/one.clean.md") == "# Hens\n\nThe blue hen and her chicks.\n")
    #expect(try folder.text("draft.md") == "# Hens\n\nThe blue hen{++ and her chicks++}.\n")
  }
}
