import JSONRPC

/// Messages that wait to be sent, oldest first; each is let go as soon as it is sent.
struct SendQueue {
  private var messages: [OutgoingMessage?] = []
  /// The oldest that is not sent, and how many of its bytes are.
  private var first = 0
  private var sent = 0

  var isEmpty: Bool { first == messages.count }

  /// Puts a message at the end; constant time.
  mutating func append(_ message: OutgoingMessage) { messages.append(message) }

  /// Lends the bytes that are next, no further than the end of their message; constant time.
  ///
  /// - Parameter body: Takes the bytes: none if nothing waits.
  /// - Returns: What `body` returns.
  func withNext<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    guard first < messages.count, let message = messages[first] else {
      return body(UnsafeBufferPointer(start: nil, count: 0))
    }
    return message.withFrame { body(UnsafeBufferPointer(rebasing: $0[sent...])) }
  }

  /// Takes away bytes that are sent, of those that ``withNext(_:)`` lends; constant time on average.
  mutating func remove(_ count: Int) {
    sent += count
    guard withNext({ $0.isEmpty }), !isEmpty else { return }
    messages[first] = nil
    first += 1
    sent = 0
    guard first * 2 > messages.count else { return }
    messages.removeFirst(first)
    first = 0
  }
}
