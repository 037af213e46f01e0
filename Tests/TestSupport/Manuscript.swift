/// A random text of the length that people work on, with changes in marks and comments on them.
public struct Manuscript {
  /// The marked-up text.
  public private(set) var text = ""
  private var random: Seeded
  private let mostComments: Int

  /// Writes a text.
  ///
  /// - Parameters:
  ///   - count: How many bytes it has at least.
  ///   - mostComments: How many comments a change has at most.
  ///   - seed: The same seed gives the same text.
  public init(of count: Int, mostComments: Int = 12, seed: UInt64) {
    random = Seeded(seed: seed)
    self.mostComments = mostComments
    while text.utf8.count < count {
      let block = block()
      text += block + (Int.random(in: 0..<12, using: &random) == 0 ? "\n" : "\n\n")
    }
  }

  private static let words = [
    "the", "a", "red", "kite", "over", "Hügel", "naïve", "and", "then", "\u{201C}yes,\u{201D}",
    "it's", "6.0", "C:\\dir",
    "$\\alpha$", "*so*", "**never**", "[link](https://a.example/b_c)", "`code`", "5\\%", "風", "👍🏽",
    "x^2^", "(if)",
    "{#fig-a}", "half-typed", "end.", "Why?",
  ]

  private mutating func word() -> String { Self.words.randomElement(using: &random) ?? "" }

  private mutating func phrase(_ most: Int) -> String {
    (0..<Int.random(in: 1...most, using: &random)).map { _ in word() }.joined(separator: " ")
  }

  /// A sentence in which about one word in ten is changed.
  private mutating func sentence(_ most: Int = 30) -> String {
    (0..<Int.random(in: 1...most, using: &random)).map { _ in
      Int.random(in: 0..<10, using: &random) == 0 ? mark() : word()
    }.joined(separator: " ")
  }

  private mutating func mark() -> String {
    // What begins a change must not be read as metadata, nor what follows as its continuation.
    let (old, new) = (phrase(3), phrase(3))
    let mark =
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: "{++\(new)++}"
      case 2: "{--\(old)--}"
      case 3: "{==\(old)==}"
      case 4: "{++\(phrase(20))\n\n\(phrase(20))++}"
      default: "{~~\(old)~>\(new)~~}"
      }
    let isBusy = Int.random(in: 0..<8, using: &random) == 0
    let count = Int.random(in: 0...(isBusy ? mostComments : 1), using: &random)
    return mark + (0..<count).map { _ in "{>>\(phrase(6))<<}" }.joined()
  }

  private mutating func block() -> String {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return "## " + sentence(6)
    case 1:
      return (0..<Int.random(in: 1...9, using: &random)).map { _ in "- " + sentence(8) }
        .joined(separator: "\n")
    case 2:
      return "| a | b |\n|---|---|\n"
        + (0..<Int.random(in: 1...5, using: &random)).map { _ in
          "| \(sentence(4)) | \(sentence(4)) |"
        }
        .joined(separator: "\n")
    case 3: return "```swift\n" + phrase(12) + "\n" + phrase(8) + "\n```"
    case 4: return "> " + sentence(20)
    case 5: return "{>>" + phrase(9) + "<<}"
    default: return sentence() + "\n" + sentence()
    }
  }
}
