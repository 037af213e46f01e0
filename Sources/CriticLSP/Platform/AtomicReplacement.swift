#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
  /// Replaces a file in one step; its owner and mode survive, and a symbolic link stays one.
  ///
  /// - Parameters:
  ///   - path: The file; made if there is none, with the folders on its way, but not those that a
  ///     link leads to.
  ///   - isSafe: Whether the new file must be on the disk before the old one is gone.
  ///   - body: Writes the new contents.
  /// - Throws: ``Failure``; the file is then what it was.
  static func replace(
    _ path: String,
    isSafe: Bool,
    _ body: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    var target = path
    var status = stat()
    var isKnown = lstat(path, &status) == 0
    let isLink = isKnown && status.st_mode & S_IFMT == S_IFLNK
    if isLink { isKnown = stat(path, &status) == 0 }
    if isKnown, status.st_mode & S_IFMT != S_IFREG {
      // A pipe or a device can't be replaced, only written to.
      return try writeThrough(to: path, body)
    }
    if isLink { target = try destination(of: path) }
    // What others may not read they may not read meanwhile either.
    let mode: mode_t = isKnown ? 0o600 : 0o666
    var file = temporary(beside: target, mode)
    if file.descriptor < 0, isMissing, target == path {
      try makeFolders(above: target)
      file = temporary(beside: target, mode)
    }
    guard file.descriptor >= 0 else { throw failure("cannot write beside \(path)") }
    let output = Output(file.descriptor)
    do throws(Failure) {
      try body(output)
    } catch {
      close(file.descriptor)
      unlink(file.path)
      throw error
    }
    let isFinished = output.finish()
    // At the end, for to write takes away the right to run as the owner.
    if isFinished, isKnown { give(file.descriptor, status) }
    let isWritten = isFinished && (!isSafe || fsync(file.descriptor) == 0)
    let error = errno
    guard close(file.descriptor) == 0, isWritten, rename(file.path, target) == 0 else {
      let reason = isWritten ? errno : error
      unlink(file.path)
      errno = reason
      throw failure("cannot write \(path)")
    }
  }

  /// Makes a file of a name that nobody else has, in the same folder.
  ///
  /// The name is short, for that of the file itself may be as long as names can be, and hidden.
  private static func temporary(
    beside path: String,
    _ mode: mode_t
  ) -> (descriptor: Int32, path: String) {
    var attempt = 0
    while true {
      // Another in every process, and no call of the system.
      let name = String(UInt(bitPattern: [path, "\(attempt)"].hashValue), radix: 36)
      let temporary = "\(folderPart(of: path)).critic-lsp-\(name)"
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let descriptor = open(temporary, flags, mode)
      if descriptor >= 0 || errno != EEXIST { return (descriptor, temporary) }
      attempt += 1
    }
  }

  /// Gives a file the owner and the mode of another, as far as we may.
  private static func give(_ descriptor: Int32, _ status: stat) {
    var mode = status.st_mode & 0o7777
    // First, for a change of owner takes away the right to run as that owner.
    if fchown(descriptor, status.st_uid, status.st_gid) != 0 {
      mode &= ~(S_ISUID | S_ISGID)
      if fchown(descriptor, uid_t.max, status.st_gid) != 0 {
        // It belongs to a group of ours, which may do no more than everybody.
        mode = mode & ~0o070 | (mode & 0o007) << 3
      }
    }
    _ = fchmod(descriptor, mode)
  }

  private static func writeThrough(
    to path: String,
    _ body: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    let deadline = now + patience
    var descriptor: Int32
    repeat {
      // A named pipe is not to hold us up before somebody opens its other end.
      descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      if descriptor >= 0 || errno != ENXIO { break }
      sleep(10)
    } while now < deadline
    guard descriptor >= 0 else {
      guard errno == ENXIO else { throw failure("cannot write \(path)") }
      throw Failure(description: "cannot write \(path): it is a pipe, and nobody reads it")
    }
    defer { close(descriptor) }
    let output = Output(descriptor)
    try body(output)
    guard output.finish() else { throw failure("cannot write \(path)") }
  }
}
