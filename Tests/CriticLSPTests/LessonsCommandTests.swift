import Foundation
import JSONRPC
import TestSupport
import Testing

@Suite("Command line: lessons", .timeLimited) struct LessonsCommandTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A folder with marks.
  private func writeMarks() throws {
    try folder.write(
      "in/one.md",
      """
      # Hens

      We {~~utilize~>use~~}{>>@ai: [clarity] a plain word<<} it, and {~~utilize~>use~~} them.

      ## Eggs

      The {--very --}egg, a {--very --}old hen, one {--very --}{>>it has no degrees<<}unique fox.

      """
    )
    try folder.write("in/two.md", "All {~~utilize~>use~~}{>>[clarity] short<<} eggs.\n")
  }

  /// A repository of six versions: marks are accepted and rejected, words are replaced without marks, a file is renamed.
  private func writeHistory() throws {
    let proposed = """
      ---
      title: utilize
      ---

      # Hens

      They {~~utilize~>use~~}{>>@ai: [clarity] a plain word<<} it.

      The {~~color~>colour~~}{>>@ai: as in London<<} here, a {~~color~>colour~~} there.

      """
    let decided = """
      ---
      title: utilize
      ---

      # Hens

      They use it.

      The color here, a color there.

      """
    try folder.write("chapters/one.md", proposed)
    try folder.write("chapters/two.md", "All can utilize eggs.\n\nSome can utilize `utilize`.\n")
    try commit("propose", by: "Ada Byron")
    try folder.write("chapters/one.md", decided)
    try commit("decide", by: "Ada Byron")
    try folder.write("chapters/two.md", "All can use eggs.\n\nSome can use `utilize`.\n")
    try commit("words", by: "Bo")
    let moved = try Shell.run("git mv chapters/one.md chapters/three.md", in: folder)
    #expect(moved.code == 0, "\(moved.output)")
    try commit("rename", by: "Bo")
    try folder.write("chapters/three.md", decided.replacing("title: utilize", with: "title: use"))
    try commit("front matter", by: "Bo")
    try folder.write("chapters/two.md", "All can employ eggs.\n\nSome can use `use`.\n")
    try commit("code", by: "Ada Byron")
  }

  private func commit(_ message: String, by author: String) throws {
    let name = "-c user.name='\(author)' -c user.email=a@b"
    let outcome = try Shell.run(
      "git init -q . && git add -A && git \(name) commit -qm '\(message)'",
      in: folder
    )
    #expect(outcome.code == 0, "\(outcome.output)")
  }

  private func run(_ arguments: String...) throws -> String {
    let outcome = try folder.run(["lessons"] + arguments)
    #expect(outcome.code == 0, "\(arguments)")
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.output
  }

  @Test("The marks of a folder are told with bars, reasons and examples, and summed up")
  func text() throws {
    try writeMarks()
    #expect(
      try run("in") == """
        Rules
          “utilize” → “use”                      ████████████████████ 3 times in 2 files, 3 proposed
              [clarity] a plain word
              [clarity] short
              in/one.md: We [utilize → use] it, and use them.
          Deleted “very”                         ████████████████████ 3 times in 1 file, 3 proposed
              it has no degrees
              in/one.md: egg, a old hen, one [very ]unique fox.

        By category
          clarity                                ████████████████████ 2 edits

        By author
          ai                                     ████████████████████ 1 edit

        By heading
          Eggs                                   ████████████████████ 3 edits
          Hens                                   █████████████        2 edits

        6 edits in 2 files, 2 lessons

        """
    )
  }

  @Test("In git, each version is compared with the next, with marks and without")
  func history() throws {
    try writeHistory()
    #expect(
      try run("--since", "2000-01-01", "chapters") == """
        Rules
          “utilize” → “use”                      ████████████████████ 3 times in 2 files, 1 of 1 accepted
              [clarity] a plain word
              chapters/one.md: They [utilize → use] it.

        Refused
          “color” → “colour”                     ████████████████████ 2 times in 1 file, 0 of 2 accepted
              as in London
              chapters/one.md: The [color → colour] here, a colour there.

        By category
          clarity                                ████████████████████ 1 edit, 1 of 1 accepted

        By author
          Bo                                     ████████████████████ 2 edits
          ai                                     ████████████████████ 2 edits, 1 of 2 accepted
          Ada Byron                              ██████████           1 edit

        By heading
          Hens                                   ████████████████████ 3 edits, 1 of 3 accepted

        6 edits in 2 files, 2 lessons, 1 of 3 accepted

        """
    )
  }

  @Test(
    "--since takes a revision or a day, and a file as well as a folder, under the name that it had"
  )
  func since() throws {
    try writeHistory()
    #expect(try run("--since", "HEAD~4", "chapters").hasSuffix("\n3 edits in 1 file, 1 lesson\n"))
    #expect(try run("--since", "HEAD", "chapters") == "0 edits in 0 files, 0 lessons\n")
    #expect(
      try run("--since", "2000-01-01", "chapters/three.md")
        .hasSuffix("\n3 edits in 1 file, 2 lessons, 1 of 3 accepted\n")
    )
    #expect(
      try run("--since", "2000-01-01", "--author", "Bo", ".")
        .hasSuffix("\n2 edits in 1 file, 1 lesson\n")
    )
    #expect(
      try run("--since", "2000-01-01", "--author", "Ada_Byron", ".")
        .hasSuffix("\n1 edit in 1 file, 0 lessons\n")
    )
  }

  @Test("json has each lesson with what became of it, and examples")
  func json() throws {
    try writeHistory()
    let report = try JSON(
      parsing: Array(try run("--since", "2000-01-01", "--format", "json", "chapters").utf8)
    )
    #expect(report["version"]?.integer == 1)
    #expect(report["edits"]?.integer == 6)
    let lessons = Array(try #require(report["lessons"]?.elements))
    #expect(lessons.map { $0["new"]?.string } == ["use", "colour"])
    let use = try #require(lessons.first)
    #expect(use["verdict"]?.string == "rule")
    #expect(
      ["made", "accepted", "rejected", "count", "files"].map { use[$0]?.integer } == [
        2, 1, 0, 3, 2,
      ]
    )
    #expect(use["standing"]?.integer == 0)
    #expect(use["reasons"]?.description == #"[{"text":"a plain word","count":1}]"#)
    let example = try #require((use["examples"]?.elements).map { Array($0) }?.first)
    #expect(example["file"]?.string == "chapters/one.md")
    #expect(example["heading"]?.string == "Hens")
    #expect(lessons.last?["verdict"]?.string == "refused")
  }

  @Test("jsonl has a line for each edit: what stood, what was proposed, what stands, and why")
  func pairs() throws {
    try writeHistory()
    let lines = try run("--since", "2000-01-01", "--format", "jsonl", "chapters").split(
      separator: "\n"
    )
    let told = try lines.map { line in
      let json = try JSON(parsing: Array(line.utf8))
      return ["outcome", "draft", "proposed", "final", "reasons", "before"]
        .map { json[$0].map { "\($0)" } ?? "none" }.joined(separator: " ")
    }
    #expect(
      told == [
        #""accepted" "utilize" "use" "use" ["a plain word"] "They ""#,
        #""rejected" "color" "colour" "color" ["as in London"] "The ""#,
        #""rejected" "color" "colour" "color" [] "The colour here, a ""#,
        #""made" "utilize" null "use" [] "All can ""#,
        #""made" "utilize" null "use" [] "Some can ""#,
        #""made" "use" null "employ" [] "All can ""#,
      ]
    )
  }

  @Test("markdown is a section in which each lesson has its reasons and an example")
  func markdown() throws {
    try writeHistory()
    try folder.write("chapters/four.md", "A {~~hen~>fox~~}{>>see `a` *b* <c><<} ran.\n")
    #expect(
      try run("--since", "2000-01-01", "--format", "markdown", "chapters") == #"""
        ## Wording

        Drawn from 7 edits in 3 files.

        ### Clarity

        - Write “use”, not “utilize”. A plain word. (3 times in 2 files, 1 of 1 accepted)
          - They ~~utilize~~ **use** it. (chapters/one.md)

        ### Other

        - Write “fox”, not “hen”. See \`a\` \*b\* \<c\>. (1 time in 1 file, 1 proposed)
          - A ~~hen~~ **fox** ran. (chapters/four.md)

        ### Leave as it is

        - Leave “color”, do not write “colour”. As in London. (2 times in 1 file, 0 of 2 accepted)
          - The ~~color~~ **colour** here, a colour there. (chapters/one.md)

        """#
    )
    try folder.write("deleted.md", "A {--very --}{>>why?<<}old hen.\n")
    #expect(
      try run("--format", "markdown", "deleted.md").hasSuffix(
        "- Leave out “very”. Why? (1 time in 1 file, 1 proposed)\n  - A ~~very~~ old hen. (deleted.md)\n"
      )
    )
    try folder.write("empty.md", "A {~~hen~>fox~~} ran.\n")
    #expect(
      try run("--format", "markdown", "empty.md").hasSuffix(
        "Nothing was changed three times or for a reason.\n"
      )
    )
  }

  @Test(
    "vale is a style in Vale's own keys, and a vocabulary, in the folders where Vale looks for them"
  )
  func vale() throws {
    try writeMarks()
    try folder.write(
      "in/three.md",
      """
      A {~~javascript~>JavaScript~~}{>>a name<<} here. {~~Don't (ever)~>Never~~}{>>short<<} go.

      Of {~~it's~>its~~}{>>whose<<} egg.

      """
    )
    #expect(try run("--format", "vale", "-o", "styles", "in").isEmpty)
    #expect(
      folder.names.filter { $0.hasPrefix("styles") && $0.contains(".") } == [
        "styles/Lessons/Clarity.yml", "styles/Lessons/Needless.yml", "styles/Lessons/Wording.yml",
        "styles/config/vocabularies/Lessons/accept.txt",
      ]
    )
    #expect(
      try folder.text("styles/Lessons/Clarity.yml") == """
        extends: substitution
        message: "Use '%s' instead of '%s'."
        level: suggestion
        ignorecase: true
        swap:
          'utilize': 'use'

        """
    )
    #expect(
      try folder.text("styles/Lessons/Needless.yml") == """
        extends: existence
        message: "Leave out '%s'."
        level: suggestion
        ignorecase: true
        tokens:
          - 'very'

        """
    )
    #expect(try folder.text("styles/config/vocabularies/Lessons/accept.txt") == "JavaScript\n")
    // A rule cannot be found if it does not end in a letter.
    #expect(
      try folder.text("styles/Lessons/Wording.yml").hasSuffix("\nswap:\n  'it''s': 'its'\n")
    )
  }

  @Test(
    "The same is told twice, in every format",
    arguments: ["text", "json", "jsonl", "markdown"]
  )
  func determinism(_ format: String) throws {
    try writeHistory()
    let many = (0..<40).map {
      "A {~~w\($0 % 9)x~>v~~} and {~~ab~>c\($0 % 7)d~~}, {++too ++}{>>r\($0)<<}b."
    }
    try folder.write(
      "chapters/many.md",
      many.joined(separator: "\n\n").replacing(/\d/) {
        "\(["a", "e", "i", "o", "u", "y", "ae", "ie", "oe", "ue"][Int($0.output) ?? 0])"
      }
    )
    let first = try run("--since", "2000-01-01", "--format", format, "chapters")
    #expect(first.count > 200)
    for _ in 0..<3 {
      #expect(try run("--since", "2000-01-01", "--format", format, "chapters") == first)
    }
  }

  @Test("Of what an output cannot hold, the rest is counted")
  func bounds() throws {
    func letters(_ number: Int) -> String {
      String(number, radix: 10).map { String(UnicodeScalar(97 + (Int(String($0)) ?? 0)) ?? "a") }
        .joined()
    }
    for count in [2000, 2001] {
      let text = (0..<count).map { "A {~~x\(letters($0))~>y~~}{>>why<<} hen.\n" }
      try folder.write("many.md", text.joined(separator: "\n"))
      let report = try JSON(parsing: Array(try run("--format", "json", "many.md").utf8))
      #expect(report["count"]?.integer == count)
      #expect((report["lessons"]?.elements).map { Array($0) }?.count == 2000)
      let shown = try run("many.md")
      #expect(shown.contains("1 more lesson of less weight") == (count > 2000))
      #expect(shown.contains("and 1970 more, which --format json lists"))
    }
  }

  @Test(
    "A hostile file is read, and what it says does nothing to a terminal, to Markdown or to YAML"
  )
  func hostile() throws {
    var bytes = Array("A {~~a\u{1B}[31m~>b~~}{>>\u{1B}]0;x\u{07} ]( <script> {++<<} hen.\n\n".utf8)
    bytes += Array("An {~~it's: #x~>it'd~~}{>>'\n- x: y<<} egg {~~x~>y~~}{>>[../../x] z<<}.\n".utf8)
    bytes += [0xFF, 0xFE, 0x00] + Array(String(repeating: "{++", count: 2000).utf8)
    bytes += Array(String(repeating: "a {~~b~>c~~}", count: 1000).utf8)
    try folder.write("in/bad.md", bytes)
    for format in ["text", "json", "jsonl", "markdown"] {
      let outcome = try folder.run("lessons", "--format", format, "--color", "always", "in")
      #expect(outcome.code == 0 && outcome.errors.isEmpty)
      let plain = outcome.output.replacing(/\u{1B}\[[0-9;]*m/, with: "")
      #expect(format == "text" || outcome.output == plain)
      #expect(!plain.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
      if format == "markdown" {
        #expect(!plain.contains("<script") && !plain.contains(" {++"))
      }
    }
    #expect(try run("--format", "vale", "-o", "styles", "in").isEmpty)
    #expect(folder.names.allSatisfy { $0.hasPrefix("in") || $0.hasPrefix("styles") })
  }

  @Test(
    "A wrong command line is told",
    arguments: [
      (["lessons"], "Name a file"), (["lessons", "none.md"], "none.md"),
      (["lessons", "--since", "HEAD", "-"], "Standard input has no versions"),
      (["lessons", "--since", "nothing", "a.md"], "nothing"),
      (["lessons", "--since", "--exec=x", "a.md"], "not a revision"),
      (["lessons", "--format", "vale", "a.md"], "name a folder"),
      (["lessons", "--format", "sarif", "a.md"], "--format"),
    ]
  )
  func wrongUse(_ arguments: [String], _ message: String) throws {
    try folder.write("a.md", "A hen.\n")
    try commit("one", by: "Ada")
    let outcome = try folder.run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty || arguments.contains("none.md"))
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test("Nothing that a repository names is run")
  func trust() throws {
    try writeHistory()
    let set = try Shell.run(
      "git config log.showSignature true && git config gpg.program ./x && git config core.fsmonitor ./x"
        + " && git config diff.external ./x && git config core.pager ./x",
      in: folder
    )
    #expect(set.code == 0)
    try folder.write("x", "#!/bin/sh\ntouch ran\n")
    #expect(try Shell.run("chmod +x x", in: folder).code == 0)
    #expect(try run("--since", "2000-01-01", "chapters").contains("Refused"))
    #expect(!folder.names.contains("ran") && !folder.names.contains("chapters/ran"))
  }
}
