import Foundation
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Command line: the files of export", .timeLimited) struct ExportFilesTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(name),
      withDestinationPath: target
    )
  }

  private func isLink(_ name: String) throws -> Bool {
    try folder.attributes(name)[.type] as? FileAttributeType == .typeSymbolicLink
  }

  // MARK: - Which files

  @Test("--in-place replaces what the workspace shows: nothing hidden, and nothing in node_modules")
  func oneRule() throws {
    let others = [
      "node_modules/p/readme.md", "a/node_modules/x.md", ".git/x.md", "a/.x.md", "x.txt", "md",
    ]
    for name in others + ["a/x.md", "y.md"] { try folder.write(name, "{++\(name)++}") }
    let outcome = try folder.run("export", "--in-place", ".")
    #expect(outcome.code == 0)
    for name in others { #expect(try folder.text(name) == "{++\(name)++}") }
    for name in ["a/x.md", "y.md"] { #expect(try folder.text(name) == name) }
  }

  @Test("--ext takes files of other extensions too, in capitals or not, with a dot or without")
  func otherExtensions() throws {
    let names = ["a.txt", "b/c.ORG", "d.tex", "e.md", "f.text", ".g.txt", "node_modules/h.txt"]
    for name in names { try folder.write(name, "{++\(name)++}\n") }
    func listed(_ options: String...) throws -> [String] {
      let outcome = try folder.run(["changes", "--color", "never"] + options + ["."])
      #expect(outcome.code == 0)
      let lines = outcome.output.split(separator: "\n").dropLast()
      return lines.map { String($0.dropFirst("./".count).prefix { $0 != ":" }) }
    }
    #expect(try listed() == ["e.md"])
    #expect(try listed("--ext", "txt") == ["a.txt", "e.md"])
    #expect(try listed("--ext", ".TXT,org", "--ext=tex") == ["a.txt", "b/c.ORG", "d.tex", "e.md"])
    for wrong in ["", ".", "a/b", "txt,,org", "tar.gz"] {
      let outcome = try folder.run("check", "--ext", wrong, ".")
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("--ext takes extensions, as in txt or txt,org"), "\(wrong)")
    }
    let none = try folder.run("check", "node_modules")
    #expect(none.errors.contains("--ext looks for others"))
    #expect(try folder.run("check", "--ext", "txt", "node_modules").code == 1)
  }

  @Test("A folder that is named is looked into, whatever its name")
  func namedFolder() throws {
    for name in ["node_modules", ".hidden"] {
      try folder.write("\(name)/x.md", "{++x++}")
      #expect(try folder.run("export", name).output == "x")
    }
  }

  @Test(
    "Every extension of Markdown counts, in capitals or not",
    arguments: [
      "md", "markdown", "mdown", "mdwn", "mkd", "mkdn", "mkdown", "qmd", "rmd", "Rmd", "MD",
      "Markdown",
      "QMD",
    ]
  )
  func extensions(_ name: String) throws {
    try folder.write("book/x.\(name)", "{++x++}")
    try folder.write("book/x\(name)", "{++y++}")
    try folder.write("book/x.\(name).txt", "{++z++}")
    #expect(try folder.run("export", "book").output == "x")
    #expect(Markdown.isMarkdown(file: "ü.x.\(name)".utf8))
    for other in [name, ".\(name)", "x.\(name).", "x.\(name)x", "x.x\(name)"] {
      #expect(!Markdown.isMarkdown(file: other.utf8))
    }
  }

  @Test("The files of a folder come in the order of their names, each folder where its name stands")
  func order() throws {
    let names = [
      "a.md", "b/a/z.md", "b/c.md", "b/d/a.md", "b/e.md", "b.md", "c-d/x.md", "c/x.md", "d.md",
    ]
    for name in names.reversed() { try folder.write("book/\(name)", "{++\(name) ++}") }
    for book in ["book", "book/", "./book"] {
      let outcome = try folder.run("export", book)
      #expect(outcome.output == names.sorted(by: byParts).map { "\($0) " }.joined())
    }
  }

  private func byParts(_ old: String, _ new: String) -> Bool {
    old.split(separator: "/").lexicographicallyPrecedes(new.split(separator: "/"))
  }

  @Test("A name may begin with what joins the slash before it, and be equal to another in Unicode")
  func combiningName() throws {
    try folder.write("book/\u{301}x.md", "{++x++}")
    try folder.write("book/\u{301}y/z.md", "{++z++}")
    // Equal in Unicode, as some file systems have it too.
    for name in ["\u{E9}", "e\u{301}"] {
      try folder.write("book/\(name)/\(name.utf8.count).md", name)
    }
    let isOne = try FileManager.default.contentsOfDirectory(atPath: folder.path("book")).count < 4
    try folder.write("out/keep", "")
    #expect(try folder.run("export", "-o", "out", "book").code == 0)
    for name in ["\u{E9}", "e\u{301}"] where !isOne {
      #expect(try folder.text("out/\(name)/\(name.utf8.count).md") == name)
    }
    #expect(try folder.text("out/\u{301}x.md") == "x")
    #expect(try folder.text("out/\u{301}y/z.md") == "z")
  }

  @Test("A folder without Markdown is told, with what would have counted")
  func noMarkdown() throws {
    try folder.write("book/x.txt", "")
    let outcome = try folder.run("export", "book")
    #expect(outcome.code == 2)
    for name in Markdown.extensions { #expect(outcome.errors.contains(".\(name)")) }
  }

  @Test(
    "A folder that cannot be read is told, and keeps nobody else's text back",
    .enabled(if: geteuid() != 0)
  )
  func forbidden() throws {
    for name in ["a/x.md", "b/x.md", "c/x.md"] { try folder.write("book/\(name)", "{++\(name)++}") }
    #expect(chmod(folder.path("book/b"), 0) == 0)
    defer { chmod(folder.path("book/b"), 0o700) }
    let outcome = try folder.run("export", "--in-place", "book")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("book/b"))
    for name in ["a/x.md", "c/x.md"] { #expect(try folder.text("book/\(name)") == name) }
  }

  @Test("A file whose name is in no encoding is like any other, by name and in a folder")
  func otherEncoding() throws {
    let start = Array("\(folder.path("book"))/n".utf8)
    try folder.write("book/x.md", "{++x++}")
    let files = [0xE8, 0xE9].compactMap { Path(start + [$0] + ".md".utf8) }
    for (number, file) in files.enumerated() {
      let descriptor = file.withCString { creat($0, 0o600) }
      // Not every file system takes such a name.
      guard descriptor >= 0 else { return }
      Platform.send(Array("{++\(number)++}".utf8), to: descriptor)
      close(descriptor)
    }
    #expect(try folder.run("export", "book").output == "01x")
    let program = try #require(Program.url).path
    let line = #"export --in-place "$(printf 'book/n\351.md')""#
    #expect(try Shell.run("\(program) \(line)", in: folder).code == 0)
    #expect(try files.map(Platform.contents) == [Array("{++0++}".utf8), Array("1".utf8)])
    let found = try folder.run("check", "--format", "sarif", "book").output
    #expect(found.contains("\"book/n%E8.md\"") && !found.contains("\"book/n%E9.md\""))
  }

  // MARK: - What is no file

  @Test("A named pipe in a folder is left alone")
  func pipeInFolder() throws {
    try folder.write("book/x.md", "{++x++}\n")
    #expect(mkfifo(folder.path("book/p.md"), 0o600) == 0)
    let outcome = try folder.run("export", "book")
    #expect(outcome.code == 0)
    #expect(outcome.output == "x\n")
  }

  @Test("A named pipe is read like standard input while somebody writes to it")
  func pipe() throws {
    #expect(mkfifo(folder.path("p.md"), 0o600) == 0)
    let text = String(repeating: "{++word++} ", count: 50_000)
    let writer = Thread { [path = folder.path("p.md")] in
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      for part in [text.prefix(30), text.dropFirst(30)] {
        let bytes = Array(part.utf8)
        _ = write(descriptor, bytes, bytes.count)
        usleep(20_000)
      }
      close(descriptor)
    }
    writer.start()
    let outcome = try folder.run("export", "p.md")
    #expect(outcome.code == 0)
    let isWhole = outcome.output == String(repeating: "word ", count: 50_000)
    #expect(isWhole)
  }

  @Test(
    "A named pipe that nobody else opens, or that would be replaced, is told and holds nobody up"
  )
  func silentPipe() throws {
    try folder.write("x.md", "{++x++}")
    #expect(mkfifo(folder.path("p.md"), 0o600) == 0)
    for (arguments, reason) in [
      (["p.md"], "nobody writes to it"), (["--in-place", "p.md"], "could be replaced"),
      (["-o", "p.md", "x.md"], "nobody reads it"),
    ] {
      let outcome = try folder.run(["export"] + arguments)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("p.md"))
      #expect(outcome.errors.contains(reason))
    }
    #expect(folder.names == ["p.md", "x.md"])
  }

  @Test("Standard output can be named as a file")
  func namedOutput() throws {
    try folder.write("x.md", "{++x++}")
    let output = try PrivatePipe()
    let program = try RunningProgram(
      ["export", "-o", "/dev/stdout", "x.md"],
      in: folder.url,
      input: FileHandle.nullDevice,
      output: output.writing,
      errors: FileHandle.nullDevice
    )
    try output.writing.close()
    #expect(try output.reading.readToEnd() == Data("x".utf8))
    #expect(try program.exitCode() == 0)
  }

  @Test("A file that is cut short while it is exported does no harm")
  func truncated() throws {
    let text = String(repeating: "One {++more ++}line.\n", count: 400_000)
    try folder.write("x.md", text)
    let output = try PrivatePipe()
    let program = try RunningProgram(
      ["export", "x.md"],
      in: folder.url,
      input: FileHandle.nullDevice,
      output: output.writing,
      errors: FileHandle.nullDevice
    )
    try output.writing.close()
    // Then it is in the midst of writing, for a pipe is shorter than the text.
    var written = try output.reading.read(upToCount: 1) ?? Data()
    #expect(truncate(folder.path("x.md"), 10) == 0)
    written += try output.reading.readToEnd() ?? Data()
    #expect(try program.exitCode() == 0)
    let isWhole = written == Data(String(repeating: "One more line.\n", count: 400_000).utf8)
    #expect(isWhole)
  }

  // MARK: - Replacing

  @Test("A name may be as long as names can be")
  func longName() throws {
    let name = String(repeating: "x", count: 252) + ".md"
    try folder.write(name, "{++x++}")
    #expect(try folder.run("export", "--in-place", name).code == 0)
    #expect(try folder.text(name) == "x")
    #expect(folder.names == [name])
  }

  @Test("A file that is named twice, or by two links, is replaced once")
  func sameFile() throws {
    let text = "{~~{++a++}~>b~~}" + String(repeating: "{++ more++}", count: 20_000)
    let clean = try folder.run("export", "-", input: text).output
    for names in [
      ["x.md", "./x.md"], ["l.md", "x.md"], ["l.md", "m.md"], ["x.md", ".", "x.md"],
    ] {
      try folder.write("x.md", text)
      for name in ["l.md", "m.md"] {
        try? FileManager.default.removeItem(atPath: folder.path(name))
        try link(name, to: "x.md")
      }
      let outcome = try folder.run(["export", "--in-place"] + names)
      #expect(outcome.code == 0, "\(outcome.errors)")
      let isClean = try folder.text("x.md") == clean
      #expect(isClean)
      #expect(try isLink("l.md") && isLink("m.md"))
      #expect(folder.names == ["l.md", "m.md", "x.md"])
    }
  }

  @Test("A file with two names is replaced under each that is named")
  func hardLinks() throws {
    for names in [["x.md"], ["x.md", "y.md"]] {
      try folder.write("x.md", "{++x++}")
      try? FileManager.default.removeItem(atPath: folder.path("y.md"))
      try FileManager.default.linkItem(atPath: folder.path("x.md"), toPath: folder.path("y.md"))
      #expect(try folder.run(["export", "--in-place"] + names).code == 0)
      #expect(try folder.text("x.md") == "x")
      #expect(try folder.text("y.md") == (names.count == 2 ? "x" : "{++x++}"))
    }
  }

  @Test("Two files never go to one, also where two links lead to it")
  func clash() throws {
    try folder.write("a/x.md", "{++a++}")
    try folder.write("a/y.md", "{++b++}")
    try folder.write("out/z.md", "old")
    for name in ["out/x.md", "out/y.md"] { try link(name, to: "z.md") }
    let outcome = try folder.run("export", "-o", "out", "a")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("out/"))
    #expect(try folder.text("out/z.md") == "old")
  }

  @Test("A link to no file stays a link, and the file is made where it leads")
  func danglingLink() throws {
    try folder.write("x.md", "{++x++}")
    try folder.write("far/other.md", "")
    try link("near.md", to: "far/middle.md")
    try link("far/middle.md", to: "end.md")
    #expect(try folder.run("export", "-o", "near.md", "x.md").code == 0)
    #expect(try isLink("near.md") && isLink("far/middle.md"))
    #expect(try folder.text("far/end.md") == "x")
    #expect(folder.names.count == 6)
  }

  @Test(
    "A link that leads nowhere is told and stays as it is",
    arguments: ["no/such/x.md", "link.md"]
  )
  func link(_ target: String) throws {
    try folder.write("x.md", "{++x++}")
    try link("link.md", to: target)
    for arguments in [["-o", "link.md", "x.md"], ["--in-place", "link.md"]] {
      let outcome = try folder.run(["export"] + arguments)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("link.md"))
      #expect(try isLink("link.md"))
      #expect(folder.names == ["link.md", "x.md"])
    }
  }

  @Test(
    "What others may not read they may not read while it is written",
    arguments: [0o600, 0o644]
  )
  func privacy(_ mode: mode_t) throws {
    try folder.write("x.md", "old")
    #expect(chmod(folder.path("x.md"), mode) == 0)
    try Platform.replace(folder.file("x.md"), isSafe: true) { output in
      Array("new".utf8).withUnsafeBufferPointer { output.append($0) }
      let others = folder.names.filter { $0 != "x.md" }
      #expect(others.count == 1)
      for name in others {
        let attributes = try? folder.attributes(name)
        #expect(attributes?[.posixPermissions] as? Int == 0o600)
        #expect(!Markdown.isLookedAt(file: name.utf8))
      }
    }
    #expect(try folder.attributes("x.md")[.posixPermissions] as? Int == Int(mode))
    #expect(try folder.text("x.md") == "new")
    #expect(folder.names == ["x.md"])
  }

  @Test("A new file is there for everybody whom the mask lets in")
  func newFile() throws {
    try folder.write("x.md", "{++x++}")
    #expect(try folder.run("export", "-o", "y.md", "x.md").code == 0)
    let mode = try folder.attributes("x.md")[.posixPermissions] as? Int
    #expect(try folder.attributes("y.md")[.posixPermissions] as? Int == mode)
  }

  @Test("The right to run as the owner stays, and so does the owner")
  func owner() throws {
    try folder.write("x.md", "{++x++}")
    let isRoot = geteuid() == 0
    if isRoot { #expect(chown(folder.path("x.md"), 12_345, 23_456) == 0) }
    #expect(chmod(folder.path("x.md"), 0o4755) == 0)
    #expect(try folder.run("export", "--in-place", "x.md").code == 0)
    let attributes = try folder.attributes("x.md")
    #expect(attributes[.posixPermissions] as? Int == 0o4755)
    #expect(attributes[.ownerAccountID] as? Int == (isRoot ? 12_345 : Int(geteuid())))
    if isRoot { #expect(attributes[.groupOwnerAccountID] as? Int == 23_456) }
  }

  @Test("What fails midway leaves the old file and nothing else")
  func failure() throws {
    try folder.write("x.md", "old")
    #expect(throws: Platform.Failure.self) {
      try Platform.replace(folder.file("x.md"), isSafe: true) { output throws(Platform.Failure) in
        Array("new".utf8).withUnsafeBufferPointer { output.append($0) }
        throw Platform.Failure(description: "no")
      }
    }
    #expect(try folder.text("x.md") == "old")
    #expect(folder.names == ["x.md"])
  }
}
