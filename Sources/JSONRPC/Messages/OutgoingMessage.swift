/// A message to the other side.
public struct OutgoingMessage: Sendable {
  private let frame: MessageFrame

  private init(_ members: (inout JSONWriter) -> Void) {
    var writer = JSONWriter(margin: Framing.maxHeaderLength)
    writer.object { message in
      message.member("jsonrpc", "2.0")
      members(&message)
    }
    frame = MessageFrame(writer)
  }

  /// A copy of the message in JSON, without a header.
  public var body: [UInt8] { Array(frame.body) }

  /// Calls a closure with the message as it is sent: header and body.
  ///
  /// - Parameter read: Receives the bytes, which are valid during the call.
  /// - Returns: What `read` returns.
  public func withFrame<Result>(_ read: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withExtendedLifetime(frame) { read(frame.bytes) }
  }
}

/// A message in the memory that it was written to, with its header put before it.
///
/// Immutable after the initializer, so it can be shared.
private final class MessageFrame: @unchecked Sendable {
  private let memory: UnsafeMutablePointer<UInt8>
  let bytes: UnsafeBufferPointer<UInt8>
  let body: UnsafeBufferPointer<UInt8>

  /// Takes over what a writer wrote after a margin for the longest header.
  init(_ writer: consuming JSONWriter) {
    let (memory, count) = writer.finish()
    self.memory = memory
    let body = memory + Framing.maxHeaderLength
    let header = Framing.writeHeader(bodyLength: count, to: memory) - memory
    // The two overlap where the length is long.
    (body - header).update(from: memory, count: header)
    bytes = UnsafeBufferPointer(start: body - header, count: header + count)
    self.body = UnsafeBufferPointer(start: body, count: count)
  }

  deinit {
    memory.deallocate()
  }
}

extension OutgoingMessage {
  /// The answer to a request that succeeded.
  ///
  /// - Parameters:
  ///   - id: The id of the request.
  ///   - result: Writes the result; null if it writes nothing.
  /// - Returns: The message.
  public static func response(
    to id: RequestID,
    result: (inout JSONWriter) -> Void
  ) -> OutgoingMessage {
    OutgoingMessage { message in
      message.member("id", id)
      message.key("result")
      let start = message.count
      result(&message)
      if message.count == start { message.null() }
    }
  }

  /// The answer to a request that failed.
  ///
  /// - Parameters:
  ///   - id: The id of the request, nil where it could not be read.
  ///   - error: The reason.
  ///   - data: Writes more about it; nothing if there is no more.
  /// - Returns: The message.
  public static func error(
    to id: RequestID?,
    _ error: ResponseError,
    data: (inout JSONWriter) -> Void = { _ in }
  ) -> OutgoingMessage {
    OutgoingMessage { message in
      message.member("id", id)
      message.member(
        "error",
        object: {
          $0.member("code", error.code)
          $0.member("message", error.message)
          $0.memberIfWritten("data", data)
        }
      )
    }
  }

  /// A notification.
  ///
  /// - Parameters:
  ///   - method: The name of the method.
  ///   - params: Writes the parameters, an object or an array; without any it writes nothing.
  /// - Returns: The message.
  public static func notification(
    method: StaticString,
    params: (inout JSONWriter) -> Void
  ) -> OutgoingMessage {
    OutgoingMessage { message in
      message.call(method, params)
    }
  }

  /// A request of our own.
  ///
  /// - Parameters:
  ///   - id: A number not used before.
  ///   - method: The name of the method.
  ///   - params: Writes the parameters, an object or an array; without any it writes nothing.
  /// - Returns: The message.
  public static func request(
    id: Int,
    method: StaticString,
    params: (inout JSONWriter) -> Void
  ) -> OutgoingMessage {
    OutgoingMessage { message in
      message.member("id", id)
      message.call(method, params)
    }
  }
}

extension OutgoingMessage: CustomStringConvertible {
  /// The message as text.
  public var description: String { String(decoding: frame.body, as: UTF8.self) }
}

extension JSONWriter {
  /// Writes the members that requests and notifications share.
  fileprivate mutating func call(_ method: StaticString, _ params: (inout JSONWriter) -> Void) {
    key("method")
    string(plain: method)
    memberIfWritten("params", params)
  }
}
