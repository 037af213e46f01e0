import Foundation
import JSONRPC
import TestSupport
import Testing
import TrackEngine

@testable import CriticLSP

@Suite("What the server wants of the disk", .timeLimited) struct EffectRunnerTests {
  /// Carries an effect out to its end; returns what came of it and how many slices it took.
  private func run(_ effect: Effect) throws -> (result: EffectOutcome.Result, slices: Int) {
    var runner = EffectRunner(baselines: nil)
    for slices in 1...10_000 {
      if let outcome = runner.step(effect) {
        #expect(outcome.effect == effect)
        return (outcome.result, slices)
      }
    }
    throw ResponseError.internalError("\(effect) has no end")
  }

  /// What came of an effect.
  func outcome(of effect: Effect) throws -> EffectOutcome.Result { try run(effect).result }

  /// What is in a folder.
  func listing(_ path: String) throws -> Listing {
    guard case .listing(let listing) = try run(.list(Path(path))).result else {
      throw ResponseError.internalError("\(path) is not listed")
    }
    return listing
  }

  @Test("A record is for whom its document is, and never written over what others have written")
  func record() throws {
    let folder = try Folder()
    try folder.write("draft.md", "a\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640],
      ofItemAtPath: folder.path("draft.md")
    )
    let key = DocumentKey.file(Path(folder.path("draft.md")))
    func write(
      _ text: String?,
      over known: String?,
      in place: MarksPlace = .beside
    ) throws -> EffectOutcome.Result {
      let writing = SidecarFile.Writing(
        document: key,
        place: place,
        text: text.map { Array($0.utf8) },
        known: known.map { TextHash(of: Array($0.utf8)) }
      )
      return try run(.writeRecord(writing)).result
    }
    func failure(_ result: EffectOutcome.Result) -> Bool {
      if case .failure = result { true } else { false }
    }
    #expect(failure(try write("b\n", over: "gone\n")))
    #expect(try write("{++b++}\n", over: nil) == .done)
    #expect(try folder.attributes("draft.md.critic")[.posixPermissions] as? Int == 0o640)
    #expect(try write("{++c++}\n", over: "{++b++}\n") == .done)
    #expect(failure(try write("d\n", over: "{++b++}\n")))
    #expect(failure(try write("d\n", over: nil)))
    #expect(try folder.text("draft.md.critic") == "{++c++}\n")
    // The file itself, with its byte order mark and its line ends.
    #expect(failure(try write("d\n", over: "b\n", in: .file)))
    try folder.write("draft.md", "\u{FEFF}a\r\n")
    #expect(try write("a{++b++}\n", over: "a\n", in: .file) == .done)
    #expect(try folder.text("draft.md") == "\u{FEFF}a{++b++}\r\n")
    #expect(
      try run(.findMarks(key)).result == .found(nil, .text(Array("a{++b++}\r\n".utf8)))
    )
    #expect(
      try run(.recall(key, TextHash(of: []))).result
        == .found(nil, .text(Array("{++c++}\n".utf8)))
    )
    #expect(failure(try write(nil, over: "b\n")))
    // It goes only if the file holds the same, in whatever line ends.
    #expect(failure(try write(nil, over: "{++c++}\n")))
    #expect(try folder.text("draft.md.critic") == "{++c++}\n")
    try folder.write("draft.md", "\u{FEFF}{++c++}\r\n")
    #expect(try write(nil, over: "{++c++}\n") == .done)
    #expect(try write(nil, over: "{++c++}\n") == .done)
    #expect(try run(.recall(key, TextHash(of: []))).result == .found(nil, nil))
    #expect(folder.names == ["draft.md"])
  }

  private func text(_ bytes: [UInt8]) throws -> String? {
    let folder = try Folder()
    try folder.write("a.md", bytes)
    guard case .text(let text, _) = try run(.read(folder.file("a.md"))).result else { return nil }
    return String(validating: text, as: UTF8.self)
  }

  @Test("A folder's Markdown files and folders are listed, but for hidden ones and node_modules")
  func list() throws {
    let folder = try Folder()
    for name in [
      "b.md", "a.markdown", "c.txt", ".hidden.md", "md", "x.md.bak", "ü.md", "parts/x.md",
      ".git/x.md", "node_modules/x.md", "y.md/z.md",
    ] { try folder.write(name, "12345") }
    let listing = try listing(folder.url.path)
    #expect(listing.files.map(\.name) == ["a.markdown", "b.md", "ü.md"])
    #expect(listing.files.allSatisfy { $0.stamp.size == 5 && $0.stamp.modified > 0 })
    #expect(listing.folders == ["parts", "y.md"])
    #expect(try self.listing("\(folder.url.path)/") == listing)
  }

  @Test("A file is listed and read with the record that lies beside it, unless that is very long")
  func withRecord() throws {
    let folder = try Folder()
    for (name, text) in [
      ("a.md", "fox"), ("a.md.critic", "{++fox++}"), ("b.md", "hen"), ("c.txt.critic", ""),
    ] { try folder.write(name, text) }
    let files = try listing(folder.url.path).files
    #expect(files.map(\.name) == ["a.md", "b.md"])
    #expect(files.map { $0.record?.size } == [9, nil])
    let path = folder.file("a.md")
    let (text, record) = (Array("fox".utf8), Array("{++fox++}".utf8))
    #expect(try run(.read(path)).result == .text(text, .text(record)))
    #expect(try run(.read(folder.file("b.md"))).result == .text(Array("hen".utf8)))
    let inside = Effect.readContent(path, within: Path(folder.url.path))
    #expect(try run(inside).result == .text(text, .text(record)))
    let long = [UInt8](repeating: 0x20, count: EffectRunner.maxFileLength)
    try folder.write("a.md.critic", long)
    #expect(try run(.read(path)).result == .text(text, .text(long)))
    try folder.write("a.md.critic", long + [0x20])
    #expect(try run(.read(path)).result == .text(text, .unreadable("It is longer than 4 MB")))
  }

  @Test("Links to files are followed, links to folders are not, and what is neither is left out")
  func links() throws {
    let (folder, other) = (try Folder(), try Folder())
    try other.write("far.md", "1234567")
    try folder.write("near/x.md", "")
    for (name, target) in [
      ("link.md", other.path("far.md")), ("folder", other.url.path), ("self", folder.url.path),
      ("folder.md", other.url.path), ("broken.md", "/nowhere/at/all"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name),
        withDestinationPath: target
      )
    }
    #expect(mkfifo(folder.path("pipe.md"), 0o600) == 0)
    let listing = try listing(folder.url.path)
    #expect(listing.files.map(\.name) == ["link.md"])
    #expect(listing.files.first?.stamp.size == 7)
    #expect(listing.folders == ["near"])
  }

  @Test("A file to show is read only if it lies in the folder, whatever links say")
  func within() throws {
    let (folder, other) = (try Folder(), try Folder())
    try other.write("far.md", "far")
    try folder.write("parts/near.md", "near")
    for (name, target) in [
      ("out", other.url.path), ("out.md", other.path("far.md")), ("in", folder.path("parts")),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name),
        withDestinationPath: target
      )
    }
    let home = Path(folder.url.path)
    func read(_ name: Path) throws -> EffectOutcome.Result {
      try run(.readContent(home / name, within: home)).result
    }
    let near = EffectOutcome.Result.text(Array("near".utf8))
    #expect(try read("parts/near.md") == near)
    #expect(try read("in/near.md") == near)
    #expect(try read("nothing.md") == .gone)
    for name in ["out/far.md", "out.md", "../\(other.url.lastPathComponent)/far.md"] {
      #expect(try read(Path(name)) == .failure("It lies outside of \(home)"))
    }
    let far = try run(.readContent(home / "out/far.md", within: nil)).result
    #expect(far == .text(Array("far".utf8)))
  }

  @Test("A long folder is listed in slices, and nothing of it is missing")
  func longFolder() throws {
    let folder = try Folder()
    for number in 0..<700 { try folder.write("\(number).md", "") }
    let (result, slices) = try run(.list(Path(folder.url.path)))
    guard case .listing(let listing) = result else {
      Issue.record("it is not listed")
      return
    }
    #expect(Set(listing.files.map(\.name)) == Set((0..<700).map { Path("\($0).md") }))
    #expect(listing.files.count == 700)
    #expect(slices > 2)
  }

  @Test("A file's stamp changes with the file")
  func stamp() throws {
    let folder = try Folder()
    try folder.write("a.md", "one")
    let old = try listing(folder.url.path)
    #expect(try listing(folder.url.path) == old)
    try folder.write("a.md", "two")
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes(
      [.modificationDate: date],
      ofItemAtPath: folder.path("a.md")
    )
    let new = try listing(folder.url.path)
    #expect(new != old)
    #expect(new.files.first?.stamp.modified == 1_000_000_000_000_000_000)
  }

  @Test(
    "A file is read in slices, whole",
    arguments: [0, 1, 262_143, 262_144, 262_145, EffectRunner.maxFileLength]
  )
  func read(_ count: Int) throws {
    let text = [UInt8](repeating: 0x61, count: max(0, count - 1)) + (count > 0 ? [0x7A] : [])
    let folder = try Folder()
    try folder.write("a.md", text)
    let (result, slices) = try run(.read(folder.file("a.md")))
    #expect(result == .text(text))
    #expect(slices > count / 262_144)
  }

  @Test(
    "A file is taken as an editor would send it",
    arguments: [
      ([0xEF, 0xBB, 0xBF, 0x61], "a"), ([0x61, 0xFF, 0x62], "a\u{FFFD}b"), ([0x0D, 0x0A], "\r\n"),
      ([0xC3], "\u{FFFD}"), ([0xEF, 0xBB], "\u{FFFD}"), ([0x61, 0x00], "a\u{0}"),
    ]
  )
  func encoding(_ bytes: [UInt8], _ expected: String) throws {
    #expect(try text(bytes).map { Array($0.utf8) } == Array(expected.utf8))
  }

  @Test("A file that is too long is not read")
  func tooLong() throws {
    let folder = try Folder()
    try folder.write("a.md", [UInt8](repeating: 0x61, count: EffectRunner.maxFileLength + 1))
    #expect(try run(.read(folder.file("a.md"))).result == .failure("It is longer than 4 MB"))
  }

  @Test("What is gone is told from what cannot be read")
  func failures() throws {
    let folder = try Folder()
    try folder.write("a.md", "")
    #expect(try run(.read(folder.file("b.md"))).result == .gone)
    #expect(try run(.read(folder.file("a.md/b.md"))).result == .gone)
    #expect(try run(.list(folder.file("b"))).result == .gone)
    #expect(try run(.list(folder.file("a.md"))).result == .gone)
    #expect(try run(.read(Path(folder.url.path))).result == .failure("It is not a file"))
    #expect(mkfifo(folder.path("pipe.md"), 0o600) == 0)
    #expect(try run(.read(folder.file("pipe.md"))).result == .failure("It is not a file"))
  }

  @Test("A file that may not be read is told with the reason", .enabled(if: geteuid() != 0))
  func forbidden() throws {
    let folder = try Folder()
    try folder.write("a.md", "")
    #expect(chmod(folder.path("a.md"), 0) == 0)
    #expect(try run(.read(folder.file("a.md"))).result == .failure("Permission denied"))
  }

  @Test("What is no longer wanted is broken off, and begun anew when it is wanted again")
  func change() throws {
    let folder = try Folder()
    let text = [UInt8](repeating: 0x61, count: 1_000_000)
    try folder.write("a.md", text)
    try folder.write("b.md", "b")
    var runner = EffectRunner(baselines: nil)
    #expect(runner.step(.read(folder.file("a.md"))) == nil)
    var outcome: EffectOutcome?
    while outcome == nil { outcome = runner.step(.read(folder.file("b.md"))) }
    #expect(outcome?.result == .text([0x62]))
    outcome = nil
    while outcome == nil { outcome = runner.step(.read(folder.file("a.md"))) }
    #expect(outcome?.result == .text(text))
  }

  // MARK: - The program

  @Test("A workspace is searched over pipes, and the session is replayed without its files")
  func program() throws {
    let folder = try Folder()
    try folder.write("book/one.md", "# One\n\n{++quick++} é\u{301} {>>why<<}\n")
    try folder.write("book/deep/er/two.md", [UInt8]("{~~a~>b~~} ".utf8) + [0xFF, 0x0A])
    try folder.write("book/.git/x.md", "{++no++}")
    let server = try ServerProcess("serve", "--record", folder.path("x.session"))
    try server.post(
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":"#
        + #""file://\#(folder.path("book"))","capabilities":{"workspace":{"symbol":{},"applyEdit":true},"#
        + #""textDocument":{"diagnostic":{}}},"initializationOptions":{"tracking":"on"}}}"#,
      #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"workspace/symbol","params":{"query":""}}"#
    )
    let symbols = try #require(try server.answer(to: 2)["result"])
    #expect(
      symbols.elements.map { $0["name"]?.string } == [
        "“a” → “b”", "Added “quick”", "Comment “why”",
      ]
    )
    try server.post(
      #"{"jsonrpc":"2.0","id":3,"method":"workspace/diagnostic","params":{"previousResultIds":[]}}"#
    )
    #expect(try server.answer(to: 3)["result"]?["items"]?.count == 2)
    try server.post(
      #"{"jsonrpc":"2.0","id":4,"method":"shutdown"}"#,
      #"{"jsonrpc":"2.0","method":"exit"}"#
    )
    #expect(try server.exitCode() == 0)
    try FileManager.default.removeItem(atPath: folder.path("book"))
    let recorded = try Transcript(try folder.bytes("x.session"))
    #expect(recorded.lines.contains { "\($0)".contains(#""effect":"read""#) })
    #expect(recorded.replayed() == recorded)
    #expect(try folder.run("replay", "x.session").code == 0)
  }
}
