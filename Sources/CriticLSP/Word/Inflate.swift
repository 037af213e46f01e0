/// Decompresses deflated data (RFC 1951).
///
/// Linear in the data and in what comes out of it.
///
/// - Parameters:
///   - data: The compressed data; bytes behind its end are not read.
///   - limit: How many bytes may come out.
/// - Returns: The decompressed bytes; nil if the data is damaged or more than `limit` would come out.
func inflated(_ data: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
  var inflation = Inflation(data, limit)
  return inflation.run() ? inflation.output : nil
}

/// A decompression at some point of the data.
private struct Inflation {
  private let data: ArraySlice<UInt8>
  private let limit: Int
  private(set) var output: [UInt8] = []
  private var next: Int
  /// Bits that were read but not used yet, the lowest first.
  private var bits: UInt32 = 0
  private var bitCount = 0

  init(_ data: ArraySlice<UInt8>, _ limit: Int) {
    (self.data, self.limit) = (data, limit)
    next = data.startIndex
  }

  /// Decompresses block after block; false if the data is damaged or too long.
  mutating func run() -> Bool {
    while true {
      guard let isLast = take(1), let kind = take(2) else { return false }
      let isWhole =
        switch kind {
        case 0: copyStored()
        case 1: decodeFixed()
        case 2: decodeDynamic()
        default: false
        }
      guard isWhole else { return false }
      if isLast == 1 { return true }
    }
  }

  private mutating func take(_ count: Int) -> Int? {
    while bitCount < count {
      guard next < data.endIndex else { return nil }
      bits |= UInt32(data[next]) << bitCount
      next += 1
      bitCount += 8
    }
    defer {
      bits >>= count
      bitCount -= count
    }
    return Int(bits & (1 << count - 1))
  }

  private mutating func copyStored() -> Bool {
    // Whole bytes that were read ahead are given back.
    next -= bitCount / 8
    (bits, bitCount) = (0, 0)
    guard data.endIndex - next >= 4 else { return false }
    let count = Int(data[next]) | Int(data[next + 1]) << 8
    let check = Int(data[next + 2]) | Int(data[next + 3]) << 8
    next += 4
    guard count ^ check == 0xFFFF, data.endIndex - next >= count, output.count + count <= limit
    else { return false }
    output += data[next..<next + count]
    next += count
    return true
  }

  private mutating func decodeFixed() -> Bool {
    guard let literals = HuffmanCode.fixedLiterals, let distances = HuffmanCode.fixedDistances
    else { return false }
    return decode(literals, distances)
  }

  private mutating func decodeDynamic() -> Bool {
    guard let literals = take(5), let distances = take(5), let codes = take(4) else {
      return false
    }
    var lengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<codes + 4 {
      guard let length = take(3) else { return false }
      lengths[Inflation.lengthOrder[index]] = UInt8(length)
    }
    guard let table = HuffmanCode(lengths) else { return false }
    let count = literals + 257 + distances + 1
    var read: [UInt8] = []
    while read.count < count {
      guard let symbol = take(table) else { return false }
      var repeated: (value: UInt8, least: Int, bits: Int)
      switch symbol {
      case 16:
        guard let last = read.last else { return false }
        repeated = (last, 3, 2)
      case 17: repeated = (0, 3, 3)
      case 18: repeated = (0, 11, 7)
      default: repeated = (UInt8(symbol), 1, 0)
      }
      guard let more = take(repeated.bits) else { return false }
      read += [UInt8](repeating: repeated.value, count: repeated.least + more)
    }
    guard read.count == count, let first = HuffmanCode(Array(read[..<(literals + 257)])),
      let second = HuffmanCode(Array(read[(literals + 257)...]))
    else { return false }
    return decode(first, second)
  }

