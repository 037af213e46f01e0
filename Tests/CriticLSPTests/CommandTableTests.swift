import Foundation
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Command line: help, manual page and completions", .timeLimited) struct CommandTableTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test("No help text has lines of more than 100 columns, or spaces at their ends")
  func width() throws {
    for topic in Subcommand.all.map(\.name) + ["agents", "help"] {
      let text = try #require(Help.text(on: topic))
      for line in text.split(separator: "\n") {
        #expect(line.count <= 100, "\(topic): \(line)")
        #expect(line.last != " ", "\(topic): \(line)")
      }
    }
  }

  @Test(
    "Help is as wide as $COLUMNS says, from 40 columns to 80, and 80 where nothing says",
    arguments: [("", 80), ("wide", 80), ("200", 80), ("61", 61), ("5", 40)]
  )
  func columns(_ columns: String, _ width: Int) throws {
    var longest = 0
    for topic in Subcommand.all.map(\.name) + ["help"] {
      let help = try folder.run(["help", topic], environment: ["COLUMNS": columns])
      // Examples are to be copied as they are.
      for line in help.output.components(separatedBy: "\nExamples:\n")[0].split(separator: "\n") {
        let isWord = !line.drop { $0 == " " }.contains(" ")
        #expect(line.count <= width || isWord, "\(topic): \(line)")
        if !isWord { longest = max(longest, line.count) }
      }
    }
    #expect(longest == width)
  }

  @Test("The manual page and completions are the same however wide the terminal is")
  func sameColumns() throws {
    let shells = ["bash", "zsh", "fish"].map { ["completions", $0] }
    for arguments in [["man"]] + shells {
      let texts = try ["40", "80"].map { columns in
        try folder.run(arguments, environment: ["COLUMNS": columns]).output
      }
      #expect(!texts[0].isEmpty && texts[0] == texts[1])
    }
  }

  @Test("The usage line tells which options exclude each other, which repeat, and what follows")
  func usage() throws {
    let export = try #require(Subcommand.named("export"))
    #expect(
      export.usage
        == "[--clean | --original | --markup] [--to FORMAT] [--trust-html] [--reference DOCX] [--author NAME]"
        + " [-o OUT] [--suffix SUFFIX] [--in-place] [--ext EXT]... [--front-matter] PATH..."
    )
    let changes = try #require(Subcommand.named("changes"))
    #expect(
      changes.usage
        == "[--change N]... [--kind K]... [--lines A:B]... [--comment TAG]... [--author NAME]..."
        + " [--commented-by NAME]... [--since DAY] [--uncommented] [--open] [--conflicts] [--ext EXT]... [--format FORMAT]"
        + " [--color WHEN] PATH..."
    )
    #expect(try #require(Subcommand.named("man")).usage.isEmpty)
  }

  @Test("Every example is a command line that can be understood")
  func examples() throws {
    for command in Subcommand.all {
      #expect(!command.examples.isEmpty, "\(command.name)")
      for example in command.examples {
        let line = example.arguments.prefix { !"|<>".contains($0) }
        let words = line.split(separator: " ").map(String.init)
        #expect(words.first == command.name)
        _ = try ParsedArguments(words.dropFirst().map { Path($0) }, for: command)
      }
    }
  }

  @Test(
    "Options stand anywhere, their values in the next argument or after a sign, up to two dashes",
    arguments: [
      ["x.md", "-o", "y.md", "--original"], ["-oy.md", "--original", "x.md"],
      ["--output=y.md", "x.md", "--original"], ["--original", "--output", "y.md", "--", "x.md"],
    ]
  )
  func options(_ arguments: [String]) throws {
    try folder.write("x.md", "{--a--}{++b++}")
    #expect(try folder.run(["export"] + arguments).code == 0)
    #expect(try folder.text("y.md") == "a")
  }

  @Test(
    "What is nearly right is suggested",
    arguments: [
      (["exprot"], "\"export\""), (["export", "--claen", "x"], "\"--clean\""),
      (["help", "chekc"], "\"check\""), (["accept", "--uncomented", "x"], "\"--uncommented\""),
    ]
  )
  func suggestions(_ arguments: [String], _ word: String) throws {
    let outcome = try folder.run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("Did you mean \(word)?"))
  }

  @Test("The packages for editors are found beside an installed program, also through a link to it")
  func editors() throws {
    let program = try #require(Program.url)
    try folder.write("usr/share/critic-lsp/editors/neovim/README.md", "")
    let bin = folder.url.appending(path: "usr/bin")
    try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
    let installed = bin.appending(path: "critic-lsp")
    try FileManager.default.copyItem(at: program.resolvingSymlinksInPath(), to: installed)
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "linked"),
      withDestinationURL: installed
    )

    let place = folder.url.resolvingSymlinksInPath().path + "/usr/share/critic-lsp/editors"
    for name in ["usr/bin/critic-lsp", "linked"] {
      #expect(try Shell.run("./\(name) editors", in: folder) == (0, place + "\n"))
      #expect(try Shell.run("./\(name) editors neovim", in: folder) == (0, place + "/neovim\n"))
    }
  }

  @Test("Where there are no packages for editors, it is said where they are")
  func noEditors() throws {
    let outcome = try folder.run("editors")
    #expect(outcome.code == 2 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("make install brings them along"))
    #expect(try folder.run("editors", "nano").errors.contains("emacs, helix, jupyterlab"))
  }

  @Test("editors knows each folder of the repository's editors")
  func editorNames() throws {
    var names: [String] = []
    if case .choice(let choices) = Subcommand.editors.operand { names = choices }
    #expect(try names == Repository.names(in: "editors"))
  }

  @Test("docs/agents.md says what help says to agents")
  func agents() throws {
    let guide = try Repository.text("docs/agents.md")
    #expect(try folder.run("help", "agents").output == guide)
  }

  @Test("The skill has the form that agents load: a short text with its name and what it is for")
  func skill() throws {
    let outcome = try folder.run("help", "agents", "--skill")
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    let parts = outcome.output.split(separator: "---\n", maxSplits: 1)
    let (front, body) = (try #require(parts.first), try #require(parts.last))
    let members = front.split(separator: "\n")
    #expect(outcome.output.hasPrefix("---\nname: critic-lsp\ndescription: "))
    #expect(members.count == 2)
    let description = try #require(members.last?.dropFirst("description: ".count))
    #expect(!description.isEmpty && description.count <= 1024)
    // YAML takes neither in a plain value.
    #expect(!description.contains(": ") && !description.contains(" #"))
    #expect(body.split(separator: "\n", omittingEmptySubsequences: false).count < 120)
    for word in ["never", "skill"] {
      let refused = try folder.run("help", "agents", word)
      #expect(refused.code == 2 && refused.output.isEmpty)
    }
  }

  @Test("Every command of the skill does what it says, one after the other")
  func skillCommands() throws {
    let program = try #require(Program.url)
    try folder.write("draft.md", "The very unique hen sat on an egg.\n\nA {~~red~>blue~~} hen.\n")
    let skill = try folder.run("help", "agents", "--skill").output
    // A block of code is a script; a blank line ends it.
    let scripts = skill.components(separatedBy: "\n\n").filter { $0.hasPrefix("    ") }
      .map { $0.split(separator: "\n").map { $0.dropFirst(4) }.joined(separator: "\n") }
    #expect(scripts.count == 5 && scripts.allSatisfy { $0.hasPrefix("critic-lsp ") })
    for script in scripts {
      // There is nobody to wait for.
      let line = script.replacing("--timeout 100", with: "--timeout 0")
      let path = "PATH='\(program.deletingLastPathComponent().path)':\"$PATH\""
      let outcome = try Shell.run("\(path)\nexport PATH\n\(line)\n", in: folder)
      #expect(outcome.code == (script.contains("critic-lsp wait ") ? 1 : 0), "\(script)")
      if script.contains("export") {
        #expect(outcome.output == "The very unique hen sat on an egg.\n\nA blue hen.\n")
      }
    }
    #expect(
      try folder.text("draft.md")
        == "The {--very --}{>>@ai:model: [concision] it has no degrees<<}unique hen "
        + "{==sat on an egg==}{>>@ai:model: Whose egg is it?<<}.\n\n"
        + "A {~~red~>blue~~} {~~hen~>cockerel~~}{>>@ai:model: [accuracy] see page 2<<}.\n"
    )
  }

  @Test("The skill names tools and members that there are")
  func skillWords() throws {
    let skill = try folder.run("help", "agents", "--skill").output
    let guide = try folder.run("help", "agents").output
    let report = try Repository.text("docs/changes-format.md")
    let tools = MCPTool.all.map(\.name)
    let known = tools + ProposedEdit.members + CommentCategory.allCases.map(\.rawValue)
    let quoted = skill.matches(of: /`([a-z_]+)`/).map { String($0.output.1) }
    #expect(quoted.count > 15)
    for word in Set(quoted) where !known.contains(word) {
      #expect(report.contains("`\(word)`") || skill.contains("\"\(word)\": "), "\(word)")
    }
    for word in skill.matches(of: /\[([a-z]+)\]/).map({ String($0.output.1) }) {
      #expect(CommentCategory(rawValue: word) != nil, "\(word)")
    }
    #expect(guide.contains("critic-lsp help agents --skill"))
  }

  @Test("The manual page passes mandoc's lint", .enabled(if: Shell.has("mandoc")))
  func manualPage() throws {
    let page = try folder.run("man")
    #expect(page.code == 0)
    try folder.write("critic-lsp.1", page.output)
    let lint = try Shell.run("mandoc -T lint -W warning critic-lsp.1", in: folder)
    #expect(lint.output.isEmpty && lint.code == 0, "\(lint.output)")
    let text = try Shell.run("mandoc -T utf8 critic-lsp.1 | col -b", in: folder).output
    for command in Subcommand.all {
      for option in command.options { #expect(text.contains(option.name)) }
    }
  }

  @Test("bash completes commands, options, values and paths", .enabled(if: Shell.has("bash")))
  func bash() throws {
    try folder.write("c.bash", try folder.run("completions", "bash").output)
    try folder.write("draft.md", "")
    func completed(_ words: String...) throws -> String {
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      return try Shell.run(
        "bash -c 'source c.bash; COMP_WORDS=(critic-lsp \(list.replacing("'", with: "\""))); "
          + "COMP_CWORD=\(words.count); _critic_lsp; echo ${COMPREPLY[*]}'",
        in: folder
      ).output
    }
    #expect(try completed("acc") == "accept\n")
    #expect(try completed("accept", "--un") == "--uncommented\n")
    #expect(try completed("accept", "--kind", "ad") == "addition\n")
    #expect(try completed("accept", "--kind", "=", "ad") == "addition\n")
    #expect(try completed("export", "dr") == "draft.md\n")
    #expect(try completed("export", "-o", "dr") == "draft.md\n")
    #expect(try completed("completions", "") == "bash zsh fish\n")
    #expect(try completed("help", "ag") == "agents\n")
  }

  @Test("fish completes commands, options and values", .enabled(if: Shell.has("fish")))
  func fish() throws {
    try folder.write("c.fish", try folder.run("completions", "fish").output)
    func completed(_ line: String) throws -> String {
      try Shell.run(
        "HOME=. fish -c 'source c.fish; complete -C \"critic-lsp \(line)\"'",
        in: folder
      )
      .output
    }
    #expect(try completed("acc").hasPrefix("accept\t"))
    #expect(try completed("accept --un").hasPrefix("--uncommented\t"))
    #expect(try completed("accept --kind ad").hasPrefix("addition\t"))
  }

  @Test("zsh completes commands, options, values and paths", .enabled(if: Shell.has("zsh")))
  func zsh() throws {
    try folder.write("_critic-lsp", try folder.run("completions", "zsh").output)
    try folder.write("draft.md", "")
    // A shell in a terminal of its own, which prints the line that it has completed.
    try folder.write(
      "ask.zsh",
      #"""
      zmodload zsh/zpty
      zpty shell 'TERM=dumb zsh -f -i'
      zpty -w shell 'PS1=; bindkey -e; fpath=($PWD $fpath); autoload -Uz compinit; compinit -D -u; print READ''Y'
      zpty -r shell line '*READY*'
      zpty -w -n shell "critic-lsp $1"$'\t'
      zpty -w shell $'\x01print -r "<\x05>"'
      zpty -r shell line $'*\n<*>*'
      print -r -- "${${line##*<}%%>*}"
      """#
    )
    func completed(_ line: String) throws -> String {
      try Shell.run("zsh -f ask.zsh '\(line)'", in: folder).output
    }
    #expect(try completed("acc") == "critic-lsp accept\n")
    #expect(try completed("accept --unc") == "critic-lsp accept --uncommented\n")
    #expect(try completed("accept --kind ad") == "critic-lsp accept --kind addition\n")
    #expect(try completed("editors neo") == "critic-lsp editors neovim\n")
    #expect(try completed("export dr") == "critic-lsp export draft.md\n")
  }
}

/// Other programs.
enum Shell {
  /// Whether a program is there; in a CI it has to be.
  static func has(_ program: String) -> Bool {
    if ProcessInfo.processInfo.environment["CI"] != nil { return true }
    return ["/usr/bin", "/bin", "/usr/local/bin"]
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }

  /// Runs a line of `sh` in a folder; its errors are part of what it writes.
  static func run(_ line: String, in folder: Folder) throws -> (code: Int32, output: String) {
    let output = try PrivatePipe()
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = folder.url
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output.writing
    process.standardError = output.writing
    try Program.start.withLock { try process.run() }
    try output.writing.close()
    let data = try output.reading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
