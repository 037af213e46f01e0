/// An element of an XML document (XML 1.0, without document types): its name as written, prefix included.
///
/// Comments and processing instructions are not kept.
final class XML {
  /// What an element holds.
  enum Node {
    case element(XML)
    case text(String)
  }

  /// Why a document cannot be read; a part of a sentence.
  struct Failure: Error, Equatable, CustomStringConvertible {
    var description: String
  }

  let name: String
  /// In the order they are written in; values without escapes.
  var attributes: [(name: String, value: String)]
  var children: [Node]

  init(_ name: String, _ attributes: [(name: String, value: String)] = [], _ children: [XML] = []) {
    self.name = name
    self.attributes = attributes
    self.children = children.map(Node.element)
  }

  init(_ name: String, _ attributes: [(name: String, value: String)] = [], text: String) {
    self.name = name
    self.attributes = attributes
    children = [.text(text)]
  }

  /// The value of an attribute, which can be changed; nil if there is none.
  subscript(name: String) -> String? {
    get { attributes.first { $0.name == name }?.value }
    set {
      let index = attributes.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let value?): attributes[index].value = value
      case (let index?, nil): attributes.remove(at: index)
      case (nil, let value?): attributes.append((name, value))
      case (nil, nil): break
      }
    }
  }

  /// The elements directly in it.
  var elements: [XML] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// The first element of a name directly in it.
  func first(_ name: String) -> XML? {
    for case .element(let element) in children where element.name == name { return element }
    return nil
  }

  /// The text in it and in its elements.
  var text: String {
    children.reduce(into: "") { text, child in
      switch child {
      case .text(let more): text += more
      case .element(let element): text += element.text
      }
    }
  }

  /// Calls a function with each element in it, itself first, in the order they are written in.
  func visit(_ body: (XML) -> Void) {
    body(self)
    for case .element(let element) in children { element.visit(body) }
  }

  /// A copy of it and of all in it.
  var copy: XML {
    let copy = XML(name, attributes)
    copy.children = children.map { child in
      if case .element(let element) = child { .element(element.copy) } else { child }
    }
    return copy
  }
}

// MARK: - Reading

extension XML {
  /// How deeply elements may stand in each other.
  static let deepest = 400
  /// How many nodes may be read: elements, attributes and texts.
  struct NodeBound {
    let most: Int
    /// How many more may be read.
    fileprivate(set) var left: Int

    init(_ most: Int) { (self.most, left) = (most, most) }
  }

  /// How many nodes are read of one Word document.
  ///
  /// A book of a thousand pages has about a million.
  static let mostNodes = 1 << 23

  /// Reads a document in UTF-8.
  ///
  /// Linear.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - bound: How many nodes may be read.
  /// - Returns: Its outermost element.
  /// - Throws: ``Failure`` if it is not well-formed, has a document type, is nested too deeply, or has too many nodes.
  static func document(_ bytes: [UInt8], atMost bound: inout NodeBound) throws(Failure) -> XML {
    try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      var reader = XMLReader(bytes, atMost: bound)
      defer { bound = reader.bound }
      return try reader.document()
    }
  }

  /// Reads a document of at most ``mostNodes``.
  static func document(_ bytes: [UInt8]) throws(Failure) -> XML {
    var bound = NodeBound(mostNodes)
    return try document(bytes, atMost: &bound)
  }
}

