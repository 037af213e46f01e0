import Foundation
import TestSupport
import Testing

@Suite("Command line: propose", .timeLimited) struct ProposeCommandTests {
  private let draft = "The very unique hen.\n\nA {~~red~>blue~~}{>>@ada: nicer<<} hen.\n"
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write("draft.md", draft)
  }

  private func propose(_ edits: String, _ options: String...) throws -> Outcome {
    try folder.run(["propose", "draft.md"] + options, input: edits)
  }

  @Test("The example of the guide for programs works as it stands there")
  func example() throws {
    let edits =
      #"[{"old": "very unique", "new": "unique", "reason": "[style] unique has no degrees"}]"#
    let outcome = try propose(edits, "--author", "ai:model", "--edits", "-", "--in-place")
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.isEmpty)
    #expect(
      try folder.text("draft.md")
        == "The {--very --}{>>@ai:model: [style] unique has no degrees<<}unique hen.\n\n"
        + "A {~~red~>blue~~}{>>@ada: nicer<<} hen.\n"
    )
    #expect(try folder.run("help", "agents").output.contains(edits))
  }

  @Test(
    "What is proposed in a section that is moved goes along as it reads, and its comments stay with the deletion"
  )
  func moving() throws {
    let draft =
      "# One\n\nText.\n\n## Moved\n\nA {~~red~>blue~~}{>>@ada: nicer<<} hen{++ sat++}{>>@jo: why<<}.\n\n## Last\n\nEnd.\n"
    try folder.write("draft.md", draft)
    let clean = try folder.run("export", "draft.md").output
    let section = "## Moved\n\nA blue hen sat.\n"
    #expect(clean.contains(section))
    let edits =
      #"[{"old":\#(json(section + "\n")),"new":""},{"insert_after":"End.\n","new":\#(json("\n" + section))}]"#
    let outcome = try propose(edits, "--author", "ai:m", "--in-place")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      try folder.run("export", "draft.md").output
        == clean.replacing(section + "\n", with: "") + "\n" + section
    )
    #expect(
      try folder.run("export", "--original", "draft.md").output
        == "# One\n\nText.\n\n## Moved\n\nA red hen.\n\n## Last\n\nEnd.\n"
    )
    let text = try folder.text("draft.md")
    #expect(text.contains("A red hen.--}{>>@ai:m<<}{>>@ada: nicer<<}{>>@jo: why<<}"))
    #expect(text.contains("A blue hen sat.++}{>>@ai:m<<}"))
  }

  @Test("The new text goes to standard output, the edits come from a file or from standard input")
  func streams() throws {
    let edits = #"[{"old": "blue", "new": "green"}, {"old": "unique", "new": "old"}]"#
    try folder.write("edits.json", edits)
    let new = "The very {~~unique~>old~~} hen.\n\nA {~~red~>green~~}{>>@ada: nicer<<} hen.\n"
    for outcome in [
      try propose(edits), try propose("", "--edits", "edits.json"),
      try folder.run("propose", "--edits=edits.json", "-", input: draft),
    ] {
      #expect(outcome.code == 0)
      #expect(outcome.output == new)
      #expect(outcome.errors.isEmpty)
    }
    #expect(try folder.text("draft.md") == draft)
  }

  @Test("Text is put beside a piece, lines are replaced, and a text is replaced everywhere")
  func forms() throws {
    let edits =
      #"[{"insert_after": "unique hen.", "new": " It ran."}, {"lines": [3, 3], "new": "The end."}]"#
    #expect(
      try propose(edits).output
        == "The very unique hen.{++ It ran.++}\n\n{~~A red hen~>The end~~}{>>@ada: nicer<<}.\n"
    )
    let all = #"[{"old": "hen", "new": "fox", "replace_all": true}]"#
    #expect(try propose(all).output == draft.replacing("hen", with: "{~~hen~>fox~~}"))
    for (edit, problem) in [
      (#"{"old": "a", "insert_after": "b", "new": ""}"#, "only one of them can be given"),
      (#"{"lines": [3, 2], "new": ""}"#, "edits[0].lines: expected two line numbers"),
      (#"{"lines": [3], "new": ""}"#, "edits[0].lines: expected two line numbers"),
      (#"{"new": ""}"#, "edits[0].old: missing"),
      (#"{"insert_before": "", "new": "x"}"#, "\"insert_before\" is empty"),
    ] {
      let outcome = try propose("[\(edit)]")
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains(problem), "\(outcome.errors)")
    }
  }

  @Test("With --partial the edits that can be made are made, and the others are told")
  func partial() throws {
    let edits = #"[{"old": "very ", "new": ""}, {"old": "fox", "new": "x"}]"#
    #expect(try propose(edits, "--in-place").code == 2)
    #expect(try folder.text("draft.md") == draft)
    let outcome = try propose(edits, "--in-place", "--partial")
    #expect(outcome.code == 1)
    #expect(outcome.errors.contains("draft.md: edit 2 (\"fox\"): \"old\" is not in the clean text"))
    #expect(try folder.text("draft.md") == draft.replacing("very ", with: "{--very --}"))
    #expect(try propose(#"[{"old": "fox", "new": "x"}]"#, "--partial").code == 2)
  }

  @Test("An edit that changes nothing is told, and the others are made")
  func idle() throws {
    try folder.write("draft.md", draft.replacing("\n", with: "\r\n"))
    let edits =
      #"[{"old": "hen.\n\nA", "new": "hen.\r\n\r\nA"}, {"old": "unique", "new": "old\nand grey"}]"#
    let outcome = try propose(edits, "--in-place")
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors
        == "critic-lsp: draft.md: edit 1 (\"hen.…\"): \"old\" and \"new\" are the same; nothing is proposed\n"
    )
    #expect(
      try folder.text("draft.md")
        == draft.replacing("unique", with: "{~~unique~>old\nand grey~~}")
        .replacing("\n", with: "\r\n")
    )
  }

  @Test(
    "--dry-run shows the lines before and after, and writes nothing, whatever else is asked for"
  )
  func dryRun() throws {
    let edits = #"[{"old": "very ", "new": ""}]"#
    let outcome = try propose(edits, "--dry-run", "--in-place", "--color", "never")
    #expect(outcome.code == 0)
    #expect(
      outcome.output == "draft.md:1\n-The very unique hen.\n+The {--very --}unique hen.\n"
    )
    #expect(try folder.text("draft.md") == draft)
  }

  @Test("-o takes the new text, of edits and of a review, and the document stays")
  func output() throws {
    let edits = #"[{"old": "very ", "new": ""}]"#
    let new = draft.replacing("very ", with: "{--very --}")
    let outcome = try propose(edits, "--output", "new/out.md")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(try folder.text("new/out.md") == new)
    #expect(try propose(edits, "-o", "-").output == new)
    let change = #""kind": "substitution", "old": "red", "new": "blue", "decision": "yes""#
    let review =
      #"{"review": 1, "file": "draft.md", "author": "", "items": [{"change": 1, \#(change)}]}"#
    #expect(try propose(review, "--apply", "-o", "out.md").code == 0)
    #expect(
      try folder.text("out.md")
        == draft.replacing("{~~red~>blue~~}{>>@ada: nicer<<}", with: "blue")
    )
    #expect(try folder.text("draft.md") == draft)
  }

  @Test(
    "Every edit that cannot be made is told with its number and the lines, and nothing is written",
    arguments: [
      (
        #"[{"old": "blue", "new": "green"}, {"old": "hen", "new": "fox"}]"#,
        #"draft.md: edit 2 ("hen"): "old" is at 2 places, on lines 1 and 3"#
      ),
      (#"[{"old": "red", "new": "green"}]"#, "on line 3 of the file it is deleted"),
      (#"[{"old": "unique", "new": "{++old++}"}]"#, #""new" has CriticMarkup in it ({++old++})"#),
      (#"[{"old": "", "new": "green"}]"#, "edit 1 (\"\"): \"old\" is empty"),
      (
        #"[{"old": "A blue", "new": "a"}, {"old": "blue hen", "new": "b"}]"#,
        "edit 2 (\"blue hen\"): it overlaps edit 1"
      ),
    ]
  )
  func failures(_ edits: String, _ message: String) throws {
    let outcome = try propose(edits, "--in-place")
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(message))
    #expect(try folder.text("draft.md") == draft)
    #expect(try propose(edits, "--dry-run").code == 2)
  }

  @Test(
    "Edits that are no edits are told by the member, or by the line",
    arguments: [
      (
        #"[{"old": "a", "new": "b"}, {"old": 3, "new": "b"}]"#,
        "standard input: edits[1].old: expected a string"
      ),
      (#"[{"old": "a"}]"#, "edits[0].new: missing"), (#"["a"]"#, "edits[0]: expected an object"),
      (#"{"old": "a"}"#, "edits: expected an array"),
      (
        #"[{"old": "a", "new": "b", "raeson": "c"}]"#,
        #"edits[0].raeson: there is no such member. Did you mean "reason"?"#
      ),
      (
        #"[{"old": "unique", "new": "b", "reason": "write $\beta$"}]"#,
        #"edits[0].reason: it has the control character U+0008; in JSON a backslash is written twice"#
      ),
      (
        #"[{"old": "unique", "new": "$\frac$"}]"#,
        "edits[0].new: it has the control character U+000C"
      ),
      ("[\n {\"old\": a}]", "standard input:2:10: this is no JSON"),
      ("", "standard input:1:1: this is no JSON"),
    ]
  )
  func malformed(_ edits: String, _ message: String) throws {
    let outcome = try propose(edits)
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test(
    "A wrong command line does nothing",
    arguments: [
      (["propose"], "Name one file"), (["propose", "draft.md", "draft.md"], "Name one file"),
      (["propose", "."], "folder"), (["propose", "-"], "--edits"),
      (["propose", "draft.md", "--author", "<<}"], "--author"),
      (["propose", "draft.md", "--edits", "none.json"], "none.json"),
      (["propose", "-", "--in-place", "--edits", "draft.md"], "draft.md"),
      (["propose", "draft.md", "--in-place", "-o", "out.md"], "either -o or --in-place"),
    ]
  )
  func wrongUse(_ arguments: [String], _ message: String) throws {
    let outcome = try folder.run(arguments, input: "[]")
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(try folder.text("draft.md") == draft)
  }

  @Test("A file that nobody may write to is not replaced")
  func readOnly() throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444],
      ofItemAtPath: folder.path("draft.md")
    )
    let outcome = try propose(#"[{"old": "blue", "new": "green"}]"#, "--in-place")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("chmod u+w"))
    #expect(try folder.text("draft.md") == draft)
  }
}
