import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("A text and its sidecar", .timeLimited) struct SidecarTests {
  private static let marked = "The {~~red~>big~~} hen sat {++down ++}here.\nIt is {--not --}late.\n"
  private static let clean = "The big hen sat down here.\nIt is late.\n"
  private static let original = "The red hen sat here.\nIt is not late.\n"

  /// What somebody makes of the clean text who types marks, or what only looks like them.
  private static let typed = [
    clean, clean.replacing("hen", with: "hen{>>why big?<<}"),
    clean.replacing("big hen", with: "{==big hen==}"),
    clean.replacing("hen", with: "hen {++just++}"),
    clean.replacing("It is", with: "{++It is++} {--very --}"),
    clean.replacing("sat", with: "{~~sat~>stood~~}"), clean.replacing("hen", with: "{++hen"),
    clean.replacing("hen", with: "hen++}"), clean.replacing("late", with: "later {>>sure?"),
  ]

  /// How a text can be written.
  enum Form: CaseIterable {
    case plain
    case carriage
    case marked
    case unended

    func text(_ text: String) -> String {
      switch self {
      case .plain: text
      case .carriage: text.replacing("\n", with: "\r\n")
      case .marked: "\u{FEFF}\(text)"
      case .unended: String(text.dropLast())
      }
    }
  }

  // MARK: - One reading

  @Test(
    "The server and the command line read a pair alike, and no save of what is there loses a change"
  )
  func doors() throws {
    let folder = try Folder()
    var (files, pairs) = ([String](), [(text: String, sidecar: String)]())
    for typed in Self.typed {
      for form in Form.allCases {
        for other in [form, .plain] {
          pairs.append((form.text(typed), other.text(Self.marked)))
        }
      }
    }
    pairs.append(("The {++big++} hen.\n", "The {~~red~>big~~} hen.\n"))
    for (number, pair) in pairs.enumerated() {
      files.append("\(number).md")
      try folder.write("\(number).md", pair.text)
      try folder.write("\(number).md.critic", pair.sidecar)
    }
    let texts = try variants(files, in: folder)
    let server = try ServerProcess(state: try Folder())
    try server.post(
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{"#
        + #""workspace":{"applyEdit":true}}}}"#,
      #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#
    )
    for (number, file) in files.enumerated() {
      let uri = "file://\(folder.path(file))"
      let shown = pairs[number].text.replacing("\u{FEFF}", with: "")
      func command(_ id: Int, _ variant: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"workspace/executeCommand","params":{"command":"#
          + #""critic.export","arguments":[{"uri":"\#(uri)","variant":"\#(variant)"}]}}"#
      }
      try server.post(
        #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"\#(uri)","#
          + #""languageId":"markdown","version":1,"text":\#(json(shown))}}}"#,
        command(10 + 2 * number, "clean"),
        command(11 + 2 * number, "original")
      )
      let told = try [10, 11].map { id in
        try server.answer(to: id + 2 * number)["result"]?.string
      }
      #expect(told == texts[file], "\(pairs[number])")
      try server.post(
        #"{"jsonrpc":"2.0","method":"textDocument/didSave","params":{"textDocument":"#
          + #"{"uri":"\#(uri)"},"text":\#(json(shown))}}"#
      )
    }
    try server.post(
      #"{"jsonrpc":"2.0","id":3,"method":"shutdown"}"#,
      #"{"jsonrpc":"2.0","method":"exit"}"#
    )
    #expect(try server.exitCode() == 0)
    for (number, pair) in pairs.enumerated() {
      #expect(try folder.text(files[number]) == pair.text)
      #expect(folder.names.contains("\(files[number]).critic"), "\(pair)")
    }
    #expect(try variants(files, in: folder) == texts)
  }

  /// The clean and the original text of files, as the command line tells them; by name.
  private func variants(_ files: [String], in folder: Folder) throws -> [String: [String]] {
    for variant in ["clean", "original"] {
      let outcome = try folder.run(["export", "--\(variant)", "--suffix", ".\(variant)"] + files)
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    return try Dictionary(
      uniqueKeysWithValues: files.map { file in
        let texts = try ["clean", "original"].map { variant in
          try folder.text(file.replacing(".md", with: ".\(variant).md"))
            .replacing("\u{FEFF}", with: "")
        }
        let lines = texts[1].replacing("\r\n", with: "\n")
        if lines.hasPrefix("The red hen sat") {
          #expect(lines == Self.original || lines == String(Self.original.dropLast()), "\(file)")
        }
        return (file, texts)
      }
    )
  }

  @Test(
    "Texts that are not open, and those that agents ask for, are read alike, too",
    arguments: [
      ("The {++big++} hen.\n", "The {~~red~>big~~} hen.\n", true),
      ("The big hen{>>why?<<}.\n", "The {~~red~>big~~} hen.\n", true),
      ("The big hen.\n", "The {~~red~>bi", false),
      ("The {~~red~>big~~} {++old ++}hen.\n", "The {~~red~>big~~} hen.\n", false),
    ]
  )
  func closed(_ text: String, _ sidecar: String, _ isUsed: Bool) throws {
    let folder = try Folder()
    try folder.write("draft.md", text)
    try folder.write("draft.md.critic", sidecar)
    let outcome = try folder.run("export", "--original", "draft.md")
    #expect((outcome.code == 0) == isUsed)

    let disk = Disk(["/book/draft.md": text, "/book/draft.md.critic": sidecar])
    let wire = Wire.fresh
    try wire.request(
      "initialize",
      #"{"processId":null,"rootUri":"file:///book","capabilities":{"workspace":"#
        + #"{"applyEdit":true,"symbol":{},"textDocumentContent":{}}}}"#
    )
    wire.notify("initialized")
    let uri = ContentKey(.original, of: .file("/book/draft.md")).uri
    let id = wire.begin("workspace/textDocumentContent", #"{"uri":\#(json(uri))}"#)
    wire.work(on: disk)
    let shown = try #require(wire.answer(to: id))
    #expect(shown["result"]?["text"]?.string == (isUsed ? outcome.output : nil))
    let reason = shown["error"]?["message"]?.string ?? ""
    #expect(isUsed ? reason.isEmpty : outcome.errors.hasSuffix("\(reason.dropLast())\n"))
    let found = try wire.search("", on: disk).compactMap { $0["name"]?.string }
    if isUsed { #expect(found.contains { $0.contains("red") }) }
    #expect(disk.files["/book/draft.md.critic"] == sidecar)

    let call =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"changes","#
      + #""arguments":{"path":"draft.md"}}}"#
    let answer = try JSON(
      parsing: Array(try folder.run(["mcp", "."], input: call + "\n").output.utf8)
    )
    #expect(answer["result"]?["isError"]?.bool == !isUsed)
    let told = answer["result"]?["content"]?.first?["text"]?.string ?? ""
    #expect(told.contains(isUsed ? "red" : reason.dropLast()), "\(told)")
  }

  @Test(
    "The marks are in a text that holds the same as its sidecar, which goes when the text is saved",
    arguments: [
      (marked, marked), (marked.replacing("\n", with: "\r\n"), marked),
      (marked, String(marked.dropLast())), (String(marked.dropLast()), marked),
    ]
  )
  func same(_ text: String, _ sidecar: String) throws {
    let path = "/home/writer/draft.md"
    let disk = Disk([path: text, path + ".critic": sidecar])
    let client = try SimulatedClient(
      text,
      manner: .helix,
      options: #"{"tracking":"auto"}"#,
      disk: disk
    )
    #expect(try client.command("status")["marks"]?.string == "inline")
    client.save()
    #expect(disk.files[path] == text)
    #expect(disk.files[path + ".critic"] == nil)
    let folder = try Folder()
    try folder.write("draft.md", text)
    try folder.write("draft.md.critic", sidecar)
    #expect(try folder.run("export", "--original", "draft.md").output.hasPrefix("The red hen"))
    #expect(try folder.run("marks", "inline", "draft.md").code == 0)
    #expect(folder.names == ["draft.md"])
    #expect(try folder.text("draft.md") == text)
  }

  // MARK: - What cannot be used

  /// Pairs that cannot be used, and why.
  private static let unusable: [(text: String, sidecar: String, reason: String)] = [
    (
      clean, "The\n<<<<<<< HEAD\n{~~red~>big~~}\n=======\nbig\n>>>>>>> other\n hen.\n",
      "git's conflict markers"
    ),
    (
      "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n",
      "<<<<<<< HEAD\n{++a++}\n=======\nb\n>>>>>>> x\n", "git's conflict markers"
    ),
    (clean, "", "is empty"),
    (clean, "The {~~red~>big~~} hen sa", "may be half written"),
    (clean, "The {~~red~>big~~} hen sat {++do", "may be half written"),
    (clean.replacing("\n", with: "\r\n"), "The {~~red~>bi", "may be half written"),
    (marked.replacing("late", with: "very late"), marked, "in it, and other changes"),
    ("Something else.\n", "0123456789 0123456789 0123456789\n", "is of another text"),
  ]

  @Test(
    "What cannot be used is left alone by every command, and told with a remedy",
    arguments: unusable
  )
  func refused(_ text: String, _ sidecar: String, _ reason: String) throws {
    let folder = try Folder()
    try folder.write("draft.md", text)
    try folder.write("draft.md.critic", sidecar)
    for command in [
      ["changes"], ["check"], ["export"], ["accept", "--in-place"], ["reject", "--in-place"],
      ["marks", "beside"], ["marks", "inline"],
    ] {
      let outcome = try folder.run(command + ["draft.md"])
      #expect(outcome.code == 2, "\(command)")
      #expect(outcome.errors.contains("draft.md.critic"), "\(command)")
      #expect(outcome.errors.contains(reason), "\(command): \(outcome.errors)")
    }
    #expect(try folder.text("draft.md") == text)
    #expect(try folder.text("draft.md.critic") == sidecar)
    #expect(folder.names == ["draft.md", "draft.md.critic"])
  }

  @Test("The server leaves it alone, too, and does not track the text", arguments: unusable)
  func refusedByServer(_ text: String, _ sidecar: String, _ reason: String) throws {
    let path = "/home/writer/draft.md"
    let disk = Disk([path: text, path + ".critic": sidecar])
    let client = try SimulatedClient(
      text,
      manner: .neovim,
      options: #"{"tracking":"on","marking":"idle","idleDelay":60}"#,
      disk: disk
    )
    #expect(try client.command("status")["tracking"]?.bool == false)
    #expect(client.shown.contains { $0.hasPrefix("draft.md.critic ") })
    let logged = client.notifications.filter { $0.method == "window/logMessage" }
    #expect(logged.contains { $0.params?["message"]?.string?.contains(reason) == true })
    client.change(0..<0, "x")
    client.pause()
    client.save()
    client.pause()
    #expect(client.buffer == "x" + text)
    #expect(disk.files[path + ".critic"] == sidecar)
  }

  @Test(
    "A sidecar that ends within a line or a mark is half written, wherever that is",
    arguments: [
      marked, "The {~~r\u{E9}d~>big~~} hen {++{==sat==}{>>d\u{E9}j\u{E0}?<<} ++}here.\n",
      marked.replacing("\n", with: "\r\n"),
    ]
  )
  func cut(_ sidecar: String) {
    let whole = Array(sidecar.utf8)
    let clean = Text(Reading(of: whole).text(.clean, of: whole))
    for count in 0..<whole.count {
      let cut = Array(whole.prefix(count))
      // One that ends with a line, be it without the break, can be whole.
      let breaks = Array("\r\n".utf8)
      let isWhole = breaks.contains(whole[count]) || cut.last.map(breaks.contains) == true
      for form in [cut, EffectRunner.text(cut)] {
        let reading = SidecarReading(of: clean, form, Tracker.Options(.markdown))
        var refusal: SidecarRefusal?
        if case .refused(let found) = reading { refusal = found }
        let expected: SidecarRefusal? = count == 0 ? .empty : isWhole ? nil : .cut
        #expect(refusal == expected, "\(String(decoding: cut, as: UTF8.self))")
      }
    }
  }

  @Test(
    "What only resembles that is used",
    arguments: [
      // A text about git, whose code shows a conflict.
      (
        "A:\n\n```\n<<<<<<< a\n=======\n>>>>>>> b\n```\n",
        "{~~An~>A~~}:\n\n```\n<<<<<<< a\n=======\n>>>>>>> b\n```\n"
      ),
      // One to which something was appended, or whose last line was edited.
      (clean + "More.\n", marked),
      ("One two.\nMore.\nAnd more.\n", "One {++two++}."), ("One, two.\n", "One {++two++}."),
      // One of two marks, typed into the text.
      (clean.replacing("late", with: "{--not --}late"), marked),
    ]
  )
  func used(_ text: String, _ sidecar: String) throws {
    let folder = try Folder()
    try folder.write("draft.md", text)
    try folder.write("draft.md.critic", sidecar)
    let outcome = try folder.run("export", "draft.md")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output == text)
  }

  // MARK: - Both or neither

  /// Commands that change both files, or move the marks, and what they begin with.
  private static let changes: [(command: [String], text: String, sidecar: String?)] = [
    (["marks", "beside"], marked, nil), (["marks", "beside"], marked, marked),
    (["marks", "inline"], clean, marked),
    (["marks", "inline"], clean.replacing("hen", with: "cat"), marked),
    (["accept", "--in-place"], clean, marked), (["reject", "--in-place"], clean, marked),
    (["reject", "--kind", "deletion", "--in-place"], clean.replacing("hen", with: "cat"), marked),
  ]

  private func lay(_ text: String, _ sidecar: String?, in folder: Folder) throws {
    for name in folder.names { try FileManager.default.removeItem(atPath: folder.path(name)) }
    try folder.write("draft.md", text)
    if let sidecar { try folder.write("draft.md.critic", sidecar) }
  }

  private func reading(_ folder: Folder) throws -> [UInt8] {
    try FilePlace(Path(folder.path("draft.md"))).markedContents()
  }

  /// A folder with both files after a command, and what they read as before it and then.
  private func changed(
    by command: [String],
    _ text: String,
    _ sidecar: String?
  ) throws -> (folder: Folder, before: [UInt8], after: [UInt8]) {
    let folder = try Folder()
    try lay(text, sidecar, in: folder)
    let before = try reading(folder)
    #expect(try folder.run(command + ["draft.md"]).code == 0)
    return (folder, before, try reading(folder))
  }

  @Test("If one of both files that change is read-only, neither is changed", arguments: changes)
  func readOnly(_ command: [String], _ text: String, _ sidecar: String?) throws {
    let folder = try Folder()
    for name in ["draft.md", "draft.md.critic"] {
      try lay(text, sidecar, in: folder)
      let known = folder.names
      guard known.contains(name) else { continue }
      // These leave one of the files as it is.
      if command.first == "accept", name == "draft.md" { continue }
      if sidecar == text, name != "draft.md" { continue }
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o444],
        ofItemAtPath: folder.path(name)
      )
      let outcome = try folder.run(command + ["draft.md"])
      #expect(outcome.code == 2, "\(command)")
      #expect(outcome.errors.contains("\(name) is read-only"))
      #expect(folder.names == known)
      #expect(try folder.text("draft.md") == text)
      if let sidecar { #expect(try folder.text("draft.md.critic") == sidecar) }
    }
  }

  @Test(
    "If nothing can be written, neither file is changed, and nothing is left",
    arguments: changes
  )
  func full(_ command: [String], _ text: String, _ sidecar: String?) throws {
    let folder = try Folder()
    try lay(text, sidecar, in: folder)
    let known = folder.names
    let program = try #require(Program.url).path
    let line = "trap '' XFSZ; ulimit -f 0; '\(program)' \(command.joined(separator: " ")) draft.md"
    let outcome = try Shell.run(line, in: folder)
    #expect(outcome.code == 2, "\(outcome.output)")
    #expect(folder.names == known)
    #expect(try folder.text("draft.md") == text)
    if let sidecar { #expect(try folder.text("draft.md.critic") == sidecar) }
  }

  @Test(
    "If only the sidecar does not fit on the disk, the text is not changed either",
    arguments: [
      ["reject", "--kind", "deletion", "--in-place"],
      ["accept", "--kind", "addition", "--in-place"],
    ]
  )
  func fullForSidecar(_ command: [String]) throws {
    let folder = try Folder()
    let comment = String(repeating: "why? ", count: 400)
    let sidecar = Self.marked.replacing("late.", with: "late.{>>\(comment)<<}")
    try lay(Self.clean.replacing("sat", with: "stood"), sidecar, in: folder)
    let before = try reading(folder)
    let program = try #require(Program.url).path
    let line = "trap '' XFSZ; ulimit -f 1; '\(program)' \(command.joined(separator: " ")) draft.md"
    let outcome = try Shell.run(line, in: folder)
    #expect(outcome.code == 2, "\(outcome.output)")
    #expect(try reading(folder) == before)
    #expect(try folder.text("draft.md") == Self.clean.replacing("sat", with: "stood"))
    #expect(folder.names == ["draft.md", "draft.md.critic"])
  }

  /// The calls that change what others can read, and with `RUNS` those between them.
  private static let calls =
    ["?write", "?fsync", "?renameat,?renameat2", "?unlinkat"]
    + (runs(1) > 1 ? ["?openat", "?fchmod", "?fchown", "?flock", "?fcntl", "?close"] : [])

  @Test(
    "Whoever is killed at a system call has changed both files or neither",
    .enabled(if: Shell.has("strace")),
    arguments: changes
  )
  func killed(_ command: [String], _ text: String, _ sidecar: String?) throws {
    let (folder, before, after) = try changed(by: command, text, sidecar)
    let program = try #require(Program.url).path
    for call in Self.calls {
      for number in 1...200 {
        try lay(text, sidecar, in: folder)
        let outcome = try Shell.run(
          "strace -f -qq -o /dev/null -e trace='\(call)' -e 'inject=\(call):signal=KILL:when=\(number)'"
            + " '\(program)' \(command.joined(separator: " ")) draft.md",
          in: folder
        )
        let found = try reading(folder)
        #expect(found == before || found == after, "\(call) \(number)")
        if outcome.code == 0 { break }
        try #require(number < 200, "\(outcome.output)")
      }
    }
  }

  @Test(
    "Between any two of its steps a change has changed both files or neither",
    arguments: changes
  )
  func stages(_ command: [String], _ text: String, _ sidecar: String?) throws {
    let (folder, before, after) = try changed(by: command, text, sidecar)
    let (newText, newSidecar) = (
      try folder.bytes("draft.md"), try? folder.bytes("draft.md.critic")
    )
    try lay(text, sidecar, in: folder)
    let change = SidecarChange(of: try Sidecar(of: try FilePlace(Path(folder.path("draft.md")))))
    let known = try change.begin()
    let isSame = newText == Array(text.utf8)
    change.plan(known, newSidecar, with: isSame ? nil : newText)
    guard change.isChanging else { return }
    try change.check()
    #expect(try reading(folder) == before)
    let file = try change.prepare()
    #expect(try reading(folder) == before)
    try change.expectUnchanged()
    try file?.move()
    change.notePut()
    #expect(try reading(folder) == (isSame ? after : before))
    if !isSame {
      change.cancel()
      #expect(try reading(folder) == before)
      #expect(folder.names.count == (sidecar == nil ? 1 : 2))
      try change.prepare()?.move()
      change.notePut()
    }
    try folder.write("draft.md", newText)
    #expect(try reading(folder) == after)
    try change.finish()
    #expect(try reading(folder) == after)
    #expect(folder.names.count == (newSidecar == nil ? 1 : 2))
  }

  @Test("What was left by whoever was killed is taken up or removed by the next to write")
  func recovers() throws {
    let folder = try Folder()
    let rejected = "The red hen sat {++down ++}here.\nIt is {--not --}late.\n"
    let new = Self.clean.replacing("big", with: "red")
    let path = Path(folder.path("draft.md"))
    for (text, reading) in [(Self.clean, Self.marked), (new, rejected)] {
      try lay(text, Self.marked, in: folder)
      try folder.write("draft.md.critic.new", rejected)
      #expect(try self.reading(folder) == Array(reading.utf8))
      #expect(
        EffectRunner.sidecar(of: .file(path), atMost: 4096) == .text(Array(reading.utf8))
      )
      #expect(folder.names.count == 3)
      #expect(EffectRunner.sidecar(of: .file(path)) == .text(Array(reading.utf8)))
      #expect(folder.names == ["draft.md", "draft.md.critic"])
      #expect(try folder.text("draft.md.critic") == reading)
      try folder.write("draft.md.critic", Self.marked)
      try folder.write("draft.md.critic.new", rejected)
      let command = ["accept", "--kind", "addition", "--in-place", "draft.md"]
      #expect(try folder.run(command).code == 0)
      #expect(try folder.text("draft.md") == text)
      #expect(try folder.text("draft.md.critic") == reading.replacing("{++down ++}", with: "down "))
      #expect(folder.names == ["draft.md", "draft.md.critic"])
    }
  }

  // MARK: - Others at the same files

  /// Lays a pair that the tests of this part begin with.
  private func pair(
    _ text: String = "a b c\n",
    _ sidecar: String? = "a {++b ++}c\n"
  ) throws -> Folder {
    let folder = try Folder()
    try lay(text, sidecar, in: folder)
    return folder
  }

  private func started(_ arguments: [String], in folder: Folder) throws -> RunningProgram {
    try RunningProgram(
      arguments,
      in: folder.url,
      input: FileHandle.nullDevice,
      output: FileHandle.nullDevice,
      errors: FileHandle.nullDevice
    )
  }

  #if os(Linux)
    @Test("A text that is saved while the sidecar is waited for is not overwritten")
    func savedMeanwhile() throws {
      let folder = try pair("a b c\n", "a {++b ++}{--d --}c\n")
      try folder.write("other", "a b c\nOne more line.\n")
      let file = open(folder.path("draft.md.critic"), O_WRONLY | O_CLOEXEC)
      try #require(file >= 0)
      let command = ["reject", "--kind", "deletion", "--in-place", "draft.md"]
      let program = try started(command, in: folder)
      // The new text and the new sidecar.
      while folder.names.filter({ $0.hasPrefix(".critic-lsp-") }).count < 2 {
        try #require(try folder.text("draft.md") == "a b c\n", "it did not wait")
      }
      #expect(rename(folder.path("other"), folder.path("draft.md")) == 0)
      close(file)
      #expect(try program.exitCode() == 0)
      #expect(try folder.text("draft.md") == "a b d c\nOne more line.\n")
      #expect(folder.names == ["draft.md", "draft.md.critic"])
    }

    @Test(
      "A command that a signal ends while it waits leaves both as they were, and nothing else",
      arguments: [SIGTERM, SIGINT, SIGHUP]
    )
    func signals(_ signal: Int32) throws {
      for (command, text, sidecar) in [
        (["marks", "inline"], Self.clean.replacing("hen", with: "cat"), Self.marked),
        (["reject", "--kind", "deletion", "--in-place"], Self.clean, Self.marked),
      ] {
        let folder = try pair(text, sidecar)
        let file = open(folder.path("draft.md.critic"), O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        let program = try started(command + ["draft.md"], in: folder)
        while folder.names.filter({ $0.hasPrefix(".critic-lsp-") }).count < 2 {
          try #require(folder.text("draft.md") == text, "it did not wait")
        }
        kill(program.identifier, signal)
        #expect(try program.exitCode() == signal)
        #expect(folder.names == ["draft.md", "draft.md.critic"])
        #expect(try folder.text("draft.md") == text)
        #expect(try folder.text("draft.md.critic") == sidecar)
      }
    }
  #endif

  /// Does something at a moment of the change of a sidecar.
  private final class Watched: Companion {
    private let change: SidecarChange
    private let beforePut: () -> Void

    init(_ change: SidecarChange, beforePut: @escaping () -> Void) {
      (self.change, self.beforePut) = (change, beforePut)
    }

    var isChanging: Bool { change.isChanging }
    func check() throws(Platform.Failure) { try change.check() }
    func prepare() throws(Platform.Failure) -> TemporaryFile? { try change.prepare() }
    func discard() { change.discard() }
    func expectUnchanged() throws(Platform.Failure) {
      beforePut()
      try change.expectUnchanged()
    }
    func notePut() { change.notePut() }
    func cancel() { change.cancel() }
    func finish() throws(Platform.Failure) { try change.finish() }
  }

  @Test("What comes into the text at the last moment is taken up with the sidecar")
  func writtenLate() throws {
    let folder = try pair()
    let old = try FileHandle(forWritingTo: folder.url.appending(path: "draft.md"))
    let place = try FilePlace(folder.file("draft.md"))
    let change = SidecarChange(of: try Sidecar(of: place))
    var rounds = 0
    let watched = Watched(change) {
      rounds += 1
      if rounds == 1 { try? old.write(contentsOf: Data("x y c\n".utf8)) }
    }
    _ = try place.change(with: watched) { (bytes) throws(Platform.Failure) in
      let text = String(decoding: bytes, as: UTF8.self)
      let found = try change.begin().map { String(decoding: $0, as: UTF8.self) }
      #expect(found == "a {++b ++}c\n")
      let isOld = text == "a b c\n"
      let new = Array((isOld ? "a c\n" : "x c\n").utf8)
      let marked = Array((isOld ? "a c{>>done<<}\n" : "x {>>done<<}c\n").utf8)
      change.plan(Array("a {++b ++}c\n".utf8), marked, with: new)
      return { $0.append(new) }
    }
    #expect(rounds == 2)
    #expect(try folder.text("draft.md") == "x c\n")
    #expect(try folder.text("draft.md.critic") == "x {>>done<<}c\n")
    #expect(folder.names == ["draft.md", "draft.md.critic"])
  }

  @Test("If another program saves the text in the end, its sidecar is that of what was put there")
  func savedLate() throws {
    let folder = try pair()
    let old = try FileHandle(forWritingTo: folder.url.appending(path: "draft.md"))
    let place = try FilePlace(folder.file("draft.md"))
    let change = SidecarChange(of: try Sidecar(of: place))
    var rounds = 0
    let watched = Watched(change) {
      if rounds == 1 { try? old.write(contentsOf: Data("x y c\n".utf8)) }
    }
    _ = try place.change(with: watched) { (bytes) throws(Platform.Failure) in
      rounds += 1
      _ = try change.begin()
      if rounds == 2 { try? folder.write("draft.md", "a c\nOne more line.\n") }
      let marked = rounds == 1 ? "a c{>>done<<}\n" : "x {>>done<<}c\n"
      let new = Array((rounds == 1 ? "a c\n" : "x c\n").utf8)
      change.plan(Array("a {++b ++}c\n".utf8), Array(marked.utf8), with: new)
      return { $0.append(new) }
    }
    #expect(rounds == 2)
    #expect(try folder.text("draft.md") == "a c\nOne more line.\n")
    #expect(try folder.text("draft.md.critic") == "a c{>>done<<}\n")
    #expect(folder.names == ["draft.md", "draft.md.critic"])
  }

  @Test("What is left of a sidecar that somebody has removed never takes the place of a new one")
  func stale() throws {
    let folder = try pair("a {++b ++}c\n", nil)
    try folder.write("draft.md.critic.new", "a b {--c--}{>>old<<}c\n")
    #expect(try folder.run("marks", "beside", "draft.md").code == 0)
    #expect(folder.names == ["draft.md", "draft.md.critic"])
    #expect(try folder.text("draft.md.critic") == "a {++b ++}c\n")
    #expect(try folder.run("export", "--markup", "draft.md").output == "a {++b ++}c\n")
  }

  @Test("A sidecar that somebody has removed is written again, if the text is its clean text")
  func removed() throws {
    let folder = try pair("a b c\n", nil)
    let sidecar = try Sidecar(of: FilePlace(folder.file("draft.md")))
    let marked = Array("a {++b ++}c\n".utf8)
    try sidecar.write(marked) { $0 != nil }
    #expect(try folder.bytes("draft.md.critic") == marked)
    #expect(try folder.text("draft.md") == "a b c\n")
    try lay("a {++b ++}c\n", nil, in: folder)
    #expect(throws: Platform.Failure.self) { try sidecar.write(marked) { $0 != nil } }
    #expect(folder.names == ["draft.md"])
  }

  @Test("After an edit of the text the one of two sidecars counts that is nearer to it")
  func nearer() throws {
    let more = "One more line.\n"
    let proposed = Self.marked.replacing("hen", with: "hen{++ and cock++}{>>why?<<}")
    let new = Self.clean.replacing("hen", with: "hen and cock")
    for (text, sidecar) in [(new, proposed), (Self.clean, Self.marked)] {
      for command in [["export", "--original"], ["marks", "inline"]] {
        let folder = try pair(text + more, Self.marked)
        try folder.write("draft.md.critic.new", proposed)
        let outcome = try folder.run(command + ["draft.md"])
        #expect(outcome.code == 0)
        if command.first == "export" {
          #expect(outcome.output == Self.original)
        } else {
          let added = "{++\n\(more.dropLast())++}\n"
          #expect(try folder.text("draft.md") == sidecar.dropLast() + added)
          #expect(folder.names == ["draft.md"])
        }
      }
    }
  }

  @Test("Marks that are moved beside a text while a command waits for it are changed there")
  func movedMeanwhile() throws {
    let folder = try pair("a {++b ++}c\n", nil)
    let file = open(folder.path("draft.md"), O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(flock(file, LOCK_EX) == 0)
    let program = try started(["accept", "--in-place", "draft.md"], in: folder)
    // Long enough for it to look for a sidecar, and if not, it finds it at once.
    Platform.sleep(500)
    try folder.write("draft.md.critic", "a {++b ++}c\n")
    try folder.write("other", "a b c\n")
    #expect(rename(folder.path("other"), folder.path("draft.md")) == 0)
    #expect(try program.exitCode() == 0)
    #expect(try folder.text("draft.md") == "a b c\n")
    #expect(try folder.text("draft.md.critic") == "a b c\n")
  }

  @Test("A sidecar that goes while it is read is none")
  func goes() throws {
    let folder = try pair()
    let (path, other) = (folder.path("draft.md.critic"), folder.path("draft.md.critic.away"))
    let isDone = Guarded(false)
    let moving = Thread {
      while !isDone.with({ $0 }) {
        rename(path, other)
        rename(other, path)
      }
    }
    moving.start()
    defer { isDone.with { $0 = true } }
    for _ in 0..<5000 {
      let found = String(decoding: try reading(folder), as: UTF8.self)
      #expect(["a b c\n", "a {++b ++}c\n"].contains(found))
    }
  }

  // MARK: - Conflicts

  private static let conflict = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n"

  @Test("A text with a conflict that its sidecar has not is refused until that is settled")
  func conflictInText() throws {
    let text = "a b c\n\n\(Self.conflict)"
    let folder = try pair(text)
    for command in [["changes"], ["export"], ["accept", "--in-place"], ["marks", "inline"]] {
      let outcome = try folder.run(command + ["draft.md"])
      #expect(outcome.code == 2, "\(command)")
      #expect(outcome.errors.contains("draft.md has git's conflict markers; settle"))
    }
    #expect(try folder.text("draft.md") == text)
    #expect(try folder.text("draft.md.critic") == "a {++b ++}c\n")
    try folder.write("draft.md", "a b c\n\nours\n")
    #expect(try folder.run("export", "--original", "draft.md").output == "a c\n")
  }

  @Test("Conflict markers within a mark are those of a writer, and a text may show them in code")
  func conflictOfWriter() throws {
    let sidecar = "a {++b\n\n\(Self.conflict)\n++}c\n"
    var folder = try pair("a b\n\n\(Self.conflict)\nc\n", sidecar)
    #expect(try folder.run("export", "--original", "draft.md").output == "a c\n")
    folder = try pair("a b\n\nc\n", sidecar)
    #expect(try folder.run("export", "--original", "draft.md").output == "a c\n")
    folder = try pair("a b c\n\n```\n\(Self.conflict)```\n")
    #expect(try folder.run("export", "--original", "draft.md").output == "a c\n")
  }

  @Test("Marks are put beside a text only if they can be read there")
  func besideConflict() throws {
    let text = "a {++b ++}c\n\n\(Self.conflict)"
    let folder = try pair(text, nil)
    let outcome = try folder.run("marks", "beside", "draft.md")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("draft.md: its marks cannot be put beside it"))
    #expect(outcome.errors.contains("git's conflict markers"))
    #expect(folder.names == ["draft.md"])
    #expect(try folder.text("draft.md") == text)
  }

  // MARK: - Other outputs

  @Test("No command writes its result onto a text that has its marks beside it")
  func outputs() throws {
    let folder = try pair()
    try folder.write("x.md", "x {++y++}\n")
    try folder.write("y.md", "x z\n")
    try folder.write("z.md", "x w\n")
    for command in [
      ["export", "x.md"], ["export", "--clean", "x.md"], ["diff", "y.md", "z.md"],
      ["combine", "y.md", "z.md", "x.md"], ["convert", "--to", "obsidian", "x.md"],
      ["accept", "x.md"], ["reject", "x.md"], ["propose", "y.md"],
    ] {
      let outcome = try folder.run(
        command + ["-o", "draft.md"],
        input: #"[{"old": "z", "new": "v"}]"#
      )
      #expect(outcome.code == 2, "\(command)")
      #expect(
        outcome.errors.contains(
          "draft.md has its marks in draft.md.critic; put them back first: critic-lsp marks inline draft.md"
        ),
        "\(outcome.errors)"
      )
      #expect(try folder.text("draft.md") == "a b c\n")
    }
    #expect(folder.names.count == 5)
  }

  @Test(
    "What is made of a text and its sidecar goes to another file, and both stay",
    arguments: [
      (["accept"], "a b c\n"), (["reject"], "a c\n"), (["propose"], "a {++b ++}{~~c~>d~~}\n"),
    ]
  )
  func elsewhere(_ command: [String], _ text: String) throws {
    let folder = try pair()
    let outcome = try folder.run(
      command + ["draft.md", "-o", "out.md"],
      input: #"[{"old": "c", "new": "d"}]"#
    )
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(try folder.text("out.md") == text)
    #expect(try folder.text("draft.md") == "a b c\n")
    #expect(try folder.text("draft.md.critic") == "a {++b ++}c\n")
  }

  @Test("Of a text with several names the marks of one are moved, and that is told")
  func names() throws {
    for (command, text, sidecar) in [
      ("beside", "a {++b ++}c\n", nil), ("inline", "a b c\n", "a {++b ++}c\n"),
    ] {
      let folder = try pair(text, sidecar)
      #expect(link(folder.path("draft.md"), folder.path("other.md")) == 0)
      let outcome = try folder.run("marks", command, "draft.md")
      #expect(outcome.code == 0)
      #expect(outcome.errors.contains("draft.md had 2 names"))
      #expect(try folder.text("other.md") == text)
    }
  }

  // MARK: - Renamed texts

  @Test(
    "A sidecar follows its text, with what waits beside it, and only to a text that has none",
    arguments: [
      // What lies beside `draft.md`, what waits there, and what lies beside `end.md` then.
      (SidecarTests.marked, nil, SidecarTests.marked),
      (SidecarTests.original, SidecarTests.marked, SidecarTests.marked),
      (SidecarTests.marked, SidecarTests.original, SidecarTests.marked),
      (nil, SidecarTests.marked, nil),
    ] as [(String?, String?, String?)]
  )
  func renamed(_ sidecar: String?, _ waiting: String?, _ moved: String?) throws {
    let folder = try pair(Self.clean, sidecar)
    if let waiting { try folder.write("draft.md.critic.new", waiting) }
    let old = try Sidecar(of: FilePlace(folder.file("draft.md")))
    try folder.write("part/end.md", Self.clean)
    let new = try Sidecar(of: FilePlace(folder.file("part/end.md")))
    let before = folder.names
    // The text is still there.
    #expect(try !old.move(to: new))
    #expect(folder.names == before)
    #expect(rename(folder.path("draft.md"), folder.path("part/end.md")) == 0)
    #expect(try old.move(to: new) == (moved != nil))
    #expect(try new.place.contentsIfThere() == moved.map { Array($0.utf8) })
    guard moved != nil else { return }
    #expect(folder.names == ["part", "part/end.md", "part/end.md.critic"])
    #expect(try folder.run("export", "--markup", "part/end.md").output == moved)
    // Back again, where another lies by now.
    #expect(rename(folder.path("part/end.md"), folder.path("draft.md")) == 0)
    try folder.write("draft.md.critic", Self.clean)
    #expect(throws: Platform.Failure.self) { try new.move(to: old) }
    #expect(try folder.text("draft.md.critic") == Self.clean)
    #expect(try folder.text("part/end.md.critic") == moved)
  }

  // MARK: - Without a text

  @Test("A sidecar whose text is not there is told by check and changes, and by no other command")
  func orphans() throws {
    let folder = try Folder()
    try folder.write("book/a.md", "One.\n")
    #expect(try folder.run("check", "book").code == 0)
    try folder.write("book/part/draft.md.critic", "Two {++big ++}hens.{>>why?<<} {++\n")
    let told = "book/part/draft.md.critic:1:1: its text is not there; "
    let checked = try folder.run("check", "book")
    #expect(checked.code == 1)
    let lines = checked.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.hasPrefix(told) == true)
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("book/part/draft.md.critic:1:") })
    #expect(try folder.run("check", "--malformed", "book").code == 0)
    let listed = try folder.run("changes", "book")
    #expect(listed.code == 0)
    #expect(listed.output.contains("book/part/draft.md.critic:1:5: 1 addition “big ”"))
    #expect(listed.errors.contains("book/part/draft.md.critic: its text is not there"))
    let sarif = try folder.run("check", "--format", "sarif", "book/part")
    #expect(sarif.code == 1)
    #expect(sarif.output.contains(#""ruleId":"orphaned-record","level":"warning""#))
    for file in ["book/part/draft.md.critic", "book/part"] {
      #expect(try folder.run("check", file).code == 1, "\(file)")
    }
    #expect(try folder.run("export", "-o", folder.path("out"), "book").code == 0)
    #expect(!folder.names.contains { $0.hasPrefix("out/part") })
    // A text that comes back has its marks.
    try folder.write("book/part/draft.md", "Two big hens. {++\n")
    let found = try folder.run("check", "book")
    #expect(found.code == 1)
    #expect(!found.output.contains("is not there"))
  }
}
