import Foundation
import TestSupport
import Testing

@testable import CriticLSP

@Suite("The README and what it leads to", .timeLimited) struct ReadmeTests {
  /// The command lines under "Command line", without what is said of them.
  private static func examples() throws -> [String] {
    let readme = try Repository.text("README.md")
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
    let draft =
      "# Hens\n\nThe {~~red~>blue~~}{>>@claude: clearer<<}{>>@ada: yes<<} hen{++ and her chicks++}.\n"
    for name in ["draft.md", "chapters/one.md"] { try folder.write(name, draft) }
    try folder.write("draft-1.md", "The red hen.\n")
    try folder.write("edits.json", #"[{"old": "blue", "new": "black", "reason": "she is"}]"#)
    for name in ["ada", "bo"] {
      try folder.write("draft-\(name).md", draft.replacing("Hens", with: "Our hens"))
    }
    try folder.write("draft-2.md", "The blue hen.\n")
    try folder.write("rewritten.md", "# Hens\n\nThe blue hen and her chicks sat.\n")
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

  @Test("The files to install are those of this version")
  func version() throws {
    let readme = try Repository.text("README.md")
    let named = readme.matches(of: /critic[-_]lsp[-_]v?(\d+\.\d+\.\d+)/).map { String($0.output.1) }
    #expect(named.count >= 3)
    #expect(named.allSatisfy { $0 == CriticLSP.version }, "\(named)")
  }

  @Test("docs/settings.md lists every setting, and no other")
  func settings() throws {
    let listed = try Self.firstCells(of: "docs/settings.md", before: "## Where they are written")
    #expect(listed == Settings.names)
  }

  @Test("docs/settings.md says what each setting is by default", arguments: Setting.all)
  func defaults(_ setting: Setting) throws {
    let page = try Repository.text("docs/settings.md")
    let row = try #require(
      page.split(separator: "\n").first { $0.hasPrefix("| `") && $0.contains("`\(setting.name)`") }
    )
    let cell = row.split(separator: "|")[1].trimmingCharacters(in: .whitespaces)
    #expect(cell.trimmingCharacters(in: ["`", "\""]) == setting.value(Settings()))
  }

  @Test("docs/commands.md lists every command, and no other")
  func commands() throws {
    let listed = try Self.firstCells(of: "docs/commands.md", before: "## Authors and dates")
    #expect(listed.filter { $0.hasPrefix("critic.") } == Set(CriticCommand.names))
  }

  /// What stands in backticks in the first cell of the rows of a page's tables.
  private static func firstCells(of path: String, before heading: String) throws -> Set<String> {
    let page = try Repository.text(path)
    let tables = try #require(page.components(separatedBy: "\n\(heading)\n").first)
    let cells = tables.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "|")[0] }
    return Set(cells.flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.output.1) } })
  }

  @Test("Every link of the pages for users leads to a file, and to a heading of it")
  func links() throws {
    let pages =
      try ["README.md", "SECURITY.md", "CONTRIBUTING.md", "ARCHITECTURE.md"]
      + Repository.names(in: "docs").filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
      + Repository.names(in: "editors").map { "editors/\($0)/README.md" }
    var count = 0
    for page in pages {
      let url = Repository.root.appending(path: page)
      // Code shows links of other documents.
      let text = try Repository.text(page).replacing(/`[^`]*`/, with: "")
      for link in text.matches(of: /\]\(([^)\s]+)\)/).map(\.output.1) where !link.contains(":") {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target =
          parts[0].isEmpty ? url : url.deletingLastPathComponent().appending(path: parts[0])
        #expect(FileManager.default.fileExists(atPath: target.path), "\(page): \(link)")
        count += 1
        guard parts.count > 1 else { continue }
        let there = try String(contentsOf: target, encoding: .utf8)
        #expect(Self.anchors(of: there).contains(String(parts[1])), "\(page): \(link)")
      }
    }
    #expect(count > 50)
  }

  /// The anchors of a page's headings, as forges make them.
  private static func anchors(of page: String) -> Set<String> {
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("#") }
    return Set(
      headings.map { heading in
        let words = heading.drop { $0 == "#" || $0 == " " }.lowercased()
        return words.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
          .replacingOccurrences(of: " ", with: "-")
      }
    )
  }
}
