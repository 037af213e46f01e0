import CLibrary

/// A process that was started by the benchmark.
struct ChildProcess {
  let identifier: pid_t

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments.
  ///   - input: What is to be its standard input.
  ///   - output: What is to be its standard output; its standard error goes nowhere.
  /// - Throws: ``Failure`` if there is no such program.
  init(_ arguments: [String], input: Int32, output: Int32) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var identifier: pid_t = 0
    let code = posix_spawnp(&identifier, arguments[0], &actions, nil, words, environ)
    guard code == 0 else {
      errno = code
      throw Failure.system("cannot start \(arguments[0])")
    }
    self.identifier = identifier
  }

  /// How a process ended.
  struct End {
    /// Its exit code, or 128 and the signal.
    var code: Int
    /// The most memory that it had, in bytes.
    var peak: Int
  }

  /// Waits for the end.
  func wait() -> End {
    var status: Int32 = 0
    var usage = rusage()
    while wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
    let signal = Int(status & 0x7F)
    return End(
      code: signal == 0 ? Int(status >> 8 & 0xFF) : 128 + signal,
      peak: usage.ru_maxrss * 1024
    )
  }

  /// Its memory, in bytes: what it has now, and the most that it had.
  var memory: (now: Int, peak: Int) { ChildProcess.memory(of: "\(identifier)") }

  /// The memory of a process, by its number or `self`.
  static func memory(of process: String) -> (now: Int, peak: Int) {
    var memory = (now: 0, peak: 0)
    guard let status = try? File.read("/proc/\(process)/status") else { return memory }
    for line in status.split(separator: UInt8(ascii: "\n")) {
      let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\t" }
      guard words.count > 1, let number = Int(words[1]) else { continue }
      if words[0] == "VmRSS:" { memory.now = number * 1024 }
      if words[0] == "VmHWM:" { memory.peak = number * 1024 }
    }
    return memory
  }
}

/// Runs a program to its end, once a turn.
final class ProgramContender: Contender {
  private let arguments: [String]
  private let input: String
  private let output: String
  private let cleared: String?

  /// - Parameter words: The program and its arguments; before them, `in=FILE` and `out=FILE` for
  ///   standard input and output, and `clear=FOLDER` for a folder that is to be there, and empty.
  init(_ words: [String]) {
    var words = words[...]
    func option(_ name: String) -> String? {
      guard let word = words.first, word.hasPrefix(name) else { return nil }
      words.removeFirst()
      return String(word.dropFirst(name.count))
    }
    input = option("in=") ?? "/dev/null"
    output = option("out=") ?? "/dev/null"
    cleared = option("clear=")
    arguments = Array(words)
  }

  func turn(_ results: inout Results) throws {
    if let cleared {
      _ = try ChildProcess(["rm", "-rf", cleared], input: 0, output: 1).wait()
      try File.makeFolder(cleared)
    }
    // A new file each time: one that is cut to nothing is written to the disk at once by some file
    // systems, into the time of whoever comes next.
    if output != "/dev/null" { unlink(output) }
    let source = open(input, O_RDONLY | O_CLOEXEC)
    let target = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard source >= 0, target >= 0 else { throw Failure.system("cannot open \(input), \(output)") }
    defer {
      close(source)
      close(target)
    }
    var end: ChildProcess.End?
    let time = try Clock.time {
      end = try ChildProcess(arguments, input: source, output: target).wait()
    }
    results.add(time)
    results.facts["code"] = end?.code
    results.facts["peak"] = max(results.facts["peak"] ?? 0, end?.peak ?? 0)
  }
}
