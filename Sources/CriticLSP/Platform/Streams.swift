import CLibrary

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

  /// Takes the numbers of standard streams that are closed, so that no file gets them: reading such an input fails,
  /// and writing to such an output.
  static func occupyStandardStreams() {
    // The lowest free number is the one that is given.
    for (descriptor, mode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDWR)] as [(Int32, Int32)]
    where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", mode) }
  }

  /// Reserves standard output for a protocol: other writes to it go to standard error.
  ///
  /// - Returns: The descriptor for the protocol.
  /// - Throws: ``Failure`` if nothing can be read from standard input, or written to standard output.
  static func reserveStandardOutput() throws(Failure) -> Int32 {
    for (descriptor, name, wrong) in [(0, "input", O_WRONLY), (1, "output", O_RDONLY)]
      as [(Int32, String, Int32)]
    where fcntl(descriptor, F_GETFL) & O_ACCMODE == wrong {
      throw Failure(description: "standard \(name) is closed: there is no client to talk to")
    }
    let wire = fcntl(1, F_DUPFD_CLOEXEC, 0)
    guard wire >= 0 else { return 1 }
    dup2(2, 1)
    return wire
  }

  /// How many columns there are for what is written to standard output, as `$COLUMNS` says, or the terminal; nil if
  /// neither does.
  static var columns: Int? {
    [environment("COLUMNS").flatMap { Int($0) } ?? 0, Int(CLibrary.columns(of: 1))].first { $0 > 0 }
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Whether a descriptor is a terminal that supports colours.
  static func isColourTerminal(_ descriptor: Int32) -> Bool {
    isTerminal(descriptor) && (environment("NO_COLOR") ?? "").isEmpty
      && environment("TERM") != "dumb"
  }
}
