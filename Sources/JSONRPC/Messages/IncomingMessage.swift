/// A message from the other side.
public enum IncomingMessage: Sendable {
  /// Asks for a response.
  case request(id: RequestID, method: String, params: JSON?)
  /// Asks for nothing.
  case notification(method: String, params: JSON?)
  /// Answers one of our requests; the id is nil where the other side could not read ours.
  case response(id: RequestID?, result: Result<JSON, ResponseError>)

  /// Reads the body of a message.
  ///
  /// Lenient where clients are sloppy: `jsonrpc` may be missing, `params` may be null or of any type, and a
  /// response may have both `result` and `error` when one of them is null.
  ///
  /// - Parameter body: One JSON object.
  /// - Throws: An `InvalidMessage` to answer with.
  public init(body: [UInt8]) throws(InvalidMessage) {
    let json: JSON
    do {
      json = try JSON(parsing: body)
    } catch {
      throw InvalidMessage(id: nil, error: .parseError("The message is not JSON: \(error)."))
    }
    guard json.kind == .object else {
      let what = json.kind == .array ? "Batches are not supported." : "A message is an object."
      throw InvalidMessage(id: nil, error: .invalidRequest(what))
    }
    let idMember = json["id"]
    let id = idMember.flatMap { try? RequestID($0) }
    func invalid(_ sentence: String) -> InvalidMessage {
      InvalidMessage(id: id, error: .invalidRequest(sentence))
    }
    if let version = json["jsonrpc"], version.string != "2.0" {
      throw invalid("'jsonrpc' is not \"2.0\".")
    }
    if let methodMember = json["method"] {
      guard let method = methodMember.string else { throw invalid("'method' is not a string.") }
      let params = json["params"].flatMap { $0.isNull ? nil : $0 }
      if let id {
        self = .request(id: id, method: method, params: params)
      } else if idMember == nil {
        self = .notification(method: method, params: params)
      } else {
        throw invalid("'id' is neither a string nor an integer.")
      }
    } else {
      let (result, error) = (json["result"], json["error"])
      guard id != nil || idMember?.isNull != false else {
        throw invalid("'id' is neither a string nor an integer.")
      }
      if let error, !error.isNull {
        self = .response(id: id, result: .failure(ResponseError(error)))
      } else if let result = result ?? error, id != nil {
        self = .response(id: id, result: .success(result))
      } else {
        throw invalid("There is no 'method'.")
      }
    }
  }
}

/// A body that is not a valid message, and what to answer.
public struct InvalidMessage: Error, Equatable {
  /// The id to answer to; nil, which is written as null, where none could be read.
  public let id: RequestID?
  /// The answer.
  public let error: ResponseError
}

extension ResponseError {
  /// Reads the `error` of a response, however little of it is there.
  fileprivate init(_ json: JSON) {
    self.init(
      code: json["code"]?.integer ?? ResponseError.internalError("").code,
      message: json["message"]?.string ?? json.string ?? ""
    )
  }
}
