#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
  /// Replaces a file atomically; keeps its owner and mode, and follows symbolic links.
  ///
  /// - Parameters:
  ///   - path: The file; created if missing, and its folders too, unless the path is a link.
  ///   - isSafe: Whether to sync the new file to the disk before it replaces the old one.
  ///   - body: Writes the new contents.
  /// - Throws: ``Failure``; the file is then unchanged.
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
      // A pipe or device cannot be replaced, only written to.
      return try writeThrough(to: path, body)
    }
    if isLink { target = try destination(of: path) }
    // The new file must not be readable by more users than the old one, not even for a moment.
    let mode: mode_t = isKnown ? 0o600 : 0o666
    var file = makeTemporary(beside: target, mode)
    if file.descriptor < 0, isMissing, target == path {
      try makeFolders(above: target)
      file = makeTemporary(beside: target, mode)
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
    // Last, because writing clears the set-user-ID bit.
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

  /// Creates a file with a unique name in the same folder.
  ///
  /// The name is hidden, and short, because the file's own name may have the maximum length already.
  private static func makeTemporary(
    beside path: String,
    _ mode: mode_t
  ) -> (descriptor: Int32, path: String) {
    var attempt = 0
    while true {
      // Hashing is seeded for each process; this needs no system call.
      let name = String(UInt(bitPattern: [path, "\(attempt)"].hashValue), radix: 36)
      let temporary = "\(folderPart(of: path)).critic-lsp-\(name)"
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let descriptor = open(temporary, flags, mode)
      if descriptor >= 0 || errno != EEXIST { return (descriptor, temporary) }
      attempt += 1
    }
  }

  /// Gives a file the owner and mode of another, as far as permitted.
  private static func give(_ descriptor: Int32, _ status: stat) {
    var mode = status.st_mode & 0o7777
    // First, because a change of owner clears the set-user-ID bit.
    if fchown(descriptor, status.st_uid, status.st_gid) != 0 {
      mode &= ~(S_ISUID | S_ISGID)
      if fchown(descriptor, uid_t.max, status.st_gid) != 0 {
        // The file keeps our own group, which must not get more rights than everybody.
        mode = mode & ~0o070 | (mode & 0o007) << 3
      }
    }
    _ = fchmod(descriptor, mode)
  }

  private static func writeThrough(
    to path: String,
    _ body: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    let deadline = now + pipeTimeout
    var descriptor: Int32
    repeat {
      // Opening a named pipe would block until its other end is opened.
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
