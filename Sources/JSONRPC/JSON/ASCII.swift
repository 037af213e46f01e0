/// The characters of JSON and of headers by name.
extension UInt8 {
  static var tab: UInt8 { 0x09 }
  static var newline: UInt8 { 0x0A }
  static var carriageReturn: UInt8 { 0x0D }
  static var space: UInt8 { 0x20 }
  @inlinable static var quote: UInt8 { 0x22 }
  static var plus: UInt8 { 0x2B }
  @inlinable static var comma: UInt8 { 0x2C }
  static var minus: UInt8 { 0x2D }
  static var dot: UInt8 { 0x2E }
  static var slash: UInt8 { 0x2F }
  static var zero: UInt8 { 0x30 }
  static var nine: UInt8 { 0x39 }
  @inlinable static var colon: UInt8 { 0x3A }
  static var semicolon: UInt8 { 0x3B }
  static var equals: UInt8 { 0x3D }
  @inlinable static var openBracket: UInt8 { 0x5B }
  static var backslash: UInt8 { 0x5C }
  @inlinable static var closeBracket: UInt8 { 0x5D }
  static var lowerB: UInt8 { 0x62 }
  static var lowerE: UInt8 { 0x65 }
  static var lowerF: UInt8 { 0x66 }
  static var lowerN: UInt8 { 0x6E }
  static var lowerR: UInt8 { 0x72 }
  static var lowerT: UInt8 { 0x74 }
  static var lowerU: UInt8 { 0x75 }
  @inlinable static var openBrace: UInt8 { 0x7B }
  @inlinable static var closeBrace: UInt8 { 0x7D }

  var isDigit: Bool { self &- .zero < 10 }

  var isSpaceOrTab: Bool { self == .space || self == .tab }

  /// A letter in lower case; anything else as it is.
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// The value of a hexadecimal digit.
  var hexValue: UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self) - 0x30
    case 0x41...0x46: UInt32(self) - 0x37
    case 0x61...0x66: UInt32(self) - 0x57
    default: nil
    }
  }
}
