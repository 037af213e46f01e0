/// Assigns equal numbers, from 0 on, to equal pieces of two texts.
///
/// A table with open addressing; linear in the bytes of the pieces.
struct Numbering {
  private struct Slot {
    var key: UInt64 = 0
    /// The number of the piece; -1 for a free slot.
    var number: Int32 = -1
  }

  /// The first piece with each number.
  private var pieces: [Bytes] = []
  private var slots: [Slot] = []
  /// One less than the number of slots in use, which is a power of two.
  private var mask = 0

  /// Reserves space for about `capacity` pieces.
  init(capacity: Int) {
    clear(for: capacity)
  }

  /// Forgets all pieces, but keeps the memory, and reserves space for about `capacity` new ones.
  mutating func restart(capacity: Int) {
    pieces.removeAll(keepingCapacity: true)
    clear(for: capacity)
  }

  private mutating func clear(for capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    mask = size - 1
    if slots.count < size {
      slots = Array(repeating: Slot(), count: size)
    } else {
      slots.withUnsafeMutableBufferPointer {
        UnsafeMutableBufferPointer(rebasing: $0[..<size]).update(repeating: Slot())
      }
    }
  }

  /// How many numbers there are.
  var count: Int { pieces.count }

  /// The number of a piece.
  mutating func number(of piece: Bytes) -> Int32 {
    let key = piece.key
    var slot = key.slot & mask
    while slots[slot].number >= 0 {
      let known = slots[slot]
      // The key of a short piece is the piece.
      if known.key == key, piece.count < 8 || pieces[Int(known.number)].isEqual(to: piece) {
        return known.number
      }
      slot = (slot + 1) & mask
    }
    let number = Int32(pieces.count)
    slots[slot] = Slot(key: key, number: number)
    pieces.append(piece)
    if pieces.count * 2 > mask { grow() }
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
    let known = slots[...mask]
    clear(for: mask + 1)
    for piece in known where piece.number >= 0 {
      var slot = piece.key.slot & mask
      while slots[slot].number >= 0 { slot = (slot + 1) & mask }
      slots[slot] = piece
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

  /// Where to look for a key in a table.
  @inline(__always)
  fileprivate var slot: Int {
    Int(truncatingIfNeeded: mixed(with: 0x1319_8A2E_0370_7344))
  }
}

extension Bytes {
  /// A hash that need only be the same within one run of the program; the bytes themselves and their number if there
  /// are fewer than eight.
  @inline(__always)
  fileprivate var key: UInt64 {
    let raw = UnsafeRawBufferPointer(self)
    guard count >= 8 else { return raw.short | UInt64(count) << 56 }
    var hash = UInt64(truncatingIfNeeded: count) &+ 0x243F_6A88_85A3_08D3
    var at = 0
    while at &+ 8 < count {
      hash = hash.mixed(with: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      at &+= 8
    }
    hash = hash.mixed(with: raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
    return hash | 0xFF << 56
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

extension UnsafeRawBufferPointer {
  /// The bytes, fewer than eight, as one number.
  @inline(__always)
  fileprivate var short: UInt64 {
    // Loads that overlap are faster than a loop.
    if count >= 4 {
      let first = UInt64(UInt32(littleEndian: loadUnaligned(as: UInt32.self)))
      let last = UInt64(
        UInt32(littleEndian: loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
      )
      return first | last << (8 * UInt64(count - 4))
    }
    if isEmpty { return 0 }
    return UInt64(self[0]) | UInt64(self[count / 2]) << 8 | UInt64(self[count - 1]) << 16
  }
}
