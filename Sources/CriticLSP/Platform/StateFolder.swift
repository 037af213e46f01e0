#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
  /// The folder for persistent state, by the XDG specification; nil if there is no home folder.
  static var stateFolder: String? {
    if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/.local/state"
  }

  /// Calls a closure while holding a lock between processes.
  ///
  /// - Parameters:
  ///   - path: The lock file, which is created and stays.
  ///   - body: Called with the lock held.
  /// - Returns: What `body` returns; nil if another process holds the lock and `body` was not called.
  /// - Throws: ``Failure`` if the file cannot be locked, and what `body` throws.
  static func withLock<Result>(
    _ path: String,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("cannot write \(path)") }
    // Closing the descriptor releases the lock.
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK || errno == EINTR { return nil }
      throw failure("cannot lock \(path)")
    }
    return try body()
  }
}
