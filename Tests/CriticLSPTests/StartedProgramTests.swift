import Foundation
import TestSupport
import Testing

@testable import CriticLSP

@Suite("Programs that are started", .timeLimited) struct StartedProgramTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write("draft.md", "The hen.\n")
  }

  /// Ways to run a program; with some of them we tidy up when a signal ends us.
  private static let ways = [[], ["--in-place"], ["-o", "out.md"]]

  #if os(Linux)
    /// The signals of a process by what is done with them, from a copy of its status.
    private func signals(_ name: String) throws -> [String: UInt64] {
      var found: [String: UInt64] = [:]
      for line in try folder.text(name).split(separator: "\n") where line.hasPrefix("Sig") {
        let parts = line.split(separator: "\t")
        found[String(parts[0])] = UInt64(parts[1], radix: 16)
      }
      return found
    }

    private func bit(_ signal: Int32) -> UInt64 { 1 << UInt64(signal - 1) }

    @Test(
      "A program that is started blocks no signal, and ignores none for our sake",
      arguments: ways
    )
    func signals(_ way: [String]) throws {
      let copying = ["cp", "/proc/self/status"]
      _ = try folder.run(["through", "draft.md"] + way + ["--"] + copying + ["status"])
      let found = try signals("status")
      #expect(found["SigBlk:"] == 0)
      let ended = [SIGINT, SIGTERM, SIGHUP, SIGPIPE].map(bit).reduce(0, |)
      #expect(found["SigIgn:"].map { $0 & ended } == 0)
    }

    @Test("What is ignored from the start, as nohup has it, is ignored by the program, too")
    func ignored() throws {
      let program = try #require(Program.url?.path)
      try folder.write(
        "run.sh",
        "trap '' HUP\n'\(program)' through draft.md --in-place -- cp /proc/self/status status\n"
      )
      let shell = Process()
      shell.executableURL = URL(filePath: "/bin/sh")
      shell.arguments = ["run.sh"]
      shell.currentDirectoryURL = folder.url
      try Program.start.withLock { try shell.run() }
      shell.waitUntilExit()
      let found = try signals("status")
      #expect(found["SigBlk:"] == 0)
      #expect(found["SigIgn:"].map { $0 & (bit(SIGHUP) | bit(SIGPIPE)) } == bit(SIGHUP))
    }

    @Test("A program that is started gets no file of ours but its standard streams")
    func descriptors() throws {
      let format = ["-fprintf", "list", "%f %l\\n"]
      _ = try folder.run(["through", "draft.md", "--", "find", "/proc/self/fd"] + format)
      let files = try folder.text("list").split(separator: "\n").map { $0.split(separator: " ") }
      let ours = Set(files.filter { ["0", "1", "2"].contains($0[0]) }.map { $0[1...] })
      #expect(ours.count == 3)
      #expect(files.filter { ours.contains($0[1...]) }.map { $0[0] }.sorted() == ["0", "1", "2"])
    }
  #endif

  @Test(
    "A signal to the process group ends the program, too",
    arguments: ways,
    [SIGTERM, SIGINT, SIGHUP]
  )
  func ended(_ way: [String], _ number: Int32) throws {
    let fifo = folder.path("fifo")
    try #require(mkfifo(fifo, 0o600) == 0)
    let process = try spawn(
      ["through", folder.path("draft.md")]
        + way.map { $0.hasPrefix("-") ? $0 : folder.path($0) } + ["--", "cat", fifo]
    )
    // There is a reader once the program runs.
    var pipe: Int32 = -1
    for _ in 0..<Int(Program.patience * 100) where pipe < 0 {
      pipe = open(fifo, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if pipe < 0 { usleep(10_000) }
    }
    try #require(pipe >= 0)
    defer { close(pipe) }
    #expect(kill(-process, number) == 0)
    var poller = pollfd(fd: pipe, events: 0, revents: 0)
    #expect(poll(&poller, 1, Int32(Program.patience * 1000)) == 1, "the program goes on")
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    // By the signal; or, if we see it first, because the program failed.
    #expect(status & 0x7F == number || status >> 8 == 2)
    #expect(try folder.text("draft.md") == "The hen.\n")
    #expect(folder.names == ["draft.md", "fifo"])
  }

  /// Starts the program in a process group of its own, where no signal is ignored.
  private func spawn(_ arguments: [String]) throws -> pid_t {
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
      var actions: posix_spawn_file_actions_t?
    #else
      var attributes = posix_spawnattr_t()
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawnattr_destroy(&attributes)
      posix_spawn_file_actions_destroy(&actions)
    }
    for descriptor: Int32 in 1...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
    )
    let program = try #require(Program.url?.path)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let error = Program.start.withLock {
      posix_spawn(&process, program, &actions, &attributes, &words, environ)
    }
    try #require(error == 0)
    return process
  }
}
