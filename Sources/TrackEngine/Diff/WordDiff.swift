/// What a comparison of two texts must know of the earlier one; all ranges are in order and disjoint.
struct Letters {
  /// Stretches that are one letter each, as delimiters are: equal to the same text whole.
  var whole: [Range<Int>] = []
  /// Stretches that are equal to nothing.
  var unlike: [Range<Int>] = []
}

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
///   - letters: What is one letter in `text`, and what is equal to nothing.
/// - Returns: Edits on `text`, sorted and disjoint.
func wordDiff(
  _ range: Range<Int>,
  _ new: [UInt8],
  in text: Text,
  _ letters: Letters = Letters()
) -> [Edit] {
  let trimmed = Edit(range, new).trimmed(on: text, letters)
  if trimmed.range.isEmpty, trimmed.new.isEmpty { return [] }
  if trimmed.range.isEmpty || trimmed.new.isEmpty {
    return [trimmed.slid(in: text, range, letters)]
  }
  let whole = trimmed.onWords(of: text, in: range)
  let old = Array(text[whole.range])
  let changes = old.withUnsafeBufferPointer { old in
    whole.new.withUnsafeBufferPointer { new in
      let letters = letters.moved(by: -whole.range.lowerBound)
      return WordComparison(old, new, letters, whole.delimiters(on: text)).changes()
    }
  }
  let edits = changes.map { change in
    Edit(change.old.moved(by: whole.range.lowerBound), Array(whole.new[change.new]))
  }
  return joined(edits, in: text, letters)
}

extension Letters {
  fileprivate func moved(by shift: Int) -> Letters {
    Letters(
      whole: whole.map { $0.moved(by: shift) },
      unlike: unlike.map { $0.moved(by: shift) }
    )
  }

  /// The letter that an offset is inside of.
  func letter(at offset: Int) -> Range<Int>? { whole.range(cutAt: offset) }

  /// Whether a stretch holds a letter, or a part of one, or text that is equal to nothing.
  fileprivate func isMet(by range: Range<Int>) -> Bool {
    whole.first(overlapping: range) { $0 } != nil || unlike.first(overlapping: range) { $0 } != nil
  }
}

extension Edit {
  /// The edit without the text that it has in common with what it replaces, at both ends, as ``Letters`` say what
  /// is the same.
  fileprivate func trimmed(on text: Text, _ letters: Letters) -> Edit {
    var trimmed = trimmed(on: text)
    var start = trimmed.range.lowerBound
    if let letter = letters.letter(at: start) { start = max(letter.lowerBound, range.lowerBound) }
    if let unlike = letters.unlike.first(overlapping: range.lowerBound..<start, { $0 }) {
      start = max(range.lowerBound, unlike.lowerBound)
    }
    var end = trimmed.range.upperBound
    if let letter = letters.letter(at: end) { end = min(letter.upperBound, range.upperBound) }
    let last = letters.unlike.partitioningIndex { $0.lowerBound >= range.upperBound } - 1
    if last >= 0, letters.unlike[last].upperBound > end {
      end = min(range.upperBound, letters.unlike[last].upperBound)
    }
    let (head, tail) = (start - range.lowerBound, range.upperBound - end)
    trimmed.range = start..<end
    trimmed.new = Array(new[head..<new.count - tail])
    return trimmed
  }
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
  func slid(in text: Text, _ bounds: Range<Int>, _ letters: Letters = Letters()) -> Edit {
    if let beside = beside(letters, in: text, bounds) { return beside }
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
    if isPlace(range.lowerBound) { return self }
    // Moved by its own length it would begin as it does.
    let reach = max(bounds.lowerBound, range.lowerBound - moved.count)..<range.upperBound
    let slack = slack(within: reach) { text[$0] }
    let shift = (slack.lowerBound..<0).last { isPlace(range.lowerBound + $0) }
    // What cannot be seen is not moved over.
    guard let shift, !letters.isMet(by: range.lowerBound + shift..<range.upperBound) else {
      return self
    }
    return self.moved(by: shift) { text[$0] }
  }
}

extension Edit {
  /// An insertion or deletion that cuts a letter, moved so that it cuts none, if that gives the same text; what lies in a
  /// letter was taken from that.
  ///
  /// Taking `+b` from `{++a+b++}` gives the same text as taking `b+`, which nobody would do.
  ///
  /// - Parameters:
  ///   - letters: What is one letter in the text.
  ///   - text: The text that it is on.
  ///   - bounds: Where its range may be.
  /// - Returns: The edit; nil if it cuts no letter, or cannot be moved so.
  func beside(_ letters: Letters, in text: Text, _ bounds: Range<Int>) -> Edit? {
    let (start, end) = (range.lowerBound, range.upperBound)
    func letter(at offset: Int) -> Range<Int>? {
      letters.letter(at: offset).flatMap { range.isEmpty || !$0.holds(range) ? $0 : nil }
    }
    let shifts = [
      letter(at: end).map { $0.lowerBound - end }, letter(at: start).map { $0.upperBound - start },
    ].compactMap(\.self)
    if shifts.isEmpty { return nil }
    let slack = slack(within: bounds) { text[$0] }
    let shift = shifts.first { shift in
      slack.contains(shift)
        && [start, end].allSatisfy { letters.letter(at: $0 + shift) == nil }
    }
    return shift.map { moved(by: $0) { text[$0] } }
  }
}

