/// The edits, word by word, that turn the text of `range` into `new`.
///
/// Common lines are found first, then common words in the rest. If the two sides have too little in common, one
/// edit replaces everything. Linear, times the number of differences, which is bounded between two lines that
/// each side has once.
///
/// - Parameters:
///   - range: UTF-8 offsets in `text`.
///   - new: The replacement.
///   - text: The text before.
/// - Returns: Edits on `text`, sorted and disjoint.
func wordDiff(_ range: Range<Int>, _ new: [UInt8], in text: Text) -> [Edit] {
  let trimmed = Edit(range, new).trimmed(on: text)
  if trimmed.range.isEmpty, trimmed.new.isEmpty { return [] }
  if trimmed.range.isEmpty || trimmed.new.isEmpty { return [trimmed.slid(in: text, range)] }
  let whole = trimmed.onWords(of: text, in: range)
  let old = Array(text[whole.range])
  let changes = old.withUnsafeBufferPointer { old in
    whole.new.withUnsafeBufferPointer { changedWords(old, $0) }
  }
  let edits = changes.map { change in
    Edit(change.old.moved(by: whole.range.lowerBound), Array(whole.new[change.new]))
  }
  return joined(edits, in: text)
}

extension Edit {
  /// The edit with the words that it cuts, as far as `bounds` reach.
  func onWords(of text: Text, in bounds: Range<Int>) -> Edit {
    var start = range.lowerBound
    var end = range.upperBound
    while start > bounds.lowerBound, text[start - 1].isLetter { start -= 1 }
    while end < bounds.upperBound, text[end].isLetter { end += 1 }
    var words = text[start..<range.lowerBound]
    words += new
    words += text[range.upperBound..<end]
    return Edit(start..<end, Array(words))
  }

  /// An insertion or deletion, moved so that it is one of whole lines, or else of whole words, if that gives the
  /// same text; letters and delimiters are not moved.
  ///
  /// Taking `Two.` from `One. Two. Three.`, a line each, gives the same text as taking `wo.`, the line
  /// break and the `T` after it, which nobody would do.
  func slid(in text: Text, _ bounds: Range<Int>) -> Edit {
    let moved = range.isEmpty ? new : Array(text[range])
    let isOnLines = moved.contains(Ascii.newline)
    let isOfWords = !moved.allSatisfy(\.isLetter) && !moved.contains(where: \.isBrace)
    guard isOnLines || isOfWords else { return self }
    func isPlace(_ start: Int) -> Bool {
      guard start > 0 else { return true }
      if isOnLines { return text[start - 1] == Ascii.newline }
      let first = start == range.lowerBound ? moved[0] : text[start]
      return !(text[start - 1].isLetter && first.isLetter)
    }
    // What it begins with is what it ended with, as far as it moves.
    var shift = 0
    while !isPlace(range.lowerBound - shift) {
      let start = range.lowerBound - shift
      let last =
        shift < moved.count
        ? moved[moved.count - 1 - shift] : text[start - 1 + moved.count]
      guard start > bounds.lowerBound, last == text[start - 1] else { return self }
      shift += 1
    }
    let start = range.lowerBound - shift
    guard range.isEmpty else { return Edit(start..<start + range.count, []) }
    let head = text[start..<min(range.lowerBound, start + moved.count)]
    return Edit(start..<start, Array(head) + moved.prefix(max(0, moved.count - shift)))
  }
}

/// Joins edits separated only by spaces: a rewritten phrase is one change, not one for each word.
///
/// Also joins deletions that are apart only because the text repeats itself.
private func joined(_ edits: [Edit], in text: Text) -> [Edit] {
  var result: [Edit] = []
  for edit in edits {
    if let last = result.last {
      let gap = text[last.range.upperBound..<edit.range.lowerBound]
      let isBeside =
        last.new.isEmpty && edit.new.isEmpty && text[edit.range].suffix(gap.count) == gap
      if isBeside || gap.allSatisfy(\.isSpace) && gap.count < 3 {
        let next = isBeside ? edit.moved(by: -gap.count) : edit
        result[result.count - 1].join(next, in: text)
        continue
      }
    }
    result.append(edit)
  }
  return result
}

