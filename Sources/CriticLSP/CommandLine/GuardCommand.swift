import JSONRPC
import TrackEngine

extension Subcommand {
  /// `critic-lsp guard`: what an agent would write into a document becomes proposals.
  static let guardWrites = Subcommand(
    name: "guard",
    summary: "a hook for agents: what they would write into a document is proposed instead",
    operands: "[PATH...]",
    description: [
      "Reads from standard input what an agent is about to do, as it tells its hooks before each call of a tool"
        + " (PreToolUse). If that writes a Markdown file that is there, or a file named as PATH, what would be"
        + " changed is put into the file as changes, with the marks and comments that are in it, and the agent is told that"
        + " it is done. Everything else goes on as ever, and new files are written.",
      "Before a call of a shell (Bash) the Markdown files of the repository are copied, or those of the folder where it is"
        + " none, or what PATH names. After it (PostToolUse) what the shell changed in them becomes changes, too, and the agent"
        + " is told: in the editor that has the file open, which gets the file back as it was, or else in the file. What an"
        + " editor has saved meanwhile is the writer's and stays.",
      "With PATH only these files, in whatever language they are, and the Markdown files in these folders are guarded.",
    ],
    options: [.guardedAuthor, .watch],
    notes: [
      "The tools Write, Edit, MultiEdit, apply_patch and Bash are known. A mark that has no place in what the agent writes"
        + " goes into a comment at the end of the text, and the agent is told.",
      "A file that is open in an editor is changed there. If that cannot be done, nothing is written, and the agent is told"
        + " why; what a shell has written is put into the file as changes then.",
      "Files that a shell makes stay, and of those that it removes the agent is told. A git checkout changes files, too, so"
        + " name the drafts that are meant. What a shell writes in the background, when its call is over, only --watch sees."
        + " Of a shell \(FoundFiles.mostFiles) files are watched, of 4 MB each and 64 MB together.",
      "--watch asks the server of the editor that has a file open what was saved there. Where no editor with a server has it"
        + " open, it cannot tell the writer from the agent, and takes all that is written as the agent's.",
    ],
    examples: [
      Example(
        "guard",
        "for Claude Code, Codex or OpenCode; \"critic-lsp help agents\" says where it stands"
      ),
      Example("guard --author ai:claude chapters", "only what is in chapters"),
      Example("guard --watch --author ai:model chapters", "beside an agent without hooks"),
    ],
    exitCodes:
      "0 done, or none of our business, 1 a shell's files cannot be copied, 2 wrong use, or what is read is no call of a tool.",
    run: guardWrites
  )

  private static func guardWrites(_ arguments: ParsedArguments) throws -> Int32 {
    let author = try arguments.authorName(of: .guardedAuthor) ?? AuthorName("ai")
    if arguments.has(.watch) { try watchWrites(arguments, by: author) }
    let json: JSON
    let shell: ShellCall?
    let call: ToolCall
    do {
      json = try JSON(parsing: try Platform.contents(of: "-"))
      shell = try ShellCall(json)
      call = try ToolCall(json)
    } catch let failure as Platform.Failure {
      throw failure
    } catch let error as ResponseError {
      throw Platform.Failure(description: "standard input is no call of a tool: \(error.message)")
    } catch {
      throw Platform.Failure(description: "standard input is no call of a tool: \(error)")
    }
    let guarded = arguments.operands.compactMap(Platform.realPath)
    let places = arguments.operands.isEmpty ? nil : guarded
    if let shell {
      return try shell.isOver ? proposeWhatWasWritten(shell, by: author) : keepFiles(shell, places)
    }
    // What another tool was to write was seen before it was called.
    if let event = json["hook_event_name"]?.string, event != "PreToolUse" { return 0 }
    let writes = call.writes.filter { isGuarded($0.path, in: places) }
    guard let first = writes.first else { return 0 }
    // Half of a call cannot be done for the agent.
    if call.besides != nil || writes.count < call.writes.count {
      let what = call.besides ?? "changes other files"
      try deny(
        "\(first.path) has tracked changes, and this call also \(what). Change it in a call of its own."
      )
      return 0
    }
    var told: [String] = []
    for write in writes {
      do throws(Platform.Failure) {
        let outcome = try propose(write, by: author)
        // A tool that would fail says why itself, unless something of the call is done already.
        if outcome == nil, told.isEmpty { return 0 }
        told.append(outcome ?? "\(write.path): the lines are not there; it was not changed.")
      } catch {
        told.append("\(error.description); it was not changed.")
      }
    }
    try deny(told.joined(separator: "\n"))
    return 0
  }

  private static func isGuarded(_ path: Path, in guarded: [Path]?) -> Bool {
    guard let file = Platform.realPath(of: path), !Platform.isFolder(file) else { return false }
    // A file that is named itself may be in any language.
    if guarded?.contains(file) == true { return true }
    return Markdown.isMarkdown(file: path.bytes)
      && guarded?.contains { file.from($0) != nil } ?? true
  }

  /// Puts what would be written into the file, as changes; nil if the tool would fail by itself.
  private static func propose(
    _ write: FileWrite,
    by author: AuthorName?
  ) throws(Platform.Failure) -> String? {
    var last: Carrying?
    var fails = false
    func edits(_ text: [UInt8]) -> [Edit] {
      guard let new = write.made(of: text) else {
        fails = true
        return []
      }
      var options = Carrying.Options(Language(of: write.path))
      options.author = author
      options.isAppending = true
      let carrying = Carrying(of: text, onto: new, options)
      last = carrying
      return [Edit](making: new.applying(carrying.edits), of: text, as: options.language)
    }
    var isInEditor = false
    if case .inEditor = try FilePlace(write.path).propose(edits) { isInEditor = true }
    if fails { return nil }
    return told("\(write.path): this", isInEditor: isInEditor, left: last?.left.count ?? 0)
  }

  /// What an agent is told of what it wrote, of which so many marks of before have no place in it.
  static func told(_ written: String, isInEditor: Bool, left count: Int) -> String {
    "\(written) was put in as tracked changes, which the writer accepts or rejects; do not write it again."
      + (isInEditor ? " It is open in an editor, which shows it now; the writer saves it." : "")
      + (count == 0
        ? ""
        : " \(counted(count, "mark")) of before had no place in it, and stand in comments at the end.")
  }

  /// Tells the agent that the tool is not to be called, and why.
  private static func deny(_ reason: String) throws(Platform.Failure) {
    try answerHook(
      "PreToolUse",
      ["permissionDecision": "deny", "permissionDecisionReason": reason]
    )
  }

  /// Tells the agent something about an event that its hooks were told of.
  static func answerHook(
    _ event: String,
    _ members: KeyValuePairs<StaticString, String>
  ) throws(Platform.Failure) {
    var writer = JSONWriter()
    writer.object {
      $0.member(
        "hookSpecificOutput",
        object: {
          $0.member("hookEventName", event)
          for (name, value) in members { $0.member(name, value) }
        }
      )
    }
    try Console.write(writer.bytes + Array("\n".utf8))
  }
}

extension Subcommand.Option {
  fileprivate static let guardedAuthor = Self(
    "--author",
    nil,
    .text("NAME"),
    "who is named on each change; ai if it is not given"
  )
  fileprivate static let watch = Self(
    "--watch",
    "no hook: watch PATH until interrupted, and propose what is written there past the editor"
  )
}
