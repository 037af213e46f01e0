/// A type that a `JSONWriter` can write as one value.
public protocol JSONWritable {
  /// Writes this value, exactly one.
  func write(to writer: inout JSONWriter)
}

extension Int: JSONWritable {
  /// Writes a number.
  @inlinable
  public func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Bool: JSONWritable {
  /// Writes `true` or `false`.
  @inlinable
  public func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension Double: JSONWritable {
  /// Writes a number.
  @inlinable
  public func write(to writer: inout JSONWriter) { writer.double(self) }
}

extension String: JSONWritable {
  /// Writes a string.
  @inlinable
  public func write(to writer: inout JSONWriter) { writer.string(self) }
}

/// The value `null`.
public struct JSONNull: JSONWritable {
  /// Makes the value.
  public init() {}

  /// Writes `null`.
  public func write(to writer: inout JSONWriter) { writer.null() }
}

/// A string given in UTF-8; each invalid sequence is written as U+FFFD.
public struct JSONString: JSONWritable {
  private let utf8: [UInt8]

  /// Takes the bytes of a string.
  public init(utf8: [UInt8]) { self.utf8 = utf8 }

  /// Writes a string.
  public func write(to writer: inout JSONWriter) { writer.string(utf8: utf8) }
}

extension StaticString: JSONWritable {
  /// Writes a string, which must not need escapes in JSON.
  @inlinable
  public func write(to writer: inout JSONWriter) { writer.string(plain: self) }
}

extension JSONWritable where Self: RawRepresentable, RawValue: JSONWritable {
  /// Writes the raw value.
  @inlinable
  public func write(to writer: inout JSONWriter) { rawValue.write(to: &writer) }
}

extension JSON: JSONWritable {
  /// Copies the value as its document spells it.
  public func write(to writer: inout JSONWriter) { writer.json(self) }
}

extension RequestID: JSONWritable {
  /// Writes a number or a string.
  public func write(to writer: inout JSONWriter) {
    switch self {
    case .number(let number): writer.integer(number)
    case .string(let string): writer.string(string)
    }
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  /// Writes an array.
  @inlinable
  public func write(to writer: inout JSONWriter) {
    writer.array {
      for element in self { element.write(to: &$0) }
    }
  }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  /// Writes the value, or `null`.
  @inlinable
  public func write(to writer: inout JSONWriter) {
    if let self { self.write(to: &writer) } else { writer.null() }
  }
}
