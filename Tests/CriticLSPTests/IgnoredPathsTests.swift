import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("What git ignores is not in the workspace", .timeLimited) struct IgnoredPathsTests {
  // MARK: - git is the judge

  /// Folders and files whose names patterns can take apart.
  private static let paths = [
    "a.md", "b.md", "ab.md", "a-b.md", "a/a.md", "a/b.md", "a/b/a.md", "a/b/c/ab.md", "b/a.md",
    "b/a/b.md", "c/a/b/a.md", "c d/[a].md", "c d/!a.md", "A/B.md", "7/é.md",
  ]

  private static let parts = [
    "a", "b", "c", "*", "?", "**", "/", "/", ".md", "[ab]", "[!a]", "[^a-b]", "[a-", "]", "[]a]",
    "[[:alpha:]]", "[[:digit:][:upper:]]", "[a\\-c]", "\\", "\\*", "\\ ", " ", "#", "!", "-", "é",
    "**/", "/**", "\r", "***/", "a/**/b", "[[:x:]]", "[--9]",
    "[[:punct:]]", "[[:space:]x]", "[[:lower:]-]", "[[:xdigit:]]",
  ]

  private func rules(_ chance: inout Seeded) -> String {
    (0..<Int.random(in: 1...4, using: &chance)).map { _ in
      let line = (0..<Int.random(in: 1...5, using: &chance)).map { _ in
        IgnoredPathsTests.parts.randomElement(using: &chance) ?? ""
      }
      let sign = ["", "", "!", "/"].randomElement(using: &chance) ?? ""
      return sign + line.joined() + "\n"
    }.joined()
  }

  /// The Markdown files that a scan of the server's finds in a folder; of some paths it is asked whether they are among
  /// them.
  private func scanned(_ top: Path, asking paths: [String] = []) throws -> [String] {
    var workspace = Workspace()
    workspace.add(Workspace.Folder(uri: "file://\(top)", path: top))
    workspace.beginScan(at: 0) { _ in false }
    var runner = EffectRunner(baselines: nil)
    while let effect = workspace.scan?.effect {
      guard let outcome = runner.step(effect) else { continue }
      switch effect {
      case .findIgnored: workspace.receiveIgnored(outcome.result)
      case .list: _ = workspace.receiveListing(outcome.result) { _ in false }
      default:
        let found = try #require(workspace.scan?.found).compactMap { $0.from(top) }.sorted()
        for path in paths {
          #expect(workspace.looksAt(top / Path(path)) == found.contains(Path(path)), "\(path)")
        }
        return found.map(\.description)
      }
    }
    return []
  }

  @Test(
    "Whatever the rules are, the same files are found as git finds",
    .enabled(if: Shell.has("git"))
  )
  func asGit() throws {
    let folder = try Folder()
    for path in IgnoredPathsTests.paths { try folder.write(path, "one\n") }
    #expect(try Shell.run("git init -q", in: folder).code == 0)
    let top = Path(folder.url.path)
    for seed in 0..<UInt64(runs(50)) {
      var chance = Seeded(seed: seed)
      let (outer, inner) = (rules(&chance), rules(&chance))
      try folder.write(".gitignore", outer)
      try folder.write("a/.gitignore", inner)
      try folder.write(".git/info/exclude", seed % 3 == 0 ? rules(&chance) : "")
      let list = "git ls-files -z --others --exclude-standard '*.md'"
      let git = try Shell.run(list, in: folder).output.split(separator: "\0")
      let wanted = git.map { Path(String($0)) }.sorted().map(\.description)
      let tree = MarkdownTree(in: top, without: IgnoredPaths(in: top))
      let found = [try scanned(top, asking: Self.paths), tree.files.map(\.name.description)]
      if found.contains(where: { $0 != wanted }) {
        Issue.record("seed \(seed): \(outer.debugDescription), in a: \(inner.debugDescription)")
        #expect(found == [wanted, wanted])
        return
      }
    }
  }

  @Test(
    "What a folder above says counts for the server, the command line and guard",
    .enabled(if: Shell.has("git"))
  )
  func above() throws {
    let folder = try Folder()
    #expect(try Shell.run("git init -q", in: folder).code == 0)
    try folder.write(".gitignore", "out/\n")
    for path in ["sub/a.md", "sub/out/b.md", "sub/out/deep/c.md"] {
      try folder.write(path, "{++new++}\n")
    }
    let sub = folder.file("sub")
    #expect(try scanned(sub) == ["a.md"])
    #expect(FoundFiles(in: [sub]).files.map(\.path) == [sub / "a.md"])
    let nested = FoundFiles(in: [sub, sub / "a.md", Path(folder.url.path), sub])
    #expect(nested.files.count == 1)
    let listed = try folder.run("changes", "--format", "json", "sub").output
    #expect(listed.contains("sub/a.md") && !listed.contains("out"))
    // Who names it wants it.
    #expect(try scanned(sub / "out") == ["b.md", "deep/c.md"])
    #expect(FoundFiles(in: [sub / "out/b.md"]).files.count == 1)
  }

  @Test("A walk ends at the bounds of files and of folders", arguments: [2, 3, 4])
  func bounds(_ most: Int) throws {
    let folder = try Folder()
    for name in ["a", "b", "c"] { try folder.write("\(name)/text.md", "one\n") }
    let top = Path(folder.url.path)
    let files = MarkdownTree(in: top, maxFiles: most)
    #expect(files.files.count == min(most, 3))
    #expect(files.isShort == (most < 3))
    let folders = MarkdownTree(in: top, maxFolders: most)
    #expect(folders.isShort == (most < 4))
    #expect(folders.folderCount == 4)
  }

  @Test("A folder without a repository is looked at as it is")
  func alone() throws {
    let folder = try Folder()
    try folder.write(".gitignore", "*.md\n")
    try folder.write("a.md", "one\n")
    let runner = try EffectRunnerTests().outcome(of: .findIgnored(Path(folder.url.path)))
    #expect(runner == .ignored(IgnoredPaths()))
    #expect(try scanned(Path(folder.url.path)) == ["a.md"])
    #expect(
      try EffectRunnerTests().outcome(of: .findIgnored(folder.file("gone")))
        == .ignored(IgnoredPaths())
    )
  }

  // MARK: - The server

  @Test("What is ignored is not listed, nor read when the client says that it has changed")
  func server() throws {
    let wire = Wire.fresh
    try wire.request(
      "initialize",
      #"{"processId":null,"workspaceFolders":[{"uri":"file:///book","name":"book"}],"capabilities":{}}"#
    )
    wire.notify("initialized")
    let disk = Disk([
      "/book/a.md": "{++a++}", "/book/build/b.md": "{++b++}", "/book/c.tmp.md": "{++c++}",
      "/book/d/e.md": "{++e++}", "/book/d/kept.tmp.md": "{++k++}",
    ])
    disk.ignored["/book"] = ["build/", "c.tmp.md", "d/e.md"]
    func names() throws -> [String] {
      try wire.search("", on: disk).compactMap { $0["name"]?.string }
    }
    #expect(try names() == ["Added “a”", "Added “k”"])
    #expect(!disk.wanted.contains("list /book/build"))
    wire.notify(
      "workspace/didChangeWatchedFiles",
      #"{"changes":[{"uri":"file:///book/build/b.md","type":1},{"uri":"file:///book/d/e.md","type":2}]}"#
    )
    #expect(try names() == ["Added “a”", "Added “k”"])
    #expect(!disk.wanted.contains("read /book/build/b.md"))
    #expect(!disk.wanted.contains("read /book/d/e.md"))
    // What is new may be ignored, too.
    disk.write("/book/d/new.md", "{++n++}")
    disk.write("/book/out/o.md", "{++o++}")
    disk.ignored["/book"]?.append("out/")
    wire.notify(
      "workspace/didChangeWatchedFiles",
      #"{"changes":[{"uri":"file:///book/d/new.md","type":1},{"uri":"file:///book/out/o.md","type":1}]}"#
    )
    #expect(try names() == ["Added “a”", "Added “k”", "Added “n”"])
    #expect(!disk.wanted.contains("read /book/out/o.md"))
  }
}
