import TrackEngine

extension Reading {
  /// The names in the comments of a text, and those of whom other tools say that they made a change: as they are
  /// written at the start of a comment, `@Ada_Byron` and `@ai:model`, and `@ada` anywhere.
  ///
  /// - Parameters:
  ///   - bytes: The text that was read.
  ///   - typed: The offset of an `@` that is being typed, which does not count.
  /// - Returns: The names, without the `@`.
  func authors(in bytes: [UInt8], except typed: Int) -> Set<String> {
    let others = changes.filter { !$0.range.contains(typed) }
    var names = Set(others.compactMap { $0.author(in: bytes).map(CommentHead.written) })
    for comment in outermostComments {
      let content = comment.content
      var at = content.lowerBound
      while at < content.upperBound {
        defer { at += 1 }
        guard bytes[at] == UInt8(ascii: "@"), at != typed,
          at == content.lowerBound || !isOfName(bytes[at - 1])
        else { continue }
        let isFirst = bytes[content.lowerBound..<at].allSatisfy { $0 <= 0x20 }
        let author = isFirst ? CommentHead(of: bytes[content]).author : nil
        if let name = author.map(CommentHead.written) ?? name(bytes[at + 1..<content.upperBound]) {
          names.insert(name)
        }
      }
    }
    return names
  }
}

/// A name of one word.
private func name(_ rest: ArraySlice<UInt8>) -> String? {
  var word = rest.prefix(while: isOfName)
  while let last = word.last, last == UInt8(ascii: ".") || last == UInt8(ascii: "-") {
    word.removeLast()
  }
  guard let first = word.first, first >= 0x80 || Unicode.Scalar(first).properties.isAlphabetic
  else { return nil }
  return String(decoding: word, as: UTF8.self)
}

private func isOfName(_ byte: UInt8) -> Bool {
  byte >= 0x80 || Unicode.Scalar(byte).properties.isAlphabetic
    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "_-.".utf8.contains(byte)
}
