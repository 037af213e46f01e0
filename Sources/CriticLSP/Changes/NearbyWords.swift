/// Up to five words directly before or after a place in a text, on the same line.
struct NearbyWords {
  private var words: [ArraySlice<UInt8>] = []
  /// Whether there is a space between the words and the place.
  private var isApart = false

  private static let maxWords = 5

  /// The words at the end of what stands before a place.
  init(before bytes: [UInt8]) {
    var rest = bytes[...]
    if let end = rest.lastIndex(where: \.isLineEnd) { rest = rest[(end + 1)...] }
    words = rest.split(separator: .space).suffix(NearbyWords.maxWords)
    isApart = rest.last == .space
  }

  /// The words at the beginning of what stands after a place.
  init(after bytes: [UInt8]) {
    let rest = bytes.prefix { !$0.isLineEnd }
    words = Array(rest.split(separator: .space).prefix(NearbyWords.maxWords))
    isApart = rest.first == .space
  }

  /// The words with one space between them.
  private var text: String {
    String(decoding: Array(words.joined(separator: CollectionOfOne(.space))), as: UTF8.self)
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
    let (before, after) = (NearbyWords(before: before), NearbyWords(after: after))
    let start = before.text + (before.isApart && !before.words.isEmpty ? " " : "")
    let end = (after.isApart && !after.words.isEmpty ? " " : "") + after.text
    return (start, end)
  }
}

extension UInt8 {
  fileprivate static var space: UInt8 { UInt8(ascii: " ") }
  fileprivate var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}
