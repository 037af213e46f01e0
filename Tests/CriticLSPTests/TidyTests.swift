import Foundation
import TestSupport
import Testing

@Suite("Tidiness", .timeLimited) struct TidyTests {
  /// A text file of the repository.
  private struct File {
    /// From the repository's folder.
    var path: String
    var text: String

    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
  }

  private static let sources = files(in: ["Sources"]).filter { file in
    [".swift", ".h"].contains { file.path.hasSuffix($0) }
  }
  private static let all = files(in: ["Sources", "Tests", "docs", "editors"]) + topLevel

  private static var topLevel: [File] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
    return (names ?? []).filter { !$0.hasPrefix(".git") }.compactMap(file)
  }

  private static func files(in folders: [String]) -> [File] {
    folders.flatMap { folder -> [File] in
      let names = FileManager.default.enumerator(
        atPath: Repository.root.appending(path: folder).path
      )
      return (names?.compactMap { $0 as? String } ?? [])
        .filter { !$0.contains("__pycache__") }.sorted().compactMap { file("\(folder)/\($0)") }
    }
  }

  private static func file(_ path: String) -> File? {
    let url = Repository.root.appending(path: path)
    return (try? String(contentsOf: url, encoding: .utf8)).map { File(path: path, text: $0) }
  }

  /// The sources in which a pattern occurs, by path.
  private func sources(with pattern: String) throws -> [String] {
    let pattern = try Regex(pattern)
    return TidyTests.sources.filter { $0.text.contains(pattern) }.map(\.path)
  }

  @Test("There are sources to look at")
  func sources() {
    #expect(TidyTests.sources.count > 50)
    #expect(TidyTests.all.contains { $0.path == "Package.swift" })
    #expect(TidyTests.all.contains { $0.path == "Tests/Spec/tracking.md" })
  }

  @Test("Every test is in a suite that has a time limit, so that none is waited for without end")
  func timeLimits() {
    for file in TidyTests.all where file.text.contains("@Test(") && file.name != "TidyTests.swift" {
      let suites = file.text.split(separator: "@Suite(").dropFirst()
      #expect(!suites.isEmpty, "\(file.path)")
      #expect(suites.allSatisfy { $0.prefix(200).contains(", .timeLimited)") }, "\(file.path)")
    }
  }

  @Test("Nothing is printed: standard output is the wire")
  func noPrint() throws {
    #expect(try sources(with: #"(?m)(^|[^\w.])(debugPrint|print|dump)\("#).isEmpty)
  }

  @Test("The engine imports nothing")
  func engine() throws {
    let imports = try sources(with: #"(?m)^\s*(\S+ )?import "#)
    #expect(imports.filter { $0.hasPrefix("Sources/TrackEngine/") }.isEmpty)
    #expect(!imports.isEmpty)
  }

  @Test("Only the folder Platform imports the operating system, and nothing imports Foundation")
  func platform() throws {
    #expect(try sources(with: #"import Foundation"#).isEmpty)
    let system = try sources(with: #"import (CLibrary|Glibc|Musl|Darwin|Bionic)"#)
    #expect(!system.isEmpty)
    #expect(system.allSatisfy { $0.hasPrefix("Sources/CriticLSP/Platform/") })
  }

  @Test("Only the command line's beginning ends the process")
  func exits() throws {
    #expect(
      try sources(with: #"\bPlatform\.exit\("#) == ["Sources/CriticLSP/CommandLine/Main.swift"]
    )
    let callers = try sources(
      with: #"(?m)^(?!.*\bfunc )(.*[^.\w])?(_exit|quick_exit|abort|exit)\(\w"#
    )
    #expect(callers.isEmpty)
    #expect(
      try sources(with: #"\b(CLibrary|Glibc|Musl|Darwin)\.\w*exit\b"#)
        == ["Sources/CriticLSP/Platform/Process.swift"]
    )
  }

  @Test("The server and the engine know no clock, no tasks and no locks")
  func pure() throws {
    let impure = try sources(
      with: #"\b(async|await|Task|actor|Mutex|ContinuousClock|SuspendingClock)\b[ ({.]"#
    )
    #expect(impure.isEmpty)
    #expect(
      try Set(sources(with: #"Platform\.now"#)).isSubset(of: [
        "Sources/CriticLSP/CommandLine/ProgressLine.swift",
        "Sources/CriticLSP/CommandLine/ServeCommand.swift",
        "Sources/CriticLSP/Guarding/KeptFiles.swift",
        "Sources/CriticLSP/Guarding/WatchedFiles.swift",
        "Sources/CriticLSP/Handover/AwaitedReview.swift",
        "Sources/CriticLSP/MCP/MCPSession.swift",
        "Sources/CriticLSP/Owning/FileOwner.swift",
        "Sources/CriticLSP/Server/ServerLoop.swift",
        "Sources/CriticLSP/Platform/Connection.swift",
        "Sources/CriticLSP/Platform/InPlace.swift",
        "Sources/CriticLSP/Platform/LineConnection.swift",
        "Sources/CriticLSP/Platform/Writers.swift",
      ])
    )
  }

  @Test("Only the conversions know both positions and where lines begin")
  func positions() throws {
    let positions = Set(try sources(with: #"\bPosition\b"#))
    let lines = Set(try sources(with: #"\(ofLine:|\bline\(at:"#))
    #expect(lines.count > 2)
    #expect(positions.intersection(lines) == ["Sources/CriticLSP/Protocol/Conversions.swift"])
    let makers = try sources(with: #"\bPosition\(line:"#)
    #expect(makers == ["Sources/CriticLSP/Protocol/Conversions.swift"])
  }

  @Test(
    "The map of the code names every folder of each module, and no other folder and no other file",
    .enabled(if: file("ARCHITECTURE.md") != nil)
  )
  func architecture() throws {
    let map = try #require(TidyTests.file("ARCHITECTURE.md")?.text)
    for module in ["TrackEngine", "JSONRPC", "CriticLSP"] {
      let section = try #require(map.components(separatedBy: "\n## \(module)\n").dropFirst().first)
      let table = section.components(separatedBy: "\n## ")[0]
      let named = try TidyTests.matches(of: #"(?m)^\| `(\w+)/` \|"#, in: table)
      let folders = Set(
        TidyTests.sources.filter { $0.path.hasPrefix("Sources/\(module)/") }
          .map { source in
            // A file is in a folder of its module, and in no folder of that one.
            let parts = source.path.split(separator: "/")
            #expect(parts.count == 4, "\(source.path)")
            return String(parts[2])
          }
      )
      #expect(folders.count > 1)
      #expect(named == folders)
    }
    let named = map.matches(of: try Regex(#"[\w+]+\.swift"#)).map { String(map[$0.range]) }
    let known = Set(TidyTests.all.map(\.name))
    #expect(named.filter { !known.contains($0) }.isEmpty)
  }

  @Test(
    "The list of limits names every limit of the engine and of reading Word documents, and nothing else",
    .enabled(if: file("ARCHITECTURE.md") != nil)
  )
  func limits() throws {
    let map = try #require(TidyTests.file("ARCHITECTURE.md")?.text)
    let section = try #require(map.components(separatedBy: "\n## Limits\n").dropFirst().first)
    let list = section.components(separatedBy: "\n## ")[0]
    let named = try TidyTests.matches(of: #"`(?:\w+\.)?(\w+)`"#, in: list)
    let limits = #"static let ((?:max[A-Z]|most[A-Z]|longest|nearness)\w*) = "#
    let code = ["Sources/TrackEngine/", "Sources/CriticLSP/Word/"].map { TidyTests.text(in: $0) }
    let known = try TidyTests.matches(of: limits, in: code.joined())
    #expect(known.count > 20)
    #expect(named == known)
  }

  @Test(
    "What is written for contributors names no function that is not there",
    .enabled(if: file("ARCHITECTURE.md") != nil)
  )
  func functions() throws {
    let texts = ["ARCHITECTURE.md", "CONTRIBUTING.md"].compactMap { TidyTests.file($0)?.text }
    let named = try TidyTests.matches(of: #"`(?:\w+\.)?(\w+)\("#, in: texts.joined())
    #expect(named.count > 20)
    let code = TidyTests.text(in: "Sources/")
    for name in named.sorted() where !code.contains(try Regex(#"\bfunc \#(name)\b"#)) {
      Issue.record("There is no function \(name).")
    }
  }

  @Test(
    "The list of what clients do names code, tests and scenarios that are there",
    .enabled(if: file("docs/clients.md") != nil)
  )
  func clients() throws {
    let list = try #require(TidyTests.file("docs/clients.md")?.text)
    let code = TidyTests.text(in: "Sources/")
    let members = try TidyTests.matches(of: #"`\w+\.(\w+)`"#, in: list)
    #expect(members.count > 20)
    for name in members where !code.contains(try Regex(#"\b(func|var|let|case) \#(name)\b"#)) {
      Issue.record("There is no \(name).")
    }
    let scenarios = try TidyTests.matches(of: #"`(\w+_\w+_\w+)`"#, in: list)
    let played = TidyTests.text(in: "Tests/Editors/scenarios/")
    #expect(scenarios.count > 10)
    #expect(scenarios.filter { !played.contains("def \($0)(") }.isEmpty)
    let sentences = try TidyTests.matches(of: "“([^”]{20,})”", in: list)
    let tests = TidyTests.text(in: "Tests/CriticLSPTests/")
    #expect(sentences.count > 10)
    #expect(sentences.filter { !tests.contains("\"\($0)\"") }.isEmpty)
  }

  @Test("What is written for contributors names no file that is not there")
  func paths() throws {
    let known = Set(TidyTests.all.map(\.path))
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md", "Tests/README.md", "docs/clients.md"] {
      guard let text = TidyTests.file(name)?.text else { continue }
      let named = try TidyTests.matches(of: #"\b((?:Sources|Tests)/[\w/+-]+\.\w+)"#, in: text)
      #expect(named.filter { !known.contains($0) }.isEmpty, "\(name)")
    }
  }

  /// The text of all files below a folder.
  private static func text(in folder: String) -> String {
    all.filter { $0.path.hasPrefix(folder) }.map(\.text).joined(separator: "\n")
  }

  /// What a pattern's first parentheses hold wherever it occurs.
  private static func matches(of pattern: String, in text: String) throws -> Set<String> {
    let pattern = try Regex(pattern, as: (Substring, Substring).self)
    return Set(text.matches(of: pattern).map { String($0.output.1) })
  }

  @Test("No line ends in a space, and every file ends with one line break")
  func spaces() {
    for file in TidyTests.all where !file.path.hasSuffix("tracking.md") {
      for (index, line) in file.lines.enumerated() where line.last == " " || line.last == "\t" {
        Issue.record("\(file.path), line \(index + 1) ends in a space")
      }
      #expect(file.text.isEmpty || file.text.hasSuffix("\n"), "\(file.path)")
      #expect(!file.text.hasSuffix("\n\n"), "\(file.path)")
    }
  }

  @Test("No file names a place on somebody's machine")
  func places() throws {
    let root = Repository.root.path
    let home = try Regex(#"/(home|Users)/(?!writer\b|runner\b|USER\b|you\b)\w+|/root/\w"#)
    for file in TidyTests.all where file.name != "TidyTests.swift" {
      #expect(!file.text.contains("\(root)/"), "\(file.path)")
      #expect(!file.text.contains(home), "\(file.path)")
    }
  }

  @Test("No file has the address of a package registry")
  func registries() throws {
    let address = try Regex(
      #"(pypi|npmjs|crates|rubygems|pythonhosted|debian|ubuntu)\.(org|com|io|net)\b"#
    )
    for file in TidyTests.all where file.name != "TidyTests.swift" {
      #expect(!file.text.contains(address), "\(file.path)")
    }
  }
}
