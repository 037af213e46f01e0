/// Writes one JSON value, in order, into growing memory.
///
/// Commas and colons are written automatically. The caller must write exactly one value, and inside objects a
/// key before each value.
///
/// Every value is written with a comma after it, which the end of the container or of the whole removes, so
/// that there is no state to keep between values.
public struct JSONWriter: ~Copyable {
  /// What has been written lies after the margin, and goes up to `next`.
  @usableFromInline var memory: UnsafeMutablePointer<UInt8>
  @usableFromInline var next: UnsafeMutablePointer<UInt8>
  /// The end of the memory.
  @usableFromInline var limit: UnsafeMutablePointer<UInt8>
  /// Memory before the first byte, reserved for a header.
  let margin: Int

  /// Makes an empty writer.
  public init() { self.init(margin: 0) }

  init(margin: Int) {
    let capacity = margin + 512
    memory = .allocate(capacity: capacity)
    next = memory + margin
    limit = memory + capacity
    self.margin = margin
  }

  deinit {
    memory.deallocate()
  }

  /// The number of bytes written so far.
  public var count: Int {
    let written = next - memory - margin
    return written > 0 && next[-1] == .comma ? written - 1 : written
  }

  /// A copy of what has been written so far.
  public var bytes: [UInt8] {
    Array(UnsafeBufferPointer(start: memory + margin, count: count))
  }

  /// Ends the writing.
  ///
  /// - Returns: The memory, which is the caller's to deallocate, and the number of bytes that were
  ///   written after the margin.
  consuming func finish() -> (memory: UnsafeMutablePointer<UInt8>, count: Int) {
    let written = (memory, count)
    discard self
    return written
  }
}

// Containers.
extension JSONWriter {
  /// Writes an object.
  ///
  /// - Parameter body: Writes the members.
  @inlinable
  @inline(__always)
  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    append(.openBrace)
    body(&self)
    end(.closeBrace)
  }

  /// Writes an array.
  ///
  /// - Parameter body: Writes the elements.
  @inlinable
  @inline(__always)
  public mutating func array(_ body: (inout JSONWriter) -> Void) {
    append(.openBracket)
    body(&self)
    end(.closeBracket)
  }

  /// Writes the name of a member; its value has to be next.
  ///
  /// - Parameter name: One that stands in JSON as it is, without escapes.
  @inlinable
  @inline(__always)
  public mutating func key(_ name: StaticString) {
    assert(name.isPlain, "\(name) needs escapes")
    assert(isBetweenMembers, "\(name) comes where no name can be: a name before it has no value")
    reserve(name.utf8CodeUnitCount + 3)
    next[0] = .quote
    next = name.write(to: next + 1)
    next[0] = .quote
    next[1] = .colon
    next += 2
  }

  /// Writes the name of a member; its value has to be next.
  @_disfavoredOverload  // so that a literal becomes a `StaticString`
  public mutating func key(_ name: String) {
    assert(isBetweenMembers, "\(name) comes where no name can be: a name before it has no value")
    string(name)
    next[-1] = .colon
  }

  /// Writes a member.
  @inlinable
  @inline(__always)
  public mutating func member(_ name: StaticString, _ value: some JSONWritable) {
    key(name)
    value.write(to: &self)
  }

  /// Writes a member that is an object.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - body: Writes the members of the object.
  @inlinable
  @inline(__always)
  public mutating func member(_ name: StaticString, object body: (inout JSONWriter) -> Void) {
    key(name)
    object(body)
  }

  /// Writes a member that is an array.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - body: Writes the elements of the array.
  @inlinable
  @inline(__always)
  public mutating func member(_ name: StaticString, array body: (inout JSONWriter) -> Void) {
    key(name)
    array(body)
  }

  /// Writes a member that is a string.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - body: Writes the parts of the string, with ``text(_:)`` and nothing else.
  @inlinable
  @inline(__always)
  public mutating func member(_ name: StaticString, string body: (inout JSONWriter) -> Void) {
    key(name)
    string(body)
  }

  /// Writes a member that is a string.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - utf8: The string in UTF-8; each sequence that is not UTF-8 becomes U+FFFD.
  @inlinable
  @inline(__always)
  public mutating func member(_ name: StaticString, utf8: some Collection<UInt8>) {
    key(name)
    string(utf8: utf8)
  }

  /// Writes a member, unless the value is nil.
  @inlinable
  @inline(__always)
  public mutating func member(_ name: StaticString, ifPresent value: (some JSONWritable)?) {
    if let value { member(name, value) }
  }

  /// Writes a member only if it is true.
  @inlinable
  @inline(__always)
  public mutating func member(_ name: StaticString, ifTrue value: Bool) {
    if value { member(name, true) }
  }

  /// Writes a member, unless `body` writes nothing.
  mutating func memberIfWritten(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    let before = next - memory
    key(name)
    let start = next - memory
    body(&self)
    if next - memory == start { next = memory + before }
  }
}

// Values.
extension JSONWriter {
  /// Writes a value of any type.
  @inlinable
  @inline(__always)
  public mutating func value(_ value: some JSONWritable) {
    value.write(to: &self)
  }

