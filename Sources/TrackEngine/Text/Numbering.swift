/// Assigns equal numbers, from 0 on, to equal pieces of two texts.
///
/// A table with open addressing; linear in the bytes of the pieces.
struct Numbering {
  /// The first piece with each number.
  private var pieces: [Bytes] = []
  private var hashes: [UInt64] = []
  private var slots: [Int32]
  private var mask: Int

  /// Reserves space for about `capacity` pieces.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: -1, count: size)
    mask = size - 1
  }

  /// How many numbers there are.
  var count: Int { pieces.count }

  /// The number of a piece.
  mutating func number(of piece: Bytes) -> Int32 {
    let hash = piece.quickHash
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] >= 0 {
      let known = Int(slots[slot])
      if hashes[known] == hash, pieces[known].isEqual(to: piece) { return slots[slot] }
      slot = (slot + 1) & mask
    }
    let number = Int32(pieces.count)
    slots[slot] = number
    pieces.append(piece)
    hashes.append(hash)
    if pieces.count * 2 > slots.count { grow() }
    return number
  }

  /// The numbers of the pieces of a text that begin at offsets; the last of these is the end of the text.
  mutating func numbers(of bytes: Bytes, at starts: [Int]) -> [UInt64] {
    numbers(of: bytes, in: zip(starts, starts.dropFirst()).lazy.map { $0..<$1 })
  }

  /// The numbers of stretches of a text.
  mutating func numbers(of bytes: Bytes, in stretches: some Sequence<Range<Int>>) -> [UInt64] {
    stretches.map { UInt64(number(of: Bytes(rebasing: bytes[$0]))) }
  }

  private mutating func grow() {
    let size = slots.count * 2
    slots = Array(repeating: -1, count: size)
    mask = size - 1
    for (number, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] >= 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(number)
    }
  }
}

extension UInt64 {
  /// The number combined with another one: different inputs nearly always differ in most bits of the result.
  @inline(__always)
  func mixed(with next: UInt64) -> UInt64 {
    let product = (self ^ next).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}

extension Bytes {
  /// A hash that need only be the same within one run of the program.
  @inline(__always)
  fileprivate var quickHash: UInt64 {
    let raw = UnsafeRawBufferPointer(self)
    var hash = UInt64(truncatingIfNeeded: count) &+ 0x243F_6A88_85A3_08D3
    var at = 0
    while at + 8 <= count {
      hash = hash.mixed(with: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      at += 8
    }
    var rest: UInt64 = 0
    while at < count {
      rest = rest << 8 | UInt64(self[at])
      at += 1
    }
    return hash.mixed(with: rest &+ 0x1319_8A2E_0370_7344)
  }

  /// Whether the bytes equal those of another text.
  @inline(__always)
  func isEqual(to other: Bytes) -> Bool {
    count == other.count && commonPrefix(with: other) == count
  }

  /// The length of the common prefix of both texts, compared eight bytes at a time.
  func commonPrefix(with other: Bytes) -> Int {
    let shorter = Swift.min(count, other.count)
    let (left, right) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
    var at = 0
    while at + 8 <= shorter {
      let difference =
        left.loadUnaligned(fromByteOffset: at, as: UInt64.self)
        ^ right.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      if difference != 0 { return at + UInt64(littleEndian: difference).trailingZeroBitCount / 8 }
      at += 8
    }
    while at < shorter, self[at] == other[at] { at += 1 }
    return at
  }

  /// The length of the common suffix of both texts, compared eight bytes at a time.
  func commonSuffix(with other: Bytes) -> Int {
    let shorter = Swift.min(count, other.count)
    let (left, right) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
    var at = 0
    while at + 8 <= shorter {
      let difference =
        left.loadUnaligned(fromByteOffset: count - at - 8, as: UInt64.self)
        ^ right.loadUnaligned(fromByteOffset: other.count - at - 8, as: UInt64.self)
      if difference != 0 { return at + UInt64(littleEndian: difference).leadingZeroBitCount / 8 }
      at += 8
    }
    while at < shorter, self[count - 1 - at] == other[other.count - 1 - at] { at += 1 }
    return at
  }
}