/// The stretches in which words of two texts differ, in the lines that do.
private func changedWords(_ old: Bytes, _ new: Bytes) -> [Difference] {
  let (oldLines, newLines) = (old.lineStarts(in: old.indices), new.lineStarts(in: new.indices))
  let (oldNumbers, newNumbers) = numbers(old, oldLines, new, newLines)
  let pairs = commonPairs(oldNumbers, newNumbers) ?? anchoredPairs(oldNumbers, newNumbers)
  return blocks(between: pairs, oldLines, newLines)
    .flatMap { changedWords(old, $0.old, new, $0.new) }
}

/// The stretches in which the words of two stretches differ.
private func changedWords(
  _ old: Bytes,
  _ oldRange: Range<Int>,
  _ new: Bytes,
  _ newRange: Range<Int>
) -> [Difference] {
  let (oldWords, newWords) = (old.wordStarts(in: oldRange), new.wordStarts(in: newRange))
  let (oldNumbers, newNumbers) = numbers(old, oldWords, new, newWords)
  if let pairs = commonPairs(oldNumbers, newNumbers) {
    return blocks(between: pairs, oldWords, newWords)
  }
  // As many lines are left by a command that changes each of them, unless more than half differs, as in
  // rewritten text.
  let (oldLines, newLines) = (old.lineStarts(in: oldRange), new.lineStarts(in: newRange))
  if oldLines.count == newLines.count, oldLines.count > 2 {
    let blocks = (1..<oldLines.count).flatMap { line in
      changedWords(
        old,
        oldLines[line - 1]..<oldLines[line],
        new,
        newLines[line - 1]..<newLines[line]
      )
    }
    if blocks.reduce(0, { $0 + $1.old.count }) <= oldRange.count / 2,
      blocks.reduce(0, { $0 + $1.new.count }) <= newRange.count / 2
    {
      return blocks
    }
  }
  return [Difference(oldRange, newRange)]
}

private enum TokenKind {
  case letter
  case space
  case other
}

extension Bytes {
  /// The starts of the tokens of a stretch, and its end: words and spaces are tokens, and each sign, and each
  /// character of a script that does not part words.
  fileprivate func wordStarts(in range: Range<Int>) -> [Int] {
    let text = Bytes(rebasing: self[..<range.upperBound])
    func kind(at offset: Int) -> (kind: TokenKind, length: Int) {
      let byte = text[offset]
      guard byte >= 0x80 else {
        return (byte.isLetter ? .letter : byte.isSpace ? .space : .other, 1)
      }
      let scalar = text.writtenScalar(at: offset)
      let isLetter = scalar.script == .letter || scalar.script == .mark || scalar.joinsWords
      return (isLetter ? .letter : .other, scalar.length)
    }
    var starts = [range.lowerBound]
    var at = range.lowerBound
    while at < text.count {
      let (first, length) = kind(at: at)
      at += Swift.max(length, text.lineBreak(at: at))
      while first != .other, at < text.count {
        let (next, length) = kind(at: at)
        guard next == first else { break }
        at += length
      }
      if first == .other { at = text.characterEnd(from: at) }
      starts.append(at)
    }
    return starts
  }
}

/// A number for each token of two texts, the same for tokens that are equal; tokens begin at the given offsets.
private func numbers(_ old: Bytes, _ oldStarts: [Int], _ new: Bytes, _ newStarts: [Int])
  -> ([UInt64], [UInt64])
{
  var numbering = Numbering(capacity: oldStarts.count + newStarts.count)
  return (numbering.numbers(of: old, at: oldStarts), numbering.numbers(of: new, at: newStarts))
}

/// The stretches between tokens that are the same.
private func blocks(
  between pairs: [(old: Int, new: Int)],
  _ oldStarts: [Int],
  _ newStarts: [Int]
) -> [Difference] {
  differences(between: pairs, oldStarts.count - 1, newStarts.count - 1).map { tokens in
    Difference(
      oldStarts[tokens.old.lowerBound]..<oldStarts[tokens.old.upperBound],
      newStarts[tokens.new.lowerBound]..<newStarts[tokens.new.upperBound]
    )
  }
}
