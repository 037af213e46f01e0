/// One value inside a parsed JSON document.
///
/// The document is parsed once, in full, into a flat list of nodes; a `JSON` only says which of them
/// is meant, so copying one is cheap, and text is decoded only on demand.
/// Accessors for a type that the value does not have return nil.
public struct JSON: Sendable {
  let document: JSONDocument
  let index: Int

  /// Parses a document with exactly one value, strictly by RFC 8259.
  ///
  /// The one liberty: a `\u` escape that is half of a surrogate pair has no meaning in UTF-8 and is
  /// read as U+FFFD. Refusing it would lose a whole document for one broken character.
  ///
  /// - Parameters:
  ///   - bytes: The document in UTF-8, without a byte order mark.
  ///   - depthLimit: How deep arrays and objects may be nested.
  /// - Throws: A `JSONError` with the offset of the first invalid byte.
  public init(parsing bytes: [UInt8], depthLimit: Int = 512) throws(JSONError) {
    document = try JSONDocument(parsing: bytes, depthLimit: depthLimit)
    index = 0
  }

  init(document: JSONDocument, index: Int) {
    self.document = document
    self.index = index
  }
}

extension JSON {
  /// The types a value can have.
  public enum Kind: Sendable {
    /// The literal `null`.
    case null
    /// `true` or `false`.
    case bool
    /// Any number.
    case number
    /// Text.
    case string
    /// A list of values.
    case array
    /// A list of names with values.
    case object
  }

  /// The type of this value.
  public var kind: Kind {
    switch firstByte {
    case .openBrace: .object
    case .openBracket: .array
    case .quote: .string
    case .lowerN: .null
    case .lowerT, .lowerF: .bool
    default: .number
    }
  }

  /// Whether this value is `null`.
  public var isNull: Bool { firstByte == .lowerN }

  /// The value of `true` or `false`.
  public var bool: Bool? {
    switch firstByte {
    case .lowerT: true
    case .lowerF: false
    default: nil
    }
  }

  /// The value of a number that is integral and fits, be it written `100`, `100.0` or `1e2`.
  public var integer: Int? {
    withSource { source in
      kind == .number ? JSONNumber.integer(source) : nil
    }
  }

  /// The value of a number, rounded to the nearest `Double`; nil where that would be infinite.
  public var double: Double? {
    withSource { source in
      kind == .number ? JSONNumber.double(source) : nil
    }
  }

  /// The text of a string, decoded, in UTF-8.
  public var utf8: [UInt8]? {
    withText { text in
      node.mayHaveEscapes ? text.unescaped() : Array(text)
    }
  }

  /// The text of a string, decoded.
  public var string: String? {
    withText { text in
      node.mayHaveEscapes
        ? String(decoding: text.unescaped(), as: UTF8.self) : String(decoding: text, as: UTF8.self)
    }
  }

  /// The bytes of the document that spell this value.
  public var rawBytes: ArraySlice<UInt8> {
    document.bytes[Int(node.start)..<Int(node.end)]
  }

  /// The number of elements of an array or of members of an object, 0 for anything else.
  public var count: Int {
    switch firstByte {
    case .openBrace, .openBracket: Int(node.count)
    default: 0
    }
  }

  /// The member of an object with this name, nil when there is none or this is no object.
  ///
  /// Where a name occurs more than once, the last one counts.
  public subscript(key: StaticString) -> JSON? {
    key.withUTF8Buffer { member(named: $0) }
  }

  /// The member of an object with this name, nil when there is none or this is no object.
  ///
  /// Where a name occurs more than once, the last one counts.
  @_disfavoredOverload  // so that a literal becomes a `StaticString`
  public subscript(key: String) -> JSON? {
    var key = key
    return key.withUTF8 { member(named: $0) }
  }
}

extension JSON: CustomStringConvertible {
  /// The source text of this value.
  public var description: String { String(decoding: rawBytes, as: UTF8.self) }
}

extension JSON {
  private var node: JSONNode { document.nodes[index] }

  private var firstByte: UInt8 { document.bytes[Int(node.start)] }

  private func withSource<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    document.bytes.withUnsafeBufferPointer { bytes in
      body(UnsafeBufferPointer(rebasing: bytes[Int(node.start)..<Int(node.end)]))
    }
  }

  private func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
    withSource { source in
      source[0] == .quote
        ? body(UnsafeBufferPointer(rebasing: source[1..<source.count - 1])) : nil
    }
  }

  private func member(named name: UnsafeBufferPointer<UInt8>) -> JSON? {
    guard firstByte == .openBrace else { return nil }
    let nodes = document.nodes
    let found: Int? = document.bytes.withUnsafeBufferPointer { bytes in
      var found: Int?
      let end = Int(nodes[index].next)
      var key = index + 1
      while key < end {
        let node = nodes[key]
        let text = UnsafeBufferPointer(rebasing: bytes[Int(node.start) + 1..<Int(node.end) - 1])
        if node.mayHaveEscapes ? name.elementsEqual(text.unescaped()) : name.hasBytes(of: text) {
          found = key + 1
        }
        key = Int(nodes[key + 1].next)
      }
      return found
    }
    return found.map { JSON(document: document, index: $0) }
  }
}
