import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

/// Whatever is listed can be accepted and rejected, in every client, as on the command line.
@Suite("Decisions in texts of every length", .timeLimited) struct DecisionProperties {
  /// What is accepted or rejected, and how it is asked for.
  private enum Way: CaseIterable {
    /// `critic.accept` with the number of a change.
    case number
    /// `critic.accept` with the caret in the change.
    case caret
    /// The caret in the last comment of its thread.
    case thread
    /// A selection of several changes.
    case selection
    /// The first of the code actions at the caret.
    case action
  }

  @Test("Every change, thread and selection can be accepted and rejected, in any order")
  func everything() throws {
    for seed in 0..<UInt64(runs(60)) {
      if let broken = try broken(seed) {
        Issue.record("seed \(seed): \(broken)")
        return
      }
    }
  }

  private func broken(_ seed: UInt64) throws -> String? {
    var random = Seeded(seed: seed)
    // Two to the power of a random number: short ones as often as long ones.
    let length = 512 << Int.random(in: 0...6, using: &random)
    let wire = Wire(
      capabilities: #"{"workspace":{"applyEdit":true},"#
        + #""textDocument":{"codeAction":{"codeActionLiteralSupport":{}}}}"#
    )
    wire.open(Manuscript(of: length + Int(seed) % 509, seed: seed).text)
    for _ in 0..<12 {
      let bytes = wire.text.bytes
      let reading = Reading(of: bytes)
      guard let index = reading.changes.indices.randomElement(using: &random) else { return nil }
      let variant: Variant = Bool.random(using: &random) ? .clean : .original
      let way = Way.allCases.randomElement(using: &random) ?? .number
      let (chosen, answer) = try decide(way, index, reading, variant, wire, &random)
      let what =
        "\(way) \(variant) of \(chosen.map { String(decoding: bytes[$0.range], as: UTF8.self) })"
      guard let answer else { return "\(what): \(length) bytes: not offered" }
      if answer["error"] != nil { return "\(what): \(length) bytes: \(answer)" }
      let expected = bytes.applying(try reading.edits(resolving: chosen, variant, of: bytes))
      if wire.text.bytes != expected { return "\(what): not what the command line gives" }
      // Sometimes time passes between two keys.
      if Bool.random(using: &random), !wire.wait(5000).edits.isEmpty { return "\(what): marked" }
    }
    return nil
  }

  /// Asks for a decision and does what the server says; nil if it is not offered.
  private func decide(
    _ way: Way,
    _ index: Int,
    _ reading: Reading,
    _ variant: Variant,
    _ wire: Wire,
    _ random: inout Seeded
  ) throws -> ([Change], JSON?) {
    let changes = reading.changes
    let change = changes[index]
    let inside = change.range.lowerBound + 1..<change.range.lowerBound + 1
    let name = variant == .clean ? "accept" : "reject"
    switch way {
    case .number: return ([change], try wire.run(name, #""change":\#(index + 1)"#))
    case .caret: return ([change], try wire.run(name, #""range":\#(wire.range(inside))"#))
    case .thread:
      let last = change.range.upperBound - 1
      return ([change], try wire.run(name, #""range":\#(wire.range(last..<last))"#))
    case .selection:
      let end = min(changes.count, index + Int.random(in: 1...10, using: &random))
      let chosen = Array(changes[index..<end])
      let range = change.range.lowerBound..<chosen[chosen.count - 1].range.upperBound
      return (chosen, try wire.run(name, #""range":\#(wire.range(range))"#))
    case .action:
      let menu = try wire.ask(
        "codeAction",
        #""range":\#(wire.range(inside)),"context":{"diagnostics":[]}"#
      )
      let verb = variant == .clean ? "Accept " : "Reject "
      let place = variant == .clean ? 0 : 1
      guard let action = Array(menu.elements).dropFirst(place).first,
        action["title"]?.string?.hasPrefix(verb) == true
      else { return ([change], nil) }
      wire.apply(action)
      return ([change], action)
    }
  }
}
