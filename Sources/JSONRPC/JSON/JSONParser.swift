/// Checks a document and lists its values, in one pass and without recursion.
struct JSONParser {
  /// The values so far, which the creator of the parser must deallocate.
  private(set) var nodes: JSONNodeList

  private let source: UnsafeBufferPointer<UInt8>
  private let depthLimit: Int
  private var offset = 0
  /// The innermost open array or object, or -1; the `next` of an open one is the one around it.
  private var container = -1
  private var depth = 0

  init(source: UnsafeBufferPointer<UInt8>, depthLimit: Int) {
    self.source = source
    self.depthLimit = depthLimit
    // Enough for a keystroke's message, and little next to a large document that is one long string.
    nodes = JSONNodeList(capacity: min(48, source.count / 2 + 1))
  }

  mutating func parse() throws(JSONError) {
    if source.count >= 3, source[0] == 0xEF, source[1] == 0xBB, source[2] == 0xBF {
      throw error("a byte order mark is not allowed")
    }
    skipSpace()
    if source.isEmpty { throw error("the document is empty") }
    repeat {
      try value()
    } while try nextValueFollows()
    guard offset == source.count else { throw error("the document goes on after its value") }
  }

  /// Reads a value that has none inside, and all openers and names before it.
  private mutating func value() throws(JSONError) {
    while true {
      switch byte {
      case .quote: return try string()
      case .openBrace:
        try open()
        if byte == .closeBrace { return close() }
        nodes[container].count = 1
        try name()
      case .openBracket:
        try open()
        if byte == .closeBracket { return close() }
        nodes[container].count = 1
      case .lowerT: return try literal("true")
      case .lowerF: return try literal("false")
      case .lowerN: return try literal("null")
      case .minus, .zero ... .nine: return try number()
      default: throw error("a value was expected")
      }
    }
  }

  /// Closes what ends after a value, up to the comma before the next value, if there is one.
  private mutating func nextValueFollows() throws(JSONError) -> Bool {
    while container >= 0 {
      skipSpace()
      let isObject = source[Int(nodes[container].start)] == .openBrace
      switch byte {
      case .comma:
        offset += 1
        skipSpace()
        nodes[container].count += 1
        if isObject { try name() }
        return true
      case .closeBrace where isObject, .closeBracket where !isObject:
        close()
      default:
        throw error(isObject ? "',' or '}' was expected" : "',' or ']' was expected")
      }
    }
    skipSpace()
    return false
  }

  private mutating func open() throws(JSONError) {
    guard depth < depthLimit else { throw error("more than \(depthLimit) levels") }
    depth += 1
    nodes.append(
      JSONNode(
        start: UInt32(truncatingIfNeeded: offset),
        end: 0,
        next: UInt32(truncatingIfNeeded: container),
        count: 0
      )
    )
    container = nodes.count - 1
    offset += 1
    skipSpace()
  }

  private mutating func close() {
    depth -= 1
    offset += 1
    let outer = nodes[container].next
    nodes[container].end = UInt32(truncatingIfNeeded: offset)
    nodes[container].next = UInt32(truncatingIfNeeded: nodes.count)
    container = Int(Int32(bitPattern: outer))
  }

  /// Reads a name and its colon, up to the value.
  private mutating func name() throws(JSONError) {
    guard byte == .quote else { throw error("a name in quotes was expected") }
    try string()
    skipSpace()
    guard byte == .colon else { throw error("':' was expected") }
    offset += 1
    skipSpace()
  }

  private mutating func string() throws(JSONError) {
    let start = offset
    var hasEscapes = false
    offset += 1
    while true {
      offset = source.endOfStringText(from: offset, hasEscapes: &hasEscapes)
      switch byte {
      case .quote:
        offset += 1
        return append(from: start, count: hasEscapes ? 1 : 0)
      case .backslash:
        hasEscapes = true
        repeat {
          try escape()
        } while byte == .backslash
      case 0..<0x20: throw error("a control character must be escaped")
      default: throw error("this is not UTF-8")
      }
    }
  }

  private mutating func escape() throws(JSONError) {
    offset += 1
    switch byte {
    case .quote, .backslash, .slash, .lowerB, .lowerF, .lowerN, .lowerR, .lowerT: offset += 1
    case .lowerU:
      offset += 1
      for _ in 0..<4 {
        guard byte.hexValue != nil else { throw error("a hexadecimal digit was expected") }
        offset += 1
      }
    default: throw error("there is no such escape")
    }
  }

  private mutating func number() throws(JSONError) {
    let start = offset
    if byte == .minus { offset += 1 }
    if byte == .zero { offset += 1 } else { try digits() }
    if byte == .dot {
      offset += 1
      try digits()
    }
    if byte | 0x20 == .lowerE {
      offset += 1
      if byte == .plus || byte == .minus { offset += 1 }
      try digits()
    }
    append(from: start, count: 0)
  }

  private mutating func digits() throws(JSONError) {
    guard byte.isDigit else { throw error("a digit was expected") }
    repeat {
      offset += 1
    } while byte.isDigit
  }

  private mutating func literal(_ word: StaticString) throws(JSONError) {
    let start = offset
    for index in 0..<word.utf8CodeUnitCount {
      guard byte == word.utf8Start[index] else { throw error("'\(word)' was expected") }
      offset += 1
    }
    append(from: start, count: 0)
  }

  private mutating func append(from start: Int, count: UInt32) {
    nodes.append(
      JSONNode(
        start: UInt32(truncatingIfNeeded: start),
        end: UInt32(truncatingIfNeeded: offset),
        next: UInt32(truncatingIfNeeded: nodes.count + 1),
        count: count
      )
    )
  }

  private mutating func skipSpace() {
    while true {
      switch byte {
      case .space, .newline, .carriageReturn, .tab: offset += 1
      default: return
      }
    }
  }

  /// The byte at the current offset; at the end 0, which is valid nowhere in a document.
  private var byte: UInt8 { offset < source.count ? source[offset] : 0 }

  @inline(never)
  private func error(_ reason: @autoclosure () -> String) -> JSONError {
    let isEnd = offset == source.count && offset > 0
    return JSONError(offset: offset, reason: isEnd ? "the document ends early" : reason())
  }
}
