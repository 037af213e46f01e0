/// A paragraph that is the same in Markdown and in Word: letters, digits, and signs that mean nothing behind a word.
///
/// What is added to it is the text, with sentinels.
struct ProseLine {
  /// The paragraph, in UTF-8, with single spaces between words.
  private(set) var text: [UInt8] = []
  /// Whether a space was added behind the text.
  private var isBehindSpace = false
  /// What is known of the first word, in which a sign would make an item of a list of it.
  private var firstWord = FirstWord.missing

  private enum FirstWord {
    case missing
    case begun
    case ended
  }

  /// Whether there is a word.
  var isWhole: Bool { firstWord != .missing }

  /// Adds text; false if it is no prose.
  mutating func add(_ text: String) -> Bool {
    for scalar in text.unicodeScalars {
      switch scalar {
      case " ":
        isBehindSpace = !self.text.isEmpty
        if firstWord == .begun { firstWord = .ended }
        continue
      case _ where firstWord != .ended:
        guard ProseLine.isLetter(scalar) else { return false }
        firstWord = .begun
      case _ where ProseLine.isLetter(scalar) || ProseLine.isSign(scalar): break
      default: return false
      }
      endSpace()
      UTF8.width(scalar) == 1
        ? self.text.append(UInt8(scalar.value)) : self.text.append(contentsOf: String(scalar).utf8)
    }
    return true
  }

  /// Adds a sentinel.
  mutating func add(sentinel: String) {
    endSpace()
    text += sentinel.utf8
  }

  private mutating func endSpace() {
    if isBehindSpace { text.append(UInt8(ascii: " ")) }
    isBehindSpace = false
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", ",", ".", ";", ":", "?", "!", "(", ")", "-": true
    case "‘", "’", "“", "”", "–", "—", "…": true
    default: false
    }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z": true
    // Latin, Greek and Cyrillic letters; × and ÷ are none.
    case "\u{C0}"..."\u{24F}", "\u{370}"..."\u{52F}": scalar.properties.isAlphabetic
    default: false
    }
  }
}
