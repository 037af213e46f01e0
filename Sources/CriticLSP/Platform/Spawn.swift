#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
  /// Runs a program to its end and gives what it writes.
  ///
  /// - Parameters:
  ///   - command: The program, looked for in `$PATH`, and its arguments.
  ///   - input: What it reads from standard input.
  ///   - variables: What of our environment is kept from it.
  /// - Returns: All that it wrote to standard output, and to standard error.
  /// - Throws: ``Failure`` if it is not there, or with what it wrote to standard error if it fails.
  static func run(
    _ command: [Path],
    reading input: [UInt8] = [],
    without variables: Set<String> = []
  ) throws(Failure) -> (output: [UInt8], errors: String) {
    guard let errors = tmpfile() else { throw failure("cannot make a temporary file") }
    defer { fclose(errors) }
    let source = try input.isEmpty ? nil : file(of: input)
    defer { if let source { fclose(source) } }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure("cannot run \(command[0])") }
    let process: pid_t
    do throws(Failure) {
      process = try spawn(
        command,
        environment(without: variables),
        input: source.map(fileno),
        output: ends[1],
        errors: fileno(errors),
        closing: ends[0]
      )
    } catch {
      close(ends[0])
      close(ends[1])
      throw error
    }
    close(ends[1])
    let output = all(from: ends[0])
    close(ends[0])
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    rewind(errors)
    let said = String(decoding: all(from: fileno(errors)), as: UTF8.self)
    guard status == 0 else {
      let reason = said.split(separator: "\n").first.map(String.init) ?? "it failed"
      throw Failure(description: "\(command[0]): \(reason)")
    }
    return (output, said)
  }

  /// A file of some bytes, to be read from its beginning; not a pipe, so that nothing waits for a program that writes before
  /// it has read everything.
  private static func file(of bytes: [UInt8]) throws(Failure) -> UnsafeMutablePointer<FILE> {
    guard let file = tmpfile() else { throw failure("cannot make a temporary file") }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0 else {
      fclose(file)
      throw failure("cannot write a temporary file")
    }
    rewind(file)
    return file
  }

  private static func spawn(
    _ command: [Path],
    _ environment: [UnsafeMutablePointer<CChar>?],
    input: Int32?,
    output: Int32,
    errors: Int32,
    closing other: Int32
  ) throws(Failure) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    posix_spawn_file_actions_addclose(&actions, output)
    posix_spawn_file_actions_addclose(&actions, other)
    var arguments = command.map { $0.withCString(strdup) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let error = command[0].withCString {
      posix_spawnp(&process, $0, &actions, nil, &arguments, environment + [nil])
    }
    guard error == 0 else {
      errno = error
      throw failure("cannot run \(command[0])")
    }
    return process
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
