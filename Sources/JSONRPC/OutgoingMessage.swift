/// A message to the other side.
public struct OutgoingMessage: Equatable, Sendable {
  /// The message in JSON, without a header.
  public let body: [UInt8]

  private init(_ members: (inout JSONWriter) -> Void) {
    var writer = JSONWriter()
    writer.object { message in
      message.member("jsonrpc", "2.0")
      members(&message)
    }
    body = writer.bytes
  }
}

extension OutgoingMessage {
  /// The answer to a request that succeeded.
  ///
  /// - Parameters:
  ///   - id: The id of the request.
  ///   - result: Writes the result; null stands where it writes nothing.
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
  /// - Returns: The message.
  public static func error(to id: RequestID?, _ error: ResponseError) -> OutgoingMessage {
    OutgoingMessage { message in
      message.member("id", id)
      message.member(
        "error",
        object: {
          $0.member("code", error.code)
          $0.member("message", error.message)
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
  public var description: String { String(decoding: body, as: UTF8.self) }
}

extension JSONWriter {
  /// Writes the members that requests and notifications share.
  fileprivate mutating func call(_ method: StaticString, _ params: (inout JSONWriter) -> Void) {
    key("method")
    string(method)
    memberIfWritten("params", params)
  }
}
