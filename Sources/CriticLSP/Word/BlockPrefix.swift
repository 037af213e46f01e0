/// The length of what stands before the text of a line of Markdown, in bytes; all of a line that has no text.
///
/// That is indentation, quote signs, the markers of lists (also of tasks), headings and footnotes, and the bar of a table
/// row. It makes the block; a sentinel there would unmake it.
///
/// - Parameter line: The line, without its end.
/// - Returns: The length.
func blockPrefixLength(of line: ArraySlice<UInt8>) -> Int {
  var rest = line
  func skipSpaces() { rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
  func isSpace(_ byte: UInt8?) -> Bool {
    byte == nil || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
  while true {
    skipSpaces()
    guard let first = rest.first else { break }
    if first == UInt8(ascii: ">") {
      rest = rest.dropFirst()
    } else if "-+*:".utf8.contains(first), isSpace(rest.dropFirst().first) {
      rest = rest.dropFirst()
      skipSpaces()
      if rest.starts(with: "[ ] ".utf8) || rest.starts(with: "[x] ".utf8) {
        rest = rest.dropFirst(4)
      }
    } else if first == UInt8(ascii: "#") {
      let text = rest.drop { $0 == UInt8(ascii: "#") }
      guard rest.count - text.count <= 6, isSpace(text.first) else { break }
      rest = text
      skipSpaces()
      break
    } else if first == UInt8(ascii: "|") {
      rest = rest.dropFirst()
      skipSpaces()
      break
    } else if rest.starts(with: "[^".utf8), let end = rest.firstIndex(of: UInt8(ascii: "]")),
      rest[(end + 1)...].first == UInt8(ascii: ":")
    {
      rest = rest[(end + 2)...]
    } else {
      let marker = rest.drop { UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }
      guard (1...9).contains(rest.count - marker.count),
        marker.first == UInt8(ascii: ".") || marker.first == UInt8(ascii: ")"),
        isSpace(marker.dropFirst().first)
      else { break }
      rest = marker.dropFirst()
    }
  }
  return rest.startIndex - line.startIndex
}
