/// An edit cut down to the words that differ, whole words, with the text on its line.
struct WordEdit {
  /// The words; nil if there are too many for a wording.
  let wording: Wording?
  /// The words next to it.
  let neighbours: Neighbours
  let old: [UInt8]
  let new: [UInt8]
  /// The line before and after it.
  let before: [UInt8]
  let after: [UInt8]

  /// The word before an edit and the one after it, with the space towards it, if nothing else is between.
  struct Neighbours: Sendable {
    var previous: [UInt8]?
    var next: [UInt8]?
  }

  /// How many words a wording can have on each side.
  private static let mostWords = 6
  /// How much of a line is looked at on each side, in bytes.
  private static let longestLine = 512

  /// Cuts down an edit; nil if nothing differs but white space and formatting, and if it is not language: addresses,
  /// numbers, names in code, tables, tags.
  ///
  /// - Parameters:
  ///   - range: What is new in the text; empty if something was deleted.
  ///   - text: The text after the edit.
  ///   - language: Its language.
  ///   - replaced: What stood in its place.
  init?(
    _ range: Range<Int>,
    of text: [UInt8],
    _ language: Language,
    replacing replaced: [UInt8]
  ) {
    let line = text.line(around: range, upTo: WordEdit.longestLine)
    var oldLine = Array(text[line.lowerBound..<range.lowerBound])
    oldLine += replaced
    oldLine += text[range.upperBound..<line.upperBound]
    let newLine = Array(text[line])
    let oldWords = PlainWord.all(in: oldLine, language)
    let newWords = PlainWord.all(in: newLine, language)
    let shorter = min(oldWords.count, newWords.count)
    var head = 0
    while head < shorter, oldWords[head] == newWords[head] { head += 1 }
    var tail = 0
    while tail < shorter - head,
      oldWords[oldWords.count - 1 - tail] == newWords[newWords.count - 1 - tail]
    { tail += 1 }
    let oldDiffering = oldWords[head..<oldWords.count - tail]
    let newDiffering = newWords[head..<newWords.count - tail]
    let (oldRest, newRest) = (oldDiffering.withoutOuterGaps, newDiffering.withoutOuterGaps)
    guard !oldRest.isEmpty || !newRest.isEmpty, oldRest != newRest,
      oldRest.allSatisfy(\.isLanguage), newRest.allSatisfy(\.isLanguage),
      !language.hasBarTables || !(oldWords + newWords).contains(where: { $0.kind == .bar }),
      !newWords[..<head].endsInTag, !newWords[..<head].endsInReference,
      // As in `src/bin/main`.
      newWords[..<head].last?.isSign("/") != true,
      newWords[(newWords.count - tail)...].first?.isSign("/") != true
    else { return nil }
    let place = head > 0 ? newWords[head - 1].range.upperBound : 0
    // Words that are only added or deleted come and go with the space beside them.
    let oldRange = (newRest.isEmpty ? oldDiffering : oldRest).range
    let newRange = (oldRest.isEmpty ? newDiffering : newRest).range ?? place..<place
    (old, new) = (oldRange.map { Array(oldLine[$0]) } ?? [], Array(newLine[newRange]))
    before = Array(newLine[..<newRange.lowerBound])
    after = Array(newLine[newRange.upperBound...])
    let around = Surroundings(
      newWords[..<head],
      oldRest.isEmpty ? newDiffering : oldDiffering,
      newWords[(newWords.count - tail)...]
    )
    neighbours = around.neighbours
    let isShort = [oldRest, newRest].allSatisfy {
      $0.count { $0.isWord } <= WordEdit.mostWords && $0.count <= 3 * WordEdit.mostWords
    }
    wording = isShort ? around.wording(oldRest, newRest) : nil
    if let wording, wording.isOfCase, around.isSentenceStart { return nil }
  }
}

/// The words before and after an edit.
private struct Surroundings {
  private let before: ArraySlice<PlainWord>
  private let after: ArraySlice<PlainWord>
  /// The space between each and what was added or deleted.
  private let gapBefore: [UInt8]
  private let gapAfter: [UInt8]

  init(
    _ before: ArraySlice<PlainWord>,
    _ words: ArraySlice<PlainWord>,
    _ after: ArraySlice<PlainWord>
  ) {
    (self.before, self.after) = (before, after)
    let isApartBefore = before.last?.isGap == true || words.first?.isGap == true
    let isApartAfter = after.first?.isGap == true || words.last?.isGap == true
    gapBefore = isApartBefore ? [Ascii.space] : []
    gapAfter = isApartAfter ? [Ascii.space] : []
  }

