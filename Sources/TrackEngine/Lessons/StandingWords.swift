/// Counts how often the words that lessons replace or delete stand in texts.
public struct StandingWords: Sendable {
  /// Words that are looked for.
  private struct Phrase {
    var words: [[UInt8]]
    /// The words in whose midst they do not count, and where they are among those.
    var exception: (words: [[UInt8]], at: Int)?
    var isOfCase: Bool
  }

  private let phrases: [Phrase]
  /// The phrases that begin with a word, in lower case.
  private let beginnings: [[UInt8]: [Int]]

  /// It also stands in words.
  private static let apostrophe = UInt8(ascii: "'")

  /// How much of a text is cut into words at a time, in bytes.
  private static let longestPart = 1 << 16

  /// - Parameter lessons: The lessons.
  public init(of lessons: [Lesson]) {
    phrases = lessons.map { lesson in
      let isOfCase = lesson.wording.isOfCase
      let (old, new) = (lesson.wording.old.spoken(isOfCase), lesson.wording.new.spoken(isOfCase))
      return Phrase(
        words: old,
        exception: isOfCase ? nil : new.place(of: old).map { (new, $0) },
        isOfCase: isOfCase
      )
    }
    var beginnings: [[UInt8]: [Int]] = [:]
    for (index, phrase) in phrases.enumerated() {
      if let first = phrase.words.first { beginnings[first.lowercased, default: []].append(index) }
    }
    self.beginnings = beginnings
  }

  /// Counts in a text; linear, but for phrases that begin with the same word.
  ///
  /// - Parameters:
  ///   - bytes: The text with its marks.
  ///   - language: Its language.
  /// - Returns: A count for each lesson.
  public func counts(in bytes: [UInt8], as language: Language) -> [Int] {
    var counts = Array(repeating: 0, count: phrases.count)
    let clean = Reading(of: bytes, as: language).text(.clean, of: bytes)
    let text = Prose(clean, language).blanked(clean)
    var at = 0
    while at < text.count {
      var end = min(text.count, at + StandingWords.longestPart)
      while end < text.count, !text[end - 1].isLineBreak, end - at < 2 * StandingWords.longestPart {
        end += 1
      }
      count(text[at..<end], language, &counts)
      at = end
    }
    return counts
  }

  private func count(
    _ part: ArraySlice<UInt8>,
    _ language: Language,
    _ counts: inout [Int]
  ) {
    let words = PlainWord.all(in: Array(part), language).filter { !$0.isGap }.map(\.bytes)
    let folded = words.map(\.lowercased)
    for at in words.indices {
      if words[at].count > 1, words[at].contains(StandingWords.apostrophe) {
        for index in beginnings[[StandingWords.apostrophe]] ?? []
        where phrases[index].words.count == 1 { counts[index] += 1 }
      }
      for index in beginnings[folded[at]] ?? [] {
        let phrase = phrases[index]
        let text = phrase.isOfCase ? words : folded
        guard text[at...].starts(with: phrase.words) else { continue }
        if let exception = phrase.exception, at >= exception.at,
          text[(at - exception.at)...].starts(with: exception.words)
        {
          continue
        }
        counts[index] += 1
      }
    }
  }
}

extension [UInt8] {
  /// The words and signs of a wording.
  fileprivate func spoken(_ isOfCase: Bool) -> [[UInt8]] {
    // A wording has no sign of code, so that it is the same words in all languages.
    PlainWord.all(in: self, .markdown).filter { !$0.isGap }
      .map { isOfCase ? $0.bytes : $0.bytes.lowercased }
  }
}

extension [[UInt8]] {
  /// Where other words stand among these; nil if they do not.
  fileprivate func place(of words: [[UInt8]]) -> Int? {
    guard !words.isEmpty, words.count <= count else { return nil }
    return (0...count - words.count).first { self[$0...].starts(with: words) }
  }
}
