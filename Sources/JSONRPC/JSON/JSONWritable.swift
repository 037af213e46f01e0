/// What a `JSONWriter` can write as one value.
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
  /// Writes the value, or `null` where there is none.
  @inlinable
  public func write(to writer: inout JSONWriter) {
    if let self { self.write(to: &writer) } else { writer.null() }
  }
}