  private var next: PlainWord? {
    after.withoutOuterGaps.first.flatMap { $0.isWord && $0.isLanguage ? $0 : nil }
  }

  var neighbours: WordEdit.Neighbours {
    let last = before.withoutOuterGaps.last.flatMap { $0.isWord && $0.isLanguage ? $0 : nil }
    return WordEdit.Neighbours(
      previous: last.map { $0.bytes + gapBefore },
      next: next.map { gapAfter + $0.bytes }
    )
  }

  /// Whether a sentence begins here, as far as the line tells.
  var isSentenceStart: Bool { Surroundings.isSentenceEnd(before) }

  private static func isSentenceEnd(_ words: ArraySlice<PlainWord>) -> Bool {
    guard let last = words.withoutOuterGaps.last else { return true }
    return last.kind == .stop || last.kind.isBorder || last.kind == .sign
  }

  /// The wording of an edit here; nil for one half of what stands in pairs, quotation marks and brackets.
  ///
  /// A sign alone says little; it goes with the word before it at the beginning of a sentence (`However` → `However,`),
  /// and else with the word after it (`and` → `, and`).
  func wording(_ old: ArraySlice<PlainWord>, _ new: ArraySlice<PlainWord>) -> Wording? {
    let signs = Array(old) + Array(new)
    guard old.isEmpty || new.isEmpty, !signs.contains(where: \.isWord) else {
      return Wording(old: old.text, new: new.text).ofQuotationMarks
    }
    guard !signs.contains(where: \.isOfPair) else { return nil }
    if let previous = before.last, previous.isWord, previous.isLanguage, previous.isCapitalized,
      Surroundings.isSentenceEnd(before.dropLast())
    {
      return Wording(old: previous.bytes + old.text, new: previous.bytes + new.text)
    }
    guard let next else { return Wording(old: old.text, new: new.text) }
    func said(_ words: ArraySlice<PlainWord>) -> [UInt8] {
      (words.isEmpty ? [] : words.text + gapAfter) + next.bytes
    }
    return Wording(old: said(old), new: said(new))
  }
}

extension Wording {
  /// The first quotation mark or apostrophe that differs, if nothing else does: of words with other apostrophes all say
  /// the same.
  fileprivate var ofQuotationMarks: Wording {
    let (oldText, newText) = (
      String(decoding: old, as: UTF8.self), String(decoding: new, as: UTF8.self)
    )
    guard oldText.count == newText.count else { return self }
    let pairs = zip(oldText, newText).filter { $0 != $1 }
    guard let first = pairs.first, pairs.allSatisfy({ $0.isQuotationMark && $1.isQuotationMark })
    else { return self }
    return Wording(old: Array(String(first.0).utf8), new: Array(String(first.1).utf8))
  }
}

extension Character {
  fileprivate var isQuotationMark: Bool { "'\"’‘“”„‚«»‹›".contains(self) }
}

extension ArraySlice<PlainWord> {
  /// From the first to the last; nil if there are none.
  fileprivate var range: Range<Int>? {
    guard let first, let last else { return nil }
    return first.range.lowerBound..<last.range.upperBound
  }

  /// Whether the name of what a link refers to has been opened, as in `[hens][`.
  fileprivate var endsInReference: Bool {
    guard let sign = lastIndex(where: { $0.isSign("[") || $0.isSign("]") }),
      self[sign].isSign("["), sign > startIndex
    else { return false }
    return self[sign - 1].isSign("]")
  }

  /// Whether a tag has been opened, as in `<a href="`, and not closed.
  fileprivate var endsInTag: Bool {
    guard
      let sign = lastIndex(where: { $0.bytes.first == Ascii.less || $0.bytes.last == Ascii.greater }
      ),
      self[sign].bytes.first == Ascii.less, sign + 1 < endIndex
    else { return false }
    return self[sign + 1].isWord || self[sign + 1].isSign("/")
  }
}

extension [UInt8] {
  /// The lines that a range is on, without the last line break; of long ones, what is near.
  fileprivate func line(around range: Range<Int>, upTo longest: Int) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start > 0, range.lowerBound - start < longest, !self[start - 1].isLineBreak { start -= 1 }
    while end < count, end - range.upperBound < longest, !self[end].isLineBreak { end += 1 }
    // Not in the middle of a character.
    while start < range.lowerBound, self[start] & 0xC0 == 0x80 { start += 1 }
    while end > range.upperBound, end < count, self[end] & 0xC0 == 0x80 { end -= 1 }
    return start..<end
  }
}
