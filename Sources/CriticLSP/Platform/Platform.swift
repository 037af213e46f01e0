import CLibrary

/// The operating system; no other code touches it.
enum Platform {
  /// Why a system call failed.
  struct Failure: Error, CustomStringConvertible {
    /// What failed and why, in a sentence.
    var description: String
    /// Whether standard output was closed by its reader, as `head` does when it has seen enough.
    var isReaderGone = false
    /// Whether there is no such file.
    var isMissing = false
    /// Whether nobody listens at a socket that is there.
    var isRefused = false
  }

  /// The failure of the last call.
  ///
  /// - Parameter what: What could not be done, as in `cannot read x.md`.
  /// - Returns: The failure, with the reason.
  static func failure(_ what: String) -> Failure {
    Failure(description: "\(what): \(reason)")
  }

  /// Why the last call failed.
  static var reason: String { String(cString: strerror(errno)) }
  /// Whether the last call failed because there is no such file.
  static var isMissing: Bool { errno == ENOENT || errno == ENOTDIR }
}
