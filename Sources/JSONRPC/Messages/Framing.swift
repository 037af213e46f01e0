/// Cuts a stream of bytes into the bodies of messages, each after a header with its length.
///
/// Errors are reported and survived: a body that is too long is skipped as it arrives, and after an invalid
/// header the stream is resumed at the next `Content-Length`.
/// The work is linear in the number of bytes, however they are divided among calls.
public struct Framing {
  private let maximumLength: Int
  private var state = State.header(HeaderBlock())
  /// Bytes that have arrived; those before `consumed` are done with.
  private var buffer: [UInt8] = []
  private var consumed = 0
  /// Bytes of the current line that are known to hold no line end.
  private var scanned = 0
  /// The body that is arriving.
  private var body: [UInt8] = []

  private enum State {
    case header(HeaderBlock)
    /// The number of bytes that are still to come. While there are any, the buffer is empty.
    case body(missing: Int)
    case skipping(missing: Int)
    /// Looking for a line that ends like a header with a length.
    case resynchronizing
  }

  /// Starts at the beginning of a stream.
  ///
  /// - Parameter maximumLength: The length of the longest body that is delivered.
  public init(maximumLength: Int = 1 << 30) {
    self.maximumLength = maximumLength
  }
}

extension Framing {
  /// What has arrived.
  public enum Frame: Equatable, Sendable {
    /// The body of a message.
    case body([UInt8])
    /// A body longer than the maximum; it is skipped.
    case tooLong(length: Int)
    /// A header without a valid length or with an unknown charset; says what is wrong. The body is skipped if its
    /// end can be found.
    case malformedHeader(String)
  }

  /// Frames a body.
  ///
  /// - Parameter body: The body.
  /// - Returns: The header and the body.
  public static func frame(_ body: [UInt8]) -> [UInt8] {
    Array(unsafeUninitializedCapacity: maxHeaderLength + body.count) { memory, count in
      guard let start = memory.baseAddress else { return }
      let header = writeHeader(bodyLength: body.count, to: start) - start
      count = memory[header...].update(fromContentsOf: body)
    }
  }

  /// The number of bytes kept of an incomplete message; 0 between messages.
  var pendingCount: Int { body.count + buffer.count - consumed }

  /// Takes bytes from the stream, any number of them.
  @inlinable
  public mutating func append(_ bytes: some Collection<UInt8>) {
    let wasContiguous: Void? = bytes.withContiguousStorageIfAvailable {
      append(UnsafeRawBufferPointer($0))
    }
    if wasContiguous == nil {
      Array(bytes).withUnsafeBytes { append($0) }
    }
  }

  /// Takes bytes from the stream, any number of them.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    switch state {
    case .body(let missing) where missing > 0:
      let part = rest.prefix(missing)
      reserveBody(body.count + part.count, total: body.count + missing)
      body.append(contentsOf: UnsafeRawBufferPointer(rebasing: part))
      rest = rest[part.endIndex...]
      state = .body(missing: missing - part.count)
    case .skipping(let missing):
      let part = rest.prefix(missing)
      rest = rest[part.endIndex...]
      state =
        missing == part.count ? .header(HeaderBlock()) : .skipping(missing: missing - part.count)
    default: break
    }
    if rest.isEmpty { return }
    // Moving the rest to the front costs no more than what has been consumed since the last time.
    if consumed > buffer.count / 2 {
      buffer.removeSubrange(..<consumed)
      consumed = 0
    }
    buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: rest))
  }

  /// Takes the next message from what has arrived.
  ///
  /// - Returns: What is next, nil when more bytes are needed.
  public mutating func next() -> Frame? {
    while true {
      switch state {
      case .header(let block):
        guard let line = nextLine() else {
          guard block.size + scanned > HeaderBlock.maximumSize else { return nil }
          return resynchronize("it is longer than 64 KiB")
        }
        if let frame = read(line, in: block) { return frame }
      case .body(let missing):
        guard missing == 0 else { return nil }
        state = .header(HeaderBlock())
        defer { body = [] }
        return .body(body)
      case .skipping:
        return nil
      case .resynchronizing:
        guard let line = nextLine() else {
          forgetLine()
          return nil
        }
        if let start = HeaderBlock.lengthField(endingIn: buffer[line]) {
          consumed = start
          state = .header(HeaderBlock())
        }
      }
    }
  }
}

extension Framing {
  /// The number of bytes of the longest header that is written.
  static let maxHeaderLength = 39

  /// Writes the header of a message.
  ///
  /// - Parameters:
  ///   - length: The number of bytes of the body.
  ///   - memory: Has room for ``maxHeaderLength``.
  /// - Returns: The end of the header.
  static func writeHeader(
    bodyLength length: Int,
    to memory: UnsafeMutablePointer<UInt8>
  ) -> UnsafeMutablePointer<UInt8> {
    let digits = ("Content-Length: " as StaticString).write(to: memory)
    return ("\r\n\r\n" as StaticString).write(to: length.writeDigits(to: digits))
  }
}

extension Framing {
  /// Takes the next line, with its end, if all of it is there.
  private mutating func nextLine() -> Range<Int>? {
    let start = consumed
    let unseen = start + scanned
    guard let end = buffer[unseen...].firstIndex(of: .newline) else {
      scanned = buffer.count - start
      return nil
    }
    scanned = 0
    consumed = end + 1
    return start..<consumed
  }

  /// Takes one line of a header.
  private mutating func read(_ line: Range<Int>, in block: HeaderBlock) -> Frame? {
    var block = block
    block.size += line.count
    guard block.size <= HeaderBlock.maximumSize else {
      consumed = line.lowerBound
      return resynchronize("it is longer than 64 KiB")
    }
    switch block.read(buffer[line]) {
    case .field:
      state = .header(block)
      return nil
    case .noField:
      // Something was printed into the stream. There may be a header at the end of the line.
      consumed = line.lowerBound
      return resynchronize("a line of it is no header: \(HeaderBlock.excerpt(buffer[line]))")
    case .end:
      return begin(block)
    }
  }

  /// Goes on after the last line of a header.
  private mutating func begin(_ block: HeaderBlock) -> Frame? {
    guard let length = block.length else {
      return resynchronize(block.problem ?? "it has no Content-Length")
    }
    if let problem = block.problem {
      skip(length)
      return .malformedHeader(problem)
    }
    if length > maximumLength {
      skip(length)
      return .tooLong(length: length)
    }
    let end = consumed + min(length, buffer.count - consumed)
    reserveBody(end - consumed, total: length)
    body.append(contentsOf: buffer[consumed..<end])
    consumed = end
    state = .body(missing: length - body.count)
    return nil
  }

  private mutating func skip(_ length: Int) {
    let part = min(length, buffer.count - consumed)
    consumed += part
    state = part == length ? .header(HeaderBlock()) : .skipping(missing: length - part)
  }

  private mutating func resynchronize(_ problem: String) -> Frame {
    state = .resynchronizing
    return .malformedHeader(problem)
  }

  /// Drops an incomplete line, except for as much as a header may take.
  private mutating func forgetLine() {
    let surplus = scanned - HeaderBlock.maximumSize
    guard surplus > 0 else { return }
    consumed += surplus
    scanned -= surplus
  }

  /// Reserves memory for a body: at once up to a likely length, because memory that is not written to costs
  /// nothing; otherwise in steps, so that a header alone cannot claim all memory.
  private mutating func reserveBody(_ needed: Int, total: Int) {
    guard needed > body.capacity else { return }
    body.reserveCapacity(min(total, max(1 << 28, needed * 2)))
  }
}
