import JSONRPC

/// Messages to send, oldest first; each is freed as soon as it is sent.
struct SendQueue {
  private var messages: [OutgoingMessage?] = []
  /// The index of the oldest unsent message, and how many of its bytes are sent.
  private var first = 0
  private var sent = 0
  /// How many bytes are still to be sent.
  private(set) var count = 0

  var isEmpty: Bool { first == messages.count }

  /// Appends a message; constant time.
  mutating func append(_ message: OutgoingMessage) {
    messages.append(message)
    count += message.withFrame(\.count)
  }

  /// Calls a closure with the next bytes to send, at most to the end of their message; constant time.
  ///
  /// - Parameter body: Receives the bytes; empty if the queue is.
  /// - Returns: What `body` returns.
  func withNext<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    guard first < messages.count, let message = messages[first] else {
      return body(UnsafeBufferPointer(start: nil, count: 0))
    }
    return message.withFrame { body(UnsafeBufferPointer(rebasing: $0[sent...])) }
  }

  /// Removes bytes that were sent, of those from ``withNext(_:)``; amortized constant time.
  mutating func remove(_ count: Int) {
    sent += count
    self.count -= count
    guard withNext({ $0.isEmpty }), !isEmpty else { return }
    messages[first] = nil
    first += 1
    sent = 0
    guard first * 2 > messages.count else { return }
    messages.removeFirst(first)
    first = 0
  }
}
