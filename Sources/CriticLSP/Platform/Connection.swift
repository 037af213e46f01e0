import CLibrary
import JSONRPC

/// The connection between the server and its client; output that the client does not take yet is queued, while
/// input continues.
struct Connection: ~Copyable {
  /// The result of waiting for input.
  enum Input {
    /// The bytes are valid until the next call of ``receive(within:)``.
    case bytes(UnsafeRawBufferPointer)
    case none
    case end
  }

  private let input: Int32
  private let output: Int32
  private let outlet: Outlet
  private var queue = SendQueue()
  /// How much may wait to be sent before input waits, too, in bytes.
  private let mostQueued: Int
  /// As large as a pipe's buffer on Linux.
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private let pollers = UnsafeMutablePointer<pollfd>.allocate(capacity: 2 + Connection.mostOthers)
  /// How many more descriptors ``receive(within:beside:)`` waits for.
  static let mostOthers = Callers.most + 1

  /// Whether the client still reads our output.
  private(set) var isListening = true
  /// Whether something came of what ``receive(within:beside:)`` waited for beside the client.
  private(set) var isOtherReady = false

  /// Makes a connection; the descriptors are neither closed nor changed, because other processes may share them.
  init(input: Int32, output: Int32, mostQueued: Int = 1 << 28) {
    (self.input, self.output, self.mostQueued) = (input, output, mostQueued)
    outlet = Outlet(output)
  }

  deinit {
    memory.deallocate()
    pollers.deallocate()
  }

  /// Waits for input, and meanwhile sends what is queued.
  ///
  /// A client that takes too little of that is not listened to until it takes more.
  ///
  /// - Parameters:
  ///   - milliseconds: How long to wait; nil waits forever.
  ///   - others: What ends the waiting, too; at most ``mostOthers``.
  /// - Returns: The input; `none` if the time is over, or if something else came first.
  mutating func receive(within milliseconds: Int?, beside others: [pollfd] = []) -> Input {
    let wait = milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1
    // What has a negative number is not waited for.
    let takesInput = queue.count <= mostQueued
    pollers[0] = pollfd(fd: takesInput ? input : -1, events: Int16(POLLIN), revents: 0)
    pollers[1] = pollfd(fd: queue.isEmpty ? -1 : output, events: Int16(POLLOUT), revents: 0)
    for (index, other) in others.enumerated() { pollers[2 + index] = other }
    isOtherReady = false
    guard poll(pollers, nfds_t(2 + others.count), wait) > 0 else { return .none }
    isOtherReady = others.indices.contains { pollers[2 + $0].revents != 0 }
    if pollers[1].revents != 0 { sendWaiting() }
    guard pollers[0].revents != 0 else { return .none }
    let count = read(input, memory.baseAddress, memory.count)
    if count < 0 { return errno == EINTR || errno == EAGAIN ? .none : .end }
    return count == 0 ? .end : .bytes(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }

  /// Queues a message, and sends as much as the client takes now.
  mutating func send(_ message: OutgoingMessage) {
    queue.append(message)
    sendWaiting()
  }

  /// Sends what is queued.
  ///
  /// - Parameter timeout: How long to wait while the client takes nothing, in milliseconds.
  mutating func finish(timeout: Int) {
    var deadline = Platform.now + timeout
    while isListening, !queue.isEmpty {
      let left = deadline - Platform.now
      guard left > 0, Platform.wait(for: output, POLLOUT, within: left) != 0 else { return }
      if sendWaiting() { deadline = Platform.now + timeout }
    }
  }

  /// Sends what the client takes without waiting; returns whether that was anything.
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

/// Writes to a descriptor of any kind without blocking.
///
/// The descriptor is not made non-blocking, because that would affect every process that shares it.
private struct Outlet {
  private enum Kind {
    case pipe
    case socket
    /// Never blocks.
    case file
  }

  private let descriptor: Int32
  private let kind: Kind

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    let mode = Platform.status(of: descriptor).map { $0.st_mode & S_IFMT }
    kind = mode == S_IFSOCK ? .socket : mode == S_IFREG ? .file : .pipe
  }

  /// Writes some bytes.
  ///
  /// - Returns: How many were written, 0 if that would block; nil if the other side is gone.
  func writeSome(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    while true {
      let count: Int
      switch kind {
      case .socket:
        count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
      case .file: count = write(descriptor, bytes.baseAddress, bytes.count)
      case .pipe:
        guard Platform.wait(for: descriptor, POLLOUT, within: 0) > 0 else { return 0 }
        // A pipe that is ready has room for this many.
        count = write(descriptor, bytes.baseAddress, min(bytes.count, Int(PIPE_BUF)))
      }
      if count >= 0 { return count }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : nil
    }
  }
}
