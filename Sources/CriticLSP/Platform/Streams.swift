#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Platform {
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

  /// Why the last call failed; nil if it was because the reader has gone, as `head` does.
  static var writeFailure: String? {
    errno == EPIPE ? nil : String(cString: strerror(errno))
  }

  /// Keeps standard output for the protocol: whatever else writes to it goes to standard error.
  ///
  /// - Returns: The descriptor that is standard output now.
  static func reserveStandardOutput() -> Int32 {
    let wire = dup(1)
    guard wire >= 0 else { return 1 }
    dup2(2, 1)
    return wire
  }
}
