import CLibrary
import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Nobody's writing is lost when a file is replaced", .timeLimited) struct InPlaceTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// Changes `x.md` in this process.
  @discardableResult
  private func change(_ make: ([UInt8]) throws(Platform.Failure) -> String?) throws -> Int {
    try FilePlace(folder.file("x.md")).change { (bytes) throws(Platform.Failure) in
      try make(Array(bytes)).map { new in { output in output.append(Array(new.utf8)) } }
    }
  }

  private func append(_ text: String) throws {
    let file = try FileHandle(forWritingTo: folder.url.appending(path: "x.md"))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  // MARK: - Several at once

  @Test("Twelve proposals at the same time are all made")
  func twelve() throws {
    try folder.write("x.md", (0..<12).map { "word\($0)." }.joined(separator: " "))
    let running = try (0..<12).map { number in
      try folder.write("\(number).json", #"[{"old":"word\#(number).","new":"new\#(number)."}]"#)
      return try RunningProgram(
        ["propose", "x.md", "--in-place", "--edits", "\(number).json"],
        in: folder.url,
        input: FileHandle.nullDevice,
        output: FileHandle.nullDevice,
        errors: FileHandle.nullDevice
      )
    }
    for program in running { #expect(try program.exitCode() == 0) }
    let clean = try folder.run("export", "x.md").output
    #expect(clean == (0..<12).map { "new\($0)." }.joined(separator: " "))
    #expect(folder.names.filter { $0.hasPrefix(".") }.isEmpty)
  }

  @Test("Proposals of four servers at the same time are all made")
  func servers() throws {
    let count = 80
    try folder.write("x.md", (0..<count).map { "word\($0).\n" }.joined())
    let streams = try Folder()
    let running = try (0..<4).map { server in
      let calls = stride(from: server, to: count, by: 4).map { number in
        #"{"jsonrpc":"2.0","id":\#(number),"method":"tools/call","params":{"name":"propose","#
          + #""arguments":{"path":"x.md","edits":[{"old":"word\#(number).","new":"new\#(number)."}]}}}"#
          + "\n"
      }
      for name in ["in", "out"] { try streams.write("\(name)\(server)", "") }
      try streams.write("in\(server)", calls.joined())
      return try RunningProgram(
        ["mcp", "."],
        in: folder.url,
        input: FileHandle(forReadingFrom: streams.url.appending(path: "in\(server)")),
        output: FileHandle(forWritingTo: streams.url.appending(path: "out\(server)")),
        errors: FileHandle.nullDevice
      )
    }
    for (server, program) in running.enumerated() {
      #expect(try program.exitCode() == 0)
      #expect(!(try streams.text("out\(server)")).contains(#""isError":true"#))
    }
    let clean = try folder.run("export", "x.md").output
    #expect(clean == (0..<count).map { "new\($0).\n" }.joined())
  }

  @Test("What is written while the new text is made is in it", arguments: 1...4)
  func meanwhile(_ times: Int) throws {
    try folder.write("x.md", "old\n")
    var calls = 0
    try change { bytes throws(Platform.Failure) in
      calls += 1
      if calls <= times { try? append("line \(calls)\n") }
      return String(decoding: bytes, as: UTF8.self).replacing("old", with: "new")
    }
    let lines = (1...times).map { "line \($0)\n" }
    #expect(try folder.text("x.md") == "new\n" + lines.joined())
    #expect(calls == times + 1)
  }

  @Test("A file that takes another's place while the new text is made is not overwritten")
  func replaced() throws {
    try folder.write("x.md", "old\n")
    try folder.write("y.md", "other old\n")
    try change { bytes throws(Platform.Failure) in
      _ = rename(folder.path("y.md"), folder.path("x.md"))
      return String(decoding: bytes, as: UTF8.self).replacing("old", with: "new")
    }
    #expect(try folder.text("x.md") == "other new\n")
  }

  @Test("A file that never comes to rest is refused, and stays as it is")
  func restless() throws {
    try folder.write("x.md", "")
    #expect(throws: Platform.Failure.self) {
      try change { bytes throws(Platform.Failure) in
        try? append("more\n")
        return "new"
      }
    }
    #expect(try folder.text("x.md").hasPrefix("more\n"))
    #expect(folder.names == ["x.md"])
  }

  @Test("Lines that another program appends all the time are all there")
  func appended() throws {
    try folder.write("x.md", "word\n")
    let line = "i=0; while test $i -lt 300; do echo \"line $i\" >> x.md; i=$((i+1)); done"
    let path = folder.url
    let appending = Thread {
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", line + "; echo > done"]
      process.currentDirectoryURL = path
      try? Program.start.withLock { try process.run() }
      process.waitUntilExit()
    }
    appending.start()
    var changes = 0
    while !folder.names.contains("done") {
      do {
        try change { bytes in String(decoding: bytes, as: UTF8.self) + "" }
        changes += 1
      } catch is Platform.Failure {}
    }
    #expect(changes > 0)
    let lines = try folder.text("x.md").split(separator: "\n").map(String.init)
    #expect(Set(lines).isSuperset(of: (0..<300).map { "line \($0)" }))
  }

  #if os(Linux)
    @Test("A program that has the file open for writing is waited for, and its text is kept")
    func halfSaved() throws {
      try folder.write("x.md", "old\n")
      let file = CLibrary.open(folder.path("x.md"), O_WRONLY)
      try #require(file >= 0)
      var calls = 0
      try change { bytes throws(Platform.Failure) in
        calls += 1
        if calls == 1 {
          Thread {
            Platform.sleep(100)
            ftruncate(file, 0)
            Platform.send(Array("saved old\n".utf8), to: file)
            close(file)
          }.start()
        }
        return String(decoding: bytes, as: UTF8.self).replacing("old", with: "new")
      }
      #expect(try folder.text("x.md") == "saved new\n")
    }
  #endif

  // MARK: - What the system keeps

  @Test("A read-only file is refused by every command that works in place")
  func readOnly() throws {
    for (command, more) in [
      ("export", []), ("accept", []), ("reject", []), ("propose", ["--edits", "e"]),
    ] {
      try folder.write("x.md", "{++x++}word")
      try folder.write("e", #"[{"old":"word","new":"w"}]"#)
      #expect(chmod(folder.path("x.md"), 0o444) == 0)
      let outcome = try folder.run([command, "--in-place", "x.md"] + more)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("x.md is read-only"))
      #expect(try folder.text("x.md") == "{++x++}word")
      #expect(chmod(folder.path("x.md"), 0o644) == 0)
    }
  }

  @Test("Of a file with several names one is changed, and that is told")
  func names() throws {
    try folder.write("x.md", "{++x++}")
    #expect(link(folder.path("x.md"), folder.path("y.md")) == 0)
    let outcome = try folder.run("accept", "--in-place", "x.md")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("x.md had 2 names"))
    #expect(try folder.text("x.md") == "x" && folder.text("y.md") == "{++x++}")
  }

  #if os(Linux)
    @Test("Access rules and attributes are kept, and rules of the folder are not taken over")
    func attributes() throws {
      try folder.write("x.md", "{++x++}")
      let path = folder.path("x.md")
      // Version 2; owner rw, user 1 r, group r, mask rw, others none.
      let rules: [UInt8] =
        [2, 0, 0, 0] + [1, 0, 6, 0, 255, 255, 255, 255] + [2, 0, 4, 0, 1, 0, 0, 0]
        + [4, 0, 4, 0, 255, 255, 255, 255] + [16, 0, 6, 0, 255, 255, 255, 255]
        + [32, 0, 0, 0, 255, 255, 255, 255]
      let access = "system.posix_acl_access"
      // Not every file system has them.
      guard set(path, access, rules), set(path, "user.note", Array("mine".utf8)) else { return }
      #expect(set(folder.url.path, "system.posix_acl_default", rules))
      #expect(try folder.run("accept", "--in-place", "x.md").code == 0)
      #expect(try folder.text("x.md") == "x")
      #expect(get(path, access) == rules)
      #expect(get(path, "user.note") == Array("mine".utf8))
      #expect(try folder.attributes("x.md")[.posixPermissions] as? Int == 0o660)
      try folder.write("plain.md", "{++x++}")
      #expect(removexattr(folder.path("plain.md"), access) == 0)
      #expect(chmod(folder.path("plain.md"), 0o640) == 0)
      #expect(try folder.run("accept", "--in-place", "plain.md").code == 0)
      #expect(get(folder.path("plain.md"), access) == nil)
      #expect(try folder.attributes("plain.md")[.posixPermissions] as? Int == 0o640)
    }

    private func set(_ path: String, _ name: String, _ value: [UInt8]) -> Bool {
      setxattr(path, name, value, value.count, 0) == 0
    }

    private func get(_ path: String, _ name: String) -> [UInt8]? {
      var value = [UInt8](repeating: 0, count: 1000)
      let count = getxattr(path, name, &value, value.count)
      return count < 0 ? nil : Array(value[..<count])
    }
  #endif

  // MARK: - Temporary files

  @Test("What a killed process left is removed by the next one, and what is in use is not")
  func leftovers() throws {
    try folder.write("x.md", "{++x++}")
    for name in [".critic-lsp-1-1", ".critic-lsp-1-2", ".critic-lsp-mine", ".critic-lsp-1-x"] {
      try folder.write(name, "")
    }
    let used = CLibrary.open(folder.path(".critic-lsp-1-2"), O_RDWR)
    defer { close(used) }
    #expect(flock(used, LOCK_EX) == 0)
    #expect(try folder.run("accept", "--in-place", "x.md").code == 0)
    #expect(
      folder.names == [".critic-lsp-1-2", ".critic-lsp-1-x", ".critic-lsp-mine", "x.md"]
    )
  }

  #if os(Linux)
    @Test(
      "A process that a signal ends while it writes leaves nothing, and ends by the signal",
      arguments: [SIGTERM, SIGINT, SIGHUP]
    )
    func signals(_ signal: Int32) throws {
      try folder.write("x.md", "{++x++}")
      // Whoever has the file open is waited for, when the new text is written already.
      let file = CLibrary.open(folder.path("x.md"), O_WRONLY | O_CLOEXEC)
      defer { close(file) }
      let program = try RunningProgram(
        ["accept", "--in-place", "x.md"],
        in: folder.url,
        input: FileHandle.nullDevice,
        output: FileHandle.nullDevice,
        errors: FileHandle.nullDevice
      )
      while !folder.names.contains(where: { $0.hasPrefix(".critic-lsp-") }) {
        try #require(folder.text("x.md") == "{++x++}", "it did not wait")
      }
      kill(program.identifier, signal)
      #expect(try program.exitCode() == signal)
      #expect(folder.names == ["x.md"])
      #expect(try folder.text("x.md") == "{++x++}")
    }
  #endif
}
