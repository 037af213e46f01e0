import JSONRPC

/// A text in quotation marks, on one line, cut if it is long.
///
/// Line breaks become `⏎`, and a text that is cut ends in `…`.
struct Quotation {
  private let bytes: [UInt8]
  /// How many of the bytes to show.
  private let end: Int
  private let isCut: Bool

  /// The longest text shown in full, and the length of a longer one when cut, in characters.
  private static let maxLength = 60
  private static let cut = 40
  /// How many bytes to look at.
  private static let maxBytes = 1000

  init(of bytes: [UInt8]) {
    // A text has at most as many characters as bytes.
    if bytes.count <= Quotation.maxLength {
      (self.bytes, end, isCut) = (bytes, bytes.count, false)
      return
    }
    var known = min(bytes.count, Quotation.maxBytes)
    while known > 0, known < bytes.count, bytes[known] & 0xC0 == 0x80 { known -= 1 }
    let isKnown = known == bytes.count
    if let characters = Quotation.simpleCharacters(of: bytes[..<known]) {
      self.bytes = bytes
      isCut = characters.isMore || !isKnown
      end = isCut ? characters.cut : known
    } else {
      let text = String(decoding: bytes[..<known], as: UTF8.self)
      let cut = text.index(text.startIndex, offsetBy: Quotation.cut, limitedBy: text.endIndex)
      let longest = text.index(
        text.startIndex,
        offsetBy: Quotation.maxLength + 1,
        limitedBy: text.endIndex
      )
      isCut = longest != nil || !isKnown
      self.bytes = Array(text[..<(isCut ? cut ?? text.endIndex : text.endIndex)].utf8)
      end = self.bytes.count
    }
  }

  /// Counts characters in a text where each is a single scalar or a line break, as in most texts.
  ///
  /// - Returns: The offset to cut at, and whether there are more characters than can be shown; nil if a scalar
  ///   might combine with its neighbour, or the bytes are not UTF-8.
  private static func simpleCharacters(
    of bytes: ArraySlice<UInt8>
  ) -> (cut: Int, isMore: Bool)? {
    var count = 0
    var cut = bytes.endIndex
    var at = bytes.startIndex
    while at < bytes.endIndex {
      if count == Quotation.cut { cut = at }
      let isOneMore = count == Quotation.maxLength
      count += 1
      switch bytes[at] {
      case 0x0D: at += at + 1 < bytes.endIndex && bytes[at + 1] == 0x0A ? 2 : 1
      case 0..<0x80: at += 1
      case 0xC2...0xCB where isContinuation(at + 1):
        // Latin up to U+02FF, before the combining marks.
        at += 2
      case 0xE2
      where at + 2 < bytes.endIndex && bytes[at + 1] == 0x80
        && 0x90...0xA7 ~= bytes[at + 2]:
        // Dashes, quotation marks and the like, U+2010 to U+2027.
        at += 3
      default: return nil
      }
      if isOneMore { return (cut, true) }
    }
    return (cut, false)

    func isContinuation(_ offset: Int) -> Bool {
      offset < bytes.endIndex && bytes[offset] & 0xC0 == 0x80
    }
  }
}

extension Quotation: CustomStringConvertible {
  /// The text between the quotation marks.
  var text: String {
    var lines: [String] = []
    eachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines.joined(separator: "⏎") + (isCut ? "…" : "")
  }

  /// The quotation with its quotation marks.
  var description: String { "“\(text)”" }

  /// Writes the quotation as part of a string.
  func write(to writer: inout JSONWriter) {
    writer.text(plain: "“")
    writeText(to: &writer)
    writer.text(plain: "”")
  }

  /// Writes the text between the quotation marks.
  func writeText(to writer: inout JSONWriter) {
    var isFirst = true
    eachLine { line in
      if !isFirst { writer.text(plain: "⏎") }
      isFirst = false
      writer.text(utf8: line)
    }
    if isCut { writer.text(plain: "…") }
  }

  /// Calls a closure with each line, without its line break.
  private func eachLine(_ read: (Slice<UnsafeBufferPointer<UInt8>>) -> Void) {
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      var at = 0
      while at < end {
        // Almost no byte begins a line break.
        if bytes[at] > 0x0D, bytes[at] < 0xC2 {
          at += 1
          continue
        }
        let length = lineBreak(at, in: bytes)
        if length > 0 {
          read(bytes[start..<at])
          start = at + length
        }
        at += max(1, length)
      }
      read(bytes[start..<end])
    }
  }

  /// The length of a line break as Unicode defines it; 0 if there is none.
  private func lineBreak(_ at: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    switch bytes[at] {
    case 0x0D: at + 1 < end && bytes[at + 1] == 0x0A ? 2 : 1
    case 0x0A...0x0C: 1
    case 0xC2: at + 1 < end && bytes[at + 1] == 0x85 ? 2 : 0
    case 0xE2: at + 2 < end && bytes[at + 1] == 0x80 && bytes[at + 2] & 0xFE == 0xA8 ? 3 : 0
    default: 0
    }
  }
}

/// A text in quotation marks, on one line, cut if it is long.
func quoted(_ bytes: [UInt8]) -> String { "\(Quotation(of: bytes))" }

/// A text on one line, cut if it is long.
func clipped(_ bytes: [UInt8]) -> String { Quotation(of: bytes).text }
