/// A hash of a text that can be put together from the hashes of its parts.
///
/// The bytes are the digits of a number modulo a prime. The prime is public: whoever makes two texts collide only
/// loses an undo step of their own. Numbers are multiplied by P. Montgomery's method (Modular Multiplication
/// Without Trial Division, 1985), which makes each product 2^64 times too small.
public struct TextHash: Hashable, Sendable {
  /// The greatest prime below 2^61 π.
  ///
  /// The powers of 256 have 2^58 different remainders and more.
  private static let prime: UInt64 = 0x6487_ed51_10b4_6081
  /// What gives 1 modulo 2^64, multiplied by the prime.
  private static let inverse: UInt64 = 0x8e66_7841_8f8b_df81
  /// What a number is multiplied by to append no byte, 1, 8 and 32: 2^64 modulo the prime, 2^72 and so on.
  private static let none: UInt64 = 0x36f0_255d_de97_3efe
  private static let byte: UInt64 = 0x5a57_82da_854e_97f5
  private static let word: UInt64 = 0x3936_b593_3c87_a276
  private static let words: UInt64 = 0x350e_beb0_5a04_df2c

  private var value: UInt64 = 0
  /// What a number is multiplied by to append as many bytes.
  private var power = TextHash.none
  /// How long the text is, in bytes.
  private(set) var count = 0

  /// The hash of the empty text.
  public init() {}

  /// The hash of a text; linear.
  public init(of bytes: [UInt8]) {
    self = bytes.withUnsafeBufferPointer { TextHash(of: $0) }
  }

  /// The hash of `bytes`.
  ///
  /// Linear.
  init(of bytes: UnsafeBufferPointer<UInt8>) {
    let raw = UnsafeRawBufferPointer(bytes)
    var at = 0
    if bytes.count >= 32 {
      // Four independent sums, so that no multiplication waits for the one before it.
      var (first, second, third, fourth): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
      while at + 32 <= bytes.count {
        first = TextHash.append(raw.word(at: at), to: first, TextHash.words)
        second = TextHash.append(raw.word(at: at + 8), to: second, TextHash.words)
        third = TextHash.append(raw.word(at: at + 16), to: third, TextHash.words)
        fourth = TextHash.append(raw.word(at: at + 24), to: fourth, TextHash.words)
        at += 32
      }
      for next in [first, second, third, fourth] {
        value = TextHash.add(TextHash.multiply(value, TextHash.word), next)
      }
    }
    while at + 8 <= bytes.count {
      value = TextHash.append(raw.word(at: at), to: value, TextHash.word)
      at += 8
    }
    while at < bytes.count {
      value = TextHash.append(UInt64(bytes[at]), to: value, TextHash.byte)
      at += 1
    }
    power = TextHash.power(of: bytes.count)
    count = bytes.count
  }

  /// Makes this the hash of the text followed by another.
  mutating func append(_ next: TextHash) {
    value = TextHash.add(TextHash.multiply(value, next.power), next.value)
    power = TextHash.multiply(power, next.power)
    count += next.count
  }

  /// What a number is multiplied by to append `count` bytes.
  private static func power(of count: Int) -> UInt64 {
    var power = none
    var square = byte
    var left = count
    while left > 0 {
      if left & 1 == 1 { power = multiply(power, square) }
      square = multiply(square, square)
      left >>= 1
    }
    return power
  }

  /// Appends digits to a number; like it they count 2^64 times too little.
  @inline(__always)
  private static func append(_ digits: UInt64, to value: UInt64, _ power: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: power)
    let (low, carries) = product.low.addingReportingOverflow(digits)
    return reduced(product.high &+ (carries ? 1 : 0), low)
  }

  @inline(__always)
  private static func add(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let sum = left &+ right
    return sum >= prime ? sum &- prime : sum
  }

  @inline(__always)
  private static func multiply(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return reduced(product.high, product.low)
  }

  /// A number of two words by 2^64, modulo the prime; its high word is less than that.
  @inline(__always)
  private static func reduced(_ high: UInt64, _ low: UInt64) -> UInt64 {
    // So many primes have the same low word, which a subtraction takes off.
    let primes = (low &* inverse).multipliedFullWidth(by: prime).high
    return high >= primes ? high &- primes : high &- primes &+ prime
  }
}

extension TextHash: LosslessStringConvertible {
  /// As in `2f61a3b0945cde07-1024`: the number, and the length of the text.
  public var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + "\(digits)-\(count)"
  }

  /// Reads a ``description``; nil if it is none.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let value = UInt64(parts[0], radix: 16), value < TextHash.prime,
      let count = Int(parts[1]), count >= 0
    else { return nil }
    self.value = value
    self.count = count
    power = TextHash.power(of: count)
  }
}

extension UnsafeRawBufferPointer {
  /// Eight bytes, the first of which counts most.
  @inline(__always)
  fileprivate func word(at offset: Int) -> UInt64 {
    UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
