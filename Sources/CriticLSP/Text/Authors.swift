import TrackEngine

extension Reading {
  /// The names in the comments of a text: `@Ada Byron:` at the start of a comment, `@ada` anywhere.
  ///
  /// - Parameters:
  ///   - bytes: The text that was read.
  ///   - place: The offset of an `@` that is being typed, which does not count.
  /// - Returns: The names, without the `@`.
  func authors(in bytes: [UInt8], except place: Int) -> Set<String> {
    var names: Set<String> = []
    for comment in outermostComments {
      let content = comment.content
      var at = content.lowerBound
      while at < content.upperBound {
        defer { at += 1 }
        guard bytes[at] == UInt8(ascii: "@"), at != place,
          at == content.lowerBound || !isOfName(bytes[at - 1])
        else { continue }
        let isFirst = bytes[content.lowerBound..<at].allSatisfy { $0 <= 0x20 }
        let rest = bytes[at + 1..<content.upperBound]
        if let name = (isFirst ? fullName(rest) : nil) ?? name(rest) { names.insert(name) }
      }
    }
    return names
  }
}

/// A name before a colon: one word, or several that begin with capitals.
private func fullName(_ rest: ArraySlice<UInt8>) -> String? {
  guard let colon = rest.prefix(64).firstIndex(of: UInt8(ascii: ":")) else { return nil }
  let words = String(decoding: rest[..<colon], as: UTF8.self)
    .split(separator: " ", omittingEmptySubsequences: false)
  let isName = words.allSatisfy { word in
    guard let first = word.first else { return false }
    return (words.count == 1 ? first.isLetter || first.isNumber : first.isUppercase)
      && word.utf8.allSatisfy(isOfName)
  }
  return isName ? words.joined(separator: " ") : nil
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
