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
  var edits: [Edit] = []
  for block in changedLines(lines(of: old), lines(of: whole.new)) {
    let oldBlock = Array(old[block.old])
    let newBlock = Array(whole.new[block.new])
    for part in changedWords(oldBlock, newBlock) {
      let start = whole.range.lowerBound + block.old.lowerBound + part.old.lowerBound
      edits.append(Edit(start..<start + part.old.count, Array(newBlock[part.new])))
    }
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

/// A text cut into tokens; equal tokens have equal numbers only within one comparison.
private struct Tokens {
  let bytes: [UInt8]
  /// Where tokens begin, and the end of the text.
  var starts: [Int]
  var count: Int { starts.count - 1 }

  func token(_ index: Int) -> ArraySlice<UInt8> { bytes[starts[index]..<starts[index + 1]] }
}

private func lines(of bytes: [UInt8]) -> Tokens {
  bytes.withUnsafeBufferPointer { buffer in
    var starts = [0]
    while let last = starts.last, last < buffer.count { starts.append(buffer.lineEnd(after: last)) }
    return Tokens(bytes: bytes, starts: starts)
  }
}

/// Words and spaces are tokens, and each sign, and each character of a script that does not part words.
private func words(of bytes: [UInt8]) -> Tokens {
  enum Kind {
    case letter
    case space
    case other
  }
  return bytes.withUnsafeBufferPointer { buffer in
    func kind(at offset: Int) -> (Kind, length: Int) {
      let byte = buffer[offset]
      guard byte >= 0x80 else {
        return (byte.isLetter ? .letter : byte.isSpace ? .space : .other, 1)
      }
      let scalar = buffer.writtenScalar(at: offset)
      let isLetter = scalar.script == .letter || scalar.script == .mark || scalar.joinsWords
      return (isLetter ? .letter : .other, scalar.length)
    }
    var starts = [0]
    var at = 0
    while at < buffer.count {
      let (first, length) = kind(at: at)
      let isReturn = buffer[at] == Ascii.carriageReturn
      at += length
      if first != .other {
        while at < buffer.count {
          let (next, length) = kind(at: at)
          guard next == first else { break }
          at += length
        }
      } else if isReturn, at < buffer.count, buffer[at] == Ascii.newline {
        at += 1
      } else {
        // What belongs to a character is not parted from it.
        while at < buffer.count, buffer[at] >= 0x80 {
          let next = buffer.writtenScalar(at: at)
          guard next.script == .mark else { break }
          at += next.length
          if next.joinsEmoji, at < buffer.count { at += buffer.writtenScalar(at: at).length }
        }
      }
      starts.append(at)
    }
    return Tokens(bytes: bytes, starts: starts)
  }
}

/// The stretches in which the lines of two texts differ.
private func changedLines(_ old: Tokens, _ new: Tokens) -> [Difference] {
  let (oldNumbers, newNumbers) = numbers(of: old, new)
  let pairs = commonPairs(oldNumbers, newNumbers) ?? anchoredPairs(oldNumbers, newNumbers)
  return blocks(between: pairs, old, new)
}

/// The stretches in which the words of two texts differ.
private func changedWords(_ old: [UInt8], _ new: [UInt8]) -> [Difference] {
  let (oldWords, newWords) = (words(of: old), words(of: new))
  let (oldNumbers, newNumbers) = numbers(of: oldWords, newWords)
  if let pairs = commonPairs(oldNumbers, newNumbers) {
    return blocks(between: pairs, oldWords, newWords)
  }
  return changedLineByLine(lines(of: old), lines(of: new))
    ?? [Difference(0..<old.count, 0..<new.count)]
}

/// The same for texts with equally many lines, as left by a command that changes each line; nil if more than half
/// differs, as in rewritten text.
private func changedLineByLine(_ old: Tokens, _ new: Tokens) -> [Difference]? {
  guard old.count == new.count, old.count > 1 else { return nil }
  var blocks: [Difference] = []
  for line in 0..<old.count {
    let changed = changedWords(Array(old.token(line)), Array(new.token(line)))
    blocks += changed.map {
      Difference($0.old.moved(by: old.starts[line]), $0.new.moved(by: new.starts[line]))
    }
  }
  let isKept =
    blocks.reduce(0) { $0 + $1.old.count } <= old.bytes.count / 2
    && blocks.reduce(0) { $0 + $1.new.count } <= new.bytes.count / 2
  return isKept ? blocks : nil
}

/// A number for each token of two texts, the same for tokens that are equal.
private func numbers(of old: Tokens, _ new: Tokens) -> ([Int], [Int]) {
  var known: [ArraySlice<UInt8>: Int] = [:]
  func number(_ token: ArraySlice<UInt8>) -> Int {
    if let number = known[token] { return number }
    known[token] = known.count
    return known.count - 1
  }
  let oldNumbers = (0..<old.count).map { number(old.token($0)) }
  return (oldNumbers, (0..<new.count).map { number(new.token($0)) })
}

/// The stretches between tokens that are the same.
private func blocks(between pairs: [(Int, Int)], _ old: Tokens, _ new: Tokens) -> [Difference] {
  var blocks: [Difference] = []
  var atOld = 0
  var atNew = 0
  for (oldIndex, newIndex) in pairs + [(old.count, new.count)] {
    if oldIndex > atOld || newIndex > atNew {
      blocks.append(
        Difference(
          old.starts[atOld]..<old.starts[oldIndex],
          new.starts[atNew]..<new.starts[newIndex]
        )
      )
    }
    atOld = oldIndex + 1
    atNew = newIndex + 1
  }
  return blocks
}
