import CLibrary

/// Buffered output to a descriptor.
final class Output {
  private let descriptor: Int32
  /// Small enough for malloc to reuse it for the next file.
  private let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
  private var count = 0
  private var hasFailed = false

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { room.deallocate() }

  /// Writes some bytes, now or on a later flush; does nothing after a failure.
  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.count > room.count - count { flush() }
    guard bytes.count <= room.count else {
      hasFailed = hasFailed || !Platform.send(bytes, to: descriptor)
      return
    }
    _ = UnsafeMutableBufferPointer(rebasing: room[count...]).update(fromContentsOf: bytes)
    count += bytes.count
  }

  /// The same for an array.
  func append(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer(append) }

  /// Writes what is buffered; returns whether everything was written.
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
  /// Calls a closure with an output to a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: Standard output.
  ///   - body: Writes to the output.
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
