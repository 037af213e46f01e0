/// A hash of a text that can be put together from the hashes of its parts.
///
/// The bytes are the digits of a number modulo the prime 2^61 - 1, in a base that is no secret: two
/// texts that somebody made to collide would only cost them an undo step of their own.
public struct TextHash: Hashable, Sendable {
  private static let prime: UInt64 = (1 << 61) - 1
  private static let base: UInt64 = 0x0f3a_91c5_e7d2_4b69
  /// The powers of the base from the first to the eighth.
  private static let powers: [UInt64] = (1...8).map { raise(base, to: $0) }

  private var value: UInt64 = 0
  private var power: UInt64 = 1
  private var count = 0

  /// The hash of the empty text.
  public init() {}

  /// The hash of `bytes`.
  ///
  /// Linear.
  init(of bytes: UnsafeBufferPointer<UInt8>) {
    let powers = TextHash.powers
    let (power1, power2, power3, power4) = (powers[0], powers[1], powers[2], powers[3])
    let (power5, power6, power7, power8) = (powers[4], powers[5], powers[6], powers[7])
    var value: UInt64 = 0
    var at = 0
    // Eight digits at a time: their products are summed up whole, in two words, and do not wait for
    // each other.
    while at + 8 <= bytes.count {
      var sum: (high: UInt64, low: UInt64) = (0, 0)
      TextHash.add(power7, bytes[at], to: &sum)
      TextHash.add(power6, bytes[at + 1], to: &sum)
      TextHash.add(power5, bytes[at + 2], to: &sum)
      TextHash.add(power4, bytes[at + 3], to: &sum)
      TextHash.add(power3, bytes[at + 4], to: &sum)
      TextHash.add(power2, bytes[at + 5], to: &sum)
      TextHash.add(power1, bytes[at + 6], to: &sum)
      TextHash.add(1, bytes[at + 7], to: &sum)
      value = TextHash.add(TextHash.multiply(value, power8), TextHash.reduced(sum))
      at += 8
    }
    while at < bytes.count {
      value = TextHash.add(TextHash.multiply(value, power1), UInt64(bytes[at]) + 1)
      at += 1
    }
    power = TextHash.raise(TextHash.base, to: bytes.count)
    self.value = value
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

  /// Adds a digit's product to a sum of two words.
  @inline(__always)
  private static func add(_ power: UInt64, _ byte: UInt8, to sum: inout (high: UInt64, low: UInt64))
  {
    let product = power.multipliedFullWidth(by: UInt64(byte) &+ 1)
    let (low, carries) = sum.low.addingReportingOverflow(product.low)
    sum = (sum.high &+ product.high &+ (carries ? 1 : 0), low)
  }

  private static func raise(_ base: UInt64, to exponent: Int) -> UInt64 {
    var power: UInt64 = 1
    var square = base
    var left = exponent
    while left > 0 {
      if left & 1 == 1 { power = multiply(power, square) }
      square = multiply(square, square)
      left >>= 1
    }
    return power
  }

  private static func multiply(_ left: UInt64, _ right: UInt64) -> UInt64 {
    reduced(left.multipliedFullWidth(by: right))
  }

  /// A number of less than 125 bits modulo the prime.
  @inline(__always)
  private static func reduced(_ number: (high: UInt64, low: UInt64)) -> UInt64 {
    // 2^61 is 1 modulo the prime, so the high part is simply added.
    let high = number.high << 3 | number.low >> 61
    return add(add(high & prime, high >> 61), number.low & prime)
  }
}
