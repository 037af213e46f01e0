extension [UInt8] {
  /// The digest of these bytes by SHA-256, whose steps and names are those of FIPS 180-4.
  var sha256: [UInt8] {
    // A one, zeros and the number of bits fill the last block.
    var message = self + [0x80]
    message += repeatElement(0, count: (120 - message.count % 64) % 64)
    message += UInt64(count * 8).bytes
    var hash = SHA256.initial
    for start in stride(from: 0, to: message.count, by: 64) {
      hash &+= SHA256.compressed(hash, SHA256.schedule(of: message[start..<start + 64]))
    }
    return hash.indices.flatMap { hash[$0].bytes }
  }
}

/// What is done with each block of a message.
private enum SHA256 {
  /// The square roots of the first 8 primes: the first 32 bits after the point.
  static let initial: SIMD8<UInt32> = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A,
    0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
  ]

  /// The cube roots of the first 64 primes, likewise.
  static let constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5,
    0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
    0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3,
    0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
    0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC,
    0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
    0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
    0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13,
    0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
    0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3,
    0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
    0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5,
    0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208,
    0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
  ]

  /// The 16 words of a block, and 48 made of them.
  static func schedule(of block: ArraySlice<UInt8>) -> [UInt32] {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
      block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let sigma0 = early.rotated(7) ^ early.rotated(18) ^ early >> 3
      let sigma1 = late.rotated(17) ^ late.rotated(19) ^ late >> 10
      words.append(words[index - 16] &+ sigma0 &+ words[index - 7] &+ sigma1)
    }
    return words
  }

  /// The working variables after the 64 rounds of a block.
  static func compressed(_ hash: SIMD8<UInt32>, _ schedule: [UInt32]) -> SIMD8<UInt32> {
    var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
    var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
    for (constant, word) in zip(constants, schedule) {
      let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
      let choice = (e & f) ^ (~e & g)
      let t1 = h &+ sum1 &+ choice &+ constant &+ word
      let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let t2 = sum0 &+ majority
      (h, g, f, e) = (g, f, e, d &+ t1)
      (d, c, b, a) = (c, b, a, t1 &+ t2)
    }
    return [a, b, c, d, e, f, g, h]
  }
}

extension UInt32 {
  fileprivate func rotated(_ count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}

extension FixedWidthInteger {
  /// From the highest to the lowest.
  fileprivate var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { [UInt8]($0) } }
}
