import CLibrary

extension Platform {
  /// Runs a program to its end and gives what it writes.
  ///
  /// - Parameters:
  ///   - command: The program, looked for in `$PATH`, and its arguments.
  ///   - input: What it reads from standard input.
  ///   - variables: What of our environment is kept from it.
  ///   - folder: Where it works: it and all that it starts are ended before that is removed.
  /// - Returns: All that it wrote to standard output, and to standard error.
  /// - Throws: ``Failure`` if it is not there, or with what it wrote to standard error if it fails.
  static func run(
    _ command: [Path],
    reading input: [UInt8] = [],
    without variables: Set<String> = [],
    in folder: TemporaryFolder? = nil
  ) throws(Failure) -> (output: [UInt8], errors: String) {
    let errors = try temporaryFile()
    defer { close(errors) }
    let source = try input.isEmpty ? nil : file(of: input)
    defer { if let source { close(source) } }
    let ends = try pipeEnds()
    let process: pid_t
    do throws(Failure) {
      // A signal that ends us meanwhile finds it noted, or not started.
      let started = TemporaryFiles.shared.with { files in
        let started = Result { () throws(Failure) in
          try spawn(
            command,
            without: variables,
            input: source,
            output: ends.writing,
            errors: errors,
            inGroup: folder != nil
          )
        }
        if let folder, case .success(let process) = started { files.note(process, in: folder.path) }
        return started
      }
      process = try started.get()
    } catch {
      close(ends.reading)
      close(ends.writing)
      throw error
    }
    close(ends.writing)
    let output = all(from: ends.reading)
    close(ends.reading)
    let status = end(of: process, in: folder)
    lseek(errors, 0, SEEK_SET)
    let said = String(decoding: all(from: errors), as: UTF8.self)
    guard status == 0 else {
      let reason = said.split(separator: "\n").first.map(String.init) ?? "it failed"
      throw Failure(description: "\(command[0]): \(reason)")
    }
    return (output, said)
  }

  /// Waits for a program to end; returns its status as waitpid(2) has it, which is 0 if all went well.
  static func end(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Waits for a program to end, and ends what it has left running in a folder; returns its status.
  private static func end(of process: pid_t, in folder: TemporaryFolder?) -> Int32 {
    guard let folder else { return end(of: process) }
    // Its number stays its own until it is ended there.
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return TemporaryFiles.shared.with { $0.endProgram(in: folder.path) }
  }

  /// A file of some bytes, to be read from its beginning; not a pipe, so that nothing waits for a program that writes before
  /// it has read everything.
  private static func file(of bytes: [UInt8]) throws(Failure) -> Int32 {
    let file = try temporaryFile()
    guard send(bytes, to: file), lseek(file, 0, SEEK_SET) == 0 else {
      defer { close(file) }
      throw failure("cannot write a temporary file")
    }
    return file
  }

  /// A file without a name, which no other program inherits.
  private static func temporaryFile() throws(Failure) -> Int32 {
    var name = Array("/tmp/critic-lsp-XXXXXX".utf8CString)
    let file = mkostemp(&name, O_CLOEXEC)
    guard file >= 0 else { throw failure("cannot make a temporary file") }
    unlink(name)
    return file
  }

  /// A pipe, which no other program inherits: it would be read until that one ends, too.
  static func pipeEnds() throws(Failure) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let isMade = pipe(&ends) == 0
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #else
      let isMade = pipe2(&ends, O_CLOEXEC) == 0
    #endif
    guard isMade else { throw failure("cannot make a pipe") }
    return (ends[0], ends[1])
  }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: The program, looked for in `$PATH`, and its arguments.
  ///   - variables: What of our environment is kept from it.
  ///   - input: What it reads from; nil for nothing.
  ///   - output: Where it writes to.
  ///   - errors: Where it writes its messages to; nil if nobody sees them.
  ///   - inGroup: Whether it runs in a process group of its own, which no signal of the terminal reaches.
  /// - Returns: Its process, to be awaited.
  /// - Throws: ``Failure`` if it is not there.
  static func spawn(
    _ command: [Path],
    without variables: Set<String>,
    input: Int32? = nil,
    output: Int32,
    errors: Int32? = nil,
    inGroup: Bool = false
  ) throws(Failure) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    if let errors {
      posix_spawn_file_actions_adddup2(&actions, errors, 2)
    } else {
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    setSignals(in: &attributes, inGroup: inGroup)
    var arguments = command.map { $0.withCString(strdup) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let error = command[0].withCString {
      posix_spawnp(
        &process,
        $0,
        &actions,
        &attributes,
        &arguments,
        environment(without: variables) + [nil]
      )
    }
    guard error == 0 else {
      errno = error
      throw failure("cannot run \(command[0])")
    }
    return process
  }

  #if canImport(Darwin)
    private typealias SpawnAttributes = posix_spawnattr_t?
  #else
    private typealias SpawnAttributes = posix_spawnattr_t
  #endif

  /// Takes back for a program what we block and ignore for our own sake: a signal that ends us is to end it, too.
  ///
  /// A signal that was ignored when we were started, as `nohup` has it, is ignored by it as well.
  /// With `inGroup` it gets a process group of its own, too.
  private static func setSignals(in attributes: inout SpawnAttributes, inGroup: Bool) {
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    #if canImport(Darwin)
      let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    #endif
    posix_spawnattr_setflags(&attributes, Int16(inGroup ? flags | POSIX_SPAWN_SETPGROUP : flags))
  }

  private static func environment(
    without variables: Set<String>
  ) -> [UnsafeMutablePointer<CChar>?] {
    var kept: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let variable = next.pointee {
      let name = String(cString: variable).prefix { $0 != "=" }
      if !variables.contains(String(name)) { kept.append(variable) }
      next += 1
    }
    return kept
  }

  /// All that can be read from a descriptor; empty if it cannot be read.
  private static func all(from descriptor: Int32) -> [UInt8] {
    guard let bytes = readBytes(from: descriptor) else { return [] }
    defer { bytes.deallocate() }
    return Array(bytes)
  }
}
