/// Writes one JSON value, in order, into a growing buffer.
///
/// Commas and colons come by themselves. It is the caller's part to write one value only, and inside
/// objects a key before each value.
public struct JSONWriter {
  /// The number of bytes written so far.
  public private(set) var count = 0
  /// What has been written, and behind it room for more.
  private var buffer: [UInt8] = []
  private var needsComma = false

  /// Starts with nothing.
  public init() {}

  /// A copy of what has been written so far.
  public var bytes: [UInt8] { Array(buffer[..<count]) }
}

// Containers.
extension JSONWriter {
  /// Writes an object.
  ///
  /// - Parameter body: Writes the members.
  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    begin(.openBrace)
    body(&self)
    end(.closeBrace)
  }

  /// Writes an array.
  ///
  /// - Parameter body: Writes the elements.
  public mutating func array(_ body: (inout JSONWriter) -> Void) {
    begin(.openBracket)
    body(&self)
    end(.closeBracket)
  }

  /// Writes the name of a member; its value has to be next.
  public mutating func key(_ name: StaticString) {
    name.withUTF8Buffer { quoted($0) }
    colon()
  }

  /// Writes the name of a member; its value has to be next.
  @_disfavoredOverload  // so that a literal becomes a `StaticString`
  public mutating func key(_ name: String) {
    string(name)
    colon()
  }

  /// Writes a member.
  @inlinable
  public mutating func member(_ name: StaticString, _ value: some JSONWritable) {
    key(name)
    value.write(to: &self)
  }

  /// Writes a member that is an object.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - body: Writes the members of the object.
  public mutating func member(_ name: StaticString, object body: (inout JSONWriter) -> Void) {
    key(name)
    object(body)
  }

  /// Writes a member that is an array.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - body: Writes the elements of the array.
  public mutating func member(_ name: StaticString, array body: (inout JSONWriter) -> Void) {
    key(name)
    array(body)
  }

  /// Writes a member, unless there turns out to be nothing to write.
  mutating func memberIfWritten(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
    let (oldCount, oldNeedsComma) = (count, needsComma)
    key(name)
    let start = count
    body(&self)
    if count == start { (count, needsComma) = (oldCount, oldNeedsComma) }
  }
}

// Values.
extension JSONWriter {
  /// Writes anything that can be written.
  @inlinable
  public mutating func value(_ value: some JSONWritable) {
    value.write(to: &self)
  }

  /// Writes `null`.
  public mutating func null() {
    scalar("null")
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    scalar(value ? "true" : "false")
  }

  /// Writes an integer.
  public mutating func integer(_ value: Int) {
    beginValue()
    append(upTo: 20) { room in
      if value < 0 { room[0] = .minus }
      let start = value < 0 ? 1 : 0
      var rest = value.magnitude
      var end = start
      repeat {
        end += 1
        rest /= 10
      } while rest > 0
      rest = value.magnitude
      for offset in (start..<end).reversed() {
        room[offset] = .zero + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      return end
    }
  }

  /// Writes a number in the shortest way that reads back the same, and `null` for what JSON does not
  /// have: infinity and NaN.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    beginValue()
    var digits = value.description
    digits.withUTF8 { append($0) }
  }

  /// Writes a string.
  public mutating func string(_ value: String) {
    var value = value
    value.withUTF8 { quoted($0) }
  }

  /// Writes a string that is given in UTF-8; each sequence that is not UTF-8 becomes U+FFFD.
  @inlinable
  public mutating func string(utf8: some Collection<UInt8>) {
    let wasContiguous: Void? = utf8.withContiguousStorageIfAvailable { quoted($0) }
    if wasContiguous == nil {
      Array(utf8).withUnsafeBufferPointer { quoted($0) }
    }
  }

  /// Copies a value as its document spells it.
  public mutating func json(_ value: JSON) {
    beginValue()
    value.rawBytes.withUnsafeBufferPointer { append($0) }
  }

  /// Writes a string.
  mutating func string(_ value: StaticString) {
    value.withUTF8Buffer { quoted($0) }
  }
}

extension JSONWriter {
  private mutating func begin(_ bracket: UInt8) {
    beginValue()
    append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    append(bracket)
    needsComma = true
  }

  private mutating func colon() {
    append(.colon)
    needsComma = false
  }

  /// Writes the comma before a value or a key; there will be one behind it, unless it is a key.
  private mutating func beginValue() {
    if needsComma { append(.comma) }
    needsComma = true
  }

  private mutating func scalar(_ word: StaticString) {
    beginValue()
    word.withUTF8Buffer { append($0) }
  }

  @usableFromInline
  mutating func quoted(_ text: UnsafeBufferPointer<UInt8>) {
    // Nearly every string is plain, and then this is all.
    var end = text.endOfPlainText(from: 0)
    let comma = needsComma ? 1 : 0
    append(upTo: end + 3) { room in
      room[0] = .comma
      room[comma] = .quote
      let next = room[(comma + 1)...].update(fromContentsOf: text[..<end])
      room[next] = .quote
      return end == text.count ? next + 1 : next
    }
    needsComma = true
    while end < text.count {
      let start = end + appendEscaped(text, at: end)
      end = text.endOfPlainText(from: start)
      append(UnsafeBufferPointer(rebasing: text[start..<end]))
      if end == text.count { append(.quote) }
    }
  }

  /// Writes what cannot stand in a string as it is.
  ///
  /// - Returns: The number of bytes of the text that this was.
  private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
    let byte = text[offset]
    guard byte < 0x80 else {
      for byte in UTF8.encodedReplacementCharacter { append(byte) }
      return text.utf8Sequence(at: offset).length
    }
    append(upTo: 6) { room in
      room[0] = .backslash
      switch byte {
      case .quote, .backslash: room[1] = byte
      case 0x08: room[1] = .lowerB
      case 0x0C: room[1] = .lowerF
      case .newline: room[1] = .lowerN
      case .carriageReturn: room[1] = .lowerR
      case .tab: room[1] = .lowerT
      default:
        room[1] = .lowerU
        room[2] = .zero
        room[3] = .zero
        room[4] = .zero + byte >> 4
        room[5] = byte & 15 < 10 ? .zero + byte & 15 : 0x57 + byte & 15
        return 6
      }
      return 2
    }
    return 1
  }
}

// The buffer. An array that is appended to byte by byte would be three times slower.
extension JSONWriter {
  private mutating func append(_ byte: UInt8) {
    if count == buffer.count { grow(by: 1) }
    buffer[count] = byte
    count += 1
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(upTo: bytes.count) { room in
      room.update(fromContentsOf: bytes)
    }
  }

  /// Makes room for some bytes and lets `write` fill it from the beginning and say how far.
  @inline(__always)
  private mutating func append(
    upTo capacity: Int,
    _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) {
    if buffer.count - count < capacity { grow(by: capacity) }
    let start = count
    count += buffer.withUnsafeMutableBufferPointer { buffer in
      write(UnsafeMutableBufferPointer(rebasing: buffer[start...]))
    }
  }

  @inline(never)
  private mutating func grow(by capacity: Int) {
    buffer.append(contentsOf: repeatElement(0, count: max(capacity, buffer.count, 256)))
  }
}
