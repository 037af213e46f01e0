#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Collects what is written to a descriptor, so that many small parts are one call.
final class Output {
  private let descriptor: Int32
  /// Short enough for malloc to have it at hand for the next file.
  private let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
  private var count = 0
  private var hasFailed = false

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { room.deallocate() }

  /// Writes some bytes, now or later; after a failure it does nothing.
  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.count > room.count - count { flush() }
    guard bytes.count <= room.count else {
      hasFailed = hasFailed || !Platform.send(bytes, to: descriptor)
      return
    }
    _ = UnsafeMutableBufferPointer(rebasing: room[count...]).update(fromContentsOf: bytes)
    count += bytes.count
  }

  /// Writes what is still to be written; returns whether everything was.
  func finish() -> Bool {
    flush()
    return !hasFailed
  }

  private func flush() {
    let bytes = UnsafeBufferPointer(rebasing: room[..<count])
    hasFailed = hasFailed || !Platform.send(bytes, to: descriptor)
    count = 0
  }
}

extension Platform {
  /// Lends an output on a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: Standard output.
  ///   - body: Writes.
  /// - Throws: ``Failure`` if not everything could be written, and what `body` throws.
  static func withOutput(
    to descriptor: Int32,
    _ body: (Output) throws(Failure) -> Void
  ) throws(Failure) {
    let output = Output(descriptor)
    try body(output)
    guard output.finish() else { throw outputFailure }
  }
}
