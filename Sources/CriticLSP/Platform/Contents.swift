import CLibrary

extension Platform {
  /// The contents of a file, or of standard input for `-`.
  static func contents(of path: Path) throws(Failure) -> [UInt8] {
    var contents: [UInt8] = []
    try withContents(of: path) { contents = Array($0) }
    return contents
  }

  /// Calls a closure with the contents of a file, or of standard input for `-`; a pipe is read to its end.
  ///
  /// The bytes are a copy, which other writers to the file cannot change.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - body: Receives the bytes, which are valid during the call.
  /// - Throws: ``Failure`` if the file cannot be read or is a pipe without a writer, and what `body` throws.
  static func withContents(
    of path: Path,
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    // Opening a named pipe would block until its other end is opened.
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let descriptor = path == "-" ? 0 : path.withCString { open($0, flags) }
    guard descriptor >= 0 else { throw failure("cannot read \(path)") }
    defer { if path != "-" { close(descriptor) } }
    let status = status(of: descriptor)
    let mode = status.map { $0.st_mode & S_IFMT }
    let isSilent =
      path != "-" && mode == S_IFIFO && wait(for: descriptor, POLLIN, within: pipeTimeout) == 0
    let size = mode == S_IFREG ? Int(status?.st_size ?? 0) : 0
    guard let bytes = readBytes(from: descriptor, size) else {
      throw failure("cannot read \(path)")
    }
    defer { bytes.deallocate() }
    if isSilent, bytes.isEmpty {
      throw Failure(description: "cannot read \(path): it is a pipe, and nobody writes to it")
    }
    try body(bytes)
  }

  /// Reads to the end, or `size` bytes; nil if reading fails.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor to read from.
  ///   - size: The length of the file; 0 if unknown.
  /// - Returns: The bytes, which the caller must deallocate.
  static func readBytes(
    from descriptor: Int32,
    _ size: Int = 0
  ) -> UnsafeBufferPointer<UInt8>? {
    var room = allocate(max(size, 1 << 12))
    var length = 0
    while true {
      let count = read(descriptor, room.baseAddress.map { $0 + length }, room.count - length)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        wait(for: descriptor, POLLIN, within: nil)
        continue
      }
      guard count >= 0 else {
        room.deallocate()
        return nil
      }
      length += count
      if count == 0 || length == size {
        return UnsafeBufferPointer(rebasing: room[..<length])
      }
      guard length == room.count else { continue }
      let longer = Platform.allocate(2 * length)
      _ = longer.update(fromContentsOf: room)
      room.deallocate()
      room = longer
    }
  }

  /// Allocates memory for the bytes of a file.
  private static func allocate(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let isLong = count > hugePage
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: count,
      alignment: isLong ? hugePage : 16
    )
    #if os(Linux)
      // Faster than many small pages.
      if isLong { madvise(memory, count, MADV_HUGEPAGE) }
    #endif
    let bytes = memory.bindMemory(to: UInt8.self, capacity: count)
    return UnsafeMutableBufferPointer(start: bytes, count: count)
  }

  /// In bytes.
  private static let hugePage = 1 << 21
}
