import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Command line: export", .timeLimited) struct ExportTests {
  private let draft = "a {++b++} {--c--} {~~d~>e~~}{>>f<<} {==g==}\n"
  private let clean = "a b  e g\n"
  private let folder: Folder

  init() throws { folder = try Folder() }

  // MARK: - Variants

  @Test(
    "Each variant is written to standard output, and clean is the default",
    arguments: [
      ("", "a b  e g\n"), ("--clean", "a b  e g\n"), ("--original", "a  c d g\n"),
      ("--markup", "a {++b++} {--c--} {~~d~>e~~}{>>f<<} {==g==}\n"),
    ]
  )
  func variants(_ option: String, _ text: String) throws {
    try folder.write("x.md", draft)
    let outcome =
      option.isEmpty
      ? try folder.run("export", "x.md") : try folder.run("export", option, "x.md")
    #expect(outcome.code == 0)
    #expect(outcome.output == text)
    #expect(outcome.errors.isEmpty)
    #expect(try folder.text("x.md") == draft)
  }

  @Test("A dash is standard input, and two dashes end the options")
  func standardInput() throws {
    #expect(try folder.run("export", "-", input: draft).output == clean)
    try folder.write("-x.md", "{++a++}")
    #expect(try folder.run("export", "--", "-x.md").output == "a")
  }

  @Test("Several files come one after the other, in the order that they are named in")
  func several() throws {
    try folder.write("x.md", "{++x++}\n")
    try folder.write("y.md", "{++y++}\n")
    #expect(try folder.run("export", "y.md", "x.md").output == "y\nx\n")
  }

  @Test("A folder means its Markdown files and those below it, sorted, without hidden ones")
  func folders() throws {
    for name in ["b.md", "a/c.markdown", "a.txt", ".hidden.md", ".git/d.md", "a/d.md"] {
      try folder.write("book/\(name)", "{++\(name)++}\n")
    }
    #expect(try folder.run("export", "book").output == "a/c.markdown\na/d.md\nb.md\n")
  }

  @Test("A folder that holds a link to itself is gone through once")
  func linkedFolders() throws {
    try folder.write("book/x.md", "{++x++}\n")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("book/loop"),
      withDestinationPath: "."
    )
    let outcome = try folder.run("export", "book")
    #expect(outcome.code == 0)
    #expect(outcome.output == "x\n")
  }

  // MARK: - Where to

  @Test("-o writes a file, and makes the folders above it")
  func output() throws {
    try folder.write("x.md", draft)
    for option in ["-o", "--output"] {
      let outcome = try folder.run("export", option, "new/deep/out.md", "x.md")
      #expect(outcome.code == 0)
      #expect(outcome.output.isEmpty)
      #expect(try folder.text("new/deep/out.md") == clean)
      #expect(try folder.text("x.md") == draft)
    }
  }

  @Test("-o with a folder keeps the names, and for a folder its shape")
  func outputFolder() throws {
    try folder.write("x.md", "{++x++}")
    try folder.write("book/a/y.md", "{++y++}")
    try folder.write("out/other.txt", "stays")
    #expect(try folder.run("export", "-o", "out", "x.md", "book").code == 0)
    #expect(try folder.text("out/x.md") == "x")
    #expect(try folder.text("out/a/y.md") == "y")
    #expect(try folder.text("out/other.txt") == "stays")
    #expect(try folder.run("export", "-o", "out", "--original", "x.md").code == 0)
    #expect(try folder.text("out/x.md").isEmpty)
  }

  @Test("Several files do not go into one")
  func outputOfSeveral() throws {
    for name in ["x.md", "y.md", "out.md"] { try folder.write(name, "{++\(name)++}") }
    let outcome = try folder.run("export", "-o", "out.md", "x.md", "y.md")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("out.md"))
    #expect(try folder.text("out.md") == "{++out.md++}")
  }

  @Test("Several files make no folder with the name of a Markdown file, unless a slash asks for it")
  func outputLikeFile() throws {
    for name in ["x.md", "y.md", "book/z.md"] { try folder.write(name, "{++\(name)++}") }
    for operands in [["x.md", "y.md"], ["book"]] {
      let outcome = try folder.run(["export", "-o", "out.md"] + operands)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("-o out.md/"), "\(outcome.errors)")
    }
    #expect(!folder.names.contains("out.md"))
    #expect(try folder.run("export", "-o", "out.md/", "x.md", "y.md").code == 0)
    #expect(try folder.text("out.md/y.md") == "y.md")
  }

  @Test("-o with a dash is standard output, for every command that has it")
  func outputDash() throws {
    try folder.write("x.md", draft)
    for option in ["-o-", "--output=-"] {
      #expect(try folder.run("export", option, "x.md").output == clean)
    }
    #expect(try folder.run("export", "-o", "-", "x.md", "-", input: "b").output == clean + "b")
    #expect(try folder.run("diff", "-o", "-", "x.md", "x.md").output == draft)
    #expect(try folder.run("export", "--in-place", "-o", "-", "x.md").code == 2)
    #expect(folder.names == ["x.md"])
  }

  @Test("Standard input is named once", arguments: ["export", "accept", "changes", "check"])
  func onceStandardInput(_ command: String) throws {
    let outcome = try folder.run(command, "-", "-", input: draft)
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("Only one document can be standard input"))
  }

  @Test("Two files never go to the same place")
  func outputClash() throws {
    try folder.write("a/x.md", "{++a++}")
    try folder.write("b/x.md", "{++b++}")
    try folder.write("out/readme.txt", "")
    let outcome = try folder.run("export", "-o", "out", "a/x.md", "b/x.md")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("x.md"))
  }

  // MARK: - In place

  @Test("--in-place replaces the files and leaves nothing else after")
  func inPlace() throws {
    try folder.write("x.md", draft)
    try folder.write("book/y.md", "{--y--}")
    let outcome = try folder.run("export", "--in-place", "x.md", "book")
    #expect(outcome.code == 0)
    #expect(outcome.output.isEmpty)
    #expect(try folder.text("x.md") == clean)
    #expect(try folder.text("book/y.md").isEmpty)
    #expect(folder.names == ["book", "book/y.md", "x.md"])
  }

  @Test("--in-place keeps a file's mode", arguments: [0o600, 0o644, 0o755, 0o640])
  func mode(_ mode: Int) throws {
    try folder.write("x.md", draft)
    try FileManager.default.setAttributes(
      [.posixPermissions: mode],
      ofItemAtPath: folder.path("x.md")
    )
    #expect(try folder.run("export", "--in-place", "x.md").code == 0)
    #expect(try folder.text("x.md") == clean)
    #expect(try folder.attributes("x.md")[.posixPermissions] as? Int == mode)
  }

  @Test("--in-place keeps a symbolic link and replaces what it names")
  func symbolicLink() throws {
    try folder.write("far/x.md", draft)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.md"),
      withDestinationPath: "far/x.md"
    )
    #expect(try folder.run("export", "--in-place", "link.md").code == 0)
    #expect(try folder.text("far/x.md") == clean)
    #expect(try folder.attributes("link.md")[.type] as? FileAttributeType == .typeSymbolicLink)
  }

  @Test("--in-place does not touch a file that stays the same")
  func untouched() throws {
    try folder.write("x.md", "plain\n")
    try folder.write("y.md", draft)
    func number(_ name: String) throws -> Int? {
      try folder.attributes(name)[.systemFileNumber] as? Int
    }
    let (same, other) = (try number("x.md"), try number("y.md"))
    #expect(same != nil)
    #expect(try folder.run("export", "--in-place", "x.md", "y.md").code == 0)
    #expect(try number("x.md") == same)
    #expect(try number("y.md") != other, "a file that changes is replaced in one step")
    #expect(try folder.run("export", "--in-place", "--markup", "y.md").code == 0)
  }

  @Test(
    "Bytes outside marks stay as they are",
    arguments: [
      (Array("a {++b++}\r\nc\r\n".utf8), Array("a b\r\nc\r\n".utf8)),
      (Array("a {++b++}".utf8), Array("a b".utf8)),
      (
        [0xFF, 0xFE, 0x0A] + Array("{++".utf8) + [0xC3, 0x28] + Array("++}\0".utf8) + [0xE2, 0x82],
        [0xFF, 0xFE, 0x0A, 0xC3, 0x28, 0, 0xE2, 0x82]
      ),
      ([0xEF, 0xBB, 0xBF] + Array("{--a--}\r".utf8), [0xEF, 0xBB, 0xBF, 0x0D]), ([], []),
    ] as [([UInt8], [UInt8])]
  )
  func bytes(_ old: [UInt8], _ new: [UInt8]) throws {
    try folder.write("x.md", old)
    #expect(try folder.run("export", "-o", "out.md", "x.md").code == 0)
    #expect(try folder.bytes("out.md") == new)
    #expect(try folder.run("export", "--in-place", "x.md").code == 0)
    #expect(try folder.bytes("x.md") == new)
  }

  // MARK: - Errors

  @Test("A file that is not there is named, and keeps nobody else's text back")
  func missing() throws {
    try folder.write("x.md", draft)
    let outcome = try folder.run("export", "no/such.md", "x.md")
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("critic-lsp: "))
    #expect(outcome.errors.contains("no/such.md"))
    #expect(outcome.output == clean)
  }

  @Test(
    "Standard output that cannot be written is a failure",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))
  )
  func fullOutput() throws {
    try folder.write("x.md", draft)
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let null = FileHandle.nullDevice
    let program = try RunningProgram(
      ["export", "x.md"],
      in: folder.url,
      input: null,
      output: full,
      errors: null
    )
    #expect(try program.exitCode() == 2)
  }

  @Test(
    "A reader that has gone has seen what it wanted: nothing is told, and nothing has failed",
    arguments: [["export", "x.md", "no/such.md"], ["help"], ["demo"], ["--version"]]
  )
  func readerGone(_ arguments: [String]) throws {
    try folder.write("x.md", String(repeating: draft, count: 1000))
    let (output, errors) = (try PrivatePipe(), try PrivatePipe())
    try output.reading.close()
    let program = try RunningProgram(
      arguments,
      in: folder.url,
      input: FileHandle.nullDevice,
      output: output.writing,
      errors: errors.writing
    )
    try errors.writing.close()
    #expect(try program.exitCode() == 0)
    #expect(try errors.reading.readToEnd() ?? Data() == Data())
  }

  @Test(
    "A wrong command line is told on standard error, with the way to help, and does nothing",
    arguments: [
      (["export", "--tidy", "x.md"], "--tidy"), (["export", "-x", "x.md"], "-x"),
      (["export"], "export"), (["export", "--clean"], "export"),
      (["export", "--clean", "--original", "x.md"], "--original"),
      (["export", "--in-place", "-o", "y.md", "x.md"], "--in-place"),
      (["export", "--in-place", "-"], "input"), (["export", "x.md", "-o"], "-o"),
    ]
  )
  func wrongUse(_ arguments: [String], _ name: String) throws {
    try folder.write("x.md", draft)
    let outcome = try folder.run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("critic-lsp: "))
    #expect(outcome.errors.contains(name))
    #expect(outcome.errors.hasSuffix("Try \"critic-lsp help export\".\n"))
    #expect(folder.names == ["x.md"])
    #expect(try folder.text("x.md") == draft)
  }
}

