import JSONRPC

/// Up to five words directly before or after a place in a text, on the same line.
struct NearbyWords {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// From the first word to the last.
  private var range = 0..<0
  /// Whether there is a space between the words and the place.
  private(set) var isApart = false
  /// Whether there may be several spaces between two words.
  private var isWide = false

  private static let maxWords = 5
  /// How many bytes to look at; one more tells whether the last one ends a character.
  static let reach = 200

  var isEmpty: Bool { range.isEmpty }

  /// The words before a place; nil if `bytes` are not enough to tell.
  ///
  /// - Parameters:
  ///   - bytes: The bytes before the place, which must stay valid as long as the words are used.
  ///   - isAll: Whether nothing before `bytes` matters.
  init?(before bytes: UnsafeBufferPointer<UInt8>, isAll: Bool) {
    self.bytes = bytes
    var limit = max(0, bytes.count - NearbyWords.reach)
    while limit < bytes.count, bytes[limit].isContinuation { limit += 1 }
    var at = bytes.count
    var (first, last) = (at, at)
    var words = 0
    while words < NearbyWords.maxWords {
      var end = at
      while end > limit, bytes[end - 1] == .space { end -= 1 }
      var start = end
      while start > limit, bytes[start - 1].isInWord { start -= 1 }
      if words > 0, at - end > 1 { isWide = true }
      at = start
      if start == end { break }
      if words == 0 { last = end }
      first = start
      words += 1
    }
    if at == 0, !isAll, bytes.count < NearbyWords.reach { return nil }
    range = first..<last
    isApart = words > 0 && last < bytes.count
  }

  /// The words after a place; nil if `bytes` are not enough to tell.
  ///
  /// - Parameters:
  ///   - bytes: The bytes after the place, which must stay valid as long as the words are used.
  ///   - isAll: Whether nothing after `bytes` matters.
  init?(after bytes: UnsafeBufferPointer<UInt8>, isAll: Bool) {
    self.bytes = bytes
    var limit = min(bytes.count, NearbyWords.reach)
    while limit > 0, limit < bytes.count, bytes[limit].isContinuation { limit -= 1 }
    var at = 0
    var (first, last) = (at, at)
    var words = 0
    while words < NearbyWords.maxWords {
      var start = at
      while start < limit, bytes[start] == .space { start += 1 }
      var end = start
      while end < limit, bytes[end].isInWord { end += 1 }
      if words > 0, start - at > 1 { isWide = true }
      at = end
      if start == end { break }
      if words == 0 { first = start }
      last = end
      words += 1
    }
    if at == bytes.count, !isAll, bytes.count <= NearbyWords.reach { return nil }
    range = first..<last
    isApart = words > 0 && first > 0
  }

  /// The words with one space between them.
  var text: [UInt8] {
    let words = bytes[range].split(separator: .space)
    return Array(words.joined(separator: CollectionOfOne(.space)))
  }

  /// Writes the words as part of a string, separated by single spaces.
  func write(to writer: inout JSONWriter) {
    if isWide { writer.text(utf8: text) } else { writer.text(utf8: bytes[range]) }
  }
}

extension NearbyWords {
  /// A piece of what is told of the words around a change.
  enum Piece {
    case plain(StaticString)
    case words(NearbyWords)
  }

  /// Tells the words before and after a change, as in ` in “The […] fox”`.
  @inline(__always)
  static func tell(_ before: NearbyWords, _ after: NearbyWords, _ tell: (Piece) -> Void) {
    if before.isEmpty, after.isEmpty { return }
    tell(.plain(" in “"))
    tell(.words(before))
    tell(.plain(before.isApart ? " […]" : "[…]"))
    if after.isApart { tell(.plain(" ")) }
    tell(.words(after))
    tell(.plain("”"))
  }

  /// The same of a change as the command line lists it.
  static func told(_ around: ChangeSurroundings.Context) -> String {
    around.before.withUnsafeBufferPointer { before in
      around.after.withUnsafeBufferPointer { after in
        var told = ""
        guard let before = NearbyWords(before: before, isAll: true),
          let after = NearbyWords(after: after, isAll: true)
        else { return told }
        tell(before, after) { piece in
          switch piece {
          case .plain(let words): told += "\(words)"
          case .words(let words): told += String(decoding: words.text, as: UTF8.self)
          }
        }
        return told
      }
    }
  }
}

extension UInt8 {
  fileprivate static var space: UInt8 { UInt8(ascii: " ") }

  fileprivate var isContinuation: Bool { self & 0xC0 == 0x80 }

  /// Whether this is neither a space nor a line break.
  fileprivate var isInWord: Bool {
    self > .space || self != .space && self != UInt8(ascii: "\n") && self != UInt8(ascii: "\r")
  }
}
