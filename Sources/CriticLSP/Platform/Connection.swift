import JSONRPC

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Both ways between the server and its client: what is not taken yet waits, and input goes on.
struct Connection: ~Copyable {
  /// What came in.
  enum Input {
    /// The bytes are there until more are received.
    case bytes(UnsafeRawBufferPointer)
    case none
    case end
  }

  private let input: Int32
  private let outlet: Outlet
  private var queue = SendQueue()
  /// As long as a pipe.
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private let pollers = UnsafeMutablePointer<pollfd>.allocate(capacity: 2)

  /// Whether the client has not closed its end of the output.
  private(set) var isListening = true

  /// Neither descriptor is closed at the end, nor changed: other processes may share them.
  init(input: Int32, output: Int32) {
    self.input = input
    outlet = Outlet(output)
    pollers[0] = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    pollers[1] = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
  }

  deinit {
    memory.deallocate()
    pollers.deallocate()
  }

  /// Waits for input, and meanwhile sends what waits.
  ///
  /// - Parameter milliseconds: How long at most (nil: without end).
  /// - Returns: The input; `none` when the time is over, or some was sent before input came.
  mutating func receive(within milliseconds: Int?) -> Input {
    let wait = milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
    for index in 0..<2 { pollers[index].revents = 0 }
    guard poll(pollers, queue.isEmpty ? 1 : 2, wait) > 0 else { return .none }
    if pollers[1].revents != 0 { sendWaiting() }
    guard pollers[0].revents != 0 else { return .none }
    let count = read(input, memory.baseAddress, memory.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN ? .none : .end }
    return count == 0 ? .end : .bytes(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  /// Sends a message, as far as it is taken now; the rest waits after what waits already.
  mutating func send(_ message: OutgoingMessage) {
    queue.append(message)
    sendWaiting()
  }

  /// Sends what waits.
  ///
  /// - Parameter patience: How long to wait for a client that takes nothing, in milliseconds.
  mutating func finish(patience: Int) {
    var deadline = Platform.now + patience
    while isListening, !queue.isEmpty {
      let left = deadline - Platform.now
      guard left > 0, poll(pollers + 1, 1, Int32(clamping: left)) != 0 else { return }
      if sendWaiting() { deadline = Platform.now + patience }
    }
  }

  /// Sends what is taken without waiting; returns whether that was anything.
  @discardableResult
  private mutating func sendWaiting() -> Bool {
    var hasSent = false
    while isListening, !queue.isEmpty {
      guard let count = queue.withNext(outlet.writeSome) else {
        isListening = false
        return hasSent
      }
      guard count > 0 else { return hasSent }
      queue.remove(count)
      hasSent = true
    }
    return hasSent
  }
}

/// Where bytes are written to without waiting, whatever it is.
///
/// The descriptor is not made non-blocking, for it would be so for everybody who shares it.
private struct Outlet {
  private enum Kind {
    case pipe
    case socket
    /// Never has anybody wait.
    case file
  }

  private let descriptor: Int32
  private let kind: Kind

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var status = stat()
    let mode = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    kind = mode == S_IFSOCK ? .socket : mode == S_IFREG ? .file : .pipe
  }

  /// Writes some bytes.
  ///
  /// - Returns: How many were taken, none if that would be to wait; nil if the other side is gone.
  func writeSome(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    while true {
      let count: Int
      switch kind {
      case .socket:
        count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
      case .file: count = write(descriptor, bytes.baseAddress, bytes.count)
      case .pipe:
        guard Platform.wait(for: descriptor, POLLOUT, within: 0) > 0 else { return 0 }
        // A pipe that is ready has room for so many.
        count = write(descriptor, bytes.baseAddress, min(bytes.count, Int(PIPE_BUF)))
      }
      if count >= 0 { return count }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : nil
    }
  }
}
