import Foundation
import JSONRPC
import TestSupport
import Testing
import TrackEngine

@testable import CriticLSP

@Suite("Command line: on a terminal", .enabled(if: Shell.has("script")), .timeLimited)
struct TerminalTests {
  private let folder: Folder
  /// What terminals obey, and what turns letters around.
  private let evil = "a\u{1B}[31m\u{9B}2J\u{202E}b\u{7}\u{2066}"

  init() throws {
    folder = try Folder()
    try folder.write(
      "\(evil).md",
      "\(evil) {++\(evil)++}{>>@\(evil): \(evil)<<} {--\(evil)--} {++\n"
    )
  }

  @Test(
    "Nothing of texts and names that a terminal obeys is shown raw",
    arguments: [
      ["changes"], ["changes", "--color", "never"], ["changes", "--format", "json"],
      ["changes", "--format", "markdown"], ["changes", "--format", "sarif"], ["check"],
      ["check", "--format", "sarif"], ["accept", "--dry-run"],
      ["reject", "-n", "--color", "never"], ["decisions"],
      ["decisions", "--format", "jsonl"], ["export", "missing"], ["accept", "--change", "9"],
    ]
  )
  func harmless(_ arguments: [String]) throws {
    let name = "\(evil).md"
    let count = ["decisions": 2, "export": 0][arguments[0]] ?? 1
    let more = [String](repeating: name, count: count)
    let shown = try seen(arguments.map { $0 == "missing" ? "\(evil)-" : $0 } + more)
    #expect(shown.contains(#"\u202E"#), "\(shown)")
    let ours = /\u{1B}\[[0-9;]*m/
    let isColored = shown.contains(ours)
    let rest = isColored ? shown.replacing(ours, with: "") : shown
    for sign in ["\u{1B}", "\u{9B}", "\u{202E}", "\u{7}", "\u{2066}"] {
      #expect(!rest.unicodeScalars.contains { String($0) == sign }, "\(shown)")
    }
    // That one looks like ours.
    #expect(!shown.contains("a\u{1B}[31m"))
  }

  @Test("Documents are written as they are, to a terminal and elsewhere")
  func documents() throws {
    let text = try folder.text("\(evil).md")
    for arguments in [["export", "--markup"], ["diff", "\(evil).md"]] {
      #expect(try folder.run(arguments + ["\(evil).md"]).output == text)
      #expect(try seen(arguments + ["\(evil).md"]).replacing("\r\n", with: "\n") == text)
    }
    let list = try folder.run("changes", "\(evil).md").output
    #expect(list.contains(evil), "what is no terminal gets the text")
  }

  /// What the program shows on a terminal.
  private func seen(_ arguments: [String]) throws -> String {
    let words = try [#require(Program.url).path] + arguments
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    try folder.write("run", "TERM=xterm NO_COLOR= exec \(line)\n")
    return try Shell.run("script -qc 'sh run' /dev/null", in: folder).output
  }
}

@Suite("Command line: changes and check", .timeLimited) struct ChangesCommandTests {
  private let draft = """
    # Hens

    Thé {++red ++}hen {--sits--}{>>@ada: [tone] flat<<}{>>yes<<} on {~~the~>a~~} {==nest==}. {>>alone<<}

    """
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func json(_ arguments: String...) throws -> JSON {
    try JSON(parsing: Array(try folder.run(["changes"] + arguments).output.utf8))
  }

  @Test("The list says number, place, kind, words around, old and new, thread, and the sums")
  func text() throws {
    try folder.write("x.md", draft)
    let outcome = try folder.run("changes", "x.md")
    #expect(outcome.code == 0)
    #expect(
      outcome.output == """
        x.md:3:5: 1 addition “red ” in “Thé […]hen on a nest.”
        x.md:3:19: 2 deletion “sits” in “Thé red hen […] on a nest.”
            @ada: [tone] flat
            yes
        x.md:3:65: 3 substitution “the” → “a” in “Thé red hen on […] nest.”
        x.md:3:78: 4 highlight “nest” in “Thé red hen on a […].”
        x.md:3:90: 5 comment “alone” in “red hen on a nest. […]”
        3 changes, 1 commented, 2 uncommented

        """
    )
    #expect(
      try folder.run("changes", "--color", "always", "x.md").output.contains("\u{1B}[32m“red ”")
    )
  }