  /// Writes `null`.
  @inlinable
  @inline(__always)
  public mutating func null() {
    append("null,")
  }

  /// Writes `true` or `false`.
  @inlinable
  @inline(__always)
  public mutating func bool(_ value: Bool) {
    if value { append("true,") } else { append("false,") }
  }

  /// Writes an integer.
  @inlinable
  @inline(__always)
  public mutating func integer(_ value: Int) {
    reserve(21)
    next = value.writeDigits(to: next)
    next[0] = .comma
    next += 1
  }

  /// Writes the shortest number that reads back the same; `null` for infinity and NaN, which JSON lacks.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    var digits = value.description
    digits.withUTF8 { append($0) }
    append(.comma)
  }

  /// Writes a string.
  @inlinable
  @inline(__always)
  public mutating func string(_ value: String) {
    string { $0.text(value) }
  }

  /// Writes a string.
  ///
  /// - Parameter value: One that stands in JSON as it is, without escapes.
  @inlinable
  @inline(__always)
  public mutating func string(plain value: StaticString) {
    string { $0.text(plain: value) }
  }

  /// Writes a string that is given in UTF-8; each sequence that is not UTF-8 becomes U+FFFD.
  @inlinable
  @inline(__always)
  public mutating func string(utf8: some Collection<UInt8>) {
    string { $0.text(utf8: utf8) }
  }

  /// Writes a string in parts.
  ///
  /// - Parameter body: Writes the parts, with ``text(_:)`` and nothing else.
  @inlinable
  @inline(__always)
  public mutating func string(_ body: (inout JSONWriter) -> Void) {
    append(.quote)
    body(&self)
    reserve(2)
    next[0] = .quote
    next[1] = .comma
    next += 2
  }

  /// Copies a value as its document spells it.
  public mutating func json(_ value: JSON) {
    value.rawBytes.withUnsafeBufferPointer { append($0) }
    append(.comma)
  }
}

// The memory.
extension JSONWriter {
  @inlinable
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    next[0] = byte
    next += 1
  }

  @inlinable
  @inline(__always)
  mutating func append(_ text: StaticString) {
    reserve(text.utf8CodeUnitCount)
    next = text.write(to: next)
  }

  @inlinable
  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    next.initialize(from: start, count: bytes.count)
    next += bytes.count
  }

  /// Whether a name can follow: after the start of an object, or after a value.
  @usableFromInline var isBetweenMembers: Bool {
    next > memory + margin && (next[-1] == .openBrace || next[-1] == .comma)
  }

  /// Ends a container, in the place of the comma after its last value.
  @inlinable
  @inline(__always)
  mutating func end(_ bracket: UInt8) {
    assert(next[-1] != .colon, "the last name of the object has no value")
    reserve(2)
    if next[-1] == .comma { next -= 1 }
    next[0] = bracket
    next[1] = .comma
    next += 2
  }

  @inlinable
  @inline(__always)
  mutating func reserve(_ count: Int) {
    if limit - next < count { grow(by: count) }
  }

  /// By a factor of four, because growing copies everything, while memory that is never written to costs
  /// almost nothing.
  @usableFromInline
  @inline(never)
  mutating func grow(by count: Int) {
    let written = next - memory
    let capacity = max((limit - memory) * 4, written + count)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.initialize(from: memory, count: written)
    memory.deallocate()
    memory = larger
    next = larger + written
    limit = larger + capacity
  }
}

extension StaticString {
  /// Writes the text to memory with room for it.
  ///
  /// - Returns: The end of what was written.
  @inlinable
  @inline(__always)
  func write(to memory: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    memory.initialize(from: utf8Start, count: utf8CodeUnitCount)
    return memory + utf8CodeUnitCount
  }

  /// Whether this needs no escapes in JSON.
  @usableFromInline var isPlain: Bool {
    withUTF8Buffer { $0.endOfPlainText(from: 0) == $0.count }
  }
}

extension Int {
  /// Writes a number to memory with room for the longest.
  ///
  /// - Returns: The end of what was written.
  @usableFromInline
  func writeDigits(to memory: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
    var memory = memory
    if self < 0 {
      memory[0] = .minus
      memory += 1
    }
    var rest = magnitude
    let end = memory + rest.digitCount
    var at = end
    // Two digits at a time, because the division takes most of the time.
    while rest >= 10 {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      at -= 2
      at[0] = .zero + UInt8(truncatingIfNeeded: pair / 10)
      at[1] = .zero + UInt8(truncatingIfNeeded: pair % 10)
      rest = quotient
    }
    if at > memory { memory[0] = .zero + UInt8(truncatingIfNeeded: rest) }
    return end
  }
}

extension UInt {
  fileprivate var digitCount: Int {
    var count = 1
    var rest = self
    while rest >= 10_000 {
      rest /= 10_000
      count += 4
    }
    return rest < 100 ? (rest < 10 ? count : count + 1) : rest < 1000 ? count + 2 : count + 3
  }
}