/// A document at some point of reading it.
private struct XMLReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0
  /// The names seen so far, so that equal ones share their storage.
  private var names: [Int: String] = [:]
  private(set) var bound: XML.NodeBound

  init(_ bytes: UnsafeBufferPointer<UInt8>, atMost bound: XML.NodeBound) {
    (self.bytes, self.bound) = (bytes, bound)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  mutating func document() throws(XML.Failure) -> XML {
    var open: [XML] = []
    var root: XML?
    while at < bytes.count {
      guard bytes[at] == UInt8(ascii: "<") else {
        let text = try self.text()
        try countNode()
        if let last = open.last { last.children.append(.text(text)) }
        continue
      }
      if skips("<?", to: "?>") || skips("<!--", to: "-->") { continue }
      if starts(with: "<![CDATA[") {
        let start = at + 9
        guard skips("<![CDATA[", to: "]]>"), let last = open.last else { throw fault }
        try countNode()
        let text = String(
          decoding: UnsafeBufferPointer(rebasing: bytes[start..<at - 3]),
          as: UTF8.self
        )
        last.children.append(.text(text))
        continue
      }
      if starts(with: "<!") {
        throw XML.Failure(description: "it has a document type, which no Word document has")
      }
      if starts(with: "</") {
        at += 2
        guard let element = open.popLast(), name() == element.name else { throw fault }
        skipSpaces()
        guard takes(">") else { throw fault }
        continue
      }
      at += 1
      let element = XML(name())
      guard !element.name.isEmpty else { throw fault }
      try countNode()
      let isEmpty = try readAttributes(of: element)
      if let last = open.last {
        last.children.append(.element(element))
      } else {
        guard root == nil else { throw fault }
        root = element
      }
      guard !isEmpty else { continue }
      open.append(element)
      guard open.count <= XML.deepest else {
        throw XML.Failure(description: "its elements are nested more than \(XML.deepest) deep")
      }
    }
    guard open.isEmpty, let root else { throw fault }
    return root
  }

  private mutating func countNode() throws(XML.Failure) {
    bound.left -= 1
    guard bound.left < 0 else { return }
    let remedy = bound.most < XML.mostNodes ? UnpackedBound.remedy : "split it in Word"
    throw XML.Failure(
      description: "it has more than \(bound.most) elements, attributes and texts; \(remedy)"
    )
  }

  private var fault: XML.Failure {
    XML.Failure(description: "its XML is damaged at byte \(at)")
  }

  /// Reads to the end of a start tag; whether it is the end tag too.
  private mutating func readAttributes(of element: XML) throws(XML.Failure) -> Bool {
    while true {
      skipSpaces()
      if takes(">") { return false }
      if takes("/>") { return true }
      let name = name()
      skipSpaces()
      guard !name.isEmpty, takes("=") else { throw fault }
      skipSpaces()
      guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'")
      else { throw fault }
      let quote = bytes[at]
      let start = at + 1
      guard let end = bytes[start...].firstIndex(of: quote) else { throw fault }
      at = end + 1
      try countNode()
      element.attributes.append((name, try unescaped(start..<end)))
    }
  }

  private mutating func text() throws(XML.Failure) -> String {
    let start = at
    at = bytes[at...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    return try unescaped(start..<at)
  }

  /// A name, empty if there is none.
  private mutating func name() -> String {
    let start = at
    var hash = 5381
    while at < bytes.count, !XMLReader.ends.contains(bytes[at]) {
      hash = hash &* 33 &+ Int(bytes[at])
      at += 1
    }
    let written = UnsafeBufferPointer(rebasing: bytes[start..<at])
    if let known = names[hash], known.utf8.elementsEqual(written) { return known }
    let name = String(decoding: written, as: UTF8.self)
    names[hash] = name
    return name
  }

  private static let ends = Set(" \t\r\n=<>/\"'".utf8)

  private func unescaped(_ range: Range<Int>) throws(XML.Failure) -> String {
    let text = UnsafeBufferPointer(rebasing: bytes[range])
    guard text.contains(UInt8(ascii: "&")) || text.contains(UInt8(ascii: "\r")) else {
      return String(decoding: text, as: UTF8.self)
    }
    var result: [UInt8] = []
    var at = 0
    while at < text.count {
      if text[at] == UInt8(ascii: "\r") {
        result.append(UInt8(ascii: "\n"))
        at += at + 1 < text.count && text[at + 1] == UInt8(ascii: "\n") ? 2 : 1
        continue
      }
      guard text[at] == UInt8(ascii: "&") else {
        result.append(text[at])
        at += 1
        continue
      }
      guard let end = text[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
        let scalar = XMLReader.scalar(
          String(decoding: UnsafeBufferPointer(rebasing: text[(at + 1)..<end]), as: UTF8.self)
        )
      else { throw fault }
      result += Array(String(scalar).utf8)
      at = end + 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func scalar(_ entity: String) -> Unicode.Scalar? {
    switch entity {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default: break
    }
    guard entity.first == "#" else { return nil }
    let digits = entity.dropFirst()
    let value =
      digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    return value.flatMap(Unicode.Scalar.init)
  }

  private func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[at...].starts(with: $0) }
  }

  private mutating func takes(_ text: StaticString) -> Bool {
    guard starts(with: text) else { return false }
    at += text.utf8CodeUnitCount
    return true
  }

  /// Goes behind a stretch that begins and ends in certain texts; false if none begins here.
  private mutating func skips(_ start: StaticString, to end: StaticString) -> Bool {
    guard starts(with: start) else { return false }
    at += start.utf8CodeUnitCount
    while at < bytes.count {
      if takes(end) { return true }
      at += 1
    }
    return true
  }

  private mutating func skipSpaces() {
    while at < bytes.count, " \t\r\n".utf8.contains(bytes[at]) { at += 1 }
  }
}

// MARK: - Writing

extension XML {
  /// The document of which this is the root, in UTF-8.
  var document: [UInt8] {
    var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n".utf8)
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "<"))
    bytes += name.utf8
    for (name, value) in attributes {
      bytes.append(UInt8(ascii: " "))
      bytes += name.utf8
      bytes += "=\"".utf8
      XML.append(value, to: &bytes, isQuoted: true)
      bytes.append(UInt8(ascii: "\""))
    }
    guard !children.isEmpty else {
      bytes += "/>".utf8
      return
    }
    bytes.append(UInt8(ascii: ">"))
    for child in children {
      switch child {
      case .element(let element): element.write(to: &bytes)
      case .text(let text): XML.append(text, to: &bytes, isQuoted: false)
      }
    }
    bytes += "</".utf8
    bytes += name.utf8
    bytes.append(UInt8(ascii: ">"))
  }

  /// Appends a text; what is no character of XML is U+FFFD.
  private static func append(_ text: String, to bytes: inout [UInt8], isQuoted: Bool) {
    let start = bytes.count
    for byte in text.utf8 {
      switch byte {
      case 0..<0x09, 0x0B, 0x0C, 0x0E..<0x20: bytes += "\u{FFFD}".utf8
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\""): bytes += isQuoted ? Array("&quot;".utf8) : [byte]
      // White space in an attribute, and a carriage return anywhere, would be read as something else.
      case 0x09, 0x0A: bytes += isQuoted ? Array("&#\(byte);".utf8) : [byte]
      case 0x0D: bytes += "&#13;".utf8
      // U+FFFE and U+FFFF end like U+FFFD, but for the last byte.
      case 0xBE...0xBF where bytes[start...].suffix(2) == [0xEF, 0xBF]: bytes.append(0xBD)
      default: bytes.append(byte)
      }
    }
  }
}
