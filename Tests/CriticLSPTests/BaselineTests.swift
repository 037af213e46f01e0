import Foundation
import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("What is known of documents is kept", .timeLimited) struct BaselineTests {
  private static let key: DocumentKey = "file:///draft.md"

  private func isTracked(_ wire: Wire) throws -> Bool? {
    try wire.command("status")["result"]?["tracking"]?.bool
  }

  private func found(_ isOn: Bool) -> EffectOutcome.Result {
    var baseline = Baseline(document: BaselineTests.key)
    baseline.choice = isOn
    return .found(BaselineFolder.Found(baseline: baseline))
  }

  private func kept(_ wire: Wire) -> Baseline? {
    if case .keep(let kept)? = wire.server.effect { kept.baseline } else { nil }
  }

  // MARK: - The server

  @Test(
    "What is known is asked for when a document is opened, and the user's choice counts more than the setting",
    arguments: [true, false]
  )
  func recall(_ isOn: Bool) throws {
    let wire = Wire(client: "Zed", settings: #"{"tracking":"\#(isOn ? "off" : "on")"}"#)
    #expect(wire.server.effect == nil)
    wire.open("one")
    #expect(wire.server.effect == .recall(BaselineTests.key, TextHash(of: Array("one".utf8))))
    try wire.outcome(found(isOn))
    #expect(try isTracked(wire) == isOn)
  }

  @Test("What was typed while the answer was in flight is put into marks first")
  func lateAndTyped() throws {
    let wire = Wire()
    wire.open("one")
    try wire.type("x")
    try wire.outcome(found(false))
    wire.takeEdits()
    #expect(wire.buffer == "one{++x++}")
    #expect(try isTracked(wire) == false)
  }

  @Test("What the user says now counts more than what is known")
  func now() throws {
    let wire = Wire()
    wire.open("one")
    try wire.command("toggleTracking", #""on":true"#)
    try wire.outcome(found(false))
    #expect(try isTracked(wire) == true)
    #expect(kept(wire)?.choice == true)
  }

  @Test("Every toggle is kept at once, the last one last")
  func toggles() throws {
    let wire = Wire()
    wire.open("one")
    try wire.outcome(.found(nil))
    #expect(kept(wire)?.isRecorded == true)
    try wire.command("toggleTracking")
    try wire.command("toggleTracking")
    try wire.command("toggleTracking")
    #expect(kept(wire)?.choice == nil, "still in flight")
    try wire.outcome(.done)
    #expect(kept(wire)?.choice == false)
    #expect(kept(wire)?.original == nil)
  }

  @Test("What is no file is not kept", arguments: ["untitled:Untitled-1", "https://a/b.md"])
  func noFile(_ uri: String) throws {
    let wire = Wire()
    wire.open("one", uri: uri)
    try wire.request(
      "workspace/executeCommand",
      #"{"command":"critic.toggleTracking","arguments":[{"uri":"\#(uri)"}]}"#
    )
    #expect(wire.server.effect == nil)
  }

  @Test("With the setting off a choice is neither kept nor looked at")
  func setting() throws {
    let wire = Wire(settings: #"{"tracking":"on","rememberTracking":false}"#)
    wire.open("one")
    try wire.outcome(found(false))
    #expect(try isTracked(wire) == true)
    try wire.command("toggleTracking")
    #expect(kept(wire)?.choice == nil)
  }

  @Test("A failure is written to the log once, and the user is not disturbed")
  func failure() throws {
    let wire = Wire()
    wire.open("one")
    try wire.outcome(.failure("cannot read: Permission denied"))
    for _ in 1...3 {
      try wire.command("toggleTracking")
      while wire.server.effect != nil {
        try wire.outcome(.failure("cannot write: Read-only file system"))
      }
    }
    #expect(wire.messages.shown.isEmpty)
    #expect(wire.messages.logged.count { $0.contains("Read-only file system") } == 1)
    #expect(try isTracked(wire) == false, "for this session it counts all the same")
  }

  @Test("What is still to be kept is, when the session ends; nothing else is wanted then")
  func end() throws {
    let wire = Wire()
    wire.open("one")
    try wire.outcome(.found(nil))
    try wire.request("shutdown")
    wire.notify("exit")
    var isOpen: Bool?
    while case .keep(let kept)? = wire.server.effect {
      isOpen = kept.isOpen
      try wire.outcome(.done)
    }
    #expect(isOpen == false)
    #expect(wire.server.effect == nil)
    let idle = Wire()
    idle.handle(.hangUp)
    #expect(idle.server.effect == nil)
  }

  @Test("An outcome that nobody asked for is passed over")
  func unasked() throws {
    let wire = Wire()
    wire.open("one")
    let effect = Effect.recall("file:///other.md", TextHash())
    #expect(wire.handle(.outcome(EffectOutcome(effect: effect, result: found(false)))).isEmpty)
    #expect(try isTracked(wire) == true)
  }

  // MARK: - The file

  @Test(
    "A baseline is read as it was written",
    arguments: ["/a b.md", "/a%20b.md", "/a\nb\r.md", "/ü 👩‍👩‍👧.md", "/%0A", "/ a ", "/%25"]
  )
  func names(_ path: String) {
    var baseline = Baseline(document: DocumentKey(uri: "file://\(path)"))
    #expect(Baseline(baseline.bytes) == baseline)
    baseline.choice = true
    baseline.isRecorded = true
    baseline.text = TextHash(of: Array("text".utf8))
    baseline.original = TextHash()
    baseline.holders = ["12-0", "13-1"]
    #expect(Baseline(baseline.bytes) == baseline)
  }

  @Test(
    "What is no baseline, or one of a later version, is not read",
    arguments: [
      "", "x", "critic-lsp document 2\ndocument a\n", "critic-lsp document 1\n",
      "critic-lsp document 1\ndocument a\nodd b\n",
    ]
  )
  func garbage(_ text: String) { #expect(Baseline(Array(text.utf8)) == nil) }

  // MARK: - The folder

  private func baseline(_ folder: Folder, _ name: String, _ text: String = "one") throws -> Baseline
  {
    var baseline = Baseline(document: .file(folder.file(name)))
    baseline.isRecorded = true
    baseline.text = TextHash(of: Array(text.utf8))
    baseline.original = baseline.text
    return baseline
  }

  private let one = Array("one".utf8)

  @Test("What is kept is found, with the original while the document is open; folders are private")
  func folder() throws {
    let folder = try Folder()
    try folder.write("a.md", "one")
    let baseline = try baseline(folder, "a.md")
    let first = BaselineFolder(path: folder.file("state/documents"))
    #expect(try first.find(baseline.document, TextHash()) == nil)
    #expect(try first.keep(baseline, isOpen: true, original: one))
    let found = try #require(try first.find(baseline.document, TextHash()))
    #expect(found.original == one)
    #expect(found.baseline.holders.count == 1)
    #expect(try folder.attributes("state/documents")[.posixPermissions] as? Int == 0o700)
    let files = folder.names.filter { $0.hasPrefix("state/documents/") && !$0.contains("/.") }
    #expect(files.count == 2)
    for file in files { #expect(try folder.attributes(file)[.posixPermissions] as? Int == 0o600) }
    #expect(try first.keep(baseline, isOpen: false, original: nil))
    #expect(try first.find(baseline.document, TextHash())?.original == nil)
    #expect(!folder.names.contains { $0.hasSuffix(".original") })
  }

  @Test("Two sessions have a document open until both have closed it; the dead do not count")
  func two() throws {
    let folder = try Folder()
    let baseline = try baseline(folder, "a.md")
    let path = folder.file("documents")
    let first = BaselineFolder(path: path)
    var second: BaselineFolder? = BaselineFolder(path: path)
    #expect(try first.keep(baseline, isOpen: true, original: one))
    #expect(try second?.keep(baseline, isOpen: true, original: one) == true)
    #expect(try first.find(baseline.document, TextHash())?.baseline.holders.count == 2)
    #expect(try first.keep(baseline, isOpen: false, original: nil))
    #expect(try first.find(baseline.document, TextHash())?.original == one)
    second = nil
    #expect(
      try first.find(baseline.document, TextHash())?.baseline.holders.count == 1,
      "it did not close it"
    )
    #expect(try first.keep(baseline, isOpen: true, original: nil))
    #expect(try first.find(baseline.document, TextHash())?.baseline.holders.count == 1)
  }

  @Test("A renamed file is known by its text, if no file has the name that it had")
  func renamed() throws {
    let folder = try Folder()
    try folder.write("a.md", "one")
    let baselines = BaselineFolder(path: folder.file("documents"))
    let baseline = try baseline(folder, "a.md")
    #expect(try baselines.keep(baseline, isOpen: false, original: nil))
    let (new, text) = (DocumentKey.file(folder.file("b.md")), TextHash(of: one))
    #expect(try baselines.find(new, text) == nil)
    try FileManager.default.moveItem(atPath: folder.path("a.md"), toPath: folder.path("b.md"))
    #expect(try baselines.find(new, text)?.baseline.document == baseline.document)
    #expect(try baselines.find(new, TextHash()) == nil)
  }

  @Test("A baseline that another process has written since is found, even one that looks the same")
  func writtenByOthers() throws {
    let folder = try Folder()
    let path = folder.file("documents")
    let (own, other) = (BaselineFolder(path: path), BaselineFolder(path: path))
    let key = DocumentKey.file(folder.file("moved.md"))
    for (number, texts) in [["one", "two"], ["two", "six", "ten"]].enumerated() {
      let name = "\(number).md"
      try folder.write(name, "one")
      // Files of the same length, written in no time.
      for text in texts {
        #expect(try own.find(key, TextHash(of: Array(text.utf8))) == nil)
        let baseline = try baseline(folder, name, text)
        #expect(try (number == 0 ? other : own).keep(baseline, isOpen: false, original: nil))
      }
      #expect(try other.keep(baseline(folder, name, "end"), isOpen: false, original: nil))
      #expect(try own.find(key, TextHash(of: Array("end".utf8))) == nil)
      try FileManager.default.removeItem(atPath: folder.path(name))
      #expect(try own.find(key, TextHash(of: Array("end".utf8))) != nil)
      #expect(try own.keep(baseline(folder, name, "off"), isOpen: false, original: nil))
    }
  }

  @Test("What is known of documents that are there is not read again")
  func notReadAgain() throws {
    let folder = try Folder()
    try folder.write("a.md", "one")
    let baselines = BaselineFolder(path: folder.file("documents"))
    let baseline = try baseline(folder, "a.md")
    #expect(try baselines.keep(baseline, isOpen: false, original: nil))
    // A folder in its place cannot be read.
    let name = "documents/\(TextHash(of: Array(baseline.document.uri.utf8)))"
    try FileManager.default.removeItem(atPath: folder.path(name))
    try FileManager.default.createDirectory(
      atPath: folder.path(name),
      withIntermediateDirectories: true
    )
    let key = DocumentKey.file(folder.file("b.md"))
    #expect(try baselines.find(key, TextHash(of: one)) == nil)
    #expect(throws: Platform.Failure.self) {
      try BaselineFolder(path: folder.file("documents")).find(key, TextHash(of: one))
    }
  }

  @Test("A file that was not changed for a while need not be read, unless it has the text")
  func settled() throws {
    let root = try #require(Path(Repository.root.path.utf8))
    let license = root / "LICENSE"
    let state = try #require(Platform.settledState(of: license))
    var known = KnownBaselines()
    #expect(!known.rulesOut("LICENSE", in: root, TextHash()))
    var baseline = Baseline(document: "file:///gone.md")
    baseline.text = TextHash(of: one)
    known.note("LICENSE", baseline, state)
    #expect(known.rulesOut("LICENSE", in: root, TextHash()))
    #expect(!known.rulesOut("LICENSE", in: root, TextHash(of: one)))
    known.note("LICENSE", baseline, nil)
    #expect(!known.rulesOut("LICENSE", in: root, TextHash()))
    let folder = try Folder()
    try folder.write("LICENSE", "one")
    #expect(Platform.settledState(of: folder.file("LICENSE")) == nil)
    known.note("LICENSE", baseline, state)
    #expect(!known.rulesOut("LICENSE", in: folder.file(""), TextHash()))
  }

  @Test("The oldest baselines make room for some new ones, if their documents are not open")
  func oldest() throws {
    let folder = try Folder()
    let path = folder.file("documents")
    let (own, other) = (BaselineFolder(path: path), BaselineFolder(path: path))
    try folder.write("a.md", "one")
    #expect(try other.keep(baseline(folder, "a.md"), isOpen: true, original: nil))
    for number in 1..<BaselineFolder.maxCount {
      let there = Baseline(document: .file(folder.file("there/\(number).md")))
      try folder.write("there/\(number).md", "")
      try folder.write("documents/\(TextHash(of: Array(there.document.uri.utf8)))", there.bytes)
    }
    func count() -> Int {
      folder.names.count { $0.hasPrefix("documents/") && !$0.contains(".") }
    }
    for number in 0...BaselineFolder.room {
      let name = "new-\(number).md"
      try folder.write(name, "one")
      #expect(try own.keep(baseline(folder, name), isOpen: false, original: nil))
      if number == 0 { #expect(count() == BaselineFolder.maxCount - BaselineFolder.room + 1) }
    }
    #expect(count() <= BaselineFolder.maxCount)
    #expect(try own.find(.file(folder.file("a.md")), TextHash()) != nil)
  }

  @Test("An original for which there is no room is not kept, until others have made room")
  func noRoom() throws {
    let folder = try Folder()
    try folder.write("documents/0-0.original", "")
    #expect(truncate(folder.path("documents/0-0.original"), BaselineFolder.maxTotal) == 0)
    let baselines = BaselineFolder(path: folder.file("documents"))
    let baseline = try baseline(folder, "a.md")
    #expect(try baselines.keep(baseline, isOpen: true, original: one))
    #expect(try baselines.find(baseline.document, TextHash())?.original == nil)
    try FileManager.default.removeItem(atPath: folder.path("documents/0-0.original"))
    #expect(try baselines.keep(baseline, isOpen: true, original: one))
    #expect(try baselines.find(baseline.document, TextHash())?.original == one)
  }

  @Test("An original is found if a server was killed before it wrote the baseline; no torn one is")
  func otherOriginal() throws {
    let folder = try Folder()
    let path = folder.file("documents")
    let baselines = BaselineFolder(path: path)
    var baseline = try baseline(folder, "a.md")
    #expect(try baselines.keep(baseline, isOpen: true, original: one))
    baseline.original = TextHash(of: Array("other".utf8))
    #expect(try baselines.keep(baseline, isOpen: true, original: nil))
    #expect(try baselines.find(baseline.document, TextHash())?.original == one)
    let other = BaselineFolder(path: path)
    #expect(try other.keep(baseline, isOpen: true, original: nil))
    #expect(try baselines.find(baseline.document, TextHash())?.original == nil)
    #expect(try other.keep(baseline, isOpen: false, original: nil))
    let file = try #require(folder.names.first { $0.hasSuffix(".original") })
    try folder.write(file, String(folder.text(file).dropLast()))
    #expect(try baselines.find(baseline.document, TextHash())?.original == nil)
    try folder.write(file, "")
    #expect(try baselines.find(baseline.document, TextHash())?.original == nil)
  }

  @Test("Baselines of files that are gone make room for new ones")
  func most() throws {
    let folder = try Folder()
    let baselines = BaselineFolder(path: folder.file("documents"))
    try folder.write("there.md", "one")
    for number in 0..<BaselineFolder.maxCount - 1 {
      var gone = Baseline(document: DocumentKey(uri: "file:///gone/\(number).md"))
      gone.text = TextHash()
      try folder.write("documents/\(TextHash(of: Array(gone.document.uri.utf8)))", gone.bytes)
    }
    #expect(try baselines.keep(baseline(folder, "there.md"), isOpen: false, original: nil))
    #expect(try baselines.keep(baseline(folder, "more.md"), isOpen: false, original: nil))
    #expect(folder.names.count { $0.contains("-") } < 10)
    #expect(try baselines.find(.file(folder.file("there.md")), TextHash()) != nil)
  }

  @Test("A lock that is never given up does not hold anybody up for ever")
  func locked() throws {
    let folder = try Folder()
    try folder.write("documents/.lock", "")
    let lock = Foundation.open(folder.path("documents/.lock"), O_RDWR)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    var runner = EffectRunner(baselines: folder.file("documents"))
    let effect = Effect.keep(Effect.Kept(baseline: try baseline(folder, "a.md"), isOpen: true))
    var outcome: EffectOutcome?
    for _ in 0..<1000 where outcome == nil { outcome = runner.step(effect) }
    #expect(outcome?.result == .failure("another program holds the lock"))
  }

  @Test("A lock is given up at once, even if a program that is being started has its descriptor")
  func copied() throws {
    let folder = try Folder()
    let lock = folder.file(".lock")
    let copy = try Platform.withLock(lock) { () throws(Platform.Failure) in
      var (file, open) = (stat(), stat())
      stat(folder.path(".lock"), &file)
      let descriptor = (0..<Int32(4096)).first { descriptor in
        fstat(descriptor, &open) == 0 && open.st_ino == file.st_ino && open.st_dev == file.st_dev
      }
      return descriptor.map { dup($0) }
    }
    let descriptor = try #require(copy ?? nil)
    defer { close(descriptor) }
    #expect(try Platform.withLock(lock) { () throws(Platform.Failure) in true } == true)
  }

  @Test("What cannot be written is a failure that says why")
  func unwritable() throws {
    let folder = try Folder()
    try folder.write("file", "")
    var runner = EffectRunner(baselines: folder.file("file/documents"))
    let effect = Effect.keep(Effect.Kept(baseline: try baseline(folder, "a.md"), isOpen: true))
    guard case .failure(let reason)? = runner.step(effect)?.result else {
      Issue.record("it was written")
      return
    }
    #expect(reason.contains(folder.path("file")))
  }

  @Test("Without a folder nothing is kept and nothing fails")
  func stateless() throws {
    var runner = EffectRunner(baselines: nil)
    #expect(runner.step(.recall(BaselineTests.key, TextHash()))?.result == .found(nil))
    let effect = Effect.keep(
      Effect.Kept(baseline: Baseline(document: BaselineTests.key), isOpen: true)
    )
    #expect(runner.step(effect)?.result == .done)
  }

  @Test("A look at a file tells its stamp, and its text if it is another file")
  func look() throws {
    let folder = try Folder()
    try folder.write("a.md", "one")
    let key = DocumentKey.file(folder.file("a.md"))
    var runner = EffectRunner(baselines: nil)
    guard case .stamp(let stamp, nil)? = runner.step(.look(key, nil))?.result else {
      Issue.record("no stamp")
      return
    }
    #expect(runner.step(.look(key, stamp))?.result == .stamp(stamp, nil))
    try folder.write("a.md", "another")
    var result: EffectOutcome.Result?
    for _ in 0..<9 where result == nil { result = runner.step(.look(key, stamp))?.result }
    guard case .stamp(_, let text)? = result else {
      Issue.record("no stamp")
      return
    }
    #expect(text == TextHash(of: Array("another".utf8)))
    #expect(runner.step(.look("file:///nowhere.md", nil))?.result == .gone)
  }

  // MARK: - The program

  /// All baselines in a state folder.
  private func kept(_ folder: Folder, _ path: String) throws -> String {
    try folder.names.filter {
      $0.hasPrefix("\(path)/documents/") && !$0.contains("/.") && $0.contains("-")
    }
    .map { try folder.text($0) }.joined()
  }

  private func greet(_ server: ServerProcess, _ uri: String) throws {
    try server.post(
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#
    )
    _ = try server.answer(to: 1)
    try server.post(
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"\#(uri)","#
        + #""languageId":"markdown","version":1,"text":"{++a++}"}}}"#,
    )
  }

  private func command(_ server: ServerProcess, _ id: Int, _ name: String, _ uri: String) throws {
    try server.post(
      #"{"jsonrpc":"2.0","id":\#(id),"method":"workspace/executeCommand","params":{"command":"#
        + #""critic.\#(name)","arguments":[{"uri":"\#(uri)"}]}}"#
    )
  }

  private func toggleAndEnd(_ server: ServerProcess, _ uri: String) throws {
    try greet(server, uri)
    try command(server, 2, "toggleTracking", uri)
    try server.post(
      #"{"jsonrpc":"2.0","id":3,"method":"shutdown"}"#,
      #"{"jsonrpc":"2.0","method":"exit"}"#
    )
    #expect(try server.exitCode() == 0)
  }

  @Test("A relative $XDG_STATE_HOME does not count, as its specification says")
  func relativeStateHome() throws {
    let folder = try Folder()
    try folder.write("a.md", "{++a++}")
    let uri = "file://\(folder.path("a.md"))"
    let server = try ServerProcess(
      environment: ["XDG_STATE_HOME": "relative", "HOME": folder.url.path]
    )
    try toggleAndEnd(server, uri)
    #expect(try kept(folder, ".local/state/critic-lsp").contains("\nchoice off\n"))
  }

  @Test("A toggle outlives the server, even one that is closed at once; --stateless forgets it")
  func restart() throws {
    let folder = try Folder()
    try folder.write("a.md", "{++a++}")
    let uri = "file://\(folder.path("a.md"))"
    let first = try ServerProcess("serve", state: folder)
    try toggleAndEnd(first, uri)
    #expect(try kept(folder, "critic-lsp").contains("\nchoice off\n"))
    #expect(try folder.text("a.md") == "{++a++}")

    for isStateless in [false, true] {
      let second =
        isStateless
        ? try ServerProcess("serve", "--stateless", state: folder)
        : try ServerProcess(state: folder)
      try greet(second, uri)
      _ = try second.next { $0["method"]?.string == "textDocument/publishDiagnostics" }
      try command(second, 4, "status", uri)
      #expect(try second.answer(to: 4)["result"]?["tracking"]?.bool == isStateless)
      try second.hangUp()
      #expect(try second.exitCode() == 1)
    }
  }

  @Test("A server that a signal ends while it keeps a text leaves nothing half written")
  func signalled() throws {
    let (state, folder) = (try Folder(), try Folder())
    let server = try ServerProcess(state: state)
    try greet(server, "file://\(folder.path("small.md"))")
    let text = String(repeating: "A line.\n", count: 400_000) + "{++x++}\n"
    func halfWritten() -> [String] { state.names.filter { $0.contains("/.critic-lsp-") } }
    // The original text is kept anew with each document, and removed with it, until it is seen being written.
    var found: [String] = []
    for number in 0..<100 where found.isEmpty {
      let uri = "file://\(folder.path("\(number).md"))"
      try server.post(
        #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"\#(uri)","#
          + #""languageId":"markdown","version":1,"text":\#(json(text))}}}"#,
        #"{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"\#(uri)"}}}"#
      )
      for _ in 0..<2000 where found.isEmpty { found = halfWritten() }
    }
    kill(server.identifier, SIGTERM)
    #expect(!found.isEmpty)
    #expect(try server.exitCode() == SIGTERM)
    #expect(halfWritten().isEmpty)
  }
}
