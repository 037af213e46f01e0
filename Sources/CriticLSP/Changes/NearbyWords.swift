/// Up to five words directly before or after a place in a text, on the same line.
struct NearbyWords {
  /// The words with one space between them.
  private let text: [UInt8]
  /// Whether there is a space between the words and the place.
  private let isApart: Bool

  private static let maxWords = 5

  /// The words at the end of what stands before a place.
  init(before bytes: [UInt8]) {
    var words = 0
    var start = bytes.endIndex
    while start > 0, words < NearbyWords.maxWords, !bytes[start - 1].isLineEnd {
      start -= 1
      let isFirst = start == 0 || bytes[start - 1] == .space || bytes[start - 1].isLineEnd
      if isFirst, bytes[start] != .space { words += 1 }
    }
    text = NearbyWords.firstWords(of: bytes[start...])
    isApart = !text.isEmpty && bytes.last == .space
  }

  /// The words at the beginning of what stands after a place.
  init(after bytes: [UInt8]) {
    text = NearbyWords.firstWords(of: bytes.prefix { !$0.isLineEnd })
    isApart = !text.isEmpty && bytes.first == .space
  }

  /// Up to five words of a line, with one space between them.
  private static func firstWords(of line: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    var words = 0
    var isInWord = false
    for byte in line {
      if byte == .space {
        isInWord = false
        continue
      }
      if !isInWord {
        if words == maxWords { break }
        if words > 0 { text.append(.space) }
        words += 1
        isInWord = true
      }
      text.append(byte)
    }
    return text
  }

  /// The words around a change, as in ` in “The […] fox”`; empty if there are none.
  ///
  /// - Parameters:
  ///   - before: What stands before it.
  ///   - after: What stands after it.
  /// - Returns: The words.
  static func told(before: [UInt8], after: [UInt8]) -> String {
    let (start, end) = around(before: before, after: after)
    return start.isEmpty && end.isEmpty ? "" : " in “\(start)[…]\(end)”"
  }

  /// The words on each side of a place, with a space towards it if one is there.
  ///
  /// - Parameters:
  ///   - before: What stands before it.
  ///   - after: What stands after it.
  /// - Returns: Both; empty where there are none.
  static func around(before: [UInt8], after: [UInt8]) -> (before: String, after: String) {
    let (start, end) = (NearbyWords(before: before), NearbyWords(after: after))
    return (
      String(decoding: start.text + (start.isApart ? [.space] : []), as: UTF8.self),
      String(decoding: (end.isApart ? [.space] : []) + end.text, as: UTF8.self)
    )
  }
}

extension UInt8 {
  fileprivate static var space: UInt8 { UInt8(ascii: " ") }
  fileprivate var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}
