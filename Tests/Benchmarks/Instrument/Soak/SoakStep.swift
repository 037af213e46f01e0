/// Something that a writer does; places are offsets of the clean text, so that any part of a session is
/// a session.
enum SoakStep {
  /// Puts the caret somewhere, after the marks there or before them.
  case go(Int, isAfter: Bool)
  /// Moves the caret by so many bytes.
  case walk(Int)
  /// Types letter by letter.
  case type(String)
  case backspace(Int)
  case delete(Int)
  /// Replaces so many bytes at once.
  case put(Int, String)
  /// Types over so many characters.
  case over(Int, String)
  /// Puts delimiters of Markdown on both sides of so many characters.
  case wrap(Int, String)
  /// Fills so many lines anew.
  case fill(Int)
  /// Moves the line of the caret by so many lines.
  case moveLine(Int)
  /// Puts so many lines that follow the caret in somewhere else too.
  case copyLines(Int, to: Int)
  case undo(Int)
  case redo(Int)
  /// Puts what is pending into marks.
  case mark(isForced: Bool, inParts: Bool)
  /// Accepts or rejects what lies in so many bytes after the caret.
  case resolve(Int, accepts: Bool)
  case resolveAll(accepts: Bool)

  /// How many keys it takes.
  var keys: Int {
    switch self {
    case .type(let text): text.unicodeScalars.count
    case .backspace(let count), .delete(let count), .undo(let count), .redo(let count): count
    case .over(_, let text): text.unicodeScalars.count + 1
    default: 1
    }
  }
}

/// What a writer does most.
struct SoakHabits {
  /// After how many keys there is a pause in which everything is marked.
  var pause: Int
  var words: [String]

  private static let signs = [
    ", ", ". ", "\n", "\n\n", "- ", "-", "--", "+", "*", "`", "`x`", "```\n", "~", "<", ">", "=",
    "é", "👍🏽",
    "# ", "> ", "(", ")", "~~", "***", "==", "\\",
  ]

  /// The next step of a session in a text of `count` bytes.
  func step(_ random: inout Random, in count: Int) -> SoakStep {
    // So many keys a step, more or less.
    if random.below(max(1, pause / 6)) == 0 {
      return .mark(isForced: random.below(4) > 0, inParts: random.below(4) == 0)
    }
    switch random.below(100) {
    case 0..<12: return .go(random.below(count + 1), isAfter: random.below(2) == 0)
    case 12..<24: return .walk(random.below(400) - 200)
    case 24..<50: return .type(text(&random))
    case 50..<62: return .backspace(1 + random.below(12))
    case 62..<70: return .delete(1 + random.below(8))
    case 70..<76: return .over(1 + random.below(40), random.below(3) == 0 ? "" : text(&random))
    case 76..<80:
      return .wrap(1 + random.below(30), ["**", "*", "`", "~~", "`", "_"][random.below(6)])
    case 80..<82: return .fill(1 + random.below(6))
    case 82..<84: return .moveLine(random.below(9) - 4)
    case 84..<86: return .copyLines(1 + random.below(3), to: random.below(count + 1))
    case 86..<93: return .undo(1 + random.below(4))
    case 93..<97: return .redo(1 + random.below(4))
    default:
      if random.below(60) == 0 { return .resolveAll(accepts: random.below(2) == 0) }
      return .resolve(10 + random.below(2000), accepts: random.below(2) == 0)
    }
  }

  private func text(_ random: inout Random) -> String {
    (0..<1 + random.below(5)).map { _ in
      random.below(6) == 0
        ? SoakHabits.signs[random.below(SoakHabits.signs.count)]
        : words[random.below(words.count)] + (random.below(5) > 0 ? " " : "")
    }.joined()
  }
}