/// Joins edits separated only by spaces: a rewritten phrase is one change, not one for each word.
///
/// Also joins deletions that are apart only because the text repeats itself.
private func joined(_ edits: [Edit], in text: Text, _ letters: Letters) -> [Edit] {
  var result: [Edit] = []
  for edit in edits {
    if let last = result.last {
      let between = last.range.upperBound..<edit.range.lowerBound
      let gap = text[between]
      let isBeside =
        last.new.isEmpty && edit.new.isEmpty && text[edit.range].suffix(gap.count) == gap
        && !letters.isMet(by: between.lowerBound..<edit.range.upperBound)
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

/// The comparison of two texts, by lines and then by words.
private struct WordComparison {
  private let old: Bytes
  private let new: Bytes
  /// The stretches of each text that are one letter.
  private let oldLetters: [Range<Int>]
  private let newLetters: [Range<Int>]
  /// The stretches of the old text that are equal to nothing.
  private let unlike: [Range<Int>]

  init(_ old: Bytes, _ new: Bytes, _ letters: Letters, _ newLetters: [Range<Int>]) {
    self.old = old
    self.new = new
    oldLetters = old.delimiters(beside: letters.whole)
    self.newLetters = newLetters
    unlike = letters.unlike
  }

  /// The stretches in which words differ, in the lines that do.
  func changes() -> [Difference] {
    let (oldLines, newLines) = (old.lineStarts(in: old.indices), new.lineStarts(in: new.indices))
    let (oldNumbers, newNumbers) = numbers(oldLines, newLines)
    let pairs = commonPairs(oldNumbers, newNumbers) ?? anchoredPairs(oldNumbers, newNumbers)
    return blocks(between: pairs, oldLines, newLines)
      .flatMap { changes(in: $0.old, $0.new) }
  }

  /// The stretches in which the words of two stretches differ.
  private func changes(in oldRange: Range<Int>, _ newRange: Range<Int>) -> [Difference] {
    let oldWords = old.wordStarts(in: oldRange, oldLetters)
    let newWords = new.wordStarts(in: newRange, newLetters)
    let (oldNumbers, newNumbers) = numbers(oldWords, newWords)
    if let pairs = commonPairs(oldNumbers, newNumbers) {
      return blocks(between: pairs, oldWords, newWords)
    }
    // As many lines are left by a command that changes each of them, unless more than half differs, as in
    // rewritten text.
    let (oldLines, newLines) = (old.lineStarts(in: oldRange), new.lineStarts(in: newRange))
    if oldLines.count == newLines.count, oldLines.count > 2 {
      let blocks = (1..<oldLines.count).flatMap { line in
        changes(in: oldLines[line - 1]..<oldLines[line], newLines[line - 1]..<newLines[line])
      }
      if blocks.reduce(0, { $0 + $1.old.count }) <= oldRange.count / 2,
        blocks.reduce(0, { $0 + $1.new.count }) <= newRange.count / 2
      {
        return blocks
      }
    }
    return [Difference(oldRange, newRange)]
  }

  /// A number for each token of the two texts, the same for tokens that are equal; tokens begin at the given
  /// offsets.
  private func numbers(_ oldStarts: [Int], _ newStarts: [Int]) -> ([UInt64], [UInt64]) {
    var numbering = Numbering(capacity: oldStarts.count + newStarts.count)
    var numbers = numbering.numbers(of: old, at: oldStarts)
    if !unlike.isEmpty {
      for index in numbers.indices
      where unlike.first(overlapping: oldStarts[index]..<oldStarts[index + 1], { $0 }) != nil {
        numbers[index] = .max - UInt64(index)
      }
    }
    return (numbers, numbering.numbers(of: new, at: newStarts))
  }
}

private enum TokenKind {
  case letter
  case space
  case other
}

extension Bytes {
  /// The starts of the tokens of a stretch, and its end: words and spaces are tokens, and each of the letters,
  /// each sign, and each character of a script that does not part words.
  fileprivate func wordStarts(in range: Range<Int>, _ letters: [Range<Int>]) -> [Int] {
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
    var next = letters.partitioningIndex { $0.upperBound > at }
    while at < text.count {
      while next < letters.count, letters[next].upperBound <= at { next += 1 }
      let letter = next < letters.count ? letters[next] : text.count..<text.count
      if letter.lowerBound <= at, !letter.isEmpty {
        at = Swift.min(letter.upperBound, text.count)
        starts.append(at)
        continue
      }
      let (first, length) = kind(at: at)
      at += Swift.max(length, text.lineBreak(at: at))
      while first != .other, at < text.count {
        let (next, length) = kind(at: at)
        guard next == first else { break }
        at += length
      }
      if first == .other { at = Swift.min(text.characterEnd(from: at), letter.lowerBound) }
      starts.append(at)
    }
    return starts
  }

  /// The ranges of the delimiters spelled in the text, and of `known` ones, which count where they overlap.
  fileprivate func delimiters(beside known: [Range<Int>]) -> [Range<Int>] {
    let known = known.map { $0.clamped(to: 0..<count) }.filter { !$0.isEmpty }
    var end = 0
    let spelled = delimitersOutsideGroups.map { $0.offset..<$0.end }.filter { range in
      guard range.lowerBound >= end, known.first(overlapping: range, { $0 }) == nil else {
        return false
      }
      end = range.upperBound
      return true
    }
    return known.isEmpty
      ? spelled : (known + spelled).sorted { $0.lowerBound < $1.lowerBound }
  }
}

extension Edit {
  /// The ranges of the delimiters in the new text, as they are read behind the rest of its line; linear.
  func delimiters(on text: Text) -> [Range<Int>] {
    let head = text[text.start(ofLine: text.line(at: range.lowerBound))..<range.lowerBound]
    return (head + new).withUnsafeBufferPointer { $0.delimiters(beside: []) }
      .filter { $0.lowerBound >= head.count }.map { $0.moved(by: -head.count) }
  }
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
