#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
  /// Where programs keep what they remember, by the XDG rules; nil where nothing says where home is.
  static var stateFolder: String? {
    if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/.local/state"
  }

  /// Does something while no other process does anything under the same lock.
  ///
  /// - Parameters:
  ///   - path: The lock: a file that is made and stays.
  ///   - body: What is done.
  /// - Returns: What `body` returns; nil if another process has the lock, and nothing was done.
  /// - Throws: ``Failure`` if there can be no lock, and what `body` throws.
  static func locked<Result>(
    _ path: String,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("cannot write \(path)") }
    // The lock goes with the descriptor.
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK || errno == EINTR { return nil }
      throw failure("cannot lock \(path)")
    }
    return try body()
  }
}