@Suite("Command line: help and demo", .timeLimited) struct HelpTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test("Help is written to standard output", arguments: [["help"], ["--help"], ["-h"]])
  func overview(_ arguments: [String]) throws {
    let outcome = try folder.run(arguments)
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    for command in ["export", "demo", "serve", "replay", "help"] {
      #expect(outcome.output.contains("\n  \(command) "))
    }
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 100 && $0.last != " " })
  }

  @Test(
    "Every command has its help, however it is asked for",
    arguments: ["export", "demo", "serve", "replay"]
  )
  func topics(_ command: String) throws {
    let help = try folder.run("help", command)
    #expect(help.code == 0)
    #expect(help.output.hasPrefix("Usage: critic-lsp \(command)"))
    for option in ["--help", "-h"] {
      let outcome = try folder.run(command, option)
      #expect(outcome.code == 0)
      #expect(outcome.output == help.output)
    }
  }

  @Test("The version is one line")
  func versionLine() throws {
    for option in ["--version", "-V", "version"] {
      let outcome = try folder.run(option)
      #expect(outcome.code == 0)
      #expect(outcome.output == "critic-lsp \(version)\n")
    }
  }

  @Test(
    "What is not known is named",
    arguments: [
      (["tidy"], "tidy"), (["--tidy"], "--tidy"), (["help", "tidy"], "tidy"),
      (["tidy", "--help"], "tidy"), (["serve", "--tidy"], "--tidy"),
      (["serve", "--record"], "--record"),
      (["demo", "tidy"], "demo"), (["replay"], "replay"), (["replay", "a", "b"], "replay"),
    ]
  )
  func unknown(_ arguments: [String], _ name: String) throws {
    let outcome = try folder.run(arguments)
    #expect(outcome.code == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("critic-lsp: "))
    #expect(outcome.errors.contains(name))
  }

  @Test("The demo shows tracking, undo and review, plain where there is no terminal")
  func demo() throws {
    let outcome = try folder.run("demo")
    #expect(outcome.code == 0)
    #expect(outcome.errors.isEmpty)
    #expect(!outcome.output.contains("\u{1B}"))
    let text = outcome.output.replacing("\n    ", with: "\n")
    for part in [
      "The quick {++brown ++}fox jumps over the {~~lazy~>sleepy~~} dog.",
      "The quick brown fox jumps over the {~~lazy~>sleepy~~}{>>gentler<<} dog.",
      "--clean\nThe quick brown fox jumps over the sleepy dog.\nIt is not amused.\n",
      "--original\nThe quick brown fox jumps over the lazy dog.\nIt is not amused.\n",
    ] {
      #expect(text.contains(part))
    }
  }
}

