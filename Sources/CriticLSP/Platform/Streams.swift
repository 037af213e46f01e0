#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
  /// Waits until a descriptor is readable or writable, or its other end is closed.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - events: `POLLIN` or `POLLOUT`.
  ///   - milliseconds: How long to wait; nil waits forever.
  /// - Returns: The result of `poll`: 0 if the time is over, negative if it failed.
  @discardableResult
  static func wait(for descriptor: Int32, _ events: Int32, within milliseconds: Int?) -> Int32 {
    var poller = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&poller, 1, milliseconds.map { Int32(clamping: $0) } ?? -1)
  }

  /// How long to wait for the other end of a named pipe, in milliseconds.
  static let pipeTimeout = 2000

  /// Writes all of `bytes`.
  ///
  /// - Returns: False if the other side is gone.
  @discardableResult
  static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBufferPointer { send($0, to: descriptor) }
  }

  /// Writes all of `bytes`.
  ///
  /// - Returns: False if the other side is gone.
  static func send(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        wait(for: descriptor, POLLOUT, within: nil)
        continue
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// The failure of the last call, which wrote to standard output.
  static var outputFailure: Failure {
    let isReaderGone = errno == EPIPE
    return Failure(
      description: "cannot write to standard output: \(reason)",
      isReaderGone: isReaderGone
    )
  }

  /// Reserves standard output for the protocol: other writes to it go to standard error.
  ///
  /// - Returns: The descriptor for the protocol.
  static func reserveStandardOutput() -> Int32 {
    let wire = dup(1)
    guard wire >= 0 else { return 1 }
    dup2(2, 1)
    return wire
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Whether a descriptor is a terminal that supports colours.
  static func isColourTerminal(_ descriptor: Int32) -> Bool {
    isTerminal(descriptor) && (environment("NO_COLOR") ?? "").isEmpty
      && environment("TERM") != "dumb"
  }
}