  private mutating func decode(_ literals: HuffmanCode, _ distances: HuffmanCode) -> Bool {
    while let symbol = take(literals) {
      if symbol < 256 {
        guard output.count < limit else { return false }
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return true }
      guard symbol < 286 else { return false }
      let (base, extra) = Inflation.lengthCodes[symbol - 257]
      guard let more = take(extra), let code = take(distances), code < 30,
        let rest = take(Inflation.distanceCodes[code].extra)
      else { return false }
      let (length, distance) = (base + more, Inflation.distanceCodes[code].base + rest)
      guard distance <= output.count, output.count + length <= limit else { return false }
      let start = output.count - distance
      // The copy may overlap what it writes.
      for index in start..<start + length { output.append(output[index]) }
    }
    return false
  }

  private mutating func take(_ code: HuffmanCode) -> Int? {
    while bitCount < 15, next < data.endIndex {
      bits |= UInt32(data[next]) << bitCount
      next += 1
      bitCount += 8
    }
    let short = code.short[Int(bits) & (1 << HuffmanCode.shortLength - 1)]
    if short != 0 {
      let length = Int(short & 15)
      guard length <= bitCount else { return nil }
      bits >>= length
      bitCount -= length
      return Int(short >> 4)
    }
    var (value, first, index) = (0, 0, 0)
    for length in 1...15 {
      guard let bit = take(1) else { return nil }
      value |= bit
      let count = code.counts[length]
      if value - count < first { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    return nil
  }

  /// In which order the lengths of the code for lengths are stored.
  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// The least length that each symbol from 257 on means, and how many bits follow.
  private static let lengthCodes: [(base: Int, extra: Int)] =
    codes(from: 3, count: 28, plain: 8, inGroupsOf: 4) + [(258, 0)]

  /// The least distance that each symbol means, and how many bits follow.
  private static let distanceCodes = codes(from: 1, count: 30, plain: 4, inGroupsOf: 2)

  private static func codes(
    from first: Int,
    count: Int,
    plain: Int,
    inGroupsOf group: Int
  ) -> [(base: Int, extra: Int)] {
    var codes: [(base: Int, extra: Int)] = []
    var base = first
    for index in 0..<count {
      let extra = index < plain ? 0 : (index - plain) / group + 1
      codes.append((base, extra))
      base += 1 << extra
    }
    return codes
  }
}

/// A canonical Huffman code: how many symbols have codes of each length, and the symbols in the order of their codes.
private struct HuffmanCode {
  private(set) var counts = [Int](repeating: 0, count: 16)
  private(set) var symbols: [Int]
  /// By the next bits: the symbol whose code they begin with, times 16, and the length of that code; 0 for a longer one.
  private(set) var short = [UInt16](repeating: 0, count: 1 << shortLength)

  static let shortLength = 9

  /// Makes the code of which the length for each symbol is given; nil if there are more codes than fit.
  init?(_ lengths: [UInt8]) {
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    var left = 1
    for length in 1...15 {
      left = left << 1 - counts[length]
      guard left >= 0 else { return nil }
    }
    var offsets = [Int](repeating: 0, count: 17)
    for length in 1...15 { offsets[length + 1] = offsets[length] + counts[length] }
    symbols = [Int](repeating: 0, count: offsets[16])
    for (symbol, length) in lengths.enumerated() where length > 0 {
      symbols[offsets[Int(length)]] = symbol
      offsets[Int(length)] += 1
    }
    var (code, index) = (0, 0)
    for length in 1...HuffmanCode.shortLength {
      for symbol in symbols[index..<index + counts[length]] {
        // Codes come with their highest bit first.
        let start = (0..<length).reduce(0) { $0 | (code >> $1 & 1) << (length - 1 - $1) }
        for place in stride(from: start, to: short.count, by: 1 << length) {
          short[place] = UInt16(symbol << 4 | length)
        }
        code += 1
      }
      index += counts[length]
      code <<= 1
    }
  }

  static let fixedLiterals = HuffmanCode(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
  )
  static let fixedDistances = HuffmanCode([UInt8](repeating: 5, count: 30))
}
