/// A hash of a text that can be put together from the hashes of its parts.
///
/// The bytes are the digits of a number modulo the prime 2^61 - 1, in a base that is no secret: two
/// texts that somebody made to collide would only cost them an undo step of their own.
public struct TextHash: Hashable, Sendable {
  private static let prime: UInt64 = (1 << 61) - 1
  private static let base: UInt64 = 0x0f3a_91c5_e7d2_4b69

  private var value: UInt64 = 0
  private var power: UInt64 = 1
  private var count = 0

  /// The hash of the empty text.
  public init() {}

  /// The hash of `bytes`.
  ///
  /// Linear.
  init(of bytes: ArraySlice<UInt8>) {
    for byte in bytes {
      value = TextHash.add(TextHash.multiply(value, TextHash.base), UInt64(byte) + 1)
      power = TextHash.multiply(power, TextHash.base)
    }
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
