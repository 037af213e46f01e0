import CLibrary

extension Platform {
  /// Replaces a file atomically, whatever is in it; keeps its owner and mode, and follows symbolic links.
  ///
  /// - Parameters:
  ///   - path: The file; created if missing, and its folders too, unless the path is a link.
  ///   - isSafe: Whether to sync the new file to the disk before it replaces the old one.
  ///   - mode: Who may use a file that was missing, before the process's own mask.
  ///   - body: Writes the new contents.
  /// - Throws: ``Failure``; the file is then unchanged.
  static func replace(
    _ path: Path,
    isSafe: Bool,
    mode: mode_t = 0o666,
    _ body: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    if isOtherThanFile(path) {
      // A pipe or device cannot be replaced, only written to.
      return try writeThrough(to: path, body)
    }
    if isGone(path) { try makeFolders(above: path) }
    let place = try FilePlace(path)
    let new = try TemporaryFile(beside: place, like: place.status, try? OpenFile(place), mode: mode)
    try new.write(isSafe: isSafe, body)
    try new.move()
  }

  private static func writeThrough(
    to path: Path,
    _ body: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    let deadline = now + pipeTimeout
    var descriptor: Int32
    repeat {
      // Opening a named pipe would block until its other end is opened.
      descriptor = path.withCString { open($0, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
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
