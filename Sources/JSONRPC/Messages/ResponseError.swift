/// Why a request has no result.
public struct ResponseError: Error, Equatable {
  /// The kind of error, by number.
  public let code: Int
  /// One sentence for the reader of a log.
  public let message: String

  /// Makes an error.
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
  /// The message is not JSON: -32700.
  public static func parseError(_ message: String) -> Self { Self(code: -32_700, message: message) }

  /// The JSON is not a valid message, or comes at the wrong time: -32600.
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

  /// An internal error: -32603.
  public static func internalError(_ message: String) -> Self {
    Self(code: -32_603, message: message)
  }

  /// A request came before `initialize`: -32002.
  public static func serverNotInitialized(_ message: String) -> Self {
    Self(code: -32_002, message: message)
  }

  /// The client has cancelled the request: -32800.
  public static func requestCancelled(_ message: String) -> Self {
    Self(code: -32_800, message: message)
  }

  /// The document changed before the request was answered: -32801.
  public static func contentModified(_ message: String) -> Self {
    Self(code: -32_801, message: message)
  }

  /// The request was valid but failed: -32803.
  public static func requestFailed(_ message: String) -> Self {
    Self(code: -32_803, message: message)
  }
}

extension ResponseError: CustomStringConvertible {
  /// Message and code in one line.
  public var description: String { "\(message) (\(code))" }
}
