import TestSupport

/// Something that a writer, or the wire, does in a random session.
enum WriterStep: CustomStringConvertible {
  /// Goes to a place and types a word, with so many milliseconds between two letters.
  case type(Double, String, before: Bool, Int)
  /// Types on at the caret.
  case typeOn(String, Int)
  case backspace
  case escape
  case replace(Double, Int, with: String)
  case wait(Int)
  /// Waits until nothing happens any more.
  case pause
  case undo(Int)
  case redo(Int)
  case save(SavingOutcome)
  /// From now on messages of the server are so long in flight.
  case lag(Int)
  /// Accepts one change or all, and types a word before the edit has landed.
  case accept(Double, then: String?)
  case acceptAll(then: String?)
  case reject(Double)
  case rejectAll
  case comment(Double, Int, then: String?)
  /// Turns tracking off, types a word, and turns it on again.
  case untracked(Double, String)
  case reopen

  var description: String {
    switch self {
    case .type(let at, let word, let before, let gap):
      ".type(\(at), \(word.debugDescription), before: \(before), \(gap))"
    case .typeOn(let word, let gap): ".typeOn(\(word.debugDescription), \(gap))"
    case .replace(let at, let count, let word):
      ".replace(\(at), \(count), with: \(word.debugDescription))"
    case .wait(let time): ".wait(\(time))"
    case .undo(let count): ".undo(\(count))"
    case .redo(let count): ".redo(\(count))"
    case .save(let outcome): ".save(.\(outcome))"
    case .lag(let time): ".lag(\(time))"
    case .accept(let at, let word): ".accept(\(at), then: \(word?.debugDescription ?? "nil"))"
    case .acceptAll(let word): ".acceptAll(then: \(word?.debugDescription ?? "nil"))"
    case .reject(let at): ".reject(\(at))"
    case .comment(let at, let count, let word):
      ".comment(\(at), \(count), then: \(word?.debugDescription ?? "nil"))"
    case .untracked(let at, let word): ".untracked(\(at), \(word.debugDescription))"
    case .backspace: ".backspace"
    case .escape: ".escape"
    case .pause: ".pause"
    case .rejectAll: ".rejectAll"
    case .reopen: ".reopen"
    }
  }

  static func random(_ random: inout Seeded) -> WriterStep {
    let at = Double(Int.random(in: 0...64, using: &random)) / 64
    let count = Int.random(in: 1...4, using: &random)
    // Words that never come again: a text typed anew is not taken for a redo.
    let ends = ["", "ä", "x", "👍🏽", "\n", " y"]
    let word =
      "\(Int.random(in: 0...9999, using: &random))" + (ends.randomElement(using: &random) ?? "")
    let then = Bool.random(using: &random) ? word : nil
    let gap = [0, 0, 40, 200].randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<8: return .type(at, word, before: .random(using: &random), gap)
    case 8..<11: return .typeOn(word, gap)
    case 11: return .backspace
    case 12: return .escape
    case 13..<16: return .replace(at, count, with: "")
    case 16..<18: return .replace(at, count, with: word)
    case 18..<23:
      // About the delays after which clients tell of changes and the server marks them.
      let delays = [5, 149, 151, 499, 505, 700, 749, 750, 755, 900, 1250, 1300, 2000, 4100]
      return .wait(delays.randomElement(using: &random) ?? 0)
    case 23..<26: return .pause
    case 26..<28: return .undo(count)
    case 28: return .redo(count)
    case 29..<32:
      let outcomes: [SavingOutcome] = [.putIn, .putIn, .dropped, .putInLate]
      return .save(outcomes.randomElement(using: &random) ?? .putIn)
    case 32..<34:
      return .lag([0, 5, 80, 400, 1500].randomElement(using: &random) ?? 0)
    case 34: return .accept(at, then: then)
    case 35: return .acceptAll(then: then)
    case 36: return .reject(at)
    case 37: return [.rejectAll, .reopen].randomElement(using: &random) ?? .reopen
    case 38: return .comment(at, count, then: then)
    default: return .untracked(at, word)
    }
  }
}
