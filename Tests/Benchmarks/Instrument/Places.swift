import CLibrary

/// A place in a document, as an editor tells it and as an offset.
struct Place {
  var offset: Int
  var line: Int
  /// In UTF-16, as LSP counts unless something else was agreed on.
  var character: Int
}

extension Place {
  /// How many places are looked for.
  private static let most = 4096

  /// Places inside words of a text, in random order, each in a line of its own.
  static func random(in bytes: [UInt8], seed: UInt64) -> [Place] {
    var random = Random(seed: seed)
    var offsets: [Int] = []
    for _ in 0..<4 * most where offsets.count < most && bytes.count > 1 {
      let offset = 1 + random.below(bytes.count - 1)
      if isLetter(bytes[offset]), isLetter(bytes[offset - 1]) { offsets.append(offset) }
    }
    if offsets.isEmpty { offsets = [bytes.count / 2] }
    var places: [Place] = []
    var start = 0
    var line = 0
    for offset in offsets.sorted() {
      while let end = bytes[start..<offset].firstNewline {
        start = end + 1
        line += 1
      }
      guard places.last?.line != line else { continue }
      let text = String(decoding: bytes[start..<offset], as: UTF8.self)
      places.append(Place(offset: offset, line: line, character: text.utf16.count))
    }
    return places.shuffled(using: &random)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
  }
}

extension ArraySlice<UInt8> {
  /// Where the first line feed is.
  fileprivate var firstNewline: Int? {
    withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let found = memchr(start, 10, bytes.count) else {
        return nil
      }
      return startIndex + UnsafeRawPointer(found).distance(to: start) * -1
    }
  }
}
