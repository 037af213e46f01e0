extension Edit {
  /// The same edit as a person would have made it: whole lines, or whole words and characters.
  ///
  /// - Parameters:
  ///   - text: The text, with line feeds.
  ///   - bounds: Where the edit may be.
  ///   - isPlain: Whether no mark begins or ends in a range, or between it and the next character, so that text there
  ///     may be removed instead of equal text.
  /// - Returns: An edit with the same result.
  func shaped(
    in text: [UInt8],
    within bounds: Range<Int>,
    where isPlain: (Range<Int>) -> Bool
  ) -> Edit {
    if range.isEmpty != new.isEmpty, let moved = moved(in: text, within: bounds),
      range.isEmpty || isPlain(moved.range.lowerBound..<range.lowerBound)
    {
      return moved
    }
    return onWholeCharacters(of: text, in: bounds).onWholeWords(of: text, in: bounds)
  }

  /// An insertion or deletion at an equal place before it, if it is one of whole lines there or cuts no words:
  /// `## New⏎⏎## ` is not inserted between `## ` and `B`, but `## New⏎⏎` before them.
  private func moved(in text: [UInt8], within bounds: Range<Int>) -> Edit? {
    let isOfLines = new.isEmpty ? text[range].contains(Ascii.newline) : new.contains(Ascii.newline)
    let reach = isOfLines ? max(range.count, new.count, Edit.longestWord) : Edit.longestWord
    let room = max(bounds.lowerBound, range.lowerBound - reach)..<range.upperBound
    var found: Edit?
    for shift in 0...(-slack(within: room) { text[$0] }.lowerBound) {
      let moved = self.moved(by: -shift) { text[$0] }
      let moving = new.isEmpty ? text[moved.range] : moved.new[...]
      guard let first = moving.first, first & 0xC0 != 0x80 else { continue }
      let place = moved.range.lowerBound
      if isOfLines, moving.last == Ascii.newline, place == 0 || text[place - 1] == Ascii.newline {
        return moved
      }
      if found == nil, shift <= Edit.longestWord,
        moved.onWholeCharacters(of: text, in: bounds).onWholeWords(of: text, in: bounds) == moved
      {
        found = moved
        if !isOfLines { break }
      }
    }
    return found
  }

  /// How far a place between words is looked for, in bytes.
  private static let longestWord = 64

  /// The edit extended to whole words that it cuts, within `bounds`: an insertion beside a word does not cut
  /// it.
  private func onWholeWords(of text: [UInt8], in bounds: Range<Int>) -> Edit {
    let old = text[range]
    var (start, end) = (range.lowerBound, range.upperBound)
    if [old.first, new.first].contains(where: { $0?.isOfAlphabet == true }) {
      while start > bounds.lowerBound, text[..<start].endsInAlphabet {
        repeat { start -= 1 } while text[start] & 0xC0 == 0x80 && start > bounds.lowerBound
      }
    }
    if old.endsInAlphabet || new[...].endsInAlphabet {
      while end < bounds.upperBound, text[end].isOfAlphabet {
        repeat { end += 1 } while end < bounds.upperBound && text[end] & 0xC0 == 0x80
      }
    }
    return widened(to: start..<end, of: text)
  }

  /// The edit extended to whole characters, as a reader sees them: a letter with its accents, an emoji of
  /// several.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - bounds: Where the edit may be.
  /// - Returns: An edit with the same result.
  func onWholeCharacters(of text: [UInt8], in bounds: Range<Int>) -> Edit {
    var (start, end) = (range.lowerBound, range.upperBound)
    func cuts(_ before: ArraySlice<UInt8>, _ after: ArraySlice<UInt8>) -> Bool {
      // Only characters beyond ASCII go on.
      guard let first = after.first, first >= 0x80, !before.isEmpty else { return false }
      let head = before.suffix(Edit.longestWord).drop { $0 & 0xC0 == 0x80 }
      let tail = after.prefix(Edit.longestWord)
      return String(decoding: head + tail, as: UTF8.self).count
        < String(decoding: head, as: UTF8.self).count + String(decoding: tail, as: UTF8.self).count
    }
    while start > bounds.lowerBound,
      cuts(text[..<start], text[start..<range.upperBound])
        || cuts(text[..<start], text[start..<range.lowerBound] + new)
    {
      repeat { start -= 1 } while text[start] & 0xC0 == 0x80 && start > bounds.lowerBound
    }
    while end < bounds.upperBound,
      cuts(text[start..<end], text[end..<bounds.upperBound])
        || cuts(new + text[range.upperBound..<end], text[end..<bounds.upperBound])
    {
      repeat { end += 1 } while end < bounds.upperBound && text[end] & 0xC0 == 0x80
    }
    return widened(to: start..<end, of: text)
  }

  private func widened(to wide: Range<Int>, of text: [UInt8]) -> Edit {
    if wide == range { return self }
    let (before, after) = (
      text[wide.lowerBound..<range.lowerBound], text[range.upperBound..<wide.upperBound]
    )
    return Edit(wide, Array(before) + new + Array(after))
  }
}

extension UInt8 {
  /// Whether a character that begins with this byte is a digit or an alphabetic letter: words of other scripts
  /// are not separated by spaces.
  fileprivate var isOfAlphabet: Bool { self < 0x80 ? isLetter : 0xC3...0xE1 ~= self }
}

extension ArraySlice<UInt8> {
  /// Whether its last character is a digit or an alphabetic letter.
  fileprivate var endsInAlphabet: Bool { last { $0 & 0xC0 != 0x80 }?.isOfAlphabet == true }
}
