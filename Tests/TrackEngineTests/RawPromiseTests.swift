import TestSupport
import Testing

@testable import TrackEngine

@Suite("The promises, where delimiters are edited like any text", .timeLimited)
struct RawPromiseTests {
  /// What the pictures show, but for text that is not tracked.
  private static func drafts() throws -> [[UInt8]] {
    try specBlocks().flatMap(\.frames).map { Scene($0.picture).text }
      .filter { text in
        !text.contains("Annotations:")
          && !["---", "+++", "{\n", "\u{FEFF}"].contains { text.utf8.starts(with: $0.utf8) }
      }
      .map { Array($0.utf8) }
  }

  private static let words = [
    "X", "Y ", " zz", "é", "👍🏽", "\n", "foo bar", "++}", "~>", "{", "~~", "`", "`x`", "{++", "--}",
    "~~}", "{~~", "```", "\n```\n", "}", "+", "{==", "<<}", "{>>", "\n\n", "{--", "==}", "-", ">",
    "~", "``", "^", "\\{", "\\x\\", "{>>why<<}", "{++new++}", "{--o--}", "{==h==}", "\\",
    "line one\nline two\n",
    "\nmore", "more\n", "\r\n", "- item\n", "{>>@ann<<}", "{#s1}", "~~~",
    "^", "{author=\"x\"++", "[^cn-1]", "++}[^cn-1]", "{author=\"y\"--z--}",
  ]

  @Test("The original is sacred, and settled means settled, whatever is cut, moved and typed over")
  func raw() throws {
    let drafts = try Self.drafts()
    forAll(
      runs(20) * 200,
      length: 7,
      step: { RawStep.random(&$0, words: Self.words) },
      law: { seed, steps in session(drafts[Int(seed % UInt64(drafts.count))], steps) }
    )
  }

  private func session(_ draft: [UInt8], _ steps: [RawStep]) -> String? {
    var writer = RawWriter(draft)
    for step in steps { writer.perform(step) }
    // What undo or redo brought back is left alone.
    if writer.tracker.isHeld { return nil }
    let before = shown(writer.tracker.buffer.bytes)
    let edits = writer.tracker.marking().edits
    if let touching = zip(edits, edits.dropFirst())
      .first(where: { $0.range.upperBound >= $1.range.lowerBound })
    {
      return "edits touch: \(touching) in \(before)"
    }
    writer.pause(isForced: true)
    guard writer.tracker.hunks.isEmpty else { return "it stays pending: \(before)" }
    let bytes = writer.tracker.buffer.bytes
    let original = Reading(of: draft).text(.original, of: draft)
    let found = Reading(of: bytes).text(.original, of: bytes)
    if found != original {
      return "1, the original is sacred: \(shown(found)) for \(shown(original)) in \(before)"
    }
    guard writer.tracker.isSettled, writer.tracker.marking().edits.isEmpty else {
      return "5, settled means settled: \(shown(bytes)), which was \(before)"
    }
    return nil
  }
}
