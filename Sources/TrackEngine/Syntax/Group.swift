// Groups of LaTeX whose text begins or ends as a delimiter does: `C\texttt{++}`, `1990{--}2000`, `\texttt{i++}`.

extension Bytes {
  // How far the end of a group is looked for, and its beginning, to bound the work; in bytes.
  private static let longestGroup = 4096
  private static let longestWayBack = 256

  /// Whether what is spelled as an opener can begin a group: only its signs, or one more of them, stand in its braces,
  /// or it stands right behind a LaTeX command.
  func mayBeginGroup(_ opener: Delimiter) -> Bool {
    let end = opener.end
    return opener.beforeBrace
      || end + 1 < count && self[end] == self[end - 1] && self[end + 1] == Ascii.close
      || isCommand(before: opener.offset)
  }

  /// Whether what is spelled as an opener begins a group, and so is text, if it can begin one; and how far the text
  /// matters for that.
  ///
  /// Its brace closes, and no closer of its kind follows in the paragraph, or the first one closes a brace that opens
  /// behind this group. In `\texttt{++} and \texttt{i++}` it does; in `{++}++}` and `\LaTeX{++ is {so}++}` it does not.
  func group(_ opener: Delimiter) -> (isText: Bool, reach: Int) {
    let near = Bytes(rebasing: self[..<Swift.min(count, opener.offset + Bytes.longestGroup)])
    let blank = near.blankLine(after: opener.offset)
    var depth = 1
    var isClosed = false
    var at = near.special(from: opener.end)
    while at < blank ?? near.count {
      if near[at].isBrace, !near.isEscaped(at) {
        if near[at] == Ascii.open {
          depth += 1
        } else if at - 2 >= opener.end, near.closer(at: at - 2) == opener.mark {
          return (isClosed && depth > 0, at + 1)
        } else {
          depth = Swift.max(0, depth - 1)
          isClosed = isClosed || depth == 0
        }
      }
      at = near.special(from: at + 1)
    }
    // With the blank line; at the end of the text, what comes after it has a say.
    let end = near.count + (near.count < count ? 0 : 1)
    return (isClosed, blank.map { lineEnd(after: $0) } ?? end)
  }

  /// Whether a closer is the end of a group: a brace on its line that opens only its signs, or one more of them, or a
  /// command before anything else, or stands right behind a command, a `^` or a `_`, and begins no mark of the kind.
  func endsGroup(_ closer: Delimiter) -> Bool {
    var depth = 1
    var at = closer.offset
    while at > 0, depth > 0, closer.offset - at < Bytes.longestWayBack, !self[at - 1].isLineBreak {
      at -= 1
      guard self[at].isBrace, !isEscaped(at) else { continue }
      depth += self[at] == Ascii.close ? 1 : -1
    }
    guard depth == 0, opener(at: at) != closer.mark || closer.offset < at + 3 else { return false }
    let text = self[at + 1..<closer.offset]
    return text.isEmpty || text.first == Ascii.backslash
      || text.count == 1 && text.first == self[closer.offset]
      || at > 0 && "^_".utf8.contains(self[at - 1]) || isCommand(before: at)
  }

  /// Every delimiter spelled in the text, by offset, but those that end a group.
  ///
  /// Linear.
  var delimitersOutsideGroups: [Delimiter] {
    delimiters.filter { $0.role != .closer || !endsGroup($0) }
  }

  /// Whether a command of LaTeX, a backslash and letters, stands right before an offset.
  func isCommand(before offset: Int) -> Bool {
    var start = offset
    while start > 0, offset - start < 32, self[start - 1].isAsciiLetter { start -= 1 }
    return start < offset && isEscaped(start)
  }
}

extension [UInt8] {
  /// The delimiters spelled in the text but those that end a group; linear.
  var delimitersOutsideGroups: [Delimiter] {
    withUnsafeBufferPointer(\.delimitersOutsideGroups)
  }
}
