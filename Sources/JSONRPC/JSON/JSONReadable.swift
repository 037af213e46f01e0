/// What can be read from one JSON value.
public protocol JSONReadable {
  /// Reads a value.
  ///
  /// - Throws: A `ResponseError` that says what the value should be, and where in it that is so.
  init(_ json: JSON) throws(ResponseError)
}

extension JSON {
  /// The value of a member that has to be there.
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

  /// The value of a member that need not be there; nil where it is not, or is null.
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

  /// The UTF-8 of a member that has to be a string.
  ///
  /// - Parameter name: The name of the member.
  /// - Returns: What the string says.
  /// - Throws: A `ResponseError` that names the member.
  public func readUTF8(_ name: StaticString) throws(ResponseError) -> [UInt8] {
    guard let text = self[name]?.utf8 else { throw .expected("a string").inside("\(name)") }
    return text
  }

  /// What the value says that has a name in another one.
  private func value<Value: JSONReadable>(
    inside name: StaticString
  ) throws(ResponseError) -> Value {
    do {
      return try Value(self)
    } catch {
      throw error.inside("\(name)")
    }
  }

  /// The elements of an array that are what is wanted; those that are not are left out.
  ///
  /// - Parameter type: What they are read as.
  /// - Returns: As many as can be read; none for anything but an array.
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
  /// Reads an array, all elements of which have to be right.
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
  /// Reads what one of the cases stands for.
  public init(_ json: JSON) throws(ResponseError) {
    guard let raw = try? RawValue(json), let value = Self(rawValue: raw) else {
      throw .expected("one of \(Self.allCases.map { "\($0.rawValue)" }.joined(separator: ", "))")
    }
    self = value
  }
}

extension ResponseError {
  /// A value is not what it has to be: -32602.
  ///
  /// - Parameter what: What it should be, with an article.
  /// - Returns: The error, of the value itself; see ``inside(_:)``.
  public static func expected(_ what: String) -> Self { invalidParams("expected \(what)") }

  fileprivate static func missing(_ name: String) -> Self { invalidParams("\(name): missing") }

  /// The error as it is for the value that holds the one at fault.
  ///
  /// - Parameter field: The name of the member, or the index in brackets, where that one is.
  /// - Returns: An error that names the way: as in `positions[2].line: expected an integer`.
  public func inside(_ field: String) -> Self {
    let separator = message.hasPrefix("expected ") ? ": " : message.hasPrefix("[") ? "" : "."
    return Self(code: code, message: field + separator + message)
  }
}
