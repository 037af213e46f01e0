import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

/// Something a writer does at an editor in a random session.
enum ClientStep: CustomStringConvertible {
  case insert(Double, String, before: Bool)
  case remove(Double, Int, with: String)
  /// Time passes, and our edits are looked at.
  case pause
  /// Time passes, and our edits arrive only when the user has typed on.
  case wait
  case undo(Int)
  case redo(Int)
  case save

  var description: String {
    switch self {
    case .insert(let at, let text, let before):
      ".insert(\(at), \(text.debugDescription), before: \(before))"
    case .remove(let at, let count, let text):
      ".remove(\(at), \(count), with: \(text.debugDescription))"
    case .pause: ".pause"
    case .wait: ".wait"
    case .undo(let count): ".undo(\(count))"
    case .redo(let count): ".redo(\(count))"
    case .save: ".save"
    }
  }

  static func random(_ random: inout Seeded) -> ClientStep {
    let at = Double(Int.random(in: 0...64, using: &random)) / 64
    // Words that never come again: a text typed anew is not taken for a redo.
    let letters = ["ä", "x", "👍🏽", "\n", "y "]
    let word =
      "\(Int.random(in: 0...999_999, using: &random))"
      + (letters.randomElement(using: &random) ?? "")
    switch Int.random(in: 0..<16, using: &random) {
    case 0...4: return .insert(at, word, before: .random(using: &random))
    case 5...6: return .remove(at, Int.random(in: 1...3, using: &random), with: "")
    case 7: return .remove(at, Int.random(in: 1...3, using: &random), with: word)
    case 8...10: return .pause
    case 11: return .wait
    case 12...13: return .undo(Int.random(in: 1...4, using: &random))
    case 14: return .redo(Int.random(in: 1...4, using: &random))
    default: return .save
    }
  }
}

@Suite("Random sessions with simulated clients", .timeLimited) struct SessionProperties {
  @Test(
    "Original, clean text and undo hold in every client's manner and encoding",
    arguments: SimulatedClient.Manner.allCases,
    [PositionEncoding.utf8, .utf16, .utf32]
  )
  func promises(_ manner: SimulatedClient.Manner, _ encoding: PositionEncoding) {
    forAll(
      runs(400),
      length: 16,
      step: { ClientStep.random(&$0) },
      law: { seed, steps in
        let drafts = [
          "The {++quick ++}brown {--red --}fox.\nIt {~~runs~>jumps~~}.\n",
          "é👩‍👩‍👧 {++ü++}🇿🇦 e\u{301}x {==hl==}{>>n<<}", "", "a\r\nb {--c--}\r\n",
          "Use `code` and:\n\n```\nlet a = 1\n```\n\nAfter.\n",
        ]
        do {
          var session = try Session(drafts[Int(seed) % drafts.count], manner, encoding)
          for step in steps + [.pause] {
            if let broken = session.perform(step) { return broken }
          }
          return nil
        } catch {
          return "\(error)"
        }
      }
    )
  }
}

/// A session, with what the promises say of it.
private struct Session {
  private let client: SimulatedClient
  private let original: [UInt8]
  private var clean: [UInt8]
  private var history: [Moment] = []
  private var undone: [Moment] = []
  private var hasTravelled = false
  private var travelledTexts: Set<[UInt8]> = []

  private struct Moment {
    var text: Text
    var clean: [UInt8]
  }

  init(
    _ draft: String,
    _ manner: SimulatedClient.Manner,
    _ encoding: PositionEncoding
  ) throws {
    client = try SimulatedClient(draft, manner: manner, encoding: encoding)
    let bytes = client.text.bytes
    original = Reading(of: bytes).text(.original, of: bytes)
    clean = Reading(of: bytes).text(.clean, of: bytes)
  }

  mutating func perform(_ step: ClientStep) -> String? {
    switch step {
    case .insert(let at, let text, let before):
      if let broken = readClean() { return broken }
      change(CleanPlace(at: at, isBefore: before, in: client.text.bytes), text)
    case .remove(let at, let count, let text):
      if let broken = readClean() { return broken }
      guard let place = CleanPlace(count, at: at, in: client.text.bytes) else { return nil }
      change(place, text)
    case .pause: return pause()
    case .wait: client.wait(61)
    case .undo(let count): return travel(count, from: \.history, to: \.undone)
    case .redo(let count): return travel(count, from: \.undone, to: \.history)
    case .save:
      client.answerAll()
      // A save marks even what was undone.
      hasTravelled = false
      let edits = try? client.request(
        "textDocument/formatting",
        #"{"textDocument":{"uri":"\#(client.uri)"}}"#
      )
      let before = client.text
      let conversions = Conversions(text: before, encoding: client.encoding)
      for edit in conversions.edits(of: edits).reversed() {
        client.change(edit.range, String(decoding: edit.new, as: UTF8.self))
      }
      if client.text != before { history.append(Moment(text: before, clean: clean)) }
      return broken()
    }
    return nil
  }

  private mutating func pause() -> String? {
    let before = client.text
    client.pause()
    if hasTravelled, client.text != before {
      return "6, undo is the user's: \(trace)"
    }
    if client.text != before { history.append(Moment(text: before, clean: clean)) }
    return hasTravelled ? nil : broken()
  }

  private func broken() -> String? {
    let bytes = client.text.bytes
    let reading = Reading(of: bytes)
    if reading.text(.original, of: bytes) != original {
      return "1, the original is sacred: \(trace)"
    }
    if reading.text(.clean, of: bytes) != clean {
      let text = String(decoding: clean, as: UTF8.self).debugDescription
      return "2, the clean text is \(text): \(trace)"
    }
    return nil
  }

  private var trace: String { "\n" + client.log.joined(separator: "\n") }

  private mutating func readClean() -> String? {
    let bytes = client.text.bytes
    guard Reading(of: bytes).text(.clean, of: bytes) != clean else { return nil }
    return perform(.save)
  }

  private mutating func change(_ place: CleanPlace, _ new: String) {
    history.append(Moment(text: client.text, clean: clean))
    undone = []
    client.change(place.range, new)
    clean.replaceSubrange(place.clean, with: new.utf8)
    // Doing the very same again after an undo cannot be told from redo, and is left alone like it.
    hasTravelled = travelledTexts.contains(client.text.bytes)
  }

  private mutating func travel(
    _ count: Int,
    from source: WritableKeyPath<Session, [Moment]>,
    to target: WritableKeyPath<Session, [Moment]>
  ) -> String? {
    // Everything is in marks, so that whatever is taken back lies after a mark of ours.
    if !hasTravelled, let broken = pause() { return broken }
    for _ in 0..<count {
      guard let moment = self[keyPath: source].popLast() else { return nil }
      self[keyPath: target].append(Moment(text: client.text, clean: clean))
      hasTravelled = true
      travelledTexts.insert(client.text.bytes)
      client.travel(to: moment.text)
      travelledTexts.insert(client.text.bytes)
      clean = moment.clean
    }
    return hasTravelled ? pause() : nil
  }
}
