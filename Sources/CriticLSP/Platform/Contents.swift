#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
  /// All bytes of a file, or of standard input for `-`.
  static func contents(of path: String) throws(Failure) -> [UInt8] {
    var contents: [UInt8] = []
    try withContents(of: path) { contents = Array($0) }
    return contents
  }

  /// Lends the bytes of a file, or of standard input for `-`; what comes through a pipe is read to its end.
  ///
  /// The bytes are a copy, so that nobody who writes to the file meanwhile can change them.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - body: Takes the bytes, which are there for the length of the call.
  /// - Throws: ``Failure`` if it cannot be read, or is a pipe that nobody writes to, and what `body` throws.
  static func withContents(
    of path: String,
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    // A named pipe is not to hold us up before somebody opens its other end.
    let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("cannot read \(path)") }
    defer { if path != "-" { close(descriptor) } }
    var status = stat()
    let mode = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    let isSilent =
      path != "-" && mode == S_IFIFO && wait(for: descriptor, POLLIN, within: patience) == 0
    let size = mode == S_IFREG ? Int(status.st_size) : 0
    guard let bytes = bytes(readFrom: descriptor, size) else {
      throw failure("cannot read \(path)")
    }
    defer { bytes.deallocate() }
    if isSilent, bytes.isEmpty {
      throw Failure(description: "cannot read \(path): it is a pipe, and nobody writes to it")
    }
    try body(bytes)
  }

  /// Reads to the end, or as much as a file says it holds; nil if the system refuses.
  ///
  /// - Parameters:
  ///   - descriptor: What to read from.
  ///   - size: The length of a file; 0 if it is not known.
  /// - Returns: The bytes, which the caller gives back.
  private static func bytes(
    readFrom descriptor: Int32,
    _ size: Int
  ) -> UnsafeBufferPointer<UInt8>? {
    var room = room(for: max(size, 1 << 12))
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
      let longer = Platform.room(for: 2 * length)
      _ = longer.update(fromContentsOf: room)
      room.deallocate()
      room = longer
    }
  }

  /// Memory for the bytes of a file.
  private static func room(for count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let isLong = count > hugePage
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: count,
      alignment: isLong ? hugePage : 16
    )
    #if os(Linux)
      // The system is slow to hand out many small pages.
      if isLong { madvise(memory, count, MADV_HUGEPAGE) }
    #endif
    let bytes = memory.bindMemory(to: UInt8.self, capacity: count)
    return UnsafeMutableBufferPointer(start: bytes, count: count)
  }

  /// In bytes.
  private static let hugePage = 1 << 21
}
