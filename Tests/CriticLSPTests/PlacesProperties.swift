import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

@Suite("The places of our edits", .timeLimited) struct PlacesProperties {
  private enum Step: CustomStringConvertible {
    case edit(Double, Int, String)
    case format(isPutIn: Bool)
    case pause(isPutIn: Bool)

    var description: String {
      switch self {
      case .edit(let at, let count, let new): ".edit(\(at), \(count), \(new.debugDescription))"
      case .format(let isPutIn): ".format(isPutIn: \(isPutIn))"
      case .pause(let isPutIn): ".pause(isPutIn: \(isPutIn))"
      }
    }

    static func random(_ random: inout Seeded) -> Step {
      let pieces = [
        "{", "++", "++}", "{++", "{--", "--}", "{~~", "~>", "~~}", "{==", "==}", "{>>", "<<}", "`",
        "```", "---", "---\n", "\n", "\r\n", "\n\n", " ", "a", "b c", "é", "👍🏽", "- ", "\n```\n",
        "title: x\n",
      ]
      switch Int.random(in: 0..<16, using: &random) {
      case 0: return .format(isPutIn: .random(using: &random))
      case 1: return .pause(isPutIn: .random(using: &random))
      default: break
      }
      let at = Double(Int.random(in: 0...64, using: &random)) / 64
      let count = [0, 0, 0, 1, 2, 5].randomElement(using: &random) ?? 0
      let new = (0..<Int.random(in: 0...3, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }
      return .edit(at, count, new.joined())
    }
  }

  private static let drafts = [
    "---\ntitle: x\n---\n\nOne {++two++} three.\n",
    "---\r\ntitle: x\r\n---\r\nOne {--two--}.\r\n", "One `two` three.\n\n```\nfour\n```\n", "",
  ]

  @Test("Every edit is about places that there are in the text, one after the other")
  func places() {
    forAll(runs(40), length: 40, step: Step.random) { seed, steps in
      do {
        let wire = Wire(client: seed % 2 == 0 ? "helix" : "Neovim")
        wire.open(PlacesProperties.drafts[Int(seed) % PlacesProperties.drafts.count])
        for step in steps {
          switch step {
          case .edit(let at, let count, let new):
            let text = wire.buffer
            let start = text.index(text.startIndex, offsetBy: Int(at * Double(text.count)))
            let end = text.index(start, offsetBy: count, limitedBy: text.endIndex) ?? text.endIndex
            let range = start.utf16Offset(in: text)..<end.utf16Offset(in: text)
            let before = text.utf16.prefix(range.lowerBound)
            let offset = String(before)?.utf8.count ?? 0
            let length = text[start..<end].utf8.count
            wire.change([Edit(offset..<offset + length, Array(new.utf8))])
          case .format(let isPutIn):
            let answer = try wire.ask("formatting")
            if let broken = misplaced(answer, in: wire) { return broken }
            if isPutIn { wire.change(wire.edits(answer)) }
          case .pause(let isPutIn):
            for request in wire.wait(750).edits {
              let edits = request["params"]?["edit"]?["documentChanges"]?.first?["edits"]
              if let broken = misplaced(edits, in: wire) { return broken }
              if isPutIn { wire.apply(request) }
              wire.reply(to: request, #"{"applied":\#(isPutIn)}"#)
            }
          }
        }
        return nil
      } catch {
        return "\(error)"
      }
    }
  }

  private func misplaced(_ edits: JSON?, in wire: Wire) -> String? {
    let conversions = Conversions(text: wire.text, encoding: .utf16)
    var last = -1
    for edit in edits?.elements.map({ $0 }) ?? [] {
      for side in ["start", "end"] {
        guard let position = Position(edit["range"]?[side]) else { return "\(edit) has no places" }
        let offset = conversions.offset(of: position)
        let there = conversions.position(of: offset)
        if there.line != position.line || there.character != position.character {
          return "\(edit): \(side) is \(there) in \(wire.buffer.debugDescription)"
        }
        if offset < last { return "\(edit) begins before the end of the one before" }
        last = offset
      }
    }
    return nil
  }
}
