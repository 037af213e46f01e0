/// The escapes of URIs (RFC 3986).
enum PercentEncoding {
  /// Bytes with the escapes that a URI needs.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - reserved: What stays as it is besides letters, digits and `-._~`.
  ///   - keepsEscapes: Whether what is an escape already stays as it is.
  /// - Returns: The text, in ASCII.
  static func encoded(
    _ bytes: some Collection<UInt8>,
    leaving reserved: StaticString = "/",
    keepsEscapes: Bool = false
  ) -> String {
    let bytes = Array(bytes)
    let left = Array("-._~\(reserved)".utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      let isKept =
        isLetterOrDigit(byte) || left.contains(byte)
        || keepsEscapes && escape(at: index, in: bytes) != nil
      text += isKept ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Bytes with what their escapes stand for.
  static func decoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let bytes = Array(bytes)
    var text: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let escaped = escape(at: index, in: bytes)
      text.append(escaped ?? bytes[index])
      index += escaped == nil ? 1 : 3
    }
    return text
  }

  /// What an escape stands for; nil if none begins there.
  static func escape(at index: Int, in bytes: [UInt8]) -> UInt8? {
    guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
      let high = Character(UnicodeScalar(bytes[index + 1])).hexDigitValue,
      let low = Character(UnicodeScalar(bytes[index + 2])).hexDigitValue
    else { return nil }
    return UInt8(high << 4 | low)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
