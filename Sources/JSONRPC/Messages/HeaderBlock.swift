/// The fields between two messages, as far as they have been read.
struct HeaderBlock {
  /// The size of the largest block that is read, in bytes.
  static let maximumSize = 1 << 16

  /// The number of bytes so far.
  var size = 0
  /// The first thing that is wrong with a field.
  private(set) var problem: String?

  private var contentLength = ContentLength.absent
  private var isEmpty = true

  /// The length of the body; nil if it is missing or in doubt.
  var length: Int? {
    if case .known(let length) = contentLength { length } else { nil }
  }

  private enum ContentLength {
    case absent
    case known(Int)
    /// After an invalid length, another one cannot be trusted.
    case broken
  }

  enum Line {
    case field
    case noField
    /// The empty line after the last field.
    case end
  }

  /// Reads one line.
  ///
  /// - Parameter line: The line with its end.
  /// - Returns: What it is.
  mutating func read(_ line: ArraySlice<UInt8>) -> Line {
    let text = line.droppingLineEnd
    if text.isEmpty {
      // Some clients send a line end after a body.
      guard isEmpty else { return .end }
      size = 0
      return .field
    }
    guard let colon = text.firstIndex(of: .colon), colon > text.startIndex,
      text[..<colon].allSatisfy(\.isTokenCharacter)
    else { return .noField }
    let name = text[..<colon]
    let value = text[(colon + 1)...].trimmed
    if name.isWord("content-length") {
      readLength(value)
    } else if name.isWord("content-type") {
      readType(value)
    } else if Self.lengthField(endingIn: line) != nil {
      // Printed without a line end, or left over of a body longer than its header says.
      return .noField
    }
    isEmpty = false
    return .field
  }

  /// Finds a `Content-Length` at the end of a line, whatever stands before it.
  ///
  /// No JSON string can hold one, since line ends are escaped there.
  ///
  /// - Parameter line: The line with its end.
  /// - Returns: The offset where the field begins.
  static func lengthField(endingIn line: ArraySlice<UInt8>) -> Int? {
    let value = line.suffix(maximumSize).droppingLineEnd.trimmed
    var rest = value.droppingLast(while: \.isDigit)
    guard rest.endIndex < value.endIndex else { return nil }
    rest = rest.droppingLast(while: \.isSpaceOrTab)
    let start = rest.endIndex - "content-length:".utf8.count
    guard start >= rest.startIndex,
      rest[start...].isWord("content-length:")
    else { return nil }
    return start
  }

  /// The beginning of a line, for a report.
  static func excerpt(_ line: some Collection<UInt8>) -> String {
    "\"\(String(decoding: line.prefix(60).filter { $0 >= .space }, as: UTF8.self))\""
  }
}

extension HeaderBlock {
  private mutating func readLength(_ value: ArraySlice<UInt8>) {
    guard let newLength = Self.decimal(value) else {
      contentLength = .broken
      return report("its Content-Length is no length: \(Self.excerpt(value))")
    }
    switch contentLength {
    case .absent: contentLength = .known(newLength)
    case .known(newLength), .broken: break
    case .known(let length):
      contentLength = .broken
      report("it has two lengths, \(length) and \(newLength)")
    }
  }

  private mutating func readType(_ value: ArraySlice<UInt8>) {
    for parameter in value.split(separator: .semicolon).dropFirst() {
      guard let equals = parameter.firstIndex(of: .equals),
        parameter[..<equals].trimmed.isWord("charset")
      else { continue }
      var charset = parameter[(equals + 1)...].trimmed
      if charset.count >= 2, charset.first == .quote, charset.last == .quote {
        charset = charset.dropFirst().dropLast()
      }
      // The first is the name, the second is what some clients send for it.
      if !charset.isWord("utf-8"), !charset.isWord("utf8") {
        report("its charset is not UTF-8: \(Self.excerpt(charset))")
      }
    }
  }

  private mutating func report(_ problem: String) {
    self.problem = self.problem ?? problem
  }

  private static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty else { return nil }
    var value = 0
    for digit in digits {
      guard digit.isDigit else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(Int(digit &- .zero))
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }
}

extension ArraySlice<UInt8> {
  fileprivate var droppingLineEnd: Self {
    let line = last == .newline ? dropLast() : self
    return line.last == .carriageReturn ? line.dropLast() : line
  }

  fileprivate var trimmed: Self {
    drop { $0.isSpaceOrTab }.droppingLast { $0.isSpaceOrTab }
  }

  fileprivate func droppingLast(while predicate: (UInt8) -> Bool) -> Self {
    var end = endIndex
    while end > startIndex, predicate(self[end - 1]) { end -= 1 }
    return self[..<end]
  }

  /// Whether this is a word, ignoring case; the word is given in lower case.
  fileprivate func isWord(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { letters in
      zip(self, letters).allSatisfy { $0.lowercased == $1 }
    }
  }
}

extension UInt8 {
  /// Whether this may be part of the name of a field.
  fileprivate var isTokenCharacter: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x5E...0x7A, 0x7C, 0x7E, 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D,
      0x2E:
      true
    default: false
    }
  }
}
