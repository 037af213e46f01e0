#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The operating system: the one place that touches it.
enum Platform {
  /// Why the system refused something.
  struct Failure: Error, CustomStringConvertible {
    /// What and why, in a sentence.
    var description: String
  }

  /// Milliseconds since a fixed moment, without jumps.
  static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int(time.tv_sec) * 1000 + Int(time.tv_nsec) / 1_000_000
  }

  /// Waits until a descriptor can be read from or written to, or its other end is gone.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - events: `POLLIN` or `POLLOUT`.
  ///   - milliseconds: How long at most; nil is without end.
  /// - Returns: What `poll` returns: 0 if the time is over, less if it failed.
  @discardableResult
  static func wait(for descriptor: Int32, _ events: Int32, within milliseconds: Int?) -> Int32 {
    var poller = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&poller, 1, milliseconds.map { Int32(clamping: $0) } ?? -1)
  }

  /// How long somebody is waited for at the other end of a named pipe, in milliseconds.
  static let patience = 2000

  /// Does nothing for so many milliseconds.
  static func sleep(_ milliseconds: Int) { _ = poll(nil, 0, Int32(clamping: milliseconds)) }

  /// Makes a closed pipe an error of `write` instead of the process's end.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Whether a process is there.
  static func isRunning(_ process: Int) -> Bool {
    guard let process = pid_t(exactly: process), process > 0 else { return true }
    return kill(process, 0) == 0 || errno != ESRCH
  }

  /// Whether a descriptor is a terminal that takes colours.
  static func isColourTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && getenv("NO_COLOR") == nil && environment("TERM") != "dumb"
  }

  /// Ends the process.
  static func exit(_ code: Int32) -> Never {
    #if canImport(Glibc)
      Glibc.exit(code)
    #elseif canImport(Musl)
      Musl.exit(code)
    #else
      Darwin.exit(code)
    #endif
  }

  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
