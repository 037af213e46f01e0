/// A hash of a text that can be put together from the hashes of its parts.
///
/// The bytes are the digits of a number modulo the prime 2^61 - 1, in a base that is no secret: two
/// texts that somebody made to collide would only cost them an undo step of their own.
public struct TextHash: Hashable, Sendable {
  private static let prime: UInt64 = (1 << 61) - 1
  private static let base: UInt64 = 0x0f3a_91c5_e7d2_4b69
  private static let base2 = multiply(base, base)
  private static let base3 = multiply(base2, base)
  private static let base4 = multiply(base2, base2)

  private var value: UInt64 = 0
  private var power: UInt64 = 1
  private var count = 0

  /// The hash of the empty text.
  public init() {}

  /// The hash of `bytes`.
  ///
  /// Linear.
  init(of bytes: UnsafeBufferPointer<UInt8>) {
    let (base, base2, base3, base4) =
      (TextHash.base, TextHash.base2, TextHash.base3, TextHash.base4)
    func digit(_ offset: Int) -> UInt64 { UInt64(bytes[offset]) + 1 }
    var value: UInt64 = 0
    var power: UInt64 = 1
    var at = 0
    // Four digits at a time: their products do not wait for each other.
    while at + 4 <= bytes.count {
      let high = TextHash.add(
        TextHash.multiply(digit(at), base3),
        TextHash.multiply(digit(at + 1), base2)
      )
      let low = TextHash.add(TextHash.multiply(digit(at + 2), base), digit(at + 3))
      value = TextHash.add(TextHash.multiply(value, base4), TextHash.add(high, low))
      power = TextHash.multiply(power, base4)
      at += 4
    }
    while at < bytes.count {
      value = TextHash.add(TextHash.multiply(value, base), digit(at))
      power = TextHash.multiply(power, base)
      at += 1
    }
    self.value = value
    self.power = power
    count = bytes.count
  }

  /// Makes this the hash of the text followed by another.
  mutating func append(_ next: TextHash) {
    value = TextHash.add(TextHash.multiply(value, next.power), next.value)
    power = TextHash.multiply(power, next.power)
    count += next.count
  }

  private static func add(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let sum = left + right
    return sum >= prime ? sum - prime : sum
  }

  private static func multiply(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    // 2^61 is 1 modulo the prime, so the high part is simply added.
    let high = product.high << 3 | product.low >> 61
    return add(high, product.low & prime)
  }
}
