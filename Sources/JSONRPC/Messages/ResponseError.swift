/// Why a request has no result.
public struct ResponseError: Error, Equatable {
  /// The kind of error, by number.
  public let code: Int
  /// One sentence for the reader of a log.
  public let message: String

  /// Makes an error with a code of one's own.
  ///
  /// - Parameters:
  ///   - code: The kind of error.
  ///   - message: One sentence.
  public init(code: Int, message: String) {
    self.code = code
    self.message = message
  }
}

extension ResponseError {
  /// The message is no JSON: -32700.
  public static func parseError(_ message: String) -> Self { Self(code: -32_700, message: message) }

  /// The JSON is no message, or comes at the wrong time: -32600.
  public static func invalidRequest(_ message: String) -> Self {
    Self(code: -32_600, message: message)
  }

  /// There is no such method: -32601.
  public static func methodNotFound(_ message: String) -> Self {
    Self(code: -32_601, message: message)
  }

  /// The parameters do not fit the method: -32602.
  public static func invalidParams(_ message: String) -> Self {
    Self(code: -32_602, message: message)
  }

  /// It is our own fault: -32603.
  public static func internalError(_ message: String) -> Self {
    Self(code: -32_603, message: message)
  }

  /// The first request has to be another: -32002.
  public static func serverNotInitialized(_ message: String) -> Self {
    Self(code: -32_002, message: message)
  }

  /// The client has cancelled the request: -32800.
  public static func requestCancelled(_ message: String) -> Self {
    Self(code: -32_800, message: message)
  }

  /// The content has changed while the request was worked on: -32801.
  public static func contentModified(_ message: String) -> Self {
    Self(code: -32_801, message: message)
  }

  /// The request was right and failed all the same: -32803.
  public static func requestFailed(_ message: String) -> Self {
    Self(code: -32_803, message: message)
  }
}

extension ResponseError: CustomStringConvertible {
  /// Message and code in one line.
  public var description: String { "\(message) (\(code))" }
}
