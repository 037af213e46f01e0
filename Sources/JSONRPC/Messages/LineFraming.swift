/// Cuts a stream of bytes into the bodies of messages, each on a line of its own.
///
/// Empty lines are passed over. The work is linear in the number of bytes, however they are divided among calls.
public struct LineFraming {
  private let maximumLength: Int
  /// Bytes that have arrived; those before `consumed` are done with.
  private var buffer: [UInt8] = []
  private var consumed = 0
  /// Bytes after those that are known to hold no line end.
  private var scanned = 0
  /// Bytes of a line that was too long and is not over.
  private var skipped = 0

  /// What has arrived.
  public enum Frame: Equatable, Sendable {
    /// The body of a message.
    case body([UInt8])
    /// A line of more than the maximum; it is left out.
    case tooLong(length: Int)
  }

  /// Starts at the beginning of a stream.
  ///
  /// - Parameter maximumLength: The length of the longest body that is delivered.
  public init(maximumLength: Int = 1 << 30) {
    self.maximumLength = maximumLength
  }

  /// Takes bytes from the stream, any number of them.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    if consumed > buffer.count / 2 {
      buffer.removeSubrange(..<consumed)
      consumed = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Takes the next message from what has arrived.
  ///
  /// - Returns: What is next, nil when more bytes are needed.
  public mutating func next() -> Frame? {
    while let end = buffer[(consumed + scanned)...].firstIndex(of: .newline) {
      let line = buffer[consumed..<end]
      consumed = end + 1
      scanned = 0
      let length = skipped + line.count
      skipped = 0
      if length > maximumLength { return .tooLong(length: length) }
      let body = line.last == .carriageReturn ? line.dropLast() : line
      if !body.isEmpty { return .body(Array(body)) }
    }
    scanned = buffer.count - consumed
    if skipped + scanned > maximumLength {
      skipped += scanned
      consumed = buffer.count
      scanned = 0
    }
    return nil
  }
}

extension OutgoingMessage {
  /// The message on a line of its own.
  ///
  /// What is written has no line end in it, but in a value of another document that is copied as it is spelled there.
  public var line: [UInt8] { body + [.newline] }
}
