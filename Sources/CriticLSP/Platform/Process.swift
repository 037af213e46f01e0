import CLibrary

extension Platform {
  /// Makes writing to a closed pipe an error instead of ending the process.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Whether a process is running.
  static func isRunning(_ process: Int) -> Bool {
    guard let process = pid_t(exactly: process), process > 0 else { return true }
    return kill(process, 0) == 0 || errno != ESRCH
  }

  /// Ends the process.
  static func exit(_ code: Int32) -> Never {
    CLibrary.exit(code)
  }

  /// An environment variable; nil if it is not set.
  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
