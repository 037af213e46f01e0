import TestSupport
import Testing

@testable import TrackEngine

/// Texts of few words, in which nearly every word has lookalikes, but of which it is known what became of each word.
@Suite("A mark is never carried to a lookalike", .timeLimited) struct CarryingPlaceTests {
  /// A word of a text; its number says which one it is.
  private struct Word {
    var text: String
    var number: Int
  }

  /// What somebody does to a text: so many words from a place on become others.
  private struct Step: CustomStringConvertible {
    var at: Double
    var count: Int
    var new: [String]

    var description: String { ".init(at: \(at), count: \(count), new: \(new))" }
  }

  private static let words = [
    "the", "the", "a", "fox", "fox", "hen", "sat", "ran", "red", "and", "it", "was", "late", "so",
  ]
  /// No word of the texts is one of these.
  private static let others = ["however", "yellow", "meanwhile", "boats", "slowly"]

  @Test(
    "A comment stands behind the word behind which it stood, or nowhere",
    arguments: [true, false]
  )
  func places(_ isRecording: Bool) {
    var counts = (carried: 0, left: 0)
    forAll(
      runs(500),
      length: 4,
      step: { random in
        Step(
          at: Double.random(in: 0..<1, using: &random),
          count: [0, 1, 1, 2, 3, 8, 20].randomElement(using: &random) ?? 1,
          new: (0..<Int.random(in: 0...2, using: &random)).map { _ in
            Self.others.randomElement(using: &random) ?? ""
          }
        )
      },
      law: { seed, steps in
        let (old, words) = Self.text(seed)
        var left = words
        for step in steps {
          let start = Int(step.at * Double(left.count))
          let end = min(left.count, start + step.count)
          let new = step.new.map { Word(text: "\($0) ", number: -1) }
          left.replaceSubrange(start..<end, with: new)
        }
        let new = left.map(\.text).joined()
        var options = Carrying.Options()
        options.isRecording = isRecording
        let carrying = Carrying(of: Array(old.utf8), onto: Array(new.utf8), options)
        let text = Array(new.utf8).applying(carrying.edits)
        counts.left += carrying.left.count
        counts.carried += carrying.changes.count - carrying.left.count
        return Self.broken(text, left, since: words)
      }
    )
    #expect(counts.carried > counts.left, "most is carried")
  }

  /// A text with marks, each with a comment that is the number of the last word that it holds or follows; and its words.
  private static func text(_ seed: UInt64) -> (marked: String, words: [Word]) {
    var random = Seeded(seed: seed)
    var text = ""
    var words: [Word] = []
    func add(_ count: Int) -> String {
      (0..<count).map { _ in
        var word = Self.words.randomElement(using: &random) ?? ""
        word += [" ", " ", " ", " ", " ", " ", ". ", ".\n\n"].randomElement(using: &random) ?? " "
        words.append(Word(text: word, number: words.count))
        return word
      }.joined()
    }
    while words.count < 60 {
      text += add(Int.random(in: 1...6, using: &random))
      let kind = Int.random(in: 0..<4, using: &random)
      let count = Int.random(in: 1...3, using: &random)
      switch kind {
      case 0: text += "{++\(add(count))++}{>>\(words.count - 1)<<}"
      case 1: text += "{==\(add(count))==}{>>\(words.count - 1)<<}"
      case 2: text += "{--gone --}{>>\(words.count - 1)<<}"
      default:
        // A comment behind a word, before the space.
        guard text.last == " " else { continue }
        text.removeLast()
        text += "{>>\(words.count - 1)<<} "
      }
    }
    return (text, words)
  }

  /// What stands behind another word than it should; where that is like the right one, and all from behind it up to the
  /// right one is gone, nobody can tell which of the two stayed.
  private static func broken(_ text: [UInt8], _ words: [Word], since old: [Word]) -> String? {
    let clean = VariantText(.clean, of: text)
    for comment in clean.reading.comments(in: text.indices) {
      guard let number = Int(String(decoding: text[comment.content], as: UTF8.self)) else {
        continue
      }
      let offset = clean.offset(ofMarkup: comment.start)
      // The word that ends there, white space aside.
      var at = 0
      var last: Word?
      for word in words where at < offset {
        last = word
        at += word.text.utf8.count
      }
      if let last, last.number >= 0, last.number < number, last.text == old[number].text,
        !words.contains(where: { last.number < $0.number && $0.number <= number })
      {
        continue
      }
      if last?.number != number {
        return "\(number) stands behind \(last?.number ?? -1) (\(last?.text ?? "")): "
          + String(decoding: text, as: UTF8.self).debugDescription
      }
    }
    return nil
  }
}
