import JSONRPC
import TestSupport
import Testing

@testable import CriticLSP
@testable import TrackEngine

/// An edit that the user asked for and that takes its time.
struct LateLanding: Sendable, CustomTestStringConvertible {
  enum Decision: String, CaseIterable {
    case accept
    case reject
    case acceptAll
    case rejectAll
  }

  /// How the client tells of it.
  enum Manner: CaseIterable {
    case together
    case togetherAfterReply
    /// The reply comes when the edit is taken in, long before it has landed.
    case togetherLongAfterReply
    case inParts
    case inPartsAboutReply
    /// The first part at once, the others 150 ms later.
    case inSlowParts
  }

  var decision: Decision
  var delay: Int
  var marking: String
  /// Whether tracking is turned off before it lands.
  var isTurnedOff: Bool

  var testDescription: String {
    "\(decision) after \(delay) ms, marking \(marking)\(isTurnedOff ? ", turned off" : "")"
  }

  static let all = Decision.allCases.flatMap { decision in
    [0, 400, 1400, 3000].flatMap { delay in
      ["idle", "save"].flatMap { marking in
        [false, true].map { isTurnedOff in
          LateLanding(
            decision: decision,
            delay: delay,
            marking: marking,
            isTurnedOff: isTurnedOff
          )
        }
      }
    }
  }
}

@Suite("Edits of ours that land late", .timeLimited) struct LateLandingTests {
  private static let draft =
    "One {--two --}three {++four++} and {~~five~>six~~} {==seven==}{>>note<<}.\n"

  /// What a decision makes of the draft, in which `new ` was typed before `and` if it is pending.
  private func landed(_ decision: LateLanding.Decision, isPending: Bool) -> String {
    let new = isPending ? "{++new ++}" : ""
    switch decision {
    case .accept:
      return "One {--two --}three four \(new)and {~~five~>six~~} {==seven==}{>>note<<}.\n"
    case .reject:
      return "One {--two --}three {++four++} \(new)and five {==seven==}{>>note<<}.\n"
    case .acceptAll:
      return "One three four \(isPending ? "new " : "")and six {==seven==}{>>note<<}.\n"
    case .rejectAll: return "One two three  and five {==seven==}{>>note<<}.\n"
    }
  }

  private func land(_ request: JSON, _ manner: LateLanding.Manner, on wire: Wire) {
    let edits = wire.edits(in: request)
    switch manner {
    case .together:
      wire.change(edits)
      wire.reply(to: request)
    case .togetherAfterReply:
      wire.reply(to: request)
      wire.change(edits)
    case .togetherLongAfterReply: wire.change(edits)
    case .inParts:
      wire.change(edits, separately: true)
      wire.reply(to: request)
    case .inPartsAboutReply, .inSlowParts:
      wire.change(edits.suffix(1))
      wire.reply(to: request)
      if case .inSlowParts = manner { wire.wait(150) }
      wire.change(edits.dropLast(), separately: true)
    }
  }

  private func check(_ late: LateLanding, _ manner: LateLanding.Manner, isPending: Bool) throws {
    let wire = Wire(
      capabilities: Wire.saving,
      settings: #"{"tracking":"on","marking":"\#(late.marking)"}"#
    )
    wire.open(LateLandingTests.draft)
    wire.wait(1000)
    if isPending { try wire.type("new ", before: "and") }
    switch late.decision {
    case .accept: try wire.command("accept", #""range":\#(wire.range(of: "four"))"#)
    case .reject: try wire.command("reject", #""range":\#(wire.range(of: "five"))"#)
    case .acceptAll, .rejectAll: try wire.command(late.decision.rawValue)
    }
    let request = try #require(wire.messages.edits.first)
    if case .togetherLongAfterReply = manner { wire.reply(to: request) }
    if late.isTurnedOff { try wire.command("toggleTracking", #""on":false"#) }
    wire.wait(late.delay)
    #expect(wire.messages.edits.count == 1, "an edit is sent while another can still land")
    land(request, manner, on: wire)
    let expected = landed(late.decision, isPending: isPending)
    #expect(wire.buffer == expected)

    wire.wait(10_000)
    for edit in wire.messages.edits.dropFirst() { wire.apply(edit) }
    #expect(wire.messages.edits.count == 1, "an edit is sent although there is nothing to mark")
    #expect(wire.buffer == expected)
    let isTracking = try wire.command("status")["result"]?["tracking"]?.bool
    #expect(isTracking == !late.isTurnedOff)
    let answer = try wire.ask("willSaveWaitUntil", #""reason":1"#)
    #expect(wire.edits(answer).isEmpty, "saving marks what was decided")
  }

  @Test(
    "What the user decided stays as it landed, however late",
    arguments: LateLanding.all,
    LateLanding.Manner.allCases
  )
  func decisions(_ late: LateLanding, _ manner: LateLanding.Manner) throws {
    try check(late, manner, isPending: false)
  }

  @Test(
    "So does what was typed right before it",
    arguments: LateLanding.all,
    LateLanding.Manner.allCases
  )
  func pendingDecisions(_ late: LateLanding, _ manner: LateLanding.Manner) throws {
    try check(late, manner, isPending: true)
  }

  @Test(
    "A comment stays as it landed, however late",
    arguments: [0, 400, 1400, 3000],
    LateLanding.Manner.allCases
  )
  func comments(_ delay: Int, _ manner: LateLanding.Manner) throws {
    let wire = Wire(settings: #"{"tracking":"on","marking":"idle"}"#)
    wire.open("One two three.\n")
    try wire.command("comment", #""range":\#(wire.range(of: "two")),"text":"why""#)
    let request = try #require(wire.messages.edits.first)
    if case .togetherLongAfterReply = manner { wire.reply(to: request) }
    wire.wait(delay)
    land(request, manner, on: wire)
    wire.wait(10_000)
    #expect(wire.messages.edits.count == 1)
    #expect(wire.buffer == "One {==two==}{>>why<<} three.\n")
  }

  @Test(
    "What was typed is marked once, however late its marks land",
    arguments: [0, 400, 1400, 3000],
    LateLanding.Manner.allCases
  )
  func marks(_ delay: Int, _ manner: LateLanding.Manner) throws {
    let wire = Wire(settings: #"{"tracking":"on","marking":"idle"}"#)
    wire.open("One two three.\n")
    try wire.type("new ", before: "three")
    try wire.replace("One ", with: "")
    let request = try #require(wire.wait(750).edits.first)
    if case .togetherLongAfterReply = manner { wire.reply(to: request) }
    wire.wait(delay)
    land(request, manner, on: wire)
    wire.wait(10_000)
    for edit in wire.messages.edits.dropFirst() where wire.version < 10 { wire.apply(edit) }
    #expect(wire.buffer == "{--One --}two {++new ++}three.\n")
  }
}