@Suite("Command line: serve and replay", .timeLimited) struct ServeTests {
  private static let initialize =
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"#
    + #""clientInfo":{"name":"Neovim"},"capabilities":{"workspace":{"applyEdit":true}},"#
    + #""initializationOptions":{"tracking":"on","idleDelay":20}}}"#
  private static let shutdown = #"{"jsonrpc":"2.0","id":"é","method":"shutdown"}"#
  private static let exit = #"{"jsonrpc":"2.0","method":"exit"}"#
  private static let open =
    #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":"#
    + #"{"uri":"file:///draft.md","languageId":"markdown","version":1,"text":"one two\n"}}}"#

  private static func insert(_ text: String, _ character: Int, version: Int) -> String {
    #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":"#
      + #"{"uri":"file:///draft.md","version":\#(version)},"contentChanges":[{"range":"#
      + #"\#(Wire.range(0, character, 0, character)),"text":\#(json(text))}]}}"#
  }

  @Test("Messages may be split anywhere", arguments: [1, 2, 7, 64, 10_000])
  func framing(_ size: Int) throws {
    let server = try ServerProcess()
    let bytes = [ServeTests.initialize, ServeTests.shutdown, ServeTests.exit]
      .flatMap { Framing.frame(Array($0.utf8)) }
    for start in stride(from: 0, to: bytes.count, by: size) {
      try server.send(bytes[start..<min(start + size, bytes.count)])
    }
    #expect(try server.next()["id"]?.integer == 1)
    #expect(try server.next()["id"]?.string == "é")
    #expect(try server.exitCode() == 0)
  }

