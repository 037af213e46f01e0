/// The value of a number, from the bytes that the parser has accepted as one.
enum JSONNumber {
  /// The exact value, nil where it is not integral or does not fit.
  static func integer(_ source: UnsafeBufferPointer<UInt8>) -> Int? {
    let isNegative = source[0] == .minus
    // Nearly all numbers are a few plain digits: 18 of them cannot overflow.
    if source.count <= 18 {
      var value = 0
      var offset = isNegative ? 1 : 0
      while offset < source.count, source[offset].isDigit {
        value = value &* 10 &+ Int(source[offset] &- .zero)
        offset += 1
      }
      if offset == source.count { return isNegative ? -value : value }
    }
    return Decimal(source).integer
  }

  /// The nearest value, nil where that is infinite.
  static func double(_ source: UnsafeBufferPointer<UInt8>) -> Double? {
    if let integer = integer(source), integer != 0 { return Double(integer) }
    // Zeros too, because a zero can be negative.
    guard let value = Double(String(decoding: source, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }
}

/// A number as `digits` × 10^`exponent`, without zeros at either end of `digits`.
private struct Decimal {
  var isNegative = false
  var digits: [UInt8] = []
  var exponent = 0

  init(_ source: UnsafeBufferPointer<UInt8>) {
    var rest = source[...]
    if rest.first == .minus {
      isNegative = true
      rest.removeFirst()
    }
    let mantissa = rest.prefix { $0 | 0x20 != .lowerE }
    let fraction = mantissa.drop { $0 != .dot }.dropFirst()
    digits = mantissa.filter { $0 != .dot }.map { $0 &- .zero }
    exponent = Self.exponent(rest[mantissa.endIndex...].dropFirst()) - fraction.count
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    digits.removeSubrange(..<(digits.firstIndex { $0 != 0 } ?? 0))
  }

  /// The exponent as far as it matters: no document has so many digits that they could make up for
  /// one beyond 10^12.
  private static func exponent(_ source: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var value = 0
    for byte in source where byte.isDigit && value < 1_000_000_000_000 {
      value = value * 10 + Int(byte &- .zero)
    }
    return source.first == .minus ? -value : value
  }

  var integer: Int? {
    if digits.isEmpty { return 0 }
    guard exponent >= 0, digits.count + exponent <= 19 else { return nil }
    var value = 0
    for digit in digits + Array(repeating: 0, count: exponent) {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      // Counted downwards, since there is one more negative number than positive ones.
      let (next, underflow) = product.subtractingReportingOverflow(Int(digit))
      if overflow || underflow { return nil }
      value = next
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }
}
