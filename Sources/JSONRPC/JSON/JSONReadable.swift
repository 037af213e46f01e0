/// A type that can be read from one JSON value.
public protocol JSONReadable {
  /// Reads a value.
  ///
  /// - Throws: A `ResponseError` that says what was expected, and where in the value.
  init(_ json: JSON) throws(ResponseError)
}

extension JSON {
  /// The value of a required member.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - type: What it is read as.
  /// - Returns: What the member says.
  /// - Throws: A `ResponseError` that names the member.
  public func read<Value: JSONReadable>(
    _ name: StaticString,
    as type: Value.Type = Value.self
  ) throws(ResponseError) -> Value {
    guard let member = self[name] else { throw .missing("\(name)") }
    return try member.value(inside: name)
  }

  /// The value of an optional member; nil if it is missing or null.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - type: What it is read as.
  /// - Returns: What the member says.
  /// - Throws: A `ResponseError` that names the member.
  public func readIfPresent<Value: JSONReadable>(
    _ name: StaticString,
    as type: Value.Type = Value.self
  ) throws(ResponseError) -> Value? {
    guard let member = self[name], !member.isNull else { return nil }
    return try member.value(inside: name)
  }

  /// The UTF-8 of a required member that is a string.
  ///
  /// - Parameter name: The name of the member.
  /// - Returns: What the string says.
  /// - Throws: A `ResponseError` that names the member.
  public func readUTF8(_ name: StaticString) throws(ResponseError) -> [UInt8] {
    guard let text = self[name]?.utf8 else { throw .expected("a string").inside("\(name)") }
    return text
  }

  /// The value, read; errors name the member.
  private func value<Value: JSONReadable>(
    inside name: StaticString
  ) throws(ResponseError) -> Value {
    do {
      return try Value(self)
    } catch {
      throw error.inside("\(name)")
    }
  }

  /// The elements of an array that can be read as a type; others are left out.
  ///
  /// - Parameter type: The type of the elements.
  /// - Returns: The elements; empty if this is not an array.
  public func readable<Value: JSONReadable>(as type: Value.Type = Value.self) -> [Value] {
    elements.compactMap { try? Value($0) }
  }
}

extension JSON: JSONReadable {
  /// Takes any value.
  public init(_ json: JSON) { self = json }
}

extension String: JSONReadable {
  /// Reads a string.
  public init(_ json: JSON) throws(ResponseError) {
    guard let string = json.string else { throw .expected("a string") }
    self = string
  }
}

extension Int: JSONReadable {
  /// Reads an integer.
  public init(_ json: JSON) throws(ResponseError) {
    guard let integer = json.integer else { throw .expected("an integer") }
    self = integer
  }
}

extension Bool: JSONReadable {
  /// Reads `true` or `false`.
  public init(_ json: JSON) throws(ResponseError) {
    guard let bool = json.bool else { throw .expected("true or false") }
    self = bool
  }
}

extension Array: JSONReadable where Element: JSONReadable {
  /// Reads an array; every element must be valid.
  public init(_ json: JSON) throws(ResponseError) {
    guard json.kind == .array else { throw .expected("an array") }
    self = []
    reserveCapacity(json.count)
    for element in json.elements {
      do {
        append(try Element(element))
      } catch {
        throw error.inside("[\(count)]")
      }
    }
  }
}

extension JSONReadable where Self: RawRepresentable & CaseIterable, RawValue: JSONReadable {
  /// Reads the raw value of a case.
  public init(_ json: JSON) throws(ResponseError) {
    guard let raw = try? RawValue(json), let value = Self(rawValue: raw) else {
      throw .expected("one of \(Self.allCases.map { "\($0.rawValue)" }.joined(separator: ", "))")
    }
    self = value
  }
}

extension ResponseError {
  /// The error for a value that is not what was expected: -32602.
  ///
  /// - Parameter what: What was expected, with an article.
  /// - Returns: The error, without the path to the value; see ``inside(_:)``.
  public static func expected(_ what: String) -> Self { invalidParams("expected \(what)") }

  fileprivate static func missing(_ name: String) -> Self { invalidParams("\(name): missing") }

  /// The same error as seen from the enclosing value.
  ///
  /// - Parameter field: The name of the member, or the index in brackets.
  /// - Returns: An error with the path, as in `positions[2].line: expected an integer`.
  public func inside(_ field: String) -> Self {
    let separator = message.hasPrefix("expected ") ? ": " : message.hasPrefix("[") ? "" : "."
    return Self(code: code, message: field + separator + message)
  }
}