  @Test("Noise is answered and the session goes on")
  func noise() throws {
    let server = try ServerProcess("serve")
    try server.send("hello\r\n\r\n".utf8)
    try server.post("{", ServeTests.initialize)
    let answers = [try server.next(), try server.next(), try server.next()]
    #expect(answers.map(\.code) == [-32_700, -32_700, nil])
    #expect(answers.last?["result"] != nil)
  }

  @Test("Hanging up ends the server with 1, after shutdown with 0")
  func hangUp() throws {
    for isShutDown in [false, true] {
      let server = try ServerProcess("--stdio")
      try server.post(ServeTests.initialize)
      _ = try server.next()
      if isShutDown {
        try server.post(ServeTests.shutdown)
        _ = try server.next()
      }
      try server.hangUp()
      #expect(try server.exitCode() == (isShutDown ? 0 : 1))
    }
  }

  @Test("A client that no longer listens ends the server")
  func deaf() throws {
    let server = try ServerProcess()
    try server.post(ServeTests.initialize)
    _ = try server.next()
    try server.stopListening()
    try server.post(ServeTests.shutdown)
    #expect(try server.exitCode() != 2)
  }

  @Test("The server does not outlive the process that it was started for")
  func deadClient() throws {
    let null = FileHandle.nullDevice
    let client = try RunningProgram(["--version"], input: null, output: null, errors: null)
    #expect(try client.exitCode() == 0)
    let server = try ServerProcess()
    try server.post(
      ServeTests.initialize.replacing(
        #""processId":null"#,
        with: #""processId":\#(client.identifier)"#
      )
    )
    _ = try server.next()
    #expect(try server.exitCode() == 1)
  }

  @Test("What is typed is marked when the time has come, with no message to wake the server")
  func idle() throws {
    let server = try ServerProcess()
    try server.post(ServeTests.initialize, ServeTests.open, ServeTests.insert("x", 4, version: 2))
    let request = try server.next { $0["method"]?.string == "workspace/applyEdit" }
    let edits = request["params"]?["edit"]?["documentChanges"]?.first?["edits"]
    #expect(edits?.elements.map { $0["newText"]?.string } == ["{++", "++}"])
  }

