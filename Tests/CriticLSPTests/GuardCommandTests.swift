import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Command line: guard", .timeLimited) struct GuardCommandTests {
  private let draft = "The very unique hen.\n\nA {~~red~>blue~~}{>>@ada: nicer<<} hen.\n"
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write("book/draft.md", draft)
  }

  /// Tells the hook of a call; returns why it is denied, nil if it is not.
  private func reason(
    _ tool: String,
    _ input: String,
    _ arguments: String...
  ) throws -> String? {
    let call =
      #"{"hook_event_name":"PreToolUse","cwd":\#(json(folder.path("book"))),"tool_name":"\#(tool)","tool_input":\#(input)}"#
    let outcome = try folder.run(["guard"] + arguments, input: call)
    #expect(outcome.code == 0, "\(outcome.errors)")
    if outcome.output.isEmpty { return nil }
    let told = try JSON(parsing: Array(outcome.output.utf8))["hookSpecificOutput"]
    #expect(told?["hookEventName"]?.string == "PreToolUse")
    #expect(told?["permissionDecision"]?.string == "deny")
    return told?["permissionDecisionReason"]?.string
  }

  private func replacing(_ old: String, _ new: String, all: Bool = false) -> String {
    #"{"file_path":"draft.md","old_string":\#(json(old)),"new_string":\#(json(new)),"replace_all":\#(all)}"#
  }

  @Test(
    "What a tool would write is proposed, and the marks that are there stay",
    arguments: [
      ("very unique", "unique", "The {--very --}{>>@ai<<}unique hen."),
      ("unique hen", "odd hen", "The very {~~unique~>odd~~}{>>@ai<<} hen."),
    ]
  )
  func edits(_ old: String, _ new: String, _ line: String) throws {
    let reason = try #require(try reason("Edit", replacing(old, new)))
    #expect(reason.contains("draft.md: this was put in as tracked changes"))
    #expect(
      try folder.text("book/draft.md")
        == draft.replacing("The very unique hen.", with: line)
    )
  }

  @Test("A text that is written without the marks gets them back")
  func writing() throws {
    let content = "The unique hen.\n\nA blue hen.\n\nAnd a fox.\n"
    let input = #"{"file_path":\#(json(folder.path("book/draft.md"))),"content":\#(json(content))}"#
    #expect(try reason("Write", input, "--author", "ai:m") != nil)
    let text = try folder.text("book/draft.md")
    #expect(text.contains("A {~~red~>blue~~}{>>@ada: nicer<<} hen."))
    #expect(text.contains("{--very --}{>>@ai:m<<}"))
    #expect(try folder.run("export", "book/draft.md").output == content)
    #expect(
      try folder.run("export", "--original", "book/draft.md").output
        == "The very unique hen.\n\nA red hen.\n"
    )
  }

  @Test(
    "What an agent accepts by writing it stays a proposal, and what it removes is kept in a comment"
  )
  func accepting() throws {
    #expect(try reason("Edit", replacing("{~~red~>blue~~}{>>@ada: nicer<<}", "blue")) != nil)
    #expect(try folder.text("book/draft.md") == draft)
    let reason = try reason("Edit", replacing("A {~~red~>blue~~}{>>@ada: nicer<<} hen.\n", ""))
    #expect(reason?.contains("1 mark of before had no place in it") == true)
    #expect(try folder.text("book/draft.md").contains("nicer"))
    #expect(
      try folder.run("export", "--original", "book/draft.md").output
        == "The very unique hen.\n\nA red hen.\n"
    )
  }

  @Test("Several edits of one call, and of every place")
  func severalEdits() throws {
    let edits =
      #"[{"old_string":"very ","new_string":""},{"old_string":"hen","new_string":"duck","replace_all":true}]"#
    #expect(try reason("MultiEdit", #"{"file_path":"draft.md","edits":\#(edits)}"#) != nil)
    #expect(
      try folder.run("export", "book/draft.md").output == "The unique duck.\n\nA blue duck.\n"
    )
  }

  @Test(
    "A patch is proposed; line ends are the file's, and blanks at the ends of lines do not matter"
  )
  func patches() throws {
    try folder.write(
      "book/draft.md",
      "# One\r\n\r\nThe hen.  \r\nThe fox.\r\n\r\n# Two\r\n\r\nThe hen.\r\n"
    )
    let patch = """
      *** Begin Patch
      *** Update File: draft.md
      @@ # Two

      -The hen.
      +The duck.
      +And more.
      @@
      *** End Patch
      """
    #expect(try reason("apply_patch", #"{"command":\#(json(patch))}"#) != nil)
    #expect(
      try folder.run("export", "book/draft.md").output
        == "# One\r\n\r\nThe hen.  \r\nThe fox.\r\n\r\n# Two\r\n\r\nThe duck.\r\nAnd more.\r\n"
    )
    let second =
      "*** Begin Patch\n*** Update File: draft.md\n@@\n-The hen.\n+The cat.\n The fox.\n*** End Patch"
    #expect(try reason("apply_patch", #"{"command":\#(json(second))}"#) != nil)
    #expect(
      try folder.run("export", "book/draft.md").output.hasPrefix(
        "# One\r\n\r\nThe cat.\r\nThe fox."
      )
    )
  }

  @Test("A call that does something else as well is to be made in two")
  func mixed() throws {
    let patch =
      "*** Begin Patch\n*** Update File: draft.md\n-The very unique hen.\n+A hen.\n*** Add File: b.md\n+x\n*** End Patch"
    let reason = try reason("apply_patch", #"{"command":\#(json(patch))}"#)
    #expect(reason?.contains("this call also adds, deletes or moves b.md") == true)
    #expect(try folder.text("book/draft.md") == draft)
  }

  @Test("If a part of a patch is done, the rest is not left to the tool")
  func halfDone() throws {
    try folder.write("book/b.md", "Here.\n")
    let first = "*** Update File: draft.md\n-The very unique hen.\n+A hen.\n"
    let second = "*** Update File: b.md\n-There.\n+Where.\n"
    let patch = "*** Begin Patch\n\(first)\(second)*** End Patch"
    let reason = try reason("apply_patch", #"{"command":\#(json(patch))}"#)
    #expect(reason?.contains("b.md: the lines are not there; it was not changed.") == true)
    #expect(try folder.run("export", "book/draft.md").output.hasPrefix("A hen.\n"))
  }

  @Test("Everything else goes on: other tools, new files, other files, calls that will fail")
  func others() throws {
    try folder.write("book/notes.txt", "very unique")
    try folder.write("other.md", "very unique")
    for (tool, input) in [
      ("Bash", #"{"command":"rm draft.md"}"#), ("Read", #"{"file_path":"draft.md"}"#),
      ("Write", #"{"file_path":"new.md","content":"x"}"#),
      ("Edit", #"{"file_path":"notes.txt","old_string":"very","new_string":"x"}"#),
      ("Edit", replacing("not there", "x")), ("Edit", replacing("hen", "duck")),
    ] {
      #expect(try reason(tool, input) == nil, "\(tool) \(input)")
    }
    let outside = #"{"file_path":"../other.md","old_string":"very","new_string":"so"}"#
    #expect(try reason("Edit", outside, folder.path("book")) == nil)
    #expect(try reason("Edit", outside, folder.path("book"), folder.path("other.md")) != nil)
    #expect(try folder.text("book/draft.md") == draft)
  }

  /// The plug-in for OpenCode, as the guide has it.
  private func plugin() throws -> String {
    let guide = try folder.run("help", "agents").output
    let rest = guide.components(separatedBy: ".opencode/plugins/critic-lsp.js:\n\n")
    let block = try #require(rest.count == 2 ? rest[1] : nil).split(
      separator: "\n",
      omittingEmptySubsequences: false
    ).prefix { $0.isEmpty || $0.hasPrefix("    ") }
    return block.map { $0.dropFirst(4) }.joined(separator: "\n")
  }

  @Test("The plug-in for OpenCode takes the same files for Markdown as we do")
  func markdownOfPlugin() throws {
    let test = try #require(try plugin().firstMatch(of: /\/(\\\..*)\/i\.test/))
    let pattern = try Regex(String(test.1)).ignoresCase()
    for end in Markdown.extensions { #expect("draft.\(end)".contains(pattern), "\(end)") }
    for end in ["txt", "mdx", "md.txt"] { #expect(!"draft.\(end)".contains(pattern), "\(end)") }
  }

  /// Tells the plug-in of a call, as OpenCode does; returns why it is denied, nil if it is not.
  private func denial(_ tool: String, _ arguments: String) throws -> String? {
    let output = try output(tool, arguments)
    if output == "called\n" { return nil }
    #expect(output.hasPrefix("denied: "), "\(output)")
    return String(output.dropFirst("denied: ".count))
  }

  /// What the agent is given.
  private func output(_ tool: String, _ arguments: String) throws -> String {
    let program = try #require(Program.url).deletingLastPathComponent().path
    try folder.write("book/plugin.mjs", try plugin())
    try folder.write("book/arguments.json", arguments)
    try folder.write(
      "book/call.mjs",
      """
      import { spawnSync } from "node:child_process"
      import { readFileSync } from "node:fs"
      import { CriticGuard } from "./plugin.mjs"
      const args = JSON.parse(readFileSync("arguments.json"))
      const hooks = await CriticGuard({ directory: process.cwd() })
      const call = { tool: process.argv[2], sessionID: "s", callID: "c" }
      const result = { title: "", output: "called", metadata: {} }
      try {
        await hooks["tool.execute.before"](call, { args })
        if (call.tool === "bash") spawnSync(args.command, { shell: true })
        await hooks["tool.execute.after"](call, result)
        console.log(result.output)
      } catch (error) {
        console.log(`denied: ${error.message}`)
      }
      """
    )
    let outcome = try Shell.run(
      "cd book && PATH='\(program)':\"$PATH\" XDG_STATE_HOME=\"$PWD/state\" node call.mjs \(tool)",
      in: folder
    )
    #expect(outcome.code == 0, "\(outcome.output)")
    return outcome.output
  }

  @Test(
    "The plug-in for OpenCode proposes what its tools would write",
    .enabled(if: Shell.has("node")),
    arguments: [
      ("edit", #"{"filePath":"draft.md","oldString":"very unique","newString":"unique"}"#),
      (
        "edit",
        #"{"filePath":"draft.md","oldString":"","newString":"The unique hen.\n\nA blue hen.\n"}"#
      ),
      ("write", #"{"filePath":"draft.md","content":"The unique hen.\n\nA blue hen.\n"}"#),
      (
        "apply_patch",
        #"{"patchText":"*** Begin Patch\n*** Update File: draft.md\n@@\n-The very unique hen.\n+The unique hen.\n*** End Patch"}"#
      ),
    ]
  )
  func openCode(_ tool: String, _ arguments: String) throws {
    let reason = try #require(try denial(tool, arguments))
    #expect(reason.contains("draft.md: this was put in as tracked changes"))
    #expect(
      try folder.text("book/draft.md")
        == draft.replacing("The very unique", with: "The {--very --}{>>@ai:opencode<<}unique")
    )
  }

  @Test(
    "The plug-in for OpenCode proposes what its shell has written",
    .enabled(if: Shell.has("node"))
  )
  func openCodeShell() throws {
    let output = try output("bash", #"{"command":"sed -i 's/very //' draft.md"}"#)
    #expect(output.hasPrefix("called\n"))
    #expect(output.contains("draft.md: what was written there was put in as tracked changes"))
    #expect(
      try folder.text("book/draft.md")
        == draft.replacing("The very unique", with: "The {--very --}{>>@ai:opencode<<}unique")
    )
  }

  @Test(
    "The plug-in for OpenCode lets nothing else into a draft, and everything else pass",
    .enabled(if: Shell.has("node"))
  )
  func openCodePassing() throws {
    try folder.write("book/code.js", "very unique\n")
    for (tool, arguments) in [
      // OpenCode would find both.
      ("edit", #"{"filePath":"draft.md","oldString":" The very  unique hen.","newString":"x"}"#),
      (
        "apply_patch",
        #"{"patchText":"*** Begin Patch\n*** Update File: draft.md\n@@\n-  The very unique hen.\n+x\n*** End Patch"}"#
      ),
    ] {
      #expect(try denial(tool, arguments)?.contains("letter by letter") == true, "\(arguments)")
    }
    for (tool, arguments) in [
      ("read", #"{"filePath":"draft.md"}"#), ("bash", #"{"command":"ls"}"#),
      ("write", #"{"filePath":"new.md","content":"new"}"#),
      ("edit", #"{"filePath":"code.js","oldString":"very","newString":"so"}"#),
      ("edit", #"{"filePath":"gone.md","oldString":"very","newString":"so"}"#),
      (
        "apply_patch",
        #"{"patchText":"*** Begin Patch\n*** Add File: more.md\n+new\n*** End Patch"}"#
      ),
    ] {
      #expect(try denial(tool, arguments) == nil, "\(tool) \(arguments)")
    }
    #expect(try folder.text("book/draft.md") == draft)
  }

  @Test("A file that cannot be changed is told of, and what is no call fails")
  func failures() throws {
    let place = folder.path("book/draft.md")
    #expect(try folder.run(["guard"], input: "nonsense").code == 2)
    let outcome = try folder.run(
      ["guard"],
      input: #"{"tool_name":"Edit","tool_input":{"file_path":"a.md"}}"#
    )
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("old_string: expected a string"))
    #expect(try folder.text("book/draft.md") == draft, "\(place)")
  }

  @Test("Edits make a text of another", arguments: 0..<200)
  func comparing(_ seed: Int) {
    var random = Seeded(seed: UInt64(seed))
    let words = ["one ", "two ", "é", "\r\n", "\n\n", "{++x++}", ". ", "so ", "🙂"]
    func text() -> [UInt8] {
      (0..<Int.random(in: 0...40, using: &random)).flatMap { _ in
        Array((words.randomElement(using: &random) ?? "").utf8)
      }
    }
    let (old, new) = (text(), text())
    #expect(old.applying([Edit](making: new, of: old)) == new, "seed \(seed)")
  }
}
