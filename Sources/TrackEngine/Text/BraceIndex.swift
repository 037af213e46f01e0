/// An index of a text for finding many other texts, each of which holds a brace.
///
/// Braces are indexed by the bytes beside them.
struct BraceIndex: Sendable {
  let bytes: [UInt8]
  /// The braces, those with the same key together, in the order of the text.
  private var braces: [Int] = []
  /// The index of the first brace of each key, and the end of the last key's.
  private var starts: [Int]

  /// The length of a key in bytes, including the brace.
  private static let width = 4

  /// Indexes a text; linear.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var keys: [(key: UInt32, brace: Int)] = []
    bytes.withUnsafeBufferPointer { bytes in
      for offset in bytes.indices where bytes[offset].isBrace {
        for side in Side.allCases {
          if let key = side.key(at: offset, in: bytes) { keys.append((key, offset)) }
        }
      }
    }
    var size = 1
    while size < keys.count { size *= 2 }
    starts = Array(repeating: 0, count: size + 1)
    for (key, _) in keys { starts[slot(of: key) + 1] += 1 }
    for slot in 1...size { starts[slot] += starts[slot - 1] }
    var next = starts
    braces = Array(repeating: 0, count: keys.count)
    for (key, brace) in keys {
      braces[next[slot(of: key)]] = brace
      next[slot(of: key)] += 1
    }
  }

  /// The places of another text, in order.
  ///
  /// - Parameters:
  ///   - text: Six bytes or more, so that there are enough on one side of its brace.
  ///   - most: The maximum number of places.
  /// - Returns: The places.
  func places(of text: [UInt8], atMost most: Int) -> [Range<Int>] {
    bytes.withUnsafeBufferPointer { bytes in
      text.withUnsafeBufferPointer { text in
        guard let brace = text.firstIndex(where: \.isBrace),
          let key = Side.allCases.lazy.compactMap({ $0.key(at: brace, in: text) }).first
        else { return [] }
        let slot = slot(of: key)
        var places: [Range<Int>] = []
        for found in braces[starts[slot]..<starts[slot + 1]] {
          let start = found - brace
          guard start >= 0, start + text.count <= bytes.count,
            text.indices.allSatisfy({ text[$0] == bytes[start + $0] }),
            places.last?.lowerBound != start
          else { continue }
          places.append(start..<start + text.count)
          if places.count == most { break }
        }
        return places
      }
    }
  }

  private func slot(of key: UInt32) -> Int {
    Int(truncatingIfNeeded: key &* 0x9E37_79B1 >> 7) & (starts.count - 2)
  }

  /// On which side of a brace its key lies.
  private enum Side: CaseIterable {
    case after
    case before

    func key(at brace: Int, in bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
      let start = self == .after ? brace : brace - BraceIndex.width + 1
      guard start >= 0, start + BraceIndex.width <= bytes.count else { return nil }
      return (start..<start + BraceIndex.width).reduce(0) { $0 << 8 | UInt32(bytes[$1]) }
    }
  }
}