  @Test("A recorded session is replayed with the same answers, and a changed answer is told")
  func recordAndReplay() throws {
    let folder = try Folder()
    let server = try ServerProcess("serve", "--record", folder.path("x.session"))
    try server.post(
      ServeTests.initialize.replacing(#""processId""#, with: "\n\"processId\""),
      ServeTests.open,
      ServeTests.insert("x\u{2028}😀", 4, version: 2)
    )
    let request = try server.next { $0["method"]?.string == "workspace/applyEdit" }
    let id = try #require(request["id"]?.integer)
    try server.post(
      #"{"jsonrpc":"2.0","id":\#(id),"result":{"applied":true}}"#,
      ServeTests.shutdown,
      ServeTests.exit
    )
    #expect(try server.exitCode() == 0)

    let recorded = try folder.text("x.session")
    let same = try folder.run("replay", "x.session")
    #expect(same.code == 0, "\(same.errors)")
    #expect(same.output == recorded)
    #expect(recorded.contains("<-- "))

    try folder.write("y.session", recorded.replacing(#""newText":"++}""#, with: #""newText":"+}""#))
    let other = try folder.run("replay", "y.session")
    #expect(other.code == 1)
    #expect(other.output == recorded)
    let lines = recorded.split(separator: "\n", omittingEmptySubsequences: false)
    let changed = try #require(lines.firstIndex { $0.contains(#""newText":"++}""#) })
    #expect(other.errors.contains("y.session, line \(changed + 1): "))
    #expect(other.errors.contains(#""newText":"+}""#))
  }

  @Test("A session is replayed however its messages are laid out, and though they are no text")
  func layout() throws {
    let folder = try Folder()
    let server = try ServerProcess("serve", "--record", folder.path("x.session"))
    let initialize = ServeTests.initialize.replacing(
      #""processId":null"#,
      with: #""processId":null,"trace":"verbose""#
    )
    for body in [initialize, ServeTests.open] {
      let object = try JSONSerialization.jsonObject(with: Data(body.utf8))
      let pretty = try JSONSerialization.data(withJSONObject: object, options: .prettyPrinted)
      let text = String(decoding: pretty, as: UTF8.self)
      #expect(text.contains("\n"))
      try server.post(text.replacing("\n", with: "\r\n") + "\n")
    }
    // None of these is JSON.
    try server.post(#"{"jsonrpc":"2.0","id":7,"method":"a\#nb"}"#, "\n\n", "{\n")
    try server.send(Framing.frame([0x22, 0xC3, 0x28, 0x22]))
    try server.send("no\rheader\r\n\r\n".utf8)
    try server.post(ServeTests.shutdown, ServeTests.exit)
    #expect(try server.exitCode() == 0)
    let same = try folder.run("replay", "x.session")
    #expect(same.code == 0, "\(same.errors)")
    let lines = same.output.split(separator: "\n")
    let refusals = lines.filter { $0.hasPrefix("<-- ") && $0.contains(#""error":{"code":-32700"#) }
    #expect(refusals.filter { !$0.contains("logTrace") }.count == 5)
  }

  @Test("A record is for its owner alone, and takes no other file's place")
  func newRecord() throws {
    let folder = try Folder()
    let server = try ServerProcess("serve", "--record", folder.path("x.session"))
    try server.post(ServeTests.initialize, ServeTests.shutdown, ServeTests.exit)
    #expect(try server.exitCode() == 0)
    #expect(try folder.attributes("x.session")[.posixPermissions] as? Int == 0o600)

    let recorded = try folder.text("x.session")
    for (name, target) in [("link", "x.session"), ("dangling", "y.session")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name),
        withDestinationPath: target
      )
    }
    for name in ["x.session", "link", "dangling"] {
      let outcome = try folder.run("serve", "--record", name)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("\(name) is there already"))
      #expect(outcome.errors.contains("remove"))
    }
    #expect(try folder.text("x.session") == recorded)
    #expect(folder.names == ["dangling", "link", "x.session"])
  }

  @Test("What cannot be replayed is named with its line")
  func notReplayed() throws {
    let folder = try Folder()
    try folder.write("x.session", "# fine\n@12\nhello\n")
    try folder.write("y.session", "@soon\n")
    for (name, part) in [
      ("no.session", "no.session"), ("x.session", "line 3"), ("y.session", "line 1"),
    ] {
      let outcome = try folder.run("replay", name)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains(name))
      #expect(outcome.errors.contains(part))
    }
  }

  @Test("A record that cannot be written is told before the session begins")
  func noRecord() throws {
    let outcome = try Folder().run("serve", "--record", "no/such/folder/x.session")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("no/such/folder/x.session"))
  }
}
