import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("Command line: guard, around a shell", .timeLimited) struct GuardedShellTests {
  private let draft = "The very unique hen.\n\nA {~~red~>blue~~}{>>@ada: nicer<<} hen.\n"
  private let folder: Folder
  private let state: Folder

  init() throws {
    (folder, state) = (try Folder(), try Folder())
    try folder.write("book/draft.md", draft)
    try folder.write("book/notes.txt", "very unique\n")
  }

  private var environment: [String: String] {
    ["XDG_STATE_HOME": state.url.path, "XDG_RUNTIME_DIR": ""]
  }

  /// Tells the hook of a call of the shell; returns what it says to the agent, nil if nothing.
  private func told(
    _ event: String,
    _ id: String = "one",
    _ tool: String = "Bash",
    _ arguments: [String] = []
  ) throws -> String? {
    let call = """
      {"hook_event_name":"\(event)","cwd":\(json(folder.path("book"))),"session_id":"s","tool_use_id":"\(id)",\
      "tool_name":"\(tool)","tool_input":{"command":"make","file_path":"draft.md","content":"x"}}
      """
    let outcome = try folder.run(
      ["guard", "--author", "ai:m"] + arguments,
      environment: environment,
      input: call
    )
    #expect(outcome.code == 0, "\(outcome.errors)")
    if outcome.output.isEmpty { return nil }
    let told = try JSON(parsing: Array(outcome.output.utf8))["hookSpecificOutput"]
    #expect(told?["hookEventName"]?.string == event)
    return told?["additionalContext"]?.string
  }

  /// What the hook says after a shell.
  private func shell(
    after event: String = "PostToolUse",
    guarding arguments: [String] = [],
    _ command: () throws -> Void
  ) throws -> String? {
    #expect(try told("PreToolUse", "one", "Bash", arguments) == nil)
    try command()
    return try told(event, "one", "Bash", arguments)
  }

  private var kept: [String] { state.names.filter { $0.hasPrefix("critic-lsp/guard/") } }

  @Test(
    "What a shell writes is proposed, and the marks that were there stay",
    arguments: ["PostToolUse", "PostToolUseFailure"]
  )
  func writing(_ event: String) throws {
    let told = try #require(
      try shell(after: event) {
        #expect(kept.count == 1)
        try folder.write("book/draft.md", "The unique hen.\n\nA blue hen.\n")
      }
    )
    #expect(told.contains("draft.md: what was written there was put in as tracked changes"))
    #expect(
      try folder.text("book/draft.md")
        == draft.replacing("The very unique", with: "The {--very --}{>>@ai:m<<}unique")
    )
    #expect(kept.isEmpty)
    // It is told once.
    #expect(try self.told(event) == nil)
  }

  @Test("What a shell writes into a text whose marks are beside it is recorded there")
  func beside() throws {
    #expect(try folder.run("marks", "beside", "book/draft.md").code == 0)
    let clean = "The unique hen.\n\nA blue hen.\n"
    let told = try shell { try folder.write("book/draft.md", clean) }
    #expect(told?.contains("draft.md") == true)
    #expect(try folder.text("book/draft.md") == clean)
    #expect(
      try folder.text("book/draft.md.critic")
        == draft.replacing("The very unique", with: "The {--very --}{>>@ai:m<<}unique")
    )
  }

  @Test("What a shell changes in marks, and what it decides, is proposed or stays as it was")
  func decisions() throws {
    _ = try shell {
      try folder.write(
        "book/draft.md",
        draft.replacing("{~~red~>blue~~}{>>@ada: nicer<<}", with: "red")
      )
    }
    let text = try folder.text("book/draft.md")
    #expect(text.contains("nicer"))
    #expect(try folder.run("export", "--original", "book/draft.md").output.contains("A red hen."))
    #expect(try folder.run("export", "book/draft.md").output.contains("A red hen."))
  }

  @Test("A shell that proposes by itself is left alone, and so is one that changes nothing")
  func proposing() throws {
    let edits = #"[{"old":"very ","new":"","reason":"shorter"}]"#
    let told = try shell {
      let arguments = ["propose", "book/draft.md", "--author", "ai:m", "--in-place"]
      let outcome = try folder.run(arguments, environment: environment, input: edits)
      #expect(outcome.code == 0)
    }
    #expect(told == nil)
    #expect(
      try folder.text("book/draft.md")
        == draft.replacing("very ", with: "{--very --}{>>@ai:m: shorter<<}")
    )
    let marked = try folder.text("book/draft.md")
      .replacing("hen.\n\n", with: "{~~hen~>duck~~}{>>@ai:m<<}.\n\n")
    #expect(try shell { try folder.write("book/draft.md", marked) } == nil)
    #expect(try folder.text("book/draft.md") == marked)
    #expect(try shell { try folder.write("book/draft.md", marked) } == nil)
    #expect(kept.isEmpty)
  }

  @Test(
    "New files stay, of removed ones the agent is told, and other files are none of our business"
  )
  func others() throws {
    try folder.write("book/old.md", "Old.\n")
    let told = try shell {
      try folder.write("book/new.md", "New.\n")
      try folder.write("book/notes.txt", "so unique\n")
      try FileManager.default.removeItem(atPath: folder.path("book/old.md"))
    }
    #expect(told?.contains("old.md: this was removed") == true)
    #expect(told?.contains("\n") == false)
    #expect(try folder.text("book/new.md") == "New.\n")
    #expect(try folder.text("book/notes.txt") == "so unique\n")
    #expect(try folder.text("book/draft.md") == draft)
  }

  @Test("With PATH only what is there is guarded; without, all of the repository is")
  func places() throws {
    try folder.write("other.md", "One.\n")
    try folder.write("more/other.md", "One.\n")
    try folder.write(".git/HEAD", "ref: refs/heads/main\n")
    func write() throws {
      for name in ["book/draft.md", "other.md", "more/other.md"] {
        try folder.write(name, "Two.\n")
      }
    }
    #expect(try shell(guarding: [folder.path("more")], write)?.contains("more/other.md") == true)
    #expect(try folder.text("other.md") == "Two.\n")
    #expect(try folder.text("more/other.md") == "{~~One~>Two~~}{>>@ai:m<<}.\n")
    for name in ["other.md", "more/other.md"] { try folder.write(name, "One.\n") }
    #expect(try shell(write) != nil)
    #expect(try folder.text("other.md") == "{~~One~>Two~~}{>>@ai:m<<}.\n")
  }

  @Test("Calls that run beside each other are told apart, and propose nothing twice")
  func severalCalls() throws {
    try folder.write("book/other.md", "One.\n")
    #expect(try told("PreToolUse", "first") == nil)
    try folder.write("book/draft.md", draft.replacing("very ", with: ""))
    #expect(try told("PreToolUse", "second") == nil)
    #expect(kept.count == 2)
    #expect(try told("PostToolUse", "first")?.contains("draft.md") == true)
    try folder.write("book/other.md", "Two.\n")
    let first = try folder.text("book/draft.md")
    #expect(try told("PostToolUse", "second")?.contains("other.md") == true)
    #expect(try folder.run("export", "book/draft.md").output == "The unique hen.\n\nA blue hen.\n")
    #expect(first == draft.replacing("very ", with: "{--very --}{>>@ai:m<<}"))
    #expect(try told("PostToolUse", "third") == nil)
  }

  @Test("After a tool that was seen before it was called nothing is done")
  func otherTools() throws {
    #expect(try told("PostToolUse", "one", "Write") == nil)
    #expect(try told("PostToolUse", "one", "Read") == nil)
    #expect(try folder.text("book/draft.md") == draft)
  }

  @Test("Line ends, byte order marks and front matter are the file's")
  func bytes() throws {
    let old = "\u{FEFF}---\r\ntitle: A\r\n---\r\n\r\nOne two.\r\nThree.\r\n"
    try folder.write("book/draft.md", old)
    let new = old.replacing("two", with: "2").replacing("title: A", with: "title: B")
    #expect(try shell { try folder.write("book/draft.md", new) } != nil)
    #expect(
      try folder.text("book/draft.md") == new.replacing("2", with: "{~~two~>2~~}{>>@ai:m<<}")
    )
  }

  @Test(
    "Accepting all that is proposed gives what the shell wrote, rejecting what was there",
    arguments: 0..<20
  )
  func laws(_ seed: Int) throws {
    var random = Seeded(seed: UInt64(seed))
    let words = [
      "one ", "two ", "é ", "\n\n", "{++x++}", "{--y--}{>>@a: why<<} ", ". ", "so ", "🙂",
    ]
    func text() -> String {
      (0..<Int.random(in: 1...20, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }.joined() + "\n"
    }
    let (old, new) = (text(), text())
    try folder.write("book/draft.md", old)
    _ = try shell { try folder.write("book/draft.md", new) }
    func variant(_ name: Variant, _ text: String) -> [UInt8] {
      Reading(of: Array(text.utf8)).text(name, of: Array(text.utf8))
    }
    let now = try folder.text("book/draft.md")
    #expect(variant(.clean, now) == variant(.clean, new), "seed \(seed): \(old) → \(new)")
    #expect(variant(.original, now) == variant(.original, old), "seed \(seed): \(old) → \(new)")
  }

  @Test("Files are kept whole, and what is not whole is not taken")
  func keeping() throws {
    try folder.write("book/b c.md", [0xFF, 0x0A, 0x00])
    let place = try #require(Platform.realPath(of: Path(folder.path("book").utf8) ?? ""))
    let kept = KeptFiles(FoundFiles(in: [place]))
    #expect(kept.files.count == 2 && !kept.isShort)
    let contents = kept.contents
    let read = try #require(KeptFiles(contents))
    #expect(read.files == kept.files && read.moment == kept.moment)
    for end in contents.indices {
      let part = KeptFiles(Array(contents[..<end]))
      #expect(part.map { $0.files.count < 2 } ?? true)
    }
    #expect(KeptFiles(FoundFiles(in: [place]), within: 3).isShort)
  }
}
