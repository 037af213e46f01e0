/// A text as it is compared with one that is spelled a little differently: without regard to case, to the form of
/// quotation marks, dashes and dots, and to white space.
struct NearText {
  /// What is compared.
  private(set) var letters: [UInt32] = []
  /// Where each letter begins in the text, and at the end the text's length.
  private(set) var starts: [Int] = []

  private static let space: UInt32 = 0x20
  private static let dash: UInt32 = 0x2D
  private static let dot: UInt32 = 0x2E

  /// Linear.
  init(_ text: [UInt8]) {
    letters.reserveCapacity(text.count)
    starts.reserveCapacity(text.count + 1)
    text.withUnsafeBufferPointer { bytes in
      var at = 0
      while at < bytes.count {
        let (scalar, length) = bytes.anyScalar(at: at)
        add(scalar, at)
        at += length
      }
    }
    starts.append(text.count)
  }

  private mutating func add(_ scalar: Unicode.Scalar?, _ offset: Int) {
    guard let scalar else { return append(0xFFFD, offset) }
    switch scalar.value {
    case 0x2018...0x201B, 0x2032, 0x60, 0xB4: append(0x27, offset)
    case 0x201C...0x201F, 0x2033, 0xAB, 0xBB: append(0x22, offset)
    case 0x2010...0x2015, NearText.dash:
      if letters.last != NearText.dash { append(NearText.dash, offset) }
    case 0x2026: for _ in 1...3 { append(NearText.dot, offset) }
    // A soft hyphen, and what has no width.
    case 0xAD, 0x200B, 0x2060, 0xFEFF: break
    default:
      if scalar.properties.isWhitespace {
        if letters.last != NearText.space { append(NearText.space, offset) }
      } else {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
          append(lower.value, offset)
        }
      }
    }
  }

  private mutating func append(_ letter: UInt32, _ offset: Int) {
    letters.append(letter)
    starts.append(offset)
  }
}

extension [UInt8] {
  /// The first place where a text occurs, or one that is spelled a little differently; nil if there is none.
  ///
  /// Linear, unless the beginning of the text occurs often.
  func nearPlace(of text: [UInt8]) -> Range<Int>? {
    let wanted = NearText(text).letters
    guard wanted.contains(where: { $0 != 0x20 }), let first = wanted.first else { return nil }
    let near = NearText(self)
    guard wanted.count <= near.letters.count else { return nil }
    for start in 0...near.letters.count - wanted.count
    where near.letters[start] == first
      && near.letters[start..<start + wanted.count].elementsEqual(wanted)
    {
      let end = near.starts[start + wanted.count]
      return near.starts[start]..<Swift.max(end, near.starts[start] + 1)
    }
    return nil
  }
}
