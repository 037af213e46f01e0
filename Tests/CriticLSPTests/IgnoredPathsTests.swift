import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("What git ignores is not in the workspace", .timeLimited) struct GitIgnoreTests {
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
        GitIgnoreTests.parts.randomElement(using: &chance) ?? ""
      }
      let sign = ["", "", "!", "/"].randomElement(using: &chance) ?? ""
      return sign + line.joined() + "\n"
    }.joined()
  }

  /// The Markdown files as the server finds them.
  private func found(in folder: Folder) throws -> [String] {
    var workspace = Workspace()
    let top = Path(folder.url.path)
    workspace.add(Workspace.Folder(uri: "file://\(folder.url.path)", path: top))
    var walk = FolderWalk([top])
    var files: [String] = []
    while let next = walk.next {
      let listing = workspace.take(try EffectRunnerTests().listing(next.description), of: next)
      walk.advance(into: listing.folders.map { next / $0 })
      files += listing.files.compactMap { (next / $0.name).from(top)?.description }
    }
    for path in GitIgnoreTests.paths {
      #expect(workspace.looksAt(top / Path(path)) == files.contains(path), "\(path)")
    }
    return files.sorted()
  }

  @Test(
    "Whatever the rules are, the same files are found as git finds",
    .enabled(if: Shell.has("git"))
  )
  func asGit() throws {
    let folder = try Folder()
    for path in GitIgnoreTests.paths { try folder.write(path, "one\n") }
    #expect(try Shell.run("git init -q", in: folder).code == 0)
    for seed in 0..<UInt64(runs(150)) {
      var chance = Seeded(seed: seed)
      let (top, inner) = (rules(&chance), rules(&chance))
      try folder.write(".gitignore", top)
      try folder.write("a/.gitignore", inner)
      try folder.write(".git/info/exclude", seed % 3 == 0 ? rules(&chance) : "")
      let list = "git -c core.excludesFile= ls-files -z --others --exclude-standard '*.md'"
      let git = try Shell.run(list, in: folder).output.split(separator: "\0").map(String.init)
      let own = try found(in: folder)
      if own != git.sorted() {
        Issue.record("seed \(seed): \(top.debugDescription), in a: \(inner.debugDescription)")
        #expect(own == git.sorted())
        return
      }
    }
  }

  @Test("No pattern takes longer than its length times that of the name")
  func hostile() {
    let rules = GitIgnore(Array((String(repeating: "*a", count: 200) + "b\n").utf8))
    let name = Path(String(repeating: "a", count: 250))
    #expect(rules.ignores(name, isFolder: false) == nil)
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
      "/book/.gitignore": "build/\n*.tmp.md\n!kept.tmp.md\n",
      "/book/a.md": "{++a++}", "/book/build/b.md": "{++b++}", "/book/c.tmp.md": "{++c++}",
      "/book/d/.gitignore": "e.md\n", "/book/d/e.md": "{++e++}", "/book/d/kept.tmp.md": "{++k++}",
    ])
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
  }
}