  @Test(
    "Who made a change is told, by whichever tool it is said, unless a comment that is listed says so"
  )
  func authors() throws {
    let text = """
      {++a++}{>>@ai:model<<} {++b++}{>>@Ada_Byron: why<<} {++{"author":"bob","time":86400}@@c++} {++d++}[^cn-1]

      [^cn-1]: @eve | 2026-11-22 | ins | proposed

      """
    try folder.write("x.md", text)
    let lines = try folder.run("changes", "x.md").output.split(separator: "\n")
    #expect(
      lines.filter { $0.contains(" addition ") }.map { $0.contains(" by ") } == [
        true, false, true, true,
      ]
    )
    #expect(lines[0].hasSuffix(" by @ai:model"))
    #expect(lines.contains { $0.hasSuffix(" by @bob, 1970-01-02T00:00:00Z") })
    #expect(lines.last == "4 changes, 1 commented, 3 uncommented")
    let list = try folder.run("changes", "--format", "markdown", "x.md").output
    #expect(list.contains("1. line 1, addition: `a` by `@ai:model`\n"))
    let changes = try folder.run("changes", "--format", "jsonl", "x.md").output
      .split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    #expect(changes.map { $0["author"]?.string } == ["ai:model", "Ada Byron", "bob", "eve"])
    #expect(changes.map { $0["date"]?.string } == [nil, nil, "1970-01-02T00:00:00Z", "2026-11-22"])
    #expect(changes[3]["after"]?.string == "\n", "footnotes are not exported")
    let accepted = try folder.run("accept", "--author", "@eve", "--author", "Ada_Byron", "x.md")
      .output
    #expect(accepted == "{++a++}{>>@ai:model<<} b {++{\"author\":\"bob\",\"time\":86400}@@c++} d\n")
  }

  @Test("Who made a change is told beside a comment of somebody else, as the editor's list does")
  func otherComment() throws {
    let text = #"{++{"author":"bob"}@@a++}{>>@ada: why<<}"#
    let output = try folder.run("changes", "-", input: text).output
    #expect(output.hasPrefix("-:1:1: 1 addition “a” by @bob\n    @ada: why\n"))
  }

  @Test("A document without changes is its sums")
  func none() throws {
    try folder.write("x.md", "a\n")
    #expect(try folder.run("changes", "x.md").output == "0 changes, 0 commented, 0 uncommented\n")
    #expect(try folder.run("changes", "--format", "jsonl", "x.md").output.isEmpty)
    let object = try json("--format", "json", "x.md")
    #expect(object["files"]?.first?["changes"]?.elements.contains { _ in true } == false)
  }

  @Test("As lines of JSON each change can be understood by itself")
  func lines() throws {
    try folder.write("x.md", draft)
    let output = try folder.run("changes", "--format", "jsonl", "x.md").output
    let lines = try output.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    #expect(lines.count == 5)
    #expect(lines.map { $0["number"]?.integer } == [1, 2, 3, 4, 5])
    #expect(lines.allSatisfy { $0["version"]?.integer == 1 && $0["file"]?.string == "x.md" })
    #expect(
      lines[1].description
        == #"{"version":1,"file":"x.md","number":2,"kind":"deletion","line":3,"column":19,"endLine":3,"endColumn":29,"#
        + ##""heading":"Hens","old":"sits","new":"","before":"# Hens\n\nThé red hen ","##
        + #""after":" on a nest. \n","comments":["@ada: [tone] flat","yes"],"#
        + #""categories":["tone"],"resolved":false,"authors":["ada"],"author":"ada","date":null,"status":null}"#
    )
  }

  @Test("Before and after are 80 scalars of the clean text at most")
  func reach() throws {
    let side = String(repeating: "é", count: 100)
    try folder.write("x.md", side + "{++a++}" + side)
    let change = try json("--format", "jsonl", "x.md")
    #expect(change["before"]?.string == String(side.prefix(80)))
    #expect(change["after"]?.string == String(side.prefix(80)))
  }

  @Test("Bytes that are not UTF-8 are shown as U+FFFD")
  func bytes() throws {
    try folder.write("x.md", Array("{++a".utf8) + [0xFF] + Array("++}".utf8))
    #expect(try json("--format", "jsonl", "x.md")["new"]?.string == "a\u{FFFD}")
  }

  @Test("JSON holds all files, each with its counts")
  func files() throws {
    try folder.write("x.md", draft)
    try folder.write("y.md", "{++a++}\n")
    let object = try json("--format", "json", "x.md", "y.md")
    #expect(object["version"]?.integer == 1)
    let files = Array(try #require(object["files"]).elements)
    #expect(files.map { $0["file"]?.string } == ["x.md", "y.md"])
    #expect(files.map { Array($0["changes"]?.elements ?? $0.elements).count } == [5, 1])
    let counts = #"{"changes":3,"commented":1,"uncommented":2,"open":2,"resolved":0}"#
    #expect(files[0]["counts"]?.description == counts)
  }

  @Test("Markdown has a heading for each file and section, and texts in code spans")
  func markdown() throws {
    try folder.write("x.md", draft + "{++a `b` c++}\n")
    #expect(
      try folder.run("changes", "--format", "markdown", "x.md").output == """
        ## `x.md`

        ### Hens

        1. line 3, addition: `red `
        2. line 3, deletion: `sits`
           - `@ada: [tone] flat`
           - `yes`
        3. line 3, substitution: `the` → `a`
        4. line 3, highlight: `nest`
        5. line 3, comment: `alone`
        6. line 4, addition: ``a `b` c``

        4 changes, 1 commented, 3 uncommented

        """
    )
  }

  @Test("SARIF places every change, in files by relative references")
  func sarif() throws {
    try folder.write("a b/ü.md", draft)
    for command in ["changes", "check"] {
      let outcome = try folder.run(command, "--format", "sarif", "./a b")
      let log = try JSON(parsing: Array(outcome.output.utf8))
      #expect(log["version"]?.string == "2.1.0")
      let run = try #require(log["runs"]?.first)
      #expect(run["columnKind"]?.string == "unicodeCodePoints")
      let results = Array(try #require(run["results"]).elements)
      #expect(results.map { $0["ruleId"]?.string }.count == 5)
      let place = results[0]["locations"]?.first?["physicalLocation"]
      #expect(place?["artifactLocation"]?["uri"]?.string == "a%20b/%C3%BC.md")
      #expect(
        place?["region"]?.description
          == #"{"startLine":3,"startColumn":5,"endLine":3,"endColumn":15}"#
      )
    }
  }

  @Test("A file that cannot be read is told, the others are listed, and the code is 2")
  func missing() throws {
    try folder.write("x.md", draft)
    let outcome = try folder.run("changes", "no.md", "x.md")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("no.md"))
    #expect(outcome.output.hasSuffix("3 changes, 1 commented, 2 uncommented\n"))
    #expect(try folder.run("check", "no.md", "x.md").code == 2)
  }

  @Test("A file that is named twice, by a link or with its folder is listed once")
  func repeated() throws {
    let folder = try Folder()
    try folder.write("part/draft.md", "a {++b++}\n")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.md"),
      withDestinationPath: "part/draft.md"
    )
    let draft = "part/draft.md"
    for names in [[draft, draft], [draft, "link.md"], ["part", "."], [draft, "part"]] {
      let listed = try folder.run(["changes"] + names)
      #expect(listed.code == 0)
      #expect(listed.output.contains("\n1 change, "), "\(names)")
    }
  }

  @Test("Standard input is a dash")
  func standardInput() throws {
    #expect(try folder.run("changes", "-", input: "{++a++}").output.hasPrefix("-:1:1: 1 addition"))
    #expect(try folder.run("check", "-", input: "a").code == 0)
  }

  @Test("A settled document is silent, and what is found is told with its place")
  func check() throws {
    try folder.write("x.md", "plain `{++code++}`\n")
    let silent = try folder.run("check", "x.md")
    #expect(silent.code == 0)
    #expect(silent.output.isEmpty && silent.errors.isEmpty)
    try folder.write("x.md", "a {==b==}\n{>>c<<}\n{++ open\n{--d--}\n")
    let outcome = try folder.run("check", "x.md")
    #expect(outcome.code == 1)
    #expect(outcome.errors.isEmpty)
    #expect(
      outcome.output == """
        x.md:1:3: highlighted “b” is not settled
        x.md:2:1: comment “c” is not settled
        x.md:3:1: This addition is never closed. Close it with “++}”, or write “\\{++” for the characters themselves.
        x.md:4:1: deleted “d” is not settled

        """
    )
    let malformed = try folder.run("check", "--malformed", "x.md")
    #expect(malformed.code == 1)
    #expect(malformed.output.hasPrefix("x.md:3:1: This addition"))
    #expect(try folder.run("check", "--malformed", "-", input: "{++a++}").code == 0)
  }
}
