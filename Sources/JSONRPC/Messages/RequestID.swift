/// The id that matches a response to its request; it keeps the JSON type it came with.
public enum RequestID: Hashable, Sendable {
  /// An integer.
  case number(Int)
  /// A string.
  case string(String)
}

extension RequestID: JSONReadable {
  /// Reads an id, which is a string or an integer; a progress token is one, too.
  public init(_ json: JSON) throws(ResponseError) {
    if let number = json.integer {
      self = .number(number)
    } else if let string = json.string {
      self = .string(string)
    } else {
      throw .expected("a string or an integer")
    }
  }
}

extension RequestID: CustomStringConvertible {
  /// The id as JSON spells it.
  public var description: String {
    var writer = JSONWriter()
    write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
