/// The range of the YAML front matter at the beginning of a text, both fences included; empty where
/// there is none.
///
/// It opens with a line of `---` not followed by a blank line, and closes with the next line of `---` or `...`.
public func frontMatter(of bytes: [UInt8]) -> Range<Int> {
  bytes.withUnsafeBufferPointer { bytes in
    guard opensFrontMatter(bytes) else { return 0..<0 }
    var line = bytes.lineEnd(after: 0)
    while line < bytes.count {
      let next = bytes.lineEnd(after: line)
      if isFence(bytes, at: line, UInt8(ascii: "-")) || isFence(bytes, at: line, UInt8(ascii: "."))
      {
        return 0..<next
      }
      line = next
    }
    return 0..<0
  }
}

extension Text {
  /// The range of the text's YAML front matter; see ``frontMatter(of:)``.
  ///
  /// Linear in the front matter, or in the text if the front matter never closes.
  public var frontMatter: Range<Int> {
    var length = min(count, 4096)
    while true {
      let bytes = Array(self[0..<length])
      let range = TrackEngine.frontMatter(of: bytes)
      // A closing fence at the end of a part may go on in the next part.
      if !range.isEmpty, range.upperBound < length || length == count { return range }
      guard length < count, bytes.withUnsafeBufferPointer(opensFrontMatter) else { return range }
      length = min(count, length * 4)
    }
  }
}

/// Whether a text begins with a line of `---` that is not a thematic break: one is followed by a blank line.
private func opensFrontMatter(_ bytes: Bytes) -> Bool {
  isFence(bytes, at: 0, UInt8(ascii: "-")) && !bytes.isBlank(lineAt: bytes.lineEnd(after: 0))
}

private func isFence(_ bytes: Bytes, at offset: Int, _ character: UInt8) -> Bool {
  guard offset + 3 <= bytes.count, (offset..<offset + 3).allSatisfy({ bytes[$0] == character })
  else { return false }
  return bytes.isLineEnd(bytes.blankEnd(from: offset + 3))
}

/// Whether the front matter asks for tracking with `criticmark: {tracking: true}`, in YAML's flow or
/// block form.
public func frontMatterAsksForTracking(_ bytes: [UInt8]) -> Bool {
  let range = frontMatter(of: bytes)
  guard !range.isEmpty else { return false }
  let lines = String(decoding: bytes[range], as: UTF8.self).split(whereSeparator: \.isNewline)
  var isInside = false
  for line in lines {
    let isNested = line.first == " " || line.first == "\t"
    let words = line.split { " \t{},\"'".contains($0) }
    let text = words.joined()
    if !isNested { isInside = text.hasPrefix("criticmark:") }
    let body = text.hasPrefix("criticmark:") ? text.dropFirst("criticmark:".count) : text[...]
    if isInside, body.contains("tracking:true") { return true }
  }
  return false
}
